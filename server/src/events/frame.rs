//! Server-sent events as bytes: <https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream>.

use std::fmt::Write;

use axum::body::Bytes;

/// A comment: it keeps the connection and carries no id.
pub(super) const COMMENT: &str = ":\n\n";

/// Events on their way to the socket.
#[derive(Debug, Default)]
pub(super) struct Frames(String);

impl Frames {
    /// Adds an event. `data` is JSON, which has no line breaks outside of its strings and none unescaped in them.
    pub(super) fn push(&mut self, id: Option<i64>, kind: &str, data: &str) {
        if let Some(id) = id {
            // Writing to a string does not fail.
            let _ = writeln!(self.0, "id: {id}");
        }
        self.0.reserve(kind.len() + data.len() + 16);
        for piece in ["event: ", kind, "\ndata: ", data, "\n\n"] {
            self.0.push_str(piece);
        }
    }

    pub(super) fn comment(&mut self) {
        self.0.push_str(COMMENT);
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_bytes(self) -> Bytes {
        self.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_three_lines_and_a_blank_one() {
        let mut frames = Frames::default();
        frames.push(None, "hello", "{\"seq\":4}");
        frames.comment();
        frames.push(Some(5), "mark", "{}");
        let text = String::from_utf8(frames.into_bytes().to_vec()).unwrap();
        assert_eq!(text, "event: hello\ndata: {\"seq\":4}\n\n:\n\nid: 5\nevent: mark\ndata: {}\n\n");
    }
}
