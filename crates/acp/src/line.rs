//! Bytes to lines: bounded, never quadratic, and never fatal.

use std::io;
use std::ops::Range;

use memchr::memchr;
use tokio::io::{AsyncRead, AsyncReadExt};

/// What is kept of a line that is too long.
const KEPT_PREFIX: usize = 64 * 1024;
/// The buffer's size while lines are short.
const CHUNK: usize = 64 * 1024;

/// A line found in the reader's buffer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Its place, for [`LineReader::bytes`]; valid until the next call of [`LineReader::next`].
    Whole(Range<usize>),
    /// Longer than the cap. Its length without the line's end, and its beginning.
    Oversize { len: u64, prefix: Vec<u8> },
}

/// Splits a stream at `\n`. A byte is looked at once, however the stream is cut.
pub(crate) struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where the line that is being read begins.
    start: usize,
    /// Up to here no line end has been found.
    scanned: usize,
    max_line: usize,
    skipping: Option<Skipped>,
    ended: bool,
}

struct Skipped {
    len: u64,
    prefix: Vec<u8>,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(crate) fn new(source: R, max_line: usize) -> Self {
        Self { source, buffer: Vec::new(), start: 0, scanned: 0, max_line, skipping: None, ended: false }
    }

    /// The next line, `None` at the end. The last line needs no line end. Safe to drop while it waits.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(self.take_rest());
            }
            self.make_room();
            self.ended = self.source.read_buf(&mut self.buffer).await? == 0;
        }
    }

    pub(crate) fn bytes(&self, line: Range<usize>) -> &[u8] {
        &self.buffer[line]
    }

    fn take_line(&mut self) -> Option<Line> {
        let Some(offset) = memchr(b'\n', &self.buffer[self.scanned..]) else {
            self.scanned = self.buffer.len();
            if self.skipping.is_some() || self.scanned - self.start > self.max_line {
                self.skip_buffer();
            }
            return None;
        };
        let end = self.scanned + offset;
        let line = self.start..end;
        self.start = end + 1;
        self.scanned = end + 1;
        Some(self.finish(line))
    }

    fn take_rest(&mut self) -> Option<Line> {
        let line = self.start..self.buffer.len();
        self.start = self.buffer.len();
        self.scanned = self.start;
        (!line.is_empty() || self.skipping.is_some()).then(|| self.finish(line))
    }

    fn finish(&mut self, line: Range<usize>) -> Line {
        if let Some(skipped) = self.skipping.take() {
            return Line::Oversize { len: skipped.len + line.len() as u64, prefix: skipped.prefix };
        }
        if line.len() > self.max_line {
            let prefix = self.buffer[line.start..line.end.min(line.start + KEPT_PREFIX)].to_vec();
            return Line::Oversize { len: line.len() as u64, prefix };
        }
        Line::Whole(line)
    }

    fn skip_buffer(&mut self) {
        let pending = &self.buffer[self.start..];
        let skipped = self
            .skipping
            .get_or_insert_with(|| Skipped { len: 0, prefix: pending[..pending.len().min(KEPT_PREFIX)].to_vec() });
        skipped.len += pending.len() as u64;
        self.buffer.clear();
        self.start = 0;
        self.scanned = 0;
    }

    /// Drops what has been handed out and makes place for the next read, doubling up to the cap.
    fn make_room(&mut self) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.buffer.len() < CHUNK && self.buffer.capacity() > 16 * CHUNK {
            self.buffer.shrink_to(CHUNK);
        }
        let capacity = self.buffer.capacity();
        if capacity - self.buffer.len() < CHUNK / 4 {
            let ceiling = self.max_line.saturating_add(CHUNK);
            let wanted = (capacity * 2).clamp(CHUNK, ceiling.max(CHUNK)).max(self.buffer.len() + CHUNK / 4);
            self.buffer.reserve_exact(wanted - self.buffer.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    use proptest::prelude::*;
    use tokio::io::ReadBuf;

    use super::*;

    /// Gives its pieces one per read.
    struct Pieces(VecDeque<Vec<u8>>);

    impl AsyncRead for Pieces {
        fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
            if let Some(mut piece) = self.0.pop_front() {
                let rest = piece.split_off(piece.len().min(buf.remaining()));
                buf.put_slice(&piece);
                if !rest.is_empty() {
                    self.0.push_front(rest);
                }
            }
            Poll::Ready(Ok(()))
        }
    }

    #[derive(Debug, PartialEq, Eq)]
    enum Owned {
        Whole(Vec<u8>),
        Oversize(u64, Vec<u8>),
    }

    fn read_all(pieces: Vec<Vec<u8>>, max_line: usize) -> Vec<Owned> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let pieces = pieces.into_iter().filter(|piece| !piece.is_empty()).collect();
            let mut reader = LineReader::new(Pieces(pieces), max_line);
            let mut lines = Vec::new();
            while let Some(line) = reader.next().await.unwrap() {
                lines.push(match line {
                    Line::Whole(range) => Owned::Whole(reader.bytes(range).to_vec()),
                    Line::Oversize { len, prefix } => Owned::Oversize(len, prefix),
                });
            }
            lines
        })
    }

    /// What the reader must do, said in the plainest way.
    fn model(bytes: &[u8], max_line: usize) -> Vec<Owned> {
        let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
        if lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
        }
        let owned = |line: &[u8]| match line.len() > max_line {
            true => Owned::Oversize(line.len() as u64, line[..line.len().min(KEPT_PREFIX)].to_vec()),
            false => Owned::Whole(line.to_vec()),
        };
        lines.into_iter().map(owned).collect()
    }

    /// Prefixes differ only in how much of a long line had arrived when it was given up.
    fn without_prefixes(lines: Vec<Owned>) -> Vec<Owned> {
        let strip = |line| match line {
            Owned::Oversize(len, _) => Owned::Oversize(len, Vec::new()),
            whole => whole,
        };
        lines.into_iter().map(strip).collect()
    }

    proptest! {
        #[test]
        fn any_split_gives_the_same_lines(
            bytes in prop::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n')], 0..2000),
            mut cuts in prop::collection::vec(0usize..2000, 0..40),
            max_line in 1usize..200,
        ) {
            cuts.push(bytes.len());
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts {
                let cut = cut.min(bytes.len());
                pieces.push(bytes[from..cut].to_vec());
                from = cut;
            }
            let lines = read_all(pieces, max_line);
            prop_assert_eq!(without_prefixes(lines), without_prefixes(model(&bytes, max_line)));
        }
    }

    #[test]
    fn a_letter_cut_in_two_stays_whole() {
        let text = "合并 👩‍💻 é ≤\n";
        let pieces = text.bytes().map(|byte| vec![byte]).collect();
        assert_eq!(read_all(pieces, 1000), [Owned::Whole(text.trim_end().into())]);
    }

    #[test]
    fn the_line_after_a_long_one_is_read() {
        let mut long = vec![b'a'; 3_000_000];
        long.extend_from_slice(b"\nnext\nlast");
        let pieces = long.chunks(4096).map(<[u8]>::to_vec).collect();
        let lines = read_all(pieces, 1_000_000);
        let [Owned::Oversize(3_000_000, prefix), Owned::Whole(next), Owned::Whole(last)] = &lines[..] else {
            panic!("{} lines", lines.len());
        };
        assert_eq!(prefix, &vec![b'a'; KEPT_PREFIX]);
        assert_eq!((&next[..], &last[..]), (&b"next"[..], &b"last"[..]));
    }

    #[test]
    fn a_line_at_the_cap_is_read_within_bounded_memory() {
        let max_line = 8 * 1024 * 1024;
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut bytes = vec![b'x'; max_line];
            bytes.extend_from_slice(b"\nshort\n");
            let mut reader = LineReader::new(&bytes[..], max_line);
            assert_eq!(reader.next().await.unwrap(), Some(Line::Whole(0..max_line)));
            assert!(reader.buffer.capacity() <= max_line + 2 * CHUNK, "{}", reader.buffer.capacity());
            assert!(matches!(reader.next().await.unwrap(), Some(Line::Whole(_))));
            assert_eq!(reader.next().await.unwrap(), None);
            assert!(reader.buffer.capacity() <= 2 * CHUNK, "{}", reader.buffer.capacity());
        });
    }
}
