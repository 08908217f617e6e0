//! The one writer: a transaction changes rows, appends to the feed, commits, rings.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use drover_domain::{AgentId, Event, TaskId, Timestamp};
use sqlx::SqliteConnection;
use tokio::runtime::Handle;
use tokio::sync::MutexGuard;

use crate::intent::Intent;
use crate::text::OpenTexts;
use crate::{Store, StoreError, link};

/// How long a command waits for its turn to write before it says that the store cannot be written.
const TURN: Duration = Duration::from_secs(15);

/// Whether a transaction is on the disk when its commit returns (`pragma synchronous`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// It survives a loss of power: what was acknowledged, and answers to an agent's questions.
    Full,
    /// It survives the end of the process.
    Normal,
}

/// The writing connection and what it knows.
pub(crate) struct Writer {
    pub(crate) conn: SqliteConnection,
    /// The greatest number of the feed.
    head: i64,
    texts: OpenTexts,
    /// What the connection is surely set to.
    durability: Option<Durability>,
    /// A transaction was given up in the middle: roll it back before the next.
    dirty: bool,
    closed: bool,
}

impl Writer {
    pub(crate) fn new(conn: SqliteConnection, head: i64) -> Self {
        Self { conn, head, texts: OpenTexts::default(), durability: None, dirty: false, closed: false }
    }

    /// Ends what was given up in the middle.
    pub(crate) async fn clean(&mut self, store: &Store) -> Result<(), StoreError> {
        if !self.dirty {
            return Ok(());
        }
        // There may be none to roll back: the commit may have gone through although nobody waited for it.
        let _ = sqlx::raw_sql("rollback").execute(&mut self.conn).await;
        let stored = sqlx::query_scalar!(r#"select coalesce(max(seq), 0) as "seq!: i64" from feed"#);
        let stored = stored.fetch_one(&mut self.conn).await?;
        if stored > self.head {
            self.head = stored;
            self.texts.keep();
        } else {
            self.texts.back_to(0);
        }
        self.dirty = false;
        store.ring(self.head, true);
        Ok(())
    }

    /// Lets nothing more be written.
    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    async fn begin(&mut self, store: &Store, durability: Durability) -> Result<(), StoreError> {
        if self.closed {
            return Err(StoreError::Closed);
        }
        self.clean(store).await?;
        if self.durability != Some(durability) {
            let pragma = match durability {
                Durability::Full => "pragma synchronous = full",
                Durability::Normal => "pragma synchronous = normal",
            };
            // Unknown meanwhile: who waits for this may be gone before it returns.
            self.durability = None;
            sqlx::raw_sql(pragma).execute(&mut self.conn).await?;
            self.durability = Some(durability);
        }
        self.dirty = true;
        if let Err(error) = sqlx::raw_sql("begin immediate").execute(&mut self.conn).await {
            self.dirty = false;
            return Err(error.into());
        }
        Ok(())
    }
}

/// An open write transaction. Dropped without [`Tx::commit`] it leaves no trace.
pub(crate) struct Tx<'a> {
    store: &'a Store,
    writer: MutexGuard<'a, Writer>,
    head: i64,
    intents: bool,
    /// Links to tell of at the end.
    links: BTreeSet<(TaskId, AgentId)>,
    /// When this happens.
    pub(crate) now: Timestamp,
}

/// A point within a transaction to go back to.
pub(crate) struct Savepoint {
    head: i64,
    intents: bool,
    texts: usize,
}

impl Store {
    pub(crate) async fn begin(&self, durability: Durability, now: Timestamp) -> Result<Tx<'_>, StoreError> {
        let turn = tokio::time::timeout(TURN, self.inner.writer.lock()).await;
        let writer = turn.map_err(|_| StoreError::Busy)?;
        // Made first: who waits for the begin may go away, and the transaction is there all the same.
        let mut tx = Tx { store: self, writer, head: 0, intents: false, links: BTreeSet::new(), now };
        tx.writer.begin(self, durability).await?;
        tx.head = tx.writer.head;
        Ok(tx)
    }

    /// Ends what was given up, so that no lock on the database is left behind.
    async fn tidy(&self) {
        if let Err(error) = self.inner.writer.lock().await.clean(self).await {
            tracing::debug!(%error, "a transaction could not be rolled back; the next one does it");
        }
    }
}

impl Tx<'_> {
    /// The connection, for queries.
    pub(crate) fn conn(&mut self) -> &mut SqliteConnection {
        &mut self.writer.conn
    }

    /// The texts that still grow.
    pub(crate) fn texts(&mut self) -> &mut OpenTexts {
        &mut self.writer.texts
    }

    /// The data directory.
    pub(crate) fn store_dir(&self) -> &std::path::Path {
        self.store.data_dir()
    }

    /// The most bytes that are kept of one large value.
    pub(crate) fn blob_cap(&self) -> usize {
        self.store.inner.blob_cap.load(Ordering::Relaxed)
    }

    /// The greatest number of the feed, this transaction's events included.
    pub(crate) const fn head(&self) -> i64 {
        self.head
    }

    /// Appends an event to the feed and returns its number.
    pub(crate) async fn emit(&mut self, event: &Event) -> Result<i64, StoreError> {
        let seq = self.head + 1;
        let (kind, data, at) = (event.kind(), event.data()?, self.now.as_millis());
        let task = event.content_of().map(|task| task.to_string());
        sqlx::query!(
            "insert into feed (seq, task_id, kind, data, at) values (?, ?, ?, ?, ?)",
            seq,
            task,
            kind,
            data,
            at
        )
        .execute(self.conn())
        .await?;
        self.head = seq;
        Ok(seq)
    }

    /// Notes what the supervisor is to do.
    pub(crate) async fn intend(&mut self, task: TaskId, intent: &Intent) -> Result<(), StoreError> {
        let (task, intent, at) = (task.to_string(), serde_json::to_string(intent)?, self.now.as_millis());
        sqlx::query!("insert into intents (task_id, intent, created_at) values (?, ?, ?)", task, intent, at)
            .execute(self.conn())
            .await?;
        self.intents = true;
        Ok(())
    }

    /// Marks a point to go back to. Points do not nest.
    pub(crate) async fn save(&mut self) -> Result<Savepoint, StoreError> {
        sqlx::raw_sql("savepoint facts").execute(self.conn()).await?;
        Ok(Savepoint { head: self.head, intents: self.intents, texts: self.writer.texts.changes() })
    }

    /// Keeps what was done since the point.
    pub(crate) async fn release(&mut self) -> Result<(), StoreError> {
        sqlx::raw_sql("release facts").execute(self.conn()).await?;
        Ok(())
    }

    /// Takes back what was done since the point.
    pub(crate) async fn back_to(&mut self, point: Savepoint) -> Result<(), StoreError> {
        sqlx::raw_sql("rollback to facts; release facts").execute(self.conn()).await?;
        (self.head, self.intents) = (point.head, point.intents);
        self.writer.texts.back_to(point.texts);
        Ok(())
    }

    /// Has a link told of at the end, once however often it changes.
    pub(crate) fn note_link(&mut self, task: TaskId, agent: &AgentId) {
        self.links.insert((task, agent.clone()));
    }

    /// Makes it so, then rings.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        for (task, agent) in std::mem::take(&mut self.links) {
            link::tell(&mut self, task, &agent).await?;
        }
        sqlx::raw_sql("commit").execute(self.conn()).await?;
        self.writer.dirty = false;
        self.writer.head = self.head;
        self.writer.texts.keep();
        self.store.ring(self.head, self.intents);
        Ok(())
    }
}

impl Drop for Tx<'_> {
    fn drop(&mut self) {
        if self.writer.dirty
            && let Ok(runtime) = Handle::try_current()
        {
            let store = self.store.clone();
            runtime.spawn(async move { store.tidy().await });
        }
    }
}

#[cfg(test)]
mod tests;
