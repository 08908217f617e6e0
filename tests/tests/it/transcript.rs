//! What an agent sends and what the record makes of it.

use drover_tests::harness::{Drover, PATIENCE, agent, message_text, until};
use insta::assert_json_snapshot;
use serde_json::{Value, json};

/// A message's parts, told shortly: the kind and its text, or the tool's id and status.
fn shape(message: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let part = |part: &Value| match part["type"].as_str() {
        Some("tool_call") => format!("tool {} {}", text(&part["tool_call_id"]), text(&part["status"])),
        Some(kind @ ("text" | "thought")) => format!("{kind} {}", text(&part["text"])),
        kind => kind.unwrap_or_default().to_owned(),
    };
    message["parts"].as_array().expect("parts").iter().map(part).collect()
}

#[tokio::test]
async fn thoughts_messages_and_tools_keep_their_borders_and_order() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let chunk = |id: &str, text: &str| json!({"sessionUpdate": "agent_message_chunk", "messageId": id, "content": {"type": "text", "text": text}});
    let script = [
        "!think plan".to_owned(),
        "!text first".to_owned(),
        "!tool t1".to_owned(),
        "!think check".to_owned(),
        "!think ing".to_owned(),
        format!("!update {}", chunk("m2", "second")),
        format!("!update {}", chunk("m3", "third")),
        format!("!update {}", chunk("m3", "3b")),
    ];
    let stream = drover.follow_now().await;
    let message = drover.turn(&task, &script.join("\n")).await;
    let want = ["thought plan", "text first", "tool t1 completed", "thought checking", "text second", "text third3b"];
    assert_eq!(shape(&message), want);
    let id = message["id"].as_str().expect("an id");
    stream.until_done(id).await;
    assert_eq!(json!(stream.rebuilt(id)), message["parts"], "live is as after a reload");
}

#[tokio::test]
async fn why_a_turn_ended_is_kept_and_never_looks_like_running() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let mut ends = Vec::new();
    for script in ["!sleep 0", "!refuse", "!max", "!reason max_turn_requests", "!reason something_new", "!error"] {
        let sent = drover.send(&task, script).await;
        let message = drover.ended(&task, &sent.assistant_message_id).await;
        ends.push(json!([script, message["status"], message["stop_reason"], message["parts"]]));
    }
    assert_json_snapshot!(ends);
    assert_eq!(message_text(&drover.turn(&task, "!text after").await), "after");
}

#[tokio::test]
async fn a_prompt_that_the_agent_echoes_is_shown_once_and_what_the_user_did_not_type_is_not_the_users() {
    let echo = |text: &str| {
        format!("!update {}", json!({"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": text}}))
    };
    let script = [echo("hel"), echo("lo"), "!text hi ".into(), echo("please also check b.rs")].join("\n");
    let drover =
        Drover::with_agents([agent("alpha").on(&json!({"before session/prompt": script})), agent("beta")]).await;
    let task = drover.task().await;
    let answer = drover.turn(&task, "hello").await;
    assert_eq!(message_text(&answer).matches("hello").count(), 1, "only as the agent's own words: {answer}");
    let chat = drover.chat(&task).await;
    let users = chat["messages"].as_array().expect("messages").iter().filter(|message| message["role"] == "user");
    assert_eq!(users.map(message_text).collect::<Vec<_>>(), ["hello"]);
    assert!(answer.to_string().contains("please also check b.rs"), "what the agent sent is kept: {answer}");
    let sent = drover.send_to(&task, "beta", "!text b").await;
    drover.ended(&task, &sent.assistant_message_id).await;
    let (prompt, _) = drover.prompts("beta").pop().expect("a prompt");
    assert!(!prompt.contains("role=\"user\">please also"), "{prompt}");
}

#[tokio::test]
async fn text_after_the_answer_joins_its_turn_and_reopens_nothing() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let tool = json!({"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed"});
    let script =
        format!("!pendingtool t1\n!text The answer is 4\n!end\n!hold 300\n!text 2.\n!hold 300\n!update {tool}");
    let sent = drover.send(&task, &script).await;
    let done =
        |message: &Value| message_text(message) == "The answer is 42." && message["parts"][0]["status"] == "completed";
    let message = drover.until_message(&task, &sent.assistant_message_id, "the late end", PATIENCE, done).await;
    assert_eq!((&message["status"], &message["late"]), (&json!("done"), &json!(true)));
    assert_eq!(drover.get(&format!("/tasks/{task}")).await.is(200)["state"], "idle");
    assert_eq!(message_text(&drover.turn(&task, "!text clean").await), "clean");
    assert_eq!(message_text(&drover.message(&task, &sent.assistant_message_id).await), "The answer is 42.");
}

#[tokio::test]
async fn an_agent_that_starts_by_itself_opens_a_message_of_its_own() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let go = drover.dir.path().join("go");
    drover.turn(&task, &format!("!text one\n!end\n!waitfile {}\n!text by itself", go.display())).await;
    let between = drover.send_to(&task, "beta", "!text two").await;
    drover.ended(&task, &between.assistant_message_id).await;
    std::fs::write(go, "").expect("a file");
    let own = until("a message of the agent's own", PATIENCE, async || {
        let chat = drover.chat(&task).await;
        chat["messages"].as_array()?.iter().find(|message| message["origin"] == "agent").cloned()
    })
    .await;
    assert_eq!((message_text(&own), &own["agent"]), ("by itself".to_owned(), &json!("alpha")));
    let chat = drover.chat(&task).await;
    assert_eq!(
        chat["messages"].as_array().and_then(|messages| messages.last()).map(|last| last["id"].clone()),
        Some(own["id"].clone())
    );
}

#[tokio::test]
async fn tool_updates_in_any_order_make_one_entry_each() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let call = |id: &str, rest: Value| {
        let mut update = json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": "T", "kind": "other"});
        update.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
        format!("!update {update}")
    };
    let change = |id: &str, rest: Value| {
        let mut update = json!({"sessionUpdate": "tool_call_update", "toolCallId": id});
        update.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
        format!("!update {update}")
    };
    let done = json!([{"type": "content", "content": {"type": "text", "text": "done"}}]);
    let script = [
        change("t9", json!({"status": "completed", "content": done})),
        call("t8", json!({"status": "pending"})),
        call("t8", json!({"status": "pending", "title": "Later title"})),
        change("t8", json!({"status": "completed"})),
        change("t8", json!({"status": "in_progress"})),
        call("t7", json!({"status": "pending"})),
        change("t6", json!({})),
    ];
    let message = drover.turn(&task, &script.join("\n")).await;
    assert_json_snapshot!(message["parts"]);
    let again = drover.turn(&task, &call("t9", json!({"status": "completed"}))).await;
    assert_eq!(shape(&again), ["tool t9 completed"], "the t9 of another turn is another entry");
    let first = drover.message(&task, message["id"].as_str().expect("an id")).await;
    assert_eq!(first["parts"], message["parts"]);
}

#[tokio::test]
async fn an_agent_cannot_date_or_name_a_task_to_the_top() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let info = |rest: Value| {
        let mut update = json!({"sessionUpdate": "session_info_update"});
        update.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
        format!("!update {update}")
    };
    let times = [
        json!("2099-01-01T00:00:00Z"),
        json!(1_760_000_000_000_u64),
        json!("yesterday"),
        json!(null),
        json!("2024-02-30T25:00:00Z"),
    ];
    let script: Vec<String> = times.into_iter().map(|time| info(json!({"updatedAt": time}))).collect();
    drover.turn(&task, &(script.join("\n") + "\n!title Kept")).await;
    let names = [json!(""), json!(null), json!({"odd": 1})].map(|title| info(json!({"title": title})));
    drover.turn(&task, &names.join("\n")).await;
    let get = async || drover.get(&format!("/tasks/{task}")).await.is(200);
    assert_eq!(get().await["title"], "Kept");
    drover.turn(&task, &info(json!({"title": "two\nlines"}))).await;
    let title = get().await["title"].as_str().expect("a title").to_owned();
    assert!(!title.contains('\n'), "{title:?}");
    drover.turn(&task, &info(json!({"title": "x".repeat(5000)}))).await;
    let title = get().await["title"].as_str().expect("a title").to_owned();
    assert!(title.len() < 5000, "a title is cut");
    let newer = drover.task().await;
    drover.turn(&newer, "!text newest").await;
    let tasks = drover.get("/tasks").await.is(200);
    assert_eq!(tasks["tasks"][0]["id"], newer.as_str(), "the order is by the product's own activity");
}

#[tokio::test]
async fn a_late_tool_update_finds_its_tool_in_an_earlier_message() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let first = drover.send(&task, "!latetool z").await;
    drover.ended(&task, &first.assistant_message_id).await;
    let second = drover.turn(&task, "!sleep 1000\n!text two").await;
    assert_eq!(shape(&drover.message(&task, &first.assistant_message_id).await), ["tool z completed"]);
    assert_eq!(shape(&second), ["text two"]);
}

#[tokio::test]
async fn an_answer_that_is_over_for_the_eye_but_not_for_the_agent_does_not_block_the_task() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let held = drover.send(&task, "!text visible\n!hang").await;
    let next = drover.send_to(&task, "beta", "!text B").await;
    assert_eq!(message_text(&drover.ended(&task, &next.assistant_message_id).await), "B");
    assert_eq!(drover.get(&format!("/runs/{}", held.run_id)).await.is(200)["state"], "background");
    drover.cancel(&held).await.ok();
    let message = drover.ended(&task, &held.assistant_message_id).await;
    assert_eq!((&message["status"], message_text(&message).as_str()), (&json!("cancelled"), "visible"));
}

#[tokio::test]
async fn a_picture_of_the_agents_is_an_attachment_and_not_in_the_chat_itself() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";
    let chunk = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "image", "mimeType": "text/html", "data": png}});
    let message = drover.turn(&task, &format!("!text see\n!update {chunk}")).await;
    let part = &message["parts"][1];
    assert_eq!((&part["type"], &part["mime_type"], &part["size"]), (&json!("image"), &json!("image/png"), &json!(70)));
    let id = part["attachment_id"].as_str().expect("an attachment");
    let answer = drover.get(&format!("/attachments/{id}")).await;
    assert_eq!(answer.status, 200, "{answer}");
    assert!(!message.to_string().contains(png));
}

#[tokio::test]
async fn a_tool_call_without_an_id_is_kept_as_it_came() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let call = json!({"sessionUpdate": "tool_call", "title": "nameless", "rawInput": {"command": "rm"}});
    let message = drover.turn(&task, &format!("!update {call}")).await;
    assert_eq!(message["parts"][0]["type"], "unknown");
    assert_eq!(message["parts"][0]["raw"]["rawInput"]["command"], "rm");
}
