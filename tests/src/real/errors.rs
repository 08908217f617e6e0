//! What comes of a model that fails.

use std::time::Duration;

use serde_json::Value;

use super::{stage::Stage, turns::parts};
use crate::harness::{LONG, message_text};

/// After that long, silence is what there is to see.
const SILENCE: Duration = Duration::from_secs(20);

/// What a run does whose agent wants a login.
pub(super) const ASKS: &str = "asks for a login";

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
pub(super) fn told(message: &Value) -> &'static str {
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
