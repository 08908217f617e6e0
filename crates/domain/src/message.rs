//! Messages and their parts.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{AgentId, AttachmentId, MessageId, RunId, TaskId, Timestamp};

/// One entry of a chat, with its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Message {
    /// The entry itself.
    #[serde(flatten)]
    pub head: MessageHead,
    /// What it is made of, in order.
    pub parts: Vec<Part>,
}

/// One entry of a chat without its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageHead {
    /// Its id.
    pub id: MessageId,
    /// The task whose chat it is in.
    pub task_id: TaskId,
    /// Its place in the chat, from 1. Queued messages have no settled place yet: they stand behind all others.
    pub ordinal: i64,
    /// Who speaks.
    pub role: Role,
    /// What brought it about.
    pub origin: Origin,
    /// The agent that was asked, or that answers.
    pub agent: Option<AgentId>,
    /// How far it is.
    pub status: MessageStatus,
    /// The run it belongs to.
    pub run_id: Option<RunId>,
    /// Whether content came after the prompt had been answered.
    pub late: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// From the start of its run to its end, in milliseconds.
    pub duration_ms: Option<i64>,
    /// The agent's own word for why it stopped, whatever it is.
    pub stop_reason: Option<String>,
    /// What the agent reported of tokens and cost, as it came.
    #[schema(value_type = Option<Object>)]
    pub usage: Option<Value>,
    /// What its agent was handed in front of the prompt; null where it had missed nothing.
    pub handoff: Option<HandedOver>,
    /// The name of the model that was chosen when the prompt was sent, in the agent's words; null where it offers none.
    pub model: Option<String>,
}

/// What stood in front of a prompt because its agent had missed it (lifecycle rules 10 to 13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HandedOver {
    /// How many turns it holds.
    pub turns: usize,
    /// How many older turns had no room.
    pub left_out: usize,
    /// The size of the whole block in bytes.
    pub bytes: usize,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user.
    User,
    /// An agent.
    Assistant,
}

/// What brought a message about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The user sent it.
    User,
    /// It answers a prompt.
    Run,
    /// The agent began by itself.
    Agent,
}

/// How far a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MessageStatus {
    /// Waiting for its turn.
    Queued,
    /// Being answered.
    Streaming,
    /// Whole.
    Done,
    /// Failed; its last part says why.
    Error,
    /// Stopped by the user.
    Cancelled,
    /// Cut off: the daemon or the agent died.
    Interrupted,
}

impl MessageStatus {
    /// Whether nothing more will be done for it.
    pub const fn is_settled(self) -> bool {
        !matches!(self, Self::Queued | Self::Streaming)
    }
}

/// The atomic content of a message.
#[expect(clippy::large_enum_variant, reason = "tool calls are as common as texts, and a message has few parts")]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// What was said.
    Text {
        /// Markdown, as it came.
        text: String,
    },
    /// What was thought.
    Thought {
        /// Markdown, as it came.
        text: String,
    },
    /// What an agent does outside its answer.
    ToolCall(ToolCall),
    /// What an agent means to do.
    Plan(Plan),
    /// A picture.
    Image(FilePart),
    /// A file.
    File(FilePart),
    /// What went wrong.
    Error {
        /// A JSON-RPC code, a word of ours such as `agent_exited`, or what the agent sent.
        code: String,
        /// One sentence.
        message: String,
        /// More, such as the agent's `data` or the last lines of its stderr.
        #[schema(value_type = Option<Object>)]
        detail: Option<Value>,
    },
    /// What an agent says beside its answer: not the model's words.
    Notice(Notice),
    /// The agent made its context shorter.
    Compaction(Compaction),
    /// What an agent sent that this version does not know.
    Unknown {
        /// The update as it came.
        #[schema(value_type = Object)]
        raw: Value,
    },
}

/// What an agent means to do: steps, or a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Plan {
    /// The agent's id for it, where it has more than one.
    #[serde(default)]
    pub plan_id: Option<String>,
    /// Its steps, as the agent sent them.
    #[schema(value_type = Vec<Object>)]
    pub entries: Value,
    /// The plan as Markdown, where the agent wrote it so.
    #[serde(default)]
    pub text: Option<String>,
    /// Whether the agent took it back.
    #[serde(default)]
    pub removed: bool,
}

/// What an agent says beside its answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct Notice {
    /// The agent's id for it, where a later one takes its place.
    pub notice_id: Option<String>,
    /// `info`, `warning`, `error`, or the agent's own word.
    pub severity: String,
    /// One line, in the agent's words.
    pub title: String,
    /// More, in the agent's words.
    pub description: Option<String>,
}

/// The agent made its context shorter.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct Compaction {
    /// The agent's id for it.
    pub compaction_id: String,
    /// `in_progress`, `completed`, `failed`, `cancelled`, or the agent's own word.
    pub status: Option<String>,
    /// What the agent remembers in place of what it forgot.
    pub summary: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

/// A tool call. Strings over 16 KiB inside `content`, `raw_input` and `raw_output` are `{"$blob": …}`, see [`crate::blob`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct ToolCall {
    /// The agent's id for it; unique in its turn only.
    pub tool_call_id: String,
    /// What the agent calls it; may be empty.
    pub title: String,
    /// The agent's word for its kind, whatever it is.
    pub kind: Option<String>,
    /// The agent's word for its status, or `stopped`.
    pub status: Option<String>,
    /// Content items as the agent sent them.
    #[schema(value_type = Vec<Object>)]
    pub content: Value,
    /// Places as the agent sent them.
    #[schema(value_type = Vec<Object>)]
    pub locations: Value,
    /// The tool's input, as the agent sent it.
    #[schema(value_type = Option<Object>)]
    pub raw_input: Option<Value>,
    /// The tool's output, as the agent sent it.
    #[schema(value_type = Option<Object>)]
    pub raw_output: Option<Value>,
    /// Whether it was cut off, so that it may have happened or not.
    pub unknown_outcome: bool,
}

impl ToolCall {
    /// Whether it may still change by itself: its agent has not given it a last status and it was not stopped.
    pub fn is_open(&self) -> bool {
        !self.unknown_outcome && !self.status.as_deref().is_some_and(Self::is_last_status)
    }

    /// Whether nothing but a correction can come after this status.
    pub fn is_last_status(status: &str) -> bool {
        matches!(status, "completed" | "failed" | "cancelled" | "stopped")
    }
}

/// A picture or file in a message.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct FilePart {
    /// The attachment that holds it, where one does.
    pub attachment_id: Option<AttachmentId>,
    /// Its path or address, where it is not an attachment.
    pub path: Option<String>,
    /// Its name.
    pub name: String,
    /// Its type, where known.
    pub mime_type: Option<String>,
    /// Its size in bytes, where known.
    pub size: Option<i64>,
}

impl Part {
    /// The text of a text or thought part.
    pub fn streamed(&self) -> Option<&str> {
        match self {
            Self::Text { text } | Self::Thought { text } => Some(text),
            _ => None,
        }
    }
}
