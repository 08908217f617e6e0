//! Takes secrets and colour codes out of text that people will see. Errs on the side of hiding.

use std::borrow::Cow;

const HIDDEN: &str = "[redacted]";
/// Shorter values behind a known prefix are words, not keys.
const SHORTEST_KEY: usize = 12;
/// Beginnings of the keys that the vendors hand out.
const KEY_PREFIXES: [&str; 14] =
    ["sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xox", "AKIA", "AIza", "eyJ"];
/// Names whose value is a secret, compared without case, `-` and `_`.
const SECRET_NAMES: [&str; 9] =
    ["key", "token", "secret", "password", "passwd", "authorization", "credential", "credentials", "cookie"];

/// Hides bearer tokens, vendors' keys, values of names like `api_key`, and credentials in URLs.
pub(crate) fn redact(line: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < line.len() {
        let end = word_end(line, at);
        if end == at {
            at += line[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        match secret_near(line, at, end) {
            Some((from, to)) => {
                out.push_str(&line[copied..from]);
                out.push_str(HIDDEN);
                copied = to;
                at = to;
            }
            None => at = end,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(line);
    }
    out.push_str(&line[copied..]);
    Cow::Owned(out)
}

/// The secret that the word at `at..end` is, or announces.
fn secret_near(line: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    let word = &line[at..end];
    if word.len() >= SHORTEST_KEY && KEY_PREFIXES.iter().any(|prefix| word.starts_with(prefix)) {
        return Some((at, value_end(line, at)));
    }
    let rest = &line[end..];
    if let Some(host) = rest.strip_prefix("://") {
        let authority = &host[..host.find(['/', ' ', '"', '\'', '?', '#']).unwrap_or(host.len())];
        let user_info = authority.rfind('@').filter(|length| *length > 0)?;
        let from = end + 3;
        return Some((from, from + user_info));
    }
    if word.eq_ignore_ascii_case("bearer") || word.eq_ignore_ascii_case("basic") {
        let from = end + rest.len() - rest.trim_start_matches(' ').len();
        let to = value_end(line, from);
        return (from > end && to - from >= SHORTEST_KEY).then_some((from, to));
    }
    if !is_secret_name(word) {
        return None;
    }
    let value = rest.trim_start_matches(['"', '\'', ' ']).strip_prefix([':', '='])?;
    let value = value.trim_start_matches(['"', '\'', ' ']);
    let from = line.len() - value.len();
    let to = whole_value_end(line, from);
    (to > from).then_some((from, to))
}

/// The end of a value, past what only announces the rest of it: `Bearer …`, or another name.
fn whole_value_end(line: &str, from: usize) -> usize {
    let mut end = value_end(line, from);
    let mut start = from;
    while announces(&line[start..end]) {
        start = line.len() - line[end..].trim_start_matches([' ', '"', '\'']).len();
        end = value_end(line, start);
    }
    end
}

fn announces(value: &str) -> bool {
    value.ends_with([':', '=']) || value.eq_ignore_ascii_case("bearer") || value.eq_ignore_ascii_case("basic")
}

fn is_secret_name(word: &str) -> bool {
    SECRET_NAMES.iter().any(|name| {
        let Some(start) = word.len().checked_sub(name.len()) else { return false };
        let Some(tail) = word.get(start..).filter(|tail| tail.eq_ignore_ascii_case(name)) else { return false };
        let before = word[..start].chars().next_back();
        // "apikey" and "api_key" name a secret, "monkey" does not.
        *name != "key"
            || before.is_none_or(|before| !before.is_ascii_alphanumeric())
            || tail.starts_with('K')
            || word[..start].to_ascii_lowercase().ends_with("api")
    })
}

fn word_end(line: &str, from: usize) -> usize {
    let tail = &line.as_bytes()[from..];
    let length = tail.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    from + length
}

fn value_end(line: &str, from: usize) -> usize {
    let tail = &line[from..];
    let stops = [' ', '\t', '"', '\'', '&', ',', ';', ')', '}', ']', '<', '>', '`', '\\'];
    from + tail.find(stops).unwrap_or(tail.len())
}

/// The text of what a terminal was shown, lines apart, without colours and with secrets hidden.
pub fn plain_text(shown: &[u8]) -> String {
    let text = String::from_utf8_lossy(shown);
    let text = spaced(&text);
    let lines = text.split(['\n', '\r']).map(strip_control).filter(|line| !line.trim().is_empty());
    lines.map(|line| redact(&line).into_owned()).collect::<Vec<_>>().join("\n")
}

/// Programs that draw move the cursor instead of writing spaces: a move to the right, or to a column, parts words.
fn spaced(text: &str) -> String {
    let mut pieces = text.split("\x1b[");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        if piece[digits..].starts_with(['C', 'G']) && !out.ends_with(char::is_whitespace) {
            out.push(' ');
        }
        out.push_str("\x1b[");
        out.push_str(piece);
    }
    out
}

/// Takes out terminal control sequences and control characters other than tab.
pub(crate) fn strip_control(line: &str) -> Cow<'_, str> {
    if !line.contains(|c: char| c.is_control() && c != '\t') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' => skip_escape(&mut chars),
            '\t' => out.push(c),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// CSI (`ESC [ … letter`), OSC (`ESC ] … BEL` or `ESC \`), or two characters.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('[') => drop(chars.find(|c| matches!(c, '@'..='~'))),
        Some(']') => {
            while let Some(c) = chars.next() {
                if c == '\x07' || c == '\x1b' && chars.next_if_eq(&'\\').is_some() {
                    break;
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_secret_in_any_text_is_hidden(
            before in r#"(Bearer |key=|token: "|://|@|sk-|eyJ|é|\x1b\[|\x1b\]|[ -~]|\PC){0,40}"#,
            announced in prop::sample::select(vec!["api_key=", "token: \"", "Bearer ", "sk-ant-", "Cookie: "]),
            secret in "[a-z0-9]{20}",
            after in r#"([ -~]|\PC){0,20}"#,
        ) {
            let shown = redact(&strip_control(&format!("{before}\n"))).into_owned();
            prop_assert!(!shown.contains(char::is_control), "{shown:?}");
            let shown = redact(&format!("{before} {announced}{secret} {after}")).into_owned();
            prop_assert!(!shown.contains(&secret), "{shown:?}");
        }
    }

    #[test]
    fn secrets_are_hidden() {
        let cases = [
            ("Authorization: Bearer abcdef0123456789.xyz next", "Authorization: [redacted] next"),
            ("sent bearer abcdef0123456789 ok", "sent bearer [redacted] ok"),
            ("using sk-ant-api03-AAAA_bbbb.cc now", "using [redacted] now"),
            ("key=abc&model=x", "key=[redacted]&model=x"),
            ("GET /v1?api_key=abc123 HTTP", "GET /v1?api_key=[redacted] HTTP"),
            (r#"{"apiKey":"abc","n":1}"#, r#"{"apiKey":"[redacted]","n":1}"#),
            (r#"{"access_token": "a.b.c"}"#, r#"{"access_token": "[redacted]"}"#),
            ("ANTHROPIC_API_KEY=x1 ANTHROPIC_MODEL=y", "ANTHROPIC_API_KEY=[redacted] ANTHROPIC_MODEL=y"),
            ("proxy http://me:pw@host:80/x é", "proxy http://[redacted]@host:80/x é"),
            ("ghp_0123456789abcdef", "[redacted]"),
            ("password: hunter2", "password: [redacted]"),
        ];
        for (said, shown) in cases {
            assert_eq!(redact(said), shown);
        }
    }

    #[test]
    fn ordinary_text_stays() {
        for line in [
            "monkey=3 and keyboard: de",
            "the bearer of news",
            "http://host/path@2",
            "sk-8 board, tokens: are spent",
            "fatal: no credits left",
            "合并 👩‍💻 keys",
            "",
        ] {
            assert_eq!(redact(line), line);
        }
    }

    #[test]
    fn colours_go_and_text_stays() {
        assert_eq!(strip_control("\x1b[1;31mred\x1b[0m\tx\x07"), "red\tx");
        assert_eq!(strip_control("\x1b]0;title\x07a\x1b]8;;u\x1b\\b\x1b(Bc"), "abBc");
        assert_eq!(strip_control("plain é"), "plain é");
        assert_eq!(strip_control("cut \x1b["), "cut ");
    }

    #[test]
    fn words_that_a_program_drew_apart_stand_apart() {
        let drawn = "\x1b[2G\x1b[1mUnable\x1b[9Gto\x1b[12Gconnect\x1b[22m\r\r\n\x1b[4A\x1b[KSee\x1b[1Chere";
        assert_eq!(plain_text(drawn.as_bytes()), " Unable to connect\nSee here");
    }
}
