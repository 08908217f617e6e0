//! Agents that were logged in or out while a process of theirs ran.

use drover_domain::{AgentId, LinkState};

use super::TaskActor;
use crate::link::Stop;

impl TaskActor {
    /// The agent was logged in or out: its process knows nothing of it.
    pub(super) async fn account_changed(&mut self, agent: &AgentId, logged_in: bool) {
        if let Some(slot) = self.links.get_mut(agent) {
            slot.outdated = true;
        }
        self.end_outdated();
        if logged_in {
            self.unlock(|turn| turn.agent == *agent).await;
        }
    }

    /// Ends agents that were logged in or out behind their back, once they have nothing to do; their sessions come back.
    pub(super) fn end_outdated(&self) {
        for (agent, slot) in &self.links {
            if slot.outdated
                && self.is_unused(agent, slot)
                && let Some(handle) = &slot.handle
            {
                handle.stop(Stop::Ladder(LinkState::Off));
            }
        }
    }
}
