//! One reader of the feed: it holds its cursor and nothing else while its socket takes no more.

use std::time::Duration;

use axum::body::Bytes;
use drover_domain::Event;
use drover_domain::event::{Hello, Mark, Reset};
use drover_store::{Cursor, FeedRow, Store, StoreError};
use futures_util::Stream;
use futures_util::stream::unfold;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::sync::CancellationToken;

use super::Start;
use super::connections::Connection;
use super::frame::Frames;

/// Events in one read of the feed.
const PAGE: i64 = 256;
/// As docs/api.md has it.
pub(crate) const PACE: Pace = Pace { comment: Duration::from_secs(15), mark: Duration::from_secs(10) };

/// How often a quiet reader is told something.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// A comment, which keeps the connection.
    pub(crate) comment: Duration,
    /// At most: a mark, where what came was not for this reader.
    pub(crate) mark: Duration,
}

struct Reader {
    store: Store,
    connection: Connection,
    bell: watch::Receiver<i64>,
    stop: CancellationToken,
    comments: tokio::time::Interval,
    /// All up to here was sent or filtered out.
    cursor: i64,
    /// The greatest id that was sent.
    told: i64,
    marked_at: Instant,
    mark: Duration,
    begun: Option<Begin>,
}

/// What is sent first.
struct Begin {
    start: Start,
    version: &'static str,
    build: String,
}

/// The stream of a connection: pieces of whole events. Ends when the daemon stops or the connection's browser is revoked, and where
/// the feed cannot be read: the reader comes back with its cursor.
pub(crate) fn stream(
    store: Store,
    connection: Connection,
    start: Start,
    stop: CancellationToken,
    pace: Pace,
) -> impl Stream<Item = Result<Bytes, StoreError>> {
    let now = Instant::now();
    let mut comments = interval_at(now + pace.comment, pace.comment);
    comments.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let reader = Reader {
        bell: store.feed_bell(),
        store,
        connection,
        stop,
        comments,
        cursor: 0,
        told: 0,
        marked_at: now,
        mark: pace.mark,
        begun: Some(Begin { start, version: env!("CARGO_PKG_VERSION"), build: drover_assets::build_hash() }),
    };
    unfold(Some(reader), |reader| async {
        let mut reader = reader?;
        match reader.next().await {
            Ok(Some(frames)) => Some((Ok(frames.into_bytes()), Some(reader))),
            Ok(None) => None,
            Err(error) => {
                tracing::warn!(%error, "an event stream ends: the feed cannot be read");
                Some((Err(error), None))
            }
        }
    })
}

impl Reader {
    /// The next piece to send; `None` at the end.
    async fn next(&mut self) -> Result<Option<Frames>, StoreError> {
        if let Some(begin) = self.begun.take() {
            return self.begin(begin).await.map(Some);
        }
        loop {
            let frames = self.catch_up().await?;
            if !frames.is_empty() {
                return Ok(Some(frames));
            }
            let mut frames = Frames::default();
            tokio::select! {
                _ = self.stop.cancelled() => return Ok(None),
                _ = self.connection.end.cancelled() => return Ok(None),
                rung = self.bell.changed() => if rung.is_err() { return Ok(None) },
                _ = self.comments.tick() => frames.comment(),
                () = tokio::time::sleep_until(self.marked_at + self.mark), if self.told < self.cursor => self.mark(&mut frames)?,
            }
            if !frames.is_empty() {
                return Ok(Some(frames));
            }
        }
    }

    async fn begin(&mut self, begin: Begin) -> Result<Frames, StoreError> {
        let head = *self.bell.borrow_and_update();
        let hello = Hello {
            connection: self.connection.name.clone(),
            instance_id: self.store.instance_id().to_owned(),
            seq: head,
            version: begin.version.to_owned(),
            build: begin.build,
        };
        let mut frames = Frames::default();
        push(&mut frames, None, &Event::Hello(hello))?;
        let good = match begin.start {
            Start::Now => Some(head),
            Start::After(seq) => match self.store.cursor(seq).await? {
                Cursor::Good => Some(seq),
                Cursor::Reset => None,
            },
            Start::Lost => None,
        };
        match good {
            Some(seq) => (self.cursor, self.told) = (seq, seq),
            None => self.reset(&mut frames, head)?,
        }
        Ok(frames)
    }

    /// Sends what is committed after the cursor: a page of it, empty where there is nothing for this reader.
    async fn catch_up(&mut self) -> Result<Frames, StoreError> {
        let mut frames = Frames::default();
        loop {
            // Nothing above the head is sent: who sees a number can ask for it at once.
            let head = *self.bell.borrow_and_update();
            if self.cursor >= head || self.stop.is_cancelled() || self.connection.end.is_cancelled() {
                return Ok(frames);
            }
            let mut rows = self.store.feed_after(self.cursor, PAGE).await?;
            rows.retain(|row| row.seq <= head);
            if self.is_cut(rows.first()).await? {
                self.reset(&mut frames, head)?;
                return Ok(frames);
            }
            let filter = self.connection.filter();
            self.cursor = rows.last().map_or(head, |row| row.seq);
            for row in rows.iter().filter(|row| filter.passes(row.task_id.as_deref())) {
                frames.push(Some(row.seq), &row.kind, &row.data);
                self.told = row.seq;
            }
            if !frames.is_empty() {
                return Ok(frames);
            }
        }
    }

    /// Whether events between the cursor and the next one are not kept any more: this reader was too slow.
    async fn is_cut(&self, next: Option<&FeedRow>) -> Result<bool, StoreError> {
        let follows = next.is_some_and(|row| row.seq == self.cursor + 1);
        Ok(!follows && self.store.cursor(self.cursor).await? == Cursor::Reset)
    }

    fn reset(&mut self, frames: &mut Frames, head: i64) -> Result<(), StoreError> {
        (self.cursor, self.told) = (head, head);
        push(frames, Some(head), &Event::Reset(Reset { seq: head }))
    }

    fn mark(&mut self, frames: &mut Frames) -> Result<(), StoreError> {
        self.told = self.cursor;
        self.marked_at = Instant::now();
        push(frames, Some(self.cursor), &Event::Mark(Mark {}))
    }
}

fn push(frames: &mut Frames, id: Option<i64>, event: &Event) -> Result<(), StoreError> {
    frames.push(id, event.kind(), &event.data()?);
    Ok(())
}
