//! `session/update`: everything an agent tells about a session.

use serde_json::Value;
use serde_json::value::RawValue;

use super::content::ContentView;
use super::{Patch, patch, patch_text, take, take_text, value_of};

/// The parameters of a `session/update`.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateParams {
    /// Whose. A subagent's updates carry the child's id.
    pub session_id: Option<String>,
    /// What.
    pub update: UpdateView,
    /// Extensions beside the update.
    pub meta: Option<Value>,
}

/// An update. What an agent says beyond the named fields stands in `raw` or `meta`.
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateView {
    /// What the user said: an echo, a replay, or something the agent puts into the user's mouth.
    UserChunk(Chunk),
    /// A piece of the answer.
    AgentChunk(Chunk),
    /// A piece of thinking.
    ThoughtChunk(Chunk),
    /// A tool call begins, or is told anew.
    ToolCall(ToolFields),
    /// A tool call changes. Agents also send it for calls that never began.
    ToolCallUpdate(ToolFields),
    /// The plan, whole.
    Plan {
        /// A list of `{content, priority, status}`.
        entries: Value,
        /// The whole update.
        raw: Value,
    },
    /// One of several plans, whole.
    PlanUpdate(Value),
    /// One of several plans is gone.
    PlanRemoved(Value),
    /// The slash commands, whole list.
    Commands(Value),
    /// The current mode, where there are no config options.
    Mode(String),
    /// The config options, whole list.
    ConfigOptions(Value),
    /// About the session itself.
    SessionInfo(SessionInfo),
    /// How full the context window is: `{used, size, cost}`, any of which may be missing, null or a float.
    Usage(Value),
    /// Something the agent says outside of the answer.
    Notice {
        /// `info`, `warning`, `error` or anything.
        severity: Option<String>,
        /// One line.
        title: Option<String>,
        /// More.
        description: Option<String>,
        /// The whole update.
        raw: Value,
    },
    /// The context is being shortened: `{compactionId, status, summary, error}`.
    Compaction(Value),
    /// A piece of the summary that replaces the context.
    CompactionSummaryChunk {
        /// The piece.
        content: ContentView,
        /// The whole update.
        raw: Value,
    },
    /// A subagent begins or changes.
    Subagent(SubagentView),
    /// A message, or a piece of one, between sessions.
    SessionMessage(Value),
    /// A kind that we do not know, or a known one without what makes it one: its name and all of it.
    Other(String, Value),
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// What.
    pub content: ContentView,
    /// The message it belongs to; a new id begins a new message.
    pub message_id: Option<String>,
    /// Extensions.
    pub meta: Option<Value>,
}

/// The fields of a tool call that an update sets. Absent ones keep what they were.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolFields {
    /// Unique within the session.
    pub id: Option<String>,
    /// For people; the first one is often a placeholder.
    pub title: Patch<String>,
    /// The tool's own name, where the agent tells it.
    pub name: Patch<String>,
    /// `read`, `edit`, `execute` and so on, or anything.
    pub kind: Patch<String>,
    /// `pending`, `in_progress`, `completed`, `failed`, or anything.
    pub status: Patch<String>,
    /// The whole list of what to show.
    pub content: Patch<Value>,
    /// The whole list of `{path, line}`.
    pub locations: Patch<Value>,
    /// What the tool was given.
    pub raw_input: Patch<Value>,
    /// What the tool gave.
    pub raw_output: Patch<Value>,
    /// Extensions; some agents put a command's output here and nowhere else.
    pub meta: Option<Value>,
    /// What else was there, if anything.
    pub rest: Option<Value>,
}

impl ToolFields {
    /// Reads the members of a tool call.
    pub fn of(mut fields: Value) -> Self {
        let object = &mut fields;
        let tool = Self {
            id: take_text(object, "toolCallId"),
            title: patch_text(object, "title"),
            name: patch_text(object, "name"),
            kind: patch_text(object, "kind"),
            status: patch_text(object, "status"),
            content: patch(object, "content"),
            locations: patch(object, "locations"),
            raw_input: patch(object, "rawInput"),
            raw_output: patch(object, "rawOutput"),
            meta: take(object, "_meta"),
            rest: None,
        };
        Self { rest: rest_of(fields), ..tool }
    }
}

/// What is left of an object whose known members were taken out.
fn rest_of(mut fields: Value) -> Option<Value> {
    let object = fields.as_object_mut()?;
    object.retain(|key, value| key != "sessionUpdate" && !value.is_null());
    (!object.is_empty()).then_some(fields)
}

/// A patch of what is known about a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionInfo {
    /// The agent's title for it.
    pub title: Patch<String>,
    /// When it was last used, as the agent says; not to be trusted.
    pub updated_at: Patch<Value>,
    /// Extensions.
    pub meta: Option<Value>,
    /// The whole update.
    pub raw: Value,
}

/// A subagent: a session of its own, whose updates come over the same connection.
#[derive(Debug, Clone, PartialEq)]
pub struct SubagentView {
    /// The child's session id.
    pub session_id: Option<String>,
    /// For people.
    pub title: Patch<String>,
    /// For people.
    pub description: Patch<String>,
    /// `{type: "running" | "idle" | …}`.
    pub state: Patch<Value>,
    /// The whole update.
    pub raw: Value,
}

/// Reads the parameters of a `session/update`.
pub fn view_update(params: &RawValue) -> UpdateParams {
    let mut params = value_of(params);
    let session_id = take_text(&mut params, "sessionId");
    let meta = take(&mut params, "_meta");
    let update = match params.get_mut("update").map(Value::take) {
        Some(update) => view(update),
        None => UpdateView::Other(String::new(), params),
    };
    UpdateParams { session_id, update, meta }
}

fn view(mut raw: Value) -> UpdateView {
    let Some(kind) = raw["sessionUpdate"].as_str().map(str::to_owned) else {
        return UpdateView::Other(String::new(), raw);
    };
    match kind.as_str() {
        "user_message_chunk" => chunk(kind, raw, UpdateView::UserChunk),
        "agent_message_chunk" => chunk(kind, raw, UpdateView::AgentChunk),
        "agent_thought_chunk" => chunk(kind, raw, UpdateView::ThoughtChunk),
        "tool_call" => UpdateView::ToolCall(ToolFields::of(raw)),
        "tool_call_update" => UpdateView::ToolCallUpdate(ToolFields::of(raw)),
        "plan" if raw["entries"].is_array() => UpdateView::Plan { entries: raw["entries"].clone(), raw },
        "plan_update" => UpdateView::PlanUpdate(raw),
        "plan_removed" => UpdateView::PlanRemoved(raw),
        "available_commands_update" => member(kind, raw, "availableCommands", UpdateView::Commands),
        "config_option_update" => member(kind, raw, "configOptions", UpdateView::ConfigOptions),
        "current_mode_update" => match take_text(&mut raw, "currentModeId") {
            Some(mode) => UpdateView::Mode(mode),
            None => UpdateView::Other(kind, raw),
        },
        "session_info_update" => UpdateView::SessionInfo(session_info(raw)),
        "usage_update" => UpdateView::Usage(raw),
        "notice" => notice(raw),
        "compaction_update" => UpdateView::Compaction(raw),
        "compaction_summary_chunk" if !raw["content"].is_null() => {
            UpdateView::CompactionSummaryChunk { content: ContentView::of(raw["content"].clone()), raw }
        }
        "subagent_update" => UpdateView::Subagent(subagent(raw)),
        "session_message" | "session_message_chunk" => UpdateView::SessionMessage(raw),
        _ => UpdateView::Other(kind, raw),
    }
}

fn chunk(kind: String, mut raw: Value, of: fn(Chunk) -> UpdateView) -> UpdateView {
    let Some(content) = take(&mut raw, "content") else { return UpdateView::Other(kind, raw) };
    let content = ContentView::of(content);
    of(Chunk { content, message_id: take_text(&mut raw, "messageId"), meta: take(&mut raw, "_meta") })
}

/// A list that an update is about. Without it there is no telling what the agent means.
fn member(kind: String, mut raw: Value, key: &str, of: fn(Value) -> UpdateView) -> UpdateView {
    match raw.get_mut(key) {
        Some(list) if list.is_array() => of(list.take()),
        _ => UpdateView::Other(kind, raw),
    }
}

fn session_info(raw: Value) -> SessionInfo {
    let mut parts = raw.clone();
    SessionInfo {
        title: title(&mut parts),
        updated_at: patch(&mut parts, "updatedAt"),
        meta: take(&mut parts, "_meta"),
        raw,
    }
}

/// A title is a text: a number is no name that somebody gave.
fn title(object: &mut Value) -> Patch<String> {
    match patch(object, "title") {
        Patch::Set(Value::String(title)) => Patch::Set(title),
        Patch::Set(_) | Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
    }
}

fn notice(raw: Value) -> UpdateView {
    let mut parts = raw.clone();
    let mut text = |key| take_text(&mut parts, key);
    UpdateView::Notice { severity: text("severity"), title: text("title"), description: text("description"), raw }
}

fn subagent(raw: Value) -> SubagentView {
    let mut parts = raw.clone();
    SubagentView {
        session_id: take_text(&mut parts, "sessionId"),
        title: patch_text(&mut parts, "title"),
        description: patch_text(&mut parts, "description"),
        state: patch(&mut parts, "state"),
        raw,
    }
}
