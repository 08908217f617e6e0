//! What the first page of a database file says, read without SQLite: opening a file with SQLite, even only to look, may write its log
//! back and delete it.
//!
//! Formats: <https://www.sqlite.org/fileformat2.html>, sections 1.3 (header) and 4 (write-ahead log).

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// What a path holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No file, or an empty one.
    Nothing,
    /// A database with this `user_version`; 0 where it has no tables yet.
    Schema(i64),
    /// No database of ours, with the reason.
    Strange(String),
}

const MAGIC: &[u8] = b"SQLite format 3\0";
/// The file's header and the first bytes of the first page's tree.
const HEAD: usize = 108;
const WAL_MAGIC: u32 = 0x377f_0682;
/// The kinds of the pages that tables are made of.
const TABLE_PAGES: [u8; 2] = [5, 13];

/// The log beside a database file.
pub(crate) fn wal_of(path: &Path) -> PathBuf {
    path.with_extension("db-wal")
}

/// Looks at a database file and its log. Only reads.
pub(crate) fn look(path: &Path) -> io::Result<Found> {
    let size = match fs::metadata(path) {
        Ok(meta) => meta.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error),
    };
    let log = fs::metadata(wal_of(path)).map_or(0, |meta| meta.len());
    if size == 0 {
        // SQLite would delete the log.
        let lost = format!("it is empty, but {} is not", wal_of(path).display());
        return Ok(if log == 0 { Found::Nothing } else { Found::Strange(lost) });
    }
    let mut head = [0; HEAD];
    let short = File::open(path)?.read_exact(&mut head).is_err();
    if short || !head.starts_with(MAGIC) {
        return Ok(Found::Strange("it is not an SQLite database".to_owned()));
    }
    if log == 0
        && let Some(whole) = size_told(&head)
        && size < whole
    {
        return Ok(Found::Strange(format!("it was cut off: {size} of {whole} bytes are there")));
    }
    let newest = if log == 0 { None } else { newest_first_page(&wal_of(path))? };
    Ok(judge(&newest.unwrap_or(head)))
}

fn judge(head: &[u8; HEAD]) -> Found {
    let version = i64::from(number(head, 60).cast_signed());
    let cells = u16::from_be_bytes([head[103], head[104]]);
    if !TABLE_PAGES.contains(&head[100]) {
        Found::Strange("its first page is damaged".to_owned())
    } else if version == 0 && cells > 0 {
        Found::Strange("it is a database of another program".to_owned())
    } else {
        Found::Schema(version)
    }
}

/// The size in bytes that the header tells, where it can be trusted.
fn size_told(head: &[u8; HEAD]) -> Option<u64> {
    (head[24..28] == head[92..96]).then(|| u64::from(number(head, 28)) * page_size(head))
}

fn page_size(head: &[u8; HEAD]) -> u64 {
    match u16::from_be_bytes([head[16], head[17]]) {
        1 => 65536,
        size => u64::from(size),
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(&bytes[at..at + 4]);
    u32::from_be_bytes(four)
}

/// The beginning of the first page as the last commit in a log left it, if one did.
fn newest_first_page(wal: &Path) -> io::Result<Option<[u8; HEAD]>> {
    let mut log = BufReader::with_capacity(1 << 16, File::open(wal)?);
    let mut header = [0; 32];
    if log.read_exact(&mut header).is_err() || number(&header, 0) & !1 != WAL_MAGIC {
        return Ok(None);
    }
    let mut sum = Checksum { big_endian: number(&header, 0) & 1 == 1, sums: (0, 0) };
    sum.add(&header[..24]);
    let page = number(&header, 8) as usize;
    // A log with a bad header holds nothing.
    if !sum.is(&header[24..32]) || !(512..=65536).contains(&page) {
        return Ok(None);
    }
    let (mut written, mut committed) = (None, None);
    let mut frame = vec![0; 24 + page];
    while log.read_exact(&mut frame).is_ok() {
        sum.add(&frame[..8]);
        sum.add(&frame[24..]);
        if frame[8..16] != header[16..24] || !sum.is(&frame[16..24]) {
            break;
        }
        if number(&frame, 0) == 1 {
            let mut head = [0; HEAD];
            head.copy_from_slice(&frame[24..24 + HEAD]);
            written = Some(head);
        }
        if number(&frame, 4) != 0 {
            committed = written;
        }
    }
    Ok(committed)
}

struct Checksum {
    big_endian: bool,
    sums: (u32, u32),
}

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        let (mut first, mut second) = self.sums;
        for pair in bytes.as_chunks::<8>().0 {
            let [a, b, c, d, e, f, g, h] = *pair;
            let (x, y) = if self.big_endian {
                (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]))
            } else {
                (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
            };
            first = first.wrapping_add(x).wrapping_add(second);
            second = second.wrapping_add(y).wrapping_add(first);
        }
        self.sums = (first, second);
    }

    fn is(&self, told: &[u8]) -> bool {
        self.sums == (number(told, 0), number(told, 4))
    }
}

#[cfg(test)]
mod tests {
    use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
    use sqlx::{ConnectOptions, Connection, Executor};

    use super::*;

    #[tokio::test]
    async fn a_version_that_stands_only_in_the_log_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("drover.db");
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .pragma("wal_autocheckpoint", "0");
        let mut conn = options.connect().await.unwrap();
        conn.execute("create table t (a)").await.unwrap();
        conn.execute("pragma user_version = 1").await.unwrap();
        conn.execute("pragma wal_checkpoint(truncate)").await.unwrap();
        assert_eq!(look(&path).unwrap(), Found::Schema(1));
        for version in 2..9 {
            conn.execute(sqlx::AssertSqlSafe(format!("pragma user_version = {version}"))).await.unwrap();
            conn.execute("insert into t values (randomblob(9000))").await.unwrap();
            assert_eq!(look(&path).unwrap(), Found::Schema(version));
        }
        // What is in the log but not committed does not count.
        let (log, begun) = (fs::read(wal_of(&path)).unwrap(), dir.path().join("begun.db"));
        fs::copy(&path, &begun).unwrap();
        fs::write(wal_of(&begun), &log[..log.len() - 100]).unwrap();
        assert_eq!(look(&begun).unwrap(), Found::Schema(8));
        conn.close().await.unwrap();
        assert_eq!(look(&path).unwrap(), Found::Schema(8));
    }

    #[test]
    fn what_is_no_database_of_ours_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("drover.db");
        assert_eq!(look(&path).unwrap(), Found::Nothing);
        fs::write(&path, b"").unwrap();
        assert_eq!(look(&path).unwrap(), Found::Nothing);
        fs::write(wal_of(&path), b"something").unwrap();
        assert!(matches!(look(&path).unwrap(), Found::Strange(_)));
        fs::remove_file(wal_of(&path)).unwrap();
        fs::write(&path, [7; 4096]).unwrap();
        assert_eq!(look(&path).unwrap(), Found::Strange("it is not an SQLite database".to_owned()));
    }
}
