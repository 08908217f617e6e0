//! The fake model: a process of Node.js on loopback, its script in the prompt, its record for the test.

use std::{path::Path, process::Stdio};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

use crate::harness::{Api, Call};

/// A model that plays what the prompt tells it; ends with this value. See `tests/fake-model/README.md`.
pub struct Model {
    api: Api,
    _child: Child,
}

/// One request for an answer that an agent made.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The path, which tells the kind of the agent.
    pub path: String,
    /// The body as JSON.
    pub body: Value,
}

impl Asked {
    /// All text of the conversation that the request carries, in order.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for member in ["messages", "input", "contents"] {
            gather(&self.body[member], &mut text);
        }
        text
    }

    /// Whether this is a turn: agents also ask for titles and the like, and then most offer no tools.
    pub fn is_turn(&self) -> bool {
        let offered = |value: &Value| value.as_array().is_some_and(|tools| !tools.is_empty());
        let beside = |item: &Value| item["type"] == "additional_tools";
        offered(&self.body["tools"]) || self.body["input"].as_array().is_some_and(|input| input.iter().any(beside))
    }
}

impl Model {
    /// Starts it with the machine's Node.js.
    ///
    /// # Panics
    ///
    /// When it does not start.
    pub async fn start() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("fake-model/server.mjs");
        let mut command = Command::new("node");
        command.arg(script).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("Node.js starts");
        let stdout = child.stdout.take().expect("its output is piped");
        let line = BufReader::new(stdout).lines().next_line().await.expect("a line").expect("its address");
        let told: Value = serde_json::from_str(&line).expect("its address as JSON");
        let port = told["url"].as_str().and_then(|url| url.rsplit(':').next()).and_then(|port| port.parse().ok());
        Self { api: Api { port: port.expect("a port"), token: String::new() }, _child: child }
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.api.port)
    }

    /// The turns that agents asked for since the last [`Model::forget`], oldest first.
    pub async fn turns(&self) -> Vec<Asked> {
        let record = self.call(Call::root("GET", "/_fake/requests")).await;
        let asked = |request: &Value| Asked {
            path: request["path"].as_str().unwrap_or_default().to_owned(),
            body: request["body"].clone(),
        };
        record.as_array().into_iter().flatten().map(asked).filter(Asked::is_turn).collect()
    }

    /// Forgets what it was asked and what it was to fail.
    pub async fn forget(&self) {
        self.call(Call::root("DELETE", "/_fake/requests")).await;
    }

    /// Fails the next requests, whatever they ask for, with this status.
    pub async fn fail(&self, status: u16, times: u32) {
        self.call(Call::root("PUT", "/_fake/fail").json(&json!({"status": status, "times": times}))).await;
    }

    async fn call(&self, call: Call) -> Value {
        self.api.call(call.without_token()).await.ok()
    }
}

/// The strings below a value that are words of the conversation.
fn gather(value: &Value, text: &mut String) {
    match value {
        Value::String(said) => {
            text.push_str(said);
            text.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, text)),
        Value::Object(members) => {
            let said = ["content", "text", "parts", "output", "thinking", "summary"];
            members.iter().filter(|(name, _)| said.contains(&name.as_str())).for_each(|(_, value)| gather(value, text));
        }
        _ => {}
    }
}
