//! A task that passes through several agents and back; the model's own record says what each of them saw.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{model::Asked, profile::Profile, stage::Stage};
use crate::harness::{Sent, nonce};

/// Passes a task through all agents of the stage and back, with a restart on the way, and looks at every prompt and at
/// every request to the model: each agent is told exactly what it missed. Then an edit and a retry: nothing that was
/// taken back reaches the model again.
pub(super) async fn passes_through(stage: &mut Stage) {
    let task = stage.task().await;
    let agents = stage.agents.clone();
    let mut seen: HashMap<&str, i64> = HashMap::new();
    for agent in agents.iter().chain(&agents[..1]) {
        told_what_it_missed(stage, &task, agent, &mut seen).await;
    }
    stage.restart().await;
    for agent in agents.iter().skip(1).chain(&agents[..1]) {
        told_what_it_missed(stage, &task, agent, &mut seen).await;
    }
    an_edit_leaks_nothing(stage, &task).await;
    a_retry_leaks_nothing(stage, &task).await;
}

/// One turn, whose handoff holds the turns between what the agent saw last and this one, and nothing else.
async fn told_what_it_missed(stage: &Stage, task: &str, agent: &'static Profile, seen: &mut HashMap<&str, i64>) {
    stage.model.forget().await;
    let words = format!("words {} for {}", seen.values().sum::<i64>(), agent.id);
    let (sent, asked) = turn(stage, task, agent, &words).await;
    let user = stage.drover.message(task, &sent.user_message_id).await;
    let this = user["ordinal"].as_i64().expect("an ordinal");
    let before = seen.get(agent.id).copied();
    let blocks = stage.drover.get(&format!("/runs/{}/prompt", sent.run_id)).await.is(200)["prompt"].clone();
    let texts: Vec<&str> = blocks.as_array().into_iter().flatten().filter_map(|block| block["text"].as_str()).collect();
    let told: Vec<i64> = texts.iter().flat_map(|text| turn_numbers(text)).collect();
    let missed: Vec<i64> = (before.map_or(1, |seen| seen + 1)..this).collect();
    assert_eq!(told, missed, "{} is told what it missed: {texts:?}", agent.id);
    let conversation = asked.text();
    for text in texts {
        assert!(conversation.contains(text), "the model of {} sees the prompt as it was sent: {text}", agent.id);
    }
    let own: Vec<_> = stage.drover.chat(task).await["messages"].as_array().cloned().unwrap_or_default();
    let own = own.iter().filter(|message| message["agent"] == agent.id && message["role"] == "assistant");
    for message in own.filter(|message| message["ordinal"].as_i64().is_some_and(|ordinal| ordinal < this)) {
        let words = crate::harness::message_text(message);
        let last = words.lines().last().unwrap_or_default();
        assert!(conversation.contains(last), "the model of {} has its own session: {last}", agent.id);
    }
    seen.insert(agent.id, this + 1);
}

/// A turn that is done, and the request to the model that carried it.
async fn turn(stage: &Stage, task: &str, agent: &Profile, text: &str) -> (Sent, Asked) {
    let sent = stage.drover.send_to(task, agent.id, text).await;
    (sent.clone(), answered(stage, task, agent, &sent, text).await)
}

async fn answered(stage: &Stage, task: &str, agent: &Profile, sent: &Sent, text: &str) -> Asked {
    let message = stage.end_of(task, sent).await;
    assert_eq!(message["status"], "done", "{}: {message}", agent.id);
    let turns = stage.model.turns().await;
    let asked = turns.into_iter().rfind(|turn| turn.path.contains(agent.dialect) && turn.text().contains(text));
    asked.expect("the model was asked")
}

/// The numbers of the turns that a handoff tells.
fn turn_numbers(text: &str) -> impl Iterator<Item = i64> {
    text.split("<turn number=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok())
}

async fn an_edit_leaks_nothing(stage: &Stage, task: &str) {
    let [first, second] = [stage.agents[0], stage.agents[1]];
    let (sent, _) = turn(stage, task, first, "the secret is mulberry").await;
    turn(stage, task, second, "after the secret").await;
    stage.model.forget().await;
    let edit = json!({"nonce": nonce(), "text": "there is no secret", "agent": first.id});
    let answer = stage.drover.post(&format!("/messages/{}/edit", sent.user_message_id), &edit).await.is(202);
    let sent = sent_of(answer);
    answered(stage, task, first, &sent, "there is no secret").await;
    turn(stage, task, second, "after the edit").await;
    turn(stage, task, first, "to the first once more").await;
    let since = ["there is no secret", "after the edit", "to the first once more"];
    let of_now = |asked: &Asked| since.iter().any(|words| asked.text().contains(words));
    // Codex asks some time after a turn what the user might say next; that may be the turn that was taken back.
    for asked in stage.model.turns().await.iter().filter(|asked| of_now(asked)) {
        for word in ["mulberry", "after the secret"] {
            let text = asked.text();
            let before = text.find(word).map(|at| tail(&text[..at]));
            assert_eq!(before, None, "{} sees {word:?} again, at the end of {}", asked.path, tail(&text));
        }
    }
}

async fn a_retry_leaks_nothing(stage: &Stage, task: &str) {
    let [first, second] = [stage.agents[0], stage.agents[1]];
    let (sent, _) = turn(stage, task, first, "say it in your words").await;
    stage.model.forget().await;
    let retry = json!({"nonce": nonce(), "agent": second.id});
    let answer = stage.drover.post(&format!("/messages/{}/retry", sent.assistant_message_id), &retry).await.is(202);
    let sent = sent_of(answer);
    let asked = answered(stage, task, second, &sent, "say it in your words").await;
    assert!(!asked.text().contains("ECHO say it in your words"), "the answer that was taken back");
    // The first one is told the question and the second one's answer, and of its own nothing.
    let text = turn(stage, task, first, "back again").await.1.text();
    assert!(text.contains("say it in your words"), "the turn is told");
    let own = format!("agent=\"{}\" status=\"done\">\nECHO say it in your words", first.id);
    assert!(!text.contains(&own), "the answer that was taken back");
}

fn tail(text: &str) -> &str {
    let from = text.char_indices().rev().nth(200).map_or(0, |(at, _)| at);
    &text[from..]
}

fn sent_of(answer: Value) -> Sent {
    serde_json::from_value(answer).expect("what a send answers")
}
