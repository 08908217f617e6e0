//! Agents that nobody uses are ended, and come back.

use std::time::Duration;

use drover_tests::harness::{Drover, Setup, agent, message_text, process, until};
use serde_json::json;

/// The shortest time without work after which an agent is ended, and what a slow machine takes on top.
const IDLE: Duration = Duration::from_secs(60 + 60);

#[tokio::test]
async fn an_idle_agent_is_ended_and_comes_back_and_one_with_a_turn_or_a_question_is_not() {
    let setup = Setup {
        agents: ["alpha", "asks", "works"].map(agent).into(),
        config: Some("idle_minutes = 1\n".into()),
        ..Setup::default()
    };
    let drover = Drover::start_with(setup).await;
    let asks = drover.task().await;
    let tool = json!({"toolCallId": "t1", "title": "go"});
    let options = json!([{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]);
    let asking = drover.send_to(&asks, "asks", &format!("!permit 1 {tool} {options}\n!await 1\n!text answered")).await;
    let request = drover.open_requests(&asks, 1).await.remove(0);
    let works = drover.task().await;
    let working = drover.send_to(&works, "works", "!text begun\n!hang").await;
    drover.says(&works, &working, "begun").await;
    let task = drover.task().await;
    drover.turn(&task, "!text first").await;
    let session = drover.received("alpha", "session/prompt")[0]["params"]["sessionId"].clone();
    let alone = drover.starts("alpha")[0];

    let parked = async || {
        let link = drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200);
        (link["state"] == "parked").then_some(())
    };
    until("the end of an idle agent", IDLE, parked).await;
    until("the end of its process", IDLE, async || (!process::alive(alone)).then_some(())).await;
    for agent in ["asks", "works"] {
        assert!(process::alive(drover.starts(agent)[0]), "{agent} was not idle");
    }

    assert_eq!(message_text(&drover.turn(&task, "!prompt").await), "!prompt", "its session knows the rest");
    let loads = drover.received("alpha", "session/load");
    assert_eq!((loads.len(), &loads[0]["params"]["sessionId"]), (1, &session));
    drover.choose(&request, "yes").await.ok();
    drover.says(&asks, &asking, "answered").await;
    drover.cancel(&working).await.ok();
}
