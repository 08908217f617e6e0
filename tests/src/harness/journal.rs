//! What the scripted agents wrote down.

use std::{fs::File, io::Read, os::fd::AsRawFd, path::Path};

use serde::Deserialize;
use serde_json::Value;

use super::{agents::journal_path, daemon::Drover};

/// One line of an agent's log.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// The agent process.
    pub pid: u32,
    /// `start`, `in` (a line from the daemon), `child`, `eof`.
    pub kind: String,
    /// The line, parsed.
    pub msg: Value,
}

impl Drover {
    /// All that this agent's processes wrote down, in order.
    pub fn journal(&self, agent: &str) -> Vec<Entry> {
        read(self.dir.path(), agent)
    }

    /// The messages of this method that the agent got.
    pub fn received(&self, agent: &str, method: &str) -> Vec<Value> {
        let all = self.journal(agent).into_iter().filter(|entry| entry.kind == "in");
        all.map(|entry| entry.msg).filter(|message| message["method"] == method).collect()
    }

    /// The prompts that the agent got: all text, and the session.
    pub fn prompts(&self, agent: &str) -> Vec<(String, String)> {
        let text = |block: &Value| block["text"].as_str().unwrap_or_default().to_owned();
        let prompt = |message: Value| {
            let blocks = message["params"]["prompt"].as_array().cloned().unwrap_or_default();
            let texts: Vec<_> = blocks.iter().map(text).collect();
            (texts.join("\n"), message["params"]["sessionId"].as_str().unwrap_or_default().to_owned())
        };
        self.received(agent, "session/prompt").into_iter().map(prompt).collect()
    }

    /// The answers that the agent got to its own requests, whole.
    pub fn answers(&self, agent: &str) -> Vec<Value> {
        let all = self.journal(agent).into_iter().filter(|entry| entry.kind == "in");
        all.map(|entry| entry.msg).filter(|message| message.get("method").is_none()).collect()
    }

    /// The process ids under which the agent was started, in order.
    pub fn starts(&self, agent: &str) -> Vec<u32> {
        self.journal(agent).into_iter().filter(|entry| entry.kind == "start").map(|entry| entry.pid).collect()
    }
}

/// Every process that any agent of this directory started or was.
pub(super) fn processes(dir: &Path) -> Vec<u32> {
    let logs = std::fs::read_dir(dir.join("logs")).into_iter().flatten().flatten();
    let agents = logs.filter_map(|log| Some(log.path().file_stem()?.to_str()?.to_owned()));
    let entries = agents.flat_map(|agent| read(dir, &agent));
    let pid = |entry: Entry| match entry.kind.as_str() {
        "start" => Some(entry.pid),
        "child" => u32::try_from(entry.msg["pid"].as_u64()?).ok(),
        _ => None,
    };
    entries.filter_map(pid).collect()
}

fn read(dir: &Path, agent: &str) -> Vec<Entry> {
    let Ok(mut file) = File::open(journal_path(dir, agent)) else {
        return Vec::new();
    };
    // SAFETY: the descriptor is open as long as `file` lives.
    assert_eq!(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_SH) }, 0, "a shared lock on the agent's log");
    let mut text = String::new();
    file.read_to_string(&mut text).expect("the log is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a whole line of the log")).collect()
}
