//! Attachments: rows about files in `attachments/`, named by their id.

use drover_domain::{Attachment, AttachmentId, TaskId, Timestamp};

use crate::writer::{Durability, Tx};
use crate::{Store, StoreError};

/// An attachment that no message uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaleAttachment {
    /// Its id, and the name of its file.
    pub id: AttachmentId,
    /// Its size in bytes.
    pub size: i64,
}

/// Forgets the attachments that only messages of this task use. Their files go when somebody looks for files without a row.
pub(crate) async fn remove_of_task(tx: &mut Tx<'_>, task: TaskId) -> Result<(), StoreError> {
    let task = task.to_string();
    let only_here = sqlx::query_scalar!(
        "select distinct u.attachment_id from attachment_uses u join messages m on m.id = u.message_id
         where m.task_id = ?1 and not exists (
             select 1 from attachment_uses o join messages om on om.id = o.message_id
             where o.attachment_id = u.attachment_id and om.task_id <> ?1)",
        task
    )
    .fetch_all(tx.conn())
    .await?;
    for id in only_here {
        sqlx::query!("delete from attachment_uses where attachment_id = ?", id).execute(tx.conn()).await?;
        sqlx::query!("delete from attachments where id = ?", id).execute(tx.conn()).await?;
    }
    Ok(())
}

impl Store {
    /// Keeps an attachment whose file is already on the disk.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn add_attachment(&self, attachment: &Attachment, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let (id, now) = (attachment.id.to_string(), now.as_millis());
        sqlx::query!(
            "insert into attachments (id, name, mime_type, size, sha256, created_at) values (?, ?, ?, ?, ?, ?)",
            id,
            attachment.name,
            attachment.mime_type,
            attachment.size,
            attachment.sha256,
            now
        )
        .execute(tx.conn())
        .await?;
        tx.commit().await
    }

    /// An attachment.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn attachment(&self, id: AttachmentId) -> Result<Option<Attachment>, StoreError> {
        let key = id.to_string();
        let row = sqlx::query!("select name, mime_type, size, sha256 from attachments where id = ?", key)
            .fetch_optional(&self.inner.readers)
            .await?;
        Ok(row.map(|row| Attachment {
            id,
            name: row.name,
            mime_type: row.mime_type,
            size: row.size,
            sha256: row.sha256,
        }))
    }

    /// The attachments made before `older_than` that no message uses, at most 1,000.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn stale_attachments(&self, older_than: Timestamp) -> Result<Vec<StaleAttachment>, StoreError> {
        let older_than = older_than.as_millis();
        let rows = sqlx::query!(
            "select id, size from attachments a where created_at < ?
             and not exists (select 1 from attachment_uses u where u.attachment_id = a.id)
             order by created_at limit 1000",
            older_than
        )
        .fetch_all(&self.inner.readers)
        .await?;
        rows.into_iter().map(|row| Ok(StaleAttachment { id: row.id.parse()?, size: row.size })).collect()
    }

    /// Forgets an attachment, but only while no message uses it; whether it did. Its file is the caller's to remove, afterwards.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn delete_attachment(&self, id: AttachmentId, now: Timestamp) -> Result<bool, StoreError> {
        let mut tx = self.begin(Durability::Normal, now).await?;
        let id = id.to_string();
        let gone = sqlx::query!(
            "delete from attachments where id = ?1
             and not exists (select 1 from attachment_uses where attachment_id = ?1)",
            id
        )
        .execute(tx.conn())
        .await?
        .rows_affected();
        tx.commit().await?;
        Ok(gone > 0)
    }
}
