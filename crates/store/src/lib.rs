//! What is remembered: rows, the change feed, blobs. The only SQL.
//!
//! Rows are the truth; the feed tells of changes. Every transaction that changes a row also appends to the feed, then rings the bell;
//! readers read the feed after their cursor. There is one writer. Commands (made for an HTTP request) are durable before they return;
//! facts (told by the supervisor) go through one bounded queue and are committed in order, text on one tick of 33 ms.

mod attachment;
mod blob;
mod branch;
mod browser;
mod chat;
mod cut;
mod error;
mod feed;
mod header;
mod idempotency;
mod inspect;
mod intent;
mod link;
mod message;
mod open;
mod part;
mod platform;
mod project;
mod queue;
mod record;
mod recover;
mod reorder;
mod request;
mod rows;
mod run;
mod schema;
mod send;
mod task;
mod text;
mod upkeep;
mod writer;

pub use attachment::StaleAttachment;
pub use branch::{Branch, RestoreBranch};
pub use browser::{NewBrowser, PairedBrowser};
pub use chat::Chat;
pub use cut::{CONTINUE, Change, ChangeError, ChangeMessage};
pub use error::StoreError;
pub use feed::{Cursor, FeedRow};
pub use idempotency::Remembered;
pub use inspect::{Inspection, inspect};
pub use intent::{Intent, IntentRow};
pub use link::{LinkPatch, LinkRow, RememberedOption};
pub use open::{OpenError, OpenOptions, Store};
pub use project::{AddProject, AddProjectError, DeleteProjectError, TasksOfProject};
pub use record::{End, Fact, Record, Refused, Reply, Started};
pub use recover::Recovered;
pub use reorder::{QueueError, RunPatch};
pub use request::AnswerError;
pub use run::{CancelError, DropError};
pub use schema::SCHEMA_VERSION;
pub use send::{MentionedFile, SendError, SendMessage, Sent};
pub use task::{CreateTask, CreateTaskError, DeleteTaskError, TaskFilter, TaskPage, TaskPatch};
