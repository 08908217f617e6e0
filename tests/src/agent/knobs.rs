//! What the environment asks of the agent.

use std::{
    collections::{HashMap, HashSet},
    env, io,
    path::PathBuf,
};

use serde::de::DeserializeOwned;
use serde_json::Value;

/// How `session/load` and `session/resume` behave.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Load {
    Replay,
    Silent,
    Fail,
    Fresh,
    Tail,
    Forget,
}

/// The environment variables of the agent, read once.
pub(super) struct Knobs {
    pub(super) name: String,
    pub(super) log: Option<PathBuf>,
    pub(super) state: Option<PathBuf>,
    pub(super) options: Option<Vec<Value>>,
    pub(super) load: Load,
    pub(super) refuse_options: bool,
    pub(super) delays: HashMap<String, i64>,
    pub(super) answers: HashMap<String, Value>,
    pub(super) crlf: bool,
    caps: HashSet<String>,
    on: HashMap<String, String>,
    ignore: HashSet<String>,
}

impl Knobs {
    pub(super) fn from_env() -> io::Result<Self> {
        let options = match env::var("AGENT_OPTIONS") {
            Ok(text) => Some(serde_json::from_str(&text)?),
            Err(_) => is_set("AGENT_OPTS").then(two_options),
        };
        Ok(Self {
            name: env::var("AGENT_NAME").unwrap_or_else(|_| "agent".into()),
            log: env::var_os("AGENT_LOG").map(PathBuf::from),
            state: env::var_os("AGENT_STATE").map(PathBuf::from),
            options,
            load: match env::var("AGENT_LOAD").as_deref() {
                Ok("fail") => Load::Fail,
                Ok("fresh") => Load::Fresh,
                Ok("tail") => Load::Tail,
                Ok("forget") => Load::Forget,
                Ok("ok") => Load::Silent,
                _ => Load::Replay,
            },
            refuse_options: is_set("AGENT_SETFAIL"),
            delays: json("AGENT_DELAY")?,
            answers: json("AGENT_ANSWERS")?,
            crlf: is_set("AGENT_CRLF"),
            caps: list(&env::var("AGENT_CAPS").unwrap_or_else(|_| "load,image".into())),
            on: json("AGENT_ON")?,
            ignore: list(&env::var("AGENT_IGNORE").unwrap_or_default()),
        })
    }

    pub(super) fn can(&self, capability: &str) -> bool {
        self.caps.contains(capability)
    }

    pub(super) fn ignores(&self, what: &str) -> bool {
        self.ignore.contains(what)
    }

    pub(super) fn on(&self, when: &str) -> Option<&str> {
        self.on.get(when).map(String::as_str)
    }
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn list(text: &str) -> HashSet<String> {
    text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn json<T: Default + DeserializeOwned>(name: &str) -> io::Result<T> {
    match env::var(name) {
        Ok(text) => Ok(serde_json::from_str(&text)?),
        Err(_) => Ok(T::default()),
    }
}

fn two_options() -> Vec<Value> {
    vec![
        serde_json::json!({"id": "model", "name": "Model", "category": "model", "type": "select", "currentValue": "m-small",
            "options": [{"value": "m-small", "name": "Small"}, {"value": "m-large", "name": "Large"}]}),
        serde_json::json!({"id": "effort", "name": "Effort", "category": "thought_level", "type": "select", "currentValue": "low",
            "options": [{"value": "low", "name": "Low"}, {"value": "high", "name": "High"}]}),
    ]
}
