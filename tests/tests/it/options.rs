//! Session options: shown as sent, set, remembered.

use drover_tests::harness::{Drover, PATIENCE, agent, message_text, until};
use serde_json::{Value, json};

async fn ready(drover: &Drover, task: &str, agent: &str) -> Value {
    drover.post(&format!("/tasks/{task}/links/{agent}/connect"), &json!({})).await.ok();
    until("a link that is ready", PATIENCE, async || {
        let link = drover.get(&format!("/tasks/{task}/links/{agent}")).await.is(200);
        (link["state"] == "ready" && link["options"].is_array()).then_some(link)
    })
    .await
}

fn value_of(link: &Value, option: &str) -> Value {
    let options = link["options"].as_array().expect("options");
    options.iter().find(|known| known["id"] == option).map(|option| option["currentValue"].clone()).unwrap_or_default()
}

/// (option, value) of every change that the agent was asked for.
fn changes(drover: &Drover) -> Vec<(Value, Value)> {
    let sets = drover.received("alpha", "session/set_config_option");
    sets.iter().map(|set| (set["params"]["configId"].clone(), set["params"]["value"].clone())).collect()
}

#[tokio::test]
async fn options_are_passed_on_whole_and_in_order() {
    let many: Vec<Value> = (0..357)
        .map(|index| json!({"value": format!("vendor:lab/Model-{index}.1 (β)"), "name": format!("M {index}")}))
        .collect();
    let options = json!([
        {"id": "x-verbosity", "name": "Verbosity", "category": "verbosity_2031", "type": "select", "currentValue": "v1", "options": [{"value": "v1", "name": "One"}, {"value": "v2", "name": "Two"}], "_meta": {"a": 1}},
        {"id": "plain", "name": "Plain", "type": "select", "currentValue": "p", "options": [{"value": "p", "name": "P"}]},
        {"id": "flag", "name": "Flag", "type": "boolean", "currentValue": true},
        {"id": "slide", "name": "Slide", "type": "slider", "currentValue": 3, "min": 1},
        {"id": "grouped", "name": "Grouped", "type": "select", "currentValue": "g", "options": [{"group": "g1", "name": "G1", "options": [{"value": "g", "name": "G"}, {"value": "h", "name": "H"}]}]},
        {"id": "many", "name": "Many", "type": "select", "currentValue": "not in the list", "options": many},
    ]);
    let drover = Drover::with_agents([agent("alpha").env("AGENT_OPTIONS", options.to_string()), agent("beta")]).await;
    let task = drover.task().await;
    assert_eq!(ready(&drover, &task, "alpha").await["options"], options);
    let put = async |option: &str, value: Value| {
        drover.put(&format!("/tasks/{task}/links/alpha/options/{option}"), &json!({"value": value})).await
    };
    for (option, value) in [
        ("x-verbosity", json!("v2")),
        ("flag", json!(false)),
        ("grouped", json!("h")),
        ("many", json!("vendor:lab/Model-9.1 (β)")),
    ] {
        assert_eq!(value_of(&put(option, value.clone()).await.ok(), option), value, "{option}");
        assert_eq!(changes(&drover).pop(), Some((json!(option), value)), "the wire has the bytes of the sent value");
    }
    put("x-verbosity", json!("v3")).await.problem(422);
    put("flag", json!("yes")).await.problem(422);
    let link = drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200);
    assert_eq!((value_of(&link, "slide"), value_of(&link, "flag")), (json!(3), json!(false)));
}

#[tokio::test]
async fn accepted_values_are_replayed_before_the_first_prompt_and_start_the_next_task() {
    let mut drover = Drover::start().await;
    let project = drover.project("proj").await;
    let task = drover.task_in(&project).await;
    ready(&drover, &task, "alpha").await;
    drover.put(&format!("/tasks/{task}/links/alpha/options/model"), &json!({"value": "m-large"})).await.ok();
    drover.stop().await;
    drover.write_agents(&[agent("alpha").env("AGENT_LOAD", "fail"), agent("beta")]);
    drover.restart().await;
    drover.turn(&task, "!text x").await;
    drover.turn(&drover.task_in(&project).await, "!text y").await;
    assert_eq!(changes(&drover), vec![(json!("model"), json!("m-large")); 3], "once asked for, twice replayed");
    let methods: Vec<Value> = drover
        .journal("alpha")
        .iter()
        .filter(|entry| entry.kind == "in")
        .map(|entry| entry.msg["method"].clone())
        .collect();
    let last: Vec<&str> = methods.iter().rev().take(2).filter_map(Value::as_str).collect();
    assert_eq!(last, ["session/prompt", "session/set_config_option"], "newest first");
}

#[tokio::test]
async fn one_tasks_choice_stays_with_it() {
    let drover = Drover::start().await;
    let project = drover.project("proj").await;
    let (one, two) = (drover.task_in(&project).await, drover.task_in(&project).await);
    ready(&drover, &one, "alpha").await;
    ready(&drover, &two, "alpha").await;
    let sent = drover.send(&one, "!text up\n!hang").await;
    drover.says(&one, &sent, "up").await;
    let link = drover.put(&format!("/tasks/{one}/links/alpha/options/model"), &json!({"value": "m-large"})).await.ok();
    assert_eq!(value_of(&link, "model"), "m-large", "a change is allowed while a turn runs");
    let link = drover.get(&format!("/tasks/{two}/links/alpha")).await.is(200);
    assert_eq!(value_of(&link, "model"), "m-small");
    drover.turn(&two, "!text x").await;
    assert_eq!(changes(&drover).len(), 1, "nothing is set in the other task");
}

#[tokio::test]
async fn an_answer_keeps_the_model_that_was_chosen_when_it_was_asked_for() {
    let drover =
        Drover::with_agents([agent("alpha").env("AGENT_OPTS", "1"), agent("beta").env("AGENT_OPTIONS", "[]")]).await;
    let task = drover.task().await;
    assert_eq!(drover.turn(&task, "!text small").await["model"], "Small");
    drover.put(&format!("/tasks/{task}/links/alpha/options/model"), &json!({"value": "m-large"})).await.ok();
    assert_eq!(drover.turn(&task, "!text large").await["model"], "Large");
    let sent = drover.send_to(&task, "beta", "!text none").await;
    assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["model"], Value::Null);
    let models: Vec<_> =
        drover.chat(&task).await["messages"].as_array().expect("messages").iter().map(|m| m["model"].clone()).collect();
    let (none, small, large) = (Value::Null, json!("Small"), json!("Large"));
    assert_eq!(models, [none.clone(), small, none.clone(), large, none.clone(), none]);
}

#[tokio::test]
async fn a_mode_never_crosses_projects() {
    let options = json!([
        {"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": [{"value": "ask", "name": "Ask"}, {"value": "yolo", "name": "Go"}]},
        {"id": "model", "name": "Model", "category": "model", "type": "select", "currentValue": "a", "options": [{"value": "a", "name": "A"}, {"value": "b", "name": "B"}]},
    ]);
    let drover = Drover::with_agents([agent("alpha").env("AGENT_OPTIONS", options.to_string())]).await;
    let task = drover.task_in(&drover.project("one").await).await;
    ready(&drover, &task, "alpha").await;
    for (option, value) in [("mode", "yolo"), ("model", "b")] {
        drover.put(&format!("/tasks/{task}/links/alpha/options/{option}"), &json!({"value": value})).await.ok();
    }
    let before = changes(&drover).len();
    drover.turn(&drover.task_in(&drover.project("two").await).await, "!text x").await;
    assert_eq!(changes(&drover)[before..], [(json!("model"), json!("b"))]);
}

#[tokio::test]
async fn a_refused_change_keeps_the_old_value_and_tells_why() {
    let drover = Drover::with_agents([agent("alpha").env("AGENT_SETFAIL", "1")]).await;
    let task = drover.task().await;
    ready(&drover, &task, "alpha").await;
    let problem = drover
        .put(&format!("/tasks/{task}/links/alpha/options/model"), &json!({"value": "m-large"}))
        .await
        .problem(502);
    let text = problem.to_string();
    assert!(text.contains("boom") && text.contains("not allowed"), "{text}");
    assert_eq!(value_of(&drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200), "model"), "m-small");
}

#[tokio::test]
async fn a_value_that_is_no_longer_offered_is_skipped_and_reported() {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    ready(&drover, &task, "alpha").await;
    drover.put(&format!("/tasks/{task}/links/alpha/options/model"), &json!({"value": "m-large"})).await.ok();
    drover.stop().await;
    let fewer = json!([{"id": "model", "name": "Model", "type": "select", "currentValue": "m-small", "options": [{"value": "m-small", "name": "Small"}]}]);
    drover.write_agents(&[agent("alpha").env("AGENT_OPTIONS", fewer.to_string())]);
    drover.restart().await;
    assert_eq!(message_text(&drover.turn(&task, "!text x").await), "x");
    let link = drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200);
    let skipped = &link["skipped_options"][0];
    assert_eq!((&skipped["option_id"], &skipped["value"]), (&json!("model"), &json!("m-large")), "{link}");
    assert_eq!(changes(&drover).len(), 1, "it is not sent again");
}

#[tokio::test]
async fn older_modes_and_models_are_options_too() {
    let answers = json!({
        "session/new": {"result": {"sessionId": "s1",
            "modes": {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]},
            "models": {"currentModelId": "m1", "availableModels": [{"modelId": "m1", "name": "One"}, {"modelId": "m2", "name": "Two"}]}}},
        "session/set_mode": {"result": {}}, "session/set_model": {"result": {}}});
    let drover = Drover::with_agents([agent("alpha").answers(&answers)]).await;
    let task = drover.task().await;
    let link = ready(&drover, &task, "alpha").await;
    let ids: Vec<&str> =
        link["options"].as_array().expect("options").iter().filter_map(|option| option["id"].as_str()).collect();
    assert_eq!(ids.len(), 2, "{link}");
    for option in link["options"].as_array().expect("options") {
        let value = if option.to_string().contains("code") { "code" } else { "m2" };
        let id = option["id"].as_str().expect("an id");
        drover.put(&format!("/tasks/{task}/links/alpha/options/{id}"), &json!({"value": value})).await.ok();
    }
    assert_eq!(drover.received("alpha", "session/set_mode")[0]["params"]["modeId"], "code");
    assert_eq!(drover.received("alpha", "session/set_model")[0]["params"]["modelId"], "m2");
    assert_eq!(drover.received("alpha", "session/set_config_option").len(), 0);
}

#[tokio::test]
async fn what_a_new_task_starts_with_is_known_and_can_be_chosen_before_it_exists() {
    let drover = Drover::start().await;
    let (project, other) = (drover.project("proj").await, drover.project("other").await);
    let options =
        async |project: &str| drover.get(&format!("/agents/alpha/options?project_id={project}")).await.is(200);
    assert_eq!(options(&project).await["options"], json!([]), "an agent that never ran has told nothing");
    let task = drover.task_in(&project).await;
    let link = ready(&drover, &task, "alpha").await;
    let known = options(&project).await;
    assert_eq!(known["options"], link["options"]);
    assert_eq!(options(&other).await["options"], link["options"], "known from elsewhere where it was never started");
    drover.put(&format!("/tasks/{task}/links/alpha/options/model"), &json!({"value": "m-large"})).await.ok();
    assert_eq!(value_of(&options(&project).await, "model"), "m-large", "the last accepted value is the next task's");

    let fresh = drover.task_in(&project).await;
    let body = |nonce: &str, value: &str| json!({"nonce": nonce, "agent": "alpha", "text": "!text x", "options": {"model": value, "gone": "x"}});
    let sent = drover.post(&format!("/tasks/{fresh}/messages"), &body("n1", "m-small")).await.is(202);
    drover.ended(&fresh, sent["assistant_message_id"].as_str().expect("an id")).await;
    let link = drover.get(&format!("/tasks/{fresh}/links/alpha")).await.is(200);
    assert_eq!(value_of(&link, "model"), "m-small");
    assert_eq!(link["skipped_options"][0]["option_id"], "gone", "what is not offered is left out and told");
    assert_eq!(value_of(&options(&project).await, "model"), "m-small", "a choice counts for the next task too");
    assert_eq!(drover.post(&format!("/tasks/{fresh}/messages"), &body("n1", "m-small")).await.is(200), sent);
    drover.post(&format!("/tasks/{fresh}/messages"), &body("n1", "m-large")).await.problem(409);
    let problem = drover.post(&format!("/tasks/{fresh}/messages"), &body("n2", "m-large")).await.problem(422);
    assert_eq!(problem["errors"][0]["field"], "options", "a session that runs is set in its link");
    drover.get("/agents/nobody/options").await.problem(404);
    drover.get("/agents/alpha/options?project_id=nothing").await.problem(404);
}

#[tokio::test]
async fn a_mode_known_from_elsewhere_is_what_the_agent_begins_with() {
    let mode = json!([{"id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask", "options": [{"value": "ask", "name": "Ask"}, {"value": "yolo", "name": "Go"}]}]);
    let drover = Drover::with_agents([agent("alpha").env("AGENT_OPTIONS", mode.to_string())]).await;
    let (one, two) = (drover.project("one").await, drover.project("two").await);
    let task = drover.task_in(&one).await;
    ready(&drover, &task, "alpha").await;
    drover.put(&format!("/tasks/{task}/links/alpha/options/mode"), &json!({"value": "yolo"})).await.ok();
    for (project, expected) in [(&one, "yolo"), (&two, "ask")] {
        let known = drover.get(&format!("/agents/alpha/options?project_id={project}")).await.is(200);
        assert_eq!(value_of(&known, "mode"), expected);
    }
}

#[tokio::test]
async fn a_task_keeps_what_it_began_with_over_a_restart_whatever_others_choose() {
    let mut drover = Drover::start().await;
    let project = drover.project("proj").await;
    let (first, second) = (drover.task_in(&project).await, drover.task_in(&project).await);
    drover.turn(&first, "!text x").await;
    ready(&drover, &second, "alpha").await;
    drover.put(&format!("/tasks/{second}/links/alpha/options/model"), &json!({"value": "m-large"})).await.ok();
    drover.stop().await;
    drover.write_agents(&[agent("alpha").env("AGENT_LOAD", "fail")]);
    drover.restart().await;
    let before = changes(&drover).len();
    drover.turn(&first, "!text y").await;
    assert_eq!(changes(&drover)[before..], [], "the choice of another task is none of its business");
    drover.turn(&second, "!text z").await;
    assert_eq!(changes(&drover)[before..], [(json!("model"), json!("m-large"))]);
}
