//! Events: what the change feed holds and the event stream carries.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Agent, Link, MessageHead, MessageId, Part, Project, ProjectId, Request, Run, Task, TaskId};

/// One event. On the stream `event:` is its kind and `data:` its data; in JSON it is `{event, data}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", content = "data")]
pub enum Event {
    /// First on every connection, without an id.
    #[serde(rename = "hello")]
    Hello(Hello),
    /// A project was made or changed.
    #[serde(rename = "project.upsert")]
    ProjectUpsert(Project),
    /// A project was deleted.
    #[serde(rename = "project.deleted")]
    ProjectDeleted(ProjectGone),
    /// A task was made or changed.
    #[serde(rename = "task.upsert")]
    TaskUpsert(Task),
    /// A task was deleted.
    #[serde(rename = "task.deleted")]
    TaskDeleted(TaskGone),
    /// An agent of the catalogue changed.
    #[serde(rename = "agent.upsert")]
    AgentUpsert(Agent),
    /// A link changed.
    #[serde(rename = "link.upsert")]
    LinkUpsert(Link),
    /// A request was opened or ended.
    #[serde(rename = "request.upsert")]
    RequestUpsert(Request),
    /// A run changed.
    #[serde(rename = "run.upsert")]
    RunUpsert(Run),
    /// A message was made or changed.
    #[serde(rename = "message.upsert")]
    MessageUpsert(MessageHead),
    /// A queued message was dropped.
    #[serde(rename = "message.deleted")]
    MessageDeleted(MessageGone),
    /// A part was made or replaced.
    #[serde(rename = "part.upsert")]
    PartUpsert(PartUpsert),
    /// Text was added at the end of a text or thought part.
    #[serde(rename = "part.append")]
    PartAppend(PartAppend),
    /// Messages left the chat.
    #[serde(rename = "chat.truncated")]
    ChatTruncated(ChatTruncated),
    /// All up to its id was delivered or filtered out.
    #[serde(rename = "mark")]
    Mark(Mark),
    /// Take snapshots again; the stream goes on from `seq`.
    #[serde(rename = "reset")]
    Reset(Reset),
}

/// Data of `hello`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Hello {
    /// Names this connection, for `PUT /events/{connection}`.
    pub connection: String,
    /// Names the database.
    pub instance_id: String,
    /// The greatest number of the feed.
    pub seq: i64,
    /// The daemon's version.
    pub version: String,
    /// The hash of the page inside the daemon.
    pub build: String,
}

/// Data of `project.deleted`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProjectGone {
    /// The project.
    pub id: ProjectId,
}

/// Data of `task.deleted`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TaskGone {
    /// The task.
    pub id: TaskId,
}

/// Data of `message.deleted`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageGone {
    /// The task.
    pub task_id: TaskId,
    /// The message.
    pub id: MessageId,
}

/// Data of `part.upsert`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PartUpsert {
    /// The task.
    pub task_id: TaskId,
    /// The message.
    pub message_id: MessageId,
    /// The part's place in its message, from 0.
    pub index: i64,
    /// The part.
    pub part: Part,
}

/// Data of `part.append`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PartAppend {
    /// The task.
    pub task_id: TaskId,
    /// The message.
    pub message_id: MessageId,
    /// The part's place in its message, from 0.
    pub index: i64,
    /// The part's length before, in UTF-16 units.
    pub at: i64,
    /// What is added.
    pub text: String,
}

/// Data of `chat.truncated`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChatTruncated {
    /// The task.
    pub task_id: TaskId,
    /// Messages from this ordinal on left the chat.
    pub from_ordinal: i64,
}

/// Data of `mark`: nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Mark {}

/// Data of `reset`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Reset {
    /// Where the stream goes on.
    pub seq: i64,
}

impl Event {
    /// The kind: what stands behind `event:` on the stream.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Hello(_) => "hello",
            Self::ProjectUpsert(_) => "project.upsert",
            Self::ProjectDeleted(_) => "project.deleted",
            Self::TaskUpsert(_) => "task.upsert",
            Self::TaskDeleted(_) => "task.deleted",
            Self::AgentUpsert(_) => "agent.upsert",
            Self::LinkUpsert(_) => "link.upsert",
            Self::RequestUpsert(_) => "request.upsert",
            Self::RunUpsert(_) => "run.upsert",
            Self::MessageUpsert(_) => "message.upsert",
            Self::MessageDeleted(_) => "message.deleted",
            Self::PartUpsert(_) => "part.upsert",
            Self::PartAppend(_) => "part.append",
            Self::ChatTruncated(_) => "chat.truncated",
            Self::Mark(_) => "mark",
            Self::Reset(_) => "reset",
        }
    }

    /// The data alone, as JSON: what stands behind `data:` on the stream.
    ///
    /// # Errors
    /// Where a value cannot be written as JSON.
    pub fn data(&self) -> serde_json::Result<String> {
        match self {
            Self::Hello(data) => serde_json::to_string(data),
            Self::ProjectUpsert(data) => serde_json::to_string(data),
            Self::ProjectDeleted(data) => serde_json::to_string(data),
            Self::TaskUpsert(data) => serde_json::to_string(data),
            Self::TaskDeleted(data) => serde_json::to_string(data),
            Self::AgentUpsert(data) => serde_json::to_string(data),
            Self::LinkUpsert(data) => serde_json::to_string(data),
            Self::RequestUpsert(data) => serde_json::to_string(data),
            Self::RunUpsert(data) => serde_json::to_string(data),
            Self::MessageUpsert(data) => serde_json::to_string(data),
            Self::MessageDeleted(data) => serde_json::to_string(data),
            Self::PartUpsert(data) => serde_json::to_string(data),
            Self::PartAppend(data) => serde_json::to_string(data),
            Self::ChatTruncated(data) => serde_json::to_string(data),
            Self::Mark(data) => serde_json::to_string(data),
            Self::Reset(data) => serde_json::to_string(data),
        }
    }

    /// The task whose content this event tells of: `message.*`, `part.*` and `chat.*` events, which a connection can narrow.
    pub fn content_of(&self) -> Option<TaskId> {
        match self {
            Self::MessageUpsert(head) => Some(head.task_id),
            Self::MessageDeleted(gone) => Some(gone.task_id),
            Self::PartUpsert(part) => Some(part.task_id),
            Self::PartAppend(append) => Some(append.task_id),
            Self::ChatTruncated(cut) => Some(cut.task_id),
            _ => None,
        }
    }
}
