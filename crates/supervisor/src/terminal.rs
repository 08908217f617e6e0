//! Output of commands that agents send beside the standard fields: `_meta.terminal_output`, `_meta.terminal_output_delta` and
//! `_meta.terminal_exit`. Without reading them nothing of it would be seen.

use std::collections::HashMap;

use drover_acp::views::{Patch, ToolFields};
use serde_json::{Map, Value, json};

/// The newest part of a command's output that is kept, in bytes.
const KEPT: usize = 1 << 20;

/// The outputs of a session's tool calls so far.
#[derive(Debug, Default)]
pub(crate) struct Terminals {
    calls: HashMap<String, Output>,
}

#[derive(Debug, Default)]
struct Output {
    text: String,
    cut: bool,
    exit: Option<Value>,
}

impl Terminals {
    /// Adds what an update says of a command's output and puts all of it so far into the update's raw output, where the agent
    /// itself sends none, or none of the text: `{"output", "truncated", "exit": {"exit_code", "signal"}}`.
    pub(crate) fn read(&mut self, fields: &mut ToolFields) {
        let (Some(id), Some(meta)) = (&fields.id, fields.meta.as_ref().and_then(Value::as_object)) else { return };
        let data = [meta.get("terminal_output"), meta.get("terminal_output_delta")].into_iter().flatten();
        let data: String = data.filter_map(|chunk| chunk.get("data")?.as_str()).collect();
        let exit = meta.get("terminal_exit").and_then(Value::as_object).map(exit);
        if data.is_empty() && exit.is_none() {
            return;
        }
        let output = self.calls.entry(id.clone()).or_default();
        output.add(&data);
        output.exit = exit.or(output.exit.take());
        match &mut fields.raw_output {
            Patch::Absent => fields.raw_output = Patch::Set(output.value()),
            // An end without the output, as Codex tells of a file it has read.
            Patch::Set(Value::Object(told)) if !told.contains_key("output") => {
                if let Value::Object(kept) = output.value() {
                    for (name, value) in kept {
                        told.entry(name).or_insert(value);
                    }
                }
            }
            Patch::Null | Patch::Set(_) => {}
        }
    }

    /// Forgets all: the turn is over.
    pub(crate) fn clear(&mut self) {
        self.calls.clear();
    }
}

impl Output {
    fn add(&mut self, data: &str) {
        self.text.push_str(data);
        if self.text.len() > KEPT {
            let from = self.text.ceil_char_boundary(self.text.len() - KEPT);
            self.text.drain(..from);
            self.cut = true;
        }
    }

    fn value(&self) -> Value {
        json!({ "output": self.text, "truncated": self.cut, "exit": self.exit })
    }
}

fn exit(exit: &Map<String, Value>) -> Value {
    json!({ "exit_code": exit.get("exit_code"), "signal": exit.get("signal") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(meta: Value) -> ToolFields {
        ToolFields { id: Some("t1".into()), meta: Some(meta), ..ToolFields::default() }
    }

    #[test]
    fn chunks_are_put_together_and_the_exit_is_kept() {
        let mut terminals = Terminals::default();
        let mut last = ToolFields::default();
        for meta in [
            json!({ "terminal_output_delta": { "data": "tick 1\n", "terminal_id": "x" } }),
            json!({ "terminal_output": { "data": "tick 2\n", "terminal_id": "x" } }),
            json!({ "terminal_exit": { "exit_code": 3, "signal": null, "terminal_id": "x" } }),
        ] {
            last = update(meta);
            terminals.read(&mut last);
        }
        let want =
            json!({ "output": "tick 1\ntick 2\n", "truncated": false, "exit": { "exit_code": 3, "signal": null } });
        assert_eq!(last.raw_output, Patch::Set(want));
    }

    #[test]
    fn an_end_without_the_text_gets_the_text() {
        let meta = json!({ "terminal_output_delta": { "data": "one\n", "terminal_id": "x" } });
        let mut fields = update(meta);
        fields.raw_output = Patch::Set(json!({ "exit_code": 0 }));
        Terminals::default().read(&mut fields);
        let want = json!({ "exit_code": 0, "output": "one\n", "truncated": false, "exit": null });
        assert_eq!(fields.raw_output, Patch::Set(want));
    }

    #[test]
    fn an_update_that_says_nothing_of_output_is_left_alone() {
        let mut fields = update(json!({ "claudeCode": {} }));
        Terminals::default().read(&mut fields);
        assert!(fields.raw_output.is_absent());
    }

    #[test]
    fn only_the_end_of_a_huge_output_is_kept() {
        let mut output = Output::default();
        output.add(&"ü".repeat(KEPT));
        assert!(output.cut && output.text.len() <= KEPT && output.text.starts_with('ü'));
    }
}
