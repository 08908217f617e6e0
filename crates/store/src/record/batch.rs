//! From the queue to transactions: what is written together, when, and again after a failure.

use std::sync::Weak;
use std::time::Duration;

use drover_domain::Timestamp;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::write::Writing;
use super::{Fact, Record, Refused, Reply};
use crate::open::Inner;
use crate::writer::Durability;
use crate::{Store, StoreError};

/// One tick for the text of the whole daemon.
const TICK: Duration = Duration::from_millis(33);
/// After this long without text the next goes out at once.
const QUIET: Duration = Duration::from_millis(100);
/// At most about this many bytes in a transaction …
const BYTES: usize = 4 << 20;
/// … and this many records, where it is not only text.
const RECORDS: usize = 512;
/// What a record of text weighs besides its text.
const RECORD: usize = 256;

/// Commits facts until every handle on the store is gone.
pub(crate) async fn write_facts(inner: Weak<Inner>, mut queue: mpsc::Receiver<Record>) {
    let mut last_text = Instant::now() - QUIET;
    while let Some(first) = queue.recv().await {
        let batch = gather(&mut queue, first, last_text).await;
        let text = batch.iter().any(Record::has_text);
        let Some(inner) = inner.upgrade() else { return };
        write(&Store { inner }, batch).await;
        if text {
            last_text = Instant::now();
        }
    }
}

/// What goes into the next transaction: all that waits, and while it is only text, all that comes until the tick. Text never leaves
/// before its tick, however much there is: then it waits in the queue, and those who tell it before that.
async fn gather(queue: &mut mpsc::Receiver<Record>, first: Record, last_text: Instant) -> Vec<Record> {
    let tick = if last_text.elapsed() >= QUIET { Instant::now() } else { last_text + TICK };
    let (mut only_text, mut bytes) = (first.is_text(), first.weight());
    let mut batch = vec![first];
    loop {
        if bytes >= BYTES || (!only_text && batch.len() >= RECORDS) {
            if only_text {
                tokio::time::sleep_until(tick).await;
            }
            return batch;
        }
        let next = match queue.try_recv() {
            Ok(record) => Some(record),
            Err(_) if only_text => tokio::time::timeout_at(tick, queue.recv()).await.ok().flatten(),
            Err(_) => None,
        };
        let Some(record) = next else { return batch };
        only_text &= record.is_text();
        bytes += record.weight();
        batch.push(record);
    }
}

impl Record {
    /// Whether it is only text that nobody waits for.
    pub(super) fn is_text(&self) -> bool {
        self.reply.is_none() && self.facts.iter().all(|fact| matches!(fact, Fact::TextAppended { .. }))
    }

    fn has_text(&self) -> bool {
        self.facts.iter().any(|fact| matches!(fact, Fact::TextAppended { .. }))
    }

    fn weight(&self) -> usize {
        let text = |fact: &Fact| if let Fact::TextAppended { text, .. } = fact { text.len() } else { 0 };
        RECORD + self.facts.iter().map(text).sum::<usize>()
    }
}

/// Writes a batch, again and again while the store cannot write.
async fn write(store: &Store, batch: Vec<Record>) {
    let mut pause = Duration::from_millis(100);
    loop {
        match attempt(store, &batch).await {
            Ok(replies) => {
                for (record, result) in batch.into_iter().zip(replies) {
                    answer(record, result);
                }
                return;
            }
            Err(error) if error.is_passing() => {
                tracing::warn!(%error, "what happened cannot be written now; trying again");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(2));
            }
            Err(error) => return one_by_one(store, batch, error).await,
        }
    }
}

/// One of these cannot be written, ever: the others are.
async fn one_by_one(store: &Store, mut batch: Vec<Record>, error: StoreError) {
    if batch.len() == 1
        && let Some(record) = batch.pop()
    {
        tracing::error!(%error, task = %record.task_id, "a fact cannot be written and is left out");
        return answer(record, Err(Refused::Store(error)));
    }
    tracing::error!(%error, "a fact cannot be written; writing those around it one by one");
    for record in batch {
        Box::pin(write(store, vec![record])).await;
    }
}

fn answer(record: Record, result: Result<Reply, Refused>) {
    if let Some(reply) = record.reply {
        // Who asked may have stopped waiting.
        let _ = reply.send(result);
    }
}

/// One transaction for a batch; on failure all is as before.
async fn attempt(store: &Store, batch: &[Record]) -> Result<Vec<Result<Reply, Refused>>, StoreError> {
    let now = batch.iter().map(|record| record.now).max().unwrap_or(Timestamp::from_millis(0));
    let mut tx = store.begin(Durability::Normal, now).await?;
    let mut writing = Writing::new(&mut tx);
    let mut replies = Vec::with_capacity(batch.len());
    for record in batch {
        replies.push(writing.record(record).await?);
    }
    writing.finish().await?;
    tx.commit().await?;
    Ok(replies)
}
