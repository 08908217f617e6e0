//! What every actor of a daemon shares.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use drover_acp::Mark;
use drover_domain::{Agent, AgentId, AgentState, Timestamp};
use drover_store::Store;
use serde_json::Value;
use tokio::sync::watch;
use ulid::Ulid;

use crate::catalogue::Catalogue;
use crate::config::Config;
use crate::contents::Contents;
use crate::env::Environments;
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
}

/// What an agent said of itself.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) version: Option<String>,
    pub(crate) capabilities: Value,
    pub(crate) needs_login: bool,
}

impl Context {
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The catalogue, with what the agents said of themselves.
    pub(crate) fn agents(&self) -> Vec<Agent> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut agents = self.catalogue.agents(&self.environments.current());
        for agent in &mut agents {
            if let Some(seen) = seen.get(&agent.id) {
                agent.version = seen.version.clone().or(agent.version.take());
                agent.capabilities = Some(seen.capabilities.clone());
                if seen.needs_login && agent.state == AgentState::Ready {
                    agent.state = AgentState::NeedsLogin;
                }
            }
        }
        agents
    }

    /// Notes something about an agent; gives the agent as it is then.
    pub(crate) fn see(&self, agent: &AgentId, note: impl FnOnce(&mut Seen)) -> Option<Agent> {
        {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            note(seen.entry(agent.clone()).or_insert(Seen {
                version: None,
                capabilities: Value::Null,
                needs_login: false,
            }));
        }
        self.agents().into_iter().find(|entry| entry.id == *agent)
    }

    pub(crate) fn needs_login(&self, agent: &AgentId) -> bool {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).get(agent).is_some_and(|seen| seen.needs_login)
    }

    pub(crate) fn fresh(&self) -> Ulid {
        self.ids.fresh()
    }
}
