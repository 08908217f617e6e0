//! What can go wrong in any call.

/// A failure of the store itself, not of what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No room on the disk (`SQLITE_FULL`, `ENOSPC`).
    #[error("the disk that holds the data directory is full")]
    Full,
    /// Another program holds the database.
    #[error("the database is locked by another program")]
    Busy,
    /// The database cannot be written or read.
    #[error("the database cannot be used: {0}")]
    Io(String),
    /// A row that this version cannot read.
    #[error("the database holds something that this version cannot read: {0}")]
    Corrupt(String),
    /// The writer is gone: the daemon is stopping.
    #[error("the store is closed")]
    Closed,
    /// Any other failure of the database.
    #[error(transparent)]
    Database(sqlx::Error),
}

/// SQLite's primary result codes, see <https://www.sqlite.org/rescode.html>.
mod code {
    pub(super) const PERM: u32 = 3;
    pub(super) const BUSY: u32 = 5;
    pub(super) const LOCKED: u32 = 6;
    pub(super) const NOMEM: u32 = 7;
    pub(super) const READONLY: u32 = 8;
    pub(super) const INTERRUPT: u32 = 9;
    pub(super) const IOERR: u32 = 10;
    pub(super) const CORRUPT: u32 = 11;
    pub(super) const FULL: u32 = 13;
    pub(super) const CANTOPEN: u32 = 14;
    pub(super) const PROTOCOL: u32 = 15;
    pub(super) const NOTADB: u32 = 26;
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let sqlx::Error::Database(database) = &error else {
            return match error {
                sqlx::Error::Io(io) => Self::from(io),
                sqlx::Error::PoolTimedOut => Self::Busy,
                sqlx::Error::WorkerCrashed | sqlx::Error::PoolClosed => Self::Closed,
                other => Self::Database(other),
            };
        };
        // The extended code holds the primary one in its low byte.
        let primary = database.code().and_then(|code| code.parse::<u32>().ok()).map(|code| code & 0xff);
        match primary {
            Some(code::FULL) => Self::Full,
            Some(code::BUSY | code::LOCKED | code::PROTOCOL) => Self::Busy,
            Some(code::INTERRUPT) => Self::Io("reading took too long".to_owned()),
            Some(code::PERM | code::NOMEM | code::READONLY | code::IOERR | code::CANTOPEN) => {
                Self::Io(database.message().to_owned())
            }
            Some(code::CORRUPT | code::NOTADB) => Self::Corrupt(database.message().to_owned()),
            _ => Self::Database(error),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded | std::io::ErrorKind::FileTooLarge => {
                Self::Full
            }
            _ => Self::Io(error.to_string()),
        }
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

impl From<drover_domain::id::InvalidId> for StoreError {
    fn from(error: drover_domain::id::InvalidId) -> Self {
        Self::Corrupt(error.to_string())
    }
}

impl StoreError {
    /// Whether the same call may go through later without anybody changing the call.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Full | Self::Busy | Self::Io(_))
    }
}
