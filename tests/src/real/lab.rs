//! Where the agents are installed: once for each version, by the product's own installer, in the user's cache.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::{
    home::{Way, variables},
    pins::Pin,
};
use crate::harness::binary;

/// A data directory of Drover in which agents are installed and nothing else is done.
#[derive(Clone, Debug)]
pub struct Lab {
    root: PathBuf,
}

impl Lab {
    /// `drover/real-agents` in the user's cache.
    ///
    /// # Panics
    ///
    /// When there is neither `XDG_CACHE_HOME` nor `HOME`.
    pub fn in_cache() -> Self {
        let of_home = || PathBuf::from(env::var_os("HOME").expect("a home directory")).join(".cache");
        let cache = env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty()).map_or_else(of_home, PathBuf::from);
        Self { root: cache.join("drover/real-agents") }
    }

    /// Whether the agent is there at its version, verified by the installer.
    fn has(&self, pin: &Pin) -> bool {
        let agent = self.root.join("agents").join(&pin.id);
        let current: Option<Value> =
            fs::read(agent.join("current.json")).ok().and_then(|text| serde_json::from_slice(&text).ok());
        current.is_some_and(|current| current["version"] == pin.version())
            && agent.join(pin.version()).join("installed.json").is_file()
    }

    /// Installs the agent where it is missing: `drover agents install`, with npm and its configured registry.
    ///
    /// # Panics
    ///
    /// When it cannot be installed.
    pub fn install(&self, pin: &Pin) {
        if self.has(pin) {
            return;
        }
        let status = self.drover(&["agents", "install", &pin.id, "--yes"]);
        self.drover(&["stop"]);
        assert!(status.success() && self.has(pin), "{} {} was not installed", pin.name, pin.version());
    }

    fn drover(&self, args: &[&str]) -> std::process::ExitStatus {
        let mut command = Command::new(binary());
        command.args(args).arg("--data-dir").arg(&self.root);
        command.status().expect("drover starts")
    }

    /// Lets a daemon on this data directory use these agents as they are installed here. Of others it must not know: a
    /// daemon clears away at its start what it takes for an installation that was broken off.
    pub(super) fn lend(&self, data: &Path, agents: &[&str]) {
        let (mine, theirs) = (self.root.join("agents"), data.join("agents"));
        fs::create_dir_all(&theirs).expect("a directory in the data directory");
        for id in agents.iter().copied().chain(["node"]).filter(|id| mine.join(id).exists()) {
            symlink(mine.join(id), theirs.join(id)).expect("a link in the data directory");
        }
    }
}

/// What `agents.toml` says of an agent: where its model is.
pub(super) fn entry(id: &str, way: &Way) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let pairs: Vec<_> =
        variables(id, way).into_iter().map(|(name, value)| format!("{name} = {}", quoted(&value))).collect();
    format!("[agents.{id}]\nenv = {{ {} }}\n\n", pairs.join(", "))
}
