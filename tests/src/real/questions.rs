//! Questions that agents ask.

use serde_json::json;

use super::{stage::Stage, turns::parts};
use crate::harness::{LONG, message_text, until};

const ALLOW: &[&str] = &["allow_once", "allow_always"];
const REJECT: &[&str] = &["reject_once", "reject_always"];

fn command(stage: &Stage, file: &str) -> String {
    format!("{} touch {}", stage.agent().asked_command, stage.dir.join(file).display())
}

pub(super) async fn allowed(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    let script = command(stage, "allowed.txt");
    let sent = stage.send(&task, &script).await;
    let file = stage.dir.join("allowed.txt");
    let Some((request, option)) = stage.asked(&task, &sent, ALLOW).await else {
        assert!(stage.agent().never_asks && file.exists(), "it acted without asking");
        stage.done(&task).await;
        return "never asks".into();
    };
    assert!(!file.exists(), "it asks before it acts");
    assert!(request["payload"].to_string().contains("allowed.txt"), "the command can be read: {request}");
    stage.drover.choose(&request, option).await.ok();
    let message = stage.end_of(&task, &sent).await;
    assert!(file.exists() && message["status"] == "done", "{message}");
    let call = parts(&message, "tool_call").next().expect("a tool call");
    assert_eq!(call["status"], "completed", "{message}");
    stage.done(&task).await;
    "yes".into()
}

pub(super) async fn rejected(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    let script = command(stage, "rejected.txt");
    let sent = stage.send(&task, &script).await;
    let Some((request, option)) = stage.asked(&task, &sent, REJECT).await else {
        stage.done(&task).await;
        return "never asks".into();
    };
    stage.drover.choose(&request, option).await.ok();
    let message = stage.end_of(&task, &sent).await;
    assert!(!stage.dir.join("rejected.txt").exists(), "{message}");
    let told = message["parts"].to_string().contains("RESULT");
    let next = stage.turn(&task, "and now?").await;
    assert_eq!(next["status"], "done", "the session goes on: {next}");
    stage.done(&task).await;
    match (message["status"].as_str(), told) {
        (Some("done"), true) => "the model is told, and goes on",
        (Some("done"), false) => "ends the turn",
        (Some("cancelled"), _) => "ends the turn as cancelled",
        _ => panic!("{message}"),
    }
    .into()
}

pub(super) async fn form(stage: &mut Stage) -> String {
    let task = stage.task().await;
    if stage.agent().id == "codex" {
        stage.set(&task, "collaboration_mode", "plan").await;
    }
    let sent = stage.send(&task, "!ask").await;
    let open = until("a question, or an end without one", LONG, async || {
        let chat = stage.drover.chat(&task).await;
        let open = chat["requests"].as_array()?.iter().find(|request| request["state"] == "open").cloned();
        if open.is_some() {
            return Some(open);
        }
        let message = stage.drover.message(&task, &sent.assistant_message_id).await;
        (!["queued", "streaming"].contains(&message["status"].as_str()?)).then_some(None)
    })
    .await;
    let Some(request) = open else {
        stage.done(&task).await;
        return "no".into();
    };
    let id = request["id"].as_str().expect("a request has an id");
    if request["kind"] == "permission" {
        stage.drover.post(&format!("/requests/{id}"), &json!({"option_id": null})).await.ok();
        stage.end_of(&task, &sent).await;
        stage.done(&task).await;
        return "as a permission".into();
    }
    let properties = request["payload"]["requestedSchema"]["properties"].as_object().expect("a form");
    let (name, field) = properties.iter().next().expect("a field");
    let answer = json!({"action": "accept", "content": {name: field["oneOf"][0]["const"]}});
    stage.drover.post(&format!("/requests/{id}"), &answer).await.ok();
    let message = stage.end_of(&task, &sent).await;
    assert!(message["status"] == "done" && message_text(&message).contains("Red"), "the model is told: {message}");
    stage.done(&task).await;
    "yes".into()
}
