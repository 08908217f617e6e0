//! Where a stream begins.

use axum::http::HeaderMap;

/// Where a reader wants to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// With what comes.
    Now,
    /// After this number.
    After(i64),
    /// After something that was never a number of ours: it has to take snapshots.
    Lost,
}

impl Start {
    /// `Last-Event-ID` goes before the address, because a browser that reconnects sends its first address again.
    pub(crate) fn of(headers: &HeaderMap, after: Option<&str>) -> Self {
        match headers.get("last-event-id") {
            Some(id) if !id.is_empty() => id.to_str().map_or(Self::Lost, Self::parse),
            _ => after.map_or(Self::Now, Self::parse),
        }
    }

    fn parse(text: &str) -> Self {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(seq) if digits => Self::After(seq),
            _ => Self::Lost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_goes_before_the_address_and_nonsense_is_lost() {
        for (header, after, expected) in [
            (None, None, Start::Now),
            (None, Some("7"), Start::After(7)),
            (Some("9"), Some("7"), Start::After(9)),
            (Some(""), Some("7"), Start::After(7)),
            (Some("abc"), Some("7"), Start::Lost),
            (Some("-1"), None, Start::Lost),
            (Some("+1"), None, Start::Lost),
            (None, Some(""), Start::Lost),
            (None, Some("99999999999999999999"), Start::Lost),
            (None, Some("0"), Start::After(0)),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(header) = header {
                headers.insert("last-event-id", header.parse().unwrap());
            }
            assert_eq!(Start::of(&headers, after), expected, "{header:?} {after:?}");
        }
    }
}
