//! The clock and the ids, passed in so that tests can set them.

use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use drover_domain::Timestamp;
use ulid::Ulid;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Makes ids.
pub trait Ids: Send + Sync {
    /// An id that was never given out before.
    fn fresh(&self) -> Ulid;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place where the machine's clock is read")]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Random ids in the order of their making.
#[derive(Debug, Default)]
pub struct RandomIds {
    last: Mutex<Option<Ulid>>,
}

impl Ids for RandomIds {
    #[expect(clippy::disallowed_methods, reason = "this is the one place where ids are made")]
    fn fresh(&self) -> Ulid {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let random = Ulid::generate();
        // Two of one millisecond, or of a clock that was set back, still sort as they were made.
        let next = match *last {
            Some(before) if random <= before => before.increment().unwrap_or(random),
            _ => random,
        };
        *last = Some(next);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_as_they_were_made() {
        let ids = RandomIds::default();
        let made: Vec<Ulid> = (0..1000).map(|_| ids.fresh()).collect();
        assert!(made.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
