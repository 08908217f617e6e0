//! Intents: what was asked for and is to be acted on.

use drover_domain::{AgentId, RequestId, RunId, TaskId};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::{Store, StoreError};

/// What the supervisor is to do in a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Intent {
    /// The queue changed: start what can be started.
    Start,
    /// Stop a run that is active or in the background.
    Cancel {
        /// Which.
        run_id: RunId,
    },
    /// Ask the agent once more for a run that waits for a login: that was done elsewhere.
    GoOn {
        /// Which run.
        run_id: RunId,
    },
    /// Give the agent the answer that is stored with the request.
    Answer {
        /// Which.
        request_id: RequestId,
        /// Under what the supervisor holds what goes with it in memory.
        held: Option<Ulid>,
    },
    /// End what a cancelled run's agent left running.
    EndProcesses {
        /// Which run.
        run_id: RunId,
    },
    /// Start the agent before there is a prompt for it.
    Connect {
        /// Which.
        agent: AgentId,
    },
    /// End the agent's process.
    Disconnect {
        /// Which.
        agent: AgentId,
    },
    /// What the agent's session has seen left the chat: give it a new one.
    Renew {
        /// Which.
        agent: AgentId,
    },
    /// The task is gone: end all that belongs to it.
    Deleted,
}

/// An intent with its place in the order of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentRow {
    /// Its number; only grows.
    pub seq: i64,
    /// The task.
    pub task_id: TaskId,
    /// What to do.
    pub intent: Intent,
}

impl Store {
    /// The intents after `cursor`, in order, at most 256.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn intents_after(&self, cursor: i64) -> Result<Vec<IntentRow>, StoreError> {
        let rows = sqlx::query!(
            r#"select seq as "seq!", task_id, intent from intents where seq > ? order by seq limit 256"#,
            cursor
        )
        .fetch_all(&self.inner.readers)
        .await?;
        rows.into_iter()
            .map(|row| {
                Ok(IntentRow {
                    seq: row.seq,
                    task_id: row.task_id.parse()?,
                    intent: serde_json::from_str(&row.intent)?,
                })
            })
            .collect()
    }

    /// The intents of one task after `cursor`, in order, at most 256.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn task_intents_after(&self, task: TaskId, cursor: i64) -> Result<Vec<IntentRow>, StoreError> {
        let id = task.to_string();
        let rows = sqlx::query!(
            r#"select seq as "seq!", intent from intents where seq > ? and task_id = ? order by seq limit 256"#,
            cursor,
            id
        )
        .fetch_all(&self.inner.readers)
        .await?;
        let row = |seq, intent: String| Ok(IntentRow { seq, task_id: task, intent: serde_json::from_str(&intent)? });
        rows.into_iter().map(|found| row(found.seq, found.intent)).collect()
    }
}
