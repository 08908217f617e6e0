//! What streaming costs: commits, and bytes in the database and its log.

use std::fs;
use std::path::Path;
use std::time::Duration;

use drover_domain::Outcome;
use drover_store::Fact;
use sqlx::Executor;
use tokio::time::Instant;

use crate::harness::{Bed, append, connect, end, grows, wal};

const ANSWER: usize = 200_000;

/// Bytes of the frames in a log, and how many commits they make; none of an earlier round of the log.
fn frames(dir: &Path) -> (u64, usize) {
    let log = fs::read(wal(dir)).unwrap_or_default();
    let Some(header) = log.get(..32) else { return (0, 0) };
    let page = u32::from_be_bytes(header[8..12].try_into().unwrap()) as usize;
    let valid = log[32..].chunks_exact(24 + page).take_while(|frame| frame[8..16] == header[16..24]);
    valid.fold((0, 0), |(bytes, commits), frame| {
        (bytes + frame.len() as u64, commits + usize::from(frame[4..8] != [0; 4]))
    })
}

fn sizes(dir: &Path) -> u64 {
    [dir.join("drover.db"), wal(dir)].iter().map(|path| fs::metadata(path).map_or(0, |meta| meta.len())).sum()
}

#[tokio::test]
async fn however_many_tasks_stream_there_are_at_most_31_commits_a_second() {
    const TASKS: usize = 40;
    let bed = Bed::new().await;
    let mut streams = Vec::new();
    for _ in 0..TASKS {
        let task = bed.task().await;
        let (sent, under) = bed.running(task, "x").await;
        bed.write(task, under, vec![grows(sent.assistant_message_id, 0, "")]).await.unwrap();
        streams.push((task, under, sent.assistant_message_id));
    }
    // A reader keeps the log from starting anew, so that every commit can be counted.
    let mut reader = connect(bed.dir()).await;
    reader.execute("begin; select count(*) from tasks").await.unwrap();
    let before = frames(bed.dir()).1;
    let started = Instant::now();
    let mut chunks = 0;
    while started.elapsed() < Duration::from_secs(2) {
        for (task, under, message) in &streams {
            bed.tell(*task, *under, vec![append(*message, 0, "some words ")]).await;
            chunks += 1;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let commits = frames(bed.dir()).1 - before;
    let rate = commits as f64 / started.elapsed().as_secs_f64();
    assert!(rate <= 31.0, "{rate} commits a second");
    assert!(chunks > commits * 5 && commits > 20, "{commits} commits for {chunks} chunks");
    bed.flush().await;
}

#[tokio::test]
async fn the_first_text_after_a_quiet_does_not_wait_for_a_tick() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    bed.write(task, under, vec![grows(sent.assistant_message_id, 0, "")]).await.unwrap();
    let mut best = Duration::MAX;
    for _ in 0..5 {
        tokio::time::sleep(Duration::from_millis(110)).await;
        let mut bell = bed.store.feed_bell();
        bell.borrow_and_update();
        let started = Instant::now();
        bed.tell(task, under, vec![append(sent.assistant_message_id, 0, "x")]).await;
        bell.changed().await.unwrap();
        best = best.min(started.elapsed());
    }
    assert!(best < Duration::from_millis(20), "{best:?}");
}

/// Streams an answer in 4,000 chunks, and gives by how many bytes the files grew at most.
async fn growth(over: Duration) -> u64 {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![grows(message, 0, "")]).await.unwrap();
    let (before, mut largest) = (sizes(bed.dir()), 0);
    let started = Instant::now();
    for n in 0..4000_u32 {
        bed.tell(task, under, vec![append(message, 0, &"x".repeat(ANSWER / 4000))]).await;
        if n % 40 == 0 {
            tokio::time::sleep_until(started + over * n / 4000).await;
            largest = largest.max(sizes(bed.dir()));
        }
    }
    bed.write(task, under, vec![Fact::PartClosed { message_id: message, index: 0 }, end(Outcome::Done)]).await.unwrap();
    assert_eq!(bed.text_of(message, 0).await.len(), ANSWER);
    largest.max(sizes(bed.dir())) - before
}

#[tokio::test]
async fn an_answer_costs_little_more_than_its_text_whether_it_comes_slowly_or_in_a_burst() {
    let burst = growth(Duration::ZERO).await;
    assert!(burst <= 6 * ANSWER as u64, "{burst} bytes in a burst");
    let paced = growth(Duration::from_secs(3)).await;
    assert!(paced <= 4_000_000 * 3 / 10 + ANSWER as u64 * 3, "{paced} bytes in three seconds");
    eprintln!("files grew by {burst} bytes in a burst, by {paced} over three seconds");
}

#[tokio::test]
async fn the_log_is_small_again_soon_after_much_was_written() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    for n in 0..60 {
        bed.send(task, &format!("{n} {}", "x".repeat(100_000))).await;
    }
    // Once it is written back it starts anew, and small.
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        bed.task().await;
        let now = fs::metadata(wal(bed.dir())).unwrap().len();
        if now <= 1 << 20 {
            break;
        }
        assert!(Instant::now() < deadline, "the log still has {now} bytes");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
