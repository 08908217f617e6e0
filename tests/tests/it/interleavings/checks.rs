//! What holds of a task at rest, whatever happened.

use std::collections::{HashMap, HashSet};

use drover_tests::harness::{Drover, message_text, process, rebuilt};
use serde_json::{Value, json};

use super::model::Model;

const AGENTS: [&str; 2] = ["alpha", "beta"];

pub(super) async fn all(drover: &Drover, task: &str, model: &Model, from: u64) {
    let chat = drover.chat(task).await;
    let messages = chat["messages"].as_array().expect("messages");
    nothing_is_missing(messages, model);
    let prompts = AGENTS.map(|agent| drover.prompts(agent));
    no_prompt_went_twice(&prompts, model);
    nothing_discarded_was_told(&prompts, model);
    every_question_was_answered_once(drover, model);
    the_queue_kept_its_order(drover, model).await;
    the_feed_is_the_snapshot(drover, messages, from).await;
}

/// What was acknowledged and not discarded is there, in the order of the model, and nothing else is.
fn nothing_is_missing(messages: &[Value], model: &Model) {
    let ids: Vec<&str> = messages.iter().filter_map(|message| message["id"].as_str()).collect();
    let expected: Vec<&str> = model
        .turns
        .iter()
        .flat_map(|turn| [turn.sent.user_message_id.as_str(), turn.sent.assistant_message_id.as_str()])
        .collect();
    assert_eq!(ids, expected, "the chat is not what was said");
    for turn in &model.turns {
        let find = |id: &str| messages.iter().find(|message| message["id"] == id).expect("a message of the model");
        assert!(message_text(find(&turn.sent.user_message_id)).starts_with(&turn.mark), "another text: {turn:?}");
        let answer = find(&turn.sent.assistant_message_id);
        let ended = matches!(answer["status"].as_str(), Some("done" | "error" | "cancelled" | "interrupted"));
        assert!(ended, "not at rest: {answer}");
    }
    let ordinals: Vec<i64> = messages.iter().filter_map(|message| message["ordinal"].as_i64()).collect();
    assert!(ordinals.windows(2).all(|pair| pair[0] < pair[1]), "{ordinals:?}");
}

/// The user's own text is the last block; each reached an agent as often as it was asked for, at most.
fn no_prompt_went_twice(prompts: &[Vec<(String, String)>; 2], model: &Model) {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for (text, _) in prompts.iter().flatten() {
        if let Some(mark) = text.lines().rfind(|line| line.starts_with("mark-")) {
            *times.entry(mark).or_default() += 1;
        }
    }
    for (mark, allowed) in &model.allowed {
        let sent = times.get(mark.as_str()).copied().unwrap_or(0);
        assert!(sent <= *allowed, "{mark} was sent {sent} times, {allowed} at most");
    }
}

/// Neither by a later prompt nor by a session that has seen it.
fn nothing_discarded_was_told(prompts: &[Vec<(String, String)>; 2], model: &Model) {
    for gone in &model.gone {
        for (of_agent, before) in prompts.iter().zip(gone.prompts) {
            let (old, new) = of_agent.split_at(before.min(of_agent.len()));
            let has = |text: &str, marks: &[String]| marks.iter().any(|mark| text.contains(mark.as_str()));
            let tainted: HashSet<&str> =
                old.iter().filter(|(text, _)| has(text, &gone.seen)).map(|(_, session)| session.as_str()).collect();
            for (text, session) in new {
                assert!(!has(text, &gone.marks), "discarded text was sent: {gone:?} in {text}");
                assert!(!tainted.contains(session.as_str()), "{session} had seen what was discarded: {gone:?}");
            }
        }
    }
}

/// An answer that won is the one that was sent, and not twice; an agent that lives is not left waiting.
fn every_question_was_answered_once(drover: &Drover, model: &Model) {
    for agent in AGENTS {
        let mut answers: HashMap<String, Vec<Value>> = HashMap::new();
        for answer in drover.answers(agent) {
            answers.entry(answer["id"].to_string()).or_default().push(answer["result"]["outcome"].clone());
        }
        for (number, won) in &model.answers {
            let given = answers.get(number).cloned().unwrap_or_default();
            let chosen: Vec<&str> = given.iter().filter_map(|outcome| outcome["optionId"].as_str()).collect();
            let fits = |option: &str| of(&chosen, option) <= of(won, option);
            assert!(fits("yes") && fits("no"), "{number} was answered {given:?}, and here {won:?}");
        }
        for entry in drover.journal(agent).iter().filter(|entry| entry.kind == "in" && process::alive(entry.pid)) {
            let blocks = entry.msg["params"]["prompt"].as_array().into_iter().flatten();
            let Some(own) = blocks.filter_map(|block| block["text"].as_str()).next_back() else { continue };
            for number in own.lines().filter_map(|line| line.strip_prefix("!permit ")?.split(' ').next()) {
                assert!(answers.contains_key(number), "an agent still waits for the answer to {number}");
            }
        }
    }
}

fn of(options: &[&str], option: &str) -> usize {
    options.iter().filter(|each| **each == option).count()
}

/// Plain sends begin in the order in which they were acknowledged.
async fn the_queue_kept_its_order(drover: &Drover, model: &Model) {
    let mut last = String::new();
    for run in &model.order {
        let run = drover.get(&format!("/runs/{run}")).await.is(200);
        let Some(started) = run["started_at"].as_str() else { continue };
        assert!(started >= last.as_str(), "a later message began before {run}");
        last = started.to_owned();
    }
}

/// A reader of the feed alone knows what a snapshot says.
async fn the_feed_is_the_snapshot(drover: &Drover, messages: &[Value], from: u64) {
    let stream = drover.follow(from).await;
    stream.up_to(drover.seq().await).await;
    let events = stream.events();
    assert!(events.iter().all(|event| event.kind != "reset"), "a cursor of before a kill gets a reset");
    for message in messages {
        let id = message["id"].as_str().expect("an id");
        assert_eq!(json!(rebuilt(&events, id, &[])), message["parts"], "events and snapshot differ");
        let head = events.iter().rfind(|event| event.kind == "message.upsert" && event.data["id"] == id);
        let told = &head.expect("a message is told of").data;
        for field in ["status", "ordinal", "stop_reason", "late"] {
            assert_eq!(told[field], message[field], "{field} of {id}");
        }
    }
    let mut requests: HashMap<&str, &str> = HashMap::new();
    for event in events.iter().filter(|event| event.kind == "request.upsert") {
        if let (Some(id), Some(state)) = (event.data["id"].as_str(), event.data["state"].as_str()) {
            let before = requests.insert(id, state);
            assert!(before.is_none_or(|before| before == "open"), "{id} went from {before:?} to {state}");
        }
    }
    assert!(requests.values().all(|state| *state != "open"), "a question is still open");
}
