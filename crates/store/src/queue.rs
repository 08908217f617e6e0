//! The queue of a task and the numbers of its messages.

use drover_domain::{RunId, TaskId};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{Store, StoreError, message};

/// The queued runs of a task, in order.
pub(crate) async fn of_task(conn: &mut SqliteConnection, task: TaskId) -> Result<Vec<RunId>, StoreError> {
    let task = task.to_string();
    let ids = sqlx::query_scalar!("select id from runs where task_id = ? and state = 'queued' order by place", task);
    ids.fetch_all(conn).await?.into_iter().map(|id| Ok(id.parse()?)).collect()
}

/// Gives queued messages the places behind all others and tells of those that moved (lifecycle rule 21).
pub(crate) async fn renumber(tx: &mut Tx<'_>, task: TaskId) -> Result<(), StoreError> {
    let settled = message::last_settled(tx.conn(), task).await?;
    let queued = of_task(tx.conn(), task).await?;
    for place in drover_domain::queue::renumber(settled, &queued) {
        let run = place.run.to_string();
        let pair = sqlx::query!("select user_message_id, assistant_message_id from runs where id = ?", run);
        let pair = pair.fetch_one(tx.conn()).await?;
        for (id, ordinal) in [(pair.user_message_id, place.user), (pair.assistant_message_id, place.assistant)] {
            let moved =
                sqlx::query!("update messages set ordinal = ? where id = ? and ordinal <> ?", ordinal, id, ordinal);
            if moved.execute(tx.conn()).await?.rows_affected() > 0 {
                message::tell(tx, id.parse()?).await?;
            }
        }
    }
    Ok(())
}

impl Store {
    /// The queued runs of a task, in the order in which they are to start.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn queued_runs(&self, task: TaskId) -> Result<Vec<RunId>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        of_task(&mut conn, task).await
    }
}
