//! What daemon and keeper say to each other: JSON lines over a socket pair. The first line is the [`Spec`]; it goes
//! over the socket because an environment may hold secrets, and command lines are readable by everyone.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use serde::{Deserialize, Serialize};

use crate::Exit;

/// Names the descriptor of the keeper's end in its environment.
pub(super) const CONTROL_VARIABLE: &str = "DROVER_KEEPER_CONTROL";

/// What the keeper is to start. Standard streams are those it was started with.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Spec {
    pub(super) command: Bytes,
    pub(super) args: Vec<Bytes>,
    /// The whole environment, the mark included.
    pub(super) env: Vec<(Bytes, Bytes)>,
    pub(super) cwd: Bytes,
    /// Finds what the agent leaves behind.
    pub(super) mark: String,
}

/// What the keeper reports.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// The agent runs, under this number.
    Started(u32),
    /// The agent could not be started: the system's error number and text.
    Failed { errno: Option<i32>, message: String },
    /// The agent's process ended. Its descendants may live on for the rest of the ladder.
    Exited(Exit),
    /// All is gone, but for this many that hang in the kernel. The last report.
    Gone { left: usize },
}

/// A system string, which need not be UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Bytes {
    Text(String),
    Raw(Vec<u8>),
}

impl From<OsString> for Bytes {
    fn from(system: OsString) -> Self {
        match system.into_string() {
            Ok(text) => Self::Text(text),
            Err(system) => Self::Raw(system.into_vec()),
        }
    }
}

impl From<Bytes> for OsString {
    fn from(bytes: Bytes) -> Self {
        match bytes {
            Bytes::Text(text) => text.into(),
            Bytes::Raw(raw) => Self::from_vec(raw),
        }
    }
}

/// A message as a line.
pub(super) fn line(message: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_strings_survive() {
        for bytes in [&b"plain"[..], b"\xff\xfe", "é".as_bytes(), b""] {
            let system = OsString::from_vec(bytes.to_vec());
            let json = serde_json::to_string(&Bytes::from(system.clone())).unwrap();
            assert_eq!(OsString::from(serde_json::from_str::<Bytes>(&json).unwrap()), system);
        }
    }
}
