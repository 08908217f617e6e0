//! The last of what an agent wrote to stderr, fit to be shown.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::redact::{redact, strip_control};

/// Longer lines are cut here; agents print megabytes without a line end.
const LONGEST_LINE: usize = 8 * 1024;

/// A ring of whole lines, redacted as they come in.
#[derive(Debug)]
pub(crate) struct StderrRing {
    lines: VecDeque<String>,
    bytes: usize,
    capacity: usize,
}

impl StderrRing {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { lines: VecDeque::new(), bytes: 0, capacity }
    }

    fn push(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text = strip_control(text.trim_end());
        let shown = redact(&text).into_owned();
        self.bytes += shown.len() + 1;
        self.lines.push_back(shown);
        while self.bytes > self.capacity {
            let Some(oldest) = self.lines.pop_front() else { break };
            self.bytes -= oldest.len() + 1;
        }
    }

    /// The last lines that fit into `max` bytes; of a longer last line, its end.
    pub(crate) fn tail(&self, max: usize) -> String {
        let mut left = max;
        let fits = |line: &&String| match left.checked_sub(line.len() + 1) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        let count = self.lines.iter().rev().take_while(fits).count();
        if count == 0 {
            let last = self.lines.back().map_or("", String::as_str);
            return last[last.ceil_char_boundary(last.len().saturating_sub(max))..].to_owned();
        }
        let lines: Vec<&str> = self.lines.range(self.lines.len() - count..).map(String::as_str).collect();
        lines.join("\n")
    }
}

/// Reads stderr from the first byte to the last, so that an agent never blocks on it.
pub(crate) async fn drain(mut stderr: impl AsyncRead + Unpin, ring: Arc<Mutex<StderrRing>>) {
    let mut line = Vec::new();
    let mut chunk = vec![0; 16 * 1024];
    loop {
        let read = match stderr.read(&mut chunk).await {
            Ok(0) | Err(_) => break,
            Ok(read) => read,
        };
        let mut ring = ring.lock().unwrap_or_else(PoisonError::into_inner);
        for piece in chunk[..read].split_inclusive(|byte| *byte == b'\n') {
            line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                ring.push(&line);
                line.clear();
            } else if line.len() > LONGEST_LINE {
                let cut = cut_point(&line);
                ring.push(&line[..cut]);
                line.drain(..cut);
            }
        }
    }
    if !line.is_empty() {
        ring.lock().unwrap_or_else(PoisonError::into_inner).push(&line);
    }
}

/// Cuts behind a blank where there is one near the end, so that neither a word nor a secret is torn.
fn cut_point(line: &[u8]) -> usize {
    let blank = line.iter().rposition(u8::is_ascii_whitespace).filter(|at| *at > line.len() / 2);
    blank.map_or(line.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ring_of(bytes: &[u8], capacity: usize) -> StderrRing {
        let ring = Arc::new(Mutex::new(StderrRing::new(capacity)));
        drain(bytes, Arc::clone(&ring)).await;
        Arc::into_inner(ring).unwrap().into_inner().unwrap()
    }

    #[tokio::test]
    async fn the_tail_is_clean() {
        let ring = ring_of(b"one\n\x1b[31mtwo \xff\xfe\x1b[0m\r\nkey=abc\nlast", 1000).await;
        assert_eq!(ring.tail(1000), "one\ntwo \u{fffd}\u{fffd}\nkey=[redacted]\nlast");
        assert_eq!(ring.tail(8), "last");
        assert_eq!(ring.tail(3), "ast");
        assert_eq!(StderrRing::new(10).tail(10), "");
    }

    #[tokio::test]
    async fn a_flood_without_line_ends_is_bounded() {
        let ring = ring_of(&vec![b'x'; 5_000_000], 100_000).await;
        assert!(ring.bytes <= 100_000 && ring.bytes > 80_000, "{}", ring.bytes);
    }
}
