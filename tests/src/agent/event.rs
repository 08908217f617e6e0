//! A flag that threads wait for.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Duration,
};

/// Set once, seen by all.
#[derive(Default)]
pub(super) struct Event {
    set: Mutex<bool>,
    rung: Condvar,
}

impl Event {
    pub(super) fn set(&self) {
        *self.set.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.rung.notify_all();
    }

    pub(super) fn is_set(&self) -> bool {
        *self.set.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait(&self) {
        let guard = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.rung.wait_while(guard, |set| !*set));
    }

    /// Waits at most so long; true when the flag was set.
    pub(super) fn wait_for(&self, time: Duration) -> bool {
        let guard = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        match self.rung.wait_timeout_while(guard, time, |set| !*set) {
            Ok((set, _)) => *set,
            Err(poisoned) => *poisoned.into_inner().0,
        }
    }
}
