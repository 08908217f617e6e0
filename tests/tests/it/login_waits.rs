//! A run whose agent wants a login waits for it; then the same call is made once more, and only once.

use drover_tests::harness::{Agent, Drover, PATIENCE, Sent, Setup, agent, message_text, until};
use serde_json::{Value, json};

use crate::login::{alpha, calls, locked, over, waits};

/// An agent that wants a login for these calls, with the file that says that somebody is logged in.
fn asking_for(calls: &str) -> (Agent, std::path::PathBuf) {
    let account = tempfile::tempdir().expect("a directory").keep().join("account");
    let agent = agent("alpha").env("AGENT_AUTH", account.display().to_string()).env("AGENT_AUTH_FOR", calls);
    (agent, account)
}

async fn log_in(drover: &Drover, method: &str) {
    drover.post("/agents/alpha/login", &json!({"method_id": method})).await.is(202);
    assert_eq!(over(drover).await["state"], "succeeded");
}

async fn link(drover: &Drover, task: &str) -> Value {
    drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200)
}

async fn task_state(drover: &Drover, task: &str) -> Value {
    drover.get(&format!("/tasks/{task}")).await.is(200)["state"].clone()
}

/// Waits until the process that was refused is gone.
async fn process_gone(drover: &Drover) {
    until("the end of the process", PATIENCE, async || {
        let processes = drover.get("/agents/alpha/processes").await.is(200);
        processes["processes"].as_array().is_some_and(Vec::is_empty).then_some(())
    })
    .await;
}

async fn ends_as(drover: &Drover, task: &str, sent: &Sent, status: &str) -> Value {
    let message = drover.ended(task, &sent.assistant_message_id).await;
    assert_eq!(message["status"], status, "{message}");
    message
}

#[tokio::test]
async fn a_run_that_waits_for_a_login_takes_no_place_and_each_that_waits_goes_on() {
    let account = tempfile::tempdir().expect("a directory").keep().join("account");
    let setup = Setup {
        agents: vec![agent("alpha").env("AGENT_AUTH", account.display().to_string()), agent("beta")],
        config: Some("max_active_runs = 1\n".into()),
        ..Setup::default()
    };
    let drover = Drover::start_with(setup).await;
    let (one, two, other) = (drover.task().await, drover.task().await, drover.task().await);
    let first = drover.send(&one, "!text first").await;
    waits(&drover, &first).await;
    let second = drover.send(&two, "!text second").await;
    waits(&drover, &second).await;
    assert_eq!(
        (task_state(&drover, &one).await, link(&drover, &one).await["state"].clone()),
        (json!("waiting"), json!("needs_login"))
    );
    let elsewhere = drover.send_to(&other, "beta", "!text others go on").await;
    assert_eq!(message_text(&drover.ended(&other, &elsewhere.assistant_message_id).await), "others go on");

    log_in(&drover, "key").await;
    assert_eq!(message_text(&ends_as(&drover, &one, &first, "done").await), "first");
    assert_eq!(message_text(&ends_as(&drover, &two, &second, "done").await), "second");
    assert_eq!((calls(&drover, "session/new"), calls(&drover, "session/prompt")), (4, 2));
    assert_eq!(drover.get(&format!("/runs/{}", first.run_id)).await.is(200)["waiting_for"], Value::Null);
}

#[tokio::test]
async fn a_session_that_cannot_be_brought_back_without_a_login_is_brought_back_after_it() {
    for method in ["session/load", "session/resume"] {
        let (agent, account) = asking_for("session/load,session/resume");
        let agent = agent.env("AGENT_CAPS", if method == "session/resume" { "load,resume" } else { "load" });
        let drover = Drover::with_agents([agent]).await;
        let task = drover.task().await;
        drover.turn(&task, "!text one").await;
        drover.post(&format!("/tasks/{task}/links/alpha/disconnect"), &json!({})).await.is(202);
        process_gone(&drover).await;
        let sent = drover.send(&task, "!text two").await;
        waits(&drover, &sent).await;
        log_in(&drover, "key").await;
        assert_eq!(message_text(&ends_as(&drover, &task, &sent, "done").await), "two");
        let asked: Vec<Value> =
            drover.received("alpha", method).into_iter().map(|each| each["params"]["sessionId"].clone()).collect();
        assert!(asked.len() == 2 && asked[0].is_string() && asked[0] == asked[1], "{method}: {asked:?}");
        assert_eq!((calls(&drover, "session/new"), calls(&drover, "session/prompt")), (1, 2), "{method}");
        assert!(account.exists());
    }
}

#[tokio::test]
async fn a_prompt_that_was_refused_is_sent_once_more_whole_after_the_login() {
    let (alpha_agent, _) = asking_for("session/prompt");
    let drover = Drover::with_agents([alpha_agent, agent("beta")]).await;
    let task = drover.task().await;
    let before = drover.send_to(&task, "beta", "!text from beta").await;
    drover.ended(&task, &before.assistant_message_id).await;
    let sent = drover.send(&task, "!text from alpha").await;
    waits(&drover, &sent).await;
    assert_eq!(link(&drover, &task).await["seen_ordinal"], 0, "it has not seen what it refused");
    process_gone(&drover).await;
    log_in(&drover, "key").await;
    assert_eq!(message_text(&ends_as(&drover, &task, &sent, "done").await), "from alpha");
    let prompts: Vec<Value> =
        drover.received("alpha", "session/prompt").into_iter().map(|each| each["params"]["prompt"].clone()).collect();
    assert_eq!(prompts.len(), 2);
    assert_eq!(prompts[0], prompts[1], "the handoff too");
    assert!(prompts[1][0]["text"].as_str().is_some_and(|text| text.contains("from beta")), "{prompts:?}");
    assert_eq!(drover.chat(&task).await["messages"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn a_run_that_is_stopped_while_it_waits_sends_nothing_after_the_login() {
    for refused in ["session/new", "session/prompt"] {
        let (agent, _) = asking_for(refused);
        let drover = Drover::with_agents([agent]).await;
        let task = drover.task().await;
        let sent = drover.send(&task, "!text never").await;
        waits(&drover, &sent).await;
        let before = calls(&drover, "session/prompt");
        drover.cancel(&sent).await.is(202);
        ends_as(&drover, &task, &sent, "cancelled").await;
        log_in(&drover, "key").await;
        assert_eq!(message_text(&drover.turn(&task, "!text next").await), "next");
        assert_eq!(calls(&drover, "session/prompt"), before + 1, "{refused}");
    }
}

#[tokio::test]
async fn a_login_that_is_none_ends_the_run_instead_of_going_round() {
    for refused in ["session/new", "session/prompt"] {
        let (agent, _) = asking_for(refused);
        let drover = Drover::with_agents([agent]).await;
        let task = drover.task().await;
        let sent = drover.send(&task, "!text hello").await;
        waits(&drover, &sent).await;
        log_in(&drover, "hollow").await;
        let failed = ends_as(&drover, &task, &sent, "error").await;
        assert_eq!(failed["parts"][0]["code"], "-32000", "{failed}");
        assert_eq!(calls(&drover, refused), 2, "once more, and no more");
        assert_eq!(alpha(&drover).await["state"], "needs_login");
        log_in(&drover, "hollow").await;
        assert_eq!(calls(&drover, refused), 2, "an ended run stays ended");
    }
}

#[tokio::test]
async fn a_daemon_that_ends_while_a_run_waits_has_sent_nothing_for_it() {
    let mut drover = locked().await;
    for hard in [true, false] {
        let task = drover.task().await;
        let sent = drover.send(&task, "!text hello").await;
        waits(&drover, &sent).await;
        if hard {
            drover.kill_nine().await;
        } else {
            drover.stop().await;
        }
        drover.restart().await;
        let failed = ends_as(&drover, &task, &sent, "error").await;
        assert_eq!(failed["parts"][0]["code"], "not_sent", "{failed}");
        assert_eq!(calls(&drover, "session/prompt"), 0);
    }
}
