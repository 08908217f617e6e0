//! How fast the tour goes. A whole walk at a brisk pace takes less than 20 seconds.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pace {
    Brisk,
    Leisurely,
    Instant,
}

/// What a pause stands between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beat {
    /// Pieces of a text.
    Piece,
    /// Lines of output, changes of a plan.
    Line,
    /// Steps.
    Step,
}

/// Bytes of text that are sent at once: a few words, or eight Chinese characters.
const PIECE: usize = 24;

impl Pace {
    pub(crate) const ALL: [Self; 3] = [Self::Brisk, Self::Leisurely, Self::Instant];

    /// The pace of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pace| pace.name() == name)
    }

    /// Its name in the protocol.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Brisk => "brisk",
            Self::Leisurely => "leisurely",
            Self::Instant => "instant",
        }
    }

    /// How long to wait.
    pub(crate) fn pause(self, beat: Beat) -> Duration {
        let brisk = match beat {
            Beat::Piece => 25,
            Beat::Line => 120,
            Beat::Step => 350,
        };
        Duration::from_millis(match self {
            Self::Brisk => brisk,
            Self::Leisurely => brisk * 4,
            Self::Instant => 0,
        })
    }

    /// A text in the pieces that it is sent in: together they are the text, and none is cut within a character.
    pub(crate) fn pieces(self, text: &str) -> impl Iterator<Item = &str> {
        let size = if self == Self::Instant { text.len() } else { PIECE };
        let mut rest = text;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(size));
            rest = after;
            Some(piece)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text() {
        let text = "A sentence of some length, 和一些中文字符, and an end.";
        for pace in Pace::ALL {
            assert_eq!(pace.pieces(text).collect::<String>(), text);
            assert_eq!(pace.pieces("").count(), 0);
        }
        assert_eq!(Pace::Instant.pieces(text).count(), 1);
        assert!(Pace::Brisk.pieces(text).all(|piece| piece.len() <= PIECE + 3));
    }
}
