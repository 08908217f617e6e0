//! Follows the event stream.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use http_body_util::BodyExt;
use serde_json::Value;
use tokio::{sync::watch, task::JoinHandle};

use super::{
    api::{Api, Call},
    wait::PATIENCE,
};

/// One event as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its number in the feed; `hello` and comments have none.
    pub seq: Option<u64>,
    /// Its kind.
    pub kind: String,
    /// Its data.
    pub data: Value,
}

impl Event {
    /// The events of a body that was read by other means.
    pub fn parse_all(body: &[u8]) -> Vec<Self> {
        let mut seen = Seen::default();
        Parser::default().feed(body, &mut seen);
        seen.events
    }
}

/// Where to begin and what to see.
#[derive(Clone, Debug, Default)]
pub struct Follow {
    /// The cursor in the address.
    pub after: Option<u64>,
    /// The cursor in the header.
    pub last_event_id: Option<String>,
    /// The tasks whose content is wanted; none is all.
    pub tasks: Vec<String>,
    /// The encodings that are said to be understood.
    pub encoding: Option<String>,
}

#[derive(Default)]
struct Seen {
    events: Vec<Event>,
    comments: usize,
    bytes: u64,
    closed: bool,
}

/// A follower of the stream; dropping it hangs up.
pub struct Stream {
    seen: Arc<Mutex<Seen>>,
    news: watch::Receiver<()>,
    reader: JoinHandle<()>,
    /// The response's headers.
    pub headers: hyper::HeaderMap,
}

impl Api {
    /// Follows all events after this number.
    pub async fn follow(&self, after: u64) -> Stream {
        self.follow_with(Follow { after: Some(after), ..Follow::default() }).await
    }

    /// Follows from now on.
    pub async fn follow_now(&self) -> Stream {
        self.follow(self.seq().await).await
    }

    /// Follows as asked.
    ///
    /// # Panics
    ///
    /// When the stream is refused.
    pub async fn follow_with(&self, follow: Follow) -> Stream {
        let mut query: Vec<String> = follow.tasks.iter().map(|task| format!("task={task}")).collect();
        query.extend(follow.after.map(|after| format!("after={after}")));
        let mut call = Call::new("GET", &format!("/events?{}", query.join("&"))).header("accept", "text/event-stream");
        if let Some(id) = follow.last_event_id {
            call = call.header("last-event-id", id);
        }
        if let Some(encoding) = follow.encoding {
            call = call.header("accept-encoding", encoding);
        }
        let response = self.open(call).await.expect("the stream opens");
        assert_eq!(response.status(), 200, "GET /events");
        let (head, mut body) = response.into_parts();
        let (ring, news) = watch::channel(());
        let seen = Arc::new(Mutex::new(Seen::default()));
        let sink = Arc::clone(&seen);
        let reader = tokio::spawn(async move {
            let mut parser = Parser::default();
            while let Some(Ok(frame)) = body.frame().await {
                if let Some(data) = frame.data_ref() {
                    let mut seen = sink.lock().unwrap_or_else(PoisonError::into_inner);
                    seen.bytes += data.len() as u64;
                    parser.feed(data, &mut seen);
                }
                ring.send_replace(());
            }
            sink.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
            ring.send_replace(());
        });
        Stream { seen, news, reader, headers: head.headers }
    }

    /// The feed's newest number.
    pub async fn seq(&self) -> u64 {
        self.get("/status").await.is(200)["seq"].as_u64().expect("a number")
    }
}

impl Stream {
    fn with<T>(&self, look: impl FnOnce(&Seen) -> T) -> T {
        look(&self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// All events so far, marks left out.
    pub fn events(&self) -> Vec<Event> {
        self.with(|seen| seen.events.clone())
    }

    /// How many comments came.
    pub fn comments(&self) -> usize {
        self.with(|seen| seen.comments)
    }

    /// How many bytes of body came.
    pub fn bytes(&self) -> u64 {
        self.with(|seen| seen.bytes)
    }

    /// Waits until what was seen satisfies the look.
    ///
    /// # Panics
    ///
    /// After `within`, naming what was waited for and the kinds that came last.
    async fn wait<T>(&self, what: &str, within: Duration, mut look: impl FnMut(&Seen) -> Option<T>) -> T {
        let mut news = self.news.clone();
        let found = tokio::time::timeout(within, async {
            loop {
                news.mark_unchanged();
                if let Some(found) = self.with(&mut look) {
                    return found;
                }
                if news.changed().await.is_err() && self.with(&mut look).is_none() {
                    std::future::pending::<()>().await;
                }
            }
        });
        match found.await {
            Ok(found) => found,
            Err(_) => {
                let events = self.events();
                let last: Vec<_> = events.iter().rev().take(12).map(|event| event.kind.as_str()).collect();
                panic!("{what}: not within {within:?}; the last of {} events, newest first: {last:?}", events.len())
            }
        }
    }

    /// Waits for the first event that satisfies the test, among those that came before too.
    pub async fn until(&self, what: &str, mut test: impl FnMut(&Event) -> bool) -> Event {
        self.until_within(what, PATIENCE, &mut test).await
    }

    /// The same with another deadline.
    pub async fn until_within(&self, what: &str, within: Duration, mut test: impl FnMut(&Event) -> bool) -> Event {
        let mut looked = 0;
        self.wait(what, within, |seen| {
            let found = seen.events[looked..].iter().find(|event| test(event)).cloned();
            looked = seen.events.len();
            found
        })
        .await
    }

    /// Waits until this message has ended; gives the event.
    pub async fn until_done(&self, message: &str) -> Event {
        self.until_done_within(message, PATIENCE).await
    }

    /// The same with another deadline.
    pub async fn until_done_within(&self, message: &str, within: Duration) -> Event {
        let ended = |event: &Event| {
            event.kind == "message.upsert"
                && event.data["id"] == message
                && matches!(event.data["status"].as_str(), Some("done" | "error" | "cancelled" | "interrupted"))
        };
        self.until_within("the end of the message", within, ended).await
    }

    /// Waits for an event with this number or a greater one; gives all numbered events up to it.
    pub async fn up_to(&self, seq: u64) -> Vec<Event> {
        self.until(&format!("event {seq}"), |event| event.seq.is_some_and(|number| number >= seq)).await;
        self.events().into_iter().filter(|event| event.seq.is_some_and(|number| number <= seq)).collect()
    }

    /// Waits until so many comments came.
    pub async fn until_comments(&self, count: usize) {
        self.wait("a comment", PATIENCE, |seen| (seen.comments >= count).then_some(())).await;
    }

    /// Waits until the daemon has closed the stream.
    pub async fn until_closed(&self) {
        self.wait("the end of the stream", PATIENCE, |seen| seen.closed.then_some(())).await;
    }

    /// The parts of a message by these events alone; see [`rebuilt`].
    pub fn rebuilt(&self, message: &str) -> Vec<Value> {
        rebuilt(&self.events(), message, &[])
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// The parts of a message: a snapshot's, with events applied that came after it.
///
/// # Panics
///
/// When an append does not begin where the text ends, in UTF-16 units.
pub fn rebuilt(events: &[Event], message: &str, parts: &[Value]) -> Vec<Value> {
    let mut built: BTreeMap<u64, (Value, usize)> = BTreeMap::new();
    let units = |part: &Value| part["text"].as_str().map_or(0, |text| text.encode_utf16().count());
    for (index, part) in parts.iter().enumerate() {
        built.insert(index as u64, (part.clone(), units(part)));
    }
    for Event { kind, data, .. } in events.iter().filter(|event| event.data["message_id"] == message) {
        let index = data["index"].as_u64().unwrap_or_default();
        match kind.as_str() {
            "part.upsert" => drop(built.insert(index, (data["part"].clone(), units(&data["part"])))),
            "part.append" => {
                let (part, length) = built.get_mut(&index).expect("an append to a part that exists");
                assert_eq!(data["at"], *length, "an append to part {index} that does not begin at its end");
                let Value::String(text) = &mut part["text"] else { panic!("an append to a part without text") };
                let more = data["text"].as_str().expect("an append has text");
                text.push_str(more);
                *length += more.encode_utf16().count();
            }
            _ => {}
        }
    }
    built.into_values().map(|(part, _)| part).collect()
}

/// Server-sent events, in pieces of any size.
#[derive(Default)]
struct Parser {
    line: Vec<u8>,
    id: Option<u64>,
    kind: String,
    data: Option<String>,
}

impl Parser {
    fn feed(&mut self, bytes: &[u8], seen: &mut Seen) {
        let mut lines = bytes.split(|byte| *byte == b'\n');
        if let Some(first) = lines.next() {
            self.line.extend_from_slice(first);
        }
        for next in lines {
            let line = std::mem::replace(&mut self.line, next.to_vec());
            self.take(String::from_utf8_lossy(&line).trim_end_matches('\r'), seen);
        }
    }

    fn take(&mut self, line: &str, seen: &mut Seen) {
        if line.is_empty() {
            let (id, kind) = (self.id.take(), std::mem::take(&mut self.kind));
            if let Some(data) = self.data.take()
                && kind != "mark"
            {
                let data = serde_json::from_str(&data).expect("event data is JSON");
                seen.events.push(Event { seq: id, kind, data });
            }
        } else if line.starts_with(':') {
            seen.comments += 1;
        } else {
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "id" => self.id = value.parse().ok(),
                "event" => value.clone_into(&mut self.kind),
                "data" => match &mut self.data {
                    Some(data) => *data = format!("{data}\n{value}"),
                    None => self.data = Some(value.to_owned()),
                },
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Event, Parser, Seen, rebuilt};

    #[test]
    fn events_are_the_same_in_pieces_of_any_size() {
        let text = ": hi\nid: 7\nevent: part.append\ndata: {\"text\":\"é\"}\n\nid:8\nevent:mark\ndata:{}\n\n";
        let want = vec![Event { seq: Some(7), kind: "part.append".into(), data: json!({"text": "é"}) }];
        for size in 1..text.len() {
            let (mut parser, mut seen) = (Parser::default(), Seen::default());
            for piece in text.as_bytes().chunks(size) {
                parser.feed(piece, &mut seen);
            }
            assert_eq!((&seen.events, seen.comments), (&want, 1), "pieces of {size}");
        }
    }

    #[test]
    #[should_panic(expected = "does not begin at its end")]
    fn a_gap_in_the_text_is_noticed() {
        let append = |at, text| Event {
            seq: None,
            kind: "part.append".into(),
            data: json!({"message_id": "m", "index": 0, "at": at, "text": text}),
        };
        let parts = [json!({"type": "text", "text": "👍"})];
        assert_eq!(rebuilt(&[append(2, "x")], "m", &parts), [json!({"type": "text", "text": "👍x"})]);
        rebuilt(&[append(1, "x")], "m", &parts);
    }
}
