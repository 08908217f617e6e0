//! Runs whose agent wants a login first: they wait for it, and then the same call is made once more (lifecycle rule 32).

use drover_domain::{AgentId, LinkState, WaitingFor};
use drover_store::{Fact, LinkPatch};

use super::{Phase, TaskActor, Turn};
use crate::context::Context;
use crate::link::Stop;

/// What a run knows of logins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lock {
    /// How many of its agent's logins had worked when it was begun.
    logins: u64,
    /// It has waited, and goes on: another refusal ends it.
    opened: bool,
}

impl Lock {
    pub(super) fn of(context: &Context, agent: &AgentId) -> Self {
        Self { logins: context.logins.succeeded(agent), opened: false }
    }
}

impl Turn {
    /// Whether it is on its way to the agent and its prompt is not on the wire.
    pub(super) const fn is_unsent(&self) -> bool {
        matches!(self.phase, Phase::Linking | Phase::Preparing | Phase::Given)
    }
}

impl TaskActor {
    /// Whether a run that is refused for want of a login may wait for one: it has not waited yet, and nothing came of its prompt.
    pub(super) fn may_lock(&self, turn: &Turn) -> bool {
        let asks = self.asked.values().any(|asked| asked.run == Some(turn.run));
        !turn.lock.opened
            && !turn.cancelled
            && !asks
            && !self.stopping
            && super::trouble::said_nothing(&turn.transcript)
    }

    /// The agent could not be started without a login. `false`: no run waits for one.
    pub(super) async fn lock_unsent(&mut self, agent: &AgentId) -> bool {
        let unsent = self.active.as_ref().filter(|turn| turn.agent == *agent && turn.is_unsent());
        if !unsent.is_some_and(|turn| self.may_lock(turn)) {
            return false;
        }
        let Some(turn) = self.active.take() else { return false };
        self.lock(turn, Vec::new()).await;
        true
    }

    /// The agent refused a prompt for want of a login: it has not seen it, whatever its cursor says. Its process knows nothing of a
    /// login to come, so it ends; its session is brought back.
    pub(super) async fn lock_refused(&mut self, turn: Turn, why: String) {
        let agent = turn.agent.clone();
        let told = self.context.see(&agent, |seen| seen.needs_login = true);
        self.tell_agent(told).await;
        let patch = LinkPatch {
            state: Some((LinkState::NeedsLogin, Some(why))),
            seen_ordinal: Some(turn.seen_ordinal),
            ..LinkPatch::default()
        };
        self.lock(turn, vec![Fact::Link { agent: agent.clone(), patch: Box::new(patch) }]).await;
        self.end_idle(&agent, LinkState::NeedsLogin);
    }

    async fn lock(&mut self, mut turn: Turn, more: Vec<Fact>) {
        turn.phase = Phase::Locked;
        // Others may go on meanwhile.
        turn.slot = None;
        let mut facts = vec![Fact::WantsLogin];
        facts.extend(more);
        self.record(Some((turn.run, turn.fence)), facts).await;
        let logged_in = turn.lock.logins != self.context.logins.succeeded(&turn.agent);
        self.active = Some(turn);
        if logged_in {
            // In the very moment in which it was refused.
            self.unlock(|_| true).await;
        }
    }

    /// The login is there: a run that waits for it goes on as soon as there is a place.
    pub(super) async fn unlock(&mut self, which: impl Fn(&Turn) -> bool) {
        let locked = |turn: &&mut Turn| turn.phase == Phase::Locked && !turn.lock.opened && which(turn);
        let Some(turn) = self.active.as_mut().filter(locked) else { return };
        turn.lock.opened = true;
        turn.restarted = false;
        self.go_on().await;
    }

    /// Whether a run waits for a login of this agent.
    pub(super) fn is_locked(&self, agent: &AgentId) -> bool {
        self.active.as_ref().is_some_and(|turn| turn.phase == Phase::Locked && turn.agent == *agent)
    }

    /// Whether a run may go on and waits only for a place.
    pub(super) fn is_unlocked(&self) -> bool {
        self.active.as_ref().is_some_and(|turn| turn.phase == Phase::Locked && turn.lock.opened)
    }

    pub(super) async fn go_on(&mut self) {
        let Some(run) = self.active.as_ref().map(|turn| turn.run) else { return };
        let Some(slot) = self.context.slots.take(self.task, (self.context.config)().max_active_runs) else {
            return self.waits(run, Some(WaitingFor::Limit)).await;
        };
        self.waits(run, None).await;
        let Some(turn) = &mut self.active else { return };
        let agent = turn.agent.clone();
        turn.slot = Some(slot);
        // A process from before the login ends, unless it works on something else; its end is what starts the next.
        let ends = self.end_idle(&agent, LinkState::Off);
        if let Some(turn) = &mut self.active {
            turn.phase = Phase::Linking;
        }
        if !ends {
            self.link_active(&agent).await;
        }
    }

    /// Ends an agent's process that nothing uses. `false`: there is none.
    fn end_idle(&self, agent: &AgentId, state: LinkState) -> bool {
        let idle = self.links.get(agent).filter(|slot| self.is_unused(agent, slot));
        let Some(handle) = idle.and_then(|slot| slot.handle.as_ref()) else { return false };
        handle.stop(Stop::Ladder(state));
        true
    }
}
