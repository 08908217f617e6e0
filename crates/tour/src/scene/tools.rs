//! Tool calls: quiet ones, one that changes a file, one that runs a command.

use serde_json::{Value, json};

use crate::pace::Beat;
use crate::stage::{Played, Stage};
use crate::words::fill;

const NOTES: &str = "notes.md";

/// Three readings, an edit with its diff, and a command with coloured output.
pub(super) fn show(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    stage.say(words.tools)?;
    for chapter in words.chapters {
        let title = fill(words.read, &[("chapter", chapter)]);
        let call = stage.call(json!({
            "title": title, "kind": "read", "status": "in_progress", "rawInput": {"chapter": chapter},
        }))?;
        stage.pause(Beat::Line)?;
        stage.step(&call, json!({"status": "completed", "content": [text(words.chapter_read)]}))?;
    }
    edit(stage)?;
    command(stage)?;
    stage.say(&fill(words.after_tools, &[("path", &stage.path(NOTES))]))
}

fn edit(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    let path = stage.path(NOTES);
    let [before, after] = words.notes;
    let call = stage.call(json!({
        "title": fill(words.edit, &[("file", NOTES)]), "kind": "edit", "status": "in_progress",
        "locations": [{"path": path, "line": 3}], "rawInput": {"file_path": path},
        "content": [{"type": "diff", "path": path, "oldText": before, "newText": after}],
    }))?;
    stage.write(NOTES, after)?;
    stage.pause(Beat::Step)?;
    stage.step(&call, json!({"status": "completed"}))
}

/// A command that is acted: nothing is run. Its output goes the way that the client knows.
fn command(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    let (cwd, live) = (stage.cwd(), stage.client().terminal_output);
    let mut fields = json!({
        "title": words.command, "kind": "execute", "status": "in_progress",
        "rawInput": {"command": words.command, "cwd": cwd},
    });
    if live {
        fields["_meta"] = json!({"terminal_info": {"cwd": cwd, "terminal_id": TERMINAL}});
        fields["content"] = json!([{"type": "terminal", "terminalId": TERMINAL}]);
    }
    let call = stage.call(fields)?;
    let mut output = String::new();
    for line in words.output {
        stage.pause(Beat::Line)?;
        let line = format!("{line}\r\n");
        if live {
            let delta = json!({"terminal_output_delta": {"data": line, "terminal_id": TERMINAL}});
            stage.step(&call, json!({"_meta": delta}))?;
        }
        output.push_str(&line);
    }
    stage.pause(Beat::Step)?;
    let mut end = json!({"status": "completed"});
    if live {
        end["_meta"] = json!({"terminal_exit": {"exit_code": 0, "signal": null, "terminal_id": TERMINAL}});
    } else {
        end["content"] = json!([text(&output)]);
    }
    stage.step(&call, end)
}

/// The name of the one terminal there is at a time.
const TERMINAL: &str = "acted";

fn text(text: &str) -> Value {
    json!({"type": "content", "content": {"type": "text", "text": text}})
}
