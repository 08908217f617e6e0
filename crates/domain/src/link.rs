//! Links: what the daemon keeps for a task and an agent.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{AgentId, TaskId, Timestamp};

/// What the daemon keeps for a (task, agent) pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Link {
    /// The task.
    pub task_id: TaskId,
    /// The agent.
    pub agent: AgentId,
    /// Whether the agent is there.
    pub state: LinkState,
    /// A sentence about the state, such as why it failed.
    pub detail: Option<String>,
    /// The session's options, as the agent sent them; empty until it did.
    #[schema(value_type = Vec<Object>)]
    pub options: Value,
    /// The agent's commands, as it sent them.
    #[schema(value_type = Vec<Object>)]
    pub commands: Value,
    /// The last usage the agent reported, as it came.
    #[schema(value_type = Option<Object>)]
    pub usage: Option<Value>,
    /// Whether there is a session that can be brought back.
    pub has_session: bool,
    /// The cursor: the ordinal of the last message that the agent's session has seen; 0 where it has seen none.
    pub seen_ordinal: i64,
    /// Remembered option values that could not be set again, with the reason.
    pub skipped_options: Vec<SkippedOption>,
    /// Since when the agent has given no sign, where it works on a prompt and that is longer than a minute.
    pub silent_since: Option<Timestamp>,
}

/// Whether an agent is there for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    /// No process.
    Off,
    /// Its process is being started or its session brought back.
    Starting,
    /// It waits for a prompt.
    Ready,
    /// It works on one.
    Busy,
    /// Its process was ended after a long quiet; the next message brings its session back.
    Parked,
    /// It wants the user to log in.
    NeedsLogin,
    /// It could not be started, or died.
    Failed,
}

/// A remembered option value that could not be set again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SkippedOption {
    /// The option.
    pub option_id: String,
    /// The value that was remembered.
    #[schema(value_type = Object)]
    pub value: Value,
    /// Why it was not set.
    pub reason: String,
}
