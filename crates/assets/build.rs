//! Brings `web/dist` up to date before the crate embeds it. The rule stands in `build/rule.rs`; here it is only told to cargo.

use std::env;
use std::path::Path;

#[path = "build/inputs.rs"]
mod inputs;
#[path = "build/node.rs"]
mod node;
#[path = "build/rule.rs"]
mod rule;

fn main() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for path in watched(&web) {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed=WEB_BUILD");

    let skip = env::var_os("WEB_BUILD").is_some_and(|value| value == "skip");
    let tools = env::var_os("PATH").unwrap_or_default();
    match rule::bring_up_to_date(&web, &tools, skip) {
        Ok(outcome) => {
            if let Some(warning) = outcome.warning() {
                println!("cargo::warning={warning}");
            }
        }
        // One line a directive: cargo joins them again.
        Err(failure) => {
            for line in failure.to_string().lines() {
                println!("cargo::error={line}");
            }
        }
    }
}

/// What cargo compares with the time of the last run. An input that does not exist is left out, because cargo would take
/// it for changed at every build; what the rule itself writes is dated 1970 for the same reason.
fn watched(web: &Path) -> impl Iterator<Item = String> {
    let inputs = inputs::INPUTS.iter().map(|name| web.join(name)).filter(|path| path.exists());
    let written = rule::DATED.iter().map(|name| web.join("dist").join(name));
    inputs.chain(written).map(|path| path.display().to_string())
}
