//! A line to a message: cleaned, classified, its contents left unread.

use std::borrow::Cow;
use std::fmt;

use memchr::{memchr, memchr2_iter, memmem};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::frame::Noise;

/// Deeper lines are noise. Below `serde_json`'s own limit of 128, so that whatever passes can be read later.
const MAX_DEPTH: usize = 120;

/// A message, borrowed from its line.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request { id: &'a RawValue, method: Cow<'a, str>, params: Option<&'a RawValue> },
    Notification { method: Cow<'a, str>, params: Option<&'a RawValue> },
    Response { id: &'a RawValue, outcome: Result<&'a RawValue, &'a RawValue> },
}

/// The text of a line from its first `{` on: line end, byte order mark, colour codes and banners before it are
/// dropped, invalid UTF-8 and lone surrogates are replaced. `None` where there is no `{`.
pub(crate) fn json_text(line: &[u8]) -> Option<Cow<'_, str>> {
    let start = memchr(b'{', line)?;
    let text = String::from_utf8_lossy(line[start..].trim_ascii_end());
    Some(match find_lone_surrogate(&text, 0) {
        Some(first) => Cow::Owned(replace_lone_surrogates(text.into_owned(), first)),
        None => text,
    })
}

/// Sorts a line's JSON into the kinds of message.
pub(crate) fn classify(text: &str) -> Result<Message<'_>, Noise> {
    let envelope: Envelope<'_> = serde_json::from_str(text).map_err(|_| Noise::NotJson)?;
    let id = envelope.id.filter(|id| !id.get().starts_with(['{', '[', 't', 'f']));
    if envelope.id.is_some() && id.is_none() {
        return Err(Noise::NotAMessage);
    }
    if let Some(method) = envelope.method {
        let method = as_text(method).ok_or(Noise::NotAMessage)?;
        let params = envelope.params;
        return Ok(match id {
            Some(id) => Message::Request { id, method, params },
            None => Message::Notification { method, params },
        });
    }
    let error = envelope.error.filter(|error| !is_null(error));
    let outcome = match (envelope.result, error) {
        (Some(result), Some(error)) if !is_null(result) => {
            tracing::debug!(error = error.get(), "a response has a result and an error; the result counts");
            Ok(result)
        }
        (_, Some(error)) => Err(error),
        (Some(result), None) => Ok(result),
        (None, None) => return Err(Noise::NotAMessage),
    };
    let id = id.ok_or(Noise::NotAMessage)?;
    Ok(Message::Response { id, outcome })
}

/// The objects of a line that is no JSON as a whole: several messages without a line end between them, or text before
/// and colours after one. What follows a broken object is not searched: an object found there could be a part of it, and
/// no message. Nor is what follows text behind an object: there an agent tells what it does, and means nobody by it.
pub(crate) fn objects(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        rest = &rest[at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        if let Some(Ok(object)) = values.next() {
            found.push(object.get());
            rest = &rest[values.byte_offset()..];
            if !is_silent(&rest[..rest.find('{').unwrap_or(rest.len())]) {
                break;
            }
        } else if rest[1..].trim_ascii_start().starts_with('"') {
            break;
        } else {
            rest = &rest[1..];
        }
    }
    found
}

/// Blanks, commas and colour codes.
fn is_silent(between: &str) -> bool {
    let mut codes = between.split('\u{1b}');
    let plain = |text: &str| text.chars().all(|c| c.is_whitespace() || c.is_control() || c == ',');
    codes.next().is_none_or(plain)
        && codes.all(|code| {
            code.strip_prefix('[').is_some_and(|code| {
                plain(
                    code.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
                        .trim_start_matches(|c: char| c.is_ascii_alphabetic()),
                )
            })
        })
}

/// Whether the JSON is nested too deep to be read safely.
pub(crate) fn is_too_deep(text: &str) -> bool {
    let openers = memchr2_iter(b'{', b'[', text.as_bytes()).take(MAX_DEPTH + 1).count();
    openers > MAX_DEPTH && depth(text.as_bytes()) > MAX_DEPTH
}

fn depth(json: &[u8]) -> usize {
    let (mut deepest, mut depth) = (0_usize, 0_usize);
    let mut bytes = json.iter();
    let mut in_string = false;
    while let Some(byte) = bytes.next() {
        match (in_string, byte) {
            (true, b'\\') => drop(bytes.next()),
            (_, b'"') => in_string = !in_string,
            (false, b'{' | b'[') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The id of a response of which only the beginning is at hand: a top-level `"id"` with no `"method"` before it.
pub(crate) fn response_id_in_prefix(prefix: &str) -> Option<&str> {
    let start = prefix.find('{')?;
    let mut rest = &prefix[start + 1..];
    loop {
        let (key, after) = next_token(rest)?;
        let after = after.trim_ascii_start().strip_prefix(':')?;
        let (value, after) = next_token(after)?;
        match key {
            "\"id\"" => return Some(value),
            "\"method\"" => return None,
            _ => rest = after.trim_ascii_start().strip_prefix(',')?,
        }
    }
}

/// A scalar JSON token and what follows it; `None` for containers and for what is cut.
fn next_token(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_ascii_start();
    let end = if let Some(quoted) = text.strip_prefix('"') {
        let mut escaped = false;
        let close = quoted.find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        close? + 2
    } else {
        text.find([',', '}', ':', '{', '[']).filter(|end| *end > 0)?
    };
    Some((text[..end].trim_ascii_end(), &text[end..]))
}

fn is_null(raw: &RawValue) -> bool {
    raw.get() == "null"
}

fn as_text(raw: &RawValue) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Text<'_>>(raw.get()).ok().map(|text| text.0)
}

/// Where the first escape stands that is half a surrogate pair, from `from` on.
fn find_lone_surrogate(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += memmem::find(&bytes[at..], b"\\u")?;
        let backslashes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 1 {
            at += 2;
            continue;
        }
        match surrogate(bytes, at) {
            Some(0xD800..0xDC00) if matches!(surrogate(bytes, at + 6), Some(0xDC00..0xE000)) => at += 12,
            Some(_) => return Some(at),
            None => at += 2,
        }
    }
}

/// The surrogate written as `\uXXXX` at this place.
fn surrogate(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let unit = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xD800..0xE000).contains(&unit).then_some(unit)
}

fn replace_lone_surrogates(mut text: String, first: usize) -> String {
    let mut lone = Some(first);
    while let Some(at) = lone {
        text.replace_range(at..at + 6, "\\ufffd");
        lone = find_lone_surrogate(&text, at + 6);
    }
    text
}

/// The members of a JSON-RPC object that matter; of repeated ones the last counts, unknown ones are passed over.
#[derive(Default)]
struct Envelope<'a> {
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EnvelopeVisitor)
    }
}

struct EnvelopeVisitor;

impl<'de> Visitor<'de> for EnvelopeVisitor {
    type Value = Envelope<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON-RPC object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let member = match &*key {
                "id" => &mut envelope.id,
                "method" => &mut envelope.method,
                "params" => &mut envelope.params,
                "result" => &mut envelope.result,
                "error" => &mut envelope.error,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            *member = Some(map.next_value()?);
        }
        Ok(envelope)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A message, damaged in places.
    fn damaged() -> impl Strategy<Value = Vec<u8>> {
        let whole = prop::sample::select(vec![
            &br#"{"jsonrpc":"2.0","id":1,"result":{"a":["\ud83d\ude00",{"b":null}]}}"#[..],
            br#"{"jsonrpc":"2.0","id":"x","method":"m\u0020","params":[1.5e3,"\\\ud800"]}"#,
            b"\xef\xbb\xbf\x1b[1m{\"method\":\"m\",\"params\":\"\xe5\x90\x88\"}\r",
        ]);
        let damage = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..3), 0..6);
        (whole, damage).prop_map(|(whole, damage)| {
            let mut line = whole.to_vec();
            for (place, byte, how) in damage {
                let at = place.index(line.len() + 1);
                match how {
                    0 => line.insert(at, byte),
                    1 if at < line.len() => drop(line.remove(at)),
                    _ if at < line.len() => line[at] = byte,
                    _ => line.truncate(at),
                }
            }
            line
        })
    }

    proptest! {
        #[test]
        fn what_is_let_through_can_be_read(line in damaged()) {
            if let Some(text) = json_text(&line) {
                let _ = response_id_in_prefix(&text);
                if classify(&text).is_ok() && !is_too_deep(&text) {
                    let read = serde_json::from_str::<serde_json::Value>(&text);
                    prop_assert!(read.is_ok(), "{text}: {read:?}");
                }
            }
        }
    }

    fn kind(line: &[u8]) -> String {
        let Some(text) = json_text(line) else { return "no object".to_owned() };
        match classify(&text) {
            Ok(Message::Request { id, method, .. }) => format!("request {id} {method}"),
            Ok(Message::Notification { method, params }) => {
                format!("notification {method} {}", params.map_or("-", RawValue::get))
            }
            Ok(Message::Response { id, outcome: Ok(result) }) => format!("result {id} {result}"),
            Ok(Message::Response { id, outcome: Err(error) }) => format!("error {id} {error}"),
            Err(noise) => format!("{noise:?}"),
        }
    }

    #[test]
    fn messages_are_found_behind_what_agents_print_before_them() {
        for line in [
            &br#"{"jsonrpc":"2.0","id":1,"result":{}}"#[..],
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r",
            b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
            b"\x1b[2K\x1b[1G{\"id\":1,\"result\":{}}",
            b"[agent] ready \x00 {\"id\":1,\"result\":{}}  ",
            br#"{"id":0,"id":1,"result":[],"result":{}}"#,
            br#"{"id":1,"result":{},"error":null,"extra":[{}]}"#,
            br#"{"id":1,"result":{},"error":{"code":1}}"#,
            br#"{"i\u0064":1,"result":{}}"#,
        ] {
            assert_eq!(kind(line), "result 1 {}", "{}", String::from_utf8_lossy(line));
        }
    }

    #[test]
    fn every_kind_of_message() {
        assert_eq!(kind(br#"{"id":"u1","method":"foo/bar"}"#), "request \"u1\" foo/bar");
        assert_eq!(kind(br#"{"id":null,"method":"m","params":[]}"#), "request null m");
        assert_eq!(kind(br#"{"method":"m","params":{"a":1}}"#), "notification m {\"a\":1}");
        assert_eq!(kind(br#"{"id":2,"result":null}"#), "result 2 null");
        assert_eq!(kind(br#"{"id":2,"result":null,"error":{"code":1.5}}"#), "error 2 {\"code\":1.5}");
    }

    #[test]
    fn noise_is_told_apart() {
        for line in ["[agent] ready", "", "   ", "[1,2,3]", "\"text\"", "42", "null"] {
            assert_eq!(kind(line.as_bytes()), "no object", "{line}");
        }
        for line in [
            "{not json",
            r#"{"id":1,"result":{}}{"id":2,"result":{}}"#,
            r#"[{"id":1,"result":{}}]"#,
            r#"{"id":1,"result":{"stopR"#,
            "{\"id\":1,\"result\":\"a\0b\"}",
        ] {
            assert_eq!(kind(line.as_bytes()), "NotJson", "{line}");
        }
        for line in [
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"level":"info","msg":"hi"}"#,
            r#"{"id":1,"error":null}"#,
            r#"{"id":1}"#,
            r#"{"result":{}}"#,
            r#"{"id":{},"method":"m"}"#,
            r#"{"id":true,"method":"m"}"#,
            r#"{"id":1,"method":7}"#,
        ] {
            assert_eq!(kind(line.as_bytes()), "NotAMessage", "{line}");
        }
    }

    #[test]
    fn objects_are_found_among_each_other_and_among_text() {
        let message = r#"{"id":1,"result":{"text":"}{"}}"#;
        for (line, many) in [
            (format!("{message}{message}"), 2),
            (format!("{message} , {message}\t{message}"), 3),
            (format!("{message}\u{1b}[0m done {{}}"), 1),
            (format!("{message}\u{1b}[0;1m\u{1b}[31m {message}\u{1b}[0m\r"), 2),
            (format!("{{debug}} {{x: {message}"), 1),
            (format!("{message}{{\"method\":\"m\",\"params\":{message}"), 1),
            (format!("{{\"params\": a {message}"), 0),
            (r#"{"id":1,"result":{"stopR"#.to_owned(), 0),
            ("{".repeat(100_000), 0),
        ] {
            let found = objects(&line);
            assert_eq!(found.len(), many, "{line}");
            assert!(found.iter().all(|object| [message, "{}"].contains(object)), "{line}");
        }
    }

    #[test]
    fn broken_text_is_repaired_within_its_line() {
        assert_eq!(kind(b"{\"method\":\"m\",\"params\":\"a\xff\xfeb\"}"), "notification m \"a\u{fffd}\u{fffd}b\"");
        let cases = [
            (r"\ud800", r"\ufffd"),
            (r"\uDC00 \uD83D", r"\ufffd \ufffd"),
            (r"\ud83d\ude00", r"\ud83d\ude00"),
            (r"\ud83d\ud83d\ude00", r"\ufffd\ud83d\ude00"),
            (r"\\ud800", r"\\ud800"),
            (r"\\\ud800x", r"\\\ufffdx"),
            (r"\u00e9\ud8zz", r"\u00e9\ud8zz"),
        ];
        for (written, read) in cases {
            let line = format!(r#"{{"text":"{written}"}}"#);
            assert_eq!(json_text(line.as_bytes()).unwrap(), format!(r#"{{"text":"{read}"}}"#));
        }
    }

    #[test]
    fn depth_counts_only_what_nests() {
        let nested =
            |levels: usize| format!("{{\"method\":\"m\",\"params\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert!(!is_too_deep(&nested(100)));
        assert!(is_too_deep(&nested(1000)));
        assert!(is_too_deep(&nested(1_000_000)));
        assert!(!is_too_deep(&format!(r#"{{"text":"{}\"{}"}}"#, "[".repeat(1000), "{".repeat(1000))));
        assert!(!is_too_deep(&format!("{{\"list\":[{}{{}}]}}", "{},".repeat(1000))));
        assert_eq!(kind(nested(1_000_000).as_bytes()).len(), "notification m ".len() + 2_000_000);
    }

    #[test]
    fn an_id_is_found_in_the_beginning_of_a_response() {
        assert_eq!(response_id_in_prefix(r#"{"jsonrpc":"2.0","id":12,"result":{"text":"aaa"#), Some("12"));
        assert_eq!(response_id_in_prefix(r#"{"id": "7" , "result""#), Some("\"7\""));
        assert_eq!(response_id_in_prefix(r#"{"id":7,"method":"x""#), Some("7"));
        assert_eq!(response_id_in_prefix(r#"{"method":"session/update","params":{"id":7"#), None);
        assert_eq!(response_id_in_prefix(r#"{"jsonrpc":"2.0","result":{"id":7"#), None);
        assert_eq!(response_id_in_prefix(r#"{"a\"id":1,"id":3}"#), Some("3"));
        assert_eq!(response_id_in_prefix("nothing"), None);
    }
}
