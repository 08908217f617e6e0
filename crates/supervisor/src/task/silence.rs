//! Minutes without a sign are a normal state of an agent: they are told, with their length, and nothing is done about them.

use std::time::Duration;

use drover_domain::{AgentId, Timestamp};
use drover_store::LinkPatch;
use tokio::time::Instant;

use super::{Phase, TaskActor, Turn};

/// A tool at work is a sign in itself: the silence is told of so many times later.
const AT_WORK: u32 = 5;

impl TaskActor {
    /// When the silence of the active run is to be told.
    pub(super) fn silence_due(&self) -> Option<Instant> {
        let turn = self.active.as_ref().filter(|turn| self.may_be_silent(turn))?;
        let slot = self.links.get(&turn.agent).filter(|slot| !slot.silent)?;
        Some(slot.used + self.patience(turn))
    }

    pub(super) async fn tell_silence(&mut self, now: Instant) {
        if self.silence_due().is_none_or(|due| now < due) {
            return;
        }
        let Some(agent) = self.active.as_ref().map(|turn| turn.agent.clone()) else { return };
        let Some(slot) = self.links.get_mut(&agent) else { return };
        slot.silent = true;
        let for_ms = i64::try_from(now.duration_since(slot.used).as_millis()).unwrap_or(i64::MAX);
        let since = Timestamp::from_millis(self.context.now().as_millis().saturating_sub(for_ms));
        self.patch_link(&agent, LinkPatch { silent_since: Some(Some(since)), ..LinkPatch::default() }).await;
    }

    /// The agent gave a sign.
    pub(super) async fn end_silence(&mut self, agent: &AgentId) {
        if let Some(slot) = self.links.get_mut(agent).filter(|slot| slot.silent) {
            slot.silent = false;
            self.patch_link(agent, LinkPatch { silent_since: Some(None), ..LinkPatch::default() }).await;
        }
    }

    fn may_be_silent(&self, turn: &Turn) -> bool {
        let asks = self.asked.values().any(|asked| asked.run == Some(turn.run));
        turn.phase == Phase::Sent && !turn.cancelled && !asks
    }

    fn patience(&self, turn: &Turn) -> Duration {
        let quietly = Duration::from_secs(u64::from((self.context.config)().silence_seconds));
        if turn.transcript.has_open_tool() { quietly * AT_WORK } else { quietly }
    }
}
