//! One agent of the catalogue.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use drover_domain::agent::{AgentNote, Unasked};
use drover_domain::{AgentId, AgentSource};
use serde::Deserialize;

use crate::install::Recipe;

/// An agent and how it is started.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: AgentId,
    /// What people call it.
    pub name: String,
    /// A sentence about it.
    pub description: Option<String>,
    /// Built in, also where agents.toml changes it, or the user's own.
    pub source: AgentSource,
    /// The program: a bare name is looked up on the search path, `~/…` is below the home directory, any other relative
    /// path below the data directory.
    pub command: String,
    /// Its arguments, passed as they are.
    pub args: Vec<String>,
    /// Variables that are set for it, after everything else.
    pub env: BTreeMap<String, String>,
    /// Variables that are removed from what it inherits.
    pub unset: Vec<String>,
    /// The npm package that brings the command, for a built-in agent.
    pub package: Option<String>,
    /// What was seen of it.
    pub notes: Vec<AgentNote>,
    /// How Drover installs it, where it does.
    pub recipe: Option<Recipe>,
    /// The vendor's own program, which people may have without its adapter.
    pub vendor: Option<String>,
    /// What the command starts by itself and must find.
    pub needs: Vec<Need>,
    /// How long after its creation a session must not be brought back, for an agent that would lose it.
    pub session_rest: Option<Duration>,
    /// It asks for nothing, in no mode.
    pub never_asks: bool,
    /// Its modes that act without asking the user, by mode id.
    pub unasked: BTreeMap<String, Unasked>,
    /// What it says beside its answer in the form of one: whole chunks, `*` for anything between.
    pub notices: Vec<String>,
    /// Ways to log in that it offers and that do not work over the protocol.
    pub hidden_methods: Vec<String>,
    /// A turn in which it said nothing at all has failed, though it says otherwise.
    pub silent_failures: bool,
    pub(super) places: Places,
}

/// A program that an agent's command needs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Need {
    /// Its name on the search path.
    pub command: String,
    /// The npm package that brings it.
    pub package: String,
}

impl Entry {
    /// What the agent does without asking while it is in `mode`; `None` where it asks or we do not know.
    pub fn acts_unasked(&self, mode: &str) -> Option<Unasked> {
        if self.never_asks { Some(Unasked::Everything) } else { self.unasked.get(mode).copied() }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names alone: values may be secrets.
        f.debug_struct("Entry")
            .field("id", &self.id)
            .field("source", &self.source)
            .field("command", &self.command)
            .field("args", &self.args)
            .field("env", &self.env.keys())
            .field("unset", &self.unset)
            .finish_non_exhaustive()
    }
}

/// What relative commands are relative to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) data_dir: PathBuf,
    pub(super) home: PathBuf,
}
