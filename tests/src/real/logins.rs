//! What comes of an agent that nobody is logged in to, and its own ways to log in.

use serde_json::{Value, json};

use super::{
    errors::{ASKS, told},
    stage::Stage,
};
use crate::harness::{LONG, message_text, process, until};

pub(super) async fn logged_out(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let sent = stage.send(&task, "hello").await;
    let ended = stage.end_unless_locked(&task, &sent).await;
    stage.done(&task).await;
    let Some(message) = ended else { return ASKS.into() };
    match message["status"].as_str() {
        Some("error") => "a failure".into(),
        Some("done") if message_text(&message).contains("ECHO") => "works without".into(),
        _ => told(&message).into(),
    }
}

/// The one login that works without a network: Codex by a key that stands in its environment.
pub(super) async fn logs_in(stage: &mut Stage) -> String {
    if stage.agent().id != "codex" {
        return "needs an account".into();
    }
    let (task, agent) = (stage.task().await, "/agents/codex");
    let sent = stage.send(&task, "hello").await;
    until("a run that waits for a login", LONG, async || stage.is_locked(&sent).await.then_some(())).await;
    stage.drover.post(&format!("{agent}/login"), &json!({"method_id": "api-key"})).await.is(202);
    let message = stage.end_of(&task, &sent).await;
    assert!(message["status"] == "done" && message_text(&message).contains("ECHO"), "{message}");
    state_of(stage, "ready").await;
    stage.drover.post(&format!("{agent}/logout"), &json!({})).await.ok();
    let other = stage.task().await;
    let sent = stage.send(&other, "and now?").await;
    assert_eq!(stage.end_unless_locked(&other, &sent).await, None);
    for task in [task, other] {
        stage.done(&task).await;
    }
    "yes".into()
}

async fn state_of(stage: &Stage, state: &str) {
    until("another state of the agent", LONG, async || {
        let told = stage.drover.get(&format!("/agents/{}", stage.agent().id)).await.is(200);
        (told["state"] == state).then_some(())
    })
    .await;
}

/// A login that cannot go through here, because it takes an account: its program shows itself, and goes when it is told to.
pub(super) async fn in_terminal(stage: &mut Stage) -> String {
    let id = stage.agent().id;
    let known = stage.drover.post(&format!("/agents/{id}/check"), &json!({})).await.is(200);
    let methods = known["auth_methods"].as_array().cloned().unwrap_or_default();
    let Some(method) = methods.iter().find(|method| method["kind"] == "terminal") else { return "has none".into() };
    if id != "claude" {
        // Their programs begin with a call to their makers.
        return "has one".into();
    }
    let started = open_terminal(stage, method).await;
    stage.drover.delete(&format!("/agents/{id}/login")).await.is(204);
    assert_eq!(login_over(stage).await, "cancelled");
    process::all_gone(&started, LONG).await;
    "its screen, and ends".into()
}

/// Begins a login in a terminal, waits for its screen, and names what was started for it.
async fn open_terminal(stage: &Stage, method: &Value) -> Vec<u32> {
    let below = || process::descendants(stage.drover.pid()).into_iter().map(|process| process.pid);
    let before: Vec<u32> = below().collect();
    let agent = format!("/agents/{}", stage.agent().id);
    stage.drover.post(&format!("{agent}/login"), &json!({"method_id": method["id"]})).await.is(202);
    until("the screen of its program", LONG, async || {
        let shown = stage.drover.first_bytes(&format!("{agent}/login/output")).await?;
        shown.contains("trust?").then_some(())
    })
    .await;
    let started: Vec<u32> = below().filter(|pid| !before.contains(pid)).collect();
    assert!(!started.is_empty(), "its program runs");
    started
}

/// How the login ended.
async fn login_over(stage: &Stage) -> String {
    until("the end of the login", LONG, async || {
        let login = stage.drover.get(&format!("/agents/{}", stage.agent().id)).await.is(200)["login"].clone();
        login["state"].as_str().filter(|state| *state != "running").map(str::to_owned)
    })
    .await
}
