//! Retry, edit, continue, branches and the queue's order, over HTTP (lifecycle rules 18 to 21 and 29).

use drover_tests::harness::{Drover, PATIENCE, agent, message_text, nonce, until};
use serde_json::{Value, json};

/// The texts of a chat in order, users' and agents' alike.
async fn said(drover: &Drover, task: &str) -> Vec<String> {
    drover.chat(task).await["messages"].as_array().expect("messages").iter().map(message_text).collect()
}

#[tokio::test]
async fn an_edit_leaves_every_agents_view_and_can_be_brought_back() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "keep\n!text kept").await;
    let second = drover.send(&task, "secret\n!text answer").await;
    drover.ended(&task, &second.assistant_message_id).await;
    let before = said(&drover, &task).await;
    let body = json!({"nonce": nonce(), "text": "other\n!text instead"});
    let path = format!("/messages/{}/edit", second.user_message_id);
    let edited = drover.post(&path, &body).await.is(202);
    drover.ended(&task, edited["assistant_message_id"].as_str().expect("an id")).await;
    assert_eq!(drover.post(&path, &body).await.is(200), edited, "the same edit again");
    let prompts = drover.prompts("alpha");
    let ((_, old), (last, new)) = (&prompts[1], &prompts[2]);
    assert_ne!(old, new, "the session that saw the secret was used again");
    assert!(last.contains("keep") && !last.contains("secret"), "{last}");
    let branches = drover.get(&format!("/tasks/{task}/branches")).await.is(200)["branches"].clone();
    assert_eq!((branches.as_array().map(Vec::len), &branches[0]["reason"]), (Some(1), &json!("edit")));
    assert_eq!((&branches[0]["messages"], &branches[0]["opening"]), (&json!(2), &json!("secret\n!text answer")));
    let restore = format!("/tasks/{task}/branches/{}/restore", branches[0]["id"].as_str().expect("an id"));
    drover.post(&restore, &json!({"nonce": nonce()})).await.is(200);
    assert_eq!(said(&drover, &task).await, before);
}

#[tokio::test]
async fn a_retry_runs_the_same_prompt_in_a_session_that_has_not_seen_its_answer() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "again\n!text half\n!error").await;
    drover.ended(&task, &sent.assistant_message_id).await;
    let path = format!("/messages/{}/retry", sent.assistant_message_id);
    let retried = drover.post(&path, &json!({"nonce": nonce(), "agent": "beta"})).await.is(202);
    assert_eq!(retried["user_message_id"], sent.user_message_id.as_str());
    drover.ended(&task, retried["assistant_message_id"].as_str().expect("an id")).await;
    assert_eq!(drover.prompts("beta")[0].0, drover.prompts("alpha")[0].0);
    let ordinals = drover.chat(&task).await["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .map(|message| message["ordinal"].clone())
        .collect::<Vec<_>>();
    assert_eq!(json!(ordinals), json!([1, 2]), "freed ordinals are used again");
    let wrong = drover.post(&format!("/messages/{}/continue", sent.user_message_id), &json!({"nonce": nonce()})).await;
    assert_eq!(wrong.problem(409)["type"], "/problems/not-applicable");
}

#[tokio::test]
async fn a_queued_message_can_be_reworded_moved_and_sent_now() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let first = drover.send(&task, "!text A\n!hang").await;
    let (second, third) = (drover.send(&task, "!text B").await, drover.send(&task, "!text C").await);
    drover.says(&task, &first, "A").await;
    let third_run = format!("/runs/{}", third.run_id);
    drover.patch(&third_run, &json!({"text": "!text D", "before": second.run_id})).await.is(200);
    drover.patch(&third_run, &json!({"before": third.run_id})).await.problem(422);
    drover.post(&format!("/runs/{}/send_now", second.run_id), &json!({})).await.is(202);
    for (sent, text) in [(&second, "B"), (&third, "D")] {
        assert_eq!(message_text(&drover.ended(&task, &sent.assistant_message_id).await), text);
    }
    assert_eq!(drover.ended(&task, &first.assistant_message_id).await["status"], "cancelled");
    let order = drover.chat(&task).await["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter(|message| message["role"] == "assistant")
        .map(message_text)
        .collect::<Vec<_>>();
    assert_eq!(order, ["A", "B", "D"], "the chat is in the order in which things ran");
    drover.patch(&third_run, &json!({"text": "late"})).await.problem(409);
}

#[tokio::test]
async fn sending_now_stops_what_the_same_agent_does_in_the_background() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let first = drover.send(&task, "!text A\n!hang").await;
    let run = format!("/runs/{}", first.run_id);
    until("a run in the background", PATIENCE, async || {
        (drover.get(&run).await.is(200)["state"] == "background").then_some(())
    })
    .await;
    let second = drover.send(&task, "!text B").await;
    let queued = format!("/runs/{}", second.run_id);
    until("a run that waits", PATIENCE, async || {
        (drover.get(&queued).await.is(200)["waiting_for"] == "task").then_some(())
    })
    .await;
    drover.post(&format!("{queued}/send_now"), &json!({})).await.is(202);
    assert_eq!(message_text(&drover.ended(&task, &second.assistant_message_id).await), "B");
    assert_eq!(drover.ended(&task, &first.assistant_message_id).await["status"], "cancelled");
}

#[tokio::test]
async fn what_was_accepted_is_answered_again_although_its_file_and_its_agent_are_gone() {
    let drover = Drover::with_agents([agent("alpha"), agent("gamma")]).await;
    let project = drover.project("here").await;
    let task = drover.task_in(&project).await;
    let file = drover.subdir("here").join("x.txt");
    std::fs::write(&file, "x").expect("a file");
    let body = json!({"nonce": "once", "agent": "gamma", "text": "!text done", "mentions": ["x.txt"]});
    let path = format!("/tasks/{task}/messages");
    let sent = drover.post(&path, &body).await.is(202);
    drover.ended(&task, sent["assistant_message_id"].as_str().expect("an id")).await;
    std::fs::remove_file(&file).expect("the file goes");
    drover.write_agents(&[agent("alpha")]);
    assert_eq!(drover.post(&path, &body).await.is(200), sent);
    let mut other = body.clone();
    other["nonce"] = json!("twice");
    let problem: Value = drover.post(&path, &other).await.problem(422);
    assert_eq!(problem["errors"][0]["field"], "agent");
}

#[tokio::test]
async fn a_login_that_is_missing_is_told_until_a_turn_works() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let login = json!({"code": -32000, "message": "Authentication required"});
    // Something came of the prompt, so it is not sent again.
    let failed = drover.turn_ending(&task, &format!("!text begun\n!fail {login}"), "error").await;
    assert!(failed.to_string().contains("-32000"), "{failed}");
    assert_eq!(drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200)["state"], "needs_login");
    let state = async || {
        let agents = drover.get("/agents").await.is(200);
        let found = agents["agents"].as_array().expect("agents").iter().find(|agent| agent["id"] == "alpha").cloned();
        found.expect("alpha")["state"].clone()
    };
    assert_eq!(state().await, "needs_login");
    drover.turn(&task, "!text in").await;
    assert_eq!(state().await, "ready");
}
