//! Whole turns of real agents, frame by frame, and the messages they become.

use drover_acp::views::{UpdateView, view_permission, view_update};
use drover_domain::transcript::{Content, ToolEnd, Transcript};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{asked_tool, content};
use crate::terminal::Terminals;

/// A line that an agent wrote; one with a result is the answer to a prompt.
#[derive(Deserialize)]
struct Frame {
    #[serde(default)]
    method: String,
    params: Option<Box<RawValue>>,
}

/// The parts of every turn of a file, each as one line of JSON.
fn messages(frames: &str) -> String {
    let mut shown = String::new();
    let mut message = Transcript::new();
    let mut terminals = Terminals::default();
    for line in frames.lines() {
        let frame: Frame = serde_json::from_str(line).unwrap();
        match (frame.method.as_str(), frame.params) {
            ("session/update", Some(params)) => {
                let mut update = view_update(&params).update;
                if let UpdateView::ToolCall(fields) | UpdateView::ToolCallUpdate(fields) = &mut update {
                    terminals.read(fields);
                }
                content(update).map(|(_, content)| message.apply(content));
            }
            ("session/request_permission", Some(params)) => {
                let tool = asked_tool(view_permission(&params).tool);
                tool.map(|tool| message.apply(Content::Tool(tool)));
            }
            _ => {
                message.settle(ToolEnd::Stopped);
                terminals.clear();
                for part in std::mem::take(&mut message).parts() {
                    shown.push_str(&serde_json::to_string(part).unwrap());
                    shown.push('\n');
                }
                shown.push('\n');
            }
        }
    }
    assert!(message.is_empty(), "the last turn has its answer");
    shown
}

macro_rules! golden {
    ($($agent:ident),*) => {
        $(#[test]
        fn $agent() {
            let frames = include_str!(concat!("../../tests/golden/", stringify!($agent), ".ndjson"));
            insta::assert_snapshot!(messages(frames));
        })*
    };
}

golden!(claude, codex, gemini, opencode, copilot, qwen, pi);
