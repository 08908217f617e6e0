//! What every actor of a daemon shares.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use drover_acp::Mark;
use drover_acp::views::{InitializeView, view_initialize};
use drover_domain::agent::Login;
use drover_domain::{Agent, AgentId, AgentState, Timestamp};
use drover_store::Store;
use serde_json::Value;
use tokio::sync::watch;
use ulid::Ulid;

use crate::catalogue::{Catalogue, Entry};
use crate::config::Config;
use crate::contents::Contents;
use crate::env::{Environment, Environments};
use crate::install::{Installed, Installs};
use crate::login::{self, Logins};
use crate::running::Running;
use crate::slots::Slots;
use crate::{Clock, Ids};

pub(crate) struct Context {
    pub(crate) store: Store,
    pub(crate) catalogue: Catalogue,
    pub(crate) environments: Environments,
    pub(crate) config: Arc<dyn Fn() -> Arc<Config> + Send + Sync>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) slots: Arc<Slots>,
    /// What forms were filled in with, until the agents have it.
    pub(crate) contents: Arc<Contents>,
    pub(crate) keeper: PathBuf,
    pub(crate) mark: Mark,
    /// True once no process of a daemon before this one is left.
    pub(crate) swept: watch::Receiver<bool>,
    /// What agents said of themselves when they were last started.
    pub(crate) seen: Mutex<HashMap<AgentId, Seen>>,
    /// What is being installed.
    pub(crate) installs: Installs,
    /// Which processes run.
    pub(crate) running: Arc<Running>,
    /// Which logins go on.
    pub(crate) logins: Logins,
}

/// What an agent said of itself.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) version: Option<String>,
    pub(crate) capabilities: Value,
    pub(crate) needs_login: bool,
    /// Whose account it uses, in its own words.
    pub(crate) account: Option<String>,
    /// The login that goes on, or the last one.
    pub(crate) login: Option<Login>,
}

impl Context {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The catalogue, with what the agents said of themselves and what is installed.
    pub(crate) fn agents(&self) -> Vec<Agent> {
        let environment = self.environments.current();
        self.catalogue.entries().iter().map(|entry| self.agent(entry, &environment)).collect()
    }

    fn agent(&self, entry: &Entry, environment: &Environment) -> Agent {
        let mut agent = entry.agent(environment);
        let installed = agent.found.as_ref().and_then(|found| found.managed.as_ref()).and_then(|_| entry.managed());
        if let Some(seen) = self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(&agent.id) {
            agent.version = agent.version.take().or_else(|| seen.version.clone());
            agent.account.clone_from(&seen.account);
            agent.login.clone_from(&seen.login);
            agent.capabilities = Some(seen.capabilities.clone()).filter(|seen| !seen.is_null());
            if seen.needs_login && agent.state == AgentState::Ready {
                agent.state = AgentState::NeedsLogin;
            }
        }
        if agent.capabilities.is_none() {
            agent.capabilities = installed.map(|installed| installed.initialize);
        }
        if let Some(view) = agent.capabilities.as_ref().and_then(read_capabilities) {
            agent.auth_methods = Some(login::methods::offered(&view, entry));
            agent.can_log_out = login::methods::can_log_out(&view);
        }
        self.installs.describe(&mut agent, entry, environment);
        agent
    }

    /// Tells everybody of an agent as it is now.
    pub(crate) async fn tell_agent(self: &Arc<Self>, id: &AgentId) {
        let (context, id) = (Arc::clone(self), id.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let entry = context.catalogue.get(&id)?;
            Some(context.agent(&entry, &context.environments.current()))
        });
        if let Ok(Some(agent)) = looked.await
            && let Err(error) = self.store.agent_changed(agent, self.now()).await
        {
            tracing::debug!(%error, "nobody can be told of an agent");
        }
    }

    /// Notes what a version said when it was installed: what the one before it said does not count any more.
    pub(crate) fn see_installed(&self, agent: &AgentId, installed: &Installed) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = seen.get_mut(agent) {
            seen.version = Some(installed.version.clone());
            seen.capabilities = installed.initialize.clone();
        }
    }

    /// Forgets what an agent said of itself.
    pub(crate) fn forget_seen(&self, agent: &AgentId) {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).remove(agent);
    }

    /// Notes something about an agent; gives the agent as it is then.
    pub(crate) fn see(&self, agent: &AgentId, note: impl FnOnce(&mut Seen)) -> Option<Agent> {
        {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            note(seen.entry(agent.clone()).or_insert(Seen {
                version: None,
                capabilities: Value::Null,
                needs_login: false,
                account: None,
                login: None,
            }));
        }
        self.agents().into_iter().find(|entry| entry.id == *agent)
    }

    pub(crate) fn needs_login(&self, agent: &AgentId) -> bool {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(agent).is_some_and(|seen| seen.needs_login)
    }

    /// What people call the agent.
    pub(crate) fn name(&self, agent: &AgentId) -> String {
        self.catalogue.get(agent).map_or_else(|| agent.to_string(), |entry| entry.name)
    }

    pub(crate) fn fresh(&self) -> Ulid {
        self.ids.fresh()
    }
}

/// What an agent said of itself, as it was kept.
fn read_capabilities(said: &Value) -> Option<InitializeView> {
    let raw = serde_json::value::to_raw_value(said).ok()?;
    said.is_object().then(|| view_initialize(&raw))
}
