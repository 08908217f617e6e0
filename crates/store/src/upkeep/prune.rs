//! The feed's window: its old end is deleted, in batches, so that nobody waits long for the writer.

use drover_domain::Timestamp;
use sqlx::SqliteConnection;
use tokio_stream::StreamExt;

use crate::writer::Durability;
use crate::{Store, StoreError};

/// How many rows are deleted in one transaction.
const BATCH: i64 = 2_000;
/// How many rows are counted in one read.
const COUNT: i64 = 20_000;
/// What a row weighs besides its data.
const ROW: i64 = 64;

impl Store {
    /// Deletes what is outside the window. `now` is in milliseconds since 1970.
    pub(super) async fn prune_feed(&self, now: i64) -> Result<(), StoreError> {
        let Some(end) = self.end_of_old(now).await? else { return Ok(()) };
        while self.prune_batch(now, end).await? {}
        Ok(())
    }

    /// The number up to which all may go. `None`: all stays. Counted once, in short reads: what comes meanwhile is for the next time.
    async fn end_of_old(&self, now: i64) -> Result<Option<i64>, StoreError> {
        let window = self.inner.window;
        let mut conn = self.inner.readers.acquire().await?;
        let feed = weigh(&mut conn).await?;
        let open = sqlx::query_scalar!(r#"select min(open_seq) as "open?: i64" from parts where open_seq is not null"#);
        let open = open.fetch_one(&mut *conn).await?;
        let aged = aged(&mut conn, now - window.millis, feed.entries - window.entries).await?;
        let excess = feed.bytes - window.bytes;
        let heavy = if excess > 0 { heaviest(&mut conn, excess).await? } else { None };
        // Text that still grows is in its appends only, and the newest row tells how far the numbers went.
        let keep = open.unwrap_or(i64::MAX).min(feed.newest - 1);
        Ok(aged.max(heavy).map(|end| end.min(keep)).filter(|end| *end > 0))
    }

    /// Deletes one batch; `false` after the last.
    async fn prune_batch(&self, now: i64, end: i64) -> Result<bool, StoreError> {
        let mut tx = self.begin(Durability::Normal, Timestamp::from_millis(now)).await?;
        let last = sqlx::query_scalar!(
            r#"select max(seq) as "seq?: i64" from (select seq from feed where seq <= ? order by seq limit ?)"#,
            end,
            BATCH
        );
        let Some(last) = last.fetch_one(tx.conn()).await? else { return Ok(false) };
        sqlx::query!("delete from feed where seq <= ?", last).execute(tx.conn()).await?;
        let gaps = sqlx::query!(
            "delete from feed_gaps where until_seq < ? and until_seq < (select max(until_seq) from feed_gaps)",
            last
        );
        gaps.execute(tx.conn()).await?;
        let text = last.to_string();
        let note = sqlx::query!(
            "insert into meta (key, value) values ('pruned_to', ?1) on conflict (key) do update set value = ?1",
            text
        );
        note.execute(tx.conn()).await?;
        tx.commit().await?;
        Ok(last < end)
    }
}

#[derive(Default)]
struct Weight {
    entries: i64,
    bytes: i64,
    newest: i64,
}

async fn weigh(conn: &mut SqliteConnection) -> Result<Weight, StoreError> {
    let mut feed = Weight::default();
    loop {
        let row = sqlx::query!(
            r#"select count(*) as "entries!: i64", coalesce(sum(octet_length(data)), 0) as "bytes!: i64", max(seq) as "newest?: i64"
               from (select seq, data from feed where seq > ? order by seq limit ?)"#,
            feed.newest,
            COUNT
        );
        let row = row.fetch_one(&mut *conn).await?;
        let Some(newest) = row.newest else { return Ok(feed) };
        feed.entries += row.entries;
        feed.bytes += row.bytes + row.entries * ROW;
        feed.newest = newest;
    }
}

/// The end of the rows that are both older than `old` and beyond the number of rows that is kept whatever their age.
async fn aged(conn: &mut SqliteConnection, old: i64, spare: i64) -> Result<Option<i64>, StoreError> {
    if spare <= 0 {
        return Ok(None);
    }
    let young = sqlx::query_scalar!(r#"select seq as "seq!" from feed where at >= ? order by seq limit 1"#, old);
    let young = young.fetch_optional(&mut *conn).await?.map_or(i64::MAX, |seq| seq - 1);
    let beyond = sqlx::query_scalar!(r#"select seq as "seq!" from feed order by seq limit 1 offset ?"#, spare);
    let beyond = beyond.fetch_optional(conn).await?.map_or(i64::MAX, |seq| seq - 1);
    Ok(Some(young.min(beyond)))
}

/// The end of the oldest rows that together weigh at least `excess`.
async fn heaviest(conn: &mut SqliteConnection, excess: i64) -> Result<Option<i64>, StoreError> {
    let mut rows =
        sqlx::query!(r#"select seq as "seq!", octet_length(data) as "bytes!: i64" from feed order by seq"#).fetch(conn);
    let (mut freed, mut end) = (0, None);
    while freed < excess
        && let Some(row) = rows.next().await
    {
        let row = row?;
        freed += row.bytes + ROW;
        end = Some(row.seq);
    }
    Ok(end)
}
