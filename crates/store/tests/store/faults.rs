//! The disk is full, the database is locked, a transaction is given up in the middle.

use std::fs;
use std::path::Path;
use std::task::Poll;
use std::time::Duration;

use drover_domain::Outcome;
use drover_store::{SendError, StoreError};
use sqlx::{Connection, Executor};
use tokio::time::Instant;

use crate::harness::{Bed, append, connect, end, grows, is_full};

/// A small file system in memory. Only root can have one; elsewhere the tests that need it have nothing to say.
#[cfg(target_os = "linux")]
pub(crate) struct Mount(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl Mount {
    pub(crate) async fn new(options: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let mounted = Self::mount(&["-t", "tmpfs", "-o", options, "tmpfs"], dir.path());
        if !mounted {
            eprintln!("skipped: no file system can be mounted here");
        }
        mounted.then_some(Self(dir))
    }

    fn mount(arguments: &[&str], at: &Path) -> bool {
        let output = std::process::Command::new("mount").args(arguments).arg(at).output();
        output.is_ok_and(|output| output.status.success())
    }

    pub(crate) fn remount(&self, options: &str) {
        assert!(Self::mount(&["-o", &format!("remount,{options}")], self.path()));
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mount {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(self.path()).output();
    }
}

#[cfg(target_os = "linux")]
mod full {
    use super::*;
    use crate::harness::NEW_YEAR;

    fn fill(dir: &Path) {
        let ballast = dir.join("ballast");
        let mut size = 64 << 20;
        while size >= 512 {
            let held = fs::metadata(&ballast).map_or(0, |meta| meta.len());
            let file = fs::OpenOptions::new().create(true).append(true).open(&ballast).unwrap();
            if std::io::Write::write_all(&mut &file, &vec![1; size]).is_err() {
                size /= 2;
            }
            drop(file);
            assert!(fs::metadata(&ballast).unwrap().len() >= held);
        }
    }

    fn empty(dir: &Path) {
        fs::remove_file(dir.join("ballast")).unwrap();
    }

    #[tokio::test]
    async fn on_a_full_disk_commands_are_refused_without_trace_facts_wait_reading_goes_on_and_then_work_does() {
        let Some(mount) = Mount::new("size=16m").await else { return };
        let bed = Bed::at(mount.path(), NEW_YEAR).await;
        let task = bed.task().await;
        let (sent, under) = bed.running(task, "x").await;
        let message = sent.assistant_message_id;
        bed.write(task, under, vec![grows(message, 0, "")]).await.unwrap();
        fill(mount.path());
        let large = "y".repeat(300_000);
        let before = bed.chat(task).await;
        let refused = bed.store.send_message(bed.message(task, "n", &large)).await;
        assert!(matches!(refused, Err(SendError::Store(StoreError::Full))), "{refused:?}");
        bed.tell(task, under, vec![append(message, 0, &large)]).await;
        bed.tell(task, under, vec![append(message, 0, "!")]).await;
        let started = Instant::now();
        assert_eq!(bed.chat(task).await, before, "reading goes on");
        assert!(started.elapsed() < Duration::from_millis(500));
        let ended = bed.write(task, under, vec![end(Outcome::Done)]);
        tokio::pin!(ended);
        let early = tokio::time::timeout(Duration::from_millis(300), &mut ended).await;
        assert!(early.is_err(), "what happened waits");
        empty(mount.path());
        ended.await.unwrap();
        assert_eq!(bed.text_of(message, 0).await, format!("{large}!"));
        bed.store.send_message(bed.message(task, "n", &large)).await.unwrap();
        assert!(!bed.store.send_message(bed.message(task, "m", &large)).await.unwrap().again);
    }

    #[tokio::test]
    async fn a_close_on_a_full_disk_ends_and_says_so() {
        let Some(mount) = Mount::new("size=16m").await else { return };
        let bed = Bed::at(mount.path(), NEW_YEAR).await;
        let task = bed.task().await;
        let (sent, under) = bed.running(task, "x").await;
        fill(mount.path());
        let facts = vec![grows(sent.assistant_message_id, 0, &"x".repeat(300_000))];
        bed.tell(task, under, facts).await;
        let started = Instant::now();
        assert!(bed.store.close().await.is_err());
        assert!(started.elapsed() < Duration::from_secs(6));
        empty(mount.path());
        let killed = bed.killed().await;
        assert_eq!(killed.chat(task).await.len(), 2, "what was acknowledged is there");
        assert!(!is_full(killed.store.resume_queue(task, killed.now()).await));
    }
}

#[tokio::test]
async fn a_lock_of_three_seconds_is_waited_for_and_nobody_who_reads_waits() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![grows(message, 0, "")]).await.unwrap();
    let mut other = connect(bed.dir()).await;
    other.execute("begin immediate").await.unwrap();
    let release = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(3)).await;
        other.execute("commit").await.unwrap();
        other.close().await.unwrap();
    });
    for n in 0..20 {
        bed.tell(task, under, vec![append(message, 0, &format!("{n} "))]).await;
    }
    let send = bed.store.send_message(bed.message(task, "n", "y"));
    let reads = async {
        for _ in 0..20 {
            let started = Instant::now();
            bed.chat(task).await;
            assert!(started.elapsed() < Duration::from_millis(500));
        }
    };
    let (sent, ()) = tokio::join!(send, reads);
    sent.unwrap();
    bed.flush().await;
    release.await.unwrap();
    let expected: String = (0..20).map(|n| format!("{n} ")).collect();
    assert_eq!(bed.text_of(message, 0).await, expected);
}

#[tokio::test]
async fn a_longer_lock_refuses_what_is_asked_and_loses_nothing_of_what_happened() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![grows(message, 0, "")]).await.unwrap();
    let mut other = connect(bed.dir()).await;
    other.execute("begin immediate").await.unwrap();
    bed.tell(task, under, vec![append(message, 0, "kept")]).await;
    let refused = bed.store.send_message(bed.message(task, "n", "y")).await;
    assert!(matches!(refused, Err(SendError::Store(StoreError::Busy))), "{refused:?}");
    other.execute("commit").await.unwrap();
    bed.flush().await;
    assert_eq!(bed.text_of(message, 0).await, "kept");
    assert!(!bed.store.send_message(bed.message(task, "n", "y")).await.unwrap().again);
}

/// Polls a call this often and then drops it; whether it had ended.
async fn given_up_after<T>(call: impl Future<Output = T>, polls: u32) -> bool {
    let mut call = std::pin::pin!(call);
    let mut left = polls;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        call.as_mut().poll(context).map(|_| true)
    })
    .await
}

#[tokio::test]
async fn a_caller_that_goes_away_in_the_middle_leaves_no_trace() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let mut given_up = 0;
    for polls in 1..30 {
        let nonce = polls.to_string();
        let ended = given_up_after(bed.store.send_message(bed.message(task, &nonce, "x")), polls).await;
        given_up += u32::from(!ended);
        // It was stored whole or not at all, and what follows is not hindered.
        let sent = bed.store.send_message(bed.message(task, &nonce, "x")).await.unwrap();
        let messages = bed.chat(task).await;
        assert_eq!(messages.iter().filter(|message| message.head.run_id == Some(sent.run_id)).count(), 2);
        assert_eq!(messages.len(), 2);
        bed.store.drop_run(sent.run_id, bed.now()).await.unwrap();
    }
    assert!(given_up > 2, "{given_up}");
}

#[tokio::test]
async fn a_caller_that_goes_away_in_the_middle_leaves_no_lock() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let mut other = connect(bed.dir()).await;
    let mut given_up = 0;
    for round in 0..30 {
        let ended = given_up_after(bed.store.resume_queue(task, bed.now()), 1 + round % 6).await;
        given_up += u32::from(!ended);
        // Nobody else writes through the store, and yet its lock goes.
        other.execute("begin immediate").await.unwrap();
        other.execute("rollback").await.unwrap();
    }
    assert!(given_up > 5, "{given_up}");
}
