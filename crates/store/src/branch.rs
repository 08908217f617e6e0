//! Branches: what was set aside and can be brought back (lifecycle rule 19).

use drover_domain::{BranchId, MessageId, Task, TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::cut::{self, ChangeError};
use crate::send::SendError;
use crate::task::{self, Changed};
use crate::writer::Durability;
use crate::{Store, StoreError, queue, rows, run};

/// A chat as it was from some message on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Its id.
    pub id: BranchId,
    /// The ordinal of its first message.
    pub from_ordinal: i64,
    /// What set it aside: `retry`, `edit` or `restore`.
    pub reason: String,
    /// When.
    pub created_at: Timestamp,
    /// How many messages it holds.
    pub messages: i64,
    /// The first 200 characters of the first text in it; empty without one.
    pub opening: String,
}

/// A branch to bring back.
#[derive(Debug, Clone)]
pub struct RestoreBranch {
    /// The task.
    pub task_id: TaskId,
    /// The branch.
    pub branch_id: BranchId,
    /// The client's own name for this; it shares one space with sends.
    pub nonce: String,
    /// An id for what is set aside in its place.
    pub aside_id: BranchId,
    /// Now.
    pub now: Timestamp,
}

impl Store {
    /// What was set aside of a chat, newest first.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn branches(&self, task: TaskId) -> Result<Vec<Branch>, StoreError> {
        let task = task.to_string();
        let found = sqlx::query!(
            r#"select id, from_ordinal, reason, created_at,
                 (select count(*) from messages where branch_id = branches.id) as "messages!: i64",
                 coalesce((select substr(parts.body, 1, 200) from messages join parts on parts.message_id = messages.id
                   where messages.branch_id = branches.id and parts.kind = 'text'
                   order by messages.ordinal, parts.idx limit 1), '') as "opening!: String"
               from branches where task_id = ? order by created_at desc, id desc"#,
            task
        );
        let found = found.fetch_all(&self.inner.readers).await?;
        let branches = found.into_iter().map(|row| {
            Ok(Branch {
                id: row.id.parse()?,
                from_ordinal: row.from_ordinal,
                reason: row.reason,
                created_at: rows::time(row.created_at),
                messages: row.messages,
                opening: row.opening,
            })
        });
        branches.collect()
    }

    /// Brings a branch back; what the chat holds from its place on is set aside.
    ///
    /// # Errors
    /// See [`ChangeError`].
    pub async fn restore_branch(&self, restore: RestoreBranch) -> Result<Task, ChangeError> {
        let mut tx = self.begin(Durability::Full, restore.now).await?;
        let task_id = restore.task_id;
        if task::find(tx.conn(), task_id).await?.is_none() {
            return Err(ChangeError::NotFound);
        }
        let digest = format!("restore {}", restore.branch_id);
        if known(&mut tx, task_id, &restore.nonce, &digest).await? {
            return task::find(tx.conn(), task_id).await?.ok_or(ChangeError::NotFound);
        }
        let (task, branch) = (task_id.to_string(), restore.branch_id.to_string());
        let from = sqlx::query_scalar!("select from_ordinal from branches where id = ? and task_id = ?", branch, task)
            .fetch_optional(tx.conn())
            .await
            .map_err(StoreError::from)?
            .ok_or(ChangeError::NotFound)?;
        cut::refuse_active(&mut tx, task_id).await?;
        cut::cut(&mut tx, task_id, (from, "restore"), restore.aside_id).await?;
        let back = sqlx::query_scalar!("select id from messages where branch_id = ? order by ordinal", branch)
            .fetch_all(tx.conn())
            .await
            .map_err(StoreError::from)?;
        sqlx::query!("update messages set branch_id = null where branch_id = ?", branch)
            .execute(tx.conn())
            .await
            .map_err(StoreError::from)?;
        sqlx::query!("delete from branches where id = ?", branch).execute(tx.conn()).await.map_err(StoreError::from)?;
        for id in back {
            let id: MessageId = id.parse().map_err(StoreError::from)?;
            cut::tell_whole(&mut tx, task_id, id).await?;
        }
        queue::renumber(&mut tx, task_id).await?;
        if !queue::of_task(tx.conn(), task_id).await?.is_empty() {
            run::hold(&mut tx, task_id, Some(true)).await?;
        }
        task::refresh(&mut tx, task_id, Changed::default()).await?;
        note(&mut tx, task_id, &restore.nonce, &digest).await?;
        let task = task::find(tx.conn(), task_id).await?.ok_or(ChangeError::NotFound)?;
        tx.commit().await?;
        Ok(task)
    }
}

/// Whether this nonce did this before.
async fn known(tx: &mut crate::writer::Tx<'_>, task: TaskId, nonce: &str, digest: &str) -> Result<bool, ChangeError> {
    let task = task.to_string();
    let before = sqlx::query_scalar!("select digest from nonces where task_id = ? and nonce = ?", task, nonce);
    match before.fetch_optional(tx.conn()).await.map_err(StoreError::from)? {
        None => Ok(false),
        Some(before) if before == digest => Ok(true),
        Some(_) => Err(SendError::NonceReused.into()),
    }
}

async fn note(tx: &mut crate::writer::Tx<'_>, task: TaskId, nonce: &str, digest: &str) -> Result<(), StoreError> {
    let (task, at) = (task.to_string(), tx.now.as_millis());
    sqlx::query!(
        "insert into nonces (task_id, nonce, digest, answer, created_at) values (?, ?, ?, 'null', ?)",
        task,
        nonce,
        digest,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}
