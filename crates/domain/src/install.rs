//! Installations of agents that Drover manages: what would be run, and how far it is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{TaskId, Timestamp};

/// How Drover installs an agent, shown before it does, and what it has installed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Install {
    /// The npm package.
    pub package: String,
    /// The exact version that would be installed.
    pub version: String,
    /// Who publishes it.
    pub publisher: String,
    /// Under which terms, what it carries included.
    pub license: String,
    /// Bytes on disk, about.
    pub bytes: u64,
    /// What would be run, as a line for people.
    pub command: String,
    /// The Node.js that would be installed beside it first, where the machine's is too old or missing.
    pub node: Option<NodeNeed>,
    /// Why it cannot be installed now, and what to do; a sentence.
    pub blocked: Option<String>,
    /// The versions that are installed, newest first.
    pub versions: Vec<String>,
    /// Which of them is used.
    pub current: Option<String>,
    /// A newer version than the used one can be installed.
    pub update: bool,
    /// How far the installation that goes on is.
    pub running: Option<InstallStep>,
    /// Why the last one failed; gone with the next try.
    pub failure: Option<InstallFailure>,
}

/// A Node.js that an installation brings along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NodeNeed {
    /// The oldest version that the agent runs under.
    pub floor: String,
    /// The machine's own version, if it has one.
    pub have: Option<String>,
    /// The npm packages, with their versions.
    pub packages: Vec<String>,
    /// Bytes on disk, about.
    pub bytes: u64,
}

/// Where an installation is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstallStep {
    /// Which step, from 1.
    pub step: u32,
    /// Of how many.
    pub of: u32,
    /// What is done in it.
    pub doing: StepKind,
    /// Bytes on disk so far in this step.
    pub bytes: u64,
    /// Bytes that are expected in this step, about; 0 where there are none to count.
    pub expected: u64,
}

/// What is done in a step of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    /// Another installation goes first.
    Waiting,
    /// Node.js and npm are installed beside it.
    Node,
    /// The package is installed.
    Package,
    /// The agent is started once and asked what it can do.
    Verify,
}

/// Why an installation failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstallFailure {
    /// What to branch on: `npm_missing`, `node_too_old`, `no_space`, `not_writable`, `registry_away`, `registry_refused`,
    /// `not_in_registry`, `integrity`, `platform_missing`, `wrong_version`, `does_not_start`, `npm_failed`, `interrupted`
    /// or `internal`.
    pub code: String,
    /// What happened and what to do; sentences.
    pub message: String,
    /// The last lines of what npm or the agent said, without secrets.
    pub detail: Option<String>,
}

/// A process of an agent that runs now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentProcess {
    /// The task that it works for.
    pub task_id: TaskId,
    /// Its number.
    pub pid: u32,
    /// Its command line.
    pub command: String,
    /// Bytes of memory that it and all it started hold.
    pub rss_bytes: u64,
    /// When it was started.
    pub started_at: Timestamp,
    /// Which installed version it runs; `None`: the user's own program.
    pub version: Option<String>,
}
