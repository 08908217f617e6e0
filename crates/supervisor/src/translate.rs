//! From what an agent sends to what a chat is made of.

use drover_acp::views::{Chunk, ContentKind, ContentView, Patch, ToolFields, UpdateView};
use drover_domain::message::{FilePart, Plan};
use drover_domain::place::Kind;
use drover_domain::transcript::{Content, Field, ToolPatch};
use serde_json::{Value, json};

mod beside;
#[cfg(test)]
mod golden;

use beside::{compaction, notice, plan, plan_removed, summary_chunk};

/// What an update adds to a message, with what it is for its place. `None`: it says nothing to a message.
pub(crate) fn content(update: UpdateView) -> Option<(Kind, Content)> {
    match update {
        UpdateView::AgentChunk(chunk) => block(chunk, "agent_message_chunk", false),
        UpdateView::ThoughtChunk(chunk) => block(chunk, "agent_thought_chunk", true),
        UpdateView::ToolCall(fields) if fields.id.is_none() => Some(nameless("tool_call", fields)),
        UpdateView::ToolCallUpdate(fields) if fields.id.is_none() => Some(nameless("tool_call_update", fields)),
        UpdateView::ToolCall(fields) => Some((Kind::ToolCall, Content::Tool(tool(fields)?))),
        UpdateView::ToolCallUpdate(fields) => Some((Kind::ToolUpdate, Content::Tool(tool(fields)?))),
        UpdateView::Plan { entries, .. } => Some((Kind::Content, Content::Plan(Plan::of(entries)))),
        UpdateView::PlanUpdate(raw) => Some((Kind::Content, plan(raw))),
        UpdateView::PlanRemoved(raw) => Some((Kind::Content, plan_removed(raw))),
        UpdateView::Notice { severity, title, description, raw } => {
            Some((Kind::Content, notice(severity, title, description, raw)))
        }
        UpdateView::Compaction(raw) => Some((Kind::Content, compaction(raw))),
        UpdateView::CompactionSummaryChunk { content, raw } => Some((Kind::Content, summary_chunk(&content, raw))),
        UpdateView::UserChunk(chunk) => {
            // Said in the user's name but not by the user: kept as what the agent sent, never as the user's words.
            let raw = json!({ "sessionUpdate": "user_message_chunk", "content": whole(chunk.content), "messageId": chunk.message_id });
            Some((Kind::Content, Content::Unknown { raw }))
        }
        UpdateView::SessionMessage(raw) | UpdateView::Other(_, raw) => Some((Kind::Content, Content::Unknown { raw })),
        UpdateView::Subagent(view) => Some((Kind::Content, Content::Unknown { raw: view.raw })),
        UpdateView::Commands(_)
        | UpdateView::Mode(_)
        | UpdateView::ConfigOptions(_)
        | UpdateView::SessionInfo(_)
        | UpdateView::Usage(_) => None,
    }
}

/// What a permission request says of its tool call.
pub(crate) fn asked_tool(fields: ToolFields) -> Option<ToolPatch> {
    tool(fields)
}

fn block(chunk: Chunk, kind: &str, thought: bool) -> Option<(Kind, Content)> {
    let Chunk { content: ContentView { kind: content, raw, .. }, message_id, .. } = chunk;
    let content = match content {
        ContentKind::Text(text) if thought => Content::Thought { text, message_id },
        ContentKind::Text(text) => Content::Text { text, message_id },
        ContentKind::ResourceLink { uri, name, title, mime_type, size } => {
            let name = title.or(name).unwrap_or_else(|| uri.rsplit('/').next().unwrap_or(&uri).to_owned());
            let size = size.and_then(|size| i64::try_from(size).ok());
            Content::File {
                image: false,
                file: FilePart { attachment_id: None, path: Some(uri), name, mime_type, size },
            }
        }
        _ => Content::Unknown { raw: json!({ "sessionUpdate": kind, "content": raw, "messageId": message_id }) },
    };
    Some((Kind::Content, content))
}

/// A tool call without an id cannot be followed, but what it says is kept.
fn nameless(kind: &str, fields: ToolFields) -> (Kind, Content) {
    let raw = json!({
        "sessionUpdate": kind,
        "title": fields.title.set(),
        "kind": fields.kind.set(),
        "status": fields.status.set(),
        "content": fields.content.set(),
        "locations": fields.locations.set(),
        "rawInput": fields.raw_input.set(),
        "rawOutput": fields.raw_output.set(),
        "_meta": fields.meta,
    });
    (Kind::Content, Content::Unknown { raw })
}

fn tool(fields: ToolFields) -> Option<ToolPatch> {
    Some(ToolPatch {
        id: fields.id?,
        title: field(fields.title),
        kind: field(fields.kind),
        status: field(fields.status),
        content: field(fields.content),
        locations: field(fields.locations),
        raw_input: field(fields.raw_input),
        raw_output: field(fields.raw_output),
    })
}

fn field<T>(patch: Patch<T>) -> Field<T> {
    match patch {
        Patch::Absent => Field::Absent,
        Patch::Null => Field::Null,
        Patch::Set(value) => Field::Set(value),
    }
}

/// A content block as it came: of a plain text only the text is kept.
fn whole(content: ContentView) -> Value {
    match content.kind {
        ContentKind::Text(text) if content.raw.is_null() => json!({ "type": "text", "text": text }),
        _ => content.raw,
    }
}
