//! A snapshot of a chat: one read transaction, with the feed's number to follow it from.

use drover_domain::{Link, Message, MessageHead, MessageId, Request, Task, TaskId};
use sqlx::{Acquire, SqliteConnection};

use crate::message::Row;
use crate::{Store, StoreError, link, part, request, task};

/// A page of a chat and all that is needed to follow it.
#[derive(Debug, Clone)]
pub struct Chat {
    /// The task.
    pub task: Task,
    /// A page of messages, ascending.
    pub messages: Vec<Message>,
    /// Whether there are earlier ones.
    pub has_more: bool,
    /// The open requests.
    pub requests: Vec<Request>,
    /// The links that were ever used.
    pub links: Vec<Link>,
    /// Follow events from here.
    pub seq: i64,
}

impl Store {
    /// The newest page of a chat, or the one before an ordinal. `None`: there is no such task.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn chat(&self, id: TaskId, before: Option<i64>, limit: i64) -> Result<Option<Chat>, StoreError> {
        let limit = limit.clamp(1, 200);
        let mut conn = self.inner.readers.acquire().await?;
        let mut tx = conn.begin().await?;
        // The first read fixes what this transaction sees.
        let Some(found) = task::find(&mut tx, id).await? else {
            return Ok(None);
        };
        let seq = sqlx::query_scalar!(
            r#"select max(coalesce((select max(seq) from feed), 0), coalesce((select max(until_seq) from feed_gaps), 0)) as "seq!: i64""#
        )
        .fetch_one(&mut *tx)
        .await?;
        let mut heads = page(&mut tx, id, (0, before.unwrap_or(i64::MAX)), limit + 1).await?;
        let has_more = heads.len() as i64 > limit;
        heads.truncate(limit as usize);
        heads.reverse();
        let messages = with_parts(&mut tx, heads).await?;
        let requests = request::open_of_task(&mut tx, id).await?;
        let links = link::of_task(&mut tx, id).await?.into_iter().map(|row| row.link).collect();
        tx.commit().await?;
        Ok(Some(Chat { task: found, messages, has_more, requests, links, seq }))
    }

    /// The messages of a chat with ordinals in `(after, before)`, ascending, with their parts: what a handoff is made of.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn messages_between(&self, id: TaskId, after: i64, before: i64) -> Result<Vec<Message>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        let mut tx = conn.begin().await?;
        let mut heads = page(&mut tx, id, (after, before), i64::MAX).await?;
        heads.reverse();
        let messages = with_parts(&mut tx, heads).await?;
        tx.commit().await?;
        Ok(messages)
    }

    /// The last message of a chat that is not queued, with its ordinal.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn last_message(&self, task: TaskId) -> Result<Option<(MessageId, i64)>, StoreError> {
        let task = task.to_string();
        let row = sqlx::query!(
            "select id, ordinal from messages where task_id = ? and branch_id is null and status <> 'queued' order by ordinal desc limit 1",
            task
        );
        let row = row.fetch_optional(&self.inner.readers).await?;
        row.map(|row| Ok((row.id.parse()?, row.ordinal))).transpose()
    }

    /// A message of a chat, with its parts.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn message(&self, id: MessageId) -> Result<Option<Message>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        let mut tx = conn.begin().await?;
        let Some(head) = crate::message::find(&mut tx, id).await? else {
            return Ok(None);
        };
        Ok(with_parts(&mut tx, vec![head]).await?.pop())
    }
}

/// Heads between two ordinals, both left out, newest first.
async fn page(
    conn: &mut SqliteConnection,
    task: TaskId,
    (after, before): (i64, i64),
    limit: i64,
) -> Result<Vec<MessageHead>, StoreError> {
    let task = task.to_string();
    let rows = sqlx::query_as!(
        Row,
        "select id, task_id, ordinal, role, origin, agent, status, run_id, late, created_at, duration_ms, stop_reason, usage,
         handoff, model
         from messages where task_id = ? and branch_id is null and ordinal > ? and ordinal < ? order by ordinal desc limit ?",
        task,
        after,
        before,
        limit
    );
    rows.fetch_all(conn).await?.into_iter().map(MessageHead::try_from).collect()
}

async fn with_parts(conn: &mut SqliteConnection, heads: Vec<MessageHead>) -> Result<Vec<Message>, StoreError> {
    let ids: Vec<MessageId> = heads.iter().map(|head| head.id).collect();
    let mut parts = part::of_messages(conn, &ids).await?;
    let whole = |head: MessageHead| Message { parts: parts.remove(&head.id).unwrap_or_default(), head };
    Ok(heads.into_iter().map(whole).collect())
}
