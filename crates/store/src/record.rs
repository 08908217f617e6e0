//! Facts: what the supervisor tells, committed in order through one bounded queue.
//!
//! Text waits for a tick of 33 ms; the first after a quiet, and all that is not text, is written at once together with
//! what waits. While the store cannot write, the queue fills and those who tell wait: nothing is lost (lifecycle rule 31).

mod batch;
mod write;

use std::sync::atomic::Ordering;

use drover_domain::run::{Fence, LeftProcess, RunEvent};
use drover_domain::{
    Agent, AgentId, HandedOver, MessageHead, MessageId, Outcome, Part, Request, RequestId, RunId, TaskId, Timestamp,
    WaitingFor,
};
use tokio::sync::oneshot;

pub(crate) use batch::write_facts;

use crate::link::LinkPatch;
use crate::option::RememberedOption;
use crate::{Store, StoreError};

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Fact {
    /// A queued run's turn has come: it gets a fence, its messages their places. Replies [`Reply::Started`].
    Start {
        /// Which.
        run_id: RunId,
    },
    /// A run's prompt is about to be written: from here on it may have reached the agent.
    Sending {
        /// The content blocks as JSON.
        blocks: String,
        /// What of them the agent had missed.
        handoff: Option<HandedOver>,
    },
    /// A run's prompt is on the wire: the cursor moves to its user message.
    OnWire,
    /// A part began; `grows`: text will be appended to it.
    PartOpened {
        /// The message.
        message_id: MessageId,
        /// The part's place.
        index: i64,
        /// The part so far.
        part: Part,
        /// Whether text will be appended.
        grows: bool,
    },
    /// Text was added at the end of a part that grows.
    TextAppended {
        /// The message.
        message_id: MessageId,
        /// The part's place.
        index: i64,
        /// What is added.
        text: String,
    },
    /// A part will not grow any more.
    PartClosed {
        /// The message.
        message_id: MessageId,
        /// The part's place.
        index: i64,
    },
    /// A part has another value.
    PartReplaced {
        /// The message.
        message_id: MessageId,
        /// The part's place.
        index: i64,
        /// The value.
        part: Part,
    },
    /// A message that no user asked for was begun, at the end of the chat. Its ordinal is given by the store.
    MessageOpened(Box<MessageHead>),
    /// Such a message ended.
    MessageSettled {
        /// Which.
        message_id: MessageId,
    },
    /// Content came after the prompt had been answered.
    MessageLate {
        /// Which.
        message_id: MessageId,
    },
    /// A run took a step that needs nothing else.
    Stepped {
        /// Which.
        event: RunEvent,
    },
    /// A run ended.
    Ended(End),
    /// Why a run does not start or go on; `None`: it does now.
    Waits {
        /// Which.
        run_id: RunId,
        /// Why.
        reason: Option<WaitingFor>,
    },
    /// The agent wants a login before it does anything for the run. A prompt that it refused is as good as not sent.
    WantsLogin,
    /// An agent asks the user.
    Asked(Box<Request>),
    /// A question was withdrawn, or its agent is gone.
    Withdrawn {
        /// Which.
        request_id: RequestId,
    },
    /// What was to be done on a page that an agent asked to open is done.
    PageDone {
        /// Which agent.
        agent: AgentId,
        /// Its name for the question.
        elicitation_id: String,
    },
    /// A link changed.
    Link {
        /// Which.
        agent: AgentId,
        /// How.
        patch: Box<LinkPatch>,
    },
    /// An agent accepted a value.
    OptionAccepted {
        /// Which agent.
        agent: AgentId,
        /// What it accepted.
        option: RememberedOption,
    },
    /// A link starts for the first time, with these values.
    StartsWith {
        /// Which agent.
        agent: AgentId,
        /// What will be set.
        options: Vec<RememberedOption>,
    },
    /// What an agent offers to a new session; `None` keeps.
    Offered {
        /// Which agent.
        agent: AgentId,
        /// Its options, as a session that has seen nothing has them.
        options: Option<serde_json::Value>,
        /// Its commands.
        commands: Option<serde_json::Value>,
    },
    /// The agent has a title for the task.
    Titled {
        /// The title.
        title: String,
    },
    /// A run's agent left commands running, or they ended.
    Processes {
        /// The run.
        run_id: RunId,
        /// Those that run.
        processes: Vec<LeftProcess>,
    },
    /// An agent of the catalogue changed. Only told, not kept.
    AgentChanged(Box<Agent>),
    /// Nothing; its reply tells that all before it is written.
    Flush,
}

/// How a run ended.
#[derive(Debug, Clone)]
pub struct End {
    /// How.
    pub outcome: Outcome,
    /// The agent's own word for it.
    pub stop_reason: Option<String>,
    /// What the agent reported of tokens and cost, as JSON.
    pub usage: Option<String>,
    /// Whether the session is the one that gave the answer: then the cursor moves past the reply.
    pub seen: bool,
}

/// Facts of one task, written together or not at all.
#[derive(Debug)]
pub struct Record {
    /// The task.
    pub task_id: TaskId,
    /// When they happened.
    pub now: Timestamp,
    /// The attempt they belong to; under an old fence they are dropped.
    pub under: Option<(RunId, Fence)>,
    /// What happened, in order.
    pub facts: Vec<Fact>,
    /// Told once it is on the disk, or refused.
    pub reply: Option<oneshot::Sender<Result<Reply, Refused>>>,
}

/// What a record led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// It is written.
    Written,
    /// A run was started.
    Started(Started),
}

/// A run that was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Started {
    /// Its fence.
    pub fence: Fence,
    /// The place of its user message; its answer has the next.
    pub ordinal: i64,
}

/// Why facts were not written.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// They came under an old fence, or for a message that left the chat, a task that is gone, a run that is not in that state.
    #[error("it is of an attempt, a message or a task of before")]
    Fenced,
    /// The store failed in a way that does not pass.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Hands facts to the writer; waits only while its queue is full.
    ///
    /// # Errors
    /// [`StoreError::Closed`] where the store was closed.
    pub async fn record(&self, record: Record) -> Result<(), StoreError> {
        if self.inner.closed.load(Ordering::Acquire) {
            return Err(StoreError::Closed);
        }
        self.inner.facts.send(record).await.map_err(|_| StoreError::Closed)
    }

    /// Tells of an agent of the catalogue as it is now; in its order among the facts.
    ///
    /// # Errors
    /// [`StoreError::Closed`] where the store was closed.
    pub async fn agent_changed(&self, agent: Agent, now: Timestamp) -> Result<(), StoreError> {
        let task_id = TaskId::from_ulid(ulid::Ulid::nil());
        let facts = vec![Fact::AgentChanged(Box::new(agent))];
        self.record(Record { task_id, now, under: None, facts, reply: None }).await
    }

    /// Hands facts to the writer and waits until they are written.
    ///
    /// # Errors
    /// See [`Refused`].
    pub async fn record_and_wait(&self, mut record: Record) -> Result<Reply, Refused> {
        let (reply, written) = oneshot::channel();
        record.reply = Some(reply);
        self.record(record).await?;
        written.await.map_err(|_| StoreError::Closed)?
    }

    /// Waits until all facts told so far are written.
    pub(crate) async fn flush(&self) -> Result<(), StoreError> {
        let task_id = TaskId::from_ulid(ulid::Ulid::nil());
        let record =
            Record { task_id, now: Timestamp::from_millis(0), under: None, facts: vec![Fact::Flush], reply: None };
        match self.record_and_wait(record).await {
            Ok(_) | Err(Refused::Fenced) => Ok(()),
            Err(Refused::Store(error)) => Err(error),
        }
    }
}
