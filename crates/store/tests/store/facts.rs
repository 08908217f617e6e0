use drover_domain::run::RunEvent;
use drover_domain::{MessageStatus, Outcome, Part, RunState, TaskState, WaitingFor};
use drover_store::{Fact, LinkPatch, RememberedOption, Reply, Store};
use serde_json::json;

use crate::harness::{Bed, agent, append, end, grows, is_fenced, options};

#[tokio::test]
async fn a_run_goes_its_way_and_its_message_with_it() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    let blocks = bed.store.prompt(sent.run_id).await.unwrap();
    assert_eq!(blocks.as_deref(), Some("[]"));
    assert_eq!(
        bed.store.link_row(task, &agent("alpha")).await.unwrap().link.seen_ordinal,
        1,
        "the cursor is at its prompt"
    );
    assert_eq!(bed.store.active_runs(task).await.unwrap(), [(sent.run_id, under.unwrap().1, message)]);
    bed.write(task, under, vec![grows(message, 0, "hello")]).await.unwrap();
    bed.write(task, under, vec![end(Outcome::Done)]).await.unwrap();
    let run = bed.store.run(sent.run_id).await.unwrap().unwrap();
    assert_eq!((run.state, run.attempts.len(), run.attempts[0].outcome), (RunState::Done, 1, Some(Outcome::Done)));
    let answer = bed.store.message(message).await.unwrap().unwrap();
    assert_eq!((answer.head.status, answer.head.ordinal), (MessageStatus::Done, 2));
    assert!(answer.head.duration_ms.unwrap() >= 1);
    assert_eq!(bed.store.link_row(task, &agent("alpha")).await.unwrap().link.seen_ordinal, 2);
    let task = bed.store.task(task).await.unwrap().unwrap();
    assert!(task.unread && task.state == TaskState::Idle);
}

#[tokio::test]
async fn what_comes_under_an_old_fence_or_for_what_is_gone_is_refused_and_writes_nothing() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let (run, fence) = under.unwrap();
    let message = sent.assistant_message_id;
    let head = bed.store.head();
    for old in [Some((run, fence - 1)), Some((run, fence + 1))] {
        assert!(is_fenced(bed.write(task, old, vec![grows(message, 0, "stale")]).await));
        assert!(is_fenced(bed.write(task, old, vec![end(Outcome::Done)]).await));
    }
    let nobody = bed.message_id();
    assert!(is_fenced(bed.write(task, None, vec![grows(nobody, 0, "x")]).await));
    assert!(is_fenced(bed.write(task, None, vec![append(nobody, 0, "x")]).await));
    assert!(is_fenced(bed.write(task, under, vec![append(message, 0, "no part is there")]).await));
    assert_eq!(bed.store.head(), head);
}

#[tokio::test]
async fn an_ended_run_does_not_end_again() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    bed.write(task, under, vec![end(Outcome::Cancelled)]).await.unwrap();
    for outcome in [Outcome::Done, Outcome::Error, Outcome::Interrupted] {
        assert!(is_fenced(bed.write(task, under, vec![end(outcome)]).await));
    }
    assert!(is_fenced(bed.write(task, None, vec![Fact::Start { run_id: sent.run_id }]).await));
    assert_eq!(bed.store.run(sent.run_id).await.unwrap().unwrap().state, RunState::Cancelled);
}

#[tokio::test]
async fn a_record_is_written_whole_or_not_at_all() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![grows(message, 0, "a")]).await.unwrap();
    let head = bed.store.head();
    let before = bed.chat(task).await;
    let facts = vec![
        append(message, 0, "b"),
        Fact::PartClosed { message_id: message, index: 0 },
        grows(message, 1, "c"),
        append(message, 1, "d"),
        Fact::Titled { title: "t".into() },
        // It is not starting any more.
        Fact::Sending { blocks: "[]".into(), handoff: None },
    ];
    assert!(is_fenced(bed.write(task, under, facts).await));
    assert_eq!(bed.store.head(), head);
    assert_eq!(bed.chat(task).await, before);
    // The part still grows where it was.
    bed.write(task, under, vec![append(message, 0, "z")]).await.unwrap();
    assert_eq!(bed.text_of(message, 0).await, "az");
    assert_eq!(bed.killed().await.text_of(message, 0).await, "az");
}

#[tokio::test]
async fn a_fact_that_can_never_be_written_does_not_take_its_neighbours_along() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    let request = bed.request(task, Some(sent.run_id));
    bed.write(task, under, vec![Fact::Asked(Box::new(request.clone()))]).await.unwrap();
    bed.tell(task, under, vec![grows(message, 0, "a")]).await;
    bed.tell(task, under, vec![append(message, 0, "b")]).await;
    // Its id is taken.
    bed.tell(task, under, vec![append(message, 0, "lost"), Fact::Asked(Box::new(request.clone()))]).await;
    bed.tell(task, under, vec![append(message, 0, "c")]).await;
    assert!(matches!(
        bed.write(task, under, vec![Fact::Asked(Box::new(request))]).await,
        Err(drover_store::Refused::Store(drover_store::StoreError::Database(_)))
    ));
    bed.write(task, under, vec![append(message, 0, "d")]).await.unwrap();
    assert_eq!(bed.text_of(message, 0).await, "abcd");
}

#[tokio::test]
async fn nothing_is_told_of_a_task_that_was_deleted_while_text_came() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![grows(message, 0, "a")]).await.unwrap();
    bed.write(task, under, vec![Fact::Stepped { event: RunEvent::Quieted }]).await.unwrap();
    bed.store.delete_task(task, bed.now()).await.unwrap();
    let head = bed.store.head();
    let request = bed.request(task, None);
    let option = RememberedOption { option_id: "model".into(), value: json!("x"), category: None };
    for facts in [
        vec![append(message, 0, "b")],
        vec![Fact::Asked(Box::new(request))],
        vec![Fact::Link { agent: agent("alpha"), patch: Box::new(LinkPatch::default()) }],
        vec![Fact::OptionAccepted { agent: agent("alpha"), option }],
    ] {
        assert!(is_fenced(bed.write(task, None, facts).await));
    }
    assert!(is_fenced(bed.write(task, under, vec![append(message, 0, "b")]).await));
    assert!(is_fenced(bed.write(task, under, vec![end(Outcome::Done)]).await));
    assert_eq!(bed.store.head(), head);
}

#[tokio::test]
async fn a_run_that_waits_says_why_and_a_background_run_lets_the_next_start() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let next = bed.send(task, "y").await;
    bed.write(task, None, vec![Fact::Waits { run_id: next.run_id, reason: Some(WaitingFor::Limit) }]).await.unwrap();
    assert_eq!(bed.store.run(next.run_id).await.unwrap().unwrap().waiting_for, Some(WaitingFor::Limit));
    bed.write(task, under, vec![Fact::Stepped { event: RunEvent::Quieted }]).await.unwrap();
    assert_eq!(bed.store.task(task).await.unwrap().unwrap().state, TaskState::Background);
    let started = bed.start(task, next.run_id).await;
    assert_eq!(started.ordinal, 3);
    assert_eq!(bed.store.run(next.run_id).await.unwrap().unwrap().waiting_for, None);
    bed.write(task, under, vec![grows(sent.assistant_message_id, 0, "still")]).await.unwrap();
    assert_eq!(bed.text_of(sent.assistant_message_id, 0).await, "still");
}

#[tokio::test]
async fn a_link_keeps_what_is_not_changed_and_a_new_session_has_seen_nothing() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let link = async |patch: LinkPatch| {
        let fact = Fact::Link { agent: agent("alpha"), patch: Box::new(patch) };
        bed.write(task, None, vec![fact]).await.unwrap();
        bed.store.link_row(task, &agent("alpha")).await.unwrap()
    };
    let options = json!([{ "id": "model", "currentValue": "x", "extra": 1.0 }]);
    let row =
        link(LinkPatch { session: Some(Some("s1".into())), options: Some(options.clone()), ..LinkPatch::default() })
            .await;
    assert!(row.link.has_session && row.session_created_at.is_some());
    let row = link(LinkPatch { seen_ordinal: Some(7), ..LinkPatch::default() }).await;
    assert_eq!((row.link.seen_ordinal, &row.link.options), (7, &options));
    let head = bed.store.head();
    link(LinkPatch { seen_ordinal: Some(7), ..LinkPatch::default() }).await;
    assert_eq!(bed.store.head(), head, "nothing changed, nothing is told");
    let row = link(LinkPatch { session: Some(Some("s2".into())), ..LinkPatch::default() }).await;
    assert_eq!((row.link.seen_ordinal, &row.link.options), (0, &options));
    assert_eq!(bed.store.others_seen(task, &agent("beta")).await.unwrap(), 0);
}

#[tokio::test]
async fn what_waits_is_written_by_a_close_and_then_nothing_more() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.tell(task, under, vec![grows(message, 0, "")]).await;
    for word in ["all ", "of ", "it"] {
        bed.tell(task, under, vec![append(message, 0, word)]).await;
    }
    bed.store.close().await.unwrap();
    let late = bed.told(task, under, vec![append(message, 0, "late")]);
    assert!(matches!(bed.store.record(late).await, Err(drover_store::StoreError::Closed)));
    assert!(matches!(bed.store.resume_queue(task, bed.now()).await, Err(drover_store::StoreError::Closed)));
    assert_eq!(
        std::fs::metadata(crate::harness::wal(bed.dir())).map_or(0, |meta| meta.len()),
        0,
        "the log is written back"
    );
    let left = bed.left_by_a_kill();
    let store = Store::open(options(left.path(), bed.now().as_millis())).await.unwrap();
    let parts = store.message(message).await.unwrap().unwrap().parts;
    assert_eq!(parts, [Part::Text { text: "all of it".into() }]);
}

#[tokio::test]
async fn a_reply_comes_when_the_fact_can_be_read() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    for n in 0..50 {
        let part = Part::Unknown { raw: json!(n) };
        let facts = vec![Fact::PartOpened { message_id: sent.assistant_message_id, index: n, part, grows: false }];
        assert_eq!(bed.write(task, under, facts).await.unwrap(), Reply::Written);
        let parts = bed.store.message(sent.assistant_message_id).await.unwrap().unwrap().parts;
        assert_eq!(parts.len() as i64, n + 1);
        assert_eq!(bed.events(bed.store.head() - 1).await.len(), 1, "and the bell has rung");
    }
}
