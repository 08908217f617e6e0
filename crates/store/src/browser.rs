//! Paired browsers. Cookies and keys are kept as hashes only.

use drover_domain::{Browser, BrowserId, Timestamp};

use crate::rows::time;
use crate::writer::Durability;
use crate::{Store, StoreError};

/// A browser that has just been paired.
#[derive(Debug, Clone)]
pub struct NewBrowser {
    /// Its id.
    pub id: BrowserId,
    /// What it calls itself.
    pub name: String,
    /// A hash of the key that its page sends.
    pub key_hash: String,
    /// A hash of the cookie that it sends.
    pub cookie_hash: String,
    /// Now.
    pub now: Timestamp,
    /// When the pairing ends.
    pub expires_at: Timestamp,
}

/// A browser with what its key is compared to.
#[derive(Debug, Clone)]
pub struct PairedBrowser {
    /// The browser.
    pub browser: Browser,
    /// A hash of the key that its page sends.
    pub key_hash: String,
}

struct Row {
    id: String,
    name: String,
    key_hash: String,
    created_at: i64,
    last_seen_at: i64,
    expires_at: i64,
}

impl Row {
    fn paired(self) -> Result<PairedBrowser, StoreError> {
        let browser = Browser {
            id: self.id.parse()?,
            name: self.name,
            created_at: time(self.created_at),
            last_seen_at: time(self.last_seen_at),
            expires_at: time(self.expires_at),
        };
        Ok(PairedBrowser { browser, key_hash: self.key_hash })
    }
}

impl Store {
    /// Keeps a pairing, and forgets those that have ended.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn add_browser(&self, new: NewBrowser) -> Result<(), StoreError> {
        let mut tx = self.begin(Durability::Full, new.now).await?;
        let (id, now, expires_at) = (new.id.to_string(), new.now.as_millis(), new.expires_at.as_millis());
        sqlx::query!("delete from browsers where expires_at <= ?", now).execute(tx.conn()).await?;
        sqlx::query!(
            "insert into browsers (id, name, cookie_hash, key_hash, created_at, last_seen_at, expires_at)
             values (?1, ?2, ?3, ?4, ?5, ?5, ?6)",
            id,
            new.name,
            new.cookie_hash,
            new.key_hash,
            now,
            expires_at
        )
        .execute(tx.conn())
        .await?;
        tx.commit().await
    }

    /// The browser that sends a cookie with this hash, while its pairing lasts.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn browser_by_cookie(
        &self,
        cookie_hash: &str,
        now: Timestamp,
    ) -> Result<Option<PairedBrowser>, StoreError> {
        let now = now.as_millis();
        let row = sqlx::query_as!(
            Row,
            "select id, name, key_hash, created_at, last_seen_at, expires_at
             from browsers where cookie_hash = ? and expires_at > ?",
            cookie_hash,
            now
        )
        .fetch_optional(&self.inner.readers)
        .await?;
        row.map(Row::paired).transpose()
    }

    /// Notes that a browser called.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn touch_browser(&self, id: BrowserId, now: Timestamp) -> Result<(), StoreError> {
        let mut tx = self.begin(Durability::Normal, now).await?;
        let (id, now) = (id.to_string(), now.as_millis());
        sqlx::query!("update browsers set last_seen_at = ? where id = ?", now, id).execute(tx.conn()).await?;
        tx.commit().await
    }

    /// All browsers whose pairing lasts, the one seen last first.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn browsers(&self, now: Timestamp) -> Result<Vec<Browser>, StoreError> {
        let now = now.as_millis();
        let rows = sqlx::query_as!(
            Row,
            "select id, name, key_hash, created_at, last_seen_at, expires_at
             from browsers where expires_at > ? order by last_seen_at desc, id desc",
            now
        )
        .fetch_all(&self.inner.readers)
        .await?;
        rows.into_iter().map(|row| Ok(row.paired()?.browser)).collect()
    }

    /// Ends a pairing; whether there was one.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn delete_browser(&self, id: BrowserId, now: Timestamp) -> Result<bool, StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let id = id.to_string();
        let gone = sqlx::query!("delete from browsers where id = ?", id).execute(tx.conn()).await?.rows_affected();
        tx.commit().await?;
        Ok(gone > 0)
    }
}
