//! What comes when no prompt of its link runs: late text, whole answers nobody asked for, ends of earlier tool calls.

use drover_domain::place::{Author, Background, Kind, Known, Last, Place, View, place};
use drover_domain::transcript::{Content, Transcript};
use drover_domain::{AgentId, MessageHead, MessageId, MessageStatus, Origin, Role, RunId};
use drover_store::{Fact, StoreError};
use tokio::time::Instant;

use super::{PAST, Past, TaskActor};

impl TaskActor {
    pub(super) async fn place_outside(&mut self, agent: AgentId, kind: Kind, content: Content) {
        let view = match self.view(&agent, &content).await {
            Ok(view) => view,
            Err(error) => {
                tracing::error!(task = %self.task, %error, "an update cannot be placed and is left out");
                return;
            }
        };
        match place(kind, &view) {
            Place::Current(_) => {
                if let Some(turn) = self.turn_of(&agent) {
                    turn.last_update = Instant::now();
                    let (message, under) = (turn.message, (turn.run, turn.fence));
                    let changes = turn.transcript.apply(content);
                    let facts = self.facts_of(message, changes);
                    self.record(Some(under), facts).await;
                }
            }
            Place::Background(message) => self.add_to_background(message, content).await,
            Place::FreshOfRun(run) => self.open_message(agent, Some(run), content).await,
            Place::Late(message) => self.add_to_past(&agent, message, content, true).await,
            Place::Own(message) | Place::Tool(message) => self.add_to_past(&agent, message, content, false).await,
            Place::Fresh => self.open_message(agent, None, content).await,
            Place::Nowhere(_) => {}
        }
    }

    async fn view(&self, agent: &AgentId, content: &Content) -> Result<View, StoreError> {
        let store = &self.context.store;
        let past = self.links.get(agent).map(|slot| slot.past.as_slice()).unwrap_or_default();
        let last = store.last_message(self.task).await?.map(|(message, ordinal)| Last {
            message,
            ordinal,
            author: match past.iter().find(|past| past.message == message) {
                Some(Past { under: Some(_), .. }) => Author::Answered,
                Some(Past { under: None, .. }) => Author::ByItself,
                None => Author::Other,
            },
        });
        let mut background = None;
        for turn in self.background.iter().filter(|turn| turn.agent == *agent) {
            let ordinal = store.message(turn.message).await?.map_or(turn.ordinal + 1, |message| message.head.ordinal);
            background = Some(Background { run: turn.run, message: turn.message, ordinal });
        }
        let known = match content {
            Content::Tool(tool) => past.iter().rev().find_map(|past| {
                let open = past.transcript.tool(&tool.id)?.is_open();
                Some(Known { message: past.message, open })
            }),
            _ => None,
        };
        let running = self.active.as_ref().filter(|turn| turn.agent == *agent && turn.phase == super::Phase::Sent);
        // A handoff that is being built for another link counts as seen.
        let building = self.active.as_ref().filter(|turn| turn.agent != *agent).map_or(0, |turn| turn.ordinal);
        let others_seen = store.others_seen(self.task, agent).await?.max(building);
        Ok(View { stale: false, running: running.map(|turn| turn.message), background, last, others_seen, known })
    }

    async fn add_to_background(&mut self, message: MessageId, content: Content) {
        let Some(turn) = self.background.iter_mut().find(|turn| turn.message == message) else { return };
        turn.last_update = Instant::now();
        let under = Some((turn.run, turn.fence));
        let changes = turn.transcript.apply(content);
        let facts = self.facts_of(message, changes);
        self.record(under, facts).await;
    }

    async fn add_to_past(&mut self, agent: &AgentId, message_id: MessageId, content: Content, late: bool) {
        let slot = self.links.get_mut(agent);
        let Some(past) = slot.and_then(|slot| slot.past.iter_mut().find(|past| past.message == message_id)) else {
            return;
        };
        let changes = past.transcript.apply(content);
        if past.growing.is_some() {
            past.growing = Some(Instant::now());
        }
        let (under, growing) = (past.under, past.growing.is_some());
        let close = if growing { Vec::new() } else { past.transcript.settle(drover_domain::transcript::ToolEnd::Keep) };
        let mut facts = if late { vec![Fact::MessageLate { message_id }] } else { Vec::new() };
        facts.extend(self.facts_of(message_id, changes));
        facts.extend(self.facts_of(message_id, close));
        self.record(under, facts).await;
    }

    /// A new message at the end: of a run in the background whose last one another agent has seen, or of the agent's own accord.
    async fn open_message(&mut self, agent: AgentId, run: Option<RunId>, content: Content) {
        let id = MessageId::from_ulid(self.context.fresh());
        let mut transcript = Transcript::new();
        let changes = transcript.apply(content);
        if changes.is_empty() {
            return;
        }
        let head = MessageHead {
            id,
            task_id: self.task,
            ordinal: 0,
            role: Role::Assistant,
            origin: if run.is_some() { Origin::Run } else { Origin::Agent },
            agent: Some(agent.clone()),
            status: MessageStatus::Streaming,
            run_id: run,
            late: false,
            created_at: self.context.now(),
            duration_ms: None,
            stop_reason: None,
            usage: None,
            handoff: None,
            model: None,
        };
        let mut facts = vec![Fact::MessageOpened(Box::new(head))];
        facts.extend(self.facts_of(id, changes));
        self.record(None, facts).await;
        // What follows has to find it as the last message of the chat.
        let flush = drover_store::Record {
            task_id: self.task,
            now: self.context.now(),
            under: None,
            facts: vec![Fact::Flush],
            reply: None,
        };
        if let Err(error) = self.context.store.record_and_wait(flush).await {
            tracing::warn!(task = %self.task, %error, "a message of the agent's own cannot be written");
        }
        let Some(slot) = self.links.get_mut(&agent) else { return };
        slot.past.push(Past { message: id, under: None, transcript, growing: Some(Instant::now()) });
        if slot.past.len() > PAST {
            slot.past.remove(0);
        }
    }
}
