//! What goes on beside the writing: checkpoints on a connection of their own, the feed's window, what nobody needs any more.

use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::time::Duration;

use drover_domain::Timestamp;
use sqlx::SqliteConnection;
use tokio::time::Instant;

use crate::open::{Inner, connect_for_upkeep};
use crate::writer::Durability;
use crate::{Store, StoreError};

/// The log is written back once it is this large …
const WAL: u64 = 1 << 20;
/// … and cut to nothing once it is this large, should readers have kept it from being used anew.
const WAL_CAP: u64 = 64 << 20;
/// How soon after a commit its log is looked at.
const PAUSE: Duration = Duration::from_millis(250);
/// How often what nobody needs is looked for.
const SWEEP: Duration = Duration::from_secs(600);
/// How many rows of the feed are deleted in one transaction, so that nobody waits long for the writer.
const PRUNE: i64 = 2_000;

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
    let size = std::fs::metadata(path.with_extension("db-wal")).map(|meta| meta.len()).unwrap_or(0);
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
    /// Deletes what is past its time: entries of the feed outside its window, intents that were acted on, keys and codes of before.
    pub(crate) async fn sweep(&self) -> Result<(), StoreError> {
        let now = newest(self).await?;
        while self.prune_feed(now).await? {}
        let mut tx = self.begin(Durability::Normal, Timestamp::from_millis(now)).await?;
        let (hour, day) = (now - 3_600_000, now - 86_400_000);
        sqlx::query!("delete from intents where created_at < ?", hour).execute(tx.conn()).await?;
        sqlx::query!("delete from idempotency where created_at < ?", day).execute(tx.conn()).await?;
        sqlx::query!("delete from browsers where expires_at < ?", now).execute(tx.conn()).await?;
        tx.commit().await?;
        self.sweep_blob_files().await
    }

    /// Deletes one batch from the old end of the feed; `false` when all that is left belongs there.
    async fn prune_feed(&self, now: i64) -> Result<bool, StoreError> {
        let window = self.inner.window;
        let mut tx = self.begin(Durability::Normal, Timestamp::from_millis(now)).await?;
        let old = now - window.millis;
        // The number of rows is told by the ends: numbers run on but for the gaps, which only make it look like more.
        let row = sqlx::query!(
            r#"select
                (select count(*) from feed) as "entries!: i64",
                (select coalesce(sum(length(data)) + count(*) * 64, 0) from feed) as "bytes!: i64",
                (select coalesce(min(open_seq), 9223372036854775807) from parts where open_seq is not null) as "open!: i64""#
        )
        .fetch_one(tx.conn())
        .await?;
        let over = row.bytes > window.bytes;
        let spare = row.entries - window.entries;
        if !over && spare <= 0 {
            return Ok(false);
        }
        let batch = if over { PRUNE } else { spare.min(PRUNE) };
        let last = sqlx::query_scalar!(
            r#"select max(seq) as "seq?: i64" from (select seq from feed where (at < ?1 or ?2) and seq <= ?3 order by seq limit ?4)"#,
            old,
            over,
            row.open,
            batch
        )
        .fetch_one(tx.conn())
        .await?;
        let Some(last) = last else { return Ok(false) };
        sqlx::query!("delete from feed where seq <= ?", last).execute(tx.conn()).await?;
        sqlx::query!(
            "delete from feed_gaps where until_seq < ? and until_seq < (select max(until_seq) from feed_gaps)",
            last
        )
        .execute(tx.conn())
        .await?;
        let text = last.to_string();
        sqlx::query!(
            "insert into meta (key, value) values ('pruned_to', ?1) on conflict (key) do update set value = ?1",
            text
        )
        .execute(tx.conn())
        .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// Writes all that waits, writes the log back, and lets no more facts in. Call it last.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.flush().await?;
        let mut writer = self.inner.writer.lock().await;
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
