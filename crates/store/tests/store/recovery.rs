use drover_domain::message::ToolCall;
use drover_domain::run::{LeftProcess, RunEvent};
use drover_domain::{
    LinkState, MessageStatus, Outcome, Part, RequestState, RunState, TaskState, Timestamp, WaitingFor,
};
use drover_store::{Fact, LinkPatch, Recovered};

use crate::harness::{Bed, Client, Under, agent, append, end, grows, tool};

async fn state_after_a_kill(
    steps: &[Fact],
    at_once: Option<RunEvent>,
) -> (RunState, MessageStatus, TaskState, Vec<Part>) {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let sent = bed.send(task, "x").await;
    let under: Under = Some((sent.run_id, bed.start(task, sent.run_id).await.fence));
    for fact in steps {
        bed.write(task, under, vec![fact.clone()]).await.unwrap();
    }
    if let Some(event) = at_once {
        bed.write(task, under, vec![Fact::Stepped { event }]).await.unwrap();
    }
    let killed = bed.killed().await;
    let run = killed.store.run(sent.run_id).await.unwrap().unwrap();
    assert!(run.ended_at.is_some() && run.attempts.iter().all(|attempt| attempt.outcome.is_some()));
    let message = killed.store.message(sent.assistant_message_id).await.unwrap().unwrap();
    let task = killed.store.task(task).await.unwrap().unwrap();
    (run.state, message.head.status, task.state, message.parts)
}

#[tokio::test]
async fn a_run_whose_prompt_may_have_been_sent_is_interrupted_and_one_before_failed() {
    let sending = Fact::Sending { blocks: "[]".into(), handoff: None };
    let (run, message, task, parts) = state_after_a_kill(&[], None).await;
    assert_eq!((run, message, task), (RunState::Error, MessageStatus::Error, TaskState::Error));
    assert!(matches!(&parts[..], [Part::Error { code, .. }] if code == "not_sent"), "{parts:?}");
    let interrupted = (RunState::Interrupted, MessageStatus::Interrupted, TaskState::Interrupted, Vec::new());
    assert_eq!(state_after_a_kill(std::slice::from_ref(&sending), None).await, interrupted);
    assert_eq!(state_after_a_kill(&[sending.clone(), Fact::OnWire], None).await, interrupted);
    assert_eq!(state_after_a_kill(&[], Some(RunEvent::Sent)).await, interrupted);
    assert_eq!(state_after_a_kill(&[sending.clone(), Fact::OnWire], Some(RunEvent::Asked)).await, interrupted);
    assert_eq!(state_after_a_kill(&[sending, Fact::OnWire], Some(RunEvent::Quieted)).await, interrupted);
}

#[tokio::test]
async fn a_run_that_waits_for_a_login_asks_for_the_user_and_counts_as_not_sent_whatever_was_refused() {
    let sending = Fact::Sending { blocks: "[]".into(), handoff: None };
    for before in [vec![], vec![sending.clone()], vec![sending, Fact::OnWire]] {
        let bed = Bed::new().await;
        let task = bed.task().await;
        let sent = bed.send(task, "x").await;
        let under = Some((sent.run_id, bed.start(task, sent.run_id).await.fence));
        for fact in before.into_iter().chain([Fact::WantsLogin]) {
            bed.write(task, under, vec![fact]).await.unwrap();
        }
        assert!(bed.store.run(sent.run_id).await.unwrap().unwrap().wants_login());
        assert_eq!(bed.store.task(task).await.unwrap().unwrap().state, TaskState::Waiting);
        let killed = bed.killed().await;
        let run = killed.store.run(sent.run_id).await.unwrap().unwrap();
        assert_eq!((run.state, run.waiting_for), (RunState::Error, None));
        bed.write(task, None, vec![Fact::Waits { run_id: sent.run_id, reason: None }]).await.unwrap();
        assert_eq!(bed.store.task(task).await.unwrap().unwrap().state, TaskState::Running);
    }
}

#[tokio::test]
async fn a_prompt_that_was_only_being_written_does_not_move_the_cursor() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let sent = bed.send(task, "x").await;
    let under = Some((sent.run_id, bed.start(task, sent.run_id).await.fence));
    bed.write(task, under, vec![Fact::Sending { blocks: "[]".into(), handoff: None }]).await.unwrap();
    let killed = bed.killed().await;
    assert_eq!(killed.store.link_row(task, &agent("alpha")).await.unwrap().link.seen_ordinal, 0);
    bed.write(task, under, vec![Fact::OnWire]).await.unwrap();
    let killed = bed.killed().await;
    assert_eq!(killed.store.link_row(task, &agent("alpha")).await.unwrap().link.seen_ordinal, 1);
}

#[tokio::test]
async fn all_that_was_seen_is_there_and_all_that_waited_waits_held() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    let queued = bed.send(task, "later").await;
    let request = bed.request(task, Some(sent.run_id));
    let on =
        LinkPatch { state: Some((LinkState::Busy, None)), session: Some(Some("s".into())), ..LinkPatch::default() };
    bed.write(task, under, vec![grows(message, 0, "se"), append(message, 0, "en")]).await.unwrap();
    bed.write(
        task,
        under,
        vec![Fact::PartOpened { message_id: message, index: 1, part: tool("t", "out".into()), grows: false }],
    )
    .await
    .unwrap();
    bed.write(task, under, vec![Fact::Asked(Box::new(request.clone()))]).await.unwrap();
    bed.write(task, under, vec![Fact::Link { agent: agent("alpha"), patch: Box::new(on) }]).await.unwrap();
    let seen = bed.store.chat(task, None, 50).await.unwrap().unwrap();

    let killed = bed.killed().await;
    let chat = killed.store.chat(task, None, 50).await.unwrap().unwrap();
    assert_eq!(chat.messages[1].parts[0], Part::Text { text: "seen".into() });
    let Part::ToolCall(call) = &chat.messages[1].parts[1] else { panic!("no call") };
    assert!(call.unknown_outcome, "it may have happened");
    assert_eq!(killed.store.request(request.id).await.unwrap().unwrap().state, RequestState::Void);
    assert_eq!(chat.requests, []);
    assert_eq!((chat.links[0].state, chat.links[0].has_session), (LinkState::Off, true));
    assert!(chat.task.queue_held);
    assert_eq!(killed.store.run(queued.run_id).await.unwrap().unwrap().waiting_for, Some(WaitingFor::Held));
    assert_eq!(killed.store.intents_after(0).await.unwrap(), [], "nothing of before is acted on");
    // A page that was there before the kill catches up with what the start changed.
    let mut client = Client::of(seen.messages);
    for (_, event) in killed.events(seen.seq).await {
        client.apply(task, event);
    }
    assert_eq!(client.chat(), chat.messages);
    assert_eq!(killed.store.recover(killed.now()).await.unwrap(), Recovered::default(), "once is enough");
}

#[tokio::test]
async fn a_message_that_an_agent_began_by_itself_is_interrupted_with_its_calls() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    bed.write(task, under, vec![end(Outcome::Done)]).await.unwrap();
    let mut head = bed.store.message(sent.assistant_message_id).await.unwrap().unwrap().head;
    head.id = bed.message_id();
    (head.run_id, head.status, head.origin) = (None, MessageStatus::Streaming, drover_domain::Origin::Agent);
    let part = tool("t", "x".into());
    let open = Fact::PartOpened { message_id: head.id, index: 0, part, grows: false };
    bed.write(task, None, vec![Fact::MessageOpened(Box::new(head.clone())), open]).await.unwrap();
    let killed = bed.killed().await;
    let message = killed.store.message(head.id).await.unwrap().unwrap();
    assert_eq!((message.head.status, message.head.ordinal), (MessageStatus::Interrupted, 3));
    assert!(matches!(&message.parts[..], [Part::ToolCall(ToolCall { unknown_outcome: true, .. })]));
}

#[tokio::test]
async fn commands_that_were_left_running_went_with_their_keeper() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    bed.write(task, under, vec![end(Outcome::Cancelled)]).await.unwrap();
    let left = LeftProcess { pid: 7, command: "sleep".into(), started_at: Timestamp::from_millis(1) };
    bed.write(task, under, vec![Fact::Processes { run_id: sent.run_id, processes: vec![left] }]).await.unwrap();
    let killed = bed.killed().await;
    assert_eq!(killed.store.run(sent.run_id).await.unwrap().unwrap().processes, []);
}

#[tokio::test]
async fn a_clean_stop_leaves_nothing_to_put_right() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (_, under) = bed.running(task, "x").await;
    bed.write(task, under, vec![end(Outcome::Done)]).await.unwrap();
    let (before, id) = (bed.chat(task).await, bed.store.instance_id().to_owned());
    let bed = bed.restarted().await.unwrap();
    assert_eq!(bed.chat(task).await, before);
    assert_eq!(bed.store.instance_id(), id);
    assert_eq!(bed.store.recover(bed.now()).await.unwrap(), Recovered::default());
}
