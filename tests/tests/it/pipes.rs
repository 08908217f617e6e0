//! Agents whose pipes are closed or stuck, and agents that never answer.

use std::time::{Duration, Instant};

use drover_tests::harness::{Drover, LONG, PATIENCE, agent, message_text, process, until};
use serde_json::json;

#[tokio::test]
async fn a_closed_stdin_or_stdout_fails_the_turn_and_ends_the_process() {
    let agents = [agent("alpha").on(&json!({"session/new": "!closestdin"})), agent("beta")];
    let drover = Drover::with_agents(agents).await;
    let task = drover.task().await;
    let sent = drover.send(&task, "hello").await;
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    assert!(matches!(message["status"].as_str(), Some("error" | "interrupted")), "{message}");
    assert!(message["parts"].to_string().contains("\"error\""), "the reason is told: {message}");
    process::all_gone(&drover.starts("alpha"), PATIENCE).await;
    let other = drover.task().await;
    let sent = drover.send_to(&other, "beta", "!text up\n!closestdout\n!hang").await;
    let message = drover.ended_within(&other, &sent.assistant_message_id, LONG).await;
    assert!(
        message_text(&message) == "up" && matches!(message["status"].as_str(), Some("error" | "interrupted")),
        "{message}"
    );
    process::all_gone(&drover.starts("beta"), PATIENCE).await;
}

#[tokio::test]
async fn an_agent_that_exits_between_two_turns_is_started_again_without_a_word() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "!text one\n!end\n!sleep 100\n!crash 0").await;
    process::all_gone(&drover.starts("alpha"), PATIENCE).await;
    let message = drover.turn(&task, "!text two").await;
    assert_eq!(message_text(&message), "two");
    assert_eq!(
        (drover.starts("alpha").len(), drover.chat(&task).await["messages"].as_array().map(Vec::len)),
        (2, Some(4))
    );
}

#[tokio::test]
async fn an_agent_that_reads_nothing_while_it_writes_much_blocks_neither_itself_nor_others() {
    let drover = Drover::with_agents([
        agent("alpha").on(&json!({"session/new": "!readless 6000\n!burst 3000 1000"})),
        agent("beta"),
    ])
    .await;
    let (task, other) = (drover.task().await, drover.task().await);
    let big = "x".repeat(3 << 20);
    let stuck = drover.send(&task, &format!("{big}\n!text read at last")).await;
    until("the session", PATIENCE, async || (!drover.received("alpha", "session/new").is_empty()).then_some(())).await;
    let asked = Instant::now();
    let sent = drover.send_to(&other, "beta", "!say 20 5").await;
    drover.ended(&other, &sent.assistant_message_id).await;
    assert!(asked.elapsed() < Duration::from_secs(5), "another task takes {:?}", asked.elapsed());
    let message = drover.ended_within(&task, &stuck.assistant_message_id, LONG).await;
    assert!(message["status"] == "done" && message_text(&message).ends_with("read at last"), "{}", message["status"]);
}

#[tokio::test]
async fn a_stuck_prompt_can_be_stopped_and_the_next_one_goes_to_another_process() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "!text one\n!readless 600000").await;
    let sent = drover.send(&task, &"x".repeat(3 << 20)).await;
    let run = format!("/runs/{}", sent.run_id);
    until("the prompt begun", PATIENCE, async || (drover.get(&run).await.is(200)["state"] == "running").then_some(()))
        .await;
    drover.cancel(&sent).await.ok();
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    assert_eq!(message["status"], "cancelled");
    let next = drover.send(&task, "!text on").await;
    let message = drover.ended_within(&task, &next.assistant_message_id, LONG).await;
    assert_eq!((&message["status"], message_text(&message).as_str()), (&json!("done"), "on"));
    process::all_gone(&drover.starts("alpha")[..1], PATIENCE).await;
}

#[tokio::test]
async fn an_agent_that_never_answers_can_be_stopped_and_holds_nobody_up() {
    let agents = [
        agent("alpha").delays(&json!({"initialize": -1})),
        agent("beta"),
        agent("gamma").delays(&json!({"session/new": -1})),
    ];
    let drover = Drover::with_agents(agents).await;
    for silent in ["alpha", "gamma"] {
        let (task, other) = (drover.task().await, drover.task().await);
        let sent = drover.send_to(&task, silent, "go").await;
        until("the agent", PATIENCE, async || (!drover.received(silent, "initialize").is_empty()).then_some(())).await;
        assert_eq!(drover.get(&format!("/runs/{}", sent.run_id)).await.is(200)["state"], "starting");
        let quick = drover.send_to(&other, "beta", "!text quick").await;
        assert_eq!(message_text(&drover.ended(&other, &quick.assistant_message_id).await), "quick");
        drover.cancel(&sent).await.ok();
        assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["status"], "cancelled");
        drover.delete(&format!("/tasks/{task}")).await.ok();
        process::all_gone(&drover.starts(silent), PATIENCE).await;
    }
}
