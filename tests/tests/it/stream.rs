//! The event stream: cursors, narrowing, slow and picky readers.

use std::time::Duration;

use drover_tests::harness::{Drover, Event, Follow, LONG, PATIENCE, process, raw, rebuilt, until};
use serde_json::json;
use tokio::io::AsyncReadExt;

fn content_of<'a>(events: &'a [Event], task: &str) -> Vec<&'a str> {
    let of_task = |event: &&Event| {
        event.data["task_id"] == task
            && ["message.", "part.", "chat."].iter().any(|family| event.kind.starts_with(family))
    };
    events.iter().filter(of_task).map(|event| event.kind.as_str()).collect()
}

#[tokio::test]
async fn a_late_reader_a_reconnected_one_and_one_after_a_restart_see_what_the_live_one_saw() {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    let start = drover.seq().await;
    let live = drover.follow(start).await;
    let sent = drover.send(&task, "!say 200 1\n!tool a\n!tool b\n!text end").await;
    let end = live.until_done(&sent.assistant_message_id).await.seq.expect("a number");
    let full = live.up_to(end).await;
    assert_eq!(drover.follow(start).await.up_to(end).await, full);
    for from in [&full[0], &full[full.len() / 2]] {
        let from = from.seq.expect("a number");
        let tail: Vec<Event> = full.iter().filter(|event| event.seq > Some(from)).cloned().collect();
        let header = Follow { last_event_id: Some(from.to_string()), ..Follow::default() };
        assert_eq!(drover.follow_with(header.clone()).await.up_to(end).await, tail);
        let both = Follow { after: Some(start), ..header };
        assert_eq!(drover.follow_with(both).await.up_to(end).await, tail, "the header wins over the address");
    }
    drover.stop().await;
    drover.restart().await;
    assert_eq!(drover.follow(start).await.up_to(end).await, full, "after a clean stop");
    drover.kill_nine().await;
    drover.restart().await;
    assert_eq!(drover.follow(start).await.up_to(end).await, full, "after a kill");
}

#[tokio::test]
async fn a_dropped_reader_that_comes_back_has_every_word_once() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let first = drover.follow_now().await;
    let sent = drover.send(&task, "!say 10 5\n!sleep 200\n!say 50 2\n!permit 1\n!await 1").await;
    first.until("text", |event| event.kind == "part.append" || event.kind == "part.upsert").await;
    let seen = first.events();
    drop(first);
    let request = drover.open_requests(&task, 1).await.remove(0);
    let second = drover.follow(seen.iter().filter_map(|event| event.seq).max().expect("a number")).await;
    second.until("the question", |event| event.kind == "request.upsert" && event.data["state"] == "open").await;
    drover.choose(&request, "yes").await.ok();
    second.until_done(&sent.assistant_message_id).await;
    let all: Vec<Event> = seen.into_iter().chain(second.events()).collect();
    let message = drover.message(&task, &sent.assistant_message_id).await;
    assert_eq!(json!(rebuilt(&all, &sent.assistant_message_id, &[])), message["parts"]);
}

#[tokio::test]
async fn a_cursor_that_is_not_of_this_database_gets_one_reset_and_the_stream_goes_on() {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "!text x").await;
    let newest = drover.seq().await;
    drover.kill_nine().await;
    drover.restart().await;
    let low = drover.seq().await;
    for cursor in [10_u64.pow(12), newest + 1000] {
        let stream = drover.follow(cursor).await;
        let reset = stream.until("a reset", |event| event.kind == "reset").await;
        let number = reset.data["seq"].as_u64().expect("a number");
        assert!(low <= number && number <= drover.seq().await, "{cursor}: {reset:?}");
        let fresh = drover.task().await;
        stream.until("what is new", |event| event.kind == "task.upsert" && event.data["id"] == fresh.as_str()).await;
        assert_eq!(stream.events().iter().filter(|event| event.kind == "reset").count(), 1, "{cursor}");
    }
    let exact = drover.follow(newest).await;
    let fresh = drover.task().await;
    exact.until("what is new", |event| event.kind == "task.upsert" && event.data["id"] == fresh.as_str()).await;
    assert!(
        exact.events().iter().all(|event| event.kind != "reset"),
        "the last number of before the restart is no gap"
    );
}

#[tokio::test]
async fn a_cursor_that_is_no_number_is_refused_or_reset() {
    let drover = Drover::start().await;
    let request = format!(
        "GET /api/v1/events?after=abc HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        drover.port, drover.token
    );
    let answer = raw::exchange(drover.port, &request).await;
    assert!(matches!(raw::status(&answer), 200 | 400 | 422), "{answer}");
    let stream = drover.follow_with(Follow { last_event_id: Some("abc".into()), ..Follow::default() }).await;
    stream.until("a reset", |event| event.kind == "reset").await;
}

#[tokio::test]
async fn a_narrowed_stream_carries_its_tasks_content_and_everyones_state_and_can_be_changed() {
    let drover = Drover::start().await;
    let (one, two) = (drover.task().await, drover.task().await);
    let stream = drover.follow_with(Follow { tasks: vec![one.clone()], ..Follow::default() }).await;
    let hello = stream.until("hello", |_| true).await;
    assert_eq!((hello.seq, hello.kind.as_str()), (None, "hello"));
    let members: Vec<&str> = hello.data.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, ["connection", "instance_id", "seq", "version", "build"]);
    drover.turn(&two, "!text u1").await;
    drover.turn(&one, "!text t1").await;
    stream
        .until("the end of the turn", |event| {
            event.kind == "task.upsert"
                && event.data["id"] == one.as_str()
                && event.data["state"] == "idle"
                && event.data["last_message_at"].is_string()
        })
        .await;
    assert!(!content_of(&stream.events(), &one).is_empty() && content_of(&stream.events(), &two).is_empty());
    assert!(stream.events().iter().any(|event| event.kind == "task.upsert" && event.data["id"] == two.as_str()));
    let path = format!("/events/{}", hello.data["connection"].as_str().expect("an id"));
    drover.put(&path, &json!({"tasks": [two]})).await.is(204);
    let sent = drover.send(&two, "!text u2").await;
    stream.until_done(&sent.assistant_message_id).await;
    assert!(!content_of(&stream.events(), &two).is_empty());
    drop(stream);
    until("the connection gone", PATIENCE, async || {
        (drover.put(&path, &json!({"tasks": null})).await.status == 410).then_some(())
    })
    .await;
    drover.put(&path, &json!({"tasks": null})).await.problem(410);
}

#[tokio::test]
async fn nothing_is_sent_before_it_is_stored() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let sent = drover.send(&task, "!say 400 3").await;
    let mut newest = 0;
    while newest < 20 {
        let event = stream.until("a newer event", |event| event.seq > Some(newest)).await;
        let number = event.seq.expect("a number");
        assert!(drover.seq().await >= number, "an event was sent before its commit");
        newest = number.max(newest + 1);
        if event.kind == "message.upsert" && event.data["status"] == "done" {
            break;
        }
    }
    drover.ended(&task, &sent.assistant_message_id).await;
}

#[tokio::test]
async fn text_is_sent_as_appends_and_never_again() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let sent = drover.send(&task, "!stream 1500 10 3000").await;
    stream.until_done(&sent.assistant_message_id).await;
    let message = drover.message(&task, &sent.assistant_message_id).await;
    assert_eq!(json!(stream.rebuilt(&sent.assistant_message_id)), message["parts"]);
    let appends = stream.events().iter().filter(|event| event.kind == "part.append").count();
    assert!(appends <= 3000 / 33 + 15, "{appends} appends in 3 s: text is gathered for 33 ms");
    assert!(stream.bytes() < 15_000 * 4, "{} bytes for 15,000 of text", stream.bytes());
}

#[tokio::test]
async fn a_reader_that_reads_nothing_slows_nobody_and_gets_it_all_in_the_end() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let before = process::resident(drover.pid());
    let request = format!(
        "GET /api/v1/events?after={} HTTP/1.0\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        drover.seq().await,
        drover.port,
        drover.token
    );
    let mut stalled = raw::stalled(drover.port, &request).await;
    let reader = drover.follow_now().await;
    let sent = drover.send(&task, "!stream 20000 50 4000").await;
    reader.until_done_within(&sent.assistant_message_id, LONG).await;
    let message = drover.message(&task, &sent.assistant_message_id).await;
    assert!(json!(reader.rebuilt(&sent.assistant_message_id)) == message["parts"], "the other reader has it all");
    let grown = process::resident(drover.pid()).saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes more for a reader that reads nothing");
    let mut bytes = Vec::new();
    let end = format!("\"id\":\"{}\"", sent.assistant_message_id);
    let closed = tokio::time::timeout(PATIENCE, async {
        let mut chunk = vec![0; 1 << 16];
        loop {
            let read = stalled.read(&mut chunk).await.unwrap_or(0);
            bytes.extend_from_slice(&chunk[..read]);
            let tail = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(1 << 17)..]).into_owned();
            let ended = tail
                .split("\n\n")
                .any(|event| event.contains("message.upsert") && event.contains(&end) && event.contains("\"done\""));
            if read == 0 || ended {
                return read == 0;
            }
        }
    })
    .await
    .expect("the slow reader gets its events or an end");
    let body = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("a head") + 4;
    let mut events = Event::parse_all(&bytes[body..]);
    if closed {
        let cursor = events.iter().filter_map(|event| event.seq).max().expect("numbers");
        let rest = drover.follow(cursor).await;
        rest.until_done(&sent.assistant_message_id).await;
        events.extend(rest.events());
    }
    assert!(json!(rebuilt(&events, &sent.assistant_message_id, &[])) == message["parts"], "the slow reader has it all");
}

#[tokio::test]
async fn events_come_at_once_whatever_encodings_the_reader_names_and_silence_is_kept_alive() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream =
        drover.follow_with(Follow { encoding: Some("gzip, br, zstd, deflate".into()), ..Follow::default() }).await;
    let header =
        |name: &str| stream.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    assert_eq!((header("content-type").as_str(), header("content-encoding").as_str()), ("text/event-stream", ""));
    assert!(header("cache-control").contains("no-"), "{}", header("cache-control"));
    drover.send(&task, "!say 3 700\n!hang").await;
    for word in ["w0 ", "w1 ", "w2 "] {
        let has = |event: &Event| event.data.to_string().contains(word) && event.kind.starts_with("part.");
        stream.until_within(word, Duration::from_secs(10), has).await;
    }
    stream.until_comments(1).await;
}

#[tokio::test]
async fn twelve_readers_are_served_at_once() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let mut readers = Vec::new();
    for _ in 0..12 {
        readers.push(drover.follow_now().await);
    }
    let sent = drover.send(&task, "!say 100 2").await;
    drop(readers.remove(0));
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    for reader in &readers {
        reader.until_done(&sent.assistant_message_id).await;
        assert_eq!(json!(reader.rebuilt(&sent.assistant_message_id)), message["parts"]);
    }
}
