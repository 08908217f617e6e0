//! The one writer: a transaction changes rows, appends to the feed, commits, rings.

use std::time::Duration;

use drover_domain::{Event, TaskId, Timestamp};
use sqlx::SqliteConnection;
use tokio::sync::MutexGuard;

use crate::intent::Intent;
use crate::{Store, StoreError};

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
    pub(crate) head: i64,
    durability: Option<Durability>,
    /// A transaction was given up in the middle: roll it back before the next.
    dirty: bool,
}

impl Writer {
    pub(crate) fn new(conn: SqliteConnection, head: i64) -> Self {
        Self { conn, head, durability: None, dirty: false }
    }

    async fn clean(&mut self, store: &Store) -> Result<(), StoreError> {
        // There may be none to roll back: the commit may have gone through although nobody waited for it.
        let _ = sqlx::raw_sql("rollback").execute(&mut self.conn).await;
        let stored: Option<i64> = sqlx::query_scalar("select max(seq) from feed").fetch_one(&mut self.conn).await?;
        if let Some(stored) = stored.filter(|stored| *stored > self.head) {
            self.head = stored;
            store.ring(self.head, true);
        }
        self.dirty = false;
        Ok(())
    }

    async fn begin(&mut self, store: &Store, durability: Durability) -> Result<(), StoreError> {
        if self.dirty {
            self.clean(store).await?;
        }
        if self.durability != Some(durability) {
            let pragma = match durability {
                Durability::Full => "pragma synchronous = full",
                Durability::Normal => "pragma synchronous = normal",
            };
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
    /// When this happens.
    pub(crate) now: Timestamp,
}

impl Store {
    pub(crate) async fn begin(&self, durability: Durability, now: Timestamp) -> Result<Tx<'_>, StoreError> {
        let turn = tokio::time::timeout(TURN, self.inner.writer.lock()).await;
        let mut writer = turn.map_err(|_| StoreError::Busy)?;
        writer.begin(self, durability).await?;
        let head = writer.head;
        Ok(Tx { store: self, writer, head, intents: false, now })
    }
}

impl Tx<'_> {
    /// The connection, for queries.
    pub(crate) fn conn(&mut self) -> &mut SqliteConnection {
        &mut self.writer.conn
    }

    /// The data directory.
    pub(crate) fn store_dir(&self) -> &std::path::Path {
        self.store.data_dir()
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

    /// Makes it so, then rings.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        sqlx::raw_sql("commit").execute(self.conn()).await?;
        self.writer.dirty = false;
        self.writer.head = self.head;
        self.store.ring(self.head, self.intents);
        Ok(())
    }
}
