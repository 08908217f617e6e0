//! Every agent runs under a keeper: a small process of our own binary that is its parent, adopts what the agent
//! orphans, and ends all of it when it is told to or when the daemon is gone, for whatever reason.
//!
//! The daemon's side is [`launch`]; the keeper's own program is [`keeper_main`].

mod gate;
mod launch;
mod program;
mod resolve;
mod signals;
mod tree;
mod warden;
mod wire;

pub(crate) use gate::StdinGate;
pub use launch::{Launch, LaunchError, Mark, launch};
pub use program::keeper_main;
