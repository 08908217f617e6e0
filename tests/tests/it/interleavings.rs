//! Random interleavings of all that can happen to a message, against a small model of the lifecycle.
//!
//! `DROVER_INTERLEAVINGS` is the time in seconds (default 20), `DROVER_SEED` the seed. Each episode is a task of its own on one daemon: a few
//! dozen steps by chance, then everything is brought to rest and compared with the model.

mod checks;
mod model;

use std::time::{Duration, Instant};

use drover_tests::harness::{Drover, LONG, Sent, nonce, process, until};
use serde_json::{Value, json};

use crate::kill_loop::{Chance, seed_of_now};
use model::{Cut, Model};

/// Steps of an episode.
const STEPS: u64 = 28;

/// What an answer does; only the last never ends by itself.
const SCRIPTS: [&str; 6] = [
    "!text ok",
    "!say 12 4\n!text ok",
    "!tool a\n!text ok",
    "!permit ASK {\"toolCallId\":\"ask-ASK\",\"title\":\"x\"}\n!await ASK",
    "!text gone\n!crash 3",
    "!pendingtool z\n!hang",
];

struct Episode<'a> {
    drover: &'a mut Drover,
    chance: &'a mut Chance,
    task: String,
    model: Model,
    number: u64,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_happens_in_whatever_order_the_chat_is_what_the_lifecycle_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seed = number("DROVER_SEED").unwrap_or_else(seed_of_now);
    let time = Duration::from_secs(number("DROVER_INTERLEAVINGS").unwrap_or(20));
    println!("DROVER_SEED={seed}");
    let mut chance = Chance(seed | 1);
    let mut drover = Drover::start().await;
    let (begun, mut episodes, mut met) = (Instant::now(), 0, std::collections::BTreeMap::<&str, u64>::new());
    while begun.elapsed() < time {
        let task = drover.task().await;
        let from = drover.seq().await;
        let mut episode =
            Episode { drover: &mut drover, chance: &mut chance, task, model: Model::new(episodes), number: 0 };
        for _ in 0..STEPS {
            let step = episode.step().await;
            *met.entry(step).or_default() += 1;
        }
        episode.come_to_rest().await;
        checks::all(episode.drover, &episode.task, &episode.model, from).await;
        episodes += 1;
    }
    println!("{episodes} episodes: {met:?}");
}

impl Episode<'_> {
    /// One step by chance; gives what it was.
    async fn step(&mut self) -> &'static str {
        match self.chance.below(100) {
            0..32 => self.send().await,
            32..48 => self.answer().await,
            48..56 => self.cancel().await,
            56..66 => self.cut(false).await,
            66..76 => self.cut(true).await,
            76..84 => self.resume().await,
            84..88 => self.kill_agent().await,
            88..91 => self.kill_daemon().await,
            _ => {
                // The pace is a part of the case: what was asked for gets some time to happen.
                tokio::time::sleep(Duration::from_millis(self.chance.below(150))).await;
                "pause"
            }
        }
    }

    fn script(&mut self) -> (String, String) {
        let (mark, ask) = (self.model.fresh_mark(), self.model.fresh_ask());
        let at = usize::try_from(self.chance.below(SCRIPTS.len() as u64)).expect("small");
        (mark.clone(), format!("{mark}\n{}", SCRIPTS[at].replace("ASK", &ask)))
    }

    fn agent(&mut self) -> &'static str {
        ["alpha", "beta"][usize::from(self.chance.below(3) == 0)]
    }

    async fn send(&mut self) -> &'static str {
        let ((mark, text), agent) = (self.script(), self.agent());
        let nonce = nonce();
        let sent: Sent = serde_json::from_value(self.drover.try_send(&self.task, agent, &text, &nonce).await.is(202))
            .expect("a send");
        if self.chance.below(6) == 0 {
            let again = self.drover.try_send(&self.task, agent, &text, &nonce).await.is(200);
            assert_eq!(serde_json::from_value::<Sent>(again).expect("a send"), sent, "the same call, the same answer");
        }
        self.model.sent(mark, sent);
        "send"
    }

    async fn answer(&mut self) -> &'static str {
        let open = self.open_requests().await;
        let Some(request) = self.pick(&open) else { return "nothing to answer" };
        let option = ["yes", "no"][usize::from(self.chance.below(2) == 0)];
        let answer = self.drover.choose(&request, option).await;
        match answer.status {
            200 => self.model.answered(&request["payload"]["toolCall"]["toolCallId"], option),
            // It was voided in between, or its run is being stopped.
            409 | 410 => {}
            _ => panic!("{answer}"),
        }
        "answer"
    }

    async fn cancel(&mut self) -> &'static str {
        let runs = self.active(&self.chat().await);
        let Some(run) = self.pick(&runs) else { return "nothing to stop" };
        let run = run.as_str().expect("an id");
        for _ in 0..=self.chance.below(2) {
            self.drover.post(&format!("/runs/{run}/cancel"), &json!({})).await.ok();
        }
        "cancel"
    }

    /// The open questions; where an agent is about to ask, once it has.
    async fn open_requests(&self) -> Vec<Value> {
        until("a question or its end", LONG, async || {
            let chat = self.chat().await;
            let open = chat["requests"].as_array().cloned().unwrap_or_default();
            let asking = self.active(&chat).iter().any(|run| self.model.says(&chat, run, "!permit"));
            (!open.is_empty() || !asking).then_some(open)
        })
        .await
    }

    /// Stops what runs and waits for its end: then the queue is held, and nothing begins by itself.
    async fn calm(&self) {
        until("an end of what runs", LONG, async || {
            let active = self.active(&self.chat().await);
            for run in &active {
                self.drover.post(&format!("/runs/{}/cancel", run.as_str().expect("an id")), &json!({})).await.ok();
            }
            active.is_empty().then_some(())
        })
        .await;
    }

    /// An edit or a retry, where nothing can begin by itself meanwhile.
    async fn cut(&mut self, retry: bool) -> &'static str {
        if self.chance.below(4) > 0 {
            self.calm().await;
        }
        let chat = self.chat().await;
        let settled: Vec<Value> = self.model.settled(&chat);
        let still =
            self.active(&chat).is_empty() && (settled.len() == self.model.len() || chat["task"]["queue_held"] == true);
        let Some(turn) = self.pick(&settled) else { return "nothing to change" };
        if !still {
            return "busy";
        }
        let turn = usize::try_from(turn.as_u64().expect("a place")).expect("small");
        let prompts = ["alpha", "beta"].map(|agent| self.drover.prompts(agent).len());
        let (mark, text) = self.script();
        let (path, body) = if retry {
            (format!("/messages/{}/retry", self.model.assistant(turn)), json!({"nonce": nonce()}))
        } else {
            (format!("/messages/{}/edit", self.model.user(turn)), json!({"nonce": nonce(), "text": text}))
        };
        let answer = self.drover.post(&path, &body).await;
        if answer.status == 409 {
            return "refused";
        }
        let sent: Sent = serde_json::from_value(answer.is(202)).expect("what a send answers");
        self.model.cut(Cut { turn, retry, mark, sent, kept: &settled, prompts });
        if retry { "retry" } else { "edit" }
    }

    async fn resume(&mut self) -> &'static str {
        self.drover.post(&format!("/tasks/{}/queue/resume", self.task), &json!({})).await.ok();
        "resume"
    }

    async fn kill_agent(&mut self) -> &'static str {
        let agent = self.agent();
        let Some(pid) = self.drover.starts(agent).last().copied().filter(|pid| process::alive(*pid)) else {
            return "no agent";
        };
        process::signal(pid, libc::SIGKILL);
        "kill of an agent"
    }

    async fn kill_daemon(&mut self) -> &'static str {
        self.drover.kill_nine().await;
        self.drover.restart().await;
        "kill of the daemon"
    }

    /// Answers, stops and lets go on until nothing is left to happen.
    async fn come_to_rest(&mut self) {
        until("a task at rest", LONG, async || {
            let chat = self.drover.chat(&self.task).await;
            for request in chat["requests"].as_array().into_iter().flatten() {
                if self.drover.choose(request, "yes").await.status == 200 {
                    self.model.answered(&request["payload"]["toolCall"]["toolCallId"], "yes");
                }
            }
            for run in self.active(&chat) {
                if self.model.says(&chat, &run, "!hang") {
                    self.drover.post(&format!("/runs/{}/cancel", run.as_str().expect("an id")), &json!({})).await.ok();
                }
            }
            if chat["task"]["queue_held"] == true {
                self.drover.post(&format!("/tasks/{}/queue/resume", self.task), &json!({})).await.ok();
            }
            let all = chat["messages"].as_array().expect("messages");
            all.iter().all(|message| !matches!(message["status"].as_str(), Some("queued" | "streaming"))).then_some(())
        })
        .await;
    }

    async fn chat(&self) -> Value {
        self.drover.chat(&self.task).await
    }

    /// The runs whose answers are being written.
    fn active(&self, chat: &Value) -> Vec<Value> {
        let messages = chat["messages"].as_array().into_iter().flatten();
        messages.filter(|message| message["status"] == "streaming").map(|message| message["run_id"].clone()).collect()
    }

    fn pick(&mut self, from: &[Value]) -> Option<Value> {
        let count = u64::try_from(from.len()).ok().filter(|count| *count > 0)?;
        self.number += 1;
        from.get(usize::try_from(self.chance.below(count)).expect("small")).cloned()
    }
}
