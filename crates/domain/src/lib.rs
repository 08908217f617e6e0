//! What is true: ids, entities, the life of a run, the order of a chat, the handoff.
//!
//! Everything here is pure: no I/O, no clock, no runtime, no SQL. Times and ids come from the caller.
//! The entities serialise to exactly the objects of the HTTP contract (docs/api.md, "Objects"), because the change feed
//! stores them as the events that every reader gets (docs/decisions/0007-entities-are-the-wire.md).

pub mod agent;
pub mod attachment;
pub mod blob;
pub mod elicitation;
pub mod event;
pub mod handoff;
pub mod id;
pub mod install;
pub mod link;
pub mod message;
pub mod options;
pub mod place;
pub mod project;
pub mod queue;
pub mod request;
pub mod run;
pub mod task;
pub mod time;
pub mod transcript;

pub use agent::{Agent, AgentSource, AgentState};
pub use attachment::{Attachment, Browser};
pub use event::Event;
pub use id::{AgentId, AttachmentId, BranchId, BrowserId, MessageId, ProjectId, RequestId, RunId, TaskId};
pub use link::{Link, LinkState, SkippedOption};
pub use message::{HandedOver, Message, MessageHead, MessageStatus, Origin, Part, Role};
pub use project::Project;
pub use request::{Answer, Request, RequestKind, RequestState};
pub use run::{Attempt, Fence, Outcome, Run, RunState, WaitingFor};
pub use task::{Task, TaskState, TitleSource};
pub use time::Timestamp;
