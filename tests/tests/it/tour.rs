//! Tour, the agent that is built in, behind the daemon.

use drover_tests::harness::{Drover, PATIENCE, Setup, message_text, until};
use serde_json::{Value, json};

/// A task whose Tour does not take its time.
async fn task(drover: &Drover) -> String {
    let task = drover.task().await;
    set(drover, &task, "pace", "instant").await;
    task
}

async fn set(drover: &Drover, task: &str, option: &str, value: &str) -> Value {
    drover.put(&format!("/tasks/{task}/links/tour/options/{option}"), &json!({"value": value})).await.ok()
}

fn value_of(link: &Value, option: &str) -> Value {
    let options = link["options"].as_array().expect("options");
    options.iter().find(|known| known["id"] == option).map(|known| known["currentValue"].clone()).unwrap_or_default()
}

/// A whole turn; a question is answered so.
async fn turn(drover: &Drover, task: &str, text: &str, answer: Option<&str>) -> Value {
    let sent = drover.send_to(task, "tour", text).await;
    if let Some(option) = answer {
        let request = &drover.open_requests(task, 1).await[0];
        drover.choose(request, option).await.ok();
    }
    drover.ended(task, &sent.assistant_message_id).await
}

#[tokio::test]
async fn a_machine_without_agents_has_the_tour() {
    let drover = Drover::start_with(Setup { agents: Vec::new(), ..Setup::default() }).await;
    let agents = drover.get("/agents").await.is(200);
    let ready: Vec<_> =
        agents["agents"].as_array().expect("agents").iter().filter(|agent| agent["id"] == "tour").collect();
    assert_eq!(ready.len(), 1, "{agents}");
    assert_eq!(
        (&ready[0]["state"], &ready[0]["source"], &ready[0]["name"]),
        (&json!("ready"), &json!("builtin"), &json!("Tour"))
    );
    assert_eq!(agents["agents"].as_array().and_then(|all| all.last()), Some(ready[0]), "it comes after all others");
    let doctor = drover.run(&["doctor", "--json"]).await;
    let told: Value = serde_json::from_slice(&doctor.stdout).expect("JSON");
    let checks = told["checks"].as_array().expect("checks");
    assert!(checks.iter().any(|check| check["name"] == "agent" && check["detail"] == "Tour" && check["state"] == "ok"));
}

#[tokio::test]
async fn the_tour_s_walk_is_kept_with_all_its_kinds_of_content() {
    let drover = Drover::start().await;
    let task = task(&drover).await;
    let sent = drover.send_to(&task, "tour", "Show me around").await;
    let permission = drover.open_requests(&task, 1).await.remove(0);
    drover.choose(&permission, "allow_once").await.ok();
    let form = until("the form", PATIENCE, async || {
        drover.open_requests(&task, 1).await.into_iter().find(|request| request["kind"] == "elicitation")
    })
    .await;
    let answer = json!({"action": "accept", "content": {"name": "Ada", "score": 5}});
    drover.post(&format!("/requests/{}", form["id"].as_str().expect("an id")), &answer).await.ok();
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(message["status"], "done");
    assert!(message_text(&message).contains("- `name`: Ada"), "{message}");
    let parts = message["parts"].as_array().expect("parts");
    let count = |kind: &str| parts.iter().filter(|part| part["type"] == kind).count();
    assert!(count("text") > 2 && count("thought") == 1 && count("plan") >= 1 && count("image") == 1, "{parts:?}");
    assert_eq!(count("tool_call"), 6);
    assert!(message_text(&message).contains("| Claude Code | Anthropic | an adapter |"));
    assert!(message.to_string().contains("\\u001b[32mok"), "the command's output keeps its colours");
    let greeting = drover.data().join("tour/greeting.txt");
    assert_eq!(std::fs::read_to_string(greeting).expect("it was allowed"), "Hello from the tour.\n");
    let task = drover.get(&format!("/tasks/{task}")).await.is(200);
    assert_eq!(task["title"], "A tour of Drover");
}

#[tokio::test]
async fn the_tour_takes_a_no_and_asks_no_more_after_an_always() {
    let drover = Drover::start().await;
    let task = task(&drover).await;
    let greeting = drover.data().join("tour/greeting.txt");
    let message = turn(&drover, &task, "/ask", Some("reject_once")).await;
    assert!(message_text(&message).contains("You said no"), "{message}");
    assert!(!greeting.exists());
    turn(&drover, &task, "/ask", Some("allow_always")).await;
    assert!(greeting.exists());
    let link = drover.get(&format!("/tasks/{task}/links/tour")).await.is(200);
    assert_eq!(value_of(&link, "mode"), "act");
    let message = turn(&drover, &task, "/ask", None).await;
    assert!(message_text(&message).contains("without asking"), "{message}");
}

#[tokio::test]
async fn a_stop_ends_the_tour_in_a_text_and_in_a_question() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send_to(&task, "tour", "/long").await;
    drover.says(&task, &sent, "1 of 80").await;
    drover.cancel(&sent).await.ok();
    assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["status"], "cancelled");
    let sent = drover.send_to(&task, "tour", "/ask").await;
    drover.open_requests(&task, 1).await;
    drover.cancel(&sent).await.ok();
    assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["status"], "cancelled");
    assert_eq!(turn(&drover, &task, "/plan", None).await["status"], "done");
}

#[tokio::test]
async fn the_tour_goes_on_with_its_session_after_the_daemon_was_killed() {
    let mut drover = Drover::start().await;
    let task = task(&drover).await;
    turn(&drover, &task, "/plan 请用中文", None).await;
    drover.kill_nine().await;
    drover.restart().await;
    let message = turn(&drover, &task, "/markdown", None).await;
    let text = message_text(&message);
    assert!(text.contains("回答里能有什么"), "the session's language is as it was: {text}");
    assert!(!text.contains("<handoff") && !text.contains("收到了这次对话"), "nothing was missed: {text}");
    let link = drover.get(&format!("/tasks/{task}/links/tour")).await.is(200);
    assert_eq!((&link["has_session"], value_of(&link, "pace")), (&json!(true), json!("instant")));
}

#[tokio::test]
async fn turns_are_handed_from_the_tour_to_another_agent_and_back() {
    let drover = Drover::start().await;
    let task = task(&drover).await;
    turn(&drover, &task, "/plan", None).await;
    drover.turn(&task, "!text hello from alpha").await;
    let (prompt, _) = drover.prompts("alpha").pop().expect("a prompt");
    assert!(prompt.contains("agent=\"Tour (tour)\"") && prompt.contains("A plan is a list"), "{prompt}");
    let message = turn(&drover, &task, "What did I miss?", None).await;
    let text = message_text(&message);
    assert!(text.contains("handed 2 turns") && text.contains("ALPHA (alpha)"), "{text}");
}

#[tokio::test]
async fn a_tour_that_is_asked_to_fail_fails_and_holds_nothing_up() {
    let drover = Drover::start().await;
    let task = task(&drover).await;
    let message = turn(&drover, &task, "/fail", None).await;
    assert_eq!(message["status"], "error");
    assert!(message.to_string().contains("asked to fail"), "{message}");
    until("the next turn", PATIENCE, async || {
        (turn(&drover, &task, "/help", None).await["status"] == "done").then_some(())
    })
    .await;
}
