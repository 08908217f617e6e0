//! Identifiers. All but the agent's are ULIDs: 26 characters of Crockford's base 32, ordered by time of creation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// A text that is not the id it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid id: {0:?}")]
pub struct InvalidId(pub String);

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Ulid);

        impl $name {
            /// An id from its 128 bits.
            pub const fn from_ulid(ulid: Ulid) -> Self {
                Self(ulid)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                // `Ulid` also reads lower case; one object has one address.
                if text.len() != 26 || text.bytes().any(|b| b.is_ascii_lowercase()) {
                    return Err(InvalidId(text.to_owned()));
                }
                Ulid::from_string(text).map(Self).map_err(|_| InvalidId(text.to_owned()))
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                ulid_schema()
            }
        }

        impl utoipa::ToSchema for $name {}
    )*};
}

ids! {
    /// Names a [`Project`](crate::Project).
    ProjectId,
    /// Names a [`Task`](crate::Task) and its one chat.
    TaskId,
    /// Names a [`Message`](crate::Message).
    MessageId,
    /// Names a [`Run`](crate::Run).
    RunId,
    /// Names a [`Request`](crate::Request).
    RequestId,
    /// Names an [`Attachment`](crate::Attachment).
    AttachmentId,
    /// Names a paired [`Browser`](crate::Browser).
    BrowserId,
    /// Names a branch: what an edit, a retry or a restore set aside.
    BranchId,
}

fn ulid_schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .pattern(Some("^[0-9A-HJKMNP-TV-Z]{26}$"))
        .description(Some("A ULID"))
        .into()
}

/// Names an agent of the catalogue: what stands behind `agents.` in agents.toml.
///
/// A letter or digit, then letters, digits, `-`, `_` and `.`; at most 64 characters, so that it is safe in addresses and file names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentId(String);

impl AgentId {
    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AgentId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let inner = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
        let sound = text.len() <= 64
            && text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
            && text.bytes().all(inner);
        if sound { Ok(Self(text.to_owned())) } else { Err(InvalidId(text.to_owned())) }
    }
}

impl TryFrom<String> for AgentId {
    type Error = InvalidId;

    fn try_from(text: String) -> Result<Self, InvalidId> {
        text.parse()
    }
}

impl From<AgentId> for String {
    fn from(id: AgentId) -> Self {
        id.0
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AgentId({})", self.0)
    }
}

impl utoipa::PartialSchema for AgentId {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"))
            .description(Some("An agent of the catalogue"))
            .into()
    }
}

impl utoipa::ToSchema for AgentId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_canonical_spelling_of_an_id_is_read() {
        let id: TaskId = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        assert_eq!(id.to_string(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
        for bad in [
            "",
            "not-an-id",
            "01arz3ndektsv4rrffq69g5fav",
            "01ARZ3NDEKTSV4RRFFQ69G5FAVX",
            "01ARZ3NDEKTSV4RRFFQ69G5FAU\n",
        ] {
            assert!(bad.parse::<TaskId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_agent_id_is_safe_in_addresses_and_file_names() {
        for good in ["claude", "codex-2", "my_agent", "a.b", "7"] {
            assert!(good.parse::<AgentId>().is_ok(), "{good:?}");
        }
        for bad in ["", ".", "..", "-x", "a/b", "a b", "ü", &"a".repeat(65)] {
            assert!(bad.parse::<AgentId>().is_err(), "{bad:?}");
        }
    }
}
