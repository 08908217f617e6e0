use drover_domain::{MessageId, Part, TaskId};
use drover_store::Fact;
use proptest::prelude::*;

use crate::harness::{Bed, Client, Under, append, end, grows};

#[derive(Debug, Clone)]
enum Step {
    /// Opens a part with a text.
    Open(String, bool),
    /// Adds to one of the parts, whether it is open or not.
    Append(usize, String),
    Close(usize),
    /// Another message's text in between.
    Elsewhere(String),
    /// A reader takes a snapshot and follows from there.
    Snapshot,
    /// Another reader goes on from where it is.
    CatchUp,
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-zü😀𝔘\u{0}\n\"\\\\]{1,8}",
        // Longer than what is folded at once.
        1 => (1..5_usize, "[x😀é]").prop_map(|(n, c)| c.repeat(n * 10_000)),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (prop_oneof![Just(String::new()), any_text()], any::<bool>()).prop_map(|(text, thought)| Step::Open(text, thought)),
        10 => (0..4_usize, any_text()).prop_map(|(n, text)| Step::Append(n, text)),
        2 => (0..4_usize).prop_map(Step::Close),
        2 => any_text().prop_map(Step::Elsewhere),
        1 => Just(Step::Snapshot),
        2 => Just(Step::CatchUp),
    ]
}

struct Play {
    task: TaskId,
    under: Under,
    message: MessageId,
    elsewhere: (TaskId, Under, MessageId),
    /// What the parts are to be.
    parts: Vec<Part>,
}

impl Play {
    async fn new(bed: &Bed) -> Self {
        let (task, other) = (bed.task().await, bed.task().await);
        let (sent, under) = bed.running(task, "x").await;
        let (there, under_there) = bed.running(other, "y").await;
        bed.tell(other, under_there, vec![grows(there.assistant_message_id, 0, "")]).await;
        let elsewhere = (other, under_there, there.assistant_message_id);
        Self { task, under, message: sent.assistant_message_id, elsewhere, parts: Vec::new() }
    }

    async fn step(&mut self, bed: &Bed, step: &Step) {
        match step {
            Step::Open(text, thought) => {
                let text = text.clone();
                let part = if *thought { Part::Thought { text } } else { Part::Text { text } };
                let index = self.parts.len() as i64;
                self.parts.push(part.clone());
                let fact = Fact::PartOpened { message_id: self.message, index, part, grows: true };
                bed.tell(self.task, self.under, vec![fact]).await;
            }
            Step::Append(n, more) => {
                let Some(part) = self.parts.get_mut(*n) else { return };
                let (Part::Text { text } | Part::Thought { text }) = part else {
                    unreachable!("only texts are opened")
                };
                text.push_str(more);
                bed.tell(self.task, self.under, vec![append(self.message, *n as i64, more)]).await;
            }
            Step::Close(n) => {
                let fact = Fact::PartClosed { message_id: self.message, index: *n as i64 };
                bed.tell(self.task, self.under, vec![fact]).await;
            }
            Step::Elsewhere(text) => {
                let (task, under, message) = self.elsewhere;
                bed.tell(task, under, vec![append(message, 0, text)]).await;
            }
            Step::Snapshot | Step::CatchUp => {}
        }
    }

    async fn parts(&self, bed: &Bed) -> Vec<Part> {
        bed.store.message(self.message).await.unwrap().unwrap().parts
    }
}

/// A client with its cursor.
struct Reader(Client, i64);

impl Reader {
    async fn snapshot(bed: &Bed, task: TaskId) -> Self {
        let chat = bed.store.chat(task, None, 200).await.unwrap().unwrap();
        Self(Client::of(chat.messages), chat.seq)
    }

    async fn catch_up(&mut self, bed: &Bed, task: TaskId) {
        for (seq, event) in bed.events(self.1).await {
            self.1 = seq;
            self.0.apply(task, event);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn text_is_the_same_in_the_events_in_a_snapshot_after_a_crash_and_at_the_end(
        steps in prop::collection::vec(any_step(), 1..40),
    ) {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let bed = Bed::new().await;
            let mut play = Play::new(&bed).await;
            let mut follower = Reader::snapshot(&bed, play.task).await;
            let mut late = Reader::snapshot(&bed, play.task).await;
            for step in &steps {
                play.step(&bed, step).await;
                match step {
                    Step::Snapshot => late = Reader::snapshot(&bed, play.task).await,
                    Step::CatchUp => follower.catch_up(&bed, play.task).await,
                    _ => {}
                }
            }
            bed.flush().await;
            assert_eq!(play.parts(&bed).await, play.parts);
            for reader in [&mut follower, &mut late] {
                reader.catch_up(&bed, play.task).await;
                assert_eq!(reader.0.chat(), bed.chat(play.task).await);
            }
            let killed = bed.killed().await;
            assert_eq!(play.parts(&killed).await, play.parts);
            assert_eq!(killed.number("select count(*) from parts where open_seq is not null").await, 0);
            // What comes after a crash goes to the same text.
            if let Some(Part::Text { text } | Part::Thought { text }) = play.parts.first_mut() {
                text.push_str("late😀");
                killed.write(play.task, play.under, vec![append(play.message, 0, "late😀")]).await.unwrap();
                assert_eq!(play.parts(&killed).await[0], play.parts[0]);
                bed.write(play.task, play.under, vec![append(play.message, 0, "late😀")]).await.unwrap();
            }
            bed.write(play.task, play.under, vec![end(drover_domain::Outcome::Done)]).await.unwrap();
            assert_eq!(play.parts(&bed).await, play.parts);
            assert_eq!(bed.number("select count(*) from parts where open_seq is not null").await, 1, "the other task's");
        });
    }
}

#[tokio::test]
async fn text_and_the_close_of_its_part_in_one_record_stay_in_order() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message_id = sent.assistant_message_id;
    let facts = vec![
        grows(message_id, 0, "a"),
        append(message_id, 0, "b"),
        Fact::PartClosed { message_id, index: 0 },
        grows(message_id, 1, "c"),
        append(message_id, 1, "d"),
        end(drover_domain::Outcome::Done),
    ];
    bed.write(task, under, facts).await.unwrap();
    assert_eq!(bed.text_of(message_id, 0).await, "ab");
    assert_eq!(bed.text_of(message_id, 1).await, "cd");
}

#[tokio::test]
async fn a_part_that_is_opened_anew_holds_nothing_of_what_stood_there() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    let close = Fact::PartClosed { message_id: message, index: 0 };
    bed.write(task, under, vec![grows(message, 0, "a"), append(message, 0, "old"), close.clone()]).await.unwrap();
    bed.write(task, under, vec![grows(message, 0, "b"), append(message, 0, "new"), close.clone()]).await.unwrap();
    assert_eq!(bed.text_of(message, 0).await, "bnew");
    let part = Part::Text { text: "whole".into() };
    bed.write(task, under, vec![append(message, 0, "er"), Fact::PartReplaced { message_id: message, index: 0, part }])
        .await
        .unwrap();
    bed.write(task, under, vec![append(message, 0, " and more"), close]).await.unwrap();
    assert_eq!(bed.text_of(message, 0).await, "whole and more");
}

#[tokio::test]
async fn a_text_that_is_quiet_while_others_stream_costs_no_more_to_read() {
    let bed = Bed::new().await;
    let (task, other) = (bed.task().await, bed.task().await);
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![grows(message, 0, "be"), append(message, 0, "gun")]).await.unwrap();
    let (noise, under_noise) = bed.running(other, "y").await;
    bed.write(other, under_noise, vec![grows(noise.assistant_message_id, 0, "")]).await.unwrap();
    for _ in 0..5 {
        // Each fact is an event of its own, for other facts stand between.
        let mut facts = Vec::new();
        for _ in 0..500 {
            facts.push(append(noise.assistant_message_id, 0, "."));
            facts.push(Fact::PartReplaced {
                message_id: noise.assistant_message_id,
                index: 1,
                part: Part::Unknown { raw: serde_json::json!({}) },
            });
        }
        bed.write(other, under_noise, facts).await.unwrap();
    }
    let behind = bed.number("select max(feed.seq) - min(parts.open_seq) from feed, parts").await;
    assert!(behind <= 4096 + 1001, "{behind} entries behind");
    assert_eq!(bed.text_of(message, 0).await, "begun");
    bed.write(task, under, vec![append(message, 0, "!")]).await.unwrap();
    assert_eq!(bed.text_of(message, 0).await, "begun!");
}
