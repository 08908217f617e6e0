//! Answers to requests with an `Idempotency-Key`, kept for a day.

use drover_domain::Timestamp;

use crate::writer::Durability;
use crate::{Store, StoreError};

const DAY_MILLIS: i64 = 86_400_000;

/// The answer to a request that created something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Stands for what was asked, so that another question under the same key is told apart.
    pub digest: String,
    /// The HTTP status that was answered.
    pub status: u16,
    /// The body that was answered.
    pub body: String,
}

impl Store {
    /// The answer that was given under `key` within the last day.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn remembered(&self, key: &str, now: Timestamp) -> Result<Option<Remembered>, StoreError> {
        let since = now.as_millis() - DAY_MILLIS;
        let row =
            sqlx::query!("select digest, status, body from idempotency where key = ? and created_at > ?", key, since)
                .fetch_optional(&self.inner.readers)
                .await?;
        row.map(|row| {
            let status =
                u16::try_from(row.status).map_err(|_| StoreError::Corrupt(format!("not a status: {}", row.status)))?;
            Ok(Remembered { digest: row.digest, status, body: row.body })
        })
        .transpose()
    }

    /// Keeps an answer under `key`, and forgets those older than a day.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn remember(&self, key: &str, answer: &Remembered, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let (at, since) = (now.as_millis(), now.as_millis() - DAY_MILLIS);
        sqlx::query!("delete from idempotency where created_at <= ?", since).execute(tx.conn()).await?;
        let status = i64::from(answer.status);
        sqlx::query!(
            "insert or replace into idempotency (key, digest, status, body, created_at) values (?, ?, ?, ?, ?)",
            key,
            answer.digest,
            status,
            answer.body,
            at
        )
        .execute(tx.conn())
        .await?;
        tx.commit().await
    }
}
