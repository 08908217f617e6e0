//! A connection against byte streams: what an agent says goes in at one end, what is written to it comes out.

use std::sync::mpsc;
use std::time::SystemTime;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, split};

use super::*;
use crate::{Body, CloseReason, Dir, ErrorOrigin, Exit, Frame, Noise};

/// The agent's side of a connection.
struct Fake {
    says: WriteHalf<DuplexStream>,
    hears: BufReader<ReadHalf<DuplexStream>>,
    stderr: DuplexStream,
    connection: Connection,
    incoming: Incoming,
}

impl Fake {
    fn new(config: Config) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (stderr, their_stderr) = tokio::io::duplex(1 << 16);
        let (reading, writing) = split(ours);
        let (connection, incoming) = connect(writing, reading, stderr, config);
        let (hears, says) = split(theirs);
        Self { says, hears: BufReader::new(hears), stderr: their_stderr, connection, incoming }
    }

    async fn say(&mut self, bytes: impl AsRef<[u8]>) {
        self.says.write_all(bytes.as_ref()).await.unwrap();
    }

    async fn say_line(&mut self, line: impl AsRef<[u8]>) {
        self.say(line).await;
        self.say("\n").await;
    }

    async fn heard(&mut self) -> Value {
        let mut line = String::new();
        self.hears.read_line(&mut line).await.unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn next(&mut self) -> Frame {
        self.incoming.next().await.unwrap()
    }

    /// A frame in a few words.
    async fn told(&mut self) -> String {
        match self.next().await.body {
            Body::Notification { method, params } => format!("notification {method} {params}"),
            Body::Request { id, method, params } => format!("request {id} {method} {params}"),
            Body::Response { id, method, outcome: Ok(result) } => format!("result {id} {method} {result}"),
            Body::Response { id, method, outcome: Err(error) } => format!("error {id} {method}: {error}"),
            Body::Noise { kind, text } => format!("{kind:?} {text}"),
            Body::Oversize { len, .. } => format!("oversize {len}"),
            Body::Closed { reason } => format!("closed: {reason}"),
        }
    }

    /// The agent closes its output.
    async fn hang_up(&mut self) {
        self.says.shutdown().await.unwrap();
    }
}

fn update(text: &str) -> String {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"text": text}}).to_string()
}

#[tokio::test]
async fn answers_and_updates_keep_their_order() {
    let mut fake = Fake::new(Config::default());
    let prompt = fake.connection.request("session/prompt", &json!({"sessionId": "s1"})).unwrap();
    assert_eq!(
        fake.heard().await,
        json!({"jsonrpc": "2.0", "id": prompt, "method": "session/prompt", "params": {"sessionId": "s1"}})
    );
    fake.say_line(update("before")).await;
    fake.say_line(r#"{"id":"1","result":{"stopReason":"end_turn"}}"#).await;
    fake.say_line(update("after")).await;
    assert_eq!(fake.told().await, r#"notification session/update {"text":"before"}"#);
    assert_eq!(fake.told().await, r#"result 1 session/prompt {"stopReason":"end_turn"}"#);
    let last = fake.next().await;
    assert_eq!((last.seq, last.raw.get()), (3, update("after").as_str()));
}

#[tokio::test]
async fn a_second_answer_and_a_strange_one_are_ignored() {
    let mut fake = Fake::new(Config::default());
    fake.connection.request("session/prompt", &json!({})).unwrap();
    for _ in 0..2 {
        fake.say_line(r#"{"id":1,"result":{}}"#).await;
    }
    fake.say_line(r#"{"id":77,"error":{"code":1,"message":"m"}}"#).await;
    fake.say_line(r#"{"id":"what","result":{}}"#).await;
    assert_eq!(fake.told().await, "result 1 session/prompt {}");
    for _ in 0..3 {
        let told = fake.told().await;
        assert!(told.starts_with("StrayResponse"), "{told}");
    }
}

#[tokio::test]
async fn noise_is_passed_over_and_never_answered() {
    let mut fake = Fake::new(Config::default());
    fake.say("[agent] ready\n{not json\n\n   \n[1,2,3]\n\"text\"\n42\nnull\n{\"jsonrpc\":\"2.0\"}\n").await;
    fake.say(b"{\"level\":\"info\"}\n\x1b[31mred\x1b[0m\r\n\0\0\nbad \xff\n").await;
    fake.say(b"\xef\xbb\xbf{\"method\":\"one\"}\r\n\x1b[2K{\"method\":\"two\"}\n{\"method\":\"three\"}").await;
    let mut told = Vec::new();
    while told.last().is_none_or(|last| last != "two") {
        told.push(match fake.next().await.body {
            Body::Noise { kind, text } => format!("{kind:?} {text}"),
            Body::Notification { method, .. } => method,
            other => format!("{other:?}"),
        });
    }
    // Were anything of this answered, the answer would come first.
    fake.connection.notify("proof", &json!(null)).unwrap();
    assert_eq!(fake.heard().await["method"], "proof");
    fake.hang_up().await;
    assert_eq!(fake.told().await, "notification three null");
    assert_eq!(fake.told().await, "closed: the agent closed its output");
    let noise = [
        "NotJson [agent] ready",
        "NotJson {not json",
        "NotJson [1,2,3]",
        "NotJson \"text\"",
        "NotJson 42",
        "NotJson null",
        "NotAMessage {\"jsonrpc\":\"2.0\"}",
        "NotAMessage {\"level\":\"info\"}",
        "NotJson red",
        "NotJson ",
        "NotJson bad \u{fffd}",
    ];
    assert_eq!(told[..noise.len()], noise);
    assert_eq!(told[noise.len()..], ["one", "two"]);
}

#[tokio::test]
async fn messages_without_a_line_end_between_them_and_among_colours_arrive_each() {
    let mut fake = Fake::new(Config::default());
    fake.say("\x1b[1m{\"method\":\"one\"}{\"method\":\"two\"} {\"level\":\"info\"} {\"method\":\"three\"}\x1b[0m\n")
        .await;
    fake.say("{debug} {\"method\":\"four\"}\r\n{\"method\":\"cut\",\"params\":{\"method\":\"inner\"}\n").await;
    for told in ["one", "two", "three", "four"] {
        assert_eq!(fake.told().await, format!("notification {told} null"));
    }
    assert!(fake.told().await.starts_with("NotJson {\"method\":\"cut\""));
}

#[tokio::test]
async fn every_question_gets_one_answer_under_its_own_id() {
    let mut fake = Fake::new(Config::default());
    fake.connection.request("session/prompt", &json!({})).unwrap();
    fake.heard().await;
    let ids = ["1", "\"1\"", "0", "\"a-b\"", "9007199254740993", "null", "-4", "1.5"];
    for id in ids {
        fake.say_line(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"session/request_permission"}}"#)).await;
    }
    for id in ids {
        let Body::Request { id: asked, .. } = fake.next().await.body else { panic!("no question {id}") };
        assert_eq!(asked.as_json(), id);
        fake.connection.respond(&asked, &json!({"outcome": id})).unwrap();
        let again = fake.connection.respond_error(&asked, -1, "no", None);
        assert!(matches!(again, Err(SendError::NotAsked(_))));
        let mut line = String::new();
        fake.hears.read_line(&mut line).await.unwrap();
        assert!(line.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#)), "{line}");
    }
    fake.say_line(r#"{"id":1,"result":{}}"#).await;
    assert_eq!(fake.told().await, "result 1 session/prompt {}");
}

#[tokio::test]
async fn a_dropped_responder_answers() {
    let mut fake = Fake::new(Config::default());
    for line in [r#"{"id":"u1","method":"foo/bar"}"#, r#"{"id":"u2","method":"foo/bar"}"#] {
        fake.say_line(line).await;
        let Body::Request { id, .. } = fake.next().await.body else { panic!("no request") };
        let responder = fake.connection.responder(id);
        if line.contains("u2") {
            responder.respond_error(crate::METHOD_NOT_FOUND, "unknown", None).unwrap();
        }
    }
    let answer = fake.heard().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("u1"), &json!(-32603)));
    let error = json!({"code": -32601, "message": "unknown"});
    assert_eq!(fake.heard().await, json!({"jsonrpc": "2.0", "id": "u2", "error": error}));
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_to_a_given_up_request_is_ignored() {
    let mut fake = Fake::new(Config::default());
    fake.connection.request("session/prompt", &json!({})).unwrap();
    fake.connection.request("session/set_model", &json!({})).unwrap();
    fake.connection.request_within("initialize", &json!({}), Some(Duration::from_secs(1))).unwrap();
    assert_eq!(fake.told().await, "error 3 initialize: no answer to initialize within 1 s");
    let Body::Response { outcome: Err(error), .. } = fake.next().await.body else { panic!("no timeout") };
    assert_eq!(error.origin, ErrorOrigin::Timeout);
    fake.say_line(r#"{"id":2,"result":{}}"#).await;
    assert!(fake.told().await.starts_with("StrayResponse"));
    tokio::time::sleep(Duration::from_secs(100_000)).await;
    fake.say_line(r#"{"id":1,"result":{}}"#).await;
    assert_eq!(fake.told().await, "result 1 session/prompt {}");
}

#[tokio::test]
async fn what_cannot_be_read_fails_its_request() {
    let mut fake = Fake::new(Config { max_line: 10_000, ..Config::default() });
    fake.connection.request("session/new", &json!({})).unwrap();
    fake.connection.request("session/load", &json!({})).unwrap();
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"text":"{}"}}}}"#, "a".repeat(20_000));
    fake.say_line(&long).await;
    fake.say_line(format!(r#"{{"id":2,"result":{}{}}}"#, "[".repeat(1000), "]".repeat(1000))).await;
    fake.say_line(format!(r#"{{"method":"m","params":{}{}}}"#, "[".repeat(1000), "]".repeat(1000))).await;
    fake.say_line(update("next")).await;
    assert_eq!(fake.told().await, format!("oversize {}", long.len()));
    let error = format!("error 1 session/new: the answer is too long to read ({} bytes)", long.len());
    assert_eq!(fake.told().await, error);
    assert_eq!(fake.told().await, "error 2 session/load: the answer is nested too deep to read");
    assert!(matches!(fake.next().await.body, Body::Noise { kind: Noise::TooDeep, .. }));
    assert_eq!(fake.told().await, r#"notification session/update {"text":"next"}"#);
}

#[tokio::test]
async fn a_lone_surrogate_loses_one_letter() {
    let mut fake = Fake::new(Config::default());
    fake.say_line(r#"{"method":"m","params":"a\ud800b"}"#).await;
    let Body::Notification { params, .. } = fake.next().await.body else { panic!("no notification") };
    assert_eq!(serde_json::from_str::<String>(params.get()).unwrap(), "a\u{fffd}b");
}

#[tokio::test]
async fn the_end_fails_what_is_open_and_is_the_last_frame() {
    let (exit, watch) = ExitWatch::channel();
    let mut fake = Fake::new(Config { exited: Some(watch), ..Config::default() });
    fake.connection.request("session/prompt", &json!({})).unwrap();
    fake.say_line(update("working")).await;
    fake.stderr.write_all(b"fatal: no credits left\n").await.unwrap();
    fake.stderr.shutdown().await.unwrap();
    exit.send_replace(Some(Exit { code: Some(143), signal: None }));
    // Its output is still held open by something: the end is told all the same.
    assert_eq!(fake.told().await, r#"notification session/update {"text":"working"}"#);
    assert_eq!(fake.told().await, "error 1 session/prompt: the agent ended: exit status 143");
    assert_eq!(fake.connection.stderr_tail(1000), "fatal: no credits left");
    assert_eq!(fake.told().await, "closed: the agent ended: exit status 143");
    assert!(fake.incoming.next().await.is_none());
}

#[tokio::test]
async fn a_consumer_that_waits_makes_the_agent_wait() {
    let mut fake = Fake::new(Config { queue: 4, ..Config::default() });
    let mut said = 0;
    let line = update(&"x".repeat(10_000));
    // The pipe holds six of them, the queue four, the reader's hand and buffer a few.
    while tokio::time::timeout(Duration::from_millis(300), fake.say_line(&line)).await.is_ok() {
        said += 1;
        assert!(said < 40, "nothing holds the agent back");
    }
    for _ in 0..said {
        assert!(matches!(fake.next().await.body, Body::Notification { .. }));
    }
}

#[tokio::test]
async fn waiting_lines_are_bounded_in_bytes() {
    let mut fake = Fake::new(Config { queue_bytes: 25_000, ..Config::default() });
    let line = update(&"x".repeat(10_000));
    let mut said = 0;
    while tokio::time::timeout(Duration::from_millis(300), fake.say_line(&line)).await.is_ok() {
        said += 1;
        assert!(said < 40, "nothing holds the agent back");
    }
    fake.next().await;
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_does_not_read_is_a_state() {
    let mut fake = Fake::new(Config { outgoing: 8, ..Config::default() });
    let big = "x".repeat(100_000);
    let mut state = fake.connection.writer();
    fake.connection.notify("m", &big).unwrap();
    state.wait_for(|state| *state == WriterState::Stuck).await.unwrap();
    assert!(!fake.connection.is_writable());
    let refused = (0..20).find_map(|_| fake.connection.notify("m", &big).err());
    assert!(matches!(refused, Some(SendError::QueueFull)), "{refused:?}");
    fake.say_line(update("still heard")).await;
    assert_eq!(fake.told().await, r#"notification session/update {"text":"still heard"}"#);
    assert_eq!(fake.heard().await["params"], big);
    state.wait_for(|state| *state == WriterState::Open).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn closing_sends_what_is_queued_and_gives_up_on_the_deaf() {
    let mut fake = Fake::new(Config::default());
    fake.connection.notify("session/cancel", &json!({})).unwrap();
    fake.connection.finish().await;
    assert_eq!(fake.heard().await["method"], "session/cancel");
    assert!(matches!(fake.connection.notify("m", &json!({})), Err(SendError::Closed)));

    let deaf = Fake::new(Config::default());
    deaf.connection.notify("m", &"x".repeat(1_000_000)).unwrap();
    let mut state = deaf.connection.writer();
    drop(deaf.connection);
    state.wait_for(|state| *state == WriterState::Closed).await.unwrap();
}

struct Log(mpsc::Sender<(Dir, String)>);

impl FrameSink for Log {
    fn frame(&mut self, dir: Dir, at: SystemTime, raw: &[u8]) {
        assert!(at.elapsed().unwrap() < Duration::from_secs(10));
        self.0.send((dir, String::from_utf8_lossy(raw).into_owned())).unwrap();
    }
}

#[tokio::test]
async fn every_line_is_logged_but_for_what_a_form_holds() {
    let (log, logged) = mpsc::channel();
    let mut fake = Fake::new(Config { frames: Some(Box::new(Log(log))), ..Config::default() });
    fake.say_line("banner").await;
    for (id, method) in [(5, "elicitation/create"), (6, "session/request_permission")] {
        fake.say_line(format!(r#"{{"id":{id},"method":"{method}"}}"#)).await;
    }
    fake.next().await;
    for secret in ["hunter2", "allow"] {
        let Body::Request { id, .. } = fake.next().await.body else { panic!("no request") };
        fake.connection.respond(&id, &json!({"content": secret})).unwrap();
        assert_eq!(fake.heard().await["result"]["content"], secret);
    }
    let lines: Vec<_> = logged.try_iter().collect();
    let expected = [
        (Dir::FromAgent, "banner"),
        (Dir::FromAgent, r#"{"id":5,"method":"elicitation/create"}"#),
        (Dir::FromAgent, r#"{"id":6,"method":"session/request_permission"}"#),
        (Dir::ToAgent, r#"{"jsonrpc":"2.0","id":5,"elided":"elicitation"}"#),
        (Dir::ToAgent, r#"{"jsonrpc":"2.0","id":6,"result":{"content":"allow"}}"#),
    ];
    assert_eq!(lines, expected.map(|(dir, line)| (dir, line.to_owned())));
}

#[tokio::test]
async fn ten_megabytes_of_stderr_hold_nothing_up() {
    let mut fake = Fake::new(Config { stderr_ring: 64 * 1024, ..Config::default() });
    for _ in 0..1000 {
        fake.stderr.write_all(&[b'e'; 10_000]).await.unwrap();
    }
    fake.stderr.write_all(b"\ntoken=abcdef last\n").await.unwrap();
    fake.connection.request("initialize", &json!({})).unwrap();
    fake.say_line(r#"{"id":1,"result":{"protocolVersion":1}}"#).await;
    assert_eq!(fake.told().await, r#"result 1 initialize {"protocolVersion":1}"#);
    fake.stderr.shutdown().await.unwrap();
    fake.hang_up().await;
    let Body::Closed { reason: CloseReason::StdoutClosed } = fake.next().await.body else { panic!("no end") };
    assert_eq!(fake.connection.stderr_tail(30), "token=[redacted] last");
    assert!(fake.connection.stderr_tail(usize::MAX).len() <= 64 * 1024);
}

#[test]
fn a_line_is_one_line_whatever_it_embeds() {
    let raw = RawValue::from_string("{\n\"a\":\r\n\"b\\nc\"}".to_owned()).unwrap();
    assert_eq!(line_of(&raw).unwrap(), b"{ \"a\":  \"b\\nc\"}\n");
}

#[tokio::test]
async fn a_slow_consumer_loses_nothing_at_the_end() {
    let (exit, watch) = ExitWatch::channel();
    let config = Config { queue: 1, drain: Duration::from_millis(50), exited: Some(watch), ..Config::default() };
    let mut fake = Fake::new(config);
    for number in 0..100 {
        fake.say_line(update(&number.to_string())).await;
    }
    exit.send_replace(Some(Exit { code: Some(0), signal: None }));
    for number in 0..100 {
        if number % 10 == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let told = fake.told().await;
        assert_eq!(told, format!(r#"notification session/update {{"text":"{number}"}}"#));
    }
    assert_eq!(fake.told().await, "closed: the agent ended: exit status 0");
}

/// Whatever comes between them, and however the stream is cut.
#[tokio::test]
async fn frames_of_real_agents_arrive_whole_and_in_order() {
    let golden = [
        include_str!("../../tests/golden/claude.ndjson"),
        include_str!("../../tests/golden/codex.ndjson"),
        include_str!("../../tests/golden/copilot.ndjson"),
        include_str!("../../tests/golden/gemini.ndjson"),
        include_str!("../../tests/golden/opencode.ndjson"),
        include_str!("../../tests/golden/pi.ndjson"),
        include_str!("../../tests/golden/qwen.ndjson"),
    ]
    .concat();
    let is_response = |line: &&str| serde_json::from_str::<Value>(line).unwrap().get("method").is_none();
    let (responses, messages): (Vec<&str>, Vec<&str>) = golden.lines().partition(is_response);
    assert!(responses.len() > 10 && messages.len() > 50);
    let mut fake = Fake::new(Config::default());
    for (number, line) in messages.iter().enumerate() {
        let noisy = format!("\x1b[{number}mlog line {number}\n\u{feff}{line}\r\n");
        let (first, second) = noisy.as_bytes().split_at(number * 7 % noisy.len());
        fake.say(first).await;
        fake.say(second).await;
        let noise = fake.next().await;
        assert!(matches!(noise.body, Body::Noise { kind: Noise::NotJson, .. }), "{noise:?}");
        let frame = fake.next().await;
        assert_eq!(frame.raw.get(), *line);
        assert!(matches!(frame.body, Body::Notification { .. } | Body::Request { .. }), "{frame:?}");
    }
}
