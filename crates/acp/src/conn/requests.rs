//! What a connection's tasks share: which requests are open, in both directions.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::{Notify, mpsc, watch};
use tokio::time::Instant;

use super::writer::{Outgoing, WriterState};
use crate::stderr::StderrRing;
use crate::{Dir, FrameSink, PeerId, RequestId};

/// One of our requests that has no answer yet.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) method: String,
    pub(super) timeout: Option<Duration>,
    deadline: Option<Instant>,
}

/// Requests of the agent under one id. There should be one; a sloppy agent may use an id twice.
#[derive(Debug)]
struct Asked {
    count: usize,
    elicitation: bool,
}

pub(super) struct Shared {
    pub(super) next_id: AtomicU64,
    pub(super) outgoing: mpsc::Sender<Outgoing>,
    pub(super) stderr: Arc<Mutex<StderrRing>>,
    pub(super) writer: watch::Sender<WriterState>,
    /// Wakes the reader: a deadline is new.
    pub(super) deadlines: Notify,
    closing: watch::Sender<bool>,
    waiting: Mutex<BTreeMap<RequestId, Waiting>>,
    asked: Mutex<HashMap<PeerId, Asked>>,
    frames: Option<Mutex<Box<dyn FrameSink>>>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("writer", &*self.writer.borrow()).finish_non_exhaustive()
    }
}

/// A panic elsewhere leaves these maps whole: each critical section makes one change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(super) fn new(
        outgoing: mpsc::Sender<Outgoing>,
        stderr: Arc<Mutex<StderrRing>>,
        frames: Option<Box<dyn FrameSink>>,
    ) -> Self {
        Self {
            next_id: AtomicU64::new(1),
            outgoing,
            stderr,
            writer: watch::Sender::new(WriterState::Open),
            deadlines: Notify::new(),
            closing: watch::Sender::new(false),
            waiting: Mutex::default(),
            asked: Mutex::default(),
            frames: frames.map(Mutex::new),
        }
    }

    pub(super) fn expect_response(&self, id: RequestId, method: &str, timeout: Option<Duration>) {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        lock(&self.waiting).insert(id, Waiting { method: method.to_owned(), timeout, deadline });
        if deadline.is_some() {
            self.deadlines.notify_one();
        }
    }

    /// Takes the request out: whoever gets it tells its end, so there is one end for each.
    pub(super) fn settle(&self, id: RequestId) -> Option<Waiting> {
        lock(&self.waiting).remove(&id)
    }

    pub(super) fn forget(&self, id: RequestId) {
        self.settle(id);
    }

    pub(super) fn forgo_deadline(&self, id: RequestId) {
        if let Some(waiting) = lock(&self.waiting).get_mut(&id) {
            waiting.deadline = None;
        }
    }

    pub(super) fn settle_all(&self) -> BTreeMap<RequestId, Waiting> {
        std::mem::take(&mut *lock(&self.waiting))
    }

    pub(super) fn next_deadline(&self) -> Option<Instant> {
        lock(&self.waiting).values().filter_map(|waiting| waiting.deadline).min()
    }

    pub(super) fn settle_overdue(&self, now: Instant) -> Vec<(RequestId, Waiting)> {
        let overdue = |waiting: &Waiting| waiting.deadline.is_some_and(|deadline| deadline <= now);
        lock(&self.waiting).extract_if(.., |_, waiting| overdue(waiting)).collect()
    }

    pub(super) fn note_asked(&self, id: &PeerId, method: &str) {
        let mut asked = lock(&self.asked);
        let entry = asked.entry(id.clone()).or_insert(Asked { count: 0, elicitation: false });
        entry.count += 1;
        entry.elicitation |= method.starts_with("elicitation/");
    }

    /// Takes the agent's request as answered. `None` if it is not open; else whether it is an elicitation.
    pub(super) fn take_asked(&self, id: &PeerId) -> Option<bool> {
        let mut asked = lock(&self.asked);
        let entry = asked.get_mut(id)?;
        entry.count -= 1;
        let (elicitation, last) = (entry.elicitation, entry.count == 0);
        if last {
            asked.remove(id);
        }
        Some(elicitation)
    }

    pub(super) fn log(&self, dir: Dir, raw: &[u8]) {
        if let Some(frames) = &self.frames {
            #[expect(clippy::disallowed_methods, reason = "the stamp is for the log's reader; no rule depends on it")]
            let at = SystemTime::now();
            lock(frames).frame(dir, at, raw);
        }
    }

    pub(super) fn close(&self) {
        self.closing.send_replace(true);
    }

    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}
