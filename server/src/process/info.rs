//! `daemon.json`: where the daemon of a data directory is. Written when it is ready, removed on a clean stop.

use std::path::Path;
use std::{fs, io};

use drover_domain::Timestamp;
use serde::{Deserialize, Serialize};

use super::private;

/// What others need to find a daemon. Holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DaemonInfo {
    /// Its process.
    pub(crate) pid: u32,
    /// Its port on loopback.
    pub(crate) port: u16,
    /// Its address for browsers.
    pub(crate) url: String,
    /// Names its database.
    pub(crate) instance_id: String,
    /// Its version.
    pub(crate) version: String,
    /// When it was ready.
    pub(crate) started_at: Timestamp,
}

impl DaemonInfo {
    /// What the file says; `None` where there is none that can be read.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        private::replace(path, &serde_json::to_vec_pretty(self)?)
    }

    /// Removes the file, if it is still this daemon's.
    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        if Self::read(path).is_some_and(|info| info.pid == self.pid) {
            fs::remove_file(path)?;
        }
        Ok(())
    }
}
