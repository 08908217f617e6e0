//! The agent's own requests and the answers to them.

use std::{
    collections::HashMap,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::Value;

use super::wire::{sorted, spaced};

/// Requests by their id as written on the wire, so that `1` and `"1"` are two.
pub(super) struct Requests {
    open: Mutex<HashMap<String, Option<Value>>>,
    answered: Condvar,
    next: AtomicU64,
}

impl Requests {
    pub(super) fn new() -> Self {
        Self { open: Mutex::default(), answered: Condvar::new(), next: AtomicU64::new(1000) }
    }

    /// A number that no request of ours had yet.
    pub(super) fn fresh_id(&self) -> String {
        self.next.fetch_add(1, Ordering::Relaxed).to_string()
    }

    pub(super) fn asked(&self, id: &str) {
        self.lock().insert(id.to_owned(), None);
    }

    /// Takes an answer; one to nothing we asked is left alone.
    pub(super) fn answer(&self, id: &Value, message: Value) {
        if let Some(slot) = self.lock().get_mut(&id.to_string()) {
            *slot = Some(message);
            self.answered.notify_all();
        }
    }

    /// Waits for the answer and gives its result, or its error, with sorted keys.
    pub(super) fn wait(&self, id: &str) -> String {
        let mut open = self
            .answered
            .wait_while(self.lock(), |open| open.get(id).is_some_and(Option::is_none))
            .unwrap_or_else(PoisonError::into_inner);
        let message = open.remove(id).flatten().unwrap_or_default();
        spaced(&sorted(message.get("result").or_else(|| message.get("error")).unwrap_or(&Value::Null)))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Option<Value>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
