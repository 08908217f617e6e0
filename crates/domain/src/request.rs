//! Requests: questions an agent asks the user.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{AgentId, RequestId, RunId, TaskId, Timestamp};

/// A question an agent asks the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Request {
    /// Its id.
    pub id: RequestId,
    /// The task it is asked in.
    pub task_id: TaskId,
    /// The run it is asked in, if any.
    pub run_id: Option<RunId>,
    /// Who asks.
    pub agent: AgentId,
    /// What kind of question it is.
    pub kind: RequestKind,
    /// The agent's params, verbatim.
    #[schema(value_type = Object)]
    pub payload: Value,
    /// Whether it can be answered.
    pub state: RequestState,
    /// How it was answered.
    pub answer: Option<Answer>,
    /// When it was asked.
    pub created_at: Timestamp,
    /// For a page to open: when the agent said that what was to be done there is done.
    pub completed_at: Option<Timestamp>,
}

/// What kind of question a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// May it do this?
    Permission,
    /// A form or an address to visit.
    Elicitation,
}

/// Whether a request can be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequestState {
    /// It waits for the user.
    Open,
    /// The first answer won.
    Answered,
    /// Nobody waits for an answer any more.
    Void,
}

/// How a request was answered. What a form was filled with is not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Answer {
    /// An elicitation.
    Action {
        /// `accept`, `decline` or `cancel`.
        action: Action,
    },
    /// A permission.
    Option {
        /// The option chosen; null: cancelled.
        option_id: Option<String>,
    },
}

/// What was done with an elicitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Filled in and sent.
    Accept,
    /// Refused.
    Decline,
    /// Dismissed.
    Cancel,
}

impl RequestKind {
    /// The answer that a cancelled run gives (lifecycle rule 16).
    pub const fn cancelled(self) -> Answer {
        match self {
            Self::Permission => Answer::Option { option_id: None },
            Self::Elicitation => Answer::Action { action: Action::Cancel },
        }
    }
}

/// The ids of the options that a permission request offers, in order.
pub fn option_ids(payload: &Value) -> Vec<&str> {
    let options = payload.get("options").and_then(Value::as_array);
    options.into_iter().flatten().filter_map(|option| option.get("optionId")?.as_str()).collect()
}
