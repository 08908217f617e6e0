//! How the parts of a turn are told.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use super::{Turn, escape};
use crate::Part;
use crate::message::{FilePart, Plan, ToolCall};

/// The longest title of a tool call told, in characters: some agents give a whole script for one.
const TITLE: usize = 300;

/// The longest error told, in characters.
const ERROR: usize = 2000;

/// How many files of a tool call are named.
const FILES: usize = 20;

/// What a turn says, escaped as a whole, so that no tag can come about where two parts meet.
pub(super) fn body(turn: &Turn<'_>) -> String {
    let mut body = String::new();
    let mut after_line = true;
    for part in turn.parts {
        let Some((told, is_line)) = tell(part) else { continue };
        if !body.is_empty() {
            // Lines about tool calls and files stand close together, all else apart.
            body.push_str(if is_line && after_line { "\n" } else { "\n\n" });
        }
        body.push_str(&told);
        after_line = is_line;
    }
    match escape(&body) {
        Cow::Borrowed(_) => body,
        Cow::Owned(escaped) => escaped,
    }
}

/// What is told of a part, and whether it is a line of its kind; `None` for what is left out.
fn tell(part: &Part) -> Option<(Cow<'_, str>, bool)> {
    let line = |text: String| Some((Cow::Owned(text), true));
    match part {
        Part::Text { text } if text.is_empty() => None,
        Part::Text { text } => Some((Cow::Borrowed(text.as_str()), false)),
        // Not the agent's answer.
        Part::Thought { .. } | Part::Notice(_) | Part::Compaction(_) => None,
        Part::ToolCall(call) => line(tool_line(call)),
        Part::Plan(plan) if plan.removed => None,
        Part::Plan(plan) => Some((Cow::Owned(steps(plan)?), false)),
        Part::Image(file) => line(file_line("image", file)),
        Part::File(file) => line(file_line("file", file)),
        Part::Error { code, message, .. } => line(format!("[error {}: {}]", one_line(code), short(message, ERROR))),
        Part::Unknown { raw } => Some((Cow::Owned(unknown(raw)), false)),
    }
}

fn tool_line(call: &ToolCall) -> String {
    let title = if call.title.trim().is_empty() { call.tool_call_id.as_str() } else { call.title.as_str() };
    let mut line = format!("[tool call: {}", short(title, TITLE));
    for word in [call.kind.as_deref(), call.status.as_deref()].into_iter().flatten() {
        let _ = write!(line, "; {}", one_line(word));
    }
    if call.unknown_outcome {
        line.push_str("; outcome unknown, it may have happened");
    }
    let files = touched(call);
    if !files.is_empty() {
        let _ = write!(line, "; files: {}", files[..files.len().min(FILES)].join(", "));
    }
    if files.len() > FILES {
        let _ = write!(line, " and {} more", files.len() - FILES);
    }
    line.push(']');
    line
}

/// The files a tool call names, in its places and its diffs, each once.
fn touched(call: &ToolCall) -> Vec<String> {
    let places = call.locations.as_array().into_iter().flatten();
    let diffs =
        call.content.as_array().into_iter().flatten().filter(|item| item.get("type").is_some_and(|t| t == "diff"));
    let mut files = Vec::new();
    for path in places.chain(diffs).filter_map(|item| item.get("path")?.as_str()) {
        let path = one_line(path);
        if !files.contains(&path) {
            files.push(path);
        }
    }
    files
}

fn file_line(what: &str, file: &FilePart) -> String {
    let name = if file.name.is_empty() { file.path.as_deref().unwrap_or("without a name") } else { &file.name };
    let mut line = format!("[{what}: {}", one_line(name));
    if let Some(mime_type) = &file.mime_type {
        let _ = write!(line, "; {}", one_line(mime_type));
    }
    if let Some(path) = file.path.as_deref().filter(|path| *path != name) {
        let _ = write!(line, "; {}", one_line(path));
    }
    line.push(']');
    line
}

fn steps(plan: &Plan) -> Option<String> {
    let mut text = "[plan]".to_owned();
    if let Some(written) = &plan.text {
        let _ = write!(text, "\n{written}");
    }
    for entry in plan.entries.as_array()? {
        let member = |key: &str| entry.get(key).and_then(Value::as_str);
        let status = member("status").unwrap_or("pending");
        let _ = write!(text, "\n- {}: {}", one_line(status), one_line(member("content").unwrap_or_default()));
    }
    Some(text)
}

/// An agent's echo of the user is no word of the user: it is told as what the agent sent.
fn unknown(raw: &Value) -> String {
    let kind = raw.get("sessionUpdate").and_then(Value::as_str).unwrap_or("something unknown");
    match (kind, raw.pointer("/content/text").and_then(Value::as_str)) {
        ("user_message_chunk", Some(text)) => format!("[sent by the agent as if by the user: {text}]"),
        _ => format!("[sent by the agent: {}]", one_line(kind)),
    }
}

/// Text on one line, cut where it has more than `most` characters.
fn short(text: &str, most: usize) -> String {
    let line = one_line(text);
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Text on one line: runs of blanks and control characters become one space.
pub(super) fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
