//! What an agent asks the user.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::update::ToolFields;
use super::{list, text, value_of};
use crate::PeerId;

/// A permission request: to be shown verbatim, every option, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct PermissionView {
    /// Whose.
    pub session_id: Option<String>,
    /// The tool call it is about; it may never have been announced.
    pub tool: ToolFields,
    /// As the agent offers them; may be empty.
    pub options: Vec<OptionView>,
    /// The whole request.
    pub raw: Value,
}

/// One answer that the agent offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionView {
    /// Goes back exactly. The only thing to tell options apart: names and kinds repeat.
    pub id: String,
    /// For people; the id where the agent gave none.
    pub name: String,
    /// `allow_once` and the like, or anything; empty where the agent gave none.
    pub kind: String,
}

/// Reads a permission request.
pub fn view_permission(params: &RawValue) -> PermissionView {
    let raw = value_of(params);
    PermissionView {
        session_id: text(&raw, "sessionId"),
        tool: ToolFields::of(raw["toolCall"].clone()),
        options: list(&raw, "options").filter_map(option).collect(),
        raw,
    }
}

fn option(entry: &Value) -> Option<OptionView> {
    let id = text(entry, "optionId")?;
    let name = text(entry, "name").unwrap_or_else(|| id.clone());
    Some(OptionView { name, kind: text(entry, "kind").unwrap_or_default(), id })
}

/// An elicitation: a form to fill in or a page to open.
#[derive(Debug, Clone, PartialEq)]
pub struct ElicitationView {
    /// Whose; `None` for one that belongs to a request, such as a login.
    pub session_id: Option<String>,
    /// The tool call it is about, if any.
    pub tool_call_id: Option<String>,
    /// `form`, `url` or what may come; `form` where the agent says nothing but sends a schema.
    pub mode: String,
    /// For people.
    pub message: String,
    /// The form's fields, as a JSON schema.
    pub requested_schema: Option<Value>,
    /// The page.
    pub url: Option<String>,
    /// Named again by `elicitation/complete`.
    pub elicitation_id: Option<String>,
    /// The whole request.
    pub raw: Value,
}

/// Reads an elicitation.
pub fn view_elicitation(params: &RawValue) -> ElicitationView {
    let raw = value_of(params);
    let requested_schema = raw.get("requestedSchema").filter(|schema| schema.is_object()).cloned();
    let implied = if requested_schema.is_some() { "form" } else { "" };
    ElicitationView {
        session_id: text(&raw, "sessionId"),
        tool_call_id: text(&raw, "toolCallId"),
        mode: text(&raw, "mode").unwrap_or_else(|| implied.to_owned()),
        message: text(&raw, "message").unwrap_or_default(),
        requested_schema,
        url: text(&raw, "url"),
        elicitation_id: text(&raw, "elicitationId"),
        raw,
    }
}

/// Reads `elicitation/complete`: which elicitation is done.
pub fn view_elicitation_complete(params: &RawValue) -> Option<String> {
    text(&value_of(params), "elicitationId")
}

/// Reads `$/cancel_request`: which of its requests the agent does not need answered any more. (It still must be.)
pub fn view_cancel_request(params: &RawValue) -> Option<PeerId> {
    #[derive(Deserialize)]
    struct CancelRequest<'a> {
        #[serde(borrow, rename = "requestId")]
        request_id: &'a RawValue,
    }
    let cancelled: CancelRequest<'_> = serde_json::from_str(params.get()).ok()?;
    PeerId::from_json(cancelled.request_id.get())
}
