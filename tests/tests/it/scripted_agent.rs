//! The agent that all other tests rely on, spoken to by hand.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use drover_tests::harness::scripted_agent;
use serde_json::{Value, json};

struct Spoken {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Spoken {
    fn start(env: &[(&str, &str)]) -> Self {
        let mut command = Command::new(scripted_agent());
        command.env("AGENT_NAME", "a").envs(env.iter().copied());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the agent starts");
        let (stdin, stdout) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        Self { child, stdin, stdout: BufReader::new(stdout) }
    }

    fn open(env: &[(&str, &str)]) -> (Self, String) {
        let mut agent = Self::start(env);
        agent.call(1, "initialize", &json!({"protocolVersion": 1}));
        let answer = agent.call(2, "session/new", &json!({"cwd": "/", "mcpServers": []}));
        let session = answer["result"]["sessionId"].as_str().expect("a session").to_owned();
        (agent, session)
    }

    fn write(&mut self, line: &Value) {
        writeln!(self.stdin, "{line}").expect("the agent reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the agent writes UTF-8");
        line
    }

    fn read(&mut self) -> Value {
        serde_json::from_str(&self.line()).expect("a message")
    }

    fn call(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.read()
    }

    fn prompt(&mut self, session: &str, text: &str) {
        let params = json!({"sessionId": session, "prompt": [{"type": "text", "text": text}]});
        self.write(&json!({"jsonrpc": "2.0", "id": 7, "method": "session/prompt", "params": params}));
    }

    /// The text of all chunks up to the prompt's answer, and the answer.
    fn turn(&mut self, session: &str, text: &str) -> (String, Value) {
        self.prompt(session, text);
        let mut said = String::new();
        loop {
            let message = self.read();
            if message["id"] == 7 {
                return (said, message["result"].clone());
            }
            said += message.pointer("/params/update/content/text").and_then(Value::as_str).unwrap_or_default();
        }
    }
}

impl Drop for Spoken {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn it_does_what_the_last_text_block_says_in_order() {
    let (mut agent, session) = Spoken::open(&[]);
    let (said, result) = agent.turn(&session, "!say 3\n!text a b\n!chunk \" x \"\n!max");
    assert_eq!((said.as_str(), &result["stopReason"]), ("w0 w1 w2 a b x half", &json!("max_tokens")));
    assert_eq!(agent.turn(&session, "hello").0, "a got: hello");
}

#[test]
fn it_is_strict_where_the_protocol_is() {
    let mut agent = Spoken::start(&[]);
    let code = |answer: Value| answer["error"]["code"].clone();
    assert_eq!(code(agent.call(1, "session/new", &json!({"cwd": "/", "mcpServers": []}))), -32600, "before initialize");
    agent.call(2, "initialize", &json!({"protocolVersion": 1}));
    assert_eq!(code(agent.call(3, "session/new", &json!({"cwd": "/"}))), -32602, "without mcpServers");
    assert_eq!(
        code(agent.call(4, "session/new", &json!({"cwd": "x", "mcpServers": []}))),
        -32602,
        "a relative directory"
    );
    assert_eq!(
        code(agent.call(5, "session/prompt", &json!({"sessionId": "x", "prompt": []}))),
        -32002,
        "a session nobody opened"
    );
    assert_eq!(code(agent.call(6, "foo/bar", &json!({}))), -32601);
    let answer = agent.call(8, "session/new", &json!({"cwd": "/", "mcpServers": []}));
    let session = answer["result"]["sessionId"].as_str().expect("a session").to_owned();
    agent.prompt(&session, "!hang");
    assert_eq!(
        code(agent.call(9, "session/prompt", &json!({"sessionId": session, "prompt": []}))),
        -32600,
        "a second prompt"
    );
}

#[test]
fn a_cancel_right_behind_a_prompt_ends_it() {
    let (mut agent, session) = Spoken::open(&[]);
    let cancel = json!({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}});
    agent.prompt(&session, "!hang");
    agent.write(&cancel);
    assert_eq!(agent.read()["result"]["stopReason"], "cancelled");
    agent
        .prompt(&session, "!oncancel {\"error\":{\"code\":-32800,\"message\":\"Request cancelled\"}}\n!text up\n!hang");
    assert_eq!(agent.read()["params"]["update"]["content"]["text"], "up");
    agent.write(&cancel);
    assert_eq!(agent.read()["error"]["code"], -32800);
}

#[test]
fn request_ids_go_out_and_come_back_digit_by_digit() {
    let (mut agent, session) = Spoken::open(&[]);
    let ids = ["7", "\"7\"", "0", "\"a-b\"", "9007199254740993"];
    let asks: String = ids.iter().map(|id| format!("!permit {id}\n")).collect();
    agent.prompt(
        &session,
        &format!("{asks}!await \"7\"\n!await 7\n!raw {{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{{}}}}"),
    );
    for id in ids {
        let line = agent.line();
        assert!(line.contains(&format!("\"id\":{id},")), "{line}");
    }
    for (id, answer) in [(json!(7), "number"), (json!("7"), "text")] {
        agent.write(&json!({"jsonrpc": "2.0", "id": id, "result": {"outcome": answer}}));
    }
    let said = |message: Value| message.pointer("/params/update/content/text").cloned();
    assert_eq!(said(agent.read()), Some(json!("\"7\"={\"outcome\": \"text\"};")));
    assert_eq!(said(agent.read()), Some(json!("7={\"outcome\": \"number\"};")));
    assert_eq!(agent.read(), json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
}

#[test]
fn answers_and_hooks_come_from_the_environment() {
    let answers = json!({"initialize": {"result": {"protocolVersion": 2}}, "session/new": {"result": {"sessionId": "s1", "modes": null}}});
    let hooks = json!({"before session/new": "!update {\"sessionUpdate\":\"early\"}", "session/new": "!text after"});
    let (answers, hooks) = (answers.to_string(), hooks.to_string());
    let mut agent = Spoken::start(&[("AGENT_ANSWERS", &answers), ("AGENT_ON", &hooks), ("AGENT_CRLF", "1")]);
    assert_eq!(agent.call(1, "initialize", &json!({}))["result"], json!({"protocolVersion": 2}));
    assert_eq!(
        agent.call(2, "session/new", &json!({"cwd": "/", "mcpServers": []}))["params"]["update"]["sessionUpdate"],
        "early"
    );
    assert_eq!(agent.read()["result"], json!({"sessionId": "s1", "modes": null}));
    let line = agent.line();
    assert!(line.contains("\"after\"") && line.ends_with("\r\n"), "{line:?}");
}

#[test]
fn it_dies_lingers_and_floods_on_demand() {
    let (mut agent, session) = Spoken::open(&[("AGENT_IGNORE", "eof,term")]);
    let (said, _) = agent.turn(&session, "!stderr 1000\n!child own deaf orphan bare\n!pid");
    let child: u32 =
        said.split_once("child=").and_then(|(_, rest)| rest.split_once(';')?.0.parse().ok()).expect("a child");
    assert!(drover_tests::harness::process::alive(child));
    drover_tests::harness::process::signal(child, libc::SIGTERM);
    drover_tests::harness::process::signal(agent.child.id(), libc::SIGTERM);
    assert_eq!(agent.turn(&session, "!text on").0, "on", "TERM is ignored");
    assert!(drover_tests::harness::process::alive(child), "the child ignores TERM too");
    drover_tests::harness::process::signal(child, libc::SIGKILL);
    agent.prompt(&session, "!crash 93");
    assert_eq!(agent.child.wait().expect("a status").code(), Some(93));
}

#[test]
fn it_plays_a_file_of_lines_and_takes_its_own_questions_back() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let chunk =
        r#"{"method":"session/update","params":{"sessionId":"$SID","update":{"content":{"text":"from a file"}}}}"#;
    std::fs::write(&file, format!("[noise]\n@1\n{chunk}\n")).expect("a script");
    let (mut agent, session) = Spoken::open(&[]);
    agent.prompt(&session, &format!("!frames {}\n!permit 3\n!withdraw 3", file.path().display()));
    assert_eq!(agent.line(), "[noise]\n");
    assert_eq!(agent.read(), serde_json::from_str::<Value>(&chunk.replace("$SID", &session)).expect("JSON"));
    assert_eq!(agent.read()["method"], "session/request_permission");
    assert_eq!(agent.read(), json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 3}}));
}
