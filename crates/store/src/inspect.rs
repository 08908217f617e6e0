//! Looking at a database without changing anything: for diagnosis.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};

use crate::StoreError;
use crate::header::{self, Found};

/// Faults that are told at most.
const FAULTS: usize = 10;
/// Steps of SQLite's machine between two looks at the time.
const STEPS: i32 = 100_000;

/// What was seen of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    /// The version of its schema.
    pub schema: i64,
    /// What is wrong with it; `None` where it was not looked through, or not to the end.
    pub faults: Option<Vec<String>>,
}

/// Looks at a database file. The version is the newest, also where it stands only in the log beside it. For its pages the file is
/// opened as one that nothing can change, so that not even a lock is taken: what the log holds of them is not seen. `look_through` says for how long its pages are checked, if they are.
///
/// # Errors
/// Where it cannot be read or is no database.
pub async fn inspect(path: &Path, look_through: Option<Duration>) -> Result<Inspection, StoreError> {
    std::fs::metadata(path)?;
    let schema = match header::look(path)? {
        Found::Schema(version) => version,
        Found::Nothing => 0,
        Found::Strange(detail) => return Err(StoreError::Corrupt(detail)),
    };
    let Some(time) = look_through else { return Ok(Inspection { schema, faults: None }) };
    let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
    let faults = faults(&mut options.connect().await?, time).await?;
    Ok(Inspection { schema, faults })
}

async fn faults(conn: &mut SqliteConnection, time: Duration) -> Result<Option<Vec<String>>, StoreError> {
    let deadline = Instant::now() + time;
    conn.lock_handle().await?.set_progress_handler(STEPS, move || Instant::now() < deadline);
    let found: Result<Vec<String>, _> = sqlx::query_scalar("pragma quick_check(10)").fetch_all(conn).await;
    match found {
        Ok(mut found) => {
            found.retain(|fault| fault != "ok");
            found.truncate(FAULTS);
            Ok(Some(found))
        }
        // It was stopped in the middle, and nothing had been found.
        Err(_) if Instant::now() >= deadline => Ok(None),
        Err(error) => match StoreError::from(error) {
            StoreError::Corrupt(fault) => Ok(Some(vec![fault])),
            other => Err(other),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[tokio::test]
    async fn a_database_is_looked_at_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("drover.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut conn = options.connect().await.unwrap();
        schema::migrate(&mut conn, 0).await.unwrap();
        drop(conn);
        let seen = inspect(&path, Some(Duration::from_secs(10))).await.unwrap();
        assert_eq!(seen, Inspection { schema: crate::SCHEMA_VERSION, faults: Some(vec![]) });
        assert_eq!(inspect(&path, None).await.unwrap().faults, None);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[4096..8192].fill(0xaa);
        std::fs::write(&path, &bytes).unwrap();
        let seen = inspect(&path, Some(Duration::from_secs(10))).await.unwrap();
        assert!(!seen.faults.unwrap().is_empty());
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
        let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().flatten().map(|e| e.file_name()).collect();
        assert_eq!(names, ["drover.db"]);
    }

    #[tokio::test]
    async fn what_is_no_database_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("drover.db");
        std::fs::write(
            &path,
            "no database at all, only some text that is long enough to be read as a header of a hundred bytes or so",
        )
        .unwrap();
        assert!(matches!(inspect(&path, None).await, Err(StoreError::Corrupt(_))));
        assert!(inspect(&dir.path().join("missing"), None).await.is_err());
    }
}
