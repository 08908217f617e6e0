//! What a person does: projects, tasks, messages.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    api::{Answer, Api},
    wait::{PATIENCE, until},
};

/// What a send answers.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// The user's message.
    pub user_message_id: String,
    /// The answer's message.
    pub assistant_message_id: String,
    /// The run that fills it.
    pub run_id: String,
}

const ENDED: [&str; 4] = ["done", "error", "cancelled", "interrupted"];

/// A nonce that no call had before.
pub fn nonce() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("nonce-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The text of a message's text parts, joined.
pub fn message_text(message: &Value) -> String {
    let parts = message["parts"].as_array().into_iter().flatten();
    parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect()
}

impl Api {
    /// A new task outside any project; gives its id.
    pub async fn task(&self) -> String {
        id_of(&self.post("/tasks", &json!({})).await.is(201))
    }

    /// A new task in a project; gives its id.
    pub async fn task_in(&self, project: &str) -> String {
        id_of(&self.post("/tasks", &json!({"project_id": project})).await.is(201))
    }

    /// A new project on an existing directory; gives its id.
    pub async fn project_at(&self, path: &std::path::Path) -> String {
        id_of(&self.post("/projects", &json!({"path": path})).await.is(201))
    }

    /// Sends a message, whatever the answer.
    pub async fn try_send(&self, task: &str, agent: &str, text: &str, nonce: &str) -> Answer {
        self.post(&format!("/tasks/{task}/messages"), &json!({"nonce": nonce, "agent": agent, "text": text})).await
    }

    /// Sends a message to agent `alpha`.
    pub async fn send(&self, task: &str, text: &str) -> Sent {
        self.send_to(task, "alpha", text).await
    }

    /// Sends a message to this agent.
    ///
    /// # Panics
    ///
    /// When it is not taken.
    pub async fn send_to(&self, task: &str, agent: &str, text: &str) -> Sent {
        let answer = self.try_send(task, agent, text, &nonce()).await.is(202);
        serde_json::from_value(answer).expect("what a send answers")
    }

    /// The newest page of a chat.
    pub async fn chat(&self, task: &str) -> Value {
        self.get(&format!("/tasks/{task}/chat?limit=200")).await.is(200)
    }

    /// A message of a chat.
    ///
    /// # Panics
    ///
    /// When it is not on the newest page.
    pub async fn message(&self, task: &str, id: &str) -> Value {
        find_message(&self.chat(task).await, id)
    }

    /// Waits until a message satisfies the test.
    pub async fn until_message(
        &self,
        task: &str,
        id: &str,
        what: &str,
        within: Duration,
        test: impl Fn(&Value) -> bool,
    ) -> Value {
        let mut last = Value::Null;
        let found = tokio::time::timeout(within, async {
            loop {
                last = self.message(task, id).await;
                if test(&last) {
                    return last.clone();
                }
                tokio::time::sleep(Duration::from_millis(15)).await;
            }
        });
        match found.await {
            Ok(message) => message,
            Err(_) => panic!("{what}: not within {within:?}; the message is {}", shortened(&last)),
        }
    }

    /// Waits until a message has ended.
    pub async fn ended(&self, task: &str, id: &str) -> Value {
        self.ended_within(task, id, PATIENCE).await
    }

    /// The same with another deadline.
    pub async fn ended_within(&self, task: &str, id: &str, within: Duration) -> Value {
        let ended = |message: &Value| message["status"].as_str().is_some_and(|status| ENDED.contains(&status));
        self.until_message(task, id, "an end", within, ended).await
    }

    /// Waits until the answer holds a text, whatever its status.
    pub async fn says(&self, task: &str, sent: &Sent, text: &str) -> Value {
        let what = format!("{text:?} in the answer");
        let has = |message: &Value| message_text(message).contains(text);
        self.until_message(task, &sent.assistant_message_id, &what, PATIENCE, has).await
    }

    /// A whole turn with `alpha` that must end as `done`.
    pub async fn turn(&self, task: &str, text: &str) -> Value {
        self.turn_ending(task, text, "done").await
    }

    /// A whole turn with `alpha` and its end.
    ///
    /// # Panics
    ///
    /// When it ends otherwise.
    pub async fn turn_ending(&self, task: &str, text: &str, status: &str) -> Value {
        let sent = self.send(task, text).await;
        let message = self.ended(task, &sent.assistant_message_id).await;
        assert_eq!(message["status"], status, "{}", shortened(&message));
        message
    }

    /// Waits for so many open requests.
    pub async fn open_requests(&self, task: &str, count: usize) -> Vec<Value> {
        until(&format!("{count} open requests"), PATIENCE, async || {
            let chat = self.chat(task).await;
            let open = chat["requests"].as_array()?.iter().filter(|request| request["state"] == "open");
            let open: Vec<Value> = open.cloned().collect();
            (open.len() >= count).then_some(open)
        })
        .await
    }

    /// Chooses an option of a request.
    pub async fn choose(&self, request: &Value, option: impl Into<Value>) -> Answer {
        let id = request["id"].as_str().expect("a request has an id");
        self.post(&format!("/requests/{id}"), &json!({"option_id": option.into()})).await
    }

    /// Stops a run.
    pub async fn cancel(&self, sent: &Sent) -> Answer {
        self.post(&format!("/runs/{}/cancel", sent.run_id), &json!({})).await
    }

    /// The id of the process a `child` directive told in an answer.
    pub async fn child_of(&self, task: &str, sent: &Sent) -> u32 {
        number_after(&message_text(&self.says(task, sent, "child=").await), "child=")
    }
}

/// The number after a mark in a text that ends in a semicolon.
fn number_after(text: &str, mark: &str) -> u32 {
    let rest = text.split_once(mark).map_or("", |(_, rest)| rest);
    rest.split(';').next().and_then(|number| number.parse().ok()).expect("a number behind the mark")
}

fn id_of(object: &Value) -> String {
    object["id"].as_str().expect("an object has an id").to_owned()
}

fn find_message(chat: &Value, id: &str) -> Value {
    let messages = chat["messages"].as_array().expect("a chat has messages");
    messages.iter().find(|message| message["id"] == id).expect("the message is on the newest page").clone()
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(1500).collect()
}
