//! The agents that this version knows.

use std::collections::BTreeMap;
use std::time::Duration;

use drover_domain::{AgentId, AgentSource};
use serde::Deserialize;

use super::entry::{Entry, Need, Places};
use crate::install::{NodeRelease, Written};
use drover_domain::agent::{AgentNote, Unasked};

const DATA: &str = include_str!("../../data/agents.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    agents: Vec<Builtin>,
    node: NodeRelease,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Builtin {
    id: AgentId,
    name: String,
    description: String,
    command: String,
    #[serde(default)]
    args: Vec<String>,
    package: String,
    install: Written,
    vendor: Option<String>,
    #[serde(default)]
    notes: Vec<AgentNote>,
    #[serde(default)]
    needs: Vec<Need>,
    session_rest: Option<u64>,
    #[serde(default)]
    never_asks: bool,
    #[serde(default)]
    unasked: BTreeMap<String, Unasked>,
    #[serde(default)]
    notices: Vec<String>,
    #[serde(default)]
    hidden_methods: Vec<String>,
    #[serde(default)]
    silent_failures: bool,
}

/// The built-in agents in their order.
#[expect(clippy::expect_used, reason = "the text is part of the program, and a test reads it")]
pub(super) fn entries(places: &Places) -> Vec<Entry> {
    let entry = |agent: Builtin| Entry {
        recipe: Some(agent.install.of(&agent.package).expect("a recipe of data/agents.toml")),
        id: agent.id,
        name: agent.name,
        description: Some(agent.description),
        source: AgentSource::Builtin,
        command: agent.command,
        args: agent.args,
        env: BTreeMap::new(),
        unset: Vec::new(),
        package: Some(agent.package),
        vendor: agent.vendor,
        notes: agent.notes,
        needs: agent.needs,
        session_rest: agent.session_rest.map(Duration::from_secs),
        never_asks: agent.never_asks,
        unasked: agent.unasked,
        notices: agent.notices,
        hidden_methods: agent.hidden_methods,
        silent_failures: agent.silent_failures,
        places: places.clone(),
    };
    file().agents.into_iter().map(entry).collect()
}

/// The Node.js that is installed beside agents where the machine's is too old.
pub(crate) fn node() -> NodeRelease {
    file().node
}

#[expect(clippy::expect_used, reason = "the text is part of the program, and a test reads it")]
fn file() -> File {
    toml::from_str(DATA).expect("data/agents.toml")
}
