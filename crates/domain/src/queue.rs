//! The order of a chat and of its queue (lifecycle rules 18 to 21).
//!
//! Ordinals count from 1. Settled messages stand first. Behind them stand the queued pairs, each a user message and the
//! assistant message that will answer it, in queue order; their ordinals are given anew whenever one starts, is moved or
//! dropped, or a message is put at the end of what is settled.

use crate::{Outcome, RunId, WaitingFor};

/// The ordinals of a queued pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairOrdinals {
    /// The run.
    pub run: RunId,
    /// The ordinal of its user message.
    pub user: i64,
    /// The ordinal of its assistant message.
    pub assistant: i64,
}

/// The ordinals of the queued pairs behind the greatest settled ordinal (0 where nothing is settled).
pub fn renumber(settled: i64, queued: &[RunId]) -> Vec<PairOrdinals> {
    let users = (settled + 1..).step_by(2);
    queued.iter().zip(users).map(|(&run, user)| PairOrdinals { run, user, assistant: user + 1 }).collect()
}

/// What decides whether a queued run may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StartFacts {
    /// The task's queue is held.
    pub held: bool,
    /// The user said "send now" of this run: it starts although the queue is held.
    pub sent_now: bool,
    /// Another queued run of the task stands before it.
    pub behind_another: bool,
    /// A run of the task is starting, running or waiting.
    pub active_in_task: bool,
    /// A run of the same agent in this task is in the background, and the agent does not declare prompt queueing.
    pub link_busy: bool,
    /// Fewer runs are active in the daemon than allowed.
    pub slot_free: bool,
}

/// Whether a queued run may start.
///
/// # Errors
/// What it waits for. What the user must end comes before what ends by itself, and the task before the daemon.
pub fn may_start(facts: StartFacts) -> Result<(), WaitingFor> {
    if facts.held && !facts.sent_now {
        Err(WaitingFor::Held)
    } else if facts.behind_another || facts.active_in_task || facts.link_busy {
        Err(WaitingFor::Task)
    } else if !facts.slot_free {
        Err(WaitingFor::Limit)
    } else {
        Ok(())
    }
}

/// Whether the queue is held after a run of the task ended (rule 21). `displaced`: "send now" on a queued message
/// cancelled it, which holds nothing; a queue that was held stays so.
pub const fn held_after(held: bool, outcome: Outcome, displaced: bool) -> bool {
    held || (outcome.holds_queue() && !displaced)
}

/// A place in the queue that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadMove {
    /// The run to be moved is not queued: it was started or dropped.
    #[error("the run is not queued any more")]
    NotQueued,
    /// The run to stand before is not queued in this task, or is the run itself.
    #[error("there is no such place in the queue")]
    NoSuchPlace,
}

/// The queue after `run` was put before another, or at the end.
///
/// # Errors
/// [`BadMove`], and nothing is moved.
pub fn move_before(queue: &[RunId], run: RunId, before: Option<RunId>) -> Result<Vec<RunId>, BadMove> {
    if !queue.contains(&run) {
        return Err(BadMove::NotQueued);
    }
    let mut moved: Vec<RunId> = queue.iter().copied().filter(|&other| other != run).collect();
    let at = match before {
        None => moved.len(),
        Some(before) => moved.iter().position(|&other| other == before).ok_or(BadMove::NoSuchPlace)?,
    };
    moved.insert(at, run);
    Ok(moved)
}

/// The queue after "send now" on `run`: it stands first, the rest follows in order. The caller cancels the active run
/// and starts this one with [`StartFacts::sent_now`].
///
/// # Errors
/// [`BadMove::NotQueued`].
pub fn send_now(queue: &[RunId], run: RunId) -> Result<Vec<RunId>, BadMove> {
    let first = queue.iter().copied().find(|&other| other != run);
    move_before(queue, run, first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ulid::Ulid;

    use super::*;

    fn run(number: u8) -> RunId {
        RunId::from_ulid(Ulid::from(u128::from(number)))
    }

    fn runs(numbers: impl IntoIterator<Item = u8>) -> Vec<RunId> {
        numbers.into_iter().map(run).collect()
    }

    #[test]
    fn queued_pairs_stand_behind_what_is_settled() {
        let pairs = renumber(4, &runs([7, 3]));
        let numbers: Vec<_> = pairs.iter().map(|pair| (pair.run, pair.user, pair.assistant)).collect();
        assert_eq!(numbers, [(run(7), 5, 6), (run(3), 7, 8)]);
        assert_eq!(renumber(0, &runs([1]))[0].user, 1);
    }

    #[test]
    fn a_run_says_what_it_waits_for() {
        let free = StartFacts { slot_free: true, ..StartFacts::default() };
        let all = StartFacts {
            held: true,
            sent_now: false,
            behind_another: true,
            active_in_task: true,
            link_busy: true,
            slot_free: false,
        };
        assert_eq!(may_start(free), Ok(()));
        assert_eq!(may_start(StartFacts { slot_free: false, ..free }), Err(WaitingFor::Limit));
        assert_eq!(may_start(StartFacts { behind_another: true, ..free }), Err(WaitingFor::Task));
        assert_eq!(may_start(StartFacts { active_in_task: true, ..free }), Err(WaitingFor::Task));
        assert_eq!(may_start(StartFacts { link_busy: true, ..free }), Err(WaitingFor::Task));
        assert_eq!(may_start(StartFacts { held: true, ..free }), Err(WaitingFor::Held));
        assert_eq!(may_start(all), Err(WaitingFor::Held));
    }

    #[test]
    fn send_now_starts_in_a_held_queue_but_not_beside_another_run() {
        let now = StartFacts { held: true, sent_now: true, slot_free: true, ..StartFacts::default() };
        assert_eq!(may_start(now), Ok(()));
        assert_eq!(may_start(StartFacts { active_in_task: true, ..now }), Err(WaitingFor::Task));
    }

    #[test]
    fn a_queue_is_held_after_what_went_wrong_but_not_after_send_now() {
        for outcome in [Outcome::Error, Outcome::Cancelled, Outcome::Interrupted] {
            assert!(held_after(false, outcome, false));
            assert!(!held_after(false, outcome, true));
            assert!(held_after(true, outcome, true));
        }
        assert!(!held_after(false, Outcome::Done, false));
        assert!(held_after(true, Outcome::Done, false));
    }

    #[test]
    fn a_run_is_moved_before_another_or_to_the_end() {
        let queue = runs([1, 2, 3]);
        assert_eq!(move_before(&queue, run(3), Some(run(1))), Ok(runs([3, 1, 2])));
        assert_eq!(move_before(&queue, run(1), Some(run(3))), Ok(runs([2, 1, 3])));
        assert_eq!(move_before(&queue, run(1), None), Ok(runs([2, 3, 1])));
        assert_eq!(send_now(&queue, run(3)), Ok(runs([3, 1, 2])));
        assert_eq!(send_now(&queue, run(1)), Ok(queue));
    }

    #[test]
    fn what_is_not_queued_has_no_place() {
        let queue = runs([1, 2]);
        assert_eq!(move_before(&queue, run(9), Some(run(1))), Err(BadMove::NotQueued));
        assert_eq!(move_before(&queue, run(1), Some(run(9))), Err(BadMove::NoSuchPlace));
        assert_eq!(move_before(&queue, run(1), Some(run(1))), Err(BadMove::NoSuchPlace));
        assert_eq!(send_now(&[], run(1)), Err(BadMove::NotQueued));
    }

    fn any_queue() -> impl Strategy<Value = Vec<RunId>> {
        prop::collection::hash_set(0..20u8, 0..12).prop_map(runs)
    }

    proptest! {
        #[test]
        fn ordinals_follow_on_without_gaps(settled in 0..10_000i64, queue in any_queue()) {
            let pairs = renumber(settled, &queue);
            let numbers: Vec<i64> = pairs.iter().flat_map(|pair| [pair.user, pair.assistant]).collect();
            prop_assert_eq!(numbers, (settled + 1..).take(2 * queue.len()).collect::<Vec<_>>());
            prop_assert_eq!(pairs.iter().map(|pair| pair.run).collect::<Vec<_>>(), queue);
        }

        #[test]
        fn a_move_loses_nobody_and_changes_the_order_of_no_others(
            queue in any_queue(),
            moved in 0..20u8,
            before in prop::option::of(0..20u8),
        ) {
            if let Ok(after) = move_before(&queue, run(moved), before.map(run)) {
                let others = |queue: &[RunId]| {
                    queue.iter().copied().filter(|&other| other != run(moved)).collect::<Vec<_>>()
                };
                prop_assert_eq!(others(&after), others(&queue));
                let at = after.iter().position(|&other| other == run(moved)).unwrap();
                prop_assert_eq!(after.get(at + 1).copied(), before.map(run));
            } else {
                let known = |number: u8| queue.contains(&run(number));
                prop_assert!(!known(moved) || before.is_some_and(|before| before == moved || !known(before)));
            }
        }
    }
}
