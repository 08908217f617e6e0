//! Between rows and entities.

use drover_domain::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::StoreError;

/// A snake_case word for a column from an enum.
pub(crate) fn word(value: &impl Serialize) -> Result<String, StoreError> {
    match serde_json::to_value(value)? {
        Value::String(word) => Ok(word),
        other => Err(StoreError::Corrupt(format!("not a word: {other}"))),
    }
}

/// The enum behind a word.
pub(crate) fn enumeration<T: DeserializeOwned>(word: String) -> Result<T, StoreError> {
    Ok(serde_json::from_value(Value::String(word))?)
}

/// JSON from a column that may be null.
pub(crate) fn json<T: DeserializeOwned>(text: Option<&str>) -> Result<Option<T>, StoreError> {
    text.map(serde_json::from_str).transpose().map_err(StoreError::from)
}

/// A time from a column.
pub(crate) const fn time(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis)
}
