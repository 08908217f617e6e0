use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{ConnectOptions, Executor};

use super::*;

/// Names the file that the child process migrates.
const FILE: &str = "DROVER_TEST_MIGRATE";
/// Rows of the table that the second and third step go over.
const ROWS: i64 = 20_000;

const FIRST: &str = "create table t (a integer primary key, b text not null) strict;";
const SECOND: &str = "alter table t add column c text; update t set c = b || b; create index t_by_c on t (c);";
const THIRD: &str = "create table u (a integer primary key references t (a), d text) strict;
                     insert into u select a, c || b from t; update t set b = c;";

async fn connect(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true).foreign_keys(true);
    options.journal_mode(SqliteJournalMode::Wal).connect().await.unwrap()
}

async fn number(conn: &mut SqliteConnection, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(conn).await.unwrap()
}

/// What runs in the child; in the parent it does nothing.
#[tokio::test]
async fn child_that_migrates() {
    let Some(path) = std::env::var_os(FILE) else { return };
    let mut conn = connect(Path::new(&path)).await;
    let from = version(&mut conn).await.unwrap();
    apply(&mut conn, from, &[FIRST, SECOND, THIRD]).await.unwrap();
}

fn child(path: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "schema::tests::child_that_migrates"])
        .env(FILE, path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn a_migration_that_is_killed_at_any_moment_leaves_whole_steps_and_the_next_start_finishes_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("drover.db");
    let mut conn = connect(&path).await;
    apply(&mut conn, 0, &[FIRST]).await.unwrap();
    let fill = "with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
                insert into t select i, hex(randomblob(20)) from n";
    conn.execute(fill).await.unwrap();
    conn.execute("pragma wal_checkpoint(truncate)").await.unwrap();
    drop(conn);
    let original = std::fs::read(&path).unwrap();
    let mut versions = std::collections::BTreeSet::new();
    for round in 0..12_u64 {
        std::fs::write(&path, &original).unwrap();
        for beside in ["db-wal", "db-shm"] {
            let _ = std::fs::remove_file(path.with_extension(beside));
        }
        let mut process = child(&path);
        std::thread::sleep(Duration::from_millis(10 + round * 25));
        process.kill().unwrap();
        process.wait().unwrap();
        let mut conn = connect(&path).await;
        let at = version(&mut conn).await.unwrap();
        versions.insert(at);
        let columns = number(&mut conn, "select count(*) from pragma_table_info('t')").await;
        let tables = number(&mut conn, "select count(*) from sqlite_schema where type = 'table'").await;
        assert_eq!((columns, tables), (if at >= 2 { 3 } else { 2 }, if at >= 3 { 2 } else { 1 }), "at version {at}");
        apply(&mut conn, at, &[FIRST, SECOND, THIRD]).await.unwrap();
        assert_eq!(number(&mut conn, "select count(*) from t where b = c and length(c) = 80").await, ROWS);
        assert_eq!(number(&mut conn, "select count(*) from u where length(d) = 120").await, ROWS);
        let check: String = sqlx::query_scalar("pragma integrity_check").fetch_one(&mut conn).await.unwrap();
        assert_eq!(check, "ok");
        assert!(sqlx::query("pragma foreign_key_check").fetch_optional(&mut conn).await.unwrap().is_none());
    }
    assert!(versions.contains(&1), "the first kills came before the end of a step: {versions:?}");
}

#[tokio::test]
async fn a_step_that_fails_leaves_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    let mut conn = connect(&dir.path().join("drover.db")).await;
    apply(&mut conn, 0, &[FIRST]).await.unwrap();
    let broken = "create table u (a) strict;";
    assert!(
        apply(&mut conn, 1, &[FIRST, "create table v (a integer) strict; create table t (a integer) strict;"])
            .await
            .is_err()
    );
    assert!(apply(&mut conn, 1, &[FIRST, broken]).await.is_err());
    assert_eq!(version(&mut conn).await.unwrap(), 1);
    assert_eq!(number(&mut conn, "select count(*) from sqlite_schema where name in ('u', 'v')").await, 0);
}
