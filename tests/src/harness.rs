//! Runs the real daemon on a directory of its own, calls it over HTTP, follows its events, and looks at its processes.
//!
//! A harness fails by panicking: the panic is the test's failure. It waits for conditions, each with a deadline, never for time.

#![expect(clippy::expect_used, reason = "a panic is how a test fails")]

mod agents;
mod api;
mod chat;
mod daemon;
mod journal;
mod mount;
pub mod process;
pub mod raw;
mod redact;
mod registry;
mod stream;
mod wait;

pub use agents::{Agent, agent};
pub use api::{Answer, Api, Call};
pub use chat::{Sent, message_text, nonce};
pub use daemon::{Drover, Setup, binary, scripted_agent};
pub use journal::Entry;
pub use mount::Mount;
pub use redact::redacted;
pub use registry::{Package, Registry};
pub use stream::{Event, Follow, Stream, rebuilt};
pub use wait::{LONG, PATIENCE, until};
