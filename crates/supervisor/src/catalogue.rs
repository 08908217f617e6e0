//! Which agents there are, whether each can be started, and how.
//!
//! The built-in ones are data (`data/agents.toml`); the user's `agents.toml` in the data directory adds agents or changes
//! a built-in one. It is looked at before each use; while it cannot be used its last good version holds, and
//! [`Catalogue::problem`] says what is wrong.

mod builtin;
mod entry;
mod file;
mod hint;
mod launch;
mod tour;
mod variables;

use std::path::{Path, PathBuf};

use drover_domain::agent::{Found, VariablePolicy};
use drover_domain::{Agent, AgentId, AgentSource, AgentState};

pub(crate) use builtin::node as node_release;
pub use drover_domain::agent::Unasked;
pub use entry::{Entry, Need};
pub use launch::{LaunchPlan, LaunchProblem};
pub use variables::VariableError;

use crate::config::{ConfigError, Watched};
use crate::env::Environment;

/// The file of the user's agents, in the data directory.
const FILE: &str = "agents.toml";

/// Every agent that can be named in a message.
#[derive(Debug)]
pub struct Catalogue {
    data_dir: PathBuf,
    entries: Watched<Vec<Entry>>,
}

/// Why agents.toml does not hold as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueProblem {
    /// The file.
    pub file: PathBuf,
    /// What is wrong, with line and column where there are any.
    pub detail: String,
}

impl From<ConfigError> for CatalogueProblem {
    fn from(error: ConfigError) -> Self {
        Self { detail: error.located_detail(), file: error.path }
    }
}

impl Catalogue {
    /// The built-in agents, and those of `agents.toml` in `data_dir`. A relative command with a slash in it is found
    /// from `data_dir`; one that begins with `~/` from `home`. `own` is this program, which is also the agent Tour.
    pub fn new(data_dir: &Path, home: &Path, own: &Path) -> Self {
        let places = entry::Places { data_dir: data_dir.to_owned(), home: home.to_owned() };
        let mut builtin = builtin::entries(&places);
        builtin.push(tour::entry(own, &places));
        let fallback = builtin.clone();
        let load = move |path: &Path| file::load(path, &builtin, &places).map(tour::last);
        Self { data_dir: data_dir.to_owned(), entries: Watched::or(data_dir.join(FILE), fallback, load) }
    }

    /// The data directory it was made for.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Every agent: the built-in ones in their order, then the user's own by id, and Tour at the end, so that it is the
    /// first that is ready only where no other is.
    pub fn entries(&self) -> Vec<Entry> {
        self.entries.get().as_ref().clone()
    }

    /// The agent of this id.
    pub fn get(&self, id: &AgentId) -> Option<Entry> {
        self.entries.get().iter().find(|entry| entry.id == *id).cloned()
    }

    /// What the user sees of every agent, as far as it can be told without starting one: nobody is ever logged in or
    /// out here, and no version or capability is known.
    pub fn agents(&self, environment: &Environment) -> Vec<Agent> {
        self.entries.get().iter().map(|entry| entry.agent(environment)).collect()
    }

    /// Lets an agent have a variable of its surroundings from its next start on, or keeps it from it: a change of
    /// `unset` in agents.toml. Writes the file, so it blocks.
    ///
    /// # Errors
    /// See [`VariableError`].
    pub fn set_variable(&self, id: &AgentId, name: &str, policy: VariablePolicy) -> Result<(), VariableError> {
        let entry = self.get(id).ok_or(VariableError::NoAgent)?;
        variables::set(&self.data_dir.join(FILE), &entry, name, policy)
    }

    /// What is wrong with agents.toml as it is now.
    pub fn problem(&self) -> Option<CatalogueProblem> {
        self.entries.problem().map(CatalogueProblem::from)
    }
}

impl Entry {
    /// What the user sees of this agent; see [`Catalogue::agents`].
    pub fn agent(&self, environment: &Environment) -> Agent {
        let (mut found, mut version) = (None, None);
        let (state, hint) = match self.launch(environment) {
            Ok(plan) => {
                version.clone_from(&plan.managed);
                found = Some(Found { path: plan.found.display().to_string(), managed: plan.managed });
                (AgentState::Ready, None)
            }
            Err(problem) if self.source != AgentSource::Custom && problem.is_missing() => {
                (AgentState::NotInstalled, Some(hint::to_install(self, &problem, environment)))
            }
            Err(problem) => (AgentState::Broken, Some(hint::with_warning(problem.to_string(), environment))),
        };
        Agent {
            id: self.id.clone(),
            name: self.name.clone(),
            description: self.description.clone(),
            source: self.source,
            state,
            version,
            hint,
            progress: None,
            found,
            install: None,
            notes: self.notes.clone(),
            capabilities: None,
            auth_methods: None,
            can_log_out: false,
            account: None,
            login: None,
            never_asks: self.never_asks,
            unasked: self.unasked.clone(),
            variables: self.variables(environment),
        }
    }
}

#[cfg(test)]
mod tests;
