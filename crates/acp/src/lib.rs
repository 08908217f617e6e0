//! How an agent is spoken to: the process, the lines, the session.
//!
//! [`launch`] starts an agent under a keeper and gives a [`Transport`]; [`connect`] speaks JSON-RPC over it and gives
//! every message as a [`Frame`], in the one order in which it came, unread; [`views`] reads what is inside, leniently;
//! [`messages`] builds what we send. Nothing here knows a task, a database or a browser.

pub mod conn;
mod envelope;
mod family;
mod frame;
mod id;
mod keeper;
mod line;
pub mod messages;
mod platform;
mod process;
mod pty;
mod redact;
mod stderr;
mod sweep;
pub mod timeouts;
mod transport;
pub mod views;

pub use conn::{Config, Connection, Incoming, Responder, SendError, WriterState, connect};
pub use family::{Family, Left, Moment, end_left, still_running};
pub use frame::{
    AUTH_REQUIRED, Body, CloseReason, Dir, ErrorOrigin, Frame, FrameSink, INTERNAL_ERROR, INVALID_PARAMS,
    METHOD_NOT_FOUND, Noise, REQUEST_CANCELLED, RESOURCE_NOT_FOUND, RpcError,
};
pub use id::{PeerId, RequestId};
pub use keeper::{Launch, LaunchError, Mark, keeper_main, launch};
pub use process::{Exit, ExitWatch, Process, ProcessInfo, Usage, descendants, usage};
pub use pty::{PtyInput, pty_main};
pub use redact::plain_text;
pub use sweep::{Swept, sweep_leftovers};
pub use timeouts::timeout_of;
pub use transport::Transport;
