//! A session: its options and what was said in it.

use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::pace::Pace;

/// Exchanges that are remembered; the oldest go first.
const REMEMBERED: usize = 100;

/// Everything that is kept of a session, in the process and on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    /// Its id: see [`Session::is_id`].
    pub(crate) id: String,
    /// The directory it was made for.
    pub(crate) cwd: String,
    /// The language of the last prompt that was in one.
    pub(crate) language: Language,
    pub(crate) pace: Pace,
    pub(crate) mode: Mode,
    /// Whether thoughts are shown.
    pub(crate) thoughts: bool,
    /// How many prompts it has had; tool calls are named after it.
    pub(crate) prompts: u64,
    /// What was asked and answered, oldest first.
    pub(crate) exchanges: Vec<Exchange>,
}

/// Whether the tour asks before it acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    Ask,
    Act,
}

/// A prompt and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Exchange {
    pub(crate) asked: String,
    pub(crate) answered: String,
}

impl Session {
    pub(crate) fn new(id: String, cwd: String, language: Language, pace: Pace) -> Self {
        let (mode, thoughts, prompts, exchanges) = (Mode::Ask, true, 0, Vec::new());
        Self { id, cwd, language, pace, mode, thoughts, prompts, exchanges }
    }

    /// Whether a text can be the id of a session, and so the name of its file.
    pub(crate) fn is_id(text: &str) -> bool {
        text.strip_prefix("tour-")
            .is_some_and(|rest| rest.len() == 16 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }

    pub(crate) fn remember(&mut self, exchange: Exchange) {
        self.exchanges.push(exchange);
        let excess = self.exchanges.len().saturating_sub(REMEMBERED);
        self.exchanges.drain(..excess);
    }
}

impl Mode {
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Ask, Self::Act].into_iter().find(|mode| mode.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Act => "act",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_no_path() {
        assert!(Session::is_id("tour-0123456789abcdef"));
        for text in ["", "tour-", "tour-../../../../etc", "0123456789abcdef", "tour-0123456789abcdef/"] {
            assert!(!Session::is_id(text), "{text}");
        }
    }

    #[test]
    fn only_the_newest_exchanges_are_kept() {
        let mut session = Session::new("s".into(), "/".into(), Language::English, Pace::Instant);
        for number in 0..=REMEMBERED {
            session.remember(Exchange { asked: number.to_string(), answered: String::new() });
        }
        assert_eq!(session.exchanges.len(), REMEMBERED);
        assert_eq!(session.exchanges[0].asked, "1");
    }
}
