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
    let mut settled = message::last_settled(tx.conn(), task).await?;
    let mut queued = of_task(tx.conn(), task).await?;
    if let Some(answer) = retried_answer(tx, &queued).await? {
        settled += 1;
        queued.remove(0);
        move_to(tx, answer, settled).await?;
    }
    for place in drover_domain::queue::renumber(settled, &queued) {
        let run = place.run.to_string();
        let pair = sqlx::query!("select user_message_id, assistant_message_id from runs where id = ?", run);
        let pair = pair.fetch_one(tx.conn()).await?;
        for (id, ordinal) in [(pair.user_message_id, place.user), (pair.assistant_message_id, place.assistant)] {
            move_to(tx, id, ordinal).await?;
        }
    }
    Ok(())
}

/// The answer to come of a retry: its user message has its place already. Only the first in the queue can be one.
async fn retried_answer(tx: &mut Tx<'_>, queued: &[RunId]) -> Result<Option<String>, StoreError> {
    let Some(first) = queued.first().map(RunId::to_string) else { return Ok(None) };
    let answer = sqlx::query_scalar!(
        "select assistant_message_id from runs join messages on messages.id = runs.user_message_id
         where runs.id = ? and messages.status <> 'queued'",
        first
    );
    Ok(answer.fetch_optional(tx.conn()).await?)
}

async fn move_to(tx: &mut Tx<'_>, id: String, ordinal: i64) -> Result<(), StoreError> {
    let moved = sqlx::query!("update messages set ordinal = ? where id = ? and ordinal <> ?", ordinal, id, ordinal);
    if moved.execute(tx.conn()).await?.rows_affected() > 0 {
        message::tell(tx, id.parse()?).await?;
    }
    Ok(())
}

impl Store {
    /// Whether a queued run is to start although the queue is held.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn starts_at_once(&self, run: RunId) -> Result<bool, StoreError> {
        let run = run.to_string();
        let at_once = sqlx::query_scalar!(r#"select at_once as "at_once!: bool" from runs where id = ?"#, run);
        Ok(at_once.fetch_optional(&self.inner.readers).await?.unwrap_or(false))
    }

    /// The queued runs of a task, in the order in which they are to start.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn queued_runs(&self, task: TaskId) -> Result<Vec<RunId>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        of_task(&mut conn, task).await
    }
}
