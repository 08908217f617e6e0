//! A permission: may the tour write a greeting into its own directory?

use serde_json::{Value, json};

use crate::session::Mode;
use crate::stage::{Over, Played, Stage};
use crate::words::fill;

const GREETING: &str = "greeting.txt";

/// Asks, where the mode is to ask, and does what the answer says.
pub(super) fn permission(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    let path = stage.path(GREETING);
    let fields = json!({
        "title": fill(words.edit, &[("file", GREETING)]), "kind": "edit", "status": "pending",
        "locations": [{"path": path}], "rawInput": {"file_path": path, "content": words.greeting},
        "content": [{"type": "diff", "path": path, "oldText": null, "newText": words.greeting}],
    });
    if !stage.asks() {
        stage.say(words.unasked)?;
        let call = stage.call(fields)?;
        return write(stage, &call);
    }
    stage.say(words.asking)?;
    let call = stage.call(fields.clone())?;
    let mut asked_for = fields;
    asked_for["toolCallId"] = json!(call);
    let options = ["allow_once", "allow_always", "reject_once"].into_iter().zip(words.answers);
    let options: Vec<Value> =
        options.map(|(kind, name)| json!({"optionId": kind, "kind": kind, "name": name})).collect();
    let answer = stage.ask("session/request_permission", json!({"toolCall": asked_for, "options": options}))?;
    match chosen(&answer).as_deref() {
        Some("allow_once") => write(stage, &call),
        Some("allow_always") => {
            stage.choose_mode(Mode::Act)?;
            write(stage, &call)?;
            stage.say(words.always)
        }
        Some(_) => {
            stage.step(&call, json!({"status": "failed"}))?;
            stage.say(words.refused)
        }
        // The client says that the turn was stopped.
        None => Err(Over::Cancelled),
    }
}

fn write(stage: &mut Stage<'_>, call: &str) -> Played {
    let words = stage.words();
    stage.step(call, json!({"status": "in_progress"}))?;
    let written = stage.write(GREETING, words.greeting)?;
    stage.step(call, json!({"status": "completed"}))?;
    match written {
        Some(path) => stage.say(&fill(words.written, &[("path", &path)])),
        None => stage.say(words.nowhere),
    }
}

/// The option that was chosen; none where the question was cancelled. A client that cannot ask has not allowed anything.
fn chosen(answer: &Result<Value, Value>) -> Option<String> {
    match answer {
        Ok(result) if result["outcome"]["outcome"] == "cancelled" => None,
        Ok(result) => Some(result["outcome"]["optionId"].as_str().unwrap_or("reject_once").to_owned()),
        Err(_) => Some("reject_once".to_owned()),
    }
}
