use drover_domain::{Event, Outcome, TaskId};
use drover_store::{DeleteTaskError, Intent, TaskFilter, TaskPatch};

use crate::harness::{Bed, end};

async fn list(bed: &Bed, filter: TaskFilter) -> Vec<TaskId> {
    let mut filter = TaskFilter { limit: 3, ..filter };
    let mut found = Vec::new();
    loop {
        let page = bed.store.tasks(filter.clone()).await.unwrap();
        found.extend(page.tasks.iter().map(|task| task.id));
        match page.next {
            Some(next) => filter.cursor = Some(next),
            None => return found,
        }
    }
}

#[tokio::test]
async fn tasks_are_listed_by_their_newest_activity_page_by_page() {
    let bed = Bed::new().await;
    let mut tasks = Vec::new();
    for _ in 0..8 {
        tasks.push(bed.task().await);
    }
    bed.send(tasks[2], "x").await;
    let mut expected: Vec<_> = tasks.iter().rev().copied().filter(|task| *task != tasks[2]).collect();
    expected.insert(0, tasks[2]);
    assert_eq!(list(&bed, TaskFilter::default()).await, expected);
    let away = TaskPatch { archived: Some(true), ..TaskPatch::default() };
    bed.store.patch_task(tasks[0], away, bed.now()).await.unwrap();
    assert_eq!(list(&bed, TaskFilter { archived: true, ..TaskFilter::default() }).await, [tasks[0]]);
    assert!(!list(&bed, TaskFilter::default()).await.contains(&tasks[0]));
}

#[tokio::test]
async fn a_search_finds_titles_and_text_and_takes_signs_as_they_are() {
    let bed = Bed::new().await;
    let (percent, words) = (bed.task().await, bed.task().await);
    bed.send(percent, "100% of it").await;
    bed.send(words, "first line\nthe needle_in the text").await;
    let found = async |q: &str| list(&bed, TaskFilter { q: Some(q.into()), ..TaskFilter::default() }).await;
    assert_eq!(found("0% of").await, [percent]);
    assert_eq!(found("NEEDLE_IN").await, [words]);
    assert_eq!(found("needle%in").await, []);
    assert_eq!(found("first line").await, [words]);
    assert_eq!(found("  ").await, [words, percent]);
}

#[tokio::test]
async fn a_patch_that_changes_nothing_is_not_told() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let head = bed.store.head();
    let same = TaskPatch { archived: Some(false), read: Some(true), title: Some("  ".into()), ..TaskPatch::default() };
    let before = bed.store.task(task).await.unwrap();
    assert_eq!(bed.store.patch_task(task, same, bed.now()).await.unwrap(), before);
    assert_eq!(bed.store.head(), head);
    let unread = TaskPatch { read: Some(false), ..TaskPatch::default() };
    assert!(bed.store.patch_task(task, unread, bed.now()).await.unwrap().unwrap().unread);
    assert_eq!(bed.store.head(), head + 1);
}

#[tokio::test]
async fn a_deleted_task_takes_all_of_it_along() {
    let bed = Bed::new().await;
    let (task, other) = (bed.task().await, bed.task().await);
    bed.send(other, "stays").await;
    let (_, under) = bed.running(task, "x").await;
    assert!(matches!(bed.store.delete_task(task, bed.now()).await, Err(DeleteTaskError::Active)));
    bed.write(task, under, vec![end(Outcome::Done)]).await.unwrap();
    let head = bed.store.head();
    bed.store.delete_task(task, bed.now()).await.unwrap();
    assert!(matches!(&bed.events(head).await[..], [(_, Event::TaskDeleted(gone))] if gone.id == task));
    assert_eq!(bed.store.intents_after(0).await.unwrap().last().unwrap().intent, Intent::Deleted);
    assert_eq!(bed.number("select count(*) from messages").await, 2);
    assert_eq!(bed.number("select count(*) from runs").await, 1);
    assert_eq!(bed.number("select count(*) from prompts").await, 0);
    assert_eq!(bed.number("select count(*) from links").await, 0);
    assert_eq!(bed.number("select count(*) from nonces").await, 1);
    assert!(bed.store.chat(task, None, 50).await.unwrap().is_none());
    assert!(matches!(bed.store.delete_task(task, bed.now()).await, Err(DeleteTaskError::NotFound)));
}

#[tokio::test]
async fn a_chat_is_read_page_by_page_from_its_end() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    for n in 0..6 {
        let (_, under) = bed.running(task, &format!("{n}")).await;
        bed.write(task, under, vec![end(Outcome::Done)]).await.unwrap();
    }
    let (mut before, mut ordinals) = (None, Vec::new());
    loop {
        let page = bed.store.chat(task, before, 5).await.unwrap().unwrap();
        let here: Vec<i64> = page.messages.iter().map(|message| message.head.ordinal).collect();
        before = here.first().copied();
        ordinals.splice(0..0, here);
        if !page.has_more {
            break;
        }
    }
    assert_eq!(ordinals, (1..=12).collect::<Vec<_>>());
    let between = bed.store.messages_between(task, 3, 7).await.unwrap();
    assert_eq!(between.iter().map(|message| message.head.ordinal).collect::<Vec<_>>(), [4, 5, 6]);
    assert_eq!(bed.store.last_message(task).await.unwrap().map(|(_, ordinal)| ordinal), Some(12));
}
