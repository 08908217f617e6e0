//! Answers to our requests.

use serde_json::Value;
use serde_json::value::RawValue;

use super::{flag, list, marker, take, take_text, text, value_of};

/// The protocol version an agent answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionView {
    /// A whole number, or one in quotes.
    Number(u64),
    /// Anything else, as it was written.
    Unsupported(String),
}

impl VersionView {
    /// Whether it is the version that we speak.
    pub fn is_ours(&self) -> bool {
        *self == Self::Number(crate::messages::PROTOCOL_VERSION)
    }
}

impl std::fmt::Display for VersionView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Unsupported(written) => f.write_str(written),
        }
    }
}

/// The answer to `initialize`. What an agent does not name it does not support.
#[derive(Debug, Clone, PartialEq)]
pub struct InitializeView {
    /// Check it before anything else.
    pub protocol_version: VersionView,
    /// `session/load`.
    pub load_session: bool,
    /// `session/resume`.
    pub resume: bool,
    /// `session/list`.
    pub list: bool,
    /// `session/close`.
    pub close: bool,
    /// Images in prompts.
    pub image: bool,
    /// Sound in prompts.
    pub audio: bool,
    /// Embedded files in prompts.
    pub embedded_context: bool,
    /// Ways to sign in.
    pub auth_methods: Vec<AuthMethodView>,
    /// The agent's name for people: its title, or else its name.
    pub agent_name: Option<String>,
    /// As the agent says.
    pub agent_version: Option<String>,
    /// Whether prompts sent during a turn queue inside the agent, each with its own answer.
    pub prompt_queueing: bool,
    /// The whole answer.
    pub raw: Value,
}

/// A way to sign in.
#[derive(Debug, Clone, PartialEq)]
pub struct AuthMethodView {
    /// For `authenticate`.
    pub id: String,
    /// For people.
    pub name: String,
    /// For people.
    pub description: Option<String>,
    /// `agent` where the agent says nothing; others are `terminal` and what may come.
    pub kind: String,
    /// The whole entry.
    pub raw: Value,
}

/// Reads the answer to `initialize`.
pub fn view_initialize(result: &RawValue) -> InitializeView {
    let raw = value_of(result);
    let capabilities = &raw["agentCapabilities"];
    let (session, prompt) = (&capabilities["sessionCapabilities"], &capabilities["promptCapabilities"]);
    let info = &raw["agentInfo"];
    InitializeView {
        protocol_version: version(&raw["protocolVersion"]),
        load_session: flag(capabilities, "loadSession"),
        resume: marker(session, "resume"),
        list: marker(session, "list"),
        close: marker(session, "close"),
        image: flag(prompt, "image"),
        audio: flag(prompt, "audio"),
        embedded_context: flag(prompt, "embeddedContext"),
        auth_methods: list(&raw, "authMethods").filter_map(auth_method).collect(),
        agent_name: text(info, "title").or_else(|| text(info, "name")),
        agent_version: text(info, "version"),
        prompt_queueing: prompt_queueing(&raw, capabilities),
        raw,
    }
}

fn version(written: &Value) -> VersionView {
    let number = written.as_u64().or_else(|| written.as_str()?.parse().ok());
    match (number, written) {
        (Some(number), _) => VersionView::Number(number),
        (None, Value::Null) => VersionView::Unsupported("none".to_owned()),
        (None, Value::String(text)) => VersionView::Unsupported(text.clone()),
        (None, other) => VersionView::Unsupported(other.to_string()),
    }
}

/// An extension of the adapters; they put it on the answer or on the capabilities.
fn prompt_queueing(answer: &Value, capabilities: &Value) -> bool {
    [answer, capabilities].iter().any(|holder| holder["_meta"]["claudeCode"]["promptQueueing"] == true)
}

fn auth_method(entry: &Value) -> Option<AuthMethodView> {
    let id = text(entry, "id")?;
    Some(AuthMethodView {
        name: text(entry, "name").unwrap_or_else(|| id.clone()),
        description: text(entry, "description"),
        kind: text(entry, "type").unwrap_or_else(|| "agent".to_owned()),
        raw: entry.clone(),
        id,
    })
}

/// The answer to `session/new`, `load` and `resume`.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionView {
    /// Only in the answer to `session/new`.
    pub session_id: Option<String>,
    /// A list, in the agent's order. Where it is present, `modes` and `models` do not count.
    pub config_options: Option<Value>,
    /// `{currentModeId, availableModes}`, the older form.
    pub modes: Option<Value>,
    /// `{currentModelId, availableModels}`, in no schema any more.
    pub models: Option<Value>,
    /// The whole answer.
    pub raw: Value,
}

/// Reads the answer to `session/new`, `load` or `resume`; `null` and `{}` are fine.
pub fn view_session(result: &RawValue) -> SessionView {
    let raw = value_of(result);
    let mut parts = raw.clone();
    SessionView {
        session_id: take_text(&mut parts, "sessionId"),
        config_options: take(&mut parts, "configOptions").filter(Value::is_array),
        modes: take(&mut parts, "modes").filter(Value::is_object),
        models: take(&mut parts, "models").filter(Value::is_object),
        raw,
    }
}

/// Reads the answer to `session/set_config_option`: the whole new list. `None` where the agent sent none.
pub fn view_config_options(result: &RawValue) -> Option<Value> {
    take(&mut value_of(result), "configOptions").filter(Value::is_array)
}

/// The answer to `session/prompt`.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptResult {
    /// As the agent wrote it; unknown ones end a turn like any other.
    pub stop_reason: Option<String>,
    /// Token counts, where the agent reports them.
    pub usage: Option<Value>,
    /// Extensions.
    pub meta: Option<Value>,
}

/// Reads the answer to `session/prompt`.
pub fn view_prompt_result(result: &RawValue) -> PromptResult {
    let mut parts = value_of(result);
    PromptResult {
        stop_reason: take_text(&mut parts, "stopReason"),
        usage: take(&mut parts, "usage"),
        meta: take(&mut parts, "_meta"),
    }
}
