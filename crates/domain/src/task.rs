//! Tasks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ProjectId, TaskId, Timestamp};

/// A bounded piece of work with exactly one chat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// The project it belongs to, if any.
    pub project_id: Option<ProjectId>,
    /// One line of text; empty until the first message gives it one.
    pub title: String,
    /// Who gave the title.
    pub title_source: TitleSource,
    /// The directory its agents work in: absolute, never changed after its first run.
    pub cwd: String,
    /// What is going on in it.
    pub state: TaskState,
    /// Whether its queued messages wait until the user says so or sends again.
    pub queue_held: bool,
    /// Whether it was put away.
    pub archived: bool,
    /// Whether it is kept at the top.
    pub pinned: bool,
    /// Whether something ended or was asked since the user last looked.
    pub unread: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// When its newest message was made; lists are ordered by this.
    pub last_message_at: Option<Timestamp>,
}

/// Who gave a title; a later one in this list wins over an earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TitleSource {
    /// The first line of the first prompt.
    Prompt,
    /// The agent.
    Agent,
    /// The user.
    User,
}

/// What is going on in a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Nothing; its last run ended well, was cancelled, or there was none.
    Idle,
    /// Nothing runs and at least one message is queued.
    Queued,
    /// A run is starting or running.
    Running,
    /// An agent waits for an answer of the user.
    Waiting,
    /// Only runs whose visible answer is over are left.
    Background,
    /// Its last run failed.
    Error,
    /// Its last run was cut off.
    Interrupted,
}

/// What a task's state follows from: facts of its runs and its newest message.
#[derive(Debug, Clone, Copy, Default)]
pub struct TaskFacts {
    /// A run is waiting for the user.
    pub waiting: bool,
    /// A run is starting or running.
    pub running: bool,
    /// A run is in the background.
    pub background: bool,
    /// A run is queued.
    pub queued: bool,
    /// How the newest started run ended, where none is going on.
    pub last: Option<crate::RunState>,
}

impl TaskState {
    /// The state that follows from `facts`.
    pub fn of(facts: TaskFacts) -> Self {
        match facts {
            TaskFacts { waiting: true, .. } => Self::Waiting,
            TaskFacts { running: true, .. } => Self::Running,
            TaskFacts { background: true, .. } => Self::Background,
            TaskFacts { last: Some(crate::RunState::Error), .. } => Self::Error,
            TaskFacts { last: Some(crate::RunState::Interrupted), .. } => Self::Interrupted,
            TaskFacts { queued: true, .. } => Self::Queued,
            _ => Self::Idle,
        }
    }
}

/// The longest title kept, in characters.
pub const TITLE_CHARS: usize = 120;

/// A title from any text: its first line with something on it, without control characters, cut to [`TITLE_CHARS`].
/// `None` where nothing is left, which never clears a title.
pub fn title_of(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let clean: String = line.chars().filter(|c| !c.is_control()).collect();
    let mut title: String = clean.chars().take(TITLE_CHARS).collect();
    if clean.chars().count() > TITLE_CHARS {
        title.pop();
        title.push('…');
    }
    (!title.trim().is_empty()).then(|| title.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_one_clean_line() {
        assert_eq!(title_of("\n  fix\tthe parser  \nand more").as_deref(), Some("fixthe parser"));
        assert_eq!(title_of(" \n\t\n"), None);
        let long = title_of(&"ü".repeat(500)).unwrap();
        assert_eq!(long.chars().count(), TITLE_CHARS);
        assert!(long.ends_with('…'));
    }

    #[test]
    fn a_failed_run_is_told_even_while_others_are_queued() {
        let facts = TaskFacts { queued: true, last: Some(crate::RunState::Error), ..TaskFacts::default() };
        assert_eq!(TaskState::of(facts), TaskState::Error);
    }
}
