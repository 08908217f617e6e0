//! Tour: the agent that is built in and needs no model.
//!
//! An ordinary agent that speaks the Agent Client Protocol, version 1, over stdio. It shows every kind of content that a client
//! can show, asks what an agent may ask, and says in the user's language what they are looking at and how to go on with a
//! real agent. It knows nothing of Drover's own crates: what it is given is an environment, what it has is its pipes.
//!
//! | variable | meaning |
//! | --- | --- |
//! | `DROVER_TOUR_DIR` | where its sessions and the one greeting that it may write are kept; without it, in memory only |
//! | `DROVER_TOUR_PACE` | the pace in which a new session starts: `brisk` (the default), `leisurely` or `instant` |
//! | `LC_ALL`, `LC_MESSAGES`, `LANG` | its language until a prompt is written in one |

mod agent;
mod client;
mod language;
mod options;
mod pace;
mod prompt;
mod scene;
mod session;
mod stage;
mod store;
mod topic;
mod wire;
mod words;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use language::Language;
use pace::Pace;

/// Serves on stdin and stdout until stdin ends.
pub fn main() -> ExitCode {
    let setup = Setup::read(|name| std::env::var_os(name));
    match agent::Agent::new(&setup, Box::new(io::stdout())).serve(io::stdin().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("drover tour: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What the environment says.
#[derive(Debug)]
struct Setup {
    dir: Option<PathBuf>,
    pace: Pace,
    language: Language,
}

impl Setup {
    fn read(var: impl Fn(&str) -> Option<OsString>) -> Self {
        let text =
            |name: &str| var(name).filter(|value| !value.is_empty()).map(|value| value.to_string_lossy().into_owned());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(text);
        Self {
            dir: var("DROVER_TOUR_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from),
            pace: text("DROVER_TOUR_PACE").and_then(|pace| Pace::named(&pace)).unwrap_or(Pace::Brisk),
            language: Language::of_locale(locale.as_deref().unwrap_or_default()),
        }
    }
}
