//! Launch codes: one use, five minutes, in memory only. A code makes a browser a paired one.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, PoisonError};

use drover_domain::Timestamp;

use crate::secret;

/// How long a code holds, in milliseconds.
pub(crate) const CODE_MILLIS: i64 = 5 * 60_000;
/// How long a pairing holds, in milliseconds.
pub(crate) const PAIRING_MILLIS: i64 = 90 * 86_400_000;
/// Tries in a minute before the next one is refused unseen.
const TRIES: usize = 10;
const MINUTE_MILLIS: i64 = 60_000;
/// Codes that hold at once; the oldest makes room.
const CODES: usize = 32;

/// What a launch link leads to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Launch {
    /// The directory in which the user asked for it: offered as a project.
    pub(crate) directory: Option<String>,
}

/// Why a code does not pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Wrong, used or old.
    WrongCode,
    /// Too many were tried; whether this one is right was not looked at.
    TooManyTries,
}

/// The codes that hold, and the tries of the last minute.
#[derive(Debug, Default)]
pub(crate) struct Pairing(Mutex<Codes>);

#[derive(Debug, Default)]
struct Codes {
    codes: VecDeque<Code>,
    tries: VecDeque<Timestamp>,
}

#[derive(Debug)]
struct Code {
    hash: String,
    made_at: Timestamp,
    launch: Launch,
}

impl Pairing {
    /// A new code.
    pub(crate) fn code(&self, launch: Launch, now: Timestamp) -> io::Result<String> {
        let code = secret::fresh()?;
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.forget_old(now);
        if inner.codes.len() == CODES {
            inner.codes.pop_front();
        }
        inner.codes.push_back(Code { hash: secret::hash(&code), made_at: now, launch });
        Ok(code)
    }

    /// Uses a code up.
    pub(crate) fn redeem(&self, code: &str, now: Timestamp) -> Result<Launch, Refusal> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.forget_old(now);
        if inner.tries.len() >= TRIES {
            return Err(Refusal::TooManyTries);
        }
        inner.tries.push_back(now);
        let found = inner.codes.iter().position(|known| secret::matches(code, &known.hash));
        let found = found.and_then(|at| inner.codes.remove(at));
        found.map(|code| code.launch).ok_or(Refusal::WrongCode)
    }

    /// Whether a code holds.
    pub(crate) fn is_waiting(&self, now: Timestamp) -> bool {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.forget_old(now);
        !inner.codes.is_empty()
    }
}

impl Codes {
    fn forget_old(&mut self, now: Timestamp) {
        self.codes.retain(|code| now.millis_since(code.made_at) < CODE_MILLIS);
        self.tries.retain(|at| now.millis_since(*at) < MINUTE_MILLIS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    #[test]
    fn a_code_pairs_once() {
        let pairing = Pairing::default();
        let launch = Launch { directory: Some("/srv".into()) };
        let code = pairing.code(launch.clone(), at(0)).unwrap();
        assert_eq!(pairing.redeem(&code, at(1)), Ok(launch));
        assert_eq!(pairing.redeem(&code, at(2)), Err(Refusal::WrongCode));
    }

    #[test]
    fn a_code_is_good_for_five_minutes() {
        let pairing = Pairing::default();
        let (first, second) =
            (pairing.code(Launch::default(), at(0)).unwrap(), pairing.code(Launch::default(), at(0)).unwrap());
        assert!(pairing.redeem(&first, at(CODE_MILLIS - 1)).is_ok());
        assert!(!pairing.is_waiting(at(CODE_MILLIS)));
        assert_eq!(pairing.redeem(&second, at(CODE_MILLIS)), Err(Refusal::WrongCode));
    }

    #[test]
    fn the_eleventh_try_in_a_minute_is_refused_even_if_it_is_right() {
        let pairing = Pairing::default();
        let code = pairing.code(Launch::default(), at(0)).unwrap();
        for n in 0..10 {
            assert_eq!(pairing.redeem("wrong", at(n)), Err(Refusal::WrongCode));
        }
        assert_eq!(pairing.redeem(&code, at(59_999)), Err(Refusal::TooManyTries));
        assert!(pairing.redeem(&code, at(60_000)).is_ok());
    }

    #[test]
    fn many_codes_do_not_pile_up() {
        let pairing = Pairing::default();
        let first = pairing.code(Launch::default(), at(0)).unwrap();
        let codes: Vec<_> = (0..CODES).map(|_| pairing.code(Launch::default(), at(1)).unwrap()).collect();
        assert_eq!(pairing.redeem(&first, at(2)), Err(Refusal::WrongCode));
        assert!(pairing.redeem(&codes[0], at(2)).is_ok());
    }
}
