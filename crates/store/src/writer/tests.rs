use drover_domain::{AgentId, TaskId};
use tempfile::TempDir;
use ulid::Ulid;

use super::*;
use crate::{CreateTask, Fact, OpenOptions, Record};

const NOW: Timestamp = Timestamp::from_millis(1_767_225_600_000);

async fn store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let options = OpenOptions {
        data_dir: dir.path().to_owned(),
        fresh_instance_id: "x".into(),
        now: NOW,
        feed_days: 7,
        feed_entries: 1000,
        feed_bytes: 1_000_000,
    };
    let store = Store::open(options).await.unwrap();
    (dir, store)
}

/// What the writing connection is set to: 1 is NORMAL, 2 is FULL.
async fn synchronous(store: &Store) -> i64 {
    let mut writer = store.inner.writer.lock().await;
    sqlx::query_scalar("pragma synchronous").fetch_one(&mut writer.conn).await.unwrap()
}

fn task_id() -> TaskId {
    TaskId::from_ulid(Ulid::from(1_u128))
}

async fn titled(store: &Store, title: &str) {
    let facts = vec![Fact::Titled { title: title.into() }];
    let record = Record { task_id: task_id(), now: NOW, under: None, facts, reply: None };
    store.record_and_wait(record).await.unwrap();
}

#[tokio::test]
async fn what_was_asked_over_http_is_synced_and_what_happened_is_not() {
    let (dir, store) = store().await;
    let new = CreateTask { id: task_id(), project_id: None, title: None, tasks_dir: dir.path().to_owned(), now: NOW };
    store.create_task(new).await.unwrap();
    assert_eq!(synchronous(&store).await, 2);
    titled(&store, "a").await;
    assert_eq!(synchronous(&store).await, 1);
    let agent: AgentId = "alpha".parse().unwrap();
    store.connect(task_id(), &agent, NOW).await.unwrap();
    assert_eq!(synchronous(&store).await, 2);
    titled(&store, "b").await;
    store.sweep().await.unwrap();
    assert_eq!(synchronous(&store).await, 1);
    store.resume_queue(task_id(), NOW).await.unwrap();
    assert_eq!(synchronous(&store).await, 2);
}

#[tokio::test]
async fn a_transaction_that_is_given_up_ends_by_itself() {
    let (_dir, store) = store().await;
    let head = store.head();
    let mut tx = store.begin(Durability::Full, NOW).await.unwrap();
    tx.intend(task_id(), &Intent::Start).await.unwrap();
    drop(tx);
    let mut bell = store.intent_bell();
    if store.inner.writer.lock().await.dirty {
        tokio::time::timeout(Duration::from_secs(10), bell.changed()).await.unwrap().unwrap();
    }
    assert!(!store.inner.writer.lock().await.dirty);
    assert_eq!((store.head(), store.intents_after(0).await.unwrap()), (head, Vec::new()));
}

#[tokio::test]
async fn a_point_takes_back_rows_numbers_and_intents() {
    let (_dir, store) = store().await;
    let mut tx = store.begin(Durability::Normal, NOW).await.unwrap();
    let head = tx.head();
    let point = tx.save().await.unwrap();
    tx.emit(&Event::TaskDeleted(drover_domain::event::TaskGone { id: task_id() })).await.unwrap();
    tx.intend(task_id(), &Intent::Start).await.unwrap();
    tx.back_to(point).await.unwrap();
    assert_eq!((tx.head(), tx.intents), (head, false));
    tx.emit(&Event::TaskDeleted(drover_domain::event::TaskGone { id: task_id() })).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(store.feed_after(head, 10).await.unwrap().len(), 1);
    assert_eq!(store.intents_after(0).await.unwrap(), []);
}
