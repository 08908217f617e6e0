//! A task's actor: its runs, its queue, its links. It never waits for a turn nor for a commit, so a cancel always gets through.

mod ask;
mod intents;
mod left;
mod locked;
mod lost;
mod outdate;
mod outside;
mod run_start;
mod silence;
mod trouble;
mod turn;
mod update;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use drover_acp::{Family, Left, Moment};
use drover_domain::run::Fence;
use drover_domain::transcript::{Change, Transcript};
use drover_domain::{AgentId, LinkState, MessageId, Part, ProjectId, RequestId, RunId, TaskId};
use drover_store::{Fact, LinkPatch, Record, Refused, Reply, Started, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;
use ulid::Ulid;

use self::ask::Asked;
use crate::context::Context;
use crate::link::{Able, FromLink, LinkHandle, Stop};
use crate::pacer::Pacer;
use crate::prompt::Built;
use crate::slots::Slot;
use crate::supervisor::SetOptionError;
use crate::terminal::Terminals;
use locked::Lock;
use trouble::{Quirks, Trouble};

/// Events of links that may wait: an agent that talks faster than the disk takes is read more slowly.
/// Few, because each may be megabytes.
const EVENTS: usize = 64;
/// Letters that may wait: they come from people and from this actor's own errands.
const MAIL: usize = 256;
/// After so much quiet an answer that is visibly over goes to the background.
const QUIET: Duration = Duration::from_secs(3);
/// How long an agent may take to end a cancelled turn before it is killed (lifecycle rule 16).
const GRACE: Duration = Duration::from_secs(10);
/// An actor with nothing to do for so long ends; the next intent starts another.
const IDLE: Duration = Duration::from_secs(30);
/// How long to wait before something that failed is tried again.
const AGAIN: Duration = Duration::from_millis(250);
/// How many messages of a session are remembered for what still comes for them.
const PAST: usize = 8;

/// What an actor is told beside its intents.
pub(crate) enum Mail {
    /// Set an option and say how it went.
    SetOption { agent: AgentId, option_id: String, value: Value, reply: oneshot::Sender<Result<(), SetOptionError>> },
    /// Look again whether something can start.
    Poke,
    /// This agent was logged in or out: its process is ended as soon as it has nothing to do, and what waits for the login goes on.
    Account { agent: AgentId, logged_in: bool },
    /// The daemon stops: end everything and the actor.
    Stop,
    /// Give the agent the stored answer to this, with what is held for it: it could not be read before.
    Answer(RequestId, Option<Ulid>),
    /// A queued run was given its fence, or not.
    Started { run: RunId, result: Result<Reply, Refused> },
    /// A prompt is built and noted.
    Prepared { run: RunId, generation: u64, result: Result<Built, String> },
    /// What a cancelled run's agent left running is this now.
    Left { run: RunId, agent: AgentId, left: Vec<Left> },
    /// The end of a run, or its way to the background, is on the disk.
    Settled { run: RunId, active: bool },
}

/// The way to an actor.
#[derive(Debug, Clone)]
pub(crate) struct TaskHandle {
    pub(crate) bell: watch::Sender<i64>,
    pub(crate) mail: mpsc::Sender<Mail>,
}

/// How an actor ended.
pub(crate) struct Gone {
    pub(crate) task: TaskId,
    /// All intents up to here were acted on.
    pub(crate) cursor: i64,
}

pub(crate) struct TaskActor {
    context: Arc<Context>,
    task: TaskId,
    cwd: PathBuf,
    project: Option<ProjectId>,
    cursor: i64,
    bell: watch::Receiver<i64>,
    inbox: mpsc::Receiver<Mail>,
    mail: mpsc::Sender<Mail>,
    events: mpsc::Receiver<FromLink>,
    events_in: mpsc::Sender<FromLink>,
    links: HashMap<AgentId, LinkSlot>,
    /// The run that is starting, running or waiting.
    active: Option<Turn>,
    /// Runs whose visible answer is over.
    background: Vec<Turn>,
    /// A run that was asked to start and has no fence yet.
    starting: Option<(RunId, Slot)>,
    /// The end of the last run is not on the disk yet.
    ending: bool,
    /// Runs to be stopped as soon as they have started.
    unwanted: HashSet<RunId>,
    asked: HashMap<RequestId, Asked>,
    /// What cancelled runs left running.
    left: HashMap<RunId, (AgentId, Vec<Left>)>,
    pacer: Pacer,
    stopping: bool,
    deleted: bool,
    idle_since: Instant,
}

/// What the actor knows of a link.
struct LinkSlot {
    handle: Option<LinkHandle>,
    generation: u64,
    /// How many times it still has to say that it is ready: once after its start, once after each new session.
    awaiting: u32,
    /// It took prompts once.
    was_ready: bool,
    /// Its session has seen nothing and has not told its options yet.
    offers: bool,
    able: Able,
    terminals: Terminals,
    quirks: Quirks,
    /// The page was told that it gives no sign.
    silent: bool,
    /// Where what it starts is found, once it runs.
    family: Option<Family>,
    /// It was logged in or out behind its back.
    outdated: bool,
    /// Why a session that had seen something is gone, until the next answer says so.
    lost: Option<String>,
    /// Messages of this very session, newest last.
    past: Vec<Past>,
    /// When it last did something.
    used: Instant,
}

impl LinkSlot {
    const fn is_ready(&self) -> bool {
        self.awaiting == 0
    }
}

/// A message that a session made and that is over, for what still comes for it.
struct Past {
    message: MessageId,
    under: Option<(RunId, Fence)>,
    transcript: Transcript,
    /// It was begun by the agent itself and is still growing since then.
    growing: Option<Instant>,
}

/// A run on its way.
struct Turn {
    run: RunId,
    fence: Fence,
    agent: AgentId,
    /// The process it was given to.
    generation: u64,
    user_message: MessageId,
    message: MessageId,
    /// The place of the user's message.
    ordinal: i64,
    phase: Phase,
    transcript: Transcript,
    cancelled: bool,
    /// Its agent was gone before the prompt was sent, and was started once more for it.
    restarted: bool,
    lock: Lock,
    /// The cursor before its prompt was sent.
    seen_ordinal: i64,
    /// Its agent did not know the session, and was given the prompt once more in a new one.
    returned: bool,
    kill_at: Option<Instant>,
    last_update: Instant,
    /// The user's words, and how much of them the agent has said back.
    prompt: Vec<String>,
    echo: String,
    trouble: Trouble,
    usage: Option<Value>,
    /// When the link was last told of it.
    usage_told: Option<Instant>,
    /// When its prompt was sent, as the process table counts.
    sent_at: Option<Moment>,
    slot: Option<Slot>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Its agent wants a login first.
    Locked,
    /// Its link is not ready.
    Linking,
    /// Its prompt is being built.
    Preparing,
    /// Its prompt was given to the link.
    Given,
    /// Its prompt is on the wire.
    Sent,
}

impl TaskActor {
    /// Starts the actor of a task, to act on intents after `cursor`. `None`: there is no such task.
    pub(crate) async fn start(
        context: Arc<Context>,
        task: TaskId,
        cursor: i64,
        gone: mpsc::UnboundedSender<Gone>,
    ) -> Result<Option<TaskHandle>, StoreError> {
        let Some(row) = context.store.task(task).await? else { return Ok(None) };
        let (bell, rung) = watch::channel(cursor);
        let (mail, inbox) = mpsc::channel(MAIL);
        let (events_in, events) = mpsc::channel(EVENTS);
        let actor = Self {
            context: Arc::clone(&context),
            task,
            cwd: PathBuf::from(row.cwd),
            project: row.project_id,
            cursor,
            bell: rung,
            inbox,
            mail: mail.clone(),
            events,
            events_in,
            links: HashMap::new(),
            active: None,
            background: Vec::new(),
            starting: None,
            ending: false,
            unwanted: HashSet::new(),
            asked: HashMap::new(),
            left: HashMap::new(),
            pacer: Pacer::default(),
            stopping: false,
            deleted: false,
            idle_since: Instant::now(),
        };
        tokio::spawn(async move {
            let cursor = match tokio::spawn(actor.run()).await {
                Ok(cursor) => cursor,
                Err(error) => {
                    tracing::error!(%task, %error, "the actor of a task ended unexpectedly; its run is over");
                    turn::fail_all(&context, task).await;
                    i64::MAX
                }
            };
            let _ = gone.send(Gone { task, cursor });
        });
        Ok(Some(TaskHandle { bell, mail }))
    }

    async fn run(mut self) -> i64 {
        loop {
            let rung = self.bell.has_changed().unwrap_or(false);
            if rung {
                self.read_intents().await;
            }
            if self.is_over() {
                return self.cursor;
            }
            // Worked out last: what was just acted on may have set it.
            let due = self.due();
            tokio::select! {
                changed = self.bell.changed() => {
                    if changed.is_err() {
                        return self.cursor;
                    }
                    self.bell.mark_changed();
                }
                Some(mail) = self.inbox.recv() => self.open(mail).await,
                Some(from) = self.events.recv() => self.hear(from).await,
                () = tokio::time::sleep_until(due) => self.on_time().await,
            }
        }
    }

    /// Whether nothing is left to do or to wait for.
    fn is_over(&mut self) -> bool {
        let busy = self.active.is_some()
            || self.starting.is_some()
            || self.ending
            || !self.background.is_empty()
            || self.links.values().any(|slot| slot.handle.is_some());
        if busy {
            self.idle_since = Instant::now();
            return false;
        }
        self.stopping || self.deleted || self.idle_since.elapsed() >= IDLE
    }

    async fn open(&mut self, mail: Mail) {
        match mail {
            Mail::SetOption { agent, option_id, value, reply } => self.set_option(agent, option_id, value, reply).await,
            Mail::Poke => self.start_next().await,
            Mail::Account { agent, logged_in } => self.account_changed(&agent, logged_in).await,
            Mail::Answer(request, held) => self.answer(request, held).await,
            Mail::Stop => self.stop_all().await,
            Mail::Started { run, result } => self.started(run, result).await,
            Mail::Prepared { run, generation, result } => self.prepared(run, generation, result).await,
            Mail::Left { run, agent, left } => self.note_left(run, agent, left).await,
            Mail::Settled { run, active } => self.settled(run, active).await,
        }
    }

    /// The next point in time at which something is due without anybody saying so.
    fn due(&self) -> Instant {
        let quiet =
            self.active.iter().filter(|turn| self.may_go_to_background(turn)).map(|turn| turn.last_update + QUIET);
        let kills = self.active.iter().chain(&self.background).filter_map(|turn| turn.kill_at);
        let park = self.park_after();
        let parks = self
            .links
            .iter()
            .filter(|(agent, slot)| self.is_unused(agent, slot))
            .filter_map(|(_, slot)| Some(slot.used + park?));
        let own = self.links.values().flat_map(|slot| &slot.past).filter_map(|past| past.growing).map(|at| at + QUIET);
        let last = Instant::now() + IDLE;
        let silences = self.silence_due();
        quiet
            .chain(kills)
            .chain(silences)
            .chain(parks)
            .chain(own)
            .chain(self.pacer.due())
            .min()
            .unwrap_or(last)
            .min(last)
    }

    async fn on_time(&mut self) {
        let now = Instant::now();
        for ((message, index), part) in self.pacer.take_due(now) {
            let under = self.under_of(message);
            self.record(under, vec![replaced(message, index, part)]).await;
        }
        if self.active.as_ref().is_some_and(|turn| self.may_go_to_background(turn) && now >= turn.last_update + QUIET) {
            self.go_to_background().await;
        }
        for turn in self.active.iter().chain(&self.background) {
            if turn.kill_at.is_some_and(|at| now >= at)
                && let Some(handle) = self.links.get(&turn.agent).and_then(|slot| slot.handle.as_ref())
            {
                tracing::info!(task = %self.task, agent = %turn.agent, "the agent did not stop when asked; ending it");
                handle.stop(Stop::Kill);
            }
        }
        for turn in self.active.iter_mut().chain(&mut self.background) {
            turn.kill_at = turn.kill_at.filter(|at| now < *at);
        }
        self.settle_own(now).await;
        self.tell_silence(now).await;
        self.park(now);
    }

    fn park_after(&self) -> Option<Duration> {
        let minutes = (self.context.config)().idle_minutes;
        (minutes > 0).then(|| Duration::from_secs(u64::from(minutes) * 60))
    }

    fn is_unused(&self, agent: &AgentId, slot: &LinkSlot) -> bool {
        let works = |turn: &Turn| turn.agent == *agent && turn.phase != Phase::Locked;
        let runs = self.active.iter().chain(&self.background).any(works);
        let asks = self.asked.values().any(|asked| asked.agent == *agent);
        let left = self.left.values().any(|(left, _)| left == agent);
        slot.is_ready() && slot.handle.is_some() && !runs && !asks && !left
    }

    /// Ends agents that nobody used for long; the next message brings their sessions back.
    fn park(&mut self, now: Instant) {
        let Some(after) = self.park_after() else { return };
        for (agent, slot) in &self.links {
            if self.is_unused(agent, slot)
                && now >= slot.used + after
                && let Some(handle) = &slot.handle
            {
                handle.stop(Stop::Ladder(LinkState::Parked));
            }
        }
    }

    /// Hands facts to the store; waits only while its queue is full.
    async fn record(&self, under: Option<(RunId, Fence)>, facts: Vec<Fact>) {
        if facts.is_empty() {
            return;
        }
        let record = Record { task_id: self.task, now: self.context.now(), under, facts, reply: None };
        if let Err(error) = self.context.store.record(record).await {
            tracing::warn!(task = %self.task, %error, "the store takes no more facts");
        }
    }

    /// Hands facts to the store and has a letter sent once they are written or refused.
    async fn record_then(
        &self,
        under: Option<(RunId, Fence)>,
        facts: Vec<Fact>,
        letter: impl FnOnce(Result<Reply, Refused>) -> Mail + Send + 'static,
    ) {
        let (reply, written) = oneshot::channel();
        let record = Record { task_id: self.task, now: self.context.now(), under, facts, reply: Some(reply) };
        let sent = self.context.store.record(record).await;
        let mail = self.mail.clone();
        tokio::spawn(async move {
            let result = match sent {
                Ok(()) => written.await.unwrap_or(Err(Refused::Store(StoreError::Closed))),
                Err(error) => Err(Refused::Store(error)),
            };
            let _ = mail.send(letter(result)).await;
        });
    }

    /// Sends a letter to itself in a moment: something failed that may pass.
    fn later(&self, letter: Mail) {
        let mail = self.mail.clone();
        tokio::spawn(async move {
            tokio::time::sleep(AGAIN).await;
            let _ = mail.send(letter).await;
        });
    }

    async fn patch_link(&self, agent: &AgentId, patch: LinkPatch) {
        self.record(None, vec![Fact::Link { agent: agent.clone(), patch: Box::new(patch) }]).await;
    }

    async fn link_state(&self, agent: &AgentId, state: LinkState, detail: Option<String>) {
        self.patch_link(agent, LinkPatch { state: Some((state, detail)), ..LinkPatch::default() }).await;
    }

    fn under_of(&self, message: MessageId) -> Option<(RunId, Fence)> {
        let turn = self.active.iter().chain(&self.background).find(|turn| turn.message == message);
        let past = self.links.values().flat_map(|slot| &slot.past).find(|past| past.message == message);
        turn.map(|turn| (turn.run, turn.fence)).or_else(|| past?.under)
    }

    /// What the store is told of changes to a message; values of open tool calls are paced.
    fn facts_of(&mut self, message: MessageId, changes: Vec<Change>) -> Vec<Fact> {
        let now = Instant::now();
        changes.into_iter().filter_map(|change| fact_of(&mut self.pacer, message, change, now)).collect()
    }

    fn started_of(reply: Result<Reply, Refused>) -> Option<Started> {
        match reply {
            Ok(Reply::Started(started)) => Some(started),
            _ => None,
        }
    }
}

fn place(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

fn replaced(message_id: MessageId, index: usize, part: Part) -> Fact {
    Fact::PartReplaced { message_id, index: place(index), part }
}

fn fact_of(pacer: &mut Pacer, message_id: MessageId, change: Change, now: Instant) -> Option<Fact> {
    match change {
        Change::Open { index, part } => {
            let grows = part.streamed().is_some();
            if let Part::ToolCall(call) = &part {
                let last = !call.is_open();
                pacer.offer((message_id, index), part.clone(), last, now);
            }
            Some(Fact::PartOpened { message_id, index: place(index), part, grows })
        }
        Change::Append { index, text } => Some(Fact::TextAppended { message_id, index: place(index), text }),
        Change::Close { index } => Some(Fact::PartClosed { message_id, index: place(index) }),
        Change::Replace { index, part } => {
            let last = !matches!(&part, Part::ToolCall(call) if call.is_open());
            Some(replaced(message_id, index, pacer.offer((message_id, index), part, last, now)?))
        }
    }
}
