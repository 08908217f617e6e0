//! Agents as `agents.toml` names them.

use std::{collections::BTreeMap, path::Path};

use serde_json::Value;

use super::daemon::scripted_agent;

/// An entry of `agents.toml`; by default the scripted agent.
#[derive(Clone)]
pub struct Agent {
    /// Its id.
    pub id: String,
    command: String,
    args: Vec<String>,
    env: BTreeMap<String, String>,
}

/// The scripted agent under this id.
pub fn agent(id: &str) -> Agent {
    Agent { id: id.into(), command: scripted_agent().display().to_string(), args: Vec::new(), env: BTreeMap::new() }
}

impl Agent {
    /// Another program, with its arguments.
    pub fn command(mut self, command: impl AsRef<Path>, args: &[&str]) -> Self {
        self.command = command.as_ref().display().to_string();
        self.args = args.iter().map(|arg| (*arg).to_owned()).collect();
        self
    }

    /// A variable of its environment.
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// What a method is answered, verbatim: `{"result": …}` or `{"error": …}`.
    pub fn answers(self, answers: &Value) -> Self {
        self.env("AGENT_ANSWERS", answers.to_string())
    }

    /// Directives for `start`, `before <method>` or `<method>`.
    pub fn on(self, hooks: &Value) -> Self {
        self.env("AGENT_ON", hooks.to_string())
    }

    /// How long methods take, in ms; -1 is for ever.
    pub fn delays(self, delays: &Value) -> Self {
        self.env("AGENT_DELAY", delays.to_string())
    }

    pub(super) fn to_toml(&self, dir: &Path) -> String {
        let mut env = BTreeMap::from([
            ("AGENT_NAME".to_owned(), self.id.clone()),
            ("AGENT_LOG".to_owned(), journal_path(dir, &self.id).display().to_string()),
            ("AGENT_STATE".to_owned(), dir.join("state").display().to_string()),
            ("AGENT_OPTS".to_owned(), "1".to_owned()),
        ]);
        env.extend(self.env.clone());
        let pairs: Vec<String> = env.iter().map(|(name, value)| format!("{name} = {}", quoted(value))).collect();
        let args: Vec<String> = self.args.iter().map(|arg| quoted(arg)).collect();
        format!(
            "[agents.{}]\nname = {}\ncommand = {}\nargs = [{}]\nenv = {{ {} }}\n\n",
            self.id,
            quoted(&self.id.to_uppercase()),
            quoted(&self.command),
            args.join(", "),
            pairs.join(", ")
        )
    }
}

pub(super) fn journal_path(dir: &Path, agent: &str) -> std::path::PathBuf {
    dir.join("logs").join(format!("{agent}.jsonl"))
}

/// A TOML basic string: JSON's escapes are among TOML's.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
