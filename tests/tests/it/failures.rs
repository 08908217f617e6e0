//! Failures that agents tell beside the protocol, notices, compactions, plans by id, silence.

use drover_tests::harness::{Drover, PATIENCE, agent, until};
use insta::assert_json_snapshot;
use serde_json::{Value, json};

/// `!update` with what both main adapters send of a failure.
fn told(failure: &Value) -> String {
    let meta = json!({"jetbrains": {"air": {"version": 1, "sessionFailure": failure}}});
    format!("!update {}", json!({"sessionUpdate": "session_info_update", "_meta": meta}))
}

fn answered(failure: &Value) -> String {
    let meta = json!({"jetbrains": {"air": {"version": 1, "sessionFailure": failure}}});
    format!("!answer {}", json!({"stopReason": "end_turn", "_meta": meta}))
}

fn failure(severity: &str, title: &str) -> Value {
    json!({"id": "turn:error", "revision": 1, "category": "service", "severity": severity, "title": title,
        "actions": if severity == "error" { json!(["retry", "new_session"]) } else { json!([]) }})
}

async fn turn(drover: &Drover, task: &str, agent: &str, script: &[String]) -> Value {
    let sent = drover.send_to(task, agent, &script.join("\n")).await;
    drover.ended(task, &sent.assistant_message_id).await
}

fn ending(message: &Value) -> Value {
    json!([message["status"], message["stop_reason"], message["parts"]])
}

#[tokio::test]
async fn retries_are_quiet_warnings_and_a_failure_with_the_answer_is_a_failure() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let failed = turn(
        &drover,
        &task,
        "alpha",
        &[
            told(&failure("warning", "Reconnecting... 1/2")),
            told(&failure("warning", "Reconnecting... 2/2")),
            answered(&failure("error", "The model provider reported an error.")),
        ],
    )
    .await;
    let recovered = turn(
        &drover,
        &task,
        "alpha",
        &[told(&failure("warning", "Retrying Claude, attempt 1 of 2.")), "!text here it is".into()],
    )
    .await;
    assert_json_snapshot!([ending(&failed), ending(&recovered)]);
}

#[tokio::test]
async fn a_failure_told_before_the_answer_counts_unless_the_model_speaks_after_it() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let lost = failure("error", "The connection was lost.");
    let failed = turn(&drover, &task, "alpha", &[told(&lost)]).await;
    assert_eq!(
        (&failed["status"], &failed["parts"][0]["message"]),
        (&json!("error"), &json!("The connection was lost."))
    );
    let spoke = turn(&drover, &task, "alpha", &[told(&lost), "!text all the same".into()]).await;
    assert_eq!(spoke["status"], "done");
    let stopped = drover.send(&task, &format!("{}\n!untilstop", told(&lost))).await;
    until("the prompt", PATIENCE, async || (drover.received("alpha", "session/prompt").len() == 3).then_some(())).await;
    drover.post(&format!("/runs/{}/cancel", stopped.run_id), &json!({})).await.is(202);
    assert_eq!(drover.ended(&task, &stopped.assistant_message_id).await["status"], "cancelled");
}

#[tokio::test]
async fn a_broken_thread_of_codex_is_a_failure_and_one_that_works_again_is_none() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let status = |status: &str| {
        let meta = json!({"codex": {"threadStatus": {"type": status}}});
        format!("!update {}", json!({"sessionUpdate": "session_info_update", "_meta": meta}))
    };
    let script = [status("active"), status("systemError"), "!text scripted error 400".into()];
    let failed = turn(&drover, &task, "alpha", &script).await;
    assert_eq!((&failed["status"], &failed["parts"][1]["code"]), (&json!("error"), &json!("system_error")));
    let script = [status("systemError"), status("active"), "!text fine".into(), status("idle")];
    assert_eq!(turn(&drover, &task, "alpha", &script).await["status"], "done");
}

#[tokio::test]
async fn what_an_agent_is_known_to_say_beside_its_answer_is_a_notice_and_its_silence_a_failure() {
    let drover = Drover::with_agents([agent("pi"), agent("alpha")]).await;
    let task = drover.task().await;
    let banner = "!chunk \"pi v1.6.0\\n---\\n\"".to_owned();
    let failed = turn(&drover, &task, "pi", std::slice::from_ref(&banner)).await;
    let kinds = |message: &Value| -> Vec<Value> {
        message["parts"].as_array().expect("parts").iter().map(|part| part["type"].clone()).collect()
    };
    assert_eq!(failed["status"], "error");
    assert_eq!(kinds(&failed), ["notice", "error"]);
    assert_eq!(failed["parts"][1]["code"], "empty_answer");
    let retries = ["Retrying (attempt 3/3, waiting 8s)...", "Retry finished, resuming."];
    let failed = turn(&drover, &task, "pi", &retries.map(|said| format!("!chunk {}", json!(said)))).await;
    assert_eq!(kinds(&failed), ["notice", "notice", "error"], "tries alone are no answer");
    let answered = turn(&drover, &task, "pi", &[banner.clone(), "!text hi".into()]).await;
    assert_eq!((&answered["status"], kinds(&answered)), (&json!("done"), vec![json!("notice"), json!("text")]));
    let other = turn(&drover, &task, "alpha", &[banner]).await;
    assert_eq!(kinds(&other), ["text"], "only of the agent that is known to say it");
}

#[tokio::test]
async fn notices_compactions_and_plans_are_parts_of_their_own() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let update = |update: Value| format!("!update {update}");
    let stream = drover.follow_now().await;
    let message = turn(
        &drover,
        &task,
        "alpha",
        &[
            update(json!({"sessionUpdate": "notice", "severity": "warning", "title": "MCP server “x” failed to start", "description": "exit 1"})),
            update(json!({"sessionUpdate": "compaction_update", "compactionId": "c1", "status": "in_progress"})),
            update(json!({"sessionUpdate": "compaction_summary_chunk", "compactionId": "c1", "content": {"type": "text", "text": "They want "}})),
            update(json!({"sessionUpdate": "compaction_summary_chunk", "compactionId": "c1", "content": {"type": "text", "text": "a parser."}})),
            update(json!({"sessionUpdate": "compaction_update", "compactionId": "c1", "status": "completed"})),
            update(json!({"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "a", "entries": [{"content": "one", "priority": "high", "status": "pending"}]}})),
            update(json!({"sessionUpdate": "plan_update", "plan": {"type": "markdown", "planId": "b", "content": "# Plan"}})),
            update(json!({"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "a", "entries": [{"content": "one", "priority": "high", "status": "completed"}]}})),
            update(json!({"sessionUpdate": "plan_removed", "planId": "b"})),
            update(json!({"sessionUpdate": "session_info_update", "title": 42})),
            "!text done".into(),
        ],
    )
    .await;
    assert_json_snapshot!(message["parts"]);
    let id = message["id"].as_str().expect("an id");
    stream.until_done(id).await;
    assert_eq!(json!(stream.rebuilt(id)), message["parts"], "live is as after a reload");
    let task = drover.get(&format!("/tasks/{task}")).await.is(200);
    assert_eq!(task["title_source"], "prompt", "a number is no title");
}

#[tokio::test]
async fn silence_is_told_with_its_beginning_and_ends_with_a_sign() {
    let drover = Drover::start().await;
    drover.patch("/settings", &json!({"silence_seconds": 1})).await.is(200);
    let task = drover.task().await;
    let file = drover.dir.path().join("speak");
    let sent =
        drover.send(&task, &format!("!text before\n!waitfile {}\n!text after\n!untilstop", file.display())).await;
    let link = async || drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200);
    let since = until("a silence", PATIENCE, async || link().await["silent_since"].as_str().map(str::to_owned)).await;
    assert!(since.ends_with('Z'), "{since}");
    std::fs::write(&file, "").expect("a file");
    until("a sign", PATIENCE, async || {
        let chat = drover.chat(&task).await;
        (chat.to_string().contains("beforeafter") && link().await["silent_since"] != json!(since)).then_some(())
    })
    .await;
    drover.post(&format!("/runs/{}/cancel", sent.run_id), &json!({})).await.is(202);
    drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(link().await["silent_since"], Value::Null, "who has answered is not silent");
}
