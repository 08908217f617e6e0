//! Forms and pages that agents ask for, and what becomes of the answers.

use std::path::Path;

use drover_tests::harness::{Answer, Drover, PATIENCE, agent, message_text, until};
use serde_json::{Value, json};

/// The form of the contract's case: a choice with a default, a number, a short text, a switch.
fn form() -> Value {
    json!({"type": "object", "required": ["strategy", "count"], "properties": {
        "strategy": {"type": "string", "enum": ["a", "b", "c"], "default": "b"},
        "count": {"type": "integer", "minimum": 1, "maximum": 5},
        "note": {"type": "string", "maxLength": 5},
        "ok": {"type": "boolean", "default": false}}})
}

/// The directive that asks for a form under this id, without waiting.
fn ask_form(id: u32, schema: &Value) -> String {
    let params = json!({"mode": "form", "sessionId": "$SID", "message": "How?", "requestedSchema": schema});
    format!("!request {id} elicitation/create {params}\n")
}

fn ask_page(id: u32, url: &str, elicitation: &str) -> String {
    let params =
        json!({"mode": "url", "sessionId": "$SID", "message": "Sign in", "url": url, "elicitationId": elicitation});
    format!("!request {id} elicitation/create {params}\n")
}

async fn act(drover: &Drover, request: &Value, body: Value) -> Answer {
    drover.post(&format!("/requests/{}", request["id"].as_str().expect("an id")), &body).await
}

/// What the agent was answered under this id.
async fn answered(drover: &Drover, id: u32) -> Value {
    until(&format!("the answer to {id}"), PATIENCE, async || {
        drover.answers("alpha").into_iter().find(|answer| answer["id"] == id).map(|answer| answer["result"].clone())
    })
    .await
}

fn fields(problem: &Value) -> Vec<&str> {
    problem["errors"].as_array().into_iter().flatten().filter_map(|error| error["field"].as_str()).collect()
}

#[tokio::test]
async fn a_form_is_checked_by_field_and_its_typed_values_go_to_the_agent() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let script = ask_form(1, &form()) + &ask_form(2, &form()) + &ask_form(3, &form()) + "!await 1\n!await 2\n!await 3";
    let sent = drover.send(&task, &script).await;
    let open = drover.open_requests(&task, 3).await;
    assert_eq!(open[0]["payload"]["requestedSchema"], form(), "the agent's parameters, verbatim");
    assert_eq!(drover.get(&format!("/runs/{}", sent.run_id)).await.is(200)["state"], "waiting");
    let nine = json!({"action": "accept", "content": {"strategy": "d", "count": 9, "note": "too long", "other": 1}});
    let problem = act(&drover, &open[0], nine).await.problem(422);
    assert_eq!(fields(&problem), ["content.strategy", "content.count", "content.note", "content.other"]);
    assert_eq!(fields(&act(&drover, &open[0], json!({"action": "accept"})).await.problem(422)), ["content"]);
    act(&drover, &open[0], json!({"option_id": null})).await.problem(422);
    assert_eq!(drover.open_requests(&task, 3).await.len(), 3, "what was refused answers nothing");
    let content = json!({"strategy": "b", "count": 3, "ok": false});
    let done = act(&drover, &open[0], json!({"action": "accept", "content": content})).await.ok();
    assert_eq!((&done["state"], &done["answer"]), (&json!("answered"), &json!({"action": "accept"})));
    act(&drover, &open[1], json!({"action": "decline", "content": {"count": 9}})).await.ok();
    act(&drover, &open[2], json!({"action": "cancel"})).await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(answered(&drover, 1).await, json!({"action": "accept", "content": content}));
    assert_eq!(answered(&drover, 2).await, json!({"action": "decline"}));
    assert_eq!(answered(&drover, 3).await, json!({"action": "cancel"}));
}

#[tokio::test]
async fn what_a_form_was_filled_in_with_reaches_the_agent_and_nothing_else() {
    let drover = Drover::start().await;
    let stream = drover.follow_now().await;
    let task = drover.task().await;
    let schema = json!({"type": "object", "properties": {"token": {"type": "string", "maxLength": 30}}});
    drover.send(&task, &(ask_form(1, &schema) + "!hang")).await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    let long = json!({"action": "accept", "content": {"token": "hunter2-kept-nowhere-but-too-long"}});
    let refused = act(&drover, &request, long).await.problem(422).to_string();
    let content = json!({"token": "hunter2-kept-nowhere"});
    let tabs = [0, 1].map(|_| {
        let (api, request, content) = ((*drover).clone(), request["id"].clone(), content.clone());
        let path = format!("/requests/{}", request.as_str().expect("an id"));
        tokio::spawn(async move { api.post(&path, &json!({"action": "accept", "content": content})).await })
    });
    let mut told = vec![refused];
    for tab in tabs {
        told.push(String::from_utf8_lossy(&tab.await.expect("an answer").body).into_owned());
    }
    assert_eq!(answered(&drover, 1).await, json!({"action": "accept", "content": content}));
    let closed = stream.until("the question answered", |event| event.data["state"] == "answered").await;
    told.push(closed.data.to_string());
    told.push(drover.chat(&task).await.to_string());
    assert!(told.iter().all(|text| !text.contains("hunter2")), "{told:?}");
    let mut files = Vec::new();
    walk(&drover.data(), &mut files);
    assert!(
        files.iter().any(|path| path.ends_with("drover.db"))
            && files.iter().any(|path| path.to_string_lossy().contains("frames"))
    );
    for path in files {
        let bytes = std::fs::read(&path).unwrap_or_default();
        let found = bytes.windows(7).any(|window| window == b"hunter2");
        assert!(!found, "{} has it", path.display());
    }
}

fn walk(dir: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a directory").flatten() {
        if entry.path().is_dir() { walk(&entry.path(), files) } else { files.push(entry.path()) }
    }
}

#[tokio::test]
async fn each_of_two_tabs_that_fill_in_a_form_sends_its_own_values_or_none() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let schema = json!({"type": "object", "properties": {"tab": {"type": "integer"}}, "required": ["tab"]});
    drover.send(&task, &(ask_form(1, &schema) + "!hang")).await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    let path = format!("/requests/{}", request["id"].as_str().expect("an id"));
    let tabs: Vec<_> = (0..8)
        .map(|tab| {
            let (api, path) = ((*drover).clone(), path.clone());
            tokio::spawn(async move {
                (tab, api.post(&path, &json!({"action": "accept", "content": {"tab": tab}})).await.status)
            })
        })
        .collect();
    let mut won = Vec::new();
    for tab in tabs {
        let (tab, status) = tab.await.expect("an answer");
        assert!(matches!(status, 200 | 409), "{status}");
        won.extend((status == 200).then_some(tab));
    }
    assert_eq!(won.len(), 1, "one wins");
    assert_eq!(answered(&drover, 1).await["content"], json!({"tab": won[0]}));
}

#[tokio::test]
async fn a_page_is_opened_by_people_only_if_it_is_of_the_web_and_its_end_is_told() {
    let drover = Drover::start().await;
    let stream = drover.follow_now().await;
    let task = drover.task().await;
    let complete = |id: &str| {
        format!(
            "!raw {}\n",
            json!({"jsonrpc": "2.0", "method": "elicitation/complete", "params": {"elicitationId": id}})
        )
    };
    let script = ask_page(1, "javascript:pwn()", "e1")
        + &ask_page(2, "http://x.example/?a=1", "e2")
        + "!await 2\n"
        + &complete("e2")
        + &complete("e2")
        + &complete("unknown")
        + "!text done\n!await 1";
    let sent = drover.send(&task, &script).await;
    let open = drover.open_requests(&task, 2).await;
    act(&drover, &open[0], json!({"action": "accept"})).await.problem(422);
    act(&drover, &open[1], json!({"action": "accept", "content": {}})).await.problem(422);
    let opened = act(&drover, &open[1], json!({"action": "accept"})).await.ok();
    assert_eq!(opened["completed_at"], Value::Null);
    let completed = stream
        .until("its end", |event| event.data["id"] == open[1]["id"] && event.data["completed_at"].is_string())
        .await;
    assert_eq!(completed.data["answer"], json!({"action": "accept"}));
    drover.says(&task, &sent, "done").await;
    act(&drover, &open[0], json!({"action": "decline"})).await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(answered(&drover, 1).await, json!({"action": "decline"}));
    assert_eq!(answered(&drover, 2).await, json!({"action": "accept"}));
}

#[tokio::test]
async fn a_page_that_is_done_before_it_was_opened_says_so_and_still_waits() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let complete = json!({"jsonrpc": "2.0", "method": "elicitation/complete", "params": {"elicitationId": "e1"}});
    let sent = drover
        .send(&task, &format!("{}!raw {complete}\n!text told\n!await 1", ask_page(1, "https://x.example", "e1")))
        .await;
    drover.says(&task, &sent, "told").await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    assert!(request["completed_at"].is_string(), "{request}");
    act(&drover, &request, json!({"action": "accept"})).await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
}

#[tokio::test]
async fn what_cannot_be_shown_is_answered_at_once_and_told() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let future = json!({"mode": "future", "sessionId": "$SID", "message": "Think it"});
    let bare = json!({"mode": "form", "sessionId": "$SID", "message": "no schema"});
    let script =
        format!("!request 1 elicitation/create {future}\n!await 1\n!request 2 elicitation/create {bare}\n!await 2");
    let message = drover.turn(&task, &script).await;
    assert_eq!(answered(&drover, 1).await, json!({"action": "cancel"}));
    assert_eq!(answered(&drover, 2).await, json!({"action": "cancel"}));
    let told: Vec<_> =
        message["parts"].as_array().into_iter().flatten().filter(|part| part["code"] == "question_unknown").collect();
    assert_eq!(told.len(), 2, "{message}");
    assert!(told[0]["message"].as_str().is_some_and(|text| text.contains("future")), "{message}");
}

#[tokio::test]
async fn a_stop_answers_an_open_form_as_cancelled_and_a_form_left_open_at_the_end_is_void() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, &(ask_form(1, &form()) + "!hang")).await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    drover.cancel(&sent).await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(answered(&drover, 1).await, json!({"action": "cancel"}));
    let late = act(&drover, &request, json!({"action": "accept", "content": {"strategy": "a", "count": 1}}))
        .await
        .problem(409);
    assert_eq!(late["answer"], json!({"action": "cancel"}));
    drover.turn(&task, &(ask_form(2, &form()) + "!text went on")).await;
    assert_eq!(drover.chat(&task).await["requests"], json!([]));
    assert_eq!(answered(&drover, 2).await, json!({"action": "cancel"}), "nobody is left waiting");
}

#[tokio::test]
async fn a_form_may_be_asked_while_no_turn_runs_and_before_there_is_a_session() {
    let params = json!({"mode": "form", "requestId": 2, "message": "Which account?", "requestedSchema":
        {"type": "object", "properties": {"account": {"type": "string"}}, "required": ["account"]}});
    let hook = format!("!request 41 elicitation/create {params}\n!await 41");
    let alpha = agent("alpha").on(&json!({"before session/new": hook})).delays(&json!({"session/new": 1}));
    let drover = Drover::with_agents([alpha]).await;
    let task = drover.task().await;
    let idle = json!({"mode": "form", "sessionId": "$SID", "message": "Meanwhile", "requestedSchema": {"type": "object", "properties": {}}});
    let sent = drover.send(&task, &format!("!text hello\n!end\n!request 42 elicitation/create {idle}")).await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    assert_eq!((&request["run_id"], &request["payload"]["requestId"]), (&Value::Null, &json!(2)));
    assert_eq!(drover.get(&format!("/tasks/{task}")).await.is(200)["state"], "waiting");
    act(&drover, &request, json!({"action": "accept", "content": {"account": "me"}})).await.ok();
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(message_text(&message), "hello");
    assert_eq!(answered(&drover, 41).await["content"], json!({"account": "me"}));
    let open = drover.open_requests(&task, 1).await.remove(0);
    assert_eq!((&open["run_id"], &open["payload"]["message"]), (&Value::Null, &json!("Meanwhile")));
    act(&drover, &open, json!({"action": "accept", "content": {}})).await.ok();
    assert_eq!(answered(&drover, 42).await, json!({"action": "accept", "content": {}}));
}

#[tokio::test]
async fn a_form_that_the_agent_takes_back_is_void_and_the_agent_is_answered() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent =
        drover.send(&task, &(ask_form(1, &form()) + "!permit 2\n!await 2\n!withdraw 1\n!await 1\n!text on")).await;
    let open = drover.open_requests(&task, 2).await;
    drover.choose(&open[1], "yes").await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    act(&drover, &open[0], json!({"action": "decline"})).await.problem(410);
    assert_eq!(answered(&drover, 1).await, json!({"action": "cancel"}));
}
