//! From a queued run to a prompt on the wire.

use std::sync::Arc;

use drover_acp::messages::PromptBlock;
use drover_domain::options::Remembered;
use drover_domain::queue::{StartFacts, may_start};
use drover_domain::run::Fence;
use drover_domain::transcript::{Content, Transcript};
use drover_domain::{AgentId, LinkState, Outcome, Run, RunId, Timestamp, WaitingFor};
use drover_store::{Fact, Record, Refused, Reply, StoreError};
use serde_json::Value;
use tokio::time::Instant;

use super::locked::Lock;
use super::{LinkSlot, Mail, Phase, TaskActor, Turn};
use crate::context::Context;
use crate::link::{self, Able, Command, LinkStart};
use crate::prompt::{self, Built, Wanted};
use crate::remembered;
use crate::terminal::Terminals;

impl TaskActor {
    /// Starts the first queued run if it may start; else the store is told why not.
    pub(super) async fn start_next(&mut self) {
        if self.stopping || self.deleted || self.starting.is_some() || self.ending {
            return;
        }
        if self.is_unlocked() {
            return self.go_on().await;
        }
        match self.next_run().await {
            Ok(Some((run, held))) => self.try_start(run, held).await,
            Ok(None) => self.context.slots.forget(self.task),
            Err(error) => {
                tracing::warn!(task = %self.task, %error, "the queue cannot be read; trying again");
                self.later(Mail::Poke);
            }
        }
    }

    async fn next_run(&self) -> Result<Option<(Run, bool)>, StoreError> {
        let store = &self.context.store;
        let Some(first) = store.queued_runs(self.task).await?.first().copied() else { return Ok(None) };
        let (Some(run), Some(task)) = (store.run(first).await?, store.task(self.task).await?) else { return Ok(None) };
        let held = task.queue_held && !store.starts_at_once(first).await?;
        Ok(Some((run, held)))
    }

    async fn try_start(&mut self, run: Run, held: bool) {
        let queueing = self.links.get(&run.agent).is_some_and(|slot| slot.able.queueing);
        let facts = StartFacts {
            held,
            sent_now: false,
            behind_another: false,
            active_in_task: self.active.is_some(),
            link_busy: !queueing && self.background.iter().any(|turn| turn.agent == run.agent),
            slot_free: true,
        };
        let slot = match may_start(facts) {
            Ok(()) => self.context.slots.take(self.task, (self.context.config)().max_active_runs),
            Err(reason) => {
                self.context.slots.forget(self.task);
                return self.waits(run.id, Some(reason)).await;
            }
        };
        let Some(slot) = slot else {
            return self.waits(run.id, Some(WaitingFor::Limit)).await;
        };
        self.starting = Some((run.id, slot));
        let id = run.id;
        self.record_then(None, vec![Fact::Start { run_id: id }], move |result| Mail::Started { run: id, result }).await;
    }

    /// Tells why a run does not start or go on.
    pub(super) async fn waits(&self, run_id: RunId, reason: Option<WaitingFor>) {
        self.record(None, vec![Fact::Waits { run_id, reason }]).await;
    }

    /// A run has its fence and its place.
    pub(super) async fn started(&mut self, id: RunId, result: Result<Reply, Refused>) {
        let Some((_, slot)) = self.starting.take_if(|(run, _)| *run == id) else { return };
        let unwanted = self.unwanted.remove(&id);
        let Some(started) = Self::started_of(result) else {
            // It was dropped or stopped in the meantime; another may be next.
            drop(slot);
            return self.later(Mail::Poke);
        };
        let run = match self.context.store.run(id).await {
            Ok(Some(run)) => run,
            Ok(None) | Err(_) => return drop(slot),
        };
        let agent = run.agent.clone();
        self.active = Some(Turn {
            run: id,
            fence: started.fence,
            agent: agent.clone(),
            generation: 0,
            user_message: run.user_message_id,
            message: run.assistant_message_id,
            ordinal: started.ordinal,
            phase: Phase::Linking,
            transcript: Transcript::new(),
            cancelled: unwanted,
            restarted: false,
            lock: Lock::of(&self.context, &agent),
            seen_ordinal: 0,
            returned: false,
            kill_at: None,
            last_update: Instant::now(),
            prompt: Vec::new(),
            echo: String::new(),
            trouble: super::Trouble::default(),
            usage: None,
            usage_told: None,
            sent_at: None,
            slot: Some(slot),
        });
        if unwanted || self.stopping {
            return self.end_unsent().await;
        }
        self.link_active(&agent).await;
    }

    /// Has the active run's agent take its prompt.
    pub(super) async fn link_active(&mut self, agent: &AgentId) {
        if self.ensure_link(agent).await {
            return self.prepare().await;
        }
        let message = format!("There is no agent “{agent}” any more. Choose another one and send again.");
        let error = Content::Error { code: "agent_unknown".into(), message, detail: None };
        self.end_active(Outcome::Error, Some(error)).await;
    }

    /// Starts a link where none is. `false`: there is no such agent.
    pub(super) async fn ensure_link(&mut self, agent: &AgentId) -> bool {
        if self.links.get(agent).is_some_and(|slot| slot.handle.is_some()) {
            return true;
        }
        let Some(entry) = self.context.catalogue.get(agent).filter(|_| !self.stopping && !self.deleted) else {
            return false;
        };
        let generation = self.links.get(agent).map_or(1, |slot| slot.generation + 1);
        let (session, options, remembered) = match self.link_before(agent).await {
            Ok(before) => before,
            Err(error) => {
                tracing::warn!(task = %self.task, %error, "a link cannot be read; it starts anew");
                (None, Value::Array(Vec::new()), Vec::new())
            }
        };
        self.link_state(agent, LinkState::Starting, None).await;
        let handle = link::start(LinkStart {
            context: Arc::clone(&self.context),
            task_id: self.task,
            agent: agent.clone(),
            generation,
            cwd: self.cwd.clone(),
            session,
            options,
            remembered,
            events: self.events_in.clone(),
        });
        let slot = LinkSlot {
            handle: Some(handle),
            generation,
            awaiting: 1,
            was_ready: false,
            offers: false,
            able: Able::default(),
            family: None,
            terminals: Terminals::default(),
            quirks: super::Quirks::of(&entry),
            silent: false,
            outdated: false,
            lost: None,
            past: Vec::new(),
            used: Instant::now(),
        };
        self.links.insert(agent.clone(), slot);
        true
    }

    /// The session to bring back, the options as last seen, and the values to set again.
    async fn link_before(
        &self,
        agent: &AgentId,
    ) -> Result<(Option<(String, Option<Timestamp>)>, Value, Vec<Remembered>), StoreError> {
        let store = &self.context.store;
        let row = store.link_row(self.task, agent).await?;
        let values = if row.was_started() {
            remembered::for_session(store, self.task, agent).await?
        } else {
            let values = remembered::for_first_start(store, self.task, agent, self.project).await?;
            let options = values.iter().map(remembered::to_store).collect();
            self.record(None, vec![Fact::StartsWith { agent: agent.clone(), options }]).await;
            values
        };
        let session = row.session_id.map(|id| (id, row.session_created_at));
        Ok((session, row.link.options, values))
    }

    /// Builds the prompt once the link takes one.
    pub(super) async fn prepare(&mut self) {
        let Some(turn) = &mut self.active else { return };
        let Some(slot) = self.links.get(&turn.agent).filter(|slot| slot.is_ready()) else { return };
        if turn.phase != Phase::Linking {
            return;
        }
        turn.phase = Phase::Preparing;
        turn.generation = slot.generation;
        let (context, mail) = (Arc::clone(&self.context), self.mail.clone());
        let (task, agent, able) = (self.task, turn.agent.clone(), slot.able);
        let (run, fence, user_message, ordinal) = (turn.run, turn.fence, turn.user_message, turn.ordinal);
        let generation = turn.generation;
        tokio::spawn(async move {
            let wanted = Wanted { task, agent: &agent, run, user_message, ordinal, able };
            let result = note_prompt(&context, wanted, fence).await.map_err(|error| error.to_string());
            let _ = mail.send(Mail::Prepared { run, generation, result }).await;
        });
    }

    /// The prompt is built and noted: it goes to the link.
    pub(super) async fn prepared(&mut self, run: RunId, generation: u64, result: Result<Built, String>) {
        let wanted =
            |turn: &&mut Turn| turn.run == run && turn.generation == generation && turn.phase == Phase::Preparing;
        let Some(turn) = self.active.as_mut().filter(wanted) else { return };
        let Built { blocks, seen_ordinal, .. } = match result {
            Ok(built) => built,
            Err(why) => {
                let message = format!("The prompt could not be made: {why}. Nothing was sent.");
                return self
                    .end_active(
                        Outcome::Error,
                        Some(Content::Error { code: "prompt_not_made".into(), message, detail: None }),
                    )
                    .await;
            }
        };
        turn.prompt = blocks
            .iter()
            .filter_map(|block| match block {
                PromptBlock::Text { text } => Some(text.clone()),
                _ => None,
            })
            .collect();
        turn.seen_ordinal = seen_ordinal;
        turn.phase = Phase::Given;
        turn.last_update = Instant::now();
        let (agent, generation) = (turn.agent.clone(), turn.generation);
        let slot = self.links.get(&agent).filter(|slot| slot.generation == generation);
        if let Some(handle) = slot.and_then(|slot| slot.handle.as_ref()) {
            // One that is ending says so itself.
            handle.send(Command::Prompt { run, blocks });
        }
    }

    /// Ends a run whose prompt was never sent because it was stopped, or because the daemon stops.
    pub(super) async fn end_unsent(&mut self) {
        if self.active.as_ref().is_some_and(|turn| turn.cancelled) {
            return self.end_active(Outcome::Cancelled, None).await;
        }
        let message = "Drover stopped before this message was sent. Nothing reached the agent; send it again.".into();
        self.end_active(Outcome::Error, Some(Content::Error { code: "not_sent".into(), message, detail: None })).await;
    }
}

/// Builds the prompt and notes that it is about to be sent (lifecycle rule 6).
async fn note_prompt(context: &Context, wanted: Wanted<'_>, fence: Fence) -> Result<Built, Refused> {
    let (task_id, run) = (wanted.task, wanted.run);
    let record = |under, facts| Record { task_id, now: context.now(), under, facts, reply: None };
    // What the link has told so far is what the prompt is built from.
    context.store.record_and_wait(record(None, vec![Fact::Flush])).await?;
    let built = prompt::build(context, wanted).await?;
    let blocks = serde_json::to_string(&built.blocks).map_err(StoreError::from)?;
    let sending = Fact::Sending { blocks, handoff: built.handoff };
    context.store.record_and_wait(record(Some((run, fence)), vec![sending])).await?;
    Ok(built)
}
