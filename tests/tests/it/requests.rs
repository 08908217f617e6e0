//! Questions of agents and their answers.

use drover_tests::harness::{Drover, PATIENCE, message_text, until};
use insta::assert_json_snapshot;
use serde_json::{Value, json};

/// The answers that the agent got, as (id, chosen option or outcome).
fn outcomes(drover: &Drover, agent: &str) -> Vec<(Value, Value)> {
    let outcome = |answer: &Value| {
        let outcome = &answer["result"]["outcome"];
        if outcome["outcome"] == "selected" { outcome["optionId"].clone() } else { outcome["outcome"].clone() }
    };
    drover.answers(agent).iter().map(|answer| (answer["id"].clone(), outcome(answer))).collect()
}

#[tokio::test]
async fn options_reach_the_user_as_they_are_and_the_answer_carries_the_id_that_was_sent() {
    let options = json!([
        {"optionId": "plan", "name": "Stay in planning", "kind": "reject_once"},
        {"optionId": "bypassPermissions", "name": "Go, no more questions", "kind": "allow_always"},
        {"optionId": "acceptEdits", "name": "Go, accept edits", "kind": "allow_always"},
        {"optionId": "default", "name": "Go, ask each time", "kind": "allow_once"},
        {"optionId": "later", "name": "Ask me later", "kind": "defer_once"},
    ]);
    let drover = Drover::start().await;
    let task = drover.task().await;
    let tool = json!({"toolCallId": "t1", "title": "go", "_meta": {"of": {"an": ["extension", null]}}});
    let ask = format!("!permit \"q-1\" {tool} {options}\n!await \"q-1\"\n");
    let sent = drover.send(&task, &ask.repeat(5)).await;
    for option in options.as_array().expect("a list") {
        let request = &drover.open_requests(&task, 1).await[0];
        assert_eq!((&request["payload"]["options"], &request["payload"]["toolCall"]), (&options, &tool));
        drover.choose(request, option["optionId"].clone()).await.ok();
        let id = request["id"].clone();
        until("the next question", PATIENCE, async || {
            let chat = drover.chat(&task).await;
            chat["requests"].as_array()?.iter().all(|open| open["id"] != id || open["state"] != "open").then_some(())
        })
        .await;
    }
    drover.ended(&task, &sent.assistant_message_id).await;
    let chosen: Vec<_> =
        options.as_array().expect("a list").iter().map(|option| (json!("q-1"), option["optionId"].clone())).collect();
    assert_eq!(outcomes(&drover, "alpha"), chosen);
}

#[tokio::test]
async fn a_question_about_a_tool_call_that_was_never_announced_shows_it_and_makes_one_entry() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let tool = json!({"toolCallId": "new1", "title": "bash", "kind": "execute", "status": "pending",
        "rawInput": {"command": "git push --force"},
        "content": [{"type": "diff", "path": "/p/a.rs", "oldText": null, "newText": "x"}],
        "locations": [{"path": "/p/a.rs", "line": 3}]});
    let done = json!({"sessionUpdate": "tool_call_update", "toolCallId": "new1", "status": "completed"});
    let sent = drover.send(&task, &format!("!permit 5 {tool}\n!await 5\n!update {done}")).await;
    let request = &drover.open_requests(&task, 1).await[0];
    assert_eq!(request["payload"]["toolCall"], tool);
    assert_eq!(drover.get(&format!("/tasks/{task}")).await.is(200)["state"], "waiting");
    assert_eq!(drover.get(&format!("/runs/{}", sent.run_id)).await.is(200)["state"], "waiting");
    drover.choose(request, "yes").await.ok();
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert_json_snapshot!(message["parts"]);
}

#[tokio::test]
async fn two_questions_at_once_are_both_open_and_may_be_answered_the_other_way_round() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let tool = |id: &str| json!({"toolCallId": id, "title": id, "kind": "execute", "status": "pending"});
    let script = format!("!permit 31 {}\n!permit 32 {}\n!text waiting\n!await 32\n!await 31", tool("t1"), tool("t2"));
    let sent = drover.send(&task, &script).await;
    let open = drover.open_requests(&task, 2).await;
    drover.says(&task, &sent, "waiting").await;
    drover.choose(&open[1], "no").await.ok();
    until("the first answer", PATIENCE, async || (outcomes(&drover, "alpha").len() == 1).then_some(())).await;
    drover.choose(&open[0], "yes").await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(outcomes(&drover, "alpha"), [(json!(32), json!("no")), (json!(31), json!("yes"))]);
}

#[tokio::test]
async fn the_first_of_many_answers_wins_and_the_others_are_told_it() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!ask").await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    let unknown = drover.choose(&request, "nonsense").await.problem(422);
    assert_json_snapshot!("an_option_that_was_not_offered", unknown);
    let tabs: Vec<_> = (0..16)
        .map(|tab| {
            let (api, request) = ((*drover).clone(), request.clone());
            tokio::spawn(async move { api.choose(&request, if tab % 2 == 0 { "yes" } else { "no" }).await })
        })
        .collect();
    let mut answers = Vec::new();
    for tab in tabs {
        answers.push(tab.await.expect("an answer"));
    }
    let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status < 300);
    assert_eq!((won.len(), lost.len()), (1, 15));
    let winner = won[0].json()["answer"].clone();
    assert!(lost.iter().all(|answer| answer.problem(409)["answer"] == winner));
    drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(outcomes(&drover, "alpha").len(), 1, "the agent is answered once");
    assert_eq!(outcomes(&drover, "alpha")[0].1, winner["option_id"]);
}

#[tokio::test]
async fn no_is_an_option_and_not_the_end_of_the_turn() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let tool = json!({"toolCallId": "t", "title": "t"});
    let refuse = json!([{"optionId": "deny-7", "name": "Never", "kind": "reject_once"}]);
    let allow = json!([{"optionId": "y", "name": "Yes", "kind": "allow_once"}]);
    let script = format!(
        "!permit 11 {tool} {refuse}\n!await 11\n!permit 12 {tool} {allow}\n!await 12\n!permit 13 {tool} []\n!await 13\n!text on"
    );
    let sent = drover.send(&task, &script).await;
    for (options, choice) in [(1, json!("deny-7")), (1, Value::Null), (0, Value::Null)] {
        let request = &drover.open_requests(&task, 1).await[0];
        assert_eq!(request["payload"]["options"].as_array().map(Vec::len), Some(options), "none is added, none hidden");
        let answered = drover.choose(request, choice.clone()).await.ok();
        assert_eq!((&answered["state"], &answered["answer"]), (&json!("answered"), &json!({"option_id": choice})));
    }
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert!(message["status"] == "done" && message_text(&message).ends_with("on"), "{message}");
    assert_eq!(
        outcomes(&drover, "alpha"),
        [(json!(11), json!("deny-7")), (json!(12), json!("cancelled")), (json!(13), json!("cancelled"))]
    );
}

#[tokio::test]
async fn stopping_the_turn_answers_every_open_question_as_cancelled() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!permit 1\n!permit 2\n!hang").await;
    let open = drover.open_requests(&task, 2).await;
    drover.cancel(&sent).await.ok();
    assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["status"], "cancelled");
    assert_eq!(outcomes(&drover, "alpha"), [(json!(1), json!("cancelled")), (json!(2), json!("cancelled"))]);
    for request in open {
        let late = drover.choose(&request, "yes").await.problem(409);
        assert_eq!(late["answer"], json!({"option_id": null}));
    }
    assert_eq!(drover.chat(&task).await["requests"], json!([]));
}

#[tokio::test]
async fn a_question_that_the_agent_takes_back_is_void_everywhere() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let sent = drover.send(&task, "!permit 7\n!permit 8\n!await 8\n!withdraw 7\n!withdraw 99\n!text on\n!hang").await;
    let mut open = drover.open_requests(&task, 2).await;
    drover.choose(&open[1], "yes").await.ok();
    let request = open.remove(0);
    stream
        .until("the question void", |event| {
            event.kind == "request.upsert" && event.data["id"] == request["id"] && event.data["state"] == "void"
        })
        .await;
    drover.choose(&request, "yes").await.problem(410);
    drover.says(&task, &sent, "on").await;
    assert_eq!(drover.get(&format!("/runs/{}", sent.run_id)).await.is(200)["state"], "running");
}

#[tokio::test]
async fn an_agent_that_dies_and_a_daemon_that_dies_leave_no_question_that_can_be_answered() {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    let dies = drover.send(&task, "!permit 5\n!permit 6\n!await 6\n!crash 1").await;
    let mut open = drover.open_requests(&task, 2).await;
    drover.choose(&open[1], "yes").await.ok();
    let request = open.remove(0);
    drover.ended(&task, &dies.assistant_message_id).await;
    let problem = drover.choose(&request, "yes").await.problem(410);
    assert_json_snapshot!("a_void_question", problem);
    drover.send(&task, "!ask").await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    drover.kill_nine().await;
    drover.restart().await;
    drover.choose(&request, "yes").await.problem(410);
    assert_eq!(drover.chat(&task).await["requests"], json!([]));
    drover.turn(&task, "!text after").await;
}
