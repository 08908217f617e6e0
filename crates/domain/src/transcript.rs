//! The parts of one assistant message, made from what the agent sends, in wire order (lifecycle rules 7 and 17).

use std::collections::HashMap;
use std::mem;

use serde_json::Value;

use crate::Part;
use crate::blob::own_keys;
use crate::message::{FilePart, Notice, Plan, ToolCall};

mod upsert;

pub use upsert::CompactionPatch;

/// What an agent sends into a message.
#[expect(clippy::large_enum_variant, reason = "one is made and taken apart at a time")]
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A piece of its answer.
    Text {
        /// The piece, as it came.
        text: String,
        /// The agent's id for the message it belongs to.
        message_id: Option<String>,
    },
    /// A piece of a thought.
    Thought {
        /// The piece, as it came.
        text: String,
        /// The agent's id for the message it belongs to.
        message_id: Option<String>,
    },
    /// What a `tool_call`, a `tool_call_update` or a permission's `toolCall` says of a tool call.
    Tool(ToolPatch),
    /// The whole plan, in place of the one of the same id.
    Plan(Plan),
    /// The plan of this id is taken back.
    PlanRemoved {
        /// The agent's id for it.
        plan_id: String,
    },
    /// Something beside the answer, in place of the one of the same id.
    Notice(Notice),
    /// The context becomes shorter.
    Compaction(CompactionPatch),
    /// A picture or another file.
    File {
        /// Whether it is a picture.
        image: bool,
        /// The file.
        file: FilePart,
    },
    /// What this version does not know.
    Unknown {
        /// The update as it came.
        raw: Value,
    },
    /// What went wrong.
    Error {
        /// See [`Part::Error`].
        code: String,
        /// One sentence.
        message: String,
        /// More.
        detail: Option<Value>,
    },
}

/// A member of a patch: absent keeps, null clears.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Field<T> {
    /// It was not sent.
    #[default]
    Absent,
    /// It was null.
    Null,
    /// It has a value, which may be empty.
    Set(T),
}

/// What an update says of a tool call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolPatch {
    /// The agent's id for the call.
    pub id: String,
    /// `title`.
    pub title: Field<String>,
    /// `kind`.
    pub kind: Field<String>,
    /// `status`.
    pub status: Field<String>,
    /// `content`, in the agent's form ([`crate::blob`]).
    pub content: Field<Value>,
    /// `locations`.
    pub locations: Field<Value>,
    /// `rawInput`, in the agent's form.
    pub raw_input: Field<Value>,
    /// `rawOutput`, in the agent's form.
    pub raw_output: Field<Value>,
}

/// What became of the parts. Applied in order to the parts before, the changes give the parts after.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// A part was put at the end. A text or thought part holds its first text already.
    Open {
        /// Its place, which is the number of parts before it.
        index: usize,
        /// The part.
        part: Part,
    },
    /// Text was added at the end of the text or thought part at `index`, always the last part. A part that was closed is
    /// open again: late text.
    Append {
        /// The place of the part.
        index: usize,
        /// What was added, never empty.
        text: String,
    },
    /// The text or thought part at `index` is whole. Comes before whatever ends it.
    Close {
        /// The place of the part.
        index: usize,
    },
    /// The part at `index`, of a kind that is not streamed, became this.
    Replace {
        /// The place of the part.
        index: usize,
        /// The part as it is now.
        part: Part,
    },
}

/// What becomes of tool calls that are open when a message is settled (rule 17).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolEnd {
    /// They count as stopped: the run ended and its agent lives.
    Stopped,
    /// Nobody knows whether they happened: the agent or the daemon died.
    UnknownOutcome,
    /// They stay open.
    Keep,
}

/// The parts of one message.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    parts: Vec<Part>,
    tools: HashMap<String, usize>,
    /// Whether the last part is a text or thought part that was not closed.
    open: bool,
    tail: Tail,
}

/// What the next chunk must be to extend the last part, where that is a text or thought part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Tail {
    /// Nothing extends it.
    #[default]
    Ended,
    /// A chunk of any message id does: the part was read from the store, which keeps no ids.
    Any,
    /// A chunk of this message id, or of none, does. Without an id, only one of none does.
    Of(Option<String>),
}

impl Tail {
    // "The same messageId, or none" (rule 7) settles all cases but one: an id after none. ACP says that a new id is a new
    // message, and agents put notices without an id before answers that have one, so this opens a part.
    fn takes(&self, message_id: Option<&str>) -> bool {
        match self {
            Self::Ended => false,
            Self::Any => true,
            Self::Of(own) => message_id.is_none() || own.as_deref() == message_id,
        }
    }
}

impl ToolPatch {
    /// Reads a `tool_call`, a `tool_call_update` or a permission's `toolCall`; `None` without a `toolCallId`. A member of
    /// the wrong type counts as absent.
    pub fn read(update: &Value) -> Option<Self> {
        let text = |key: &str| match update.get(key) {
            Some(Value::String(text)) => Field::Set(text.clone()),
            Some(Value::Null) => Field::Null,
            _ => Field::Absent,
        };
        let any = |key: &str| match update.get(key) {
            None => Field::Absent,
            Some(Value::Null) => Field::Null,
            Some(value) => Field::Set(value.clone()),
        };
        Some(Self {
            id: update.get("toolCallId")?.as_str()?.to_owned(),
            title: text("title"),
            kind: text("kind"),
            status: text("status"),
            content: any("content"),
            locations: any("locations"),
            raw_input: any("rawInput"),
            raw_output: any("rawOutput"),
        })
    }

    /// Whether it says nothing but the id.
    pub fn is_bare(&self) -> bool {
        *self == Self { id: self.id.clone(), ..Self::default() }
    }

    fn apply_to(self, call: &mut ToolCall) {
        set_or(self.title, &mut call.title, String::new);
        set_option(self.kind, &mut call.kind);
        set_status(self.status, call);
        set_or(map(self.content, |value| own_keys(list(value))), &mut call.content, empty_list);
        set_or(map(self.locations, list), &mut call.locations, empty_list);
        set_option(map(self.raw_input, own_keys), &mut call.raw_input);
        set_option(map(self.raw_output, own_keys), &mut call.raw_output);
    }
}

impl Transcript {
    /// Of a message without any part.
    pub fn new() -> Self {
        Self::default()
    }

    /// Of a message that has parts already, in the stored form. Late text goes on in a last text part.
    pub fn from_parts(parts: Vec<Part>) -> Self {
        let tools = parts.iter().enumerate().filter_map(|(index, part)| match part {
            Part::ToolCall(call) => Some((call.tool_call_id.clone(), index)),
            _ => None,
        });
        Self { tools: tools.collect(), open: false, tail: Tail::Any, parts }
    }

    /// The parts so far.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether there is no part.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether the agent said anything: there is a text part with text in it.
    pub fn has_text(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Text { text } if !text.is_empty()))
    }

    /// Whether there is a tool call of this id.
    pub fn knows_tool(&self, id: &str) -> bool {
        self.tools.contains_key(id)
    }

    /// The tool call of this id.
    pub fn tool(&self, id: &str) -> Option<&ToolCall> {
        match self.parts.get(*self.tools.get(id)?)? {
            Part::ToolCall(call) => Some(call),
            _ => None,
        }
    }

    /// Whether a tool call may still change by itself.
    pub fn has_open_tool(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::ToolCall(call) if call.is_open()))
    }

    /// Takes in what the agent sent.
    pub fn apply(&mut self, content: Content) -> Vec<Change> {
        match content {
            Content::Text { text, message_id } => self.stream(Part::Text { text }, message_id),
            Content::Thought { text, message_id } => self.stream(Part::Thought { text }, message_id),
            Content::Tool(patch) => self.patch(patch),
            Content::Plan(plan) => self.upsert(Part::Plan(plan)),
            Content::PlanRemoved { plan_id } => self.remove_plan(&plan_id),
            Content::Notice(notice) => self.upsert(Part::Notice(notice)),
            Content::Compaction(patch) => self.compact(patch),
            Content::File { image: true, file } => self.push(Part::Image(file)),
            Content::File { image: false, file } => self.push(Part::File(file)),
            Content::Unknown { raw } => self.push(Part::Unknown { raw }),
            Content::Error { code, message, detail } => self.push(Part::Error { code, message, detail }),
        }
    }

    /// Ends the message for now: closes an open text part and settles open tool calls.
    pub fn settle(&mut self, end: ToolEnd) -> Vec<Change> {
        let mut changes = self.close();
        for (index, part) in self.parts.iter_mut().enumerate() {
            let Part::ToolCall(call) = part else { continue };
            if !call.is_open() {
                continue;
            }
            match end {
                ToolEnd::Stopped => call.status = Some("stopped".to_owned()),
                ToolEnd::UnknownOutcome => call.unknown_outcome = true,
                ToolEnd::Keep => continue,
            }
            changes.push(Change::Replace { index, part: part.clone() });
        }
        changes
    }

    fn stream(&mut self, chunk: Part, message_id: Option<String>) -> Vec<Change> {
        let last = self.parts.len().saturating_sub(1);
        match (self.parts.last_mut(), chunk) {
            (_, Part::Text { text } | Part::Thought { text }) if text.is_empty() => Vec::new(),
            (Some(Part::Text { text: whole }), Part::Text { text })
            | (Some(Part::Thought { text: whole }), Part::Thought { text })
                if self.tail.takes(message_id.as_deref()) =>
            {
                whole.push_str(&text);
                self.open = true;
                if self.tail == Tail::Any {
                    self.tail = Tail::Of(message_id);
                }
                vec![Change::Append { index: last, text }]
            }
            (_, chunk) => {
                let changes = self.push(chunk);
                self.open = true;
                self.tail = Tail::Of(message_id);
                changes
            }
        }
    }

    fn patch(&mut self, patch: ToolPatch) -> Vec<Change> {
        let Some(&index) = self.tools.get(&patch.id) else {
            if patch.is_bare() {
                return Vec::new();
            }
            let mut call = ToolCall {
                tool_call_id: patch.id.clone(),
                content: empty_list(),
                locations: empty_list(),
                ..ToolCall::default()
            };
            self.tools.insert(patch.id.clone(), self.parts.len());
            patch.apply_to(&mut call);
            return self.push(Part::ToolCall(call));
        };
        let mut changes = self.interrupt();
        if let Some(Part::ToolCall(call)) = self.parts.get_mut(index) {
            let before = call.clone();
            patch.apply_to(call);
            if *call != before {
                changes.push(Change::Replace { index, part: Part::ToolCall(call.clone()) });
            }
        }
        changes
    }

    fn push(&mut self, part: Part) -> Vec<Change> {
        let mut changes = self.close();
        self.tail = Tail::Ended;
        changes.push(Change::Open { index: self.parts.len(), part: part.clone() });
        self.parts.push(part);
        changes
    }

    /// Something came that changes an earlier part. It stands between two chunks without an id, which are then not
    /// consecutive. Chunks of one id are one message whatever comes between, and while no part opens, they go on in theirs.
    fn interrupt(&mut self) -> Vec<Change> {
        if self.tail != Tail::Of(None) {
            return Vec::new();
        }
        self.tail = Tail::Ended;
        self.close()
    }

    fn close(&mut self) -> Vec<Change> {
        if mem::take(&mut self.open) { vec![Change::Close { index: self.parts.len() - 1 }] } else { Vec::new() }
    }
}

/// A last status stays: what comes after `completed` and says `in_progress` was overtaken on its way (an agent's bug),
/// and what comes after we showed a call as stopped must not make it look busy for ever. Another last status corrects it.
fn set_status(status: Field<String>, call: &mut ToolCall) {
    let ended = call.status.as_deref().is_some_and(ToolCall::is_last_status);
    match status {
        Field::Set(status) if !(ended && matches!(status.as_str(), "pending" | "in_progress")) => {
            call.unknown_outcome &= !ToolCall::is_last_status(&status);
            call.status = Some(status);
        }
        Field::Null if !ended => call.status = None,
        _ => {}
    }
}

fn set_or<T>(field: Field<T>, slot: &mut T, cleared: impl FnOnce() -> T) {
    match field {
        Field::Absent => {}
        Field::Null => *slot = cleared(),
        Field::Set(value) => *slot = value,
    }
}

fn set_option<T>(field: Field<T>, slot: &mut Option<T>) {
    match field {
        Field::Absent => {}
        Field::Null => *slot = None,
        Field::Set(value) => *slot = Some(value),
    }
}

fn map<T, U>(field: Field<T>, with: impl FnOnce(T) -> U) -> Field<U> {
    match field {
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Set(value) => Field::Set(with(value)),
    }
}

const fn empty_list() -> Value {
    Value::Array(Vec::new())
}

/// A list where the schema wants one: an agent that sent a single item meant a list of it.
fn list(value: Value) -> Value {
    if value.is_array() { value } else { Value::Array(vec![value]) }
}

#[cfg(test)]
mod tests;
