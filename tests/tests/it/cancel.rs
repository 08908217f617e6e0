//! Stopping a turn, and the races around it.

use std::time::{Duration, Instant};

use drover_tests::harness::{Drover, LONG, PATIENCE, agent, message_text, process, until};
use serde_json::{Value, json};

#[tokio::test]
async fn a_stop_keeps_the_text_and_is_sent_once_however_often_it_is_pressed() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!say 5\n!pendingtool z\n!hang 300").await;
    drover.says(&task, &sent, "w4 ").await;
    for _ in 0..3 {
        drover.cancel(&sent).await.is(202);
    }
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!((&message["status"], message_text(&message).as_str()), (&json!("cancelled"), "w0 w1 w2 w3 w4 "));
    assert_eq!(message["parts"][1]["status"], "stopped");
    assert_eq!(drover.cancel(&sent).await.is(200)["state"], "cancelled", "stopping what has ended does nothing");
    assert_eq!(message_text(&drover.turn(&task, "!text next").await), "next");
    assert_eq!(drover.received("alpha", "session/cancel").len(), 1);
}

#[tokio::test]
async fn a_second_answer_to_a_stopped_prompt_never_ends_a_later_turn() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!text one\n!hang").await;
    drover.says(&task, &sent, "one").await;
    drover.cancel(&sent).await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    let again = r#"!raw {"jsonrpc":"2.0","id":$PREV,"result":{"stopReason":"cancelled"}}"#;
    let message = drover.turn(&task, &format!("{again}\n!sleep 300\n!text answer two")).await;
    assert_eq!((message_text(&message).as_str(), &message["stop_reason"]), ("answer two", &json!("end_turn")));
    assert_eq!(drover.message(&task, &sent.assistant_message_id).await["status"], "cancelled");
    let ids: Vec<Value> =
        drover.received("alpha", "session/prompt").into_iter().map(|prompt| prompt["id"].clone()).collect();
    assert_ne!(ids[0], ids[1]);
}

#[tokio::test]
async fn a_stop_before_the_session_exists_sends_nothing_and_the_next_message_goes_out() {
    let slow = agent("alpha").delays(&json!({"initialize": 3000, "session/new": 3000}));
    let drover = Drover::with_agents([slow, agent("beta")]).await;
    for stage in ["initialize", "session/new"] {
        let task = drover.task().await;
        let before = drover.received("alpha", stage).len();
        let sent = drover.send(&task, "go").await;
        until(stage, PATIENCE, async || (drover.received("alpha", stage).len() > before).then_some(())).await;
        let pressed = Instant::now();
        drover.cancel(&sent).await.ok();
        drover.cancel(&sent).await.ok();
        let next = drover.send(&task, "!text next").await;
        let message = drover.ended(&task, &sent.assistant_message_id).await;
        assert_eq!(message["status"], "cancelled", "{message}");
        assert!(pressed.elapsed() < Duration::from_millis(2800), "the user waits {:?}", pressed.elapsed());
        assert_eq!(message_text(&drover.ended(&task, &next.assistant_message_id).await), "next");
    }
    let texts: Vec<String> = drover.prompts("alpha").into_iter().map(|(text, _)| text).collect();
    assert!(
        texts.len() == 2 && texts.iter().all(|text| text.ends_with("!text next")),
        "what was stopped was sent: {texts:?}"
    );
}

#[tokio::test]
async fn a_stop_while_a_session_is_brought_back_sends_nothing_and_shows_nothing_of_it() {
    let slow = agent("alpha").env("AGENT_LOAD", "replay").delays(&json!({"session/load": 3000}));
    let mut drover = Drover::with_agents([slow, agent("beta")]).await;
    let task = drover.task().await;
    drover.turn(&task, "one\n!text answer-one").await;
    drover.stop().await;
    drover.restart().await;
    let sent = drover.send(&task, "never sent").await;
    until("a load", PATIENCE, async || (!drover.received("alpha", "session/load").is_empty()).then_some(())).await;
    drover.cancel(&sent).await.ok();
    assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["status"], "cancelled");
    assert_eq!(message_text(&drover.turn(&task, "!text next").await), "next");
    let chat = drover.chat(&task).await;
    assert!(!chat["messages"].to_string().contains("REPLAYED"), "{chat}");
    let prompts = drover.prompts("alpha");
    assert!(prompts.iter().all(|(text, _)| !text.starts_with("never sent")), "{prompts:?}");
}

#[tokio::test]
async fn a_stop_ends_the_turn_and_not_the_session() {
    let drover = Drover::start().await;
    for script in [
        "!text up\n!hang",
        "!oncancel {\"error\":{\"code\":-32800,\"message\":\"Request cancelled\"}}\n!text up\n!hang",
    ] {
        let task = drover.task().await;
        drover.turn(&task, "!text first").await;
        let sent = drover.send(&task, script).await;
        drover.says(&task, &sent, "up").await;
        drover.cancel(&sent).await.ok();
        let message = drover.ended(&task, &sent.assistant_message_id).await;
        assert_eq!(message["status"], "cancelled");
        assert!(!message["parts"].to_string().contains("\"error\""), "a stop is no failure: {message}");
        drover.turn(&task, "!text go on").await;
        let prompts = drover.prompts("alpha");
        let [.., (_, second), (last, third)] = prompts.as_slice() else { panic!("{prompts:?}") };
        assert_eq!((last.as_str(), second), ("!text go on", third));
    }
    assert_eq!(drover.starts("alpha").len(), 2, "a process for each task");
    assert_eq!(drover.received("alpha", "session/new").len(), 2);
    assert_eq!(drover.received("alpha", "session/load").len(), 0);
}

#[tokio::test]
async fn an_agent_that_ignores_the_stop_is_ended_with_all_it_started() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!child own deaf\n!deaf").await;
    let child = drover.child_of(&task, &sent).await;
    drover.cancel(&sent).await.ok();
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    assert_eq!(message["status"], "cancelled");
    process::all_gone(&[child, drover.starts("alpha")[0]], PATIENCE).await;
    assert_eq!(message_text(&drover.turn(&task, "!text back").await), "back");
    assert!(process::zombies(drover.pid()).is_empty());
}

#[tokio::test]
async fn a_stop_that_races_the_natural_end_changes_nothing() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    for pause in 0..10_u64 {
        let sent = drover.send(&task, &format!("!sleep {}\n!text x", pause * 3)).await;
        drover.cancel(&sent).await.ok();
        let message = drover.ended(&task, &sent.assistant_message_id).await;
        assert!(matches!(message["status"].as_str(), Some("done" | "cancelled")), "{message}");
        let next = drover.turn(&task, "!text next").await;
        assert_eq!((message_text(&next).as_str(), &next["stop_reason"]), ("next", &json!("end_turn")));
    }
}

#[tokio::test]
async fn a_dropped_message_never_runs() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let first = drover.send(&task, "!text A\n!hang").await;
    let dropped = drover.send(&task, "!text dropped").await;
    let next = drover.send(&task, "!text B").await;
    drover.says(&task, &first, "A").await;
    let stream = drover.follow_now().await;
    drover.delete(&format!("/runs/{}", dropped.run_id)).await.ok();
    let is_dropped = |event: &drover_tests::harness::Event| {
        event.kind == "message.deleted" && event.data["id"] == dropped.user_message_id.as_str()
    };
    stream.until("the message gone", is_dropped).await;
    drover.cancel(&first).await.ok();
    drover.ended(&task, &first.assistant_message_id).await;
    drover.post(&format!("/tasks/{task}/queue/resume"), &json!({})).await.ok();
    assert_eq!(message_text(&drover.ended(&task, &next.assistant_message_id).await), "B");
    let last: Vec<String> =
        drover.prompts("alpha").iter().filter_map(|(text, _)| Some(text.lines().last()?.to_owned())).collect();
    assert_eq!(last, ["!hang", "!text B"]);
    drover.delete(&format!("/runs/{}", next.run_id)).await.problem(409);
}

#[tokio::test]
async fn a_question_asked_after_the_stop_is_answered_as_cancelled_at_once_and_text_after_it_is_kept() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let sent =
        drover.send(&task, "!heedless\n!text up \n!untilstop\n!permit 9\n!await 9\n!text more\n!end end_turn").await;
    drover.says(&task, &sent, "up").await;
    drover.cancel(&sent).await.ok();
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(message["status"], "cancelled", "whatever reason the agent gives: {message}");
    assert!(message_text(&message).ends_with("more"), "{message}");
    let answers = drover.answers("alpha");
    assert!(answers.len() == 1 && answers[0]["result"]["outcome"]["outcome"] == "cancelled", "{answers:?}");
    let live = |event: &drover_tests::harness::Event| event.kind == "request.upsert" && event.data["state"] == "open";
    assert!(!stream.events().iter().any(live), "it was never shown as one to answer");
}
