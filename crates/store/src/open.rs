//! Opening a data directory.

mod backup;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::{Duration, Instant};

use drover_domain::Timestamp;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use tokio::sync::{Mutex, mpsc, watch};

use crate::header::{self, Found};
use crate::record::Record;
use crate::writer::Writer;
use crate::{SCHEMA_VERSION, StoreError, blob, platform, record, schema, upkeep};

/// How far the numbers of the feed jump at a start, so that what a crash may have lost is never given out twice.
const GAP: i64 = 1 << 20;
/// How long a read may take.
const READ: Duration = Duration::from_secs(5);
/// Steps of SQLite's machine between two looks at the time.
const STEPS: i32 = 20_000;
/// Facts that may wait for the writer before those who tell them wait.
const QUEUE: usize = 1024;

/// How to open a data directory.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The directory; it exists and is ours alone.
    pub data_dir: PathBuf,
    /// Names the database if it is new: a ULID.
    pub fresh_instance_id: String,
    /// Now.
    pub now: Timestamp,
    /// The feed keeps at least this many days …
    pub feed_days: u32,
    /// … or this many entries, whichever is more …
    pub feed_entries: i64,
    /// … but at most about this many bytes.
    pub feed_bytes: i64,
}

/// Why a data directory cannot be opened. Nothing was changed in any of these cases.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A later version wrote it.
    #[error(
        "the database {path} was written by a newer Drover (schema {found}; this one knows up to {known}). It was left as it is. \
         Start the newer Drover; or move drover.db, drover.db-wal and drover.db-shm away and put the copy that was made before the \
         upgrade (drover.db.v*.bak) in the place of drover.db"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// It is no database, or a broken one.
    #[error(
        "the database {path} is damaged ({detail}). It was left as it is. Move it away and restore a copy, or start with an empty data directory"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        detail: String,
    },
    /// It is on a network file system, where WAL loses data.
    #[error(
        "the data directory {path} is on a network file system ({kind}), where the database cannot be kept safely. Choose a local one with --data-dir"
    )]
    Network {
        /// The directory.
        path: PathBuf,
        /// Which.
        kind: &'static str,
    },
    /// It cannot be written.
    #[error(
        "the data directory {path} cannot be written: {detail}. Give yourself the right to write there, or choose another one with --data-dir"
    )]
    NotWritable {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
    /// The copy that is made before a migration could not be made.
    #[error(
        "no copy of the database could be made before upgrading it ({detail}), so nothing was upgraded. Make room on the disk and start again"
    )]
    Backup {
        /// What the system says.
        detail: String,
    },
    /// Any other failure.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A handle on the store; cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) data_dir: PathBuf,
    pub(crate) instance_id: String,
    pub(crate) writer: Mutex<Writer>,
    pub(crate) readers: SqlitePool,
    pub(crate) facts: mpsc::Sender<Record>,
    pub(crate) window: Window,
    pub(crate) closed: AtomicBool,
    pub(crate) blob_cap: AtomicUsize,
    feed_bell: watch::Sender<i64>,
    intent_bell: watch::Sender<u64>,
}

/// What the feed keeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) millis: i64,
    pub(crate) entries: i64,
    pub(crate) bytes: i64,
}

impl Store {
    /// Opens, and where needed makes or migrates, the database of a data directory.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open(options: OpenOptions) -> Result<Self, OpenError> {
        let path = options.data_dir.join("drover.db");
        admit(&options.data_dir, &path)?;
        let mut conn = prepare(&path).await?;
        let opening = |error| opening(&path, error);
        let instance_id = instance(&mut conn, &options.fresh_instance_id).await.map_err(opening)?;
        let head = open_gap(&mut conn).await.map_err(opening)?;
        let readers = readers(&path).await.map_err(opening)?;
        let (facts, queue) = mpsc::channel(QUEUE);
        let window = Window {
            millis: i64::from(options.feed_days) * 86_400_000,
            entries: options.feed_entries,
            bytes: options.feed_bytes,
        };
        let store = Self {
            inner: Arc::new(Inner {
                data_dir: options.data_dir,
                instance_id,
                writer: Mutex::new(Writer::new(conn, head)),
                readers,
                facts,
                window,
                closed: AtomicBool::new(false),
                blob_cap: AtomicUsize::new(blob::CAP),
                feed_bell: watch::Sender::new(head),
                intent_bell: watch::Sender::new(0),
            }),
        };
        tokio::spawn(record::write_facts(Arc::downgrade(&store.inner), queue));
        tokio::spawn(upkeep::keep(Arc::downgrade(&store.inner), path));
        Ok(store)
    }

    /// Names the database; survives restarts.
    pub fn instance_id(&self) -> &str {
        &self.inner.instance_id
    }

    /// The data directory.
    pub fn data_dir(&self) -> &Path {
        &self.inner.data_dir
    }

    /// The greatest number of the feed that is committed.
    pub fn head(&self) -> i64 {
        *self.inner.feed_bell.borrow()
    }

    /// Rings when the feed has grown; holds its greatest number.
    pub fn feed_bell(&self) -> watch::Receiver<i64> {
        self.inner.feed_bell.subscribe()
    }

    /// Rings when there are new intents.
    pub fn intent_bell(&self) -> watch::Receiver<u64> {
        self.inner.intent_bell.subscribe()
    }

    pub(crate) fn ring(&self, head: i64, intents: bool) {
        self.inner.feed_bell.send_if_modified(|seen| {
            let grown = head > *seen;
            *seen = head.max(*seen);
            grown
        });
        if intents {
            self.inner.intent_bell.send_modify(|rings| *rings += 1);
        }
    }
}

/// Refuses what must not be opened, before anything is written.
fn admit(dir: &Path, path: &Path) -> Result<(), OpenError> {
    if let Some(kind) = platform::network_file_system(dir) {
        return Err(OpenError::Network { path: dir.to_owned(), kind });
    }
    match header::look(path).map_err(|error| not_writable(dir, &error))? {
        Found::Schema(found) if found > SCHEMA_VERSION => {
            return Err(OpenError::Newer { path: path.to_owned(), found, known: SCHEMA_VERSION });
        }
        Found::Strange(detail) => return Err(OpenError::Damaged { path: path.to_owned(), detail }),
        Found::Schema(_) | Found::Nothing => {}
    }
    platform::make_private(path).map_err(|error| not_writable(dir, &error))
}

/// The writing connection of a database whose schema is the newest.
async fn prepare(path: &Path) -> Result<SqliteConnection, OpenError> {
    let opening = |error| opening(path, error);
    let dir = path.parent().unwrap_or(path);
    let mut conn = connect(path).await.map_err(opening)?;
    let found = schema::version(&mut conn).await.map_err(opening)?;
    let mode = sqlx::query_scalar::<_, String>("pragma journal_mode = wal").fetch_one(&mut conn).await;
    let mode = mode.map_err(|error| opening(error.into()))?;
    if mode != "wal" {
        let detail = format!("the file system takes no write-ahead log; the journal stays {mode}");
        return Err(OpenError::NotWritable { path: dir.to_owned(), detail });
    }
    if found > 0 && found < SCHEMA_VERSION {
        backup::make(&mut conn, dir, found).await?;
    }
    schema::migrate(&mut conn, found).await.map_err(opening)?;
    Ok(conn)
}

fn settings(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(5))
        .synchronous(SqliteSynchronous::Normal)
        .pragma("cache_size", "-1024")
        .pragma("temp_store", "memory")
        .pragma("wal_autocheckpoint", "0")
        .statement_cache_capacity(200)
        // Statements hold what people wrote: they are never logged.
        .log_statements(log::LevelFilter::Off)
        .log_slow_statements(log::LevelFilter::Off, Duration::MAX)
}

async fn connect(path: &Path) -> Result<SqliteConnection, StoreError> {
    // The log is cut back to this when it starts anew, so that its size tells how much of it is in use.
    let limit = (upkeep::WAL / 2).to_string();
    Ok(settings(path).pragma("journal_size_limit", limit).connect().await?)
}

/// A connection of its own for checkpoints.
pub(crate) async fn connect_for_upkeep(path: &Path) -> Result<SqliteConnection, StoreError> {
    Ok(settings(path).busy_timeout(Duration::from_millis(50)).connect().await?)
}

async fn readers(path: &Path) -> Result<SqlitePool, StoreError> {
    let pool = SqlitePoolOptions::new()
        .min_connections(1)
        .max_connections(4)
        .idle_timeout(Duration::from_secs(60))
        .acquire_timeout(Duration::from_secs(10))
        .test_before_acquire(false)
        .after_connect(|conn, _| Box::pin(end_reads_after(conn, READ)))
        .before_acquire(|conn, _| Box::pin(async move { end_reads_after(conn, READ).await.map(|()| true) }));
    Ok(pool.connect_with(settings(path).pragma("query_only", "on")).await?)
}

/// Ends what a connection reads once `time` is over: a longer read would keep the log from being used anew.
async fn end_reads_after(conn: &mut SqliteConnection, time: Duration) -> Result<(), sqlx::Error> {
    let deadline = Instant::now() + time;
    conn.lock_handle().await?.set_progress_handler(STEPS, move || Instant::now() < deadline);
    Ok(())
}

fn opening(path: &Path, error: StoreError) -> OpenError {
    match error {
        StoreError::Corrupt(detail) => OpenError::Damaged { path: path.to_owned(), detail },
        StoreError::Io(detail) => OpenError::NotWritable { path: path.parent().unwrap_or(path).to_owned(), detail },
        other => OpenError::Store(other),
    }
}

fn not_writable(dir: &Path, error: &std::io::Error) -> OpenError {
    OpenError::NotWritable { path: dir.to_owned(), detail: error.to_string() }
}

async fn instance(conn: &mut SqliteConnection, fresh: &str) -> Result<String, StoreError> {
    let known = sqlx::query_scalar!("select value from meta where key = 'instance_id'").fetch_optional(&mut *conn);
    if let Some(known) = known.await? {
        return Ok(known);
    }
    sqlx::query!("insert into meta (key, value) values ('instance_id', ?)", fresh).execute(conn).await?;
    Ok(fresh.to_owned())
}

/// Jumps ahead of all numbers ever stored and notes the gap; returns the number to go on from. Synced: a number of this time that is
/// lost with the power must fall into the gap of the next.
async fn open_gap(conn: &mut SqliteConnection) -> Result<i64, StoreError> {
    sqlx::raw_sql("pragma synchronous = full").execute(&mut *conn).await?;
    let mut tx = conn.begin_with("begin immediate").await?;
    let last = sqlx::query_scalar!(
        r#"select max(
             coalesce((select max(seq) from feed), 0), coalesce((select max(until_seq) from feed_gaps), 0),
             coalesce((select cast(value as integer) from meta where key = 'pruned_to'), 0)) as "last!: i64""#
    )
    .fetch_one(&mut *tx)
    .await?;
    let head = last + GAP;
    sqlx::query!("insert into feed_gaps (after_seq, until_seq) values (?, ?)", last, head).execute(&mut *tx).await?;
    sqlx::query!("delete from intents").execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_read_that_does_not_end_is_ended_and_the_connection_lives_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("drover.db");
        platform::make_private(&path).unwrap();
        let mut conn = prepare(&path).await.unwrap();
        let endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n";
        end_reads_after(&mut conn, Duration::from_millis(50)).await.unwrap();
        let ended = sqlx::query_scalar::<_, i64>(endless).fetch_one(&mut conn).await.map_err(StoreError::from);
        assert!(matches!(ended, Err(StoreError::Io(_))), "{ended:?}");
        end_reads_after(&mut conn, READ).await.unwrap();
        assert_eq!(schema::version(&mut conn).await.unwrap(), SCHEMA_VERSION);
    }

    #[tokio::test]
    async fn every_reader_ends_what_takes_too_long_and_cannot_write() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("drover.db");
        platform::make_private(&path).unwrap();
        drop(prepare(&path).await.unwrap());
        let pool = readers(&path).await.unwrap();
        let write = sqlx::query("delete from tasks").execute(&pool).await.map_err(StoreError::from);
        assert!(matches!(write, Err(StoreError::Io(_))), "{write:?}");
        let endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select count(*) from n";
        let started = Instant::now();
        assert!(sqlx::query_scalar::<_, i64>(endless).fetch_one(&pool).await.is_err());
        assert!((READ..READ * 3).contains(&started.elapsed()));
    }
}
