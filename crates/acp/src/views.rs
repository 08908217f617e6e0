//! The second pass: what is inside a frame, read leniently.
//!
//! No view fails. What is missing is absent, what is unknown is kept as `Other`, what has the wrong type counts as
//! missing, and the whole value stays at hand as `raw`. So nothing an agent invents loses a message or hides a
//! question.

mod content;
mod failure;
mod permission;
mod session;
mod update;

use serde_json::Value;
use serde_json::value::RawValue;

pub use content::{ContentKind, ContentView};
pub use failure::{FailureView, view_failure, view_thread_status};
pub use permission::{
    ElicitationView, OptionView, PermissionView, view_cancel_request, view_elicitation, view_elicitation_complete,
    view_permission,
};
pub use session::{
    AuthMethodView, InitializeView, PromptResult, SessionView, VersionView, view_config_options, view_initialize,
    view_prompt_result, view_session,
};
pub use update::{Chunk, SessionInfo, SubagentView, ToolFields, UpdateParams, UpdateView, view_update};

/// A field of a patch: left out, set to nothing, or set. The three mean different things (keep, clear, replace).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// Left out: keep what is there.
    #[default]
    Absent,
    /// `null`: clear it.
    Null,
    /// Replace it.
    Set(T),
}

impl<T> Patch<T> {
    /// The new value, if there is one.
    pub fn set(self) -> Option<T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// A view of the new value, if there is one.
    pub fn as_set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Whether it was left out.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// What a field becomes that is `old` now.
    pub fn apply(self, old: Option<T>) -> Option<T> {
        match self {
            Self::Absent => old,
            Self::Null => None,
            Self::Set(value) => Some(value),
        }
    }
}

/// The value behind the raw JSON. Frames were checked for depth, so this fails for nothing that came as a frame;
/// if it did, the text itself is kept.
fn value_of(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| Value::String(raw.get().to_owned()))
}

/// Takes a member out of an object; `null` counts as missing.
fn take(object: &mut Value, key: &str) -> Option<Value> {
    object.get_mut(key).map(Value::take).filter(|value| !value.is_null())
}

fn take_text(object: &mut Value, key: &str) -> Option<String> {
    take(object, key).and_then(into_text)
}

/// A text, or an id that a sloppy agent wrote as a number.
fn into_text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn text(object: &Value, key: &str) -> Option<String> {
    object.get(key).cloned().and_then(into_text)
}

fn flag(object: &Value, key: &str) -> bool {
    object.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// Capability markers: an object (or `true`) means supported; missing, `null` and `false` do not.
fn marker(object: &Value, key: &str) -> bool {
    object.get(key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
}

fn list<'a>(object: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    object.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn patch(object: &mut Value, key: &str) -> Patch<Value> {
    match object.get_mut(key).map(Value::take) {
        None => Patch::Absent,
        Some(Value::Null) => Patch::Null,
        Some(value) => Patch::Set(value),
    }
}

/// A value of another type counts as left out.
fn patch_text(object: &mut Value, key: &str) -> Patch<String> {
    match patch(object, key) {
        Patch::Absent => Patch::Absent,
        Patch::Null => Patch::Null,
        Patch::Set(value) => into_text(value).map_or(Patch::Absent, Patch::Set),
    }
}

#[cfg(test)]
mod tests;
