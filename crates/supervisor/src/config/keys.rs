//! Every key of config.toml: its type, default, range and meaning, in one place.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use toml::Spanned;
use utoipa::ToSchema;

/// Why a text is not a configuration.
pub(super) enum Problem {
    /// It is not TOML, or has unknown keys or values of another type.
    Toml(toml::de::Error),
    /// A value that cannot be, and the bytes where it stands.
    Value { at: Range<usize>, bad: BadValue },
}

/// A value of the right type that a key cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is {detail}")]
pub struct BadValue {
    /// The key.
    pub key: &'static str,
    /// What it may be: `0, but must be between 1 and 64`.
    pub detail: String,
}

/// One key of config.toml, for documents and for the comment above a key that the page adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it means; a line of text for each line here.
    pub doc: &'static str,
}

/// How a value stands in the file.
pub(super) trait TomlValue: PartialOrd + fmt::Display {
    fn to_toml(&self) -> toml_edit::Value;
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl TomlValue for $type {
            fn to_toml(&self) -> toml_edit::Value {
                // TOML's integers are signed; every range below ends before the sign.
                i64::try_from(*self).unwrap_or(i64::MAX).into()
            }
        }
    )*};
}

integers!(u16, u32, u64, usize, i64);

/// How much the log tells; each level includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogLevel {
    /// What failed.
    Error,
    /// What may need a look.
    Warn,
    /// What was done.
    Info,
    /// How it was done.
    Debug,
    /// Every step.
    Trace,
}

impl LogLevel {
    /// The level as config.toml and log filters spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

impl fmt::Display for LogLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TomlValue for LogLevel {
    fn to_toml(&self) -> toml_edit::Value {
        self.as_str().into()
    }
}

fn check<T: TomlValue>(key: &'static str, value: &T, least: &T, most: &T) -> Result<(), BadValue> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(BadValue { key, detail: format!("{value}, but must be between {least} and {most}") })
}

/// `key: type = default, least ..= most` for each key, documented.
macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $key:ident: $type:ty = $default:expr, $least:expr => $most:expr;)+) => {
        /// The settings of the daemon, complete.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
        pub struct Config {
            $($(#[doc = $doc])+ pub $key: $type,)+
        }

        impl Default for Config {
            fn default() -> Self {
                Self { $($key: $default,)+ }
            }
        }

        /// Settings to change; `None` leaves a key as it is.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct ConfigPatch {
            $($(#[doc = $doc])+ pub $key: Option<$type>,)+
        }

        impl ConfigPatch {
            /// The values that cannot be, none where all can.
            pub fn bad_values(&self) -> Vec<BadValue> {
                let mut bad = Vec::new();
                $(bad.extend(self.$key.as_ref().and_then(|value| check(stringify!($key), value, &$least, &$most).err()));)+
                bad
            }

            /// What to write: each key with its new value.
            pub(super) fn values(&self) -> Vec<(Key, toml_edit::Value)> {
                let mut keys = KEYS.iter().copied();
                let mut values = Vec::new();
                $(values.extend(keys.next().zip(self.$key.as_ref().map(TomlValue::to_toml)));)+
                values
            }
        }

        /// Every key of config.toml, in the order of the documents.
        pub const KEYS: &[Key] = &[
            $(Key { name: stringify!($key), doc: concat!($($doc, "\n"),+) },)+
        ];

        #[derive(Default, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        struct File {
            $($key: Option<Spanned<$type>>,)+
        }

        /// The settings that `text` holds.
        pub(super) fn parse(text: &str) -> Result<Config, Problem> {
            let file: File = toml::from_str(text).map_err(Problem::Toml)?;
            let mut config = Config::default();
            $(if let Some(value) = file.$key {
                check(stringify!($key), value.get_ref(), &$least, &$most)
                    .map_err(|bad| Problem::Value { at: value.span(), bad })?;
                config.$key = value.into_inner();
            })+
            Ok(config)
        }
    };
}

const MIB: u64 = 1024 * 1024;
const GB: u64 = 1_000_000_000;

keys! {
    /// Port on the loopback interface; 0 takes any free one. Holds from the next start on.
    port: u16 = 7717, 0 => u16::MAX;
    /// Bytes of missed turns that are handed to an agent in front of a prompt, at most.
    handoff_bytes: usize = 96 * 1024, 1024 => 16 * 1024 * 1024;
    /// Runs at work at the same time, in all tasks together; the rest waits.
    max_active_runs: usize = 6, 1 => 64;
    /// Minutes after which an agent that has nothing to do is stopped, 0 for never; its next message brings the session back.
    idle_minutes: u32 = 30, 0 => 10_080;
    /// Seconds without a sign of an agent that works on a message, after which the page says so; five times as many while a tool runs.
    silence_seconds: u32 = 60, 1 => 86_400;
    /// Seconds for which a login's terminal that nobody looks at goes on.
    login_seconds: u32 = 600, 1 => 86_400;
    /// Days for which the change feed is kept, so that a page that was away can catch up.
    feed_days: u32 = 7, 1 => 3650;
    /// Entries of the change feed that are kept even when they are older than `feed_days`.
    feed_entries: i64 = 200_000, 1000 => 100_000_000;
    /// Bytes of the change feed that are kept at most, whatever the two above say.
    feed_bytes: i64 = 500_000_000, 1_048_576 => 100_000_000_000;
    /// Bytes of one attachment, at most.
    attachment_bytes: u64 = 25 * MIB, 1024 => GB;
    /// Bytes of one stored tool output, at most; of a longer one the beginning is kept.
    blob_bytes: u64 = 64 * MIB, 64 * 1024 => 4 * GB;
    /// Bytes of raw frames that are kept for one agent of one task, the oldest go first; 0 keeps none.
    frames_link_bytes: u64 = 64_000_000, 0 => 100 * GB;
    /// Bytes of raw frames that are kept in all; the oldest go first.
    frames_bytes: u64 = GB, MIB => 1000 * GB;
    /// How much the log tells: error, warn, info, debug or trace.
    log_level: LogLevel = LogLevel::Info, LogLevel::Error => LogLevel::Trace;
}
