use drover_domain::{AttachmentId, MessageStatus, Part, TaskState, TitleSource, WaitingFor};
use drover_store::{Intent, SendError, TaskPatch};
use ulid::Ulid;

use crate::harness::{Bed, Client, agent};

#[tokio::test]
async fn a_send_makes_two_messages_a_run_and_an_intent_at_once() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let before = bed.store.chat(task, None, 50).await.unwrap().unwrap();
    let sent = bed.send(task, " hi\n").await;
    let chat = bed.store.chat(task, None, 50).await.unwrap().unwrap();
    let ids: Vec<_> = chat.messages.iter().map(|message| message.head.id).collect();
    assert_eq!(ids, [sent.user_message_id, sent.assistant_message_id]);
    assert_eq!(chat.messages[0].parts, [Part::Text { text: " hi\n".into() }]);
    assert_eq!(chat.messages[1].parts, []);
    assert!(chat.messages.iter().all(|message| message.head.status == MessageStatus::Queued));
    assert_eq!(chat.task.state, TaskState::Queued);
    assert_eq!(chat.task.last_message_at, Some(chat.messages[0].head.created_at));
    let run = bed.store.run(sent.run_id).await.unwrap().unwrap();
    assert_eq!((run.waiting_for, run.user_message_id), (Some(WaitingFor::Task), sent.user_message_id));
    let intents = bed.store.intents_after(0).await.unwrap();
    assert_eq!(intents.len(), 1);
    assert_eq!((intents[0].task_id, &intents[0].intent), (task, &Intent::Start));
    let mut client = Client::of(before.messages);
    for (_, event) in bed.events(before.seq).await {
        client.apply(task, event);
    }
    assert_eq!(client.chat(), chat.messages);
}

#[tokio::test]
async fn twenty_racing_copies_are_one_message_and_one_run() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let copies: Vec<_> = (0..20).map(|_| bed.message(task, "n", "once")).collect();
    let mut set = tokio::task::JoinSet::new();
    for copy in copies {
        let store = bed.store.clone();
        set.spawn(async move { store.send_message(copy).await.unwrap() });
    }
    let answers = set.join_all().await;
    assert_eq!(answers.iter().filter(|sent| !sent.again).count(), 1);
    assert!(answers.iter().all(|sent| sent.run_id == answers[0].run_id));
    assert_eq!(bed.chat(task).await.len(), 2);
    assert_eq!(bed.number("select count(*) from runs").await, 1);
    assert_eq!(bed.store.intents_after(0).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_nonce_stands_for_one_body_also_after_its_message_was_dropped_and_in_one_task_only() {
    let bed = Bed::new().await;
    let (task, other) = (bed.task().await, bed.task().await);
    let sent = bed.store.send_message(bed.message(task, "n", "a")).await.unwrap();
    let reused = bed.store.send_message(bed.message(task, "n", "b")).await;
    assert!(matches!(reused, Err(SendError::NonceReused)));
    let mut for_another = bed.message(task, "n", "a");
    for_another.agent = agent("beta");
    assert!(matches!(bed.store.send_message(for_another).await, Err(SendError::NonceReused)));
    bed.store.drop_run(sent.run_id, bed.now()).await.unwrap();
    let again = bed.store.send_message(bed.message(task, "n", "a")).await.unwrap();
    assert!(again.again && again.run_id == sent.run_id);
    assert_eq!(bed.chat(task).await, []);
    assert!(!bed.store.send_message(bed.message(other, "n", "b")).await.unwrap().again);
    let bed = bed.restarted().await.unwrap();
    assert!(bed.store.send_message(bed.message(task, "n", "a")).await.unwrap().again);
}

#[tokio::test]
async fn a_send_that_cannot_be_leaves_no_trace() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let head = bed.store.head();
    let mut send = bed.message(task, "n", "x");
    send.attachments = vec![AttachmentId::from_ulid(Ulid::from(5_u128))];
    assert!(matches!(bed.store.send_message(send).await, Err(SendError::NoAttachment(_))));
    bed.store.delete_task(task, bed.now()).await.unwrap();
    assert!(matches!(bed.store.send_message(bed.message(task, "n", "x")).await, Err(SendError::NoTask)));
    assert_eq!(bed.number("select count(*) from messages").await, 0);
    assert_eq!(bed.number("select count(*) from nonces").await, 0);
    assert_eq!(bed.store.head(), head + 1, "only the deletion was told");
}

#[tokio::test]
async fn a_title_comes_from_the_prompt_then_the_agent_and_the_users_wins() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let title = async || {
        let task = bed.store.task(task).await.unwrap().unwrap();
        (task.title, task.title_source)
    };
    bed.send(task, "\n fix the parser \nplease").await;
    assert_eq!(title().await, ("fix the parser".into(), TitleSource::Prompt));
    bed.send(task, "and another thing").await;
    assert_eq!(title().await, ("fix the parser".into(), TitleSource::Prompt));
    let titled = |title: &str| vec![drover_store::Fact::Titled { title: title.into() }];
    bed.write(task, None, titled("Parser fixes")).await.unwrap();
    assert_eq!(title().await, ("Parser fixes".into(), TitleSource::Agent));
    let patch = TaskPatch { title: Some("Mine".into()), ..TaskPatch::default() };
    bed.store.patch_task(task, patch, bed.now()).await.unwrap();
    bed.write(task, None, titled("Theirs")).await.unwrap();
    assert_eq!(title().await, ("Mine".into(), TitleSource::User));
}
