//! Commands that an agent left running after it had answered a cancel (lifecycle rule 17).

use std::time::Duration;

use drover_acp::{Left, end_left, still_running};
use drover_domain::run::LeftProcess;
use drover_domain::{AgentId, RunId, Timestamp};
use drover_store::Fact;
use tokio::task::spawn_blocking;

use super::{Mail, TaskActor, Turn};

/// What an agent ends by itself with its turn has so long to be gone.
const SETTLE: Duration = Duration::from_millis(300);
/// How often it is looked whether what was left still runs.
const LOOK: Duration = Duration::from_secs(2);

impl TaskActor {
    /// Looks, in a moment, for what a cancelled run left running.
    pub(super) fn look_for_left(&self, turn: &Turn) {
        let family = self.links.get(&turn.agent).and_then(|slot| slot.family.clone());
        let (Some(family), Some(sent_at)) = (family, turn.sent_at) else { return };
        let (run, agent, mail) = (turn.run, turn.agent.clone(), self.mail.clone());
        tokio::spawn(async move {
            tokio::time::sleep(SETTLE).await;
            let left = spawn_blocking(move || family.started_since(sent_at)).await.unwrap_or_default();
            if !left.is_empty() {
                let _ = mail.send(Mail::Left { run, agent, left }).await;
            }
        });
    }

    /// Tells of what is left, and looks again until nothing is.
    pub(super) async fn note_left(&mut self, run: RunId, agent: AgentId, left: Vec<Left>) {
        if self.deleted {
            return;
        }
        let before =
            if left.is_empty() { self.left.remove(&run) } else { self.left.insert(run, (agent.clone(), left.clone())) };
        if before.is_none_or(|(_, before)| before != left) {
            let processes = left.iter().map(told).collect();
            self.record(None, vec![Fact::Processes { run_id: run, processes }]).await;
        }
        if left.is_empty() {
            return;
        }
        let mail = self.mail.clone();
        tokio::spawn(async move {
            tokio::time::sleep(LOOK).await;
            let left = spawn_blocking(move || still_running(left)).await.unwrap_or_default();
            let _ = mail.send(Mail::Left { run, agent, left }).await;
        });
    }

    /// Ends what a run left running, because somebody wants it.
    pub(super) async fn end_left(&mut self, run: RunId) {
        let Some((_, left)) = self.left.get(&run).cloned() else { return };
        // Whoever looks for what is left tells of it.
        tokio::spawn(async move {
            let stuck = spawn_blocking(move || end_left(left)).await.unwrap_or_default();
            if !stuck.is_empty() {
                tracing::warn!(%run, count = stuck.len(), "processes that an agent left running would not die");
            }
        });
    }
}

fn told(left: &Left) -> LeftProcess {
    let since = left.info.started_at.duration_since(std::time::SystemTime::UNIX_EPOCH).unwrap_or_default();
    LeftProcess {
        pid: i64::from(left.info.pid),
        command: left.info.command.clone(),
        started_at: Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
    }
}
