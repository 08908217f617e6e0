//! Facts: what the supervisor tells, committed in order through one bounded queue.
//!
//! Text waits for a tick of 33 ms; the first after a quiet, and all that is not text, is written at once together with
//! what waits. While the store cannot write, the queue fills and those who tell wait: nothing is lost (lifecycle rule 31).

use std::sync::Weak;
use std::time::Duration;

use drover_domain::run::{Fence, LeftProcess, RunEvent};
use drover_domain::{
    Agent, AgentId, Event, MessageHead, MessageId, Outcome, Part, Request, RequestId, RequestState, RunId, TaskId,
    Timestamp, TitleSource, WaitingFor,
};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::link::{self, LinkPatch, RememberedOption};
use crate::open::Inner;
use crate::run::{self, Finish};
use crate::task::{self, Changed};
use crate::text::OpenTexts;
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, blob, message, part, queue, request, rows};

/// One tick for the text of the whole daemon.
const TICK: Duration = Duration::from_millis(33);
/// After this long without text the next goes out at once.
const QUIET: Duration = Duration::from_millis(100);
/// At most this many records in a transaction.
const BATCH: usize = 512;

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
    /// Why a queued run does not start.
    Waits {
        /// Which.
        run_id: RunId,
        /// Why.
        reason: WaitingFor,
    },
    /// An agent asks the user.
    Asked(Box<Request>),
    /// A question was withdrawn, or its agent is gone.
    Withdrawn {
        /// Which.
        request_id: RequestId,
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

impl Record {
    fn is_text(&self) -> bool {
        self.reply.is_none() && self.facts.iter().all(|fact| matches!(fact, Fact::TextAppended { .. }))
    }
}

impl Store {
    /// Hands facts to the writer; waits only while its queue is full.
    ///
    /// # Errors
    /// [`StoreError::Closed`] where the writer is gone.
    pub async fn record(&self, record: Record) -> Result<(), StoreError> {
        self.inner.facts.send(record).await.map_err(|_| StoreError::Closed)
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

/// Commits facts until every handle on the store is gone.
pub(crate) async fn write_facts(inner: Weak<Inner>, mut queue: mpsc::Receiver<Record>) {
    let mut last_text = Instant::now() - QUIET;
    while let Some(first) = queue.recv().await {
        let batch = gather(&mut queue, first, last_text).await;
        let text = batch.iter().any(|record| record.facts.iter().any(|fact| matches!(fact, Fact::TextAppended { .. })));
        let Some(inner) = inner.upgrade() else { return };
        write(&Store { inner }, batch).await;
        if text {
            last_text = Instant::now();
        }
    }
}

/// What goes into the next transaction: all that waits, and while it is only text, all that comes until the tick.
async fn gather(queue: &mut mpsc::Receiver<Record>, first: Record, last_text: Instant) -> Vec<Record> {
    let mut only_text = first.is_text();
    let mut batch = vec![first];
    let tick = if last_text.elapsed() >= QUIET { Instant::now() } else { last_text + TICK };
    while batch.len() < BATCH {
        let next = match queue.try_recv() {
            Ok(record) => Some(record),
            Err(_) if only_text => tokio::time::timeout_at(tick, queue.recv()).await.ok().flatten(),
            Err(_) => None,
        };
        let Some(record) = next else { break };
        only_text &= record.is_text();
        batch.push(record);
    }
    batch
}

/// Writes a batch, again and again while the store cannot write.
async fn write(store: &Store, batch: Vec<Record>) {
    let mut pause = Duration::from_millis(100);
    loop {
        match attempt(store, &batch).await {
            Ok(replies) => {
                for (record, result) in batch.into_iter().zip(replies) {
                    if let Some(reply) = record.reply {
                        let _ = reply.send(result);
                    }
                }
                return;
            }
            Err(error) if error.is_passing() => {
                tracing::warn!(%error, "what happened cannot be written now; trying again");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(2));
            }
            Err(error) if batch.len() > 1 => {
                tracing::error!(%error, "a fact cannot be written; writing those around it one by one");
                for record in batch {
                    Box::pin(write(store, vec![record])).await;
                }
                return;
            }
            Err(error) => {
                tracing::error!(%error, facts = ?batch.first().map(|record| &record.facts), "a fact cannot be written and is left out");
                for record in batch {
                    if let Some(reply) = record.reply {
                        let _ = reply.send(Err(Refused::Store(StoreError::Closed)));
                    }
                }
                return;
            }
        }
    }
}

/// One transaction for a batch; on failure all is as before.
async fn attempt(store: &Store, batch: &[Record]) -> Result<Vec<Result<Reply, Refused>>, StoreError> {
    let mut texts = store.inner.texts.lock().await;
    let before = texts.save();
    let result = transact(store, &mut texts, batch).await;
    if result.is_err() {
        *texts = before;
    }
    result
}

async fn transact(
    store: &Store,
    texts: &mut OpenTexts,
    batch: &[Record],
) -> Result<Vec<Result<Reply, Refused>>, StoreError> {
    let now = batch.iter().map(|record| record.now).max().unwrap_or(Timestamp::from_millis(0));
    let mut tx = store.begin(Durability::Normal, now).await?;
    let mut writing = Writing { tx: &mut tx, texts, waiting: Vec::new() };
    let mut replies = Vec::with_capacity(batch.len());
    for record in batch {
        replies.push(writing.record(record).await?);
    }
    writing.flush().await?;
    tx.commit().await?;
    Ok(replies)
}

/// The text of one message and part that waits to be written as one append.
struct Waiting {
    task_id: TaskId,
    at: (MessageId, i64),
    text: String,
}

struct Writing<'a, 'b> {
    tx: &'a mut Tx<'b>,
    texts: &'a mut OpenTexts,
    waiting: Vec<Waiting>,
}

impl Writing<'_, '_> {
    async fn record(&mut self, record: &Record) -> Result<Result<Reply, Refused>, StoreError> {
        if !record.is_text() {
            self.flush().await?;
        }
        if record.now.as_millis() > 0 {
            self.tx.now = record.now;
        }
        if !self.holds(record).await? {
            return Ok(Err(Refused::Fenced));
        }
        let mut reply = Reply::Written;
        for fact in &record.facts {
            match self.fact(record, fact).await? {
                Some(Reply::Written) => {}
                Some(other) => reply = other,
                None => return Ok(Err(Refused::Fenced)),
            }
        }
        Ok(Ok(reply))
    }

    /// Whether the attempt that the facts belong to is the newest of its run.
    async fn holds(&mut self, record: &Record) -> Result<bool, StoreError> {
        let Some((run, fence)) = record.under else { return Ok(true) };
        let run = run.to_string();
        let newest =
            sqlx::query_scalar!("select fence from runs where id = ?", run).fetch_optional(self.tx.conn()).await?;
        Ok(newest.flatten() == Some(fence))
    }

    async fn flush(&mut self) -> Result<(), StoreError> {
        for waiting in std::mem::take(&mut self.waiting) {
            self.texts.append(self.tx, waiting.task_id, waiting.at, waiting.text).await?;
        }
        Ok(())
    }

    /// Writes one fact. `None`: what it is about is not there any more.
    async fn fact(&mut self, record: &Record, fact: &Fact) -> Result<Option<Reply>, StoreError> {
        let task = record.task_id;
        let written = match fact {
            Fact::TextAppended { message_id, index, text } => self.append(task, (*message_id, *index), text).await?,
            Fact::PartOpened { message_id, index, part, grows } => {
                self.open_part(task, (*message_id, *index), part, *grows).await?
            }
            Fact::PartReplaced { message_id, index, part } => {
                self.open_part(task, (*message_id, *index), part, false).await?
            }
            Fact::PartClosed { message_id, index } => {
                self.texts.close(self.tx, *message_id, *index).await?;
                true
            }
            Fact::MessageOpened(head) => open_message(self.tx, head).await?,
            Fact::MessageSettled { message_id } => {
                self.texts.close_all(self.tx, *message_id).await?;
                settle_message(self.tx, *message_id).await?
            }
            Fact::MessageLate { message_id } => mark_late(self.tx, *message_id).await?,
            Fact::Start { run_id } => return Ok(start(self.tx, *run_id).await?.map(Reply::Started)),
            Fact::Sending { blocks } => sending(self.tx, record, blocks).await?,
            Fact::OnWire => on_wire(self.tx, record).await?,
            Fact::Stepped { event } => stepped(self.tx, record, *event).await?,
            Fact::Ended(end) => self.end(record, end).await?,
            Fact::Waits { run_id, reason } => waits(self.tx, *run_id, *reason).await?,
            Fact::Asked(request) => {
                request::open(self.tx, request).await?;
                true
            }
            Fact::Withdrawn { request_id } => withdraw(self.tx, *request_id).await?,
            Fact::Link { agent, patch } => {
                let known = task::find(self.tx.conn(), task).await?.is_some();
                if known {
                    link::patch(self.tx, task, agent, (**patch).clone()).await?;
                }
                known
            }
            Fact::OptionAccepted { agent, option } => {
                link::remember_option(self.tx, task, agent, option).await?;
                true
            }
            Fact::Titled { title } => {
                if task::retitle(self.tx, task, title, TitleSource::Agent).await? {
                    task::tell(self.tx, task).await?;
                }
                true
            }
            Fact::Processes { run_id, processes } => {
                let (id, list) = (run_id.to_string(), serde_json::to_string(processes)?);
                sqlx::query!("update runs set processes = ? where id = ?", list, id).execute(self.tx.conn()).await?;
                run::tell(self.tx, *run_id).await?;
                true
            }
            Fact::AgentChanged(agent) => {
                self.tx.emit(&Event::AgentUpsert((**agent).clone())).await?;
                true
            }
            Fact::Flush => true,
        };
        Ok(written.then_some(Reply::Written))
    }

    /// Text waits for the end of the batch, so that a message that grew has one append a tick.
    /// Text for a part that was closed opens it again: content may come after the prompt was answered.
    async fn append(&mut self, task_id: TaskId, at: (MessageId, i64), text: &str) -> Result<bool, StoreError> {
        if !self.texts.is_open(at.0, at.1) && !self.texts.reopen(self.tx, at).await? {
            return Ok(false);
        }
        match self.waiting.iter_mut().find(|waiting| waiting.at == at) {
            Some(waiting) => waiting.text.push_str(text),
            None => self.waiting.push(Waiting { task_id, at, text: text.to_owned() }),
        }
        Ok(true)
    }

    async fn open_part(
        &mut self,
        task: TaskId,
        at: (MessageId, i64),
        part: &Part,
        grows: bool,
    ) -> Result<bool, StoreError> {
        if message::find(self.tx.conn(), at.0).await?.is_none() {
            return Ok(false);
        }
        let (part_id, seq) = part::put(self.tx, task, at, part.clone(), grows).await?;
        if let Some(text) = part.streamed().filter(|_| grows) {
            self.texts.begin(at.0, at.1, part_id, text, seq);
        }
        Ok(true)
    }

    async fn end(&mut self, record: &Record, end: &End) -> Result<bool, StoreError> {
        let Some((run_id, _)) = record.under else { return Ok(false) };
        let Some(found) = run::find(self.tx.conn(), run_id).await? else { return Ok(false) };
        self.texts.close_all(self.tx, found.assistant_message_id).await?;
        let finish =
            Finish { outcome: end.outcome, stop_reason: end.stop_reason.as_deref(), usage: end.usage.as_deref() };
        if !run::finish(self.tx, run_id, finish).await? {
            return Ok(false);
        }
        if end.seen
            && let Some(answer) = message::find(self.tx.conn(), found.assistant_message_id).await?
        {
            see(self.tx, record.task_id, &found.agent, answer.ordinal).await?;
        }
        Ok(true)
    }
}

/// Moves a cursor forward.
async fn see(tx: &mut Tx<'_>, task: TaskId, agent: &AgentId, ordinal: i64) -> Result<(), StoreError> {
    let seen = link::find(tx.conn(), task, agent).await?.link.seen_ordinal;
    let patch = LinkPatch { seen_ordinal: Some(ordinal.max(seen)), ..LinkPatch::default() };
    link::patch(tx, task, agent, patch).await?;
    Ok(())
}

async fn start(tx: &mut Tx<'_>, run_id: RunId) -> Result<Option<Started>, StoreError> {
    let Some(found) = run::find(tx.conn(), run_id).await? else { return Ok(None) };
    if run::step(tx, run_id, RunEvent::Start).await?.is_none() {
        return Ok(None);
    }
    let (id, task, now) = (run_id.to_string(), found.task_id.to_string(), tx.now.as_millis());
    let fence = sqlx::query_scalar!(
        r#"update tasks set fence = fence + 1 where id = ? returning fence as "fence!: i64""#,
        task
    )
    .fetch_one(tx.conn())
    .await?;
    sqlx::query!(
        "update runs set fence = ?1, started_at = coalesce(started_at, ?2), sent = 0 where id = ?3",
        fence,
        now,
        id
    )
    .execute(tx.conn())
    .await?;
    sqlx::query!("insert into attempts (run_id, fence, started_at) values (?, ?, ?)", id, fence, now)
        .execute(tx.conn())
        .await?;
    run::take_place(tx, &found).await?;
    run::settle_user_message(tx, found.user_message_id).await?;
    let assistant = found.assistant_message_id.to_string();
    sqlx::query!("update messages set status = 'streaming' where id = ?", assistant).execute(tx.conn()).await?;
    message::tell(tx, found.assistant_message_id).await?;
    queue::renumber(tx, found.task_id).await?;
    run::tell(tx, run_id).await?;
    task::refresh(tx, found.task_id, Changed::default()).await?;
    let user = message::find(tx.conn(), found.user_message_id).await?;
    Ok(user.map(|user| Started { fence, ordinal: user.ordinal }))
}

async fn sending(tx: &mut Tx<'_>, record: &Record, blocks: &str) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    let (id, blocks) = (run_id.to_string(), blob::deflate(blocks.as_bytes())?);
    let update = sqlx::query!("update runs set sent = 1 where id = ? and state = 'starting'", id);
    if update.execute(tx.conn()).await?.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "insert into prompts (run_id, blocks) values (?, ?) on conflict (run_id) do update set blocks = excluded.blocks",
        id,
        blocks
    )
    .execute(tx.conn())
    .await?;
    Ok(true)
}

async fn on_wire(tx: &mut Tx<'_>, record: &Record) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    let Some(found) = run::find(tx.conn(), run_id).await? else { return Ok(false) };
    if !stepped(tx, record, RunEvent::Sent).await? {
        return Ok(false);
    }
    let id = run_id.to_string();
    sqlx::query!("update runs set sent = 2 where id = ?", id).execute(tx.conn()).await?;
    if let Some(user) = message::find(tx.conn(), found.user_message_id).await? {
        see(tx, record.task_id, &found.agent, user.ordinal).await?;
    }
    Ok(true)
}

async fn stepped(tx: &mut Tx<'_>, record: &Record, event: RunEvent) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    if run::step(tx, run_id, event).await?.is_none() {
        return Ok(false);
    }
    run::tell(tx, run_id).await?;
    task::refresh(tx, record.task_id, Changed { unread: event == RunEvent::Quieted, ..Changed::default() }).await?;
    Ok(true)
}

async fn waits(tx: &mut Tx<'_>, run_id: RunId, reason: WaitingFor) -> Result<bool, StoreError> {
    let (id, word) = (run_id.to_string(), rows::word(&reason)?);
    let update = sqlx::query!(
        "update runs set waiting_for = ?1 where id = ?2 and state = 'queued' and waiting_for is not ?1",
        word,
        id
    );
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        run::tell(tx, run_id).await?;
    }
    Ok(true)
}

async fn withdraw(tx: &mut Tx<'_>, id: RequestId) -> Result<bool, StoreError> {
    match request::find(tx.conn(), id).await? {
        Some(request) if request.state == RequestState::Open => {
            request::close(tx, request, RequestState::Void, None).await?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

async fn open_message(tx: &mut Tx<'_>, head: &MessageHead) -> Result<bool, StoreError> {
    if task::find(tx.conn(), head.task_id).await?.is_none() {
        return Ok(false);
    }
    let ordinal = message::last_settled(tx.conn(), head.task_id).await? + 1;
    message::insert(tx, &MessageHead { ordinal, ..head.clone() }).await?;
    queue::renumber(tx, head.task_id).await?;
    task::refresh(tx, head.task_id, Changed { unread: true, message: true, held: None }).await?;
    Ok(true)
}

async fn settle_message(tx: &mut Tx<'_>, id: MessageId) -> Result<bool, StoreError> {
    let text = id.to_string();
    let update = sqlx::query!("update messages set status = 'done' where id = ? and status = 'streaming'", text);
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        message::tell(tx, id).await?;
    }
    Ok(true)
}

async fn mark_late(tx: &mut Tx<'_>, id: MessageId) -> Result<bool, StoreError> {
    let text = id.to_string();
    let update = sqlx::query!("update messages set late = 1 where id = ? and late = 0", text);
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        message::tell(tx, id).await?;
    }
    Ok(true)
}
