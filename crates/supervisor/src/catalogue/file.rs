//! agents.toml: agents of the user's own, or changes to a built-in one.

use std::collections::BTreeMap;
use std::path::Path;

use drover_domain::{AgentId, AgentSource};
use serde::Deserialize;
use toml::Spanned;

use super::entry::{Entry, Places};
use crate::config::{ConfigError, read_text, toml_error};
use crate::install::is_exact;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    agents: BTreeMap<Spanned<String>, Own>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Own {
    name: Option<String>,
    description: Option<String>,
    command: Option<Spanned<String>>,
    args: Option<Vec<Spanned<String>>>,
    env: Option<BTreeMap<Spanned<String>, Spanned<String>>>,
    unset: Option<Vec<Spanned<String>>>,
    version: Option<Spanned<String>>,
}

/// The built-in agents as the file at `path` changes them, and its own after them; a missing file changes nothing.
pub(super) fn load(path: &Path, builtin: &[Entry], places: &Places) -> Result<Vec<Entry>, ConfigError> {
    let text = read_text(path)?;
    let file: File = toml::from_str(&text).map_err(|error| toml_error(path, &text, &error))?;
    let mut entries = builtin.to_vec();
    for (id, own) in file.agents {
        let wrong = |at: std::ops::Range<usize>, detail: String| ConfigError::at(path, &text, at, detail);
        own.check().map_err(|(at, detail)| wrong(at, detail))?;
        let (at, id) = (id.span(), id.into_inner());
        let id: AgentId = id.parse().map_err(|_| {
            wrong(at.clone(), format!("`{id}` cannot be an agent's id: letters, digits, `-`, `_` and `.`, at most 64, the first a letter or digit"))
        })?;
        match entries.iter_mut().find(|entry| entry.id == id) {
            Some(entry) => own.change(entry),
            None => {
                if let Some(version) = &own.version {
                    return Err(wrong(version.span(), "`version` is for agents that Drover installs".to_owned()));
                }
                let command = own.command.as_ref().ok_or_else(|| wrong(at, format!("`{id}` has no `command`")))?;
                let mut entry = custom(id, command.get_ref().clone(), places);
                own.change(&mut entry);
                entries.push(entry);
            }
        }
    }
    Ok(entries)
}

/// An agent that is started by this command and of which nothing else is known.
pub(super) fn custom(id: AgentId, command: String, places: &Places) -> Entry {
    Entry {
        name: id.to_string(),
        id,
        description: None,
        source: AgentSource::Custom,
        command,
        args: Vec::new(),
        env: BTreeMap::new(),
        unset: Vec::new(),
        package: None,
        notes: Vec::new(),
        recipe: None,
        vendor: None,
        needs: Vec::new(),
        session_rest: None,
        never_asks: false,
        unasked: BTreeMap::new(),
        notices: Vec::new(),
        hidden_methods: Vec::new(),
        silent_failures: false,
        places: places.clone(),
    }
}

type Wrong = (std::ops::Range<usize>, String);

impl Own {
    /// What no process could be given.
    fn check(&self) -> Result<(), Wrong> {
        let wrong = |text: &Spanned<String>, detail: String| Err((text.span(), detail));
        if let Some(command) = self.command.as_ref().filter(|command| command.get_ref().trim().is_empty()) {
            return wrong(command, "`command` is empty".to_owned());
        }
        if let Some(version) = self.version.as_ref().filter(|version| !is_exact(version.get_ref())) {
            return wrong(version, "`version` is one exact version, such as 1.2.3".to_owned());
        }
        let values = self.env.iter().flat_map(BTreeMap::values);
        let strings = self.command.iter().chain(self.args.iter().flatten()).chain(values);
        if let Some(text) = strings.into_iter().find(|text| text.get_ref().contains('\0')) {
            return wrong(text, "a NUL cannot be passed to a program".to_owned());
        }
        let unset = || self.unset.iter().flatten();
        for name in self.env.iter().flat_map(BTreeMap::keys).chain(unset()) {
            let text = name.get_ref();
            if text.is_empty() || text.contains(['=', '\0']) {
                return wrong(name, format!("`{}` cannot be the name of a variable", text.escape_debug()));
            }
        }
        let both =
            unset().find(|name| self.env.iter().flat_map(BTreeMap::keys).any(|set| set.get_ref() == name.get_ref()));
        match both {
            Some(name) => wrong(name, format!("`{}` is both in `env` and in `unset`", name.get_ref())),
            None => Ok(()),
        }
    }

    /// Every key that is there replaces what the entry had.
    fn change(self, entry: &mut Entry) {
        let plain = |list: Vec<Spanned<String>>| list.into_iter().map(Spanned::into_inner).collect();
        if let Some(name) = self.name {
            entry.name = name;
        }
        if self.description.is_some() {
            entry.description = self.description;
        }
        if let Some(command) = self.command {
            entry.command = command.into_inner();
            // Whatever it is now, it is the user's to know what it needs.
            entry.needs = Vec::new();
            entry.recipe = None;
        }
        if let (Some(version), Some(recipe)) = (self.version, &mut entry.recipe) {
            recipe.package.version = version.into_inner();
        }
        if let Some(args) = self.args {
            entry.args = plain(args);
        }
        if let Some(env) = self.env {
            entry.env = env.into_iter().map(|(name, value)| (name.into_inner(), value.into_inner())).collect();
        }
        if let Some(unset) = self.unset {
            entry.unset = plain(unset);
        }
    }
}
