//! Real processes under real keepers: nothing outlives its agent, whoever dies first.
//!
//! The binary starts itself again as keeper, agent, daemon and as what an agent leaves behind.

#![expect(clippy::unwrap_used, reason = "a test ends where something is not as it must be")]
#![expect(unreachable_pub, reason = "the helpers are modules of a test")]

#[path = "processes/cases.rs"]
mod cases;
#[path = "processes/roles.rs"]
mod roles;
#[path = "processes/stage.rs"]
mod stage;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial, run};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(code) = roles::play(&words) {
        return code;
    }
    let trials = cases::ALL.iter().map(|(name, case)| {
        Trial::test(*name, move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
            runtime.block_on(case());
            Ok(())
        })
    });
    run(&Arguments::from_args(), trials.collect()).exit_code()
}
