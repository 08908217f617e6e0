//! The two kinds of JSON-RPC id: ours, which we number, and the peer's, which we only ever echo.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The id of one of our own requests, unique within its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct RequestId(pub u64);

impl RequestId {
    /// Reads an id that came back from the peer. Some agents answer `"7"` or `7.0` to a request numbered `7`.
    pub(crate) fn from_echo(token: &str) -> Option<Self> {
        let bare = token.trim_matches('"');
        if let Ok(number) = bare.parse() {
            return Some(Self(number));
        }
        let whole = bare.strip_suffix(".0")?;
        whole.parse().ok().map(Self)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The id of a request that the agent made: its JSON token, echoed digit by digit (`1` is not `"1"`, and
/// `9007199254740993` survives). JSON-RPC allows a string, a number or, in ACP v1, `null`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PeerId(Box<str>);

impl PeerId {
    /// Takes a JSON token (a string with its quotes, a number, `null`). `None` for anything else.
    pub fn from_json(token: &str) -> Option<Self> {
        let token = token.trim();
        let scalar =
            token == "null" || token.starts_with(['"', '-']) || token.starts_with(|c: char| c.is_ascii_digit());
        let valid = scalar && serde_json::from_str::<&RawValue>(token).is_ok();
        valid.then(|| Self(token.into()))
    }

    /// The JSON token exactly as the agent wrote it; [`PeerId::from_json`] takes it back.
    pub fn as_json(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PeerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PeerId({})", self.0)
    }
}

impl fmt::Display for PeerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for PeerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peer_ids_keep_kind_and_digits() {
        for token in ["1", "\"1\"", "9007199254740993", "null", "-3", "1.50", "\"a-b\"", "1e3"] {
            let id = PeerId::from_json(token).unwrap();
            assert_eq!(serde_json::to_string(&id).unwrap(), token);
        }
        assert_ne!(PeerId::from_json("1"), PeerId::from_json("\"1\""));
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for token in ["{}", "[1]", "true", "", "1 2", "\"open"] {
            assert_eq!(PeerId::from_json(token), None, "{token}");
        }
    }

    #[test]
    fn our_ids_are_known_again_however_they_come_back() {
        for token in ["7", "\"7\"", "7.0"] {
            assert_eq!(RequestId::from_echo(token), Some(RequestId(7)), "{token}");
        }
        for token in ["7.5", "null", "\"x\"", "-7", "{}"] {
            assert_eq!(RequestId::from_echo(token), None, "{token}");
        }
    }
}
