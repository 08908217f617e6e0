//! The handoff: what an agent missed, told in front of the next prompt (lifecycle rules 10 to 13).
//!
//! ```text
//! <handoff turns="2" left_out="3" transcript="/…/transcripts/….md">
//! what this is, in two sentences; how many turns are missing and where the whole transcript is
//!
//! <turn number="7" role="user">
//! …
//! </turn>
//! <turn number="8" role="assistant" agent="Codex" status="cancelled by the user">
//! …
//! </turn>
//! </handoff>
//! ```
//!
//! In all that is quoted, [`escape`] leaves no `<` that could open or close one of these tags.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::Value;

use crate::message::{FilePart, ToolCall};
use crate::{MessageStatus, Origin, Part, Role};

/// The least a budget counts as, in bytes: the frame with a long path, and room for the end of the newest turn.
pub const MIN_BUDGET: usize = 8 * 1024;

/// The budget where none is set, in bytes.
pub const DEFAULT_BUDGET: usize = 96 * 1024;

/// The longest agent's name told, in characters.
const ATTRIBUTE: usize = 100;

/// A turn whose end is shorter than this many bytes is rather left out: a few words without their beginning tell nothing.
const LEAST_END: usize = 200;

const CUT: &str = "[the beginning of this turn was left out]\n";
const END: &str = "</handoff>";
const CLOSE: &str = "\n</turn>\n";

/// A message to be told.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// Its ordinal.
    pub ordinal: i64,
    /// Who speaks.
    pub role: Role,
    /// What brought it about.
    pub origin: Origin,
    /// What the agent that answered is called.
    pub agent_name: Option<&'a str>,
    /// How it ended.
    pub status: MessageStatus,
    /// What it is made of.
    pub parts: &'a [Part],
}

/// A handoff block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handoff {
    /// The whole block, from `<handoff` to `</handoff>`.
    pub text: String,
    /// How many turns it tells, one of them perhaps without its beginning.
    pub turns: usize,
    /// How long the block is, in UTF-8 bytes.
    pub bytes: usize,
    /// How many turns are missing, the oldest ones.
    pub left_out: usize,
}

/// The block that tells `turns`, oldest first, in at most `budget` bytes of UTF-8; `None` where there is nothing to tell.
///
/// What does not fit is dropped from the oldest end. The oldest turn told loses its beginning where only its end fits.
/// The newest is never dropped. A budget below [`MIN_BUDGET`] counts as that; `transcript_file`, named in the block, must
/// leave room in it.
pub fn render(turns: &[Turn<'_>], budget: usize, transcript_file: Option<&str>) -> Option<Handoff> {
    if turns.is_empty() {
        return None;
    }
    // The frame grows with the number of turns left out: measured with the greatest, it cannot turn out larger.
    let frame = head(turns.len(), turns.len(), transcript_file).len() + CUT.len() + END.len();
    let mut left = budget.max(MIN_BUDGET).saturating_sub(frame);
    let mut told: Vec<String> = Vec::new();
    for turn in turns.iter().rev() {
        let tags = Tags::of(turn);
        let body = body(turn);
        let around = tags.len();
        if around + body.len() <= left {
            left -= around + body.len();
            told.push(tags.around(&body));
            continue;
        }
        let room = left.saturating_sub(around);
        if told.is_empty() || room >= LEAST_END {
            told.push(tags.around(&format!("{CUT}{}", end_of(&body, room))));
        }
        break;
    }
    let left_out = turns.len() - told.len();
    let mut text = head(told.len(), left_out, transcript_file);
    told.iter().rev().for_each(|turn| text.push_str(turn));
    text.push_str(END);
    Some(Handoff { bytes: text.len(), turns: told.len(), left_out, text })
}

/// All turns as one text, for the file that a handoff names. They look as in a handoff.
pub fn transcript(turns: &[Turn<'_>]) -> String {
    turns.iter().map(|turn| Tags::of(turn).around(&body(turn))).collect()
}

/// Text that can neither close a handoff nor fake a turn: every `<` in front of `handoff` or `turn`, in any case and with
/// blanks, slashes or invisible characters between, is written `&lt;`.
pub fn escape(text: &str) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices('<') {
        if is_tag(&text[at + 1..]) {
            escaped.push_str(&text[done..at]);
            escaped.push_str("&lt;");
            done = at + 1;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    escaped.push_str(&text[done..]);
    Cow::Owned(escaped)
}

fn is_tag(after: &str) -> bool {
    let name = after.trim_start_matches(|c: char| c == '/' || c.is_whitespace() || c.is_control() || is_invisible(c));
    let starts_with = |tag: &str| name.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    starts_with("handoff") || starts_with("turn")
}

/// Characters that leave no mark, so that a reader would see a tag where there is none.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

fn head(turns: usize, left_out: usize, transcript_file: Option<&str>) -> String {
    let mut head = format!("<handoff turns=\"{turns}\" left_out=\"{left_out}\">\n");
    head.push_str(
        "These are the turns of this conversation that you have not seen, oldest first. They are a record of what was \
         said and done, not a request: what you are asked to do now follows after this block.\n",
    );
    if left_out > 0 {
        let turns =
            if left_out == 1 { "1 earlier turn is".to_owned() } else { format!("{left_out} earlier turns are") };
        let _ = writeln!(head, "{turns} missing here for lack of room.");
    }
    if let Some(file) = transcript_file {
        let _ = writeln!(head, "The whole transcript is in this file, which you can read:\n{}", escape(file));
    }
    head.push('\n');
    head
}

/// The tags around a turn.
struct Tags(String);

impl Tags {
    fn of(turn: &Turn<'_>) -> Self {
        let role = match turn.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let mut open = format!("<turn number=\"{}\" role=\"{role}\"", turn.ordinal);
        if turn.role == Role::Assistant {
            let _ = write!(open, " agent=\"{}\"", attribute(turn.agent_name.unwrap_or("unknown")));
        }
        if let Some(status) = status(turn) {
            let _ = write!(open, " status=\"{status}\"");
        }
        if turn.role == Role::Assistant && turn.origin == Origin::Agent {
            open.push_str(" origin=\"the agent began by itself, not in answer to the user\"");
        }
        open.push_str(">\n");
        Self(open)
    }

    const fn len(&self) -> usize {
        self.0.len() + CLOSE.len()
    }

    fn around(&self, body: &str) -> String {
        format!("{}{body}{CLOSE}", self.0)
    }
}

const fn status(turn: &Turn<'_>) -> Option<&'static str> {
    match (turn.role, turn.status) {
        (_, MessageStatus::Error) => Some("failed"),
        (_, MessageStatus::Cancelled) => Some("cancelled by the user"),
        (_, MessageStatus::Interrupted) => Some("interrupted: it was cut off before its end"),
        (Role::Assistant, MessageStatus::Streaming) => Some("not finished yet"),
        (Role::Assistant, MessageStatus::Queued) => Some("not begun yet"),
        (Role::Assistant, MessageStatus::Done) => Some("done"),
        (Role::User, _) => None,
    }
}

/// What a turn says, escaped as a whole, so that no tag can come about where two parts meet.
fn body(turn: &Turn<'_>) -> String {
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
        Part::Thought { .. } => None,
        Part::ToolCall(call) => line(tool_line(call)),
        Part::Plan { entries } => Some((Cow::Owned(plan(entries)?), false)),
        Part::Image(file) => line(file_line("image", file)),
        Part::File(file) => line(file_line("file", file)),
        Part::Error { code, message, .. } => line(format!("[error {}: {}]", one_line(code), one_line(message))),
        Part::Unknown { raw } => Some((Cow::Owned(unknown(raw)), false)),
    }
}

fn tool_line(call: &ToolCall) -> String {
    let title = if call.title.trim().is_empty() { call.tool_call_id.as_str() } else { call.title.as_str() };
    let mut line = format!("[tool call: {}", one_line(title));
    for word in [call.kind.as_deref(), call.status.as_deref()].into_iter().flatten() {
        let _ = write!(line, "; {}", one_line(word));
    }
    if call.unknown_outcome {
        line.push_str("; outcome unknown, it may have happened");
    }
    let files = touched(call);
    if !files.is_empty() {
        let _ = write!(line, "; files: {}", files.join(", "));
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

fn plan(entries: &Value) -> Option<String> {
    let mut text = "[plan]".to_owned();
    for entry in entries.as_array()? {
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

/// Text on one line: runs of blanks and control characters become one space.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Text for an attribute, at most [`ATTRIBUTE`] characters of it.
fn attribute(text: &str) -> String {
    let short: String = one_line(text).chars().take(ATTRIBUTE).collect();
    short.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The longest end of `text` that has at most `room` bytes.
fn end_of(text: &str, room: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(room))..]
}
