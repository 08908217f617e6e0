//! What goes on beside the writing: checkpoints on a connection of their own, the feed's window, what nobody needs any more.

mod prune;

use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::sync::atomic::Ordering;
use std::time::Duration;

use drover_domain::Timestamp;
use sqlx::SqliteConnection;
use tokio::time::Instant;

use crate::header::wal_of;
use crate::open::{Inner, connect_for_upkeep};
use crate::writer::Durability;
use crate::{Store, StoreError};

/// The log is written back once it has this many bytes …
pub(crate) const WAL: u64 = 1 << 20;
/// … and cut to nothing once it has this many, should readers have kept it from being used anew.
const WAL_CAP: u64 = 64 << 20;
/// How soon after a commit its log is looked at.
const PAUSE: Duration = Duration::from_millis(250);
/// How often what nobody needs is looked for.
const SWEEP: Duration = Duration::from_secs(600);
/// How long a close waits for what cannot be written.
const CLOSE: Duration = Duration::from_secs(3);

/// Runs until the store is gone.
pub(crate) async fn keep(inner: Weak<Inner>, path: PathBuf) {
    let Some(mut bell) = inner.upgrade().map(|inner| Store { inner }.feed_bell()) else {
        return;
    };
    let mut conn = None;
    let mut swept = Instant::now();
    while bell.changed().await.is_ok() {
        tokio::time::sleep(PAUSE).await;
        bell.borrow_and_update();
        if let Err(error) = checkpoint(&mut conn, &path).await {
            tracing::warn!(%error, "the log of the database could not be written back; trying again later");
            conn = None;
        }
        let Some(inner) = inner.upgrade() else { return };
        if swept.elapsed() >= SWEEP {
            swept = Instant::now();
            if let Err(error) = (Store { inner }).sweep().await {
                tracing::warn!(%error, "old entries could not be deleted; trying again later");
            }
        }
    }
}

async fn checkpoint(conn: &mut Option<SqliteConnection>, path: &Path) -> Result<(), StoreError> {
    let size = std::fs::metadata(wal_of(path)).map(|meta| meta.len()).unwrap_or(0);
    if size < WAL {
        return Ok(());
    }
    let conn = match conn {
        Some(conn) => conn,
        None => conn.insert(connect_for_upkeep(path).await?),
    };
    let pragma = if size >= WAL_CAP { "pragma wal_checkpoint(truncate)" } else { "pragma wal_checkpoint(passive)" };
    sqlx::raw_sql(pragma).execute(conn).await?;
    Ok(())
}

impl Store {
    /// Deletes what is past its time: entries of the feed outside its window, intents that were acted on, keys and codes of before,
    /// files of blobs that are gone. Runs by itself every ten minutes while something happens.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn sweep(&self) -> Result<(), StoreError> {
        let now = newest(self).await?;
        self.prune_feed(now).await?;
        let mut tx = self.begin(Durability::Normal, Timestamp::from_millis(now)).await?;
        let (hour, day) = (now - 3_600_000, now - 86_400_000);
        sqlx::query!("delete from intents where created_at < ?", hour).execute(tx.conn()).await?;
        sqlx::query!("delete from idempotency where created_at < ?", day).execute(tx.conn()).await?;
        sqlx::query!("delete from browsers where expires_at < ?", now).execute(tx.conn()).await?;
        tx.commit().await?;
        self.sweep_blob_files().await
    }

    /// Writes all that waits and the log back, and lets nothing more in: later calls that write say [`StoreError::Closed`]. Call it last.
    ///
    /// # Errors
    /// Where what waits cannot be written within a few seconds.
    pub async fn close(&self) -> Result<(), StoreError> {
        let flushed = tokio::time::timeout(CLOSE, self.flush()).await;
        self.inner.closed.store(true, Ordering::Release);
        let mut writer = self.inner.writer.lock().await;
        writer.close();
        flushed.map_err(|_| StoreError::Io("what happened last could not be written".to_owned()))??;
        writer.clean(self).await?;
        // Who still reads is not waited for: then the log stays, and the next start finds it.
        sqlx::raw_sql("pragma busy_timeout = 100").execute(&mut writer.conn).await?;
        sqlx::raw_sql("pragma wal_checkpoint(truncate)").execute(&mut writer.conn).await?;
        Ok(())
    }
}

/// When the newest entry was written: the store has no clock of its own.
async fn newest(store: &Store) -> Result<i64, StoreError> {
    let newest =
        sqlx::query_scalar!(r#"select coalesce((select at from feed order by seq desc limit 1), 0) as "at!: i64""#);
    Ok(newest.fetch_one(&store.inner.readers).await?)
}
