//! Attachments and paired browsers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AttachmentId, BrowserId, Timestamp};

/// A file that the user added to a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Attachment {
    /// Its id.
    pub id: AttachmentId,
    /// Its name, without any path.
    pub name: String,
    /// Its type, told from its bytes.
    pub mime_type: String,
    /// Its size in bytes.
    pub size: i64,
    /// The SHA-256 of its bytes, in lower-case hexadecimal.
    pub sha256: String,
}

/// A browser that was paired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Browser {
    /// Its id.
    pub id: BrowserId,
    /// What it calls itself.
    pub name: String,
    /// When it was paired.
    pub created_at: Timestamp,
    /// When it last called.
    pub last_seen_at: Timestamp,
    /// When its pairing ends.
    pub expires_at: Timestamp,
}
