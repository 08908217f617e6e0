//! What comes of a model that fails.

use std::time::Duration;

use serde_json::{Value, json};

use super::{stage::Stage, turns::parts};
use crate::harness::{LONG, message_text, until};

/// After that long, silence is what there is to see.
const SILENCE: Duration = Duration::from_secs(20);

/// What a run does whose agent wants a login.
const ASKS: &str = "asks for a login";

/// Sends what makes the model fail, and tells how that looks.
async fn failing(stage: &Stage, script: &str) -> String {
    let task = stage.task().await;
    let sent = stage.send(&task, script).await;
    let id = &sent.assistant_message_id;
    let seen = match tokio::time::timeout(SILENCE, stage.end_unless_locked(&task, &sent)).await {
        Ok(Some(message)) => told(&message).to_owned(),
        Ok(None) => ASKS.to_owned(),
        Err(_) => {
            stage.drover.cancel(&sent).await.ok();
            let message = stage.drover.ended_within(&task, id, LONG).await;
            assert_eq!(message["status"], "cancelled", "{message}");
            "silence, can be stopped".into()
        }
    };
    stage.done(&task).await;
    seen
}

/// How a turn ended whose model failed.
fn told(message: &Value) -> &'static str {
    let error = parts(message, "error").next().is_some();
    let text = message_text(message).to_lowercase();
    match message["status"].as_str() {
        Some("error") if error => "a failure",
        Some("done") if text.is_empty() => "an empty answer",
        Some("done") if ["error", "fail", "fake", "connect", "retry"].iter().any(|word| text.contains(word)) => {
            "as its answer"
        }
        Some("done") => "a normal answer",
        _ => panic!("{message}"),
    }
}

pub(super) async fn unauthorized(stage: &mut Stage) -> String {
    failing(stage, "!error 401").await
}

pub(super) async fn bad_request(stage: &mut Stage) -> String {
    failing(stage, "!error 400").await
}

pub(super) async fn rate_limit(stage: &mut Stage) -> String {
    match failing(stage, "!error 429 1\n!say 10").await.as_str() {
        "a normal answer" => "tries again".into(),
        seen => seen.into(),
    }
}

pub(super) async fn overloaded(stage: &mut Stage) -> String {
    failing(stage, "!error 529").await
}

pub(super) async fn cut_off(stage: &mut Stage) -> String {
    failing(stage, "!say 20\n!drop").await
}

pub(super) async fn refused(stage: &mut Stage) -> String {
    failing(stage, "anyone there?").await
}

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
