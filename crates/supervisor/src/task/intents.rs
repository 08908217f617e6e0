//! What people asked for.

use drover_domain::{AgentId, LinkState, RunId};
use drover_store::Intent;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{GRACE, Phase, TaskActor};
use crate::link::{Command, SetFailure, Stop};
use crate::remembered;
use crate::supervisor::SetOptionError;

impl TaskActor {
    pub(super) async fn read_intents(&mut self) {
        // Seen before the read, so that no ring is missed.
        self.bell.borrow_and_update();
        loop {
            let rows = match self.context.store.task_intents_after(self.task, self.cursor).await {
                Ok(rows) => rows,
                Err(error) => {
                    tracing::warn!(task = %self.task, %error, "intents cannot be read; trying again");
                    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                    self.bell.mark_changed();
                    return;
                }
            };
            let Some(last) = rows.last() else { return };
            self.cursor = last.seq;
            for row in rows {
                self.act_on(row.intent).await;
            }
        }
    }

    async fn act_on(&mut self, intent: Intent) {
        match intent {
            Intent::Start => self.start_next().await,
            Intent::Cancel { run_id } => self.cancel(run_id).await,
            Intent::GoOn { run_id } => self.unlock(|turn| turn.run == run_id).await,
            Intent::Answer { request_id, held } => self.answer(request_id, held).await,
            Intent::EndProcesses { run_id } => self.end_left(run_id).await,
            Intent::Connect { agent } => {
                self.ensure_link(&agent).await;
            }
            Intent::Disconnect { agent } => self.disconnect(&agent).await,
            Intent::Renew { agent } => self.renew(&agent).await,
            Intent::Deleted => self.delete(),
        }
    }

    /// Stops a run: one that has not sent its prompt never does; one that has is asked to stop, once, and killed if it does not.
    async fn cancel(&mut self, run: RunId) {
        if self.starting.as_ref().is_some_and(|(starting, _)| *starting == run) {
            self.unwanted.insert(run);
            return;
        }
        let active = self.active.as_ref().is_some_and(|turn| turn.run == run);
        let turn = self.active.iter_mut().chain(&mut self.background).find(|turn| turn.run == run);
        let Some(turn) = turn else {
            // A queued run was stopped: those behind it may be next.
            self.start_next().await;
            return;
        };
        if turn.cancelled {
            return;
        }
        turn.cancelled = true;
        if active && matches!(turn.phase, Phase::Locked | Phase::Linking | Phase::Preparing) {
            self.end_unsent().await;
            return;
        }
        turn.kill_at = Some(Instant::now() + GRACE);
        if let Some(handle) = self.links.get(&turn.agent).and_then(|slot| slot.handle.as_ref()) {
            handle.send(Command::Cancel);
        }
    }

    /// What the agent's session saw left the chat: it gets a new one on the same process.
    pub(super) async fn renew(&mut self, agent: &AgentId) {
        let remembered = match remembered::for_session(&self.context.store, self.task, agent).await {
            Ok(remembered) => remembered,
            Err(error) => {
                tracing::warn!(task = %self.task, %error, "remembered options cannot be read; the new session has none of them");
                Vec::new()
            }
        };
        let Some(slot) = self.links.get_mut(agent) else { return };
        slot.past.clear();
        slot.terminals.clear();
        if let Some(handle) = &slot.handle
            && handle.send(Command::Renew { remembered })
        {
            slot.awaiting += 1;
        }
    }

    async fn disconnect(&mut self, agent: &AgentId) {
        match self.links.get(agent).and_then(|slot| slot.handle.as_ref()) {
            Some(handle) => handle.stop(Stop::Ladder(LinkState::Off)),
            // What a run waits for stays said.
            None if self.is_locked(agent) => {}
            None => self.link_state(agent, LinkState::Off, None).await,
        }
    }

    /// The task is gone: nothing that still comes is kept.
    fn delete(&mut self) {
        self.deleted = true;
        self.active = None;
        self.background.clear();
        self.asked.clear();
        self.context.slots.forget(self.task);
        crate::frames::forget(self.context.store.data_dir(), self.task);
        for slot in self.links.values() {
            if let Some(handle) = &slot.handle {
                handle.stop(Stop::Ladder(LinkState::Off));
            }
        }
    }

    pub(super) async fn set_option(
        &mut self,
        agent: AgentId,
        option_id: String,
        value: Value,
        reply: oneshot::Sender<Result<(), SetOptionError>>,
    ) {
        if !self.ensure_link(&agent).await {
            let _ = reply.send(Err(SetOptionError::NoAgent));
            return;
        }
        let (done, outcome) = oneshot::channel();
        let sent = self
            .links
            .get(&agent)
            .and_then(|slot| slot.handle.as_ref())
            .is_some_and(|handle| handle.send(Command::Set { option_id, value, reply: done }));
        if !sent {
            let _ = reply.send(Err(SetOptionError::CannotStart { message: "The agent is ending; try again.".into() }));
            return;
        }
        tokio::spawn(async move {
            let result = match outcome.await {
                Ok(Ok(())) => Ok(()),
                Ok(Err(SetFailure::Invalid(drover_domain::options::SetError::NoSuchOption))) => {
                    Err(SetOptionError::NoOption)
                }
                Ok(Err(SetFailure::Invalid(_))) => Err(SetOptionError::NotOffered),
                Ok(Err(SetFailure::Refused(error))) if error.origin == drover_acp::ErrorOrigin::Timeout => {
                    Err(SetOptionError::Timeout)
                }
                Ok(Err(SetFailure::Refused(error))) => {
                    Err(SetOptionError::Refused { code: error.code, message: error.message, data: error.data })
                }
                Ok(Err(SetFailure::Gone(message))) => Err(SetOptionError::CannotStart { message }),
                Err(_) => Err(SetOptionError::CannotStart { message: "The agent ended.".into() }),
            };
            let _ = reply.send(result);
        });
    }
}
