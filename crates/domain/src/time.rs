//! Points in time.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

/// Milliseconds since 1970 in UTC; on the wire RFC 3339 with three decimals and `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From milliseconds since 1970.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Milliseconds from `earlier` to this, never below zero: a clock that was set back makes no negative duration.
    pub const fn millis_since(self, earlier: Self) -> i64 {
        let millis = self.0.saturating_sub(earlier.0);
        if millis < 0 { 0 } else { millis }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000).map_err(|_| fmt::Error)?;
        f.write_str(&at.format(format).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let at = OffsetDateTime::parse(&text, &Rfc3339).map_err(serde::de::Error::custom)?;
        i64::try_from(at.unix_timestamp_nanos() / 1_000_000).map(Self).map_err(serde::de::Error::custom)
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .format(Some(utoipa::openapi::SchemaFormat::KnownFormat(utoipa::openapi::KnownFormat::DateTime)))
            .description(Some("RFC 3339 in UTC with milliseconds"))
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_with_three_decimals_and_read_back() {
        let at = Timestamp::from_millis(1_767_225_600_007);
        let text = serde_json::to_string(&at).unwrap();
        assert_eq!(text, "\"2026-01-01T00:00:00.007Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>(&text).unwrap(), at);
    }

    #[test]
    fn a_clock_that_was_set_back_makes_no_negative_duration() {
        assert_eq!(Timestamp::from_millis(5).millis_since(Timestamp::from_millis(9)), 0);
    }
}
