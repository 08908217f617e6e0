//! Another program that has the store open.

use std::time::{Duration, Instant};

use drover_tests::harness::{Drover, LONG, message_text};
use serde_json::json;
use sqlx::{ConnectOptions, Connection, Executor, SqliteConnection, sqlite::SqliteConnectOptions};

async fn second_program(drover: &Drover) -> SqliteConnection {
    let options =
        SqliteConnectOptions::new().filename(drover.data().join("drover.db")).busy_timeout(Duration::from_secs(10));
    options.connect().await.expect("the database opens")
}

/// Holds the write lock for so long while a turn streams, and checks that readers do not notice and nothing is lost.
async fn held_for(time: Duration) {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let sent = drover.send(&task, "!say 120 20").await;
    drover.says(&task, &sent, "w3 ").await;
    let mut other = second_program(&drover).await;
    other.execute("begin immediate").await.expect("the lock");
    let held = Instant::now();
    while held.elapsed() < time {
        let asked = Instant::now();
        drover.get(&format!("/tasks/{task}/chat")).await.is(200);
        assert!(asked.elapsed() < Duration::from_millis(500), "a read takes {:?} under a lock", asked.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await; // the pace of the reads; the time held is the case
    }
    other.execute("commit").await.expect("released");
    other.close().await.expect("closed");
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    let whole: String = (0..120).map(|index| format!("w{index} ")).collect();
    assert_eq!((message["status"].as_str(), message_text(&message)), (Some("done"), whole));
    stream.until_done(&sent.assistant_message_id).await;
    assert_eq!(json!(stream.rebuilt(&sent.assistant_message_id)), message["parts"]);
    assert_eq!(message_text(&drover.turn(&task, "!text on").await), "on");
}

#[tokio::test]
async fn a_write_lock_of_three_seconds_is_not_noticed() {
    held_for(Duration::from_secs(3)).await;
}

#[tokio::test]
async fn a_write_lock_beyond_every_patience_costs_no_text() {
    held_for(Duration::from_secs(12)).await;
}

#[tokio::test]
async fn a_send_under_a_short_lock_is_taken_and_a_read_transaction_stops_nothing() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let mut other = second_program(&drover).await;
    other.execute("begin immediate").await.expect("the lock");
    let (api, target) = ((*drover).clone(), task.clone());
    let send = tokio::spawn(async move { api.try_send(&target, "alpha", "!text x", "n").await });
    tokio::time::sleep(Duration::from_secs(1)).await; // the time held is the case
    other.execute("commit").await.expect("released");
    send.await.expect("an answer").is(202);
    other.execute("begin").await.expect("a transaction");
    other.fetch_one("select count(*) from tasks").await.expect("a read");
    let sent = drover.send(&task, "!burst 20000 100\n!text end").await;
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    assert!(message_text(&message).len() == 2_000_003, "{}", message_text(&message).len());
    other.execute("commit").await.expect("ended");
    other.close().await.expect("closed");
}
