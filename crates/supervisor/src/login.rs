//! Logging in and out of agents: only when somebody asks for it, in a fresh process, one at a time for each agent.

pub(crate) mod methods;
mod process;
mod screen;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use drover_acp::PtyInput;
use drover_acp::views::{AuthMethodView, view_initialize};
use drover_domain::agent::{AuthKind, Login, LoginPage, LoginState};
use drover_domain::{Agent, AgentId};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::context::Context;
use crate::root::Order;
use crate::supervisor::Supervisor;
use process::Fresh;
pub use screen::Output;
use screen::Screen;

/// How much of a terminal's end tells why a login failed, in bytes.
const TOLD: usize = 2 * 1024;

/// Why a login does not begin, or a terminal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// There is no such agent.
    #[error("no such agent")]
    NoAgent,
    /// The agent does not offer this way to log in, or it is none that Drover can go.
    #[error("the agent does not offer this way to log in here")]
    NoMethod,
    /// Another login of this agent goes on.
    #[error("another login of this agent goes on")]
    Running,
    /// No login goes on, or it has no terminal.
    #[error("no such login")]
    NoLogin,
    /// The agent could not be started, or ended.
    #[error("{message}")]
    CannotStart {
        /// Why.
        message: String,
    },
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
}

/// The logins that go on.
#[derive(Default)]
pub(crate) struct Logins {
    going: Mutex<HashMap<AgentId, Going>>,
    /// How many worked, so that what began before one is told from what began after it.
    succeeded: Mutex<HashMap<AgentId, u64>>,
}

#[derive(Clone)]
struct Going {
    stop: watch::Sender<bool>,
    screen: Option<Screen>,
}

impl Logins {
    fn begin(&self, agent: &AgentId, going: Going) -> Result<(), LoginError> {
        let mut logins = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        if logins.contains_key(agent) {
            return Err(LoginError::Running);
        }
        logins.insert(agent.clone(), going);
        Ok(())
    }

    fn get(&self, agent: &AgentId) -> Option<Going> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner).get(agent).cloned()
    }

    fn over(&self, agent: &AgentId) {
        self.going.lock().unwrap_or_else(PoisonError::into_inner).remove(agent);
    }

    /// How many logins of an agent have worked.
    pub(crate) fn succeeded(&self, agent: &AgentId) -> u64 {
        self.succeeded.lock().unwrap_or_else(PoisonError::into_inner).get(agent).copied().unwrap_or(0)
    }

    fn note_success(&self, agent: &AgentId) {
        *self.succeeded.lock().unwrap_or_else(PoisonError::into_inner).entry(agent.clone()).or_insert(0) += 1;
    }

    /// Ends all; their processes end with their keepers.
    pub(crate) fn end(&self) {
        for going in self.going.lock().unwrap_or_else(PoisonError::into_inner).values() {
            going.stop.send_replace(true);
        }
    }
}

impl Supervisor {
    /// Starts an agent, asks what it can do, and ends it. No session is made.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub async fn look(&self, agent: &AgentId) -> Result<Agent, LoginError> {
        look(&self.context, agent).await?;
        self.known(agent)
    }

    /// Begins a login.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub async fn log_in(&self, agent: &AgentId, method: &str) -> Result<Agent, LoginError> {
        let views = look(&self.context, agent).await?;
        let entry = self.context.catalogue.get(agent).ok_or(LoginError::NoAgent)?;
        let offered = self.known(agent)?.auth_methods.unwrap_or_default();
        let chosen = offered.iter().find(|offered| offered.id == method).ok_or(LoginError::NoMethod)?;
        let view = views.into_iter().find(|view| view.id == method).ok_or(LoginError::NoMethod)?;
        let terminal = match chosen.kind {
            AuthKind::Agent => None,
            AuthKind::Terminal => Some(Screen::new()),
            AuthKind::EnvVar | AuthKind::Unsupported => return Err(LoginError::NoMethod),
        };
        let (stop, stopped) = watch::channel(false);
        self.context
            .logins
            .begin(agent, Going { stop, screen: terminal.as_ref().map(|(screen, _)| screen.clone()) })?;
        let login = Login {
            method_id: method.to_owned(),
            terminal: terminal.is_some(),
            state: LoginState::Running,
            detail: None,
            page: None,
            started_at: self.context.now(),
        };
        note(&self.context, agent, |seen| seen.login = Some(login)).await;
        let job = Job { context: Arc::clone(&self.context), agent: agent.clone(), orders: self.orders.clone() };
        tokio::spawn(async move {
            let outcome = match terminal {
                None => job.authenticate(&view.id, stopped).await,
                Some((screen, typed)) => job.run_terminal(&entry, &view, &screen, typed, stopped).await,
            };
            job.finish(outcome).await;
        });
        self.known(agent)
    }

    /// What the terminal of a login shows, from its beginning as far as that is kept.
    ///
    /// # Errors
    /// [`LoginError::NoLogin`].
    pub fn login_output(&self, agent: &AgentId) -> Result<Output, LoginError> {
        Ok(self.screen(agent)?.watch())
    }

    /// Types into the terminal of a login, or tells it its size.
    ///
    /// # Errors
    /// [`LoginError::NoLogin`].
    pub fn type_into_login(&self, agent: &AgentId, input: PtyInput) -> Result<(), LoginError> {
        if self.screen(agent)?.type_in(input) { Ok(()) } else { Err(LoginError::NoLogin) }
    }

    /// Ends a login.
    ///
    /// # Errors
    /// [`LoginError::NoLogin`].
    pub fn end_login(&self, agent: &AgentId) -> Result<(), LoginError> {
        let going = self.context.logins.get(agent).ok_or(LoginError::NoLogin)?;
        going.stop.send_replace(true);
        Ok(())
    }

    /// Logs out. Processes of the agent that run are ended as soon as they have nothing to do.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub async fn log_out(&self, agent: &AgentId) -> Result<Agent, LoginError> {
        let (mut fresh, view) = Fresh::start(&self.context, agent).await?;
        if !methods::can_log_out(&view) {
            fresh.end();
            return Err(LoginError::NoMethod);
        }
        let answer = fresh.call("logout", &json!({}), &mut |_| ()).await;
        fresh.end();
        answer?;
        note(&self.context, agent, |seen| (seen.needs_login, seen.account, seen.login) = (true, None, None)).await;
        let _ = self.orders.send(Order::Account { agent: agent.clone(), logged_in: false }).await;
        self.known(agent)
    }

    fn known(&self, agent: &AgentId) -> Result<Agent, LoginError> {
        self.agent(agent).ok_or(LoginError::NoAgent)
    }

    fn screen(&self, agent: &AgentId) -> Result<Screen, LoginError> {
        self.context.logins.get(agent).and_then(|going| going.screen).ok_or(LoginError::NoLogin)
    }
}

/// Notes something about an agent and tells of it.
async fn note(context: &Arc<Context>, agent: &AgentId, with: impl FnOnce(&mut crate::context::Seen)) {
    context.see(agent, with);
    context.tell_agent(agent).await;
}

async fn look(context: &Arc<Context>, agent: &AgentId) -> Result<Vec<AuthMethodView>, LoginError> {
    let (fresh, view) = Fresh::start(context, agent).await?;
    fresh.end();
    let (version, raw) = (view.agent_version, view.raw);
    note(context, agent, |seen| (seen.version, seen.capabilities) = (version, raw)).await;
    Ok(view.auth_methods)
}

/// How a login ended.
enum Outcome {
    Succeeded,
    Cancelled,
    Failed(String),
}

struct Job {
    context: Arc<Context>,
    agent: AgentId,
    orders: tokio::sync::mpsc::Sender<Order>,
}

impl Job {
    async fn authenticate(&self, method: &str, mut stopped: watch::Receiver<bool>) -> Outcome {
        let started = Fresh::start(&self.context, &self.agent).await;
        let mut fresh = match started {
            Ok((fresh, _)) => fresh,
            Err(error) => return Outcome::Failed(error.to_string()),
        };
        let (pages, mut asked) = tokio::sync::mpsc::unbounded_channel();
        let mut show = |page: LoginPage| {
            let _ = pages.send(page);
        };
        let params = json!({ "methodId": method });
        let outcome = {
            let call = fresh.call("authenticate", &params, &mut show);
            tokio::pin!(call);
            loop {
                tokio::select! {
                    answer = &mut call => break match answer {
                        Ok(()) => Outcome::Succeeded,
                        Err(error) => Outcome::Failed(error.to_string()),
                    },
                    Some(page) = asked.recv() => self.show(page).await,
                    () = ended(&mut stopped) => break Outcome::Cancelled,
                }
            }
        };
        fresh.end();
        outcome
    }

    async fn show(&self, page: LoginPage) {
        note(&self.context, &self.agent, |seen| {
            if let Some(login) = &mut seen.login {
                login.page = Some(page);
            }
        })
        .await;
    }

    async fn run_terminal(
        &self,
        entry: &crate::catalogue::Entry,
        method: &AuthMethodView,
        screen: &Screen,
        typed: tokio::sync::mpsc::Receiver<PtyInput>,
        mut stopped: watch::Receiver<bool>,
    ) -> Outcome {
        let Some(run) = methods::run_of(method) else { return Outcome::Failed("there is nothing to run".into()) };
        let patience = Duration::from_secs(u64::from((self.context.config)().login_seconds));
        let outcome = tokio::select! {
            exit = process::run_terminal(&self.context, entry, run, screen, typed) => match exit {
                Ok(exit) if exit.code == Some(0) => Outcome::Succeeded,
                Ok(exit) => Outcome::Failed(format!("{exit}\n{}", screen.tail(TOLD)).trim_end().to_owned()),
                Err(error) => Outcome::Failed(error.to_string()),
            },
            () = ended(&mut stopped) => Outcome::Cancelled,
            () = screen.abandoned(patience) => Outcome::Cancelled,
        };
        screen.end();
        outcome
    }

    async fn finish(&self, outcome: Outcome) {
        let succeeded = matches!(outcome, Outcome::Succeeded);
        let (state, detail) = match outcome {
            Outcome::Succeeded => (LoginState::Succeeded, None),
            Outcome::Cancelled => (LoginState::Cancelled, None),
            Outcome::Failed(why) => (LoginState::Failed, Some(why)),
        };
        self.context.logins.over(&self.agent);
        if succeeded {
            // Before anybody is told: a message that is sent again then gets a process that knows of the login.
            self.context.logins.note_success(&self.agent);
            let order = Order::Account { agent: self.agent.clone(), logged_in: true };
            let _ = self.orders.send(order).await;
        }
        note(&self.context, &self.agent, |seen| {
            seen.needs_login &= !succeeded;
            if let Some(login) = &mut seen.login {
                (login.state, login.detail, login.page) = (state, detail, None);
            }
        })
        .await;
    }
}

/// Waits until somebody ends the login.
async fn ended(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stop| *stop).await;
}

/// The answer to `initialize`.
fn read(raw: &serde_json::value::RawValue) -> drover_acp::views::InitializeView {
    view_initialize(raw)
}
