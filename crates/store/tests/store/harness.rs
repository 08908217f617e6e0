//! A store in a temporary directory, with a clock and ids of its own, and a client that knows only snapshots and events.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use drover_domain::message::ToolCall;
use drover_domain::{
    AgentId, Event, Message, MessageHead, MessageId, Part, Request, RequestId, RequestKind, RequestState, RunId,
    TaskId, Timestamp,
};
use drover_store::{
    CreateTask, End, Fact, OpenError, OpenOptions, Record, Refused, Reply, SendMessage, Sent, Started, Store,
    StoreError,
};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tempfile::TempDir;
use ulid::Ulid;

pub(crate) type Under = Option<(RunId, i64)>;

pub(crate) fn agent(name: &str) -> AgentId {
    name.parse().unwrap()
}

/// 2026-01-01, in milliseconds since 1970.
pub(crate) const NEW_YEAR: i64 = 1_767_225_600_000;

pub(crate) struct Bed {
    dir: Place,
    pub(crate) store: Store,
    now: Cell<i64>,
    ids: Cell<u128>,
}

/// A directory of ours, or one that somebody else keeps.
enum Place {
    Own(TempDir),
    Lent(PathBuf),
}

pub(crate) fn options(dir: &Path, now: i64) -> OpenOptions {
    OpenOptions {
        data_dir: dir.to_owned(),
        fresh_instance_id: Ulid::from(7_u128).to_string(),
        now: Timestamp::from_millis(now),
        feed_days: 7,
        feed_entries: 200_000,
        feed_bytes: 500_000_000,
    }
}

/// A plain connection to a store's file, as another program has it.
pub(crate) async fn connect(dir: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(dir.join("drover.db")).connect().await.unwrap()
}

pub(crate) fn wal(dir: &Path) -> PathBuf {
    dir.join("drover.db-wal")
}

/// Name, bytes and mode of every file in a directory.
pub(crate) fn files(dir: &Path) -> BTreeMap<String, (Vec<u8>, u32)> {
    use std::os::unix::fs::PermissionsExt;

    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap).filter(|entry| entry.file_type().unwrap().is_file());
    let file = |entry: fs::DirEntry| {
        let mode = entry.metadata().unwrap().permissions().mode();
        (entry.file_name().into_string().unwrap(), (fs::read(entry.path()).unwrap(), mode))
    };
    entries.map(file).collect()
}

impl Bed {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub(crate) async fn with(adjust: impl FnOnce(&mut OpenOptions)) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut options = options(dir.path(), NEW_YEAR);
        adjust(&mut options);
        let store = Store::open(options).await.unwrap();
        Self { dir: Place::Own(dir), store, now: Cell::new(NEW_YEAR), ids: Cell::new(1 << 80) }
    }

    /// In a directory that outlives it.
    pub(crate) async fn at(dir: &Path, now: i64) -> Self {
        let store = Store::open(options(dir, now)).await.unwrap();
        Self { dir: Place::Lent(dir.to_owned()), store, now: Cell::new(now), ids: Cell::new(1 << 80) }
    }

    pub(crate) fn dir(&self) -> &Path {
        match &self.dir {
            Place::Own(dir) => dir.path(),
            Place::Lent(dir) => dir,
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.now.set(self.now.get() + 1);
        Timestamp::from_millis(self.now.get())
    }

    pub(crate) fn pass_days(&self, days: i64) {
        self.now.set(self.now.get() + days * 86_400_000);
    }

    fn fresh(&self) -> Ulid {
        self.ids.set(self.ids.get() + 1);
        Ulid::from(self.ids.get())
    }

    pub(crate) fn message_id(&self) -> MessageId {
        MessageId::from_ulid(self.fresh())
    }

    /// What a killed process leaves, opened and recovered: its files as they are at this moment, in another directory.
    pub(crate) async fn killed(&self) -> Self {
        let killed = self.left_by_a_kill();
        let store = Store::open(options(killed.path(), self.now.get())).await.unwrap();
        store.recover(self.now()).await.unwrap();
        Self { dir: Place::Own(killed), store, now: self.now.clone(), ids: self.ids.clone() }
    }

    pub(crate) fn left_by_a_kill(&self) -> TempDir {
        let left = tempfile::tempdir().unwrap();
        for (name, (bytes, _)) in files(self.dir()) {
            if !name.ends_with("-shm") {
                fs::write(left.path().join(name), bytes).unwrap();
            }
        }
        left
    }

    /// Stopped cleanly and started again.
    pub(crate) async fn restarted(self) -> Result<Self, OpenError> {
        self.store.close().await.unwrap();
        let Self { dir, store, now, ids } = self;
        drop(store);
        let path = match &dir {
            Place::Own(dir) => dir.path(),
            Place::Lent(dir) => dir,
        };
        let store = Store::open(options(path, now.get())).await?;
        store.recover(Timestamp::from_millis(now.get())).await?;
        Ok(Self { dir, store, now, ids })
    }

    pub(crate) async fn task(&self) -> TaskId {
        let new = CreateTask {
            id: TaskId::from_ulid(self.fresh()),
            project_id: None,
            title: None,
            tasks_dir: PathBuf::from("/data/tasks"),
            now: self.now(),
        };
        self.store.create_task(new).await.unwrap().id
    }

    pub(crate) fn message(&self, task_id: TaskId, nonce: &str, text: &str) -> SendMessage {
        SendMessage {
            task_id,
            nonce: nonce.to_owned(),
            agent: agent("alpha"),
            text: text.to_owned(),
            attachments: Vec::new(),
            mentions: Vec::new(),
            options: Vec::new(),
            user_message_id: self.message_id(),
            assistant_message_id: self.message_id(),
            run_id: RunId::from_ulid(self.fresh()),
            now: self.now(),
        }
    }

    pub(crate) async fn send(&self, task: TaskId, text: &str) -> Sent {
        let nonce = self.fresh().to_string();
        self.store.send_message(self.message(task, &nonce, text)).await.unwrap()
    }

    pub(crate) fn told(&self, task_id: TaskId, under: Under, facts: Vec<Fact>) -> Record {
        Record { task_id, now: self.now(), under, facts, reply: None }
    }

    pub(crate) async fn write(&self, task: TaskId, under: Under, facts: Vec<Fact>) -> Result<Reply, Refused> {
        self.store.record_and_wait(self.told(task, under, facts)).await
    }

    /// Tells facts and does not wait for them.
    pub(crate) async fn tell(&self, task: TaskId, under: Under, facts: Vec<Fact>) {
        self.store.record(self.told(task, under, facts)).await.unwrap();
    }

    /// Waits until all that was told is written.
    pub(crate) async fn flush(&self) {
        let none = TaskId::from_ulid(Ulid::nil());
        self.write(none, None, vec![Fact::Flush]).await.unwrap();
    }

    pub(crate) async fn start(&self, task: TaskId, run_id: RunId) -> Started {
        match self.write(task, None, vec![Fact::Start { run_id }]).await.unwrap() {
            Reply::Started(started) => started,
            Reply::Written => panic!("not started"),
        }
    }

    /// A message whose prompt is on the wire, with what its facts belong to.
    pub(crate) async fn running(&self, task: TaskId, text: &str) -> (Sent, Under) {
        let sent = self.send(task, text).await;
        let under = Some((sent.run_id, self.start(task, sent.run_id).await.fence));
        self.write(task, under, vec![Fact::Sending { blocks: "[]".into(), handoff: None }]).await.unwrap();
        self.write(task, under, vec![Fact::OnWire]).await.unwrap();
        (sent, under)
    }

    pub(crate) fn request(&self, task_id: TaskId, run_id: Option<RunId>) -> Request {
        Request {
            id: RequestId::from_ulid(self.fresh()),
            task_id,
            run_id,
            agent: agent("alpha"),
            kind: RequestKind::Permission,
            payload: json!({ "options": [{ "optionId": "yes" }, { "optionId": "no" }] }),
            state: RequestState::Open,
            answer: None,
            created_at: self.now(),
            completed_at: None,
        }
    }

    pub(crate) async fn chat(&self, task: TaskId) -> Vec<Message> {
        self.store.chat(task, None, 200).await.unwrap().unwrap().messages
    }

    pub(crate) async fn text_of(&self, message: MessageId, index: usize) -> String {
        let message = self.store.message(message).await.unwrap().unwrap();
        message.parts[index].streamed().unwrap().to_owned()
    }

    /// Every event after a number.
    pub(crate) async fn events(&self, after: i64) -> Vec<(i64, Event)> {
        let (mut events, mut cursor) = (Vec::new(), after);
        loop {
            let rows = self.store.feed_after(cursor, 500).await.unwrap();
            let Some(last) = rows.last() else { return events };
            cursor = last.seq;
            events.extend(rows.iter().map(|row| (row.seq, event(&row.kind, &row.data))));
        }
    }

    /// One number from the file, by another connection.
    pub(crate) async fn number(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&mut connect(self.dir()).await).await.unwrap()
    }
}

pub(crate) fn event(kind: &str, data: &str) -> Event {
    serde_json::from_str(&format!(r#"{{"event":"{kind}","data":{data}}}"#)).unwrap()
}

pub(crate) fn grows(message_id: MessageId, index: i64, text: &str) -> Fact {
    Fact::PartOpened { message_id, index, part: Part::Text { text: text.to_owned() }, grows: true }
}

pub(crate) fn append(message_id: MessageId, index: i64, text: &str) -> Fact {
    Fact::TextAppended { message_id, index, text: text.to_owned() }
}

pub(crate) fn tool(id: &str, raw_output: serde_json::Value) -> Part {
    Part::ToolCall(ToolCall {
        tool_call_id: id.to_owned(),
        content: json!([]),
        locations: json!([]),
        raw_output: Some(raw_output),
        ..ToolCall::default()
    })
}

pub(crate) fn end(outcome: drover_domain::Outcome) -> Fact {
    Fact::Ended(End { outcome, stop_reason: None, usage: None, seen: true })
}

pub(crate) fn is_fenced<T>(result: Result<T, Refused>) -> bool {
    matches!(result, Err(Refused::Fenced))
}

pub(crate) fn is_full<T>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Full))
}

/// What a page holds of one task: it begins with a snapshot, or with nothing, and applies events.
#[derive(Default)]
pub(crate) struct Client {
    messages: BTreeMap<MessageId, (MessageHead, Vec<Part>)>,
}

impl Client {
    pub(crate) fn of(messages: Vec<Message>) -> Self {
        let messages = messages.into_iter().map(|message| (message.head.id, (message.head, message.parts)));
        Self { messages: messages.collect() }
    }

    pub(crate) fn apply(&mut self, task: TaskId, event: Event) {
        if event.content_of() != Some(task) {
            return;
        }
        match event {
            Event::MessageUpsert(head) => match self.messages.get_mut(&head.id) {
                Some((known, _)) => *known = head,
                None => {
                    self.messages.insert(head.id, (head, Vec::new()));
                }
            },
            Event::MessageDeleted(gone) => {
                self.messages.remove(&gone.id);
            }
            Event::PartUpsert(upsert) => {
                let parts = &mut self.messages.get_mut(&upsert.message_id).expect("its message came before").1;
                let index = usize::try_from(upsert.index).unwrap();
                assert!(index <= parts.len(), "parts come in order");
                if index == parts.len() {
                    parts.push(upsert.part);
                } else {
                    parts[index] = upsert.part;
                }
            }
            Event::PartAppend(append) => {
                let parts = &mut self.messages.get_mut(&append.message_id).expect("its message came before").1;
                match &mut parts[usize::try_from(append.index).unwrap()] {
                    Part::Text { text } | Part::Thought { text } => {
                        assert_eq!(append.at, text.encode_utf16().count() as i64, "where it is appended");
                        text.push_str(&append.text);
                    }
                    other => panic!("no text: {other:?}"),
                }
            }
            other => panic!("not of a chat: {other:?}"),
        }
    }

    pub(crate) fn chat(&self) -> Vec<Message> {
        let mut messages: Vec<Message> =
            self.messages.values().map(|(head, parts)| Message { head: head.clone(), parts: parts.clone() }).collect();
        messages.sort_by_key(|message| message.head.ordinal);
        messages
    }
}
