//! What of the environment decides whose account an agent uses, told by name, and the user's choice about it.
//!
//! A key in the environment goes before the account that an agent is logged in to: with `ANTHROPIC_API_KEY` set, Claude
//! Code bills that key, whatever subscription its user has. A display, a browser or ssh change the ways to log in.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use drover_domain::agent::{AgentVariable, VariableKind, VariablePolicy};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike};

use super::entry::Entry;
use crate::config::{PatchError, edit};
use crate::env::Environment;

/// Names that end in this hold a key or a token, or say whose server gets it.
const KEY_ENDINGS: &[&str] =
    &["_API_KEY", "_API_TOKEN", "_AUTH_TOKEN", "_ACCESS_TOKEN", "_BASE_URL", "_GITHUB_TOKEN", "_OAUTH_TOKEN"];
/// Keys, and what else chooses an account or a provider, under names of another form.
const KEYS: &[&str] = &[
    "ANTHROPIC_CUSTOM_HEADERS",
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_PROFILE",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "HF_TOKEN",
    "OPENAI_ORG_ID",
];
/// What the machine offers for logging in.
const SURROUNDINGS: &[&str] = &[
    "BROWSER",
    "DISPLAY",
    "NO_BROWSER",
    "SSH_AUTH_SOCK",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "WAYLAND_DISPLAY",
];

/// Why the choice about a variable was not kept. agents.toml is then as it was.
#[derive(Debug, thiserror::Error)]
pub enum VariableError {
    /// There is no such agent.
    #[error("there is no such agent")]
    NoAgent,
    /// No variable can be called that.
    #[error("cannot be the name of a variable")]
    BadName,
    /// agents.toml sets it for this agent.
    #[error("is set by `env` in agents.toml: take it out there")]
    Set,
    /// agents.toml cannot be read or written.
    #[error(transparent)]
    File(#[from] PatchError),
    /// A fault of ours.
    #[error("the change of agents.toml broke off")]
    BrokeOff,
}

fn kind_of(name: &str) -> Option<VariableKind> {
    if KEYS.contains(&name) || KEY_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        return Some(VariableKind::Key);
    }
    SURROUNDINGS.contains(&name).then_some(VariableKind::Surroundings)
}

impl Entry {
    /// The variables that decide about accounts and logins, and those that agents.toml names for this agent; keys first,
    /// each kind by name.
    pub(crate) fn variables(&self, environment: &Environment) -> Vec<AgentVariable> {
        let mut found = BTreeMap::new();
        for name in environment.vars().keys().filter_map(|name| name.to_str()) {
            if let Some(kind) = kind_of(name) {
                found.insert(name, (kind, VariablePolicy::Pass));
            }
        }
        for name in &self.unset {
            let kind = kind_of(name).unwrap_or(VariableKind::Other);
            found.insert(name, (kind, VariablePolicy::Block));
        }
        for name in self.env.keys() {
            found.insert(name, (VariableKind::Set, VariablePolicy::Pass));
        }
        let told = found.into_iter().map(|(name, (kind, policy))| AgentVariable {
            name: name.to_owned(),
            kind,
            policy,
            present: kind == VariableKind::Set || environment.vars().contains_key(OsStr::new(name)),
        });
        let mut told: Vec<_> = told.collect();
        told.sort_by_key(|variable| variable.kind);
        told
    }
}

/// Puts a name into `unset` of the agent's table in the file at `path`, or takes it out.
pub(super) fn set(path: &Path, entry: &Entry, name: &str, policy: VariablePolicy) -> Result<(), VariableError> {
    if name.is_empty() || name.contains(['=', '\0']) || name.chars().any(char::is_control) {
        return Err(VariableError::BadName);
    }
    if entry.env.contains_key(name) {
        return Err(VariableError::Set);
    }
    Ok(edit(path, |document| change(document, entry, name, policy))?)
}

fn change(document: &mut DocumentMut, entry: &Entry, name: &str, policy: VariablePolicy) -> Option<()> {
    let agents = table_in(document.as_table_mut(), "agents")?;
    let own = table_in(agents, entry.id.as_str())?;
    let mut list = match own.get("unset") {
        Some(item) => item.as_array()?.clone(),
        None => entry.unset.iter().collect(),
    };
    let at = list.iter().position(|value| value.as_str() == Some(name));
    match (policy, at) {
        (VariablePolicy::Block, None) => list.push(name),
        (VariablePolicy::Pass, Some(at)) => drop(list.remove(at)),
        _ => return Some(()),
    }
    put(own, list, entry);
    Some(())
}

/// Writes the list, and takes it away where it says no more than what holds without it.
fn put(own: &mut dyn TableLike, list: Array, entry: &Entry) {
    if list.is_empty() && own.get("unset").is_none() && entry.unset.is_empty() {
        return;
    }
    match own.get_mut("unset").and_then(Item::as_array_mut) {
        Some(old) => {
            // A comment behind it belongs to the user.
            let decor = old.decor().clone();
            *old = list;
            *old.decor_mut() = decor;
        }
        None => drop(own.insert("unset", toml_edit::value(list))),
    }
}

/// The table of this name, made where there is none. `None` where something else has the name.
fn table_in<'a>(parent: &'a mut dyn TableLike, name: &str) -> Option<&'a mut dyn TableLike> {
    if parent.get(name).is_none() {
        let mut table = Table::new();
        // `[agents.x]` stands without `[agents]` above it.
        table.set_implicit(true);
        parent.insert(name, Item::Table(table));
    }
    parent.get_mut(name)?.as_table_like_mut()
}

#[cfg(test)]
mod tests;
