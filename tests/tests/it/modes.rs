//! Agents that fall back to a mode which does not ask, whenever they have a session anew: the chosen one is set before the prompt.

use drover_tests::harness::{Agent, Drover, PATIENCE, agent, nonce, until};
use serde_json::{Value, json};

const ORDER: [&str; 6] = [
    "session/new",
    "session/load",
    "session/resume",
    "session/set_config_option",
    "session/set_mode",
    "session/prompt",
];

fn modes() -> Value {
    json!([{"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "auto",
        "options": [{"value": "auto", "name": "Auto"}, {"value": "ask", "name": "Ask"}]}])
}

/// What the agent was asked for, of what matters here, from the newest session call on.
fn since_the_session(drover: &Drover) -> Vec<String> {
    let calls = drover.journal("alpha").into_iter().filter(|entry| entry.kind == "in");
    let mut calls: Vec<String> = calls
        .filter_map(|entry| entry.msg["method"].as_str().filter(|method| ORDER.contains(method)).map(str::to_owned))
        .collect();
    let sessions = ["session/new", "session/load", "session/resume"];
    let last = calls.iter().rposition(|call| sessions.contains(&call.as_str())).expect("a session");
    calls.split_off(last)
}

async fn link(drover: &Drover, task: &str) -> Value {
    drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200)
}

/// A task whose mode was chosen, after one turn, and whose process has gone.
async fn chosen(agent: Agent) -> (Drover, String) {
    let drover = Drover::with_agents([agent]).await;
    let task = drover.task().await;
    drover.turn(&task, "!text one").await;
    drover.put(&format!("/tasks/{task}/links/alpha/options/mode"), &json!({"value": "ask"})).await.ok();
    drover.post(&format!("/tasks/{task}/links/alpha/disconnect"), &json!({})).await.is(202);
    until("the end of the process", PATIENCE, async || (link(&drover, &task).await["state"] == "off").then_some(()))
        .await;
    (drover, task)
}

#[tokio::test]
async fn a_mode_is_set_again_before_the_first_prompt_however_the_session_comes() {
    let falls_back = json!({"sessionUpdate": "config_option_update", "configOptions": modes()});
    let late = json!({"session/load": format!("update {falls_back}"), "session/new": format!("update {falls_back}")});
    let with = || agent("alpha").env("AGENT_OPTIONS", modes().to_string());
    for (how, agent, session) in [
        ("brought back with its history", with(), "session/load"),
        ("brought back as it is", with().env("AGENT_CAPS", "load,resume"), "session/resume"),
        ("lost", with().env("AGENT_LOAD", "fail"), "session/new"),
        ("told of late", with().on(&late), "session/load"),
    ] {
        let (drover, task) = chosen(agent).await;
        drover.turn(&task, "!text two").await;
        assert_eq!(since_the_session(&drover), [session, "session/set_config_option", "session/prompt"], "{how}");
        assert_eq!(drover.received("alpha", "session/set_config_option").pop().expect("one")["params"]["value"], "ask");
        assert_eq!(link(&drover, &task).await["options"][0]["currentValue"], "ask", "{how}");
    }
}

#[tokio::test]
async fn a_mode_of_the_older_kind_too_and_in_a_new_session_on_the_same_process() {
    let session = json!({"result": {"sessionId": "s1", "modes": {"currentModeId": "auto",
        "availableModes": [{"id": "auto", "name": "Auto"}, {"id": "ask", "name": "Ask"}]}}});
    let answers = json!({"session/new": session, "session/load": session, "session/set_mode": {"result": {}}});
    let (drover, task) = chosen(agent("alpha").answers(&answers)).await;
    let sent = drover.send(&task, "!text two").await;
    drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(since_the_session(&drover), ["session/load", "session/set_mode", "session/prompt"]);
    let path = format!("/messages/{}/retry", sent.assistant_message_id);
    let again = drover.post(&path, &json!({"nonce": nonce()})).await.is(202);
    drover.ended(&task, again["assistant_message_id"].as_str().expect("an id")).await;
    assert_eq!(since_the_session(&drover), ["session/new", "session/set_mode", "session/prompt"]);
}
