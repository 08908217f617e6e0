use drover_domain::run::RunEvent;
use drover_domain::{MessageHead, MessageStatus, Origin, Outcome, Role, RunId, TaskId, WaitingFor};
use drover_store::{DropError, Fact};
use proptest::prelude::*;

use crate::harness::{Bed, Client, Under, end, is_fenced};

#[derive(Debug, Clone)]
enum Step {
    Send,
    Start,
    End(Outcome),
    Drop(usize),
    Cancel(usize),
    OwnMessage,
    Resume,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::Send),
        3 => Just(Step::Start),
        3 => prop::sample::select(vec![Outcome::Done, Outcome::Error, Outcome::Cancelled, Outcome::Interrupted]).prop_map(Step::End),
        1 => (0..4_usize).prop_map(Step::Drop),
        1 => (0..4_usize).prop_map(Step::Cancel),
        1 => Just(Step::OwnMessage),
        1 => Just(Step::Resume),
    ]
}

/// The chat as lists of names, and whether the queue is held.
#[derive(Default)]
struct Model {
    settled: Vec<String>,
    queued: Vec<RunId>,
    active: Option<(RunId, Under)>,
    held: bool,
}

impl Model {
    fn settle(&mut self, run: RunId) {
        self.queued.retain(|queued| *queued != run);
        self.settled.extend([format!("{run} user"), format!("{run} assistant")]);
        self.held &= !self.queued.is_empty();
    }

    fn chat(&self) -> Vec<String> {
        let queued = self.queued.iter().flat_map(|run| [format!("{run} user"), format!("{run} assistant")]);
        self.settled.iter().cloned().chain(queued).collect()
    }
}

fn own_message(bed: &Bed, task_id: TaskId) -> MessageHead {
    MessageHead {
        id: bed.message_id(),
        task_id,
        ordinal: 0,
        role: Role::Assistant,
        origin: Origin::Agent,
        agent: Some(crate::harness::agent("alpha")),
        status: MessageStatus::Streaming,
        run_id: None,
        late: false,
        created_at: bed.now(),
        duration_ms: None,
        stop_reason: None,
        usage: None,
        handoff: None,
        model: None,
    }
}

async fn play(bed: &Bed, task: TaskId, model: &mut Model, step: Step) {
    match step {
        Step::Send => {
            model.queued.push(bed.send(task, "x").await.run_id);
            model.held = false;
        }
        Step::Start => {
            if let (Some(run), None) = (model.queued.first().copied(), model.active) {
                let started = bed.start(task, run).await;
                assert_eq!(started.ordinal as usize, model.settled.len() + 1);
                let under = Some((run, started.fence));
                bed.write(task, under, vec![Fact::Stepped { event: RunEvent::Sent }]).await.unwrap();
                let held = model.held;
                model.settle(run);
                // Starting is not what lets a queue go on or empties it for good.
                model.held = held;
                model.active = Some((run, under));
            }
        }
        Step::End(outcome) => {
            if let Some((_, under)) = model.active.take() {
                bed.write(task, under, vec![end(outcome)]).await.unwrap();
                model.held = (model.held || outcome.holds_queue()) && !model.queued.is_empty();
            }
        }
        Step::Drop(n) => match model.queued.get(n).copied() {
            Some(run) => {
                bed.store.drop_run(run, bed.now()).await.unwrap();
                model.queued.retain(|queued| *queued != run);
                model.held &= !model.queued.is_empty();
            }
            None => {
                if let Some((run, _)) = model.active {
                    assert!(matches!(bed.store.drop_run(run, bed.now()).await, Err(DropError::Started)));
                }
            }
        },
        Step::Cancel(n) => {
            if let Some(run) = model.queued.get(n).copied() {
                assert!(bed.store.cancel_run(run, bed.now()).await.unwrap().1);
                assert!(!bed.store.cancel_run(run, bed.now()).await.unwrap().1, "it had ended");
                model.settle(run);
            }
        }
        Step::OwnMessage => {
            let head = own_message(bed, task);
            model.settled.push(format!("{} own", head.id));
            bed.write(task, None, vec![Fact::MessageOpened(Box::new(head))]).await.unwrap();
        }
        Step::Resume => {
            bed.store.resume_queue(task, bed.now()).await.unwrap();
            model.held = false;
        }
    }
}

async fn check(bed: &Bed, task: TaskId, model: &Model) {
    let chat = bed.store.chat(task, None, 200).await.unwrap().unwrap();
    let name = |head: &MessageHead| match (head.run_id, head.role) {
        (Some(run), Role::User) => format!("{run} user"),
        (Some(run), Role::Assistant) => format!("{run} assistant"),
        (None, _) => format!("{} own", head.id),
    };
    let heads: Vec<_> = chat.messages.iter().map(|message| &message.head).collect();
    assert_eq!(heads.iter().map(|head| name(head)).collect::<Vec<_>>(), model.chat());
    assert_eq!(heads.iter().map(|head| head.ordinal).collect::<Vec<_>>(), (1..=heads.len() as i64).collect::<Vec<_>>());
    for head in &heads {
        let queued = head.run_id.is_some_and(|run| model.queued.contains(&run));
        assert_eq!(head.status == MessageStatus::Queued, queued, "{head:?}");
    }
    assert_eq!(bed.store.queued_runs(task).await.unwrap(), model.queued);
    if !model.queued.is_empty() {
        assert_eq!(chat.task.queue_held, model.held);
    }
    for run in &model.queued {
        let reason = if model.held { WaitingFor::Held } else { WaitingFor::Task };
        assert_eq!(bed.store.run(*run).await.unwrap().unwrap().waiting_for, Some(reason));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_chat_is_in_the_order_in_which_things_ran_and_its_numbers_have_no_gaps(
        steps in prop::collection::vec(any_step(), 1..30),
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let bed = Bed::new().await;
            let task = bed.task().await;
            let (mut model, mut client, mut cursor) = (Model::default(), Client::default(), bed.store.head());
            for step in steps {
                play(&bed, task, &mut model, step).await;
                check(&bed, task, &model).await;
                for (seq, event) in bed.events(cursor).await {
                    cursor = seq;
                    client.apply(task, event);
                }
                assert_eq!(client.chat(), bed.chat(task).await);
            }
        });
    }
}

#[tokio::test]
async fn a_task_never_has_two_active_runs() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (_, under) = bed.running(task, "one").await;
    let second = bed.send(task, "two").await;
    assert!(is_fenced(bed.write(task, None, vec![Fact::Start { run_id: second.run_id }]).await));
    bed.write(task, under, vec![Fact::Stepped { event: RunEvent::Quieted }]).await.unwrap();
    bed.start(task, second.run_id).await;
}
