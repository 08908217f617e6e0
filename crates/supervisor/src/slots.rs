//! How many runs may be active in the daemon at once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use drover_domain::TaskId;
use tokio::sync::Notify;

/// The places for active runs, and the tasks that wait for one, in order.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct State {
    taken: usize,
    waiting: VecDeque<TaskId>,
}

/// A taken place; dropping it frees it.
#[derive(Debug)]
pub(crate) struct Slot(Arc<Slots>);

impl Slots {
    /// Takes a place if one of `most` is free and nobody waits longer; else the task waits for its turn.
    pub(crate) fn take(self: &Arc<Self>, task: TaskId, most: usize) -> Option<Slot> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let free = most.saturating_sub(state.taken);
        let ahead = state.waiting.iter().position(|waiting| *waiting == task).unwrap_or(state.waiting.len());
        if ahead < free {
            state.waiting.retain(|waiting| *waiting != task);
            state.taken += 1;
            return Some(Slot(Arc::clone(self)));
        }
        if !state.waiting.contains(&task) {
            state.waiting.push_back(task);
        }
        None
    }

    /// The task does not wait any more. Those behind it may be next.
    pub(crate) fn forget(&self, task: TaskId) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let before = state.waiting.len();
        state.waiting.retain(|waiting| *waiting != task);
        if state.waiting.len() < before {
            drop(state);
            self.freed.notify_one();
        }
    }

    /// Waits until a place was freed, then names the tasks that wait.
    pub(crate) async fn freed(&self) -> Vec<TaskId> {
        self.freed.notified().await;
        self.state.lock().unwrap_or_else(PoisonError::into_inner).waiting.iter().copied().collect()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).taken -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(n: u128) -> TaskId {
        TaskId::from_ulid(ulid::Ulid::from(n))
    }

    #[test]
    fn places_go_to_those_who_wait_longest() {
        let slots = Arc::new(Slots::default());
        let first = slots.take(task(1), 1).expect("a free place");
        assert!(slots.take(task(2), 1).is_none());
        assert!(slots.take(task(3), 1).is_none());
        drop(first);
        assert!(slots.take(task(3), 1).is_none(), "task 2 waits longer");
        let second = slots.take(task(2), 1).expect("its turn");
        slots.forget(task(3));
        drop(second);
        assert!(slots.take(task(4), 1).is_some());
    }
}
