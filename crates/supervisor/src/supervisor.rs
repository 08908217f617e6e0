//! The handle that the server holds.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use drover_acp::Mark;
use drover_domain::agent::{AgentProcess, VariablePolicy};
use drover_domain::elicitation::{self, FieldError};
use drover_domain::request::Action;
use drover_domain::{
    Agent, AgentId, Answer, Link, ProjectId, Request, RequestId, RequestKind, RequestState, TaskId, options,
};
use drover_store::{AnswerError, Offer, Store, StoreError};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};

use crate::catalogue::{Catalogue, CatalogueProblem, VariableError};
use crate::config::Config;
use crate::context::Context;
use crate::env::Environments;
use crate::install::{self, InstallError, Installs};
use crate::prompt::{self, Preview};
use crate::remembered;
use crate::root::{Order, Root};
use crate::running;
use crate::task::Mail;
use crate::{Clock, Ids};

/// How long setting an option may take in all (docs/api.md).
const SET: Duration = Duration::from_secs(30);
/// How often the frames of all links are counted.
const FRAMES: Duration = Duration::from_secs(3600);
/// How often it is looked whether agents.toml has changed: one question for its time.
const WATCH: Duration = Duration::from_secs(2);
/// Orders that may wait for the root.
const ORDERS: usize = 256;

/// What the supervisor is made of.
pub struct Setup {
    /// The store, opened and recovered.
    pub store: Store,
    /// The settings as they are now.
    pub config: Arc<dyn Fn() -> Arc<Config> + Send + Sync>,
    /// The agents.
    pub catalogue: Catalogue,
    /// Where agents' environments come from.
    pub environments: Environments,
    /// The binary that becomes a keeper with the argument `keeper`.
    pub keeper: PathBuf,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The ids.
    pub ids: Arc<dyn Ids>,
}

/// Why an option was not set.
#[derive(Debug, thiserror::Error)]
pub enum SetOptionError {
    /// There is no such task.
    #[error("no such task")]
    NoTask,
    /// There is no such agent.
    #[error("no such agent")]
    NoAgent,
    /// The agent offers no such option.
    #[error("the agent offers no such option")]
    NoOption,
    /// The option offers no such value.
    #[error("the option does not offer this value")]
    NotOffered,
    /// The agent did not answer within 30 s.
    #[error("the agent did not answer within 30 s; the old value stays")]
    Timeout,
    /// The agent said no.
    #[error("the agent refused: {message} ({code})")]
    Refused {
        /// Its code.
        code: i64,
        /// Its message.
        message: String,
        /// Its data.
        data: Option<Value>,
    },
    /// The agent could not be started, or ended.
    #[error("{message}")]
    CannotStart {
        /// Why.
        message: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request was not answered.
#[derive(Debug, thiserror::Error)]
pub enum AnswerFailure {
    /// What was filled in does not fit what was asked for.
    #[error("what was filled in does not fit the form")]
    Content(Vec<FieldError>),
    /// The request does not take this answer.
    #[error(transparent)]
    Refused(#[from] AnswerError),
}

/// A handle on the supervisor; cheap to clone.
#[derive(Clone)]
pub struct Supervisor {
    pub(crate) context: Arc<Context>,
    pub(crate) orders: mpsc::Sender<Order>,
}

impl Supervisor {
    /// Ends what a daemon before this one left running and begins to act on intents. Call it on a tokio runtime.
    pub fn start(setup: Setup) -> Self {
        let mark = Mark { owner: setup.store.instance_id().to_owned(), run: setup.ids.fresh().to_string() };
        let (swept_in, swept) = watch::channel(false);
        setup.environments.belong_to(mark.clone());
        let sweep_mark = mark.clone();
        tokio::task::spawn_blocking(move || {
            let swept = drover_acp::sweep_leftovers(&sweep_mark.owner, &sweep_mark.run);
            if swept.count > 0 {
                tracing::info!(processes = swept.count, "ended processes that a daemon before this one left");
            }
            swept_in.send_replace(true);
        });
        let (frames_of, frames_cap) = (setup.store.data_dir().to_owned(), (setup.config)().frames_bytes);
        tokio::spawn(async move {
            loop {
                let dir = frames_of.clone();
                // There may be no frames yet.
                let _ = tokio::task::spawn_blocking(move || crate::frames::prune(&dir, frames_cap)).await;
                tokio::time::sleep(FRAMES).await;
            }
        });
        let context = Arc::new(Context {
            store: setup.store,
            catalogue: setup.catalogue,
            environments: setup.environments,
            config: setup.config,
            clock: setup.clock,
            ids: setup.ids,
            slots: Arc::default(),
            contents: Arc::default(),
            keeper: setup.keeper,
            mark,
            swept,
            seen: std::sync::Mutex::default(),
            installs: Installs::new(crate::catalogue::node_release()),
            running: Arc::default(),
            logins: crate::login::Logins::default(),
        });
        install::resume(&context);
        tokio::spawn(tend(Arc::clone(&context)));
        let (orders, inbox) = mpsc::channel(ORDERS);
        tokio::spawn(Root::new(Arc::clone(&context), inbox).run());
        Self { context, orders }
    }

    /// The agents and what each lacks, and what is wrong with agents.toml, if anything.
    pub fn agents(&self) -> (Vec<Agent>, Option<CatalogueProblem>) {
        let agents = self.context.agents();
        (agents, self.context.catalogue.problem())
    }

    /// Looks which Node.js and npm the machine has, so that [`agents`](Self::agents) can say what an installation takes.
    pub async fn look_for_node(&self) {
        let environment = self.context.environments.ready().await;
        self.context.installs.look(&environment).await;
    }

    /// An agent as [`agents`](Self::agents) tells of it.
    pub fn agent(&self, id: &AgentId) -> Option<Agent> {
        self.context.agents().into_iter().find(|agent| agent.id == *id)
    }

    /// Begins to install an agent; how far it is comes with the agent.
    ///
    /// # Errors
    /// See [`InstallError`].
    pub async fn install(&self, agent: &AgentId) -> Result<(), InstallError> {
        install::begin(&self.context, agent).await
    }

    /// Ends an installation that goes on, and forgets why the last one failed.
    ///
    /// # Errors
    /// See [`InstallError`].
    pub async fn cancel_install(&self, agent: &AgentId) -> Result<(), InstallError> {
        install::cancel(&self.context, agent).await
    }

    /// Uses another version that is installed.
    ///
    /// # Errors
    /// See [`InstallError`].
    pub async fn use_version(&self, agent: &AgentId, version: &str) -> Result<(), InstallError> {
        install::choose(&self.context, agent, version).await
    }

    /// Lets an agent have a variable from its next start on, or keeps it from it. What watches agents.toml tells of it.
    ///
    /// # Errors
    /// See [`VariableError`].
    pub async fn set_variable(
        &self,
        agent: &AgentId,
        name: String,
        policy: VariablePolicy,
    ) -> Result<(), VariableError> {
        let (context, id) = (Arc::clone(&self.context), agent.clone());
        let set = move || context.catalogue.set_variable(&id, &name, policy);
        tokio::task::spawn_blocking(set).await.map_err(|_| VariableError::BrokeOff)??;
        self.context.tell_agent(agent).await;
        Ok(())
    }

    /// Removes an installed version.
    ///
    /// # Errors
    /// See [`InstallError`].
    pub async fn remove_version(&self, agent: &AgentId, version: &str) -> Result<(), InstallError> {
        install::remove(&self.context, agent, version).await
    }

    /// The processes of an agent that run now.
    pub async fn processes(&self, agent: &AgentId) -> Vec<AgentProcess> {
        let rows = self.context.running.of(agent);
        let looked = tokio::task::spawn_blocking(move || rows.into_iter().filter_map(running::look).collect());
        looked.await.unwrap_or_default()
    }

    /// The task that a process of an agent works for.
    pub fn task_of_process(&self, agent: &AgentId, pid: u32) -> Option<TaskId> {
        self.context.running.of(agent).into_iter().find(|row| row.pid == Some(pid)).map(|row| row.task)
    }

    /// Whether there is such an agent.
    pub fn knows(&self, agent: &AgentId) -> bool {
        self.context.catalogue.get(agent).is_some()
    }

    /// Where agents' environments come from, for diagnosis.
    pub fn environments(&self) -> &Environments {
        &self.context.environments
    }

    /// Sets an option of a link, starting the agent where it is off, and gives the link as it is then.
    ///
    /// # Errors
    /// See [`SetOptionError`].
    pub async fn set_option(
        &self,
        task: TaskId,
        agent: AgentId,
        option_id: String,
        value: Value,
    ) -> Result<Link, SetOptionError> {
        if self.context.store.task(task).await?.is_none() {
            return Err(SetOptionError::NoTask);
        }
        if !self.knows(&agent) {
            return Err(SetOptionError::NoAgent);
        }
        let gone = || SetOptionError::CannotStart { message: "Drover is stopping.".into() };
        let (reply, outcome) = oneshot::channel();
        let mail = Mail::SetOption { agent: agent.clone(), option_id, value, reply };
        self.orders.send(Order::Deliver { task, mail }).await.map_err(|_| gone())?;
        match tokio::time::timeout(SET, outcome).await {
            Err(_) => return Err(SetOptionError::Timeout),
            Ok(Err(_)) => return Err(gone()),
            Ok(Ok(outcome)) => outcome?,
        }
        self.context.store.link(task, &agent).await?.ok_or(SetOptionError::NoTask)
    }

    /// Answers a request; the first answer wins. What a form was filled in with goes to the agent and is kept nowhere
    /// (lifecycle rule 25).
    ///
    /// # Errors
    /// See [`AnswerFailure`].
    pub async fn answer(
        &self,
        id: RequestId,
        answer: Answer,
        content: Option<Value>,
    ) -> Result<Request, AnswerFailure> {
        let context = Arc::clone(&self.context);
        // On its own: a browser that goes away in the middle must not part the answer from its content.
        let answered = tokio::spawn(async move {
            let request = context.store.request(id).await.map_err(AnswerError::from)?.ok_or(AnswerError::NotFound)?;
            if let Answer::Action { action } = answer
                && (request.state, request.kind) == (RequestState::Open, RequestKind::Elicitation)
            {
                elicitation::check(&request.payload, action, content.as_ref()).map_err(AnswerFailure::Content)?;
            }
            let accepted = answer == Answer::Action { action: Action::Accept };
            let held = content.filter(|_| accepted).map(|content| context.contents.hold(context.fresh(), content));
            let name = held.as_ref().map(crate::contents::Held::name);
            let request = context.store.answer_request(id, answer, name, context.now()).await?;
            if let Some(held) = held {
                held.keep();
            }
            Ok(request)
        });
        answered.await.unwrap_or_else(|_| Err(AnswerError::from(StoreError::Closed).into()))
    }

    /// What an agent is known to offer to a new task of a project, with the values that the task would start with.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn offer(&self, agent: &AgentId, project: Option<ProjectId>) -> Result<Offer, StoreError> {
        let offer = self.context.store.offer(agent, project).await?;
        let values = remembered::for_new_task(&self.context.store, agent, project).await?;
        Ok(Offer { options: options::at_start(&offer.options, &values), ..offer })
    }

    /// What a send to an agent would hand over now.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub async fn handoff(&self, task: TaskId, agent: &AgentId) -> Result<Preview, StoreError> {
        prompt::preview(&self.context, task, agent).await
    }

    /// Ends runs as interrupted and agents by the ladder; 8 s at most.
    pub async fn stop(&self) {
        let (done, stopped) = oneshot::channel();
        if self.orders.send(Order::Stop { done }).await.is_ok() {
            self.context.logins.end();
            let installs = self.context.installs.stop();
            let (_, ()) = tokio::join!(stopped, installs);
        }
        self.context.environments.end().await;
    }
}

/// Tidies after installations once nothing of an earlier daemon is left, and tells of changes of agents.toml.
async fn tend(context: Arc<Context>) {
    let mut swept = context.swept.clone();
    if swept.wait_for(|swept| *swept).await.is_err() {
        return;
    }
    install::tidy(&context).await;
    let mut known = context.catalogue.entries();
    loop {
        tokio::time::sleep(WATCH).await;
        let entries = context.catalogue.entries();
        let changed: Vec<_> =
            entries.iter().filter(|entry| !known.contains(entry)).map(|entry| entry.id.clone()).collect();
        for id in &changed {
            context.tell_agent(id).await;
        }
        known = entries;
    }
}
