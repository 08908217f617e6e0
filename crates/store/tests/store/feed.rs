use drover_domain::Outcome;
use drover_store::{Cursor, Fact, Store};

use crate::harness::{Bed, append, end, grows, options};

const GAP: i64 = 1 << 20;

#[tokio::test]
async fn numbers_follow_on_and_jump_only_at_a_start() {
    let bed = Bed::new().await;
    assert_eq!(bed.store.head(), GAP);
    let task = bed.task().await;
    bed.send(task, "x").await;
    let numbers: Vec<i64> = bed.events(0).await.iter().map(|(seq, _)| *seq).collect();
    assert_eq!(numbers, (GAP + 1..=bed.store.head()).collect::<Vec<_>>());
    let last = bed.store.head();
    let bed = bed.restarted().await.unwrap();
    assert!(bed.store.head() >= last + GAP);
    assert_eq!(bed.events(last).await.first().map(|(seq, _)| *seq), Some(last + GAP + 1), "the queue was held");
}

#[tokio::test]
async fn a_cursor_is_good_or_says_that_it_is_not() {
    let bed = Bed::new().await;
    let cursor = async |bed: &Bed, after| bed.store.cursor(after).await.unwrap();
    assert_eq!(cursor(&bed, 0).await, Cursor::Good);
    assert_eq!(cursor(&bed, GAP).await, Cursor::Good);
    for strange in [-1, 1, 500, GAP - 1, GAP + 1, 10_000_000, i64::MAX, i64::MIN] {
        assert_eq!(cursor(&bed, strange).await, Cursor::Reset, "{strange}");
    }
    bed.task().await;
    let last = bed.store.head();
    assert_eq!(cursor(&bed, last).await, Cursor::Good);
    assert_eq!(cursor(&bed, last + 1).await, Cursor::Reset);
    let bed = bed.restarted().await.unwrap();
    bed.task().await;
    assert_eq!(cursor(&bed, last).await, Cursor::Good, "nothing came between");
    assert_eq!(cursor(&bed, last - 1).await, Cursor::Good);
    for lost in [last + 1, last + 7, last + GAP - 1] {
        assert_eq!(cursor(&bed, lost).await, Cursor::Reset, "a number that a crash lost");
    }
    assert_eq!(cursor(&bed, last + GAP).await, Cursor::Good);
}

#[tokio::test]
async fn a_snapshot_is_followed_from_its_own_number() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let chat = bed.store.chat(task, None, 50).await.unwrap().unwrap();
    assert_eq!(chat.seq, bed.store.head());
    let bed = bed.restarted().await.unwrap();
    let chat = bed.store.chat(task, None, 50).await.unwrap().unwrap();
    assert_eq!(chat.seq, bed.store.head());
    assert_eq!(bed.store.cursor(chat.seq).await.unwrap(), Cursor::Good);
}

#[tokio::test]
async fn a_page_of_events_is_bounded_in_bytes_but_never_empty() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let large = "x".repeat(700_000);
    for _ in 0..4 {
        bed.send(task, &large).await;
    }
    let (mut cursor, mut pages) = (0, 0);
    loop {
        let page = bed.store.feed_after(cursor, 1000).await.unwrap();
        let Some(last) = page.last() else { break };
        let bytes: usize = page.iter().map(|row| row.data.len()).sum();
        assert!(bytes < (1 << 20) + 800_000);
        (cursor, pages) = (last.seq, pages + 1);
    }
    assert_eq!(cursor, bed.store.head());
    assert!(pages >= 2);
}

/// A feed with a window of ten entries or a day, in which a task has made `n` entries.
async fn busy(n: usize, bytes: i64) -> Bed {
    let bed = Bed::with(|options| (options.feed_days, options.feed_entries, options.feed_bytes) = (1, 10, bytes)).await;
    for _ in 0..n {
        bed.task().await;
    }
    bed
}

async fn entries(bed: &Bed) -> i64 {
    bed.number("select count(*) from feed").await
}

#[tokio::test]
async fn what_is_young_or_among_the_newest_is_kept() {
    let bed = busy(50, 500_000_000).await;
    bed.store.sweep().await.unwrap();
    assert_eq!(entries(&bed).await, 50, "all are young");
    let first = bed.events(0).await[0].0;
    bed.pass_days(2);
    bed.task().await;
    bed.store.sweep().await.unwrap();
    assert_eq!(entries(&bed).await, 10, "all but the newest are old");
    let oldest = bed.events(0).await[0].0;
    assert_eq!(oldest, first + 41);
    assert_eq!(bed.store.cursor(oldest - 1).await.unwrap(), Cursor::Good);
    assert_eq!(bed.store.cursor(oldest - 2).await.unwrap(), Cursor::Reset);
    assert_eq!(bed.store.cursor(0).await.unwrap(), Cursor::Reset);
    let head = bed.store.head();
    let bed = bed.restarted().await.unwrap();
    assert!(bed.store.head() >= head + GAP, "numbers never come again");
}

#[tokio::test]
async fn the_young_are_kept_also_behind_an_entry_that_a_wrong_clock_made_old() {
    let bed = busy(30, 500_000_000).await;
    bed.pass_days(-5);
    bed.task().await;
    bed.pass_days(5);
    bed.task().await;
    bed.store.sweep().await.unwrap();
    assert_eq!(entries(&bed).await, 32);
}

#[tokio::test]
async fn a_feed_that_is_too_heavy_loses_its_old_end_whatever_its_age() {
    let bed = busy(0, 100_000).await;
    let task = bed.task().await;
    for _ in 0..40 {
        bed.send(task, &"x".repeat(10_000)).await;
    }
    bed.store.sweep().await.unwrap();
    let left = bed.number("select sum(octet_length(data)) + count(*) * 64 from feed").await;
    assert!((80_000..=100_000).contains(&left), "{left}");
    assert_eq!(bed.chat(task).await.len(), 80, "the chat is whole");
    let newest = bed.store.head();
    bed.send(task, &"y".repeat(200_000)).await;
    bed.store.sweep().await.unwrap();
    assert!(entries(&bed).await >= 1);
    assert_eq!(bed.store.cursor(newest).await.unwrap(), Cursor::Reset);
}

#[tokio::test]
async fn text_that_still_grows_is_never_cut() {
    let bed = busy(0, 20_000).await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![grows(message, 0, "")]).await.unwrap();
    bed.write(task, under, vec![append(message, 0, "begun ")]).await.unwrap();
    for _ in 0..10 {
        bed.send(task, &"x".repeat(10_000)).await;
    }
    bed.store.sweep().await.unwrap();
    assert_eq!(bed.text_of(message, 0).await, "begun ");
    assert_eq!(bed.killed().await.text_of(message, 0).await, "begun ");
    bed.write(task, under, vec![append(message, 0, "ended")]).await.unwrap();
    bed.write(task, under, vec![Fact::PartClosed { message_id: message, index: 0 }, end(Outcome::Done)]).await.unwrap();
    bed.store.sweep().await.unwrap();
    assert_eq!(bed.text_of(message, 0).await, "begun ended");
    assert!(bed.number("select sum(octet_length(data)) from feed").await <= 20_000);
}

#[tokio::test]
async fn many_entries_go_in_batches_and_a_reader_in_their_midst_is_told() {
    let bed = busy(0, 500_000_000).await;
    let task = bed.task().await;
    let mut set = tokio::task::JoinSet::new();
    for n in 0..5000 {
        let (store, now) = (bed.store.clone(), bed.now());
        let facts = vec![Fact::Titled { title: format!("title {n}") }];
        let record = drover_store::Record { task_id: task, now, under: None, facts, reply: None };
        set.spawn(async move { store.record(record).await.unwrap() });
    }
    set.join_all().await;
    bed.flush().await;
    assert!(entries(&bed).await >= 5000);
    let middle = bed.events(0).await[3000].0;
    bed.pass_days(2);
    bed.task().await;
    bed.store.sweep().await.unwrap();
    assert_eq!(entries(&bed).await, 10);
    assert_eq!(bed.store.cursor(middle).await.unwrap(), Cursor::Reset);
}

#[tokio::test]
async fn an_instance_keeps_its_name_and_its_first_one_wins() {
    let dir = tempfile::tempdir().unwrap();
    let first = Store::open(options(dir.path(), 1)).await.unwrap();
    let name = first.instance_id().to_owned();
    first.close().await.unwrap();
    drop(first);
    let mut again = options(dir.path(), 1);
    again.fresh_instance_id = "other".into();
    assert_eq!(Store::open(again).await.unwrap().instance_id(), name);
}
