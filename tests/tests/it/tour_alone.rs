//! `drover tour` without a daemon: what it says on its pipes.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Instant,
};

use drover_tests::harness::binary;
use insta::assert_json_snapshot;
use serde_json::{Value, json};

/// The agent and the client's side of its pipes.
struct Tour {
    child: Child,
    stdin: ChildStdin,
    lines: BufReader<ChildStdout>,
    sent: u64,
}

impl Tour {
    fn start(dir: &Path, pace: &str) -> Self {
        let mut child = Command::new(binary())
            .arg("tour")
            .env_clear()
            .env("DROVER_TOUR_DIR", dir)
            .env("DROVER_TOUR_PACE", pace)
            .env("HOME", dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the tour starts");
        let stdin = child.stdin.take().expect("its stdin");
        let lines = BufReader::new(child.stdout.take().expect("its stdout"));
        let mut tour = Self { child, stdin, lines, sent: 0 };
        let capabilities = json!({
            "elicitation": {"form": {}}, "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}}, "_meta": {"terminal_output": true},
        });
        tour.call("initialize", &json!({"protocolVersion": 1, "clientCapabilities": capabilities}));
        tour
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.stdin, "{message}").expect("the tour reads");
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("the tour writes");
        serde_json::from_str(&line).expect("a line is JSON")
    }

    fn request(&mut self, method: &str, params: &Value) {
        self.sent += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}));
    }

    /// The answer to a request, and what came before it.
    fn call(&mut self, method: &str, params: &Value) -> (Value, Vec<Value>) {
        self.request(method, params);
        self.until_answer()
    }

    /// Reads up to the answer to the last request; questions are allowed, and forms filled in.
    fn until_answer(&mut self) -> (Value, Vec<Value>) {
        let mut before = Vec::new();
        loop {
            let message = self.read();
            if message.get("method").is_none() {
                assert_eq!(message["id"], self.sent);
                return (message, before);
            }
            let result = match message["method"].as_str() {
                Some("session/request_permission") => {
                    json!({"outcome": {"outcome": "selected", "optionId": "allow_always"}})
                }
                Some("elicitation/create") => json!({"action": "accept", "content": {"name": "Ada", "score": 5}}),
                _ => Value::Null,
            };
            if let Some(id) = message.get("id") {
                self.write(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
            }
            before.push(message);
        }
    }

    fn session(&mut self) -> String {
        let (answer, _) = self.call("session/new", &json!({"cwd": "/work", "mcpServers": []}));
        answer["result"]["sessionId"].as_str().expect("a session").to_owned()
    }

    fn prompt(&mut self, session: &str, text: &str) -> (Value, Vec<Value>) {
        self.call("session/prompt", &prompt(session, text))
    }
}

impl Drop for Tour {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn prompt(session: &str, text: &str) -> Value {
    json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]})
}

/// The text of the answer.
fn said(messages: &[Value]) -> String {
    let updates = messages.iter().map(|message| &message["params"]["update"]);
    let chunks = updates.filter(|update| update["sessionUpdate"] == "agent_message_chunk");
    chunks.filter_map(|chunk| chunk["content"]["text"].as_str()).collect()
}

/// Everything that a walk sends, without what differs from run to run and without the bytes of its picture.
fn walk(text: &str) -> Vec<Value> {
    let dir = tempfile::tempdir().expect("a directory");
    let mut tour = Tour::start(dir.path(), "instant");
    let session = tour.session();
    let (answer, messages) = tour.prompt(&session, text);
    let greeting = std::fs::read_to_string(dir.path().join("greeting.txt")).expect("the greeting was allowed");
    assert!(!greeting.is_empty());
    let shown = messages.into_iter().chain([answer]).map(|message| {
        let text =
            message.to_string().replace(&session, "[session]").replace(&dir.path().display().to_string(), "[dir]");
        let mut message: Value = serde_json::from_str(&text).expect("still JSON");
        if let Some(data) = message.pointer_mut("/params/update/content/data") {
            *data = "[picture]".into();
        }
        // It counts the names of directories too.
        if let Some(used) = message.pointer_mut("/params/update/used") {
            *used = "[used]".into();
        }
        message
    });
    shown.collect()
}

#[test]
fn notices_and_a_shortened_memory_are_shown_when_asked_for_in_both_languages() {
    for (text, answer) in [("/notices", "All of it was acted"), ("有哪些提示？", "以上都是演示")] {
        let dir = tempfile::tempdir().expect("a directory");
        let mut tour = Tour::start(dir.path(), "instant");
        let session = tour.session();
        tour.prompt(&session, "/help");
        let (_, messages) = tour.prompt(&session, text);
        let updates: Vec<&Value> = messages.iter().map(|message| &message["params"]["update"]).collect();
        let of = |kind: &str| updates.iter().filter(|update| update["sessionUpdate"] == kind).collect::<Vec<_>>();
        assert_eq!(of("notice").iter().map(|notice| &notice["severity"]).collect::<Vec<_>>(), ["info", "warning"]);
        let steps: Vec<_> =
            of("compaction_update").iter().map(|step| (&step["compactionId"], &step["status"])).collect();
        assert_eq!(steps.iter().map(|(_, status)| *status).collect::<Vec<_>>(), ["in_progress", "completed"]);
        assert_eq!(&of("compaction_summary_chunk")[0]["compactionId"], steps[0].0);
        assert!(said(&messages).contains(answer), "{text}");
    }
}

#[test]
fn the_walk_in_english_holds_everything() {
    assert_json_snapshot!(walk("Show me around."));
}

#[test]
fn the_walk_in_chinese_holds_everything() {
    assert_json_snapshot!(walk("带我看看。"));
}

#[test]
fn the_tour_is_there_in_a_moment() {
    let dir = tempfile::tempdir().expect("a directory");
    // The quickest of a few: what the machine does beside this is not the tour's.
    let quickest = (0..5).map(|_| {
        let before = Instant::now();
        drop(Tour::start(dir.path(), "instant"));
        before.elapsed().as_millis()
    });
    let quickest = quickest.min().expect("some starts");
    assert!(quickest < 200, "{quickest} ms; a release build takes less than 50");
}

#[test]
fn a_cancel_ends_the_tour_s_turn_at_once_and_the_next_prompt_is_answered() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut tour = Tour::start(dir.path(), "leisurely");
    let session = tour.session();
    tour.request("session/prompt", &prompt(&session, "/long"));
    while said(&[tour.read()]).is_empty() {}
    let before = Instant::now();
    tour.write(&json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}));
    let (answer, _) = tour.until_answer();
    assert_eq!(answer["result"]["stopReason"], "cancelled");
    assert!(before.elapsed().as_secs() < 5, "the long answer takes minutes at this pace");
    let (answer, messages) = tour.prompt(&session, "/plan");
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    assert!(said(&messages).contains("A plan is a list"));
}

#[test]
fn another_process_goes_on_with_a_session_and_an_unknown_one_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut tour = Tour::start(dir.path(), "instant");
    let session = tour.session();
    tour.prompt(&session, "/plan 请用中文");
    let set = json!({"sessionId": session, "configId": "mode", "value": "act"});
    tour.call("session/set_config_option", &set);
    drop(tour);

    let mut tour = Tour::start(dir.path(), "brisk");
    let existing = |id: &str| json!({"sessionId": id, "cwd": "/work", "mcpServers": []});
    let (answer, before) = tour.call("session/resume", &existing(&session));
    assert_eq!(answer["result"]["configOptions"][0]["currentValue"], "act");
    assert_eq!(before, [] as [Value; 0], "a resume replays nothing");
    let (_, messages) = tour.prompt(&session, "/ask");
    assert!(said(&messages).contains("没有问你"), "language and mode are as they were: {messages:?}");
    drop(tour);

    let mut tour = Tour::start(dir.path(), "instant");
    let (answer, replayed) = tour.call("session/load", &existing(&session));
    assert!(answer["result"]["configOptions"].is_array());
    assert_eq!(replayed.len(), 4, "two prompts and two answers: {replayed:?}");
    assert_eq!(replayed[0]["params"]["update"]["content"]["text"], "/plan 请用中文");
    for unknown in ["tour-0000000000000000", "../escape", ""] {
        let (answer, _) = tour.call("session/load", &existing(unknown));
        assert_eq!(answer["error"]["code"], -32002, "{unknown}");
    }
}

#[test]
fn the_tour_says_what_it_was_handed_and_that_it_is_no_model() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut tour = Tour::start(dir.path(), "instant");
    let session = tour.session();
    let handoff = "<handoff turns=\"2\" left_out=\"1\">\nThese are the turns.\n\n<turn number=\"1\" role=\"user\">\nhi\n\
        </turn>\n<turn number=\"2\" role=\"assistant\" agent=\"Codex\" status=\"done\">\nhello\n</turn>\n</handoff>";
    let blocks = json!({"sessionId": session, "prompt": [
        {"type": "text", "text": handoff}, {"type": "text", "text": "how is the weather?"},
    ]});
    let (_, messages) = tour.call("session/prompt", &blocks);
    let text = said(&messages);
    let expected = [
        "handed 2 turns",
        "Before me answered: Codex.",
        "1 earlier turns",
        "> how is the weather?",
        "no model",
        "`/install`",
    ];
    for part in expected {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_harms_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut tour = Tour::start(dir.path(), "leisurely");
    writeln!(tour.stdin, "this is no JSON\n").expect("the tour reads");
    assert_eq!(tour.read()["error"]["code"], -32700);
    let session = tour.session();
    for (method, params, code) in [
        ("session/fly", json!({}), -32601),
        ("session/new", json!({"cwd": "relative", "mcpServers": []}), -32602),
        ("session/prompt", prompt("tour-unknown", "hello"), -32002),
        ("session/set_config_option", json!({"sessionId": session, "configId": "pace", "value": "warp"}), -32602),
    ] {
        let (answer, _) = tour.call(method, &params);
        assert_eq!(answer["error"]["code"], code, "{method}");
    }
    tour.request("session/prompt", &prompt(&session, "/long"));
    while said(&[tour.read()]).is_empty() {}
    let (answer, _) = tour.call("session/prompt", &prompt(&session, "one more"));
    assert_eq!(answer["error"]["code"], -32600, "one prompt at a time");
}
