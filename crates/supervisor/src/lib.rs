//! Who does what when: one actor per task, one link actor per (task, agent), recovery, the catalogue.
//!
//! The supervisor reads intents from the store, acts on them, and records what happens; it never answers a browser. The
//! root gives every intent to the actor of its task; a task's actor owns its runs, its queue and its links and never waits for a turn
//! or a commit; a link's actor owns one agent process and its session, and tells what comes from it in wire order.

pub mod catalogue;
mod clock;
pub mod config;
mod contents;
mod context;
pub mod env;
mod frames;
mod install;
mod link;
mod login;
mod pacer;
mod platform;
mod prompt;
mod received;
mod remembered;
mod root;
mod running;
mod slots;
mod supervisor;
mod task;
mod terminal;
mod translate;

pub use clock::{Clock, Ids, RandomIds, SystemClock};
pub use drover_acp::PtyInput as LoginInput;
pub use install::{InstallError, NodePackage, NodeRelease, Recipe, Spec, Start, Version};
pub use login::{LoginError, Output as LoginOutput};
pub use prompt::Preview;
pub use supervisor::{AnswerFailure, SetOptionError, Setup, Supervisor};
