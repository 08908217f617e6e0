//! Agents of the catalogue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub use crate::install::{AgentProcess, Install, InstallFailure, InstallStep, NodeNeed, StepKind};

use crate::{AgentId, Timestamp};

/// A program that speaks the Agent Client Protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Agent {
    /// Its id.
    pub id: AgentId,
    /// What people call it.
    pub name: String,
    /// A sentence about it.
    pub description: Option<String>,
    /// Where the entry comes from.
    pub source: AgentSource,
    /// Whether it can be used.
    pub state: AgentState,
    /// Its version, where known.
    pub version: Option<String>,
    /// What is missing and what to do about it.
    pub hint: Option<String>,
    /// How far an installation is, from 0 to 1; its steps are in `install.running`.
    pub progress: Option<f64>,
    /// What is started; `None` where nothing can be.
    pub found: Option<Found>,
    /// How Drover installs it; `None` where it does not.
    pub install: Option<Box<Install>>,
    /// What is known of it, in the languages of the page.
    pub notes: Vec<AgentNote>,
    /// What it said of itself when last started, as it came.
    #[schema(value_type = Option<Object>)]
    pub capabilities: Option<Value>,
    /// The ways to log in that it offered when last started; null while it was not.
    pub auth_methods: Option<Vec<AuthMethod>>,
    /// Whether it can be logged out.
    pub can_log_out: bool,
    /// Whose account it uses, in its own words, where it tells.
    pub account: Option<String>,
    /// The login that goes on, or the last one since the daemon was started.
    pub login: Option<Login>,
    /// It asks for nothing, in no mode.
    pub never_asks: bool,
    /// Modes in which it acts without asking, as far as is known: by the mode's id, what it does then.
    pub unasked: BTreeMap<String, Unasked>,
    /// What of its environment decides whose account it uses and how it logs in, by name: never a value.
    pub variables: Vec<AgentVariable>,
}

/// A variable of an agent's environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentVariable {
    /// Its name.
    pub name: String,
    /// Why it is told.
    pub kind: VariableKind,
    /// Whether the agent gets it. `block` stands for a name in `unset` of agents.toml.
    pub policy: VariablePolicy,
    /// Whether there is such a variable to pass: in the login shell's environment, the daemon's, or agents.toml.
    pub present: bool,
}

/// Why a variable is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariableKind {
    /// A key, token or account of a model's provider, by its name.
    Key,
    /// What the machine offers for logging in: a display, a browser, ssh.
    Surroundings,
    /// Set by `env` of agents.toml.
    Set,
    /// Blocked by `unset` of agents.toml, and none of the others.
    Other,
}

/// Whether an agent gets a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VariablePolicy {
    /// It gets it.
    Pass,
    /// It does not, from its next start on.
    Block,
}

/// Something that was seen of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentNote {
    /// It works; else it is otherwise than with other agents, and the note says what Drover does about it.
    pub works: bool,
    /// In English.
    pub en: String,
    /// In Chinese.
    pub zh: String,
}

/// Where an agent's program was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Found {
    /// The file.
    pub path: String,
    /// The version that Drover installed, where it is one of those; `None`: the user's own.
    pub managed: Option<String>,
}

/// A way to log in, as an agent offers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuthMethod {
    /// The agent's id for it.
    pub id: String,
    /// The agent's name for it.
    pub name: String,
    /// The agent's words about it.
    pub description: Option<String>,
    /// What it takes.
    pub kind: AuthKind,
    /// Variables that it reads, where it is one of those.
    pub vars: Vec<String>,
}

/// What a way to log in takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthKind {
    /// The agent does it when asked.
    Agent,
    /// The agent's own program, in a terminal.
    Terminal,
    /// The user sets variables in the agent's environment.
    EnvVar,
    /// Something that Drover does not know.
    Unsupported,
}

/// A login.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Login {
    /// How.
    pub method_id: String,
    /// Whether there is a terminal.
    pub terminal: bool,
    /// How far it is.
    pub state: LoginState,
    /// Why it failed.
    pub detail: Option<String>,
    /// A page that the agent asks the user to open, with its words about it.
    pub page: Option<LoginPage>,
    /// When it began.
    pub started_at: Timestamp,
}

/// A page that an agent asks the user to open in order to log in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LoginPage {
    /// The agent's words.
    pub message: String,
    /// Its address, as the agent wrote it.
    pub url: String,
}

/// How far a login is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoginState {
    /// It goes on.
    Running,
    /// The agent said that it worked.
    Succeeded,
    /// It did not.
    Failed,
    /// The user ended it, or left it alone.
    Cancelled,
}

/// What an agent does in a mode without asking the user first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unasked {
    /// Whatever it wants.
    Everything,
    /// What a model finds harmless.
    Judged,
    /// Changes of files.
    Edits,
    /// What stays inside the project; leaving it is asked for.
    Sandbox,
}

/// Where an entry of the catalogue comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentSource {
    /// Known to this version.
    Builtin,
    /// From the public registry.
    Registry,
    /// From agents.toml.
    Custom,
}

/// Whether an agent can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentState {
    /// It was found.
    Ready,
    /// It was not found.
    NotInstalled,
    /// It is being installed.
    Installing,
    /// It wants the user to log in.
    NeedsLogin,
    /// Its entry cannot be used.
    Broken,
}
