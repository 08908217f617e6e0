//! The daemon is killed with signal 9 at random moments under load, and started again on the same data.
//!
//! `DROVER_KILLS` is the number of kills (default 50), `DROVER_SEED` the seed of the moments.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use drover_tests::harness::{
    Api, Drover, Event, LONG, Sent, Setup, Stream, agent, message_text, nonce, process, rebuilt, until,
};
use serde_json::{Value, json};

/// Numbers that look random and are the same for the same seed (xorshift).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A send that was answered.
#[derive(Clone, Debug)]
struct Acknowledged {
    task: String,
    mark: String,
    sent: Sent,
}

#[derive(Clone, Default)]
struct Ledger(Arc<Mutex<Vec<Acknowledged>>>);

impl Ledger {
    fn all(&self) -> Vec<Acknowledged> {
        self.0.lock().expect("no panic while noting").clone()
    }

    /// Sends and notes the answer; false when the daemon is gone.
    async fn send(&self, api: &Api, task: &str, mark: &str, script: &str) -> bool {
        let body = json!({"nonce": nonce(), "agent": "alpha", "text": format!("{mark}\n{script}")});
        let call = drover_tests::harness::Call::new("POST", &format!("/tasks/{task}/messages")).json(&body);
        let Ok(answer) = api.try_call(call).await else { return false };
        let sent = serde_json::from_value(answer.is(202)).expect("what a send answers");
        self.0.lock().expect("no panic while noting").push(Acknowledged { task: task.into(), mark: mark.into(), sent });
        true
    }
}

/// What runs while the daemon dies: streams with children, an open question, a queue, and senders that never rest.
async fn load(drover: &Drover, round: u64, ledger: &Ledger, tasks: &[String]) {
    for (index, task) in tasks.iter().enumerate() {
        let script = match index {
            0 => "!child own quiet\n!say 4000 1",
            1 => "!permit 1\n!text asked\n!hang",
            2 => "!pendingtool z\n!say 4000 2",
            _ => "!tool a\n!say 30 1\n!text end",
        };
        assert!(ledger.send(drover, task, &format!("mark-{round}-{index}-0"), script).await, "the daemon runs");
    }
    for (index, task) in tasks.iter().enumerate() {
        let (api, ledger, task) = ((**drover).clone(), ledger.clone(), task.clone());
        tokio::spawn(async move {
            for number in 1..8 {
                if !ledger.send(&api, &task, &format!("mark-{round}-{index}-{number}"), "!say 20 1").await {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(40)).await; // the pace of the load
            }
        });
    }
}

/// Every message of the task by id.
async fn messages(drover: &Drover, task: &str) -> HashMap<String, Value> {
    let chat = drover.chat(task).await;
    assert_eq!(chat["has_more"], false, "the load fits on a page");
    let messages = chat["messages"].as_array().expect("messages").clone();
    messages.into_iter().map(|message| (message["id"].as_str().expect("an id").to_owned(), message)).collect()
}

/// What was acknowledged is there, with a state that is true after a crash; nothing is told twice.
fn check_message(noted: &Acknowledged, stored: &HashMap<String, Value>) {
    let user =
        stored.get(&noted.sent.user_message_id).unwrap_or_else(|| panic!("an acknowledged send is lost: {noted:?}"));
    assert!(message_text(user).starts_with(&format!("{}\n", noted.mark)), "{user}");
    let answer =
        stored.get(&noted.sent.assistant_message_id).unwrap_or_else(|| panic!("its answer is lost: {noted:?}"));
    let status = answer["status"].as_str().unwrap_or_default();
    assert!(matches!(status, "done" | "interrupted" | "queued" | "error"), "{status} after a restart: {answer}");
    let text = message_text(answer);
    let told = text.split_once(';').map_or(text.as_str(), |(_, rest)| rest).trim_end_matches("end");
    let whole: String = (0..4000).map(|index| format!("w{index} ")).collect();
    assert!(whole.starts_with(told) || told == "asked", "words lost or told twice: {answer}");
    if status != "done" {
        let parts = answer["parts"].as_array().expect("parts");
        let cut = parts.iter().find(|part| part["tool_call_id"] == "z");
        assert!(cut.is_none_or(|part| part["unknown_outcome"] == true), "{answer}");
    }
}

/// A tab's events up to the kill, and those after its cursor, rebuild what is stored.
async fn check_stream(drover: &Drover, seen: &[Event], answers: &HashMap<String, Value>) {
    let cursor = seen.iter().filter_map(|event| event.seq).max().expect("something was seen");
    let rest = drover.follow(cursor).await;
    rest.up_to(drover.seq().await).await;
    let rest = rest.events();
    assert!(rest.iter().all(|event| event.kind != "reset"), "a cursor of before the kill gets a reset");
    let all: Vec<Event> = seen.iter().cloned().chain(rest).collect();
    for (id, message) in answers {
        let before = rebuilt(seen, id, &[]);
        let stored = message["parts"].as_array().expect("parts");
        for (part, kept) in before.iter().zip(stored) {
            if let (Some(text), Some(kept)) = (part["text"].as_str(), kept["text"].as_str()) {
                assert!(kept.starts_with(text), "seen text is missing: {} of {} bytes", kept.len(), text.len());
            }
        }
        if all.iter().any(|event| event.data["id"] == id.as_str()) {
            assert_eq!(json!(rebuilt(&all, id, &[])), message["parts"], "events and snapshot differ");
        }
    }
}

/// Queued messages are held, and go on in order when told to.
async fn check_queue(
    drover: &Drover,
    task: &str,
    noted: &[Acknowledged],
    stored: &HashMap<String, Value>,
    finish: bool,
) {
    let mut queued: Vec<&Acknowledged> =
        noted.iter().filter(|noted| stored[&noted.sent.assistant_message_id]["status"] == "queued").collect();
    queued.sort_by_key(|noted| stored[&noted.sent.assistant_message_id]["ordinal"].as_u64());
    let state = drover.get(&format!("/tasks/{task}")).await.is(200);
    assert!(queued.is_empty() || state["queue_held"] == true, "{state}");
    // The first of a task may be the one that would not end.
    let ends = |noted: &&Acknowledged| !noted.mark.ends_with("-0");
    if finish && queued.iter().all(ends) {
        drover.post(&format!("/tasks/{task}/queue/resume"), &json!({})).await.ok();
        for noted in &queued {
            let message = drover.ended_within(task, &noted.sent.assistant_message_id, LONG).await;
            assert!(message["status"] == "done" && message_text(&message).ends_with("w19 "), "{message}");
        }
        // A send that was stored though its answer was lost goes on too. With nothing queued the task stays as the
        // kill left it: interrupted, or failed before its prompt was sent.
        until("a task at rest", LONG, async || {
            let state = drover.get(&format!("/tasks/{task}")).await.is(200)["state"].clone();
            matches!(state.as_str(), Some("idle" | "interrupted" | "error")).then_some(())
        })
        .await;
        let order: Vec<String> = queued.iter().map(|noted| noted.mark.clone()).collect();
        let sent = drover.prompts("alpha").into_iter().map(|(text, _)| mark_of(&text));
        let sent: Vec<String> = sent.filter(|mark| order.contains(mark)).collect();
        assert_eq!(sent, order, "the queue goes on in its order");
    }
}

/// The mark in a prompt whose history, if it has one, stands in front of it.
fn mark_of(prompt: &str) -> String {
    prompt.lines().rfind(|line| line.starts_with("mark-")).unwrap_or_default().to_owned()
}

/// No prompt reached an agent twice.
fn check_prompts(drover: &Drover, seen: &mut HashMap<String, usize>, from: usize) -> usize {
    let prompts = drover.received("alpha", "session/prompt");
    for prompt in &prompts[from..] {
        let last = prompt["params"]["prompt"]
            .as_array()
            .and_then(|blocks| blocks.iter().rev().find(|block| block["type"] == "text"))
            .expect("a text block");
        let mark = last["text"].as_str().and_then(|text| text.lines().next()).expect("a mark").to_owned();
        let times = seen.entry(mark.clone()).or_default();
        *times += 1;
        assert_eq!(*times, 1, "{mark} was sent twice");
    }
    prompts.len()
}

/// The questions that a tab saw open.
fn open_requests(seen: &Stream) -> Vec<String> {
    let mut open = HashMap::new();
    for event in seen.events().iter().filter(|event| event.kind == "request.upsert") {
        open.insert(event.data["id"].as_str().expect("an id").to_owned(), event.data["state"] == "open");
    }
    open.into_iter().filter(|(_, is_open)| *is_open).map(|(id, _)| id).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_or_seen_is_lost_nothing_runs_twice_and_no_process_stays() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let kills = number("DROVER_KILLS").unwrap_or(50);
    let seed = number("DROVER_SEED").unwrap_or_else(seed_of_now);
    println!("DROVER_SEED={seed}");
    let mut chance = Chance(seed | 1);
    let setup =
        Setup { agents: vec![agent("alpha")], config: Some("max_active_runs = 8\n".into()), ..Setup::default() };
    let mut drover = Drover::start_with(setup).await;
    let (mut marks, mut prompts) = (HashMap::new(), 0);
    let mut met: HashMap<String, usize> = HashMap::new();
    for round in 0..kills {
        let mut tasks = Vec::new();
        for _ in 0..4 {
            tasks.push(drover.task().await);
        }
        let ledger = Ledger::default();
        let stream = drover.follow_now().await;
        load(&drover, round, &ledger, &tasks).await;
        if chance.below(4) > 0 {
            stream.until("text", |event| event.kind == "part.append").await;
        }
        tokio::time::sleep(Duration::from_millis(chance.below(500))).await; // the moment of the kill is the case
        let mut processes: Vec<u32> = process::descendants(drover.pid()).iter().map(|process| process.pid).collect();
        drover.kill_nine().await;
        stream.until_closed().await;
        drover.restart().await;
        let requests = open_requests(&stream);
        let (mut by_task, mut answers) = (HashMap::new(), HashMap::new());
        for task in &tasks {
            let stored = messages(&drover, task).await;
            answers.extend(
                stored
                    .iter()
                    .filter(|(_, message)| message["role"] == "assistant")
                    .map(|(id, message)| (id.clone(), message.clone())),
            );
            by_task.insert(task.clone(), stored);
        }
        for noted in ledger.all() {
            check_message(&noted, &by_task[&noted.task]);
            let status = &by_task[&noted.task][&noted.sent.assistant_message_id]["status"];
            *met.entry(status.as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        *met.entry("void".into()).or_default() += requests.len();
        check_stream(&drover, &stream.events(), &answers).await;
        for request in requests {
            drover.post(&format!("/requests/{request}"), &json!({"option_id": "yes"})).await.problem(410);
        }
        processes.extend(
            drover
                .journal("alpha")
                .iter()
                .filter(|entry| entry.kind == "child")
                .filter_map(|entry| u32::try_from(entry.msg["pid"].as_u64()?).ok()),
        );
        process::all_gone(&processes, LONG).await;
        let finish = usize::try_from(chance.below(12)).expect("small");
        for (index, task) in tasks.iter().enumerate() {
            let noted: Vec<Acknowledged> = ledger.all().into_iter().filter(|noted| noted.task == *task).collect();
            check_queue(&drover, task, &noted, &by_task[task], index == finish).await;
            drover.delete(&format!("/tasks/{task}")).await.ok();
        }
        prompts = check_prompts(&drover, &mut marks, prompts);
    }
    assert!(process::zombies(drover.pid()).is_empty());
    drover.stop().await;
    println!("met after {kills} kills: {met:?}");
    let rare = ["interrupted", "queued", "done", "void"].map(|state| met.get(state).copied().unwrap_or(0));
    assert!(kills < 10 || rare.iter().all(|times| *times > 0), "the load does not meet every state: {met:?}");
}

#[expect(clippy::disallowed_methods, reason = "a seed is any number; it is printed")]
pub(crate) fn seed_of_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.subsec_nanos().into())
}
