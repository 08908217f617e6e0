//! The change feed: one row an event, the same for every reader.

use crate::{Store, StoreError};

/// One event as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRow {
    /// Its number.
    pub seq: i64,
    /// The task whose content it tells of; `None` for the small state events that every reader gets.
    pub task_id: Option<String>,
    /// What stands behind `event:`.
    pub kind: String,
    /// What stands behind `data:`: JSON on one line.
    pub data: String,
}

/// Whether a cursor can be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cursor {
    /// All that came after it is kept.
    Good,
    /// It is older than what is kept, in a gap, or not of this database: take snapshots again.
    Reset,
}

impl Store {
    /// The events after `after`, oldest first: at most `limit`, and no more than about 1 MiB of data (but always one, if there is one).
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn feed_after(&self, after: i64, limit: i64) -> Result<Vec<FeedRow>, StoreError> {
        use tokio_stream::StreamExt;

        const BYTES: usize = 1 << 20;
        let mut rows = sqlx::query!(
            r#"select seq as "seq!", task_id, kind, data from feed where seq > ? order by seq limit ?"#,
            after,
            limit
        )
        .fetch(&self.inner.readers);
        let (mut page, mut bytes) = (Vec::new(), 0);
        while let Some(row) = rows.next().await {
            let row = row?;
            bytes += row.data.len();
            page.push(FeedRow { seq: row.seq, task_id: row.task_id, kind: row.kind, data: row.data });
            if bytes >= BYTES {
                break;
            }
        }
        Ok(page)
    }

    /// Whether a reader that has seen all up to `after` can go on from there.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn cursor(&self, after: i64) -> Result<Cursor, StoreError> {
        let row = sqlx::query!(
            r#"select
                (select coalesce(max(seq), 0) from feed) as "newest!: i64",
                exists (select 1 from feed_gaps where after_seq < ?1 and ?1 < until_seq) as "lost!: bool",
                (select cast(value as integer) from meta where key = 'pruned_to') as "pruned_to?: i64""#,
            after
        )
        .fetch_one(&self.inner.readers)
        .await?;
        // A commit is seen by readers a moment before its bell rings.
        let unknown = after < 0 || after > row.newest.max(self.head());
        let too_old = after < row.pruned_to.unwrap_or(0);
        Ok(if unknown || row.lost || too_old { Cursor::Reset } else { Cursor::Good })
    }
}
