//! A link's actor: one agent process, its session, and what comes from it, told in wire order.

mod serve;
mod session;
mod start;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use drover_acp::messages::PromptBlock;
use drover_acp::views::{ElicitationView, InitializeView, PermissionView, PromptResult, UpdateView};
use drover_acp::{Body, CloseReason, Connection, Family, Incoming, Moment, PeerId, Process, RpcError};
use drover_domain::options::SetCall;
use drover_domain::{AgentId, LinkState, RunId, SkippedOption, TaskId, Timestamp};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};

use crate::context::Context;
use crate::running::Lease;

/// How many commands may wait for a link: they come one by one from people.
const COMMANDS: usize = 256;
/// How long the last lines to an agent may take before its input is closed.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// In this time a killed agent and all it started are gone.
const KILLED: Duration = Duration::from_secs(5);
/// How much of an agent's stderr is shown with a failure.
const STDERR_SHOWN: usize = 4 * 1024;

/// What a link is to do. They are taken once the link is ready, answers at any time.
pub(crate) enum Command {
    /// Send a prompt.
    Prompt { run: RunId, blocks: Vec<PromptBlock> },
    /// Ask the agent to stop what it does.
    Cancel,
    /// Answer a question of the agent.
    Answer { peer: PeerId, result: Value },
    /// Make a new session on the same process and set these values in it.
    Renew { remembered: Vec<drover_domain::options::Remembered> },
    /// Set an option.
    Set { option_id: String, value: Value, reply: oneshot::Sender<Result<(), SetFailure>> },
}

/// Why an option was not set.
#[derive(Debug)]
pub(crate) enum SetFailure {
    /// The agent offers no such option or value.
    Invalid(drover_domain::options::SetError),
    /// The agent said no.
    Refused(RpcError),
    /// The agent is gone.
    Gone(String),
}

/// What an agent can do, as far as it is asked to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Able {
    /// Bring a session back without a replay.
    pub(crate) resume: bool,
    /// Bring a session back with a replay.
    pub(crate) load: bool,
    /// Take pictures in a prompt.
    pub(crate) image: bool,
    /// Take sound in a prompt.
    pub(crate) audio: bool,
    /// Take the contents of files in a prompt.
    pub(crate) embedded: bool,
    /// Take a prompt while another is unanswered.
    pub(crate) queueing: bool,
}

impl Able {
    pub(crate) fn of(view: &InitializeView) -> Self {
        Self {
            resume: view.resume,
            load: view.load_session,
            image: view.image,
            audio: view.audio,
            embedded: view.embedded_context,
            queueing: view.prompt_queueing,
        }
    }
}

/// How a link ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It does not.
    No,
    /// By the ladder; the link is in this state afterwards.
    Ladder(LinkState),
    /// At once, with all that the agent started.
    Kill,
}

/// What a link tells, in wire order.
pub(crate) enum LinkEvent {
    /// The agent said what it can do.
    Initialized(Box<InitializeView>),
    /// It has a session; `fresh`: one that has seen nothing. The note tells why it could not be brought back.
    Session { id: String, fresh: bool, note: Option<String> },
    /// Its options are these now.
    Options(Value),
    /// It accepted a value.
    Accepted {
        option_id: String,
        value: Value,
        category: Option<String>,
        reply: oneshot::Sender<Result<(), SetFailure>>,
    },
    /// These remembered values could not be set again.
    Skipped(Vec<SkippedOption>),
    /// It takes prompts.
    Ready,
    /// Its process runs.
    Launched(Family),
    /// A prompt is on the wire; what the agent starts from that moment on is of this run.
    Sent { run: RunId, at: Moment },
    /// An update.
    Update(Box<UpdateView>),
    /// A question.
    Asked { peer: PeerId, question: Question },
    /// It told of its account: a name, and whether there is a login at all.
    Account { label: Option<String>, none: bool },
    /// A question was withdrawn.
    Withdrawn { peer: PeerId },
    /// What was to be done on a page that the agent asked to open is done.
    PageDone { elicitation_id: String },
    /// The answer to a prompt.
    PromptDone { run: RunId, outcome: Result<PromptResult, RpcError> },
    /// It is over.
    Ended(Ended),
}

/// What an agent asks.
pub(crate) enum Question {
    /// May it do this?
    Permission(Box<PermissionView>),
    /// A form, or a page to open.
    Elicitation(Box<ElicitationView>),
}

/// How a link ended.
#[derive(Debug, Clone)]
pub(crate) struct Ended {
    /// The state the link is in.
    pub(crate) state: LinkState,
    /// A word to branch on.
    pub(crate) code: String,
    /// A sentence.
    pub(crate) message: String,
    /// More, such as the last lines of its stderr.
    pub(crate) detail: Option<Value>,
}

/// An event with the link it comes from; a later process of the same link has a greater generation.
pub(crate) struct FromLink {
    pub(crate) agent: AgentId,
    pub(crate) generation: u64,
    pub(crate) event: LinkEvent,
}

/// What a link needs to start.
pub(crate) struct LinkStart {
    pub(crate) context: Arc<Context>,
    pub(crate) task_id: TaskId,
    pub(crate) agent: AgentId,
    pub(crate) generation: u64,
    pub(crate) cwd: PathBuf,
    /// The session to bring back, and when it was made.
    pub(crate) session: Option<(String, Option<Timestamp>)>,
    /// The options as last seen.
    pub(crate) options: Value,
    /// The values to set again.
    pub(crate) remembered: Vec<drover_domain::options::Remembered>,
    pub(crate) events: mpsc::Sender<FromLink>,
}

/// A running link.
#[derive(Debug)]
pub(crate) struct LinkHandle {
    commands: mpsc::Sender<Command>,
    stop: watch::Sender<Stop>,
}

impl LinkHandle {
    /// Hands over a command. `false`: the link is gone or does not take any more.
    pub(crate) fn send(&self, command: Command) -> bool {
        self.commands.try_send(command).is_ok()
    }

    /// Asks it to end; a harder way replaces a softer one.
    pub(crate) fn stop(&self, how: Stop) {
        self.stop.send_if_modified(|now| {
            let harder = *now == Stop::No || how == Stop::Kill;
            if harder {
                *now = how;
            }
            harder
        });
    }
}

/// Starts a link: its process, its session, its options; then it takes commands.
pub(crate) fn start(start: LinkStart) -> LinkHandle {
    let (commands, inbox) = mpsc::channel(COMMANDS);
    let (stop, stopped) = watch::channel(Stop::No);
    let link = Link {
        options: start.options.clone(),
        start,
        inbox,
        early: VecDeque::new(),
        wire: None,
        process: None,
        lease: None,
        session: String::new(),
        told_options: false,
        able: Able::default(),
        ready: false,
        noise: VecDeque::new(),
        parked: VecDeque::new(),
        open_prompts: Vec::new(),
        sets: VecDeque::new(),
    };
    tokio::spawn(link.run(stopped));
    LinkHandle { commands, stop }
}

struct Link {
    start: LinkStart,
    inbox: mpsc::Receiver<Command>,
    /// Commands that came while the agent was being asked something.
    early: VecDeque<Command>,
    wire: Option<Wire>,
    process: Option<Process>,
    /// Held until the process is gone.
    lease: Option<Lease>,
    session: String,
    options: Value,
    /// Whether this process told its options: else they are those last seen.
    told_options: bool,
    able: Able,
    /// It takes prompts.
    ready: bool,
    /// The last lines that were no messages, while it is being set up.
    noise: VecDeque<String>,
    /// What came before the session had a name.
    parked: VecDeque<Body>,
    /// Prompts that are on the wire and unanswered.
    open_prompts: Vec<(drover_acp::RequestId, RunId)>,
    /// Options that wait to be set; the first may be on the wire.
    sets: VecDeque<SetJob>,
}

struct Wire {
    connection: Connection,
    incoming: Incoming,
}

struct SetJob {
    option_id: String,
    value: Value,
    call: Option<(drover_acp::RequestId, SetCall)>,
    reply: oneshot::Sender<Result<(), SetFailure>>,
}

/// The receiving end of the events is gone: the task's actor is.
#[derive(Debug)]
struct Orphaned;

/// Why a link does not go on.
enum Over {
    /// It failed, or its process ended.
    Failed(Ended),
    /// Nobody listens.
    Orphaned,
}

impl From<Orphaned> for Over {
    fn from(_: Orphaned) -> Self {
        Self::Orphaned
    }
}

impl Link {
    async fn run(mut self, mut stopped: watch::Receiver<Stop>) {
        let over = tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop != Stop::No) => None,
            over = self.live() => Some(over),
        };
        let how = stopped.borrow().clone();
        let ended = match over {
            Some(Over::Failed(ended)) => {
                // Already without secrets: the words come from us, from the agent's redacted stderr, or were shown before.
                let said = ended.detail.as_ref().and_then(|detail| detail["stderr"].as_str());
                let (agent, task) = (&self.start.agent, &self.start.task_id);
                tracing::warn!(%agent, %task, code = ended.code, reason = ended.message, said, "an agent failed");
                ended
            }
            _ => Ended {
                state: if let Stop::Ladder(state) = how { state } else { LinkState::Off },
                code: "agent_stopped".into(),
                message: "The agent was stopped.".into(),
                detail: None,
            },
        };
        self.say_last();
        self.end_process(how, stopped).await;
        self.lease = None;
        for job in self.sets.drain(..) {
            let _ = job.reply.send(Err(SetFailure::Gone(ended.message.clone())));
        }
        self.inbox.close();
        let early = std::mem::take(&mut self.early);
        for command in early.into_iter().chain(std::iter::from_fn(|| self.inbox.try_recv().ok())) {
            if let Command::Set { reply, .. } = command {
                let _ = reply.send(Err(SetFailure::Gone(ended.message.clone())));
            }
        }
        let _ = self.tell(LinkEvent::Ended(ended)).await;
    }

    /// Answers that were on their way still go out; nothing else does.
    fn say_last(&mut self) {
        let Some(wire) = &self.wire else { return };
        let mut left = Vec::new();
        while let Ok(command) = self.inbox.try_recv() {
            match command {
                Command::Answer { peer, result } => {
                    let _ = wire.connection.respond(&peer, &result);
                }
                other => left.push(other),
            }
        }
        for command in left {
            if let Command::Set { reply, .. } = command {
                let _ = reply.send(Err(SetFailure::Gone("the agent is ending".into())));
            }
        }
    }

    async fn live(&mut self) -> Over {
        match self.set_up().await {
            Ok(()) => self.serve().await,
            Err(over) => over,
        }
    }

    /// Ends the process and all it started: by the ladder where it was asked to stop, at once where it failed by itself.
    async fn end_process(&mut self, how: Stop, mut stopped: watch::Receiver<Stop>) {
        let (connection, incoming) = self.wire.take().map(|wire| (wire.connection, wire.incoming)).unzip();
        let Some(mut process) = self.process.take() else { return };
        // An agent that is being asked to end must not hang on a full pipe.
        let drain = async {
            if let Some(mut incoming) = incoming {
                while incoming.next().await.is_some() {}
            }
            std::future::pending::<()>().await;
        };
        let end = async {
            if matches!(how, Stop::Ladder(_)) {
                let killed = stopped.wait_for(|stop| *stop == Stop::Kill);
                let ladder = async {
                    // What was said last, such as an answer to a question, still reaches the agent.
                    if let Some(connection) = &connection {
                        let _ = tokio::time::timeout(LAST_WORDS, connection.finish()).await;
                    }
                    process.clone().stop().await
                };
                tokio::select! {
                    _ = ladder => return,
                    _ = killed => {}
                }
            }
            process.kill();
            let _ = tokio::time::timeout(KILLED, process.gone()).await;
        };
        tokio::select! {
            () = drain => {}
            () = end => {}
        }
    }

    async fn tell(&self, event: LinkEvent) -> Result<(), Orphaned> {
        let from = FromLink { agent: self.start.agent.clone(), generation: self.start.generation, event };
        self.start.events.send(from).await.map_err(|_| Orphaned)
    }

    fn stderr(&self) -> Option<Value> {
        let tail = self.wire.as_ref()?.connection.stderr_tail(STDERR_SHOWN);
        (!tail.trim().is_empty()).then(|| serde_json::json!({ "stderr": tail }))
    }

    /// How the link ends when its connection does.
    fn closed(&self, reason: &CloseReason) -> Over {
        let name = self.name();
        let well = matches!(reason, CloseReason::Exited(exit) if exit.code == Some(0));
        // One that ends well between two turns is only off: the next message starts it again.
        let state = if well && self.ready && self.open_prompts.is_empty() { LinkState::Off } else { LinkState::Failed };
        let message = match reason {
            CloseReason::Exited(exit) => format!("{name} ended unexpectedly: {exit}."),
            other => format!("The connection to {name} was lost: {other}."),
        };
        Over::Failed(Ended { state, code: "agent_exited".into(), message, detail: self.stderr() })
    }

    fn name(&self) -> String {
        self.start.context.name(&self.start.agent)
    }
}
