//! Runs: one execution of a prompt each.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AgentId, MessageId, MessageStatus, RunId, TaskId, Timestamp};

/// The number of one start of a run; a later start has a greater one. What arrives under an older fence is dropped.
pub type Fence = i64;

/// One execution of a prompt: it fills one assistant message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// The task it belongs to.
    pub task_id: TaskId,
    /// The agent that was chosen.
    pub agent: AgentId,
    /// How far it is.
    pub state: RunState,
    /// Why a queued run does not start, or one that has started does not go on.
    pub waiting_for: Option<WaitingFor>,
    /// The message it answers.
    pub user_message_id: MessageId,
    /// The message it fills.
    pub assistant_message_id: MessageId,
    /// When it was asked for.
    pub queued_at: Timestamp,
    /// When it was first started.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Its starts, oldest first.
    pub attempts: Vec<Attempt>,
    /// Commands that its agent left running after a cancel.
    pub processes: Vec<LeftProcess>,
}

/// One start of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Attempt {
    /// Its number.
    pub fence: Fence,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// A command that a cancelled run's agent left running.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeftProcess {
    /// Its process id.
    pub pid: i64,
    /// Its command line.
    pub command: String,
    /// When it was started.
    pub started_at: Timestamp,
}

/// How far a run is.
///
/// ```text
/// queued → starting ⇄ running ⇄ waiting → done | error | cancelled | interrupted
///                        └→ background → done | error | cancelled | interrupted
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// Waiting for its turn.
    Queued,
    /// Its agent is being started or its session brought back.
    Starting,
    /// Its prompt is on the wire.
    Running,
    /// Running, with at least one open request.
    Waiting,
    /// Its visible answer is over but its prompt is unanswered.
    Background,
    /// Answered.
    Done,
    /// Failed.
    Error,
    /// Stopped by the user.
    Cancelled,
    /// Cut off after its prompt was on the wire.
    Interrupted,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The agent answered the prompt.
    Done,
    /// It failed, or could not be started.
    Error,
    /// The user stopped it.
    Cancelled,
    /// The daemon or the agent died.
    Interrupted,
}

/// Why a queued run does not start, or one that has started does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitingFor {
    /// Another run of the task goes first.
    Task,
    /// The queue is held until the user goes on.
    Held,
    /// As many runs as allowed are active in the daemon.
    Limit,
    /// Its agent wants the user to log in: it has started, and goes on once that is done.
    Login,
}

/// What can happen to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEvent {
    /// Its turn has come.
    Start,
    /// Its prompt is being written.
    Sent,
    /// Its prompt was refused before anything came of it: it is to be sent once more.
    Refused,
    /// A request was opened.
    Asked,
    /// No request is open any more.
    Answered,
    /// Its visible answer is over.
    Quieted,
    /// Its agent is visibly at work again, or asks, in the background.
    Stirred,
    /// It ended so.
    End(Outcome),
}

/// A step that the state machine does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a run that is {from:?} does not take {event:?}")]
pub struct IllegalStep {
    /// The state it was in.
    pub from: RunState,
    /// What was to happen.
    pub event: RunEvent,
}

impl Run {
    /// Whether it has started and goes on once its agent is logged in to.
    pub fn wants_login(&self) -> bool {
        self.state == RunState::Starting && self.waiting_for == Some(WaitingFor::Login)
    }
}

impl RunState {
    /// Whether nothing more will happen to it.
    pub const fn is_ended(self) -> bool {
        matches!(self, Self::Done | Self::Error | Self::Cancelled | Self::Interrupted)
    }

    /// Whether it blocks its task and counts among the daemon's active runs.
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Starting | Self::Running | Self::Waiting)
    }

    /// The state after `event`.
    ///
    /// # Errors
    /// [`IllegalStep`] where the event cannot happen in this state.
    pub fn after(self, event: RunEvent) -> Result<Self, IllegalStep> {
        use RunEvent::{Answered, Asked, End, Quieted, Refused, Sent, Start, Stirred};
        use RunState::{Background, Queued, Running, Starting, Waiting};
        match (self, event) {
            (Queued, Start) => Ok(Starting),
            (Starting, Sent) => Ok(Running),
            (Running, Refused) => Ok(Starting),
            (Running | Waiting, Asked) => Ok(Waiting),
            (Running | Waiting, Answered) => Ok(Running),
            (Running, Quieted) => Ok(Background),
            (Background, Asked | Answered | Quieted | Stirred) => Ok(Background),
            (Running | Waiting, Stirred) => Ok(self),
            // Before its prompt was sent it cannot be interrupted: it failed.
            (Queued, End(Outcome::Cancelled | Outcome::Error))
            | (Starting, End(Outcome::Cancelled | Outcome::Error)) => Ok(event.ended()),
            (Running | Waiting | Background, End(_)) => Ok(event.ended()),
            (from, event) => Err(IllegalStep { from, event }),
        }
    }
}

impl RunEvent {
    const fn ended(self) -> RunState {
        match self {
            Self::End(Outcome::Done) => RunState::Done,
            Self::End(Outcome::Cancelled) => RunState::Cancelled,
            Self::End(Outcome::Interrupted) => RunState::Interrupted,
            _ => RunState::Error,
        }
    }
}

impl Outcome {
    /// The state of a run that ended so.
    pub const fn run_state(self) -> RunState {
        RunEvent::End(self).ended()
    }

    /// The status of the message that such a run filled.
    pub const fn message_status(self) -> MessageStatus {
        match self {
            Self::Done => MessageStatus::Done,
            Self::Error => MessageStatus::Error,
            Self::Cancelled => MessageStatus::Cancelled,
            Self::Interrupted => MessageStatus::Interrupted,
        }
    }

    /// Whether the task's queue is held after a run that ended so (lifecycle rule 21).
    pub const fn holds_queue(self) -> bool {
        !matches!(self, Self::Done)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_event() -> impl Strategy<Value = RunEvent> {
        prop_oneof![
            Just(RunEvent::Start),
            Just(RunEvent::Sent),
            Just(RunEvent::Refused),
            Just(RunEvent::Asked),
            Just(RunEvent::Answered),
            Just(RunEvent::Quieted),
            Just(RunEvent::Stirred),
            Just(RunEvent::End(Outcome::Done)),
            Just(RunEvent::End(Outcome::Error)),
            Just(RunEvent::End(Outcome::Cancelled)),
            Just(RunEvent::End(Outcome::Interrupted)),
        ]
    }

    proptest! {
        #[test]
        fn an_ended_run_stays_ended_and_only_a_sent_one_is_interrupted_or_done(events in prop::collection::vec(any_event(), 0..40)) {
            let (mut state, mut sent) = (RunState::Queued, false);
            for event in events {
                match state.after(event) {
                    Ok(next) => {
                        prop_assert!(!state.is_ended(), "{state:?} took {event:?}");
                        sent |= event == RunEvent::Sent;
                        if matches!(next, RunState::Interrupted | RunState::Done) {
                            prop_assert!(sent);
                        }
                        state = next;
                    }
                    Err(step) => prop_assert_eq!(step.from, state),
                }
            }
        }

        #[test]
        fn a_background_run_never_becomes_active_again(events in prop::collection::vec(any_event(), 0..20)) {
            let mut state = RunState::Background;
            for event in events {
                if let Ok(next) = state.after(event) {
                    state = next;
                }
                prop_assert!(!state.is_active());
            }
        }
    }
}
