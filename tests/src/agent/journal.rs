//! The agent's log: one JSON object a line, `{t, pid, agent, kind, msg}`, shared by processes and read while it grows.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::{Value, json};

use super::os;

/// Where the agent says what it got; nowhere without `AGENT_LOG`.
pub(super) struct Journal {
    path: Option<PathBuf>,
    agent: String,
}

impl Journal {
    pub(super) fn new(path: Option<PathBuf>, agent: String) -> Self {
        Self { path, agent }
    }

    pub(super) fn write(&self, kind: &str, message: Value) {
        if let Some(path) = &self.path
            && let Err(error) = self.append(path, kind, message)
        {
            eprintln!("scripted-agent: {}: {error}", path.display());
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a log line tells the time of day")]
    fn append(&self, path: &PathBuf, kind: &str, message: Value) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        let entry = json!({"t": now, "pid": std::process::id(), "agent": self.agent, "kind": kind, "msg": message});
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        os::lock(&file)?;
        file.write_all(format!("{entry}\n").as_bytes())
    }
}
