use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use drover_store::{OpenError, SCHEMA_VERSION, Store};
use sqlx::{AssertSqlSafe, Connection, Executor};

use crate::harness::{Bed, connect, files, options, wal};

async fn refusal(dir: &Path) -> OpenError {
    let before = files(dir);
    let error = Store::open(options(dir, 1)).await.err().expect("it is refused");
    assert_eq!(files(dir).keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "no file came or went");
    assert!(files(dir) == before, "no byte and no mode was changed");
    error
}

#[tokio::test]
async fn a_newer_database_is_refused_and_left_alone_also_where_its_log_was_not_written_back() {
    let bed = Bed::new().await;
    bed.task().await;
    let mut newer = connect(bed.dir()).await;
    newer.execute(AssertSqlSafe(format!("pragma user_version = {}", SCHEMA_VERSION + 1))).await.unwrap();
    let killed = bed.left_by_a_kill();
    assert!(fs::metadata(wal(killed.path())).unwrap().len() > 0);
    let error = refusal(killed.path()).await;
    assert!(matches!(error, OpenError::Newer { found, known, .. } if found == known + 1), "{error}");
    drop(newer);
    bed.store.close().await.unwrap();
    let stopped = bed.left_by_a_kill();
    fs::set_permissions(stopped.path().join("drover.db"), fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(refusal(stopped.path()).await, OpenError::Newer { .. }));
}

#[tokio::test]
async fn what_is_damaged_or_not_ours_is_refused_and_left_alone() {
    let bed = Bed::new().await;
    bed.task().await;
    bed.store.close().await.unwrap();
    let sound = fs::read(bed.dir().join("drover.db")).unwrap();
    let mut torn = sound.clone();
    torn[100..4096].iter_mut().for_each(|byte| *byte ^= 0x5a);
    let mut schema = sound.clone();
    schema[108..4096].iter_mut().for_each(|byte| *byte ^= 0x5a);
    let half = sound[..sound.len() / 2].to_vec();
    for (name, bytes) in [
        ("random", (0..100_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()),
        ("text", b"not a database, but long enough to be one, were it not for what it says".repeat(9)),
        ("torn", torn),
        ("schema", schema),
        ("half", half),
        ("one byte", vec![0x53]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("drover.db"), bytes).unwrap();
        let before = fs::read(dir.path().join("drover.db")).unwrap();
        let error = Store::open(options(dir.path(), 1)).await.err().expect(name);
        assert!(matches!(&error, OpenError::Damaged { .. }), "{name}: {error}");
        assert!(fs::read(dir.path().join("drover.db")).unwrap() == before, "{name}");
    }
}

#[tokio::test]
async fn a_database_of_another_program_is_not_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("drover.db"), b"").unwrap();
    let mut conn = connect(dir.path()).await;
    conn.execute("create table theirs (a)").await.unwrap();
    conn.close().await.unwrap();
    assert!(matches!(refusal(dir.path()).await, OpenError::Damaged { .. }));
}

#[tokio::test]
async fn an_empty_file_is_new_and_nobody_else_can_read_what_is_made() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("drover.db"), b"").unwrap();
    let store = Store::open(options(dir.path(), 1)).await.unwrap();
    store.recover(drover_domain::Timestamp::from_millis(1)).await.unwrap();
    for (name, (_, mode)) in files(dir.path()) {
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[tokio::test]
async fn a_copy_of_the_file_without_its_log_is_an_earlier_state_whole() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    bed.send(task, "x").await;
    let copy = tempfile::tempdir().unwrap();
    fs::copy(bed.dir().join("drover.db"), copy.path().join("drover.db")).unwrap();
    let store = Store::open(options(copy.path(), 1)).await.unwrap();
    assert!(store.chat(task, None, 50).await.unwrap().is_none(), "all of it was in the log");
    let check: String =
        sqlx::query_scalar("pragma integrity_check").fetch_one(&mut connect(copy.path()).await).await.unwrap();
    assert_eq!(check, "ok");
}

#[cfg(target_os = "linux")]
mod mounts {
    use super::*;
    use crate::faults::Mount;

    #[tokio::test]
    async fn a_directory_that_cannot_be_written_is_told_and_left_alone() {
        let Some(mount) = Mount::new("size=4m").await else { return };
        let bed = Bed::new().await;
        bed.store.close().await.unwrap();
        mount.remount("ro");
        let error = refusal(mount.path()).await;
        assert!(matches!(&error, OpenError::NotWritable { .. }), "{error}");
        mount.remount("rw");
        fs::copy(bed.dir().join("drover.db"), mount.path().join("drover.db")).unwrap();
        mount.remount("ro");
        let error = refusal(mount.path()).await;
        assert!(matches!(&error, OpenError::NotWritable { .. }), "{error}");
        mount.remount("rw");
        Store::open(options(mount.path(), 1)).await.unwrap();
    }

    #[tokio::test]
    async fn a_full_disk_is_told_at_the_start_and_the_next_start_on_it_with_room_goes_on() {
        let Some(mount) = Mount::new("size=64k").await else { return };
        let error = Store::open(options(mount.path(), 1)).await.err().expect("no room");
        assert!(
            matches!(&error, OpenError::Store(drover_store::StoreError::Full) | OpenError::NotWritable { .. }),
            "{error}"
        );
        mount.remount("size=4m");
        Store::open(options(mount.path(), 1)).await.unwrap();
    }
}
