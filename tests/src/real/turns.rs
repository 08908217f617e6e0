//! Turns that end by themselves: text, thoughts, tools, pictures, size, order.

use std::fs;

use serde_json::{Value, json};

use super::stage::Stage;
use crate::harness::{Call, LONG, message_text, nonce};

const ALLOW: &[&str] = &["allow_once", "allow_always"];

/// Which numbers the first so many words of the model hold: every fifth word is its place.
pub(super) fn has_words(text: &str, count: usize) -> bool {
    let numbers: Vec<usize> = text.split([' ', '\n', '.']).filter_map(|word| word.parse().ok()).collect();
    numbers == (1..=count / 5).map(|number| number * 5).collect::<Vec<_>>()
}

pub(super) fn parts<'a>(message: &'a Value, kind: &'static str) -> impl Iterator<Item = &'a Value> {
    message["parts"].as_array().into_iter().flatten().filter(move |part| part["type"] == kind)
}

fn done(message: &Value) {
    assert_eq!(message["status"], "done", "{message}");
}

pub(super) async fn stream(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let sent = stage.send(&task, "!slow 60\n!say 60").await;
    let partial = |message: &Value| {
        let text = message_text(message);
        message["status"] == "streaming" && text.len() > 20 && !text.contains("60")
    };
    let id = &sent.assistant_message_id;
    stage.drover.until_message(&task, id, "a part of the text", LONG, partial).await;
    let message = stage.end_of(&task, &sent).await;
    done(&message);
    assert!(has_words(&message_text(&message), 60), "{message}");
    stage.done(&task).await;
    "yes".into()
}

pub(super) async fn thoughts(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let message = stage.turn(&task, "!think 20\n!say 5").await;
    done(&message);
    let thought: String = parts(&message, "thought").filter_map(|part| part["text"].as_str()).collect();
    stage.done(&task).await;
    if has_words(&thought, 20) { "yes" } else { "no" }.into()
}

pub(super) async fn tools(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    let (made, seen) = (stage.dir.join("made.txt"), stage.dir.join("seen.txt"));
    fs::write(&seen, "one\ntwo\nthree\n").expect("a file in the project");
    let (made_path, seen_path) = (made.display(), seen.display());
    let script = format!("!write {made_path} by the script\n!read {seen_path}\n!edit {seen_path} two => 2\n!say 5");
    let message = stage.turn_answering(&task, &script, ALLOW).await;
    done(&message);
    let written = fs::read_to_string(&made).unwrap_or_default();
    assert!(written.starts_with("by the script"), "{written:?} {message}");
    assert_eq!(fs::read_to_string(&seen).unwrap_or_default(), "one\n2\nthree\n", "{message}");
    let calls: Vec<&Value> = parts(&message, "tool_call").collect();
    assert!(calls.len() >= 3 && calls.iter().all(|call| call["status"] == "completed"), "{message}");
    let diff = calls.iter().any(|call| call["content"].to_string().contains("\"diff\""));
    for path in [made, seen] {
        fs::remove_file(path).expect("the file is there");
    }
    stage.done(&task).await;
    if diff { "yes, with the diff" } else { "yes, without a diff" }.into()
}

pub(super) async fn output(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    let message = stage.turn_answering(&task, "!shell printf 'out-%s' 42\n!say 5", ALLOW).await;
    done(&message);
    let call = parts(&message, "tool_call").next().expect("a tool call");
    let sent = [&call["content"], &call["raw_output"]].iter().any(|value| value.to_string().contains("out-42"));
    stage.done(&task).await;
    if sent { "yes" } else { "not sent" }.into()
}

/// One red point.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0\0\x03\x01\x01\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82";

pub(super) async fn pictures(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let upload = Call::new("POST", "/attachments?name=point.png").body("image/png", PNG);
    let attachment = stage.drover.call(upload).await.is(201)["id"].clone();
    let body =
        json!({"nonce": nonce(), "agent": stage.agent().id, "text": "what is this?", "attachments": [attachment]});
    let sent = stage.drover.post(&format!("/tasks/{task}/messages"), &body).await.is(202);
    let id = sent["assistant_message_id"].as_str().expect("an id");
    let message = stage.drover.ended_within(&task, id, LONG).await;
    done(&message);
    let text = message_text(&message);
    stage.done(&task).await;
    if text.contains("[1 image(s)]") { "yes" } else { "as a link" }.into()
}

pub(super) async fn big_output(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    let message = stage.turn_answering(&task, "!shell head -c 3000000 /dev/zero | tr '\\0' x\n!say 5", ALLOW).await;
    done(&message);
    assert!(has_words(&message_text(&message), 5), "{message}");
    let call = parts(&message, "tool_call").next().expect("a tool call");
    assert!(call.to_string().len() < 100_000, "what is big stands beside the chat");
    let size = biggest(&call["content"]).max(biggest(&call["raw_output"]));
    stage.done(&task).await;
    match size {
        0..1000 => "nothing of it".into(),
        1000..1_000_000 => format!("{} kB of it", size.div_ceil(1000)),
        _ => format!("{:.1} MB of it", f64::from(u32::try_from(size).unwrap_or(u32::MAX)) / 1e6),
    }
}

/// The longest string below a value, blobs included.
fn biggest(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(biggest).max().unwrap_or(0),
        Value::Object(members) => {
            let blob = value["$blob"]["size"].as_u64().unwrap_or(0);
            members.values().map(biggest).max().unwrap_or(0).max(blob)
        }
        _ => 0,
    }
}

pub(super) async fn queued(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let first = stage.send(&task, "!slow 20\n!say 40").await;
    let second = stage.send(&task, "the second of two").await;
    let [first, second] = [stage.end_of(&task, &first).await, stage.end_of(&task, &second).await];
    done(&first);
    done(&second);
    assert!(has_words(&message_text(&first), 40), "{first}");
    let text = message_text(&second);
    assert!(text.contains("ECHO") && text.contains("the second of two"), "{second}");
    let turns = stage.model.turns().await;
    let asked = turns.iter().map(super::model::Asked::text).find(|text| text.contains("the second of two"));
    assert_eq!(asked.expect("a turn").matches("the second of two").count(), 1, "it went out once");
    stage.done(&task).await;
    "yes".into()
}
