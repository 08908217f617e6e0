//! Bringing sessions back, and what happens when that fails.

use drover_tests::harness::{Drover, PATIENCE, agent, message_text, until};
use serde_json::json;

#[tokio::test]
async fn what_an_adapter_says_in_the_models_place_makes_no_message_of_its_own() {
    let after = json!({"sessionUpdate": "session_info_update", "title": "what came after"});
    let echo = json!({"session/new": format!("!text [MODE_UPDATE] plan\n!update {after}")});
    let drover = Drover::with_agents([agent("gemini").on(&echo)]).await;
    let task = drover.task().await;
    drover.post(&format!("/tasks/{task}/links/gemini/connect"), &json!({})).await.ok();
    until("the update behind it", PATIENCE, async || {
        let told = drover.get(&format!("/tasks/{task}")).await.is(200);
        (told["title"] == "what came after").then_some(())
    })
    .await;
    let sent = drover.send_to(&task, "gemini", "!text hello").await;
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(message_text(&message), "hello");
    let chat = drover.chat(&task).await;
    assert_eq!(chat["messages"].as_array().map(Vec::len), Some(2), "{chat}");
}

#[tokio::test]
async fn a_replay_never_reaches_the_chat_whatever_its_ids_and_however_late_its_end() {
    for load in ["replay", "fresh", "tail", "ok"] {
        let mut drover = Drover::with_agents([agent("alpha").env("AGENT_LOAD", load), agent("beta")]).await;
        let task = drover.task().await;
        drover.turn(&task, "one\n!text answer-one").await;
        drover.stop().await;
        drover.restart().await;
        let message = drover.turn(&task, "!prompt").await;
        assert_eq!(message_text(&message), "!prompt", "{load}: what the session has seen is not handed over");
        let chat = drover.chat(&task).await;
        assert!(!chat["messages"].to_string().contains("REPLAYED"), "{load}: {chat}");
        assert_eq!(chat["messages"].as_array().map(Vec::len), Some(4), "{load}");
        assert_eq!(drover.received("alpha", "session/load").len(), 1, "{load}");
    }
}

#[tokio::test]
async fn resume_goes_before_load() {
    let mut drover = Drover::with_agents([agent("alpha").env("AGENT_CAPS", "load,resume"), agent("beta")]).await;
    let task = drover.task().await;
    drover.turn(&task, "!text answer-one").await;
    drover.kill_nine().await;
    drover.restart().await;
    drover.turn(&task, "!text two").await;
    assert_eq!(
        (drover.received("alpha", "session/resume").len(), drover.received("alpha", "session/load").len()),
        (1, 0)
    );
    assert_eq!(drover.prompts("alpha").pop().map(|(text, _)| text), Some("!text two".into()));
}

#[tokio::test]
async fn a_session_that_cannot_be_brought_back_becomes_a_new_one_with_the_whole_history() {
    let ways = [
        agent("alpha").answers(&json!({"session/load": {"error": {"code": -32002, "message": "Resource not found"}}})),
        agent("alpha").answers(&json!({"session/load": {"error": {"code": -32603, "message": "Internal error"}}})),
        agent("alpha").env("AGENT_CAPS", "image"),
        agent("alpha").env("AGENT_LOAD", "forget"),
    ];
    for way in ways {
        let mut drover = Drover::start().await;
        let task = drover.task().await;
        drover.turn(&task, "remember 42\n!text noted-42").await;
        drover.turn(&task, "and 43\n!text noted-43").await;
        drover.stop().await;
        drover.write_agents(&[way, agent("beta")]);
        drover.restart().await;
        let answer = drover.turn(&task, "last\n!prompt").await;
        let text = message_text(&answer);
        for word in ["<handoff", "remember 42", "noted-42", "and 43", "noted-43"] {
            assert!(text.contains(word), "{word} is missing: {text}");
        }
        assert!(text.ends_with("last\n!prompt"), "{text}");
        assert_eq!(text.matches("last").count(), 1, "the message is sent once: {text}");
        let lost = json!("drover:memory_lost");
        assert_eq!((&answer["parts"][0]["type"], &answer["parts"][0]["notice_id"]), (&json!("notice"), &lost));
        assert_eq!(answer["handoff"]["turns"], 4);
        let next = drover.turn(&task, "!prompt").await;
        assert_eq!((message_text(&next).as_str(), next["parts"].as_array().map(Vec::len)), ("!prompt", Some(1)));
    }
}

#[tokio::test]
async fn the_interrupted_answer_is_told_once_when_its_session_comes_back() {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "cut\n!text half-said\n!hang").await;
    drover.says(&task, &sent, "half-said").await;
    drover.kill_nine().await;
    drover.restart().await;
    let text = message_text(&drover.turn(&task, "!prompt").await);
    assert!(text.contains("half-said") && text.contains("interrupted"), "{text}");
    assert_eq!(message_text(&drover.turn(&task, "!prompt").await), "!prompt", "told once");
}

#[tokio::test]
async fn only_what_was_missed_is_handed_over() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "m1\n!text a1").await;
    for (text, answer) in [("m2", "b2"), ("m3", "b3")] {
        let sent = drover.send_to(&task, "beta", &format!("{text}\n!text {answer}")).await;
        drover.ended(&task, &sent.assistant_message_id).await;
    }
    drover.turn(&task, "m4\n!text a4").await;
    drover.turn(&task, "m5\n!text a5").await;
    let beta: Vec<String> = drover.prompts("beta").into_iter().map(|(text, _)| text).collect();
    assert!(["<handoff", "m1", "a1", "m2"].iter().all(|word| beta[0].contains(word)), "{}", beta[0]);
    assert_eq!(beta[1], "m3\n!text b3");
    let alpha: Vec<String> = drover.prompts("alpha").into_iter().map(|(text, _)| text).collect();
    assert!(["m2", "b2", "m3", "b3", "beta", "m4"].iter().all(|word| alpha[1].contains(word)), "{}", alpha[1]);
    assert!(!alpha[1].contains("m1") && !alpha[1].contains("a1"), "{}", alpha[1]);
    assert_eq!(alpha[2], "m5\n!text a5");
    let typed = drover.chat(&task).await["messages"].clone();
    let typed = typed.as_array().expect("messages").iter().filter(|message| message["role"] == "user");
    let typed: Vec<String> = typed.map(|message| message_text(message)[..2].to_owned()).collect();
    assert_eq!(typed, ["m1", "m2", "m3", "m4", "m5"], "the chat is what the user typed");
    // The chat says of each answer how much its agent was handed.
    let chat = drover.chat(&task).await;
    let answers =
        chat["messages"].as_array().expect("messages").iter().filter(|message| message["role"] == "assistant");
    let handed: Vec<_> = answers.map(|answer| answer["handoff"]["turns"].as_u64()).collect();
    assert_eq!(handed, [None, Some(2), None, Some(4), None]);
    let block = &alpha[1][..alpha[1].find("</handoff>").expect("a whole block") + "</handoff>".len()];
    let told = &chat["messages"][7]["handoff"];
    assert_eq!((&told["bytes"], &told["left_out"]), (&json!(block.len()), &json!(0)));
}

#[tokio::test]
async fn an_agent_that_knows_no_session_at_all_gets_each_prompt_twice_at_most() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let refusal = json!({"code": -32002, "message": "Resource not found"});
    let failed = drover.turn_ending(&task, &format!("!fail {refusal}"), "error").await;
    assert!(failed.to_string().contains("Resource not found"), "{failed}");
    assert_eq!((drover.prompts("alpha").len(), drover.starts("alpha").len()), (2, 1));
    let half = format!("!text half\n!fail {refusal}");
    let failed = drover.turn_ending(&task, &half, "error").await;
    assert_eq!(message_text(&failed), "half");
    assert_eq!(drover.prompts("alpha").len(), 3, "what has begun is not begun again");
    assert_eq!(message_text(&drover.turn(&task, "!text on").await), "on");
}
