use std::time::Duration;

use axum::body::BodyDataStream;
use drover_domain::{BrowserId, Part};
use drover_store::{Fact, Record};
use futures_util::{Stream, StreamExt};
use serde_json::json;

use super::*;
use crate::events::{Filter, Pace, Start, stream};

/// Reads events as a client does.
struct Follower<S> {
    pieces: S,
    text: String,
}

/// Id, kind, data; a comment has the kind `:`.
type Told = (Option<i64>, String, Value);

impl Follower<BodyDataStream> {
    async fn open(daemon: &Daemon, query: &str, headers: &[(&str, &str)]) -> Self {
        let bearer = format!("Bearer {}", daemon.token);
        let mut all = vec![("authorization", bearer.as_str()), ("accept-encoding", "gzip, br, zstd")];
        all.extend(headers);
        let response = daemon.send(request("GET", &format!("/api/v1/events{query}"), &all, "")).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert!(response.headers()["cache-control"].to_str().unwrap().contains("no-cache"));
        assert!(!response.headers().contains_key("content-encoding"));
        Self { pieces: response.into_body().into_data_stream(), text: String::new() }
    }
}

impl<S: Stream<Item = Result<axum::body::Bytes, E>> + Unpin, E: std::fmt::Debug> Follower<S> {
    /// The next event; `None` at the end.
    async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let told = parse(event);
                self.text = rest.to_owned();
                return Some(told);
            }
            let piece = tokio::time::timeout(Duration::from_secs(10), self.pieces.next()).await;
            let piece = piece.expect("nothing came in 10 s")?.unwrap();
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// All up to and with the first of a kind.
    async fn until(&mut self, kind: &str) -> Vec<Told> {
        let mut all = Vec::new();
        loop {
            let told = self.next().await.unwrap();
            let found = told.1 == kind;
            all.push(told);
            if found {
                return all;
            }
        }
    }
}

fn parse(event: &str) -> Told {
    let (mut id, mut kind, mut data) = (None, ":".to_owned(), Value::Null);
    for line in event.lines() {
        match line.split_once(": ") {
            Some(("id", value)) => id = Some(value.parse().unwrap()),
            Some(("event", value)) => kind = value.to_owned(),
            Some(("data", value)) => data = serde_json::from_str(value).unwrap(),
            _ => assert_eq!(line, ":"),
        }
    }
    (id, kind, data)
}

#[tokio::test]
async fn a_stream_begins_with_hello_and_goes_on_from_now() {
    let daemon = Daemon::start().await;
    daemon.task().await;
    let mut events = Follower::open(&daemon, "", &[]).await;
    let (id, kind, hello) = events.next().await.unwrap();
    assert_eq!((id, kind.as_str()), (None, "hello"));
    assert_eq!(hello["seq"], daemon.get("/status").await.json()["seq"]);
    assert_eq!(hello["instance_id"], daemon.app.store.instance_id());
    let task = daemon.task().await;
    let (id, kind, data) = events.next().await.unwrap();
    assert_eq!((id, kind.as_str()), (Some(hello["seq"].as_i64().unwrap() + 1), "task.upsert"));
    assert_eq!(data["id"], task);
}

#[tokio::test]
async fn a_cursor_is_followed_exactly_and_one_that_is_none_gets_a_reset() {
    let daemon = Daemon::start().await;
    let before = daemon.app.store.head();
    let mut tasks = Vec::new();
    for _ in 0..3 {
        tasks.push(daemon.task().await);
    }
    let mut events = Follower::open(&daemon, &format!("?after={before}"), &[]).await;
    events.next().await.unwrap();
    for (n, task) in (1..).zip(&tasks) {
        let (id, _, data) = events.next().await.unwrap();
        assert_eq!((id, data["id"].as_str()), (Some(before + n), Some(task.as_str())));
    }
    let later = (before + 2).to_string();
    let mut events = Follower::open(&daemon, "?after=1", &[("last-event-id", &later)]).await;
    events.next().await.unwrap();
    assert_eq!(events.next().await.unwrap().0, Some(before + 3));
    for query in ["?after=abc", "?after=1", "?after=999999999999", "?after=-1"] {
        let mut events = Follower::open(&daemon, query, &[]).await;
        events.next().await.unwrap();
        let head = daemon.app.store.head();
        assert_eq!(events.next().await.unwrap(), (Some(head), "reset".into(), json!({ "seq": head })), "{query}");
        let task = daemon.task().await;
        assert_eq!(events.next().await.unwrap().2["id"], task, "{query}");
    }
}

#[tokio::test]
async fn content_is_narrowed_and_what_is_added_comes_from_the_answer_on() {
    let daemon = Daemon::start().await;
    let (one, two) = (daemon.task().await, daemon.task().await);
    let mut events = Follower::open(&daemon, &format!("?task={one}"), &[]).await;
    let hello = events.next().await.unwrap().2;
    let say = |task: String, nonce: &'static str| {
        let daemon = &daemon;
        async move {
            let body = json!({"nonce": nonce, "agent": "alpha", "text": "hi"});
            assert_eq!(daemon.call("POST", &format!("/tasks/{task}/messages"), body).await.status, 202);
        }
    };
    say(two.clone(), "n1").await;
    say(one.clone(), "n1").await;
    let seen = events.until("message.upsert").await;
    assert!(seen.iter().any(|told| told.1 == "run.upsert"), "{seen:?}");
    assert_eq!(seen.last().unwrap().2["task_id"], one);

    let at = format!("/events/{}", hello["connection"].as_str().unwrap());
    let narrowed = daemon.call("PUT", &at, json!({ "tasks": [two] })).await;
    assert_eq!(narrowed.status, StatusCode::NO_CONTENT);
    let head = daemon.app.store.head();
    say(two.clone(), "n2").await;
    let seen = loop {
        let seen = events.until("message.upsert").await.pop().unwrap();
        if seen.0 > Some(head) {
            break seen;
        }
    };
    assert_eq!(seen.2["task_id"], two);
    drop(events);
    assert_eq!(daemon.call("PUT", &at, json!({ "tasks": null })).await.problem(), (410, "connection-gone".into()));
}

#[tokio::test]
async fn a_stream_ends_with_its_browser_s_pairing_and_with_the_daemon() {
    let daemon = Daemon::start().await;
    let browser: BrowserId = NO_ID.parse().unwrap();
    let connection = daemon.app.connections.open("a".into(), Filter::of(None), Some(browser));
    let store = daemon.app.store.clone();
    let pieces = stream(store, connection, Start::Now, daemon.app.stop.clone(), crate::events::PACE);
    let mut events = Follower { pieces: Box::pin(pieces), text: String::new() };
    events.next().await.unwrap();
    daemon.app.connections.end_of(browser);
    assert_eq!(events.next().await, None);

    let mut events = Follower::open(&daemon, "", &[]).await;
    events.next().await.unwrap();
    daemon.app.stop.cancel();
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn a_quiet_reader_gets_comments_and_one_that_is_passed_over_a_mark() {
    let daemon = Daemon::start().await;
    let task = daemon.task().await;
    let connection = daemon.app.connections.open("a".into(), Filter::of(Some(vec![])), None);
    let pace = Pace { comment: Duration::from_millis(20), mark: Duration::from_millis(50) };
    let pieces = stream(daemon.app.store.clone(), connection, Start::Now, daemon.app.stop.clone(), pace);
    let mut events = Follower { pieces: Box::pin(pieces), text: String::new() };
    let hello = events.next().await.unwrap().2;
    assert_eq!(events.next().await.unwrap(), (None, ":".into(), Value::Null));
    let body = json!({"nonce": "n", "agent": "alpha", "text": "hi"});
    let sent = daemon.call("POST", &format!("/tasks/{task}/messages"), body).await.json();
    let (mut seen, mut told) = (Vec::new(), 0);
    let mark = loop {
        let event = events.next().await.unwrap();
        match event.1.as_str() {
            "mark" => break event,
            // Nothing that this reader gets has come for a while: now something that it does not get.
            ":" => {
                assert!(told < 100, "no mark after {told} events that were passed over");
                tell_content(&daemon, &task, &sent, told).await;
                told += 1;
            }
            kind => seen.push(kind.to_owned()),
        }
    };
    assert!(mark.0 > hello["seq"].as_i64() && mark.2 == json!({}), "{mark:?}");
    assert!(!seen.iter().any(|kind| kind.starts_with("message.") || kind.starts_with("part.")), "{seen:?}");
}

/// One more part of the answer.
async fn tell_content(daemon: &Daemon, task: &str, sent: &Value, n: i64) {
    let fact = Fact::PartOpened {
        message_id: sent["user_message_id"].as_str().unwrap().parse().unwrap(),
        index: n + 1,
        part: Part::Text { text: "more".into() },
        grows: false,
    };
    let record =
        Record { task_id: task.parse().unwrap(), now: daemon.app.now(), under: None, facts: vec![fact], reply: None };
    daemon.app.store.record_and_wait(record).await.unwrap();
}
