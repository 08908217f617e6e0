//! Sessions that are gone: the agent remembers nothing, is handed everything, and the chat says so (lifecycle rule 4).

use drover_acp::{ErrorOrigin, RpcError};
use drover_domain::AgentId;
use drover_domain::message::Notice;
use drover_domain::place::Kind;
use drover_domain::run::RunEvent;
use drover_domain::transcript::Content;
use drover_store::Fact;

use super::{Phase, TaskActor, Turn};

/// By which the page knows the notice, and tells it in the user's language.
const MEMORY_LOST: &str = "drover:memory_lost";
/// What the protocol has for things that are not there.
const NOT_FOUND: i64 = -32002;
/// What agents say in its place: invalid parameters, internal error.
const OR_LIKE_IT: [i64; 2] = [-32602, -32603];

impl TaskActor {
    /// A session could not be brought back. One that had seen nothing is no loss.
    pub(super) async fn session_lost(&mut self, agent: &AgentId, why: &str) {
        let had_seen = match self.context.store.link_row(self.task, agent).await {
            Ok(row) => row.link.seen_ordinal > 0,
            Err(_) => true,
        };
        if let Some(slot) = self.links.get_mut(agent).filter(|_| had_seen) {
            slot.lost = Some(why.to_owned());
        }
    }

    /// Whether a refused prompt goes to a new session: the agent does not know this one, so it has done nothing.
    pub(super) fn may_return(&self, turn: &Turn, error: &RpcError) -> bool {
        let alone = !self.background.iter().any(|other| other.agent == turn.agent);
        let asks = self.asked.values().any(|asked| asked.run == Some(turn.run));
        let untouched = !asks && super::trouble::said_nothing(&turn.transcript);
        !turn.returned && !turn.cancelled && !self.stopping && alone && untouched && is_unknown_session(error)
    }

    /// Gives the prompt once more, with all that was said so far, to a session that has seen nothing.
    pub(super) async fn send_again(&mut self, mut turn: Turn, error: &RpcError) {
        let agent = turn.agent.clone();
        (turn.returned, turn.phase, turn.sent_at) = (true, Phase::Linking, None);
        self.record(Some((turn.run, turn.fence)), vec![Fact::Stepped { event: RunEvent::Refused }]).await;
        self.active = Some(turn);
        self.session_lost(&agent, &error.to_string()).await;
        self.renew(&agent).await;
    }

    /// The first answer after the loss says so.
    pub(super) async fn tell_lost(&mut self, agent: AgentId) {
        let Some(why) = self.links.get_mut(&agent).and_then(|slot| slot.lost.take()) else { return };
        let notice = Notice {
            notice_id: Some(MEMORY_LOST.into()),
            severity: "warning".into(),
            title: format!(
                "{} no longer has its own memory of this task. It was handed the conversation so far.",
                self.context.name(&agent)
            ),
            description: Some(why),
        };
        self.place(agent, Kind::Content, Content::Notice(notice)).await;
    }
}

fn is_unknown_session(error: &RpcError) -> bool {
    if error.origin != ErrorOrigin::Agent {
        return false;
    }
    let data = error.data.as_ref().map(ToString::to_string).unwrap_or_default();
    let text = format!("{} {data}", error.message).to_lowercase();
    error.code == NOT_FOUND
        || OR_LIKE_IT.contains(&error.code) && text.contains("session") && text.contains("not found")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_session_is_told_from_other_failures() {
        let says = |code: i64, message: &str, origin: ErrorOrigin| {
            is_unknown_session(&RpcError { code, message: message.into(), data: None, origin })
        };
        assert!(says(-32002, "Resource not found", ErrorOrigin::Agent));
        assert!(says(-32603, "Internal error: Session not found", ErrorOrigin::Agent));
        assert!(says(-32602, "no such session: not found", ErrorOrigin::Agent));
        assert!(!says(-32603, "model not found", ErrorOrigin::Agent));
        assert!(!says(-32000, "session not found", ErrorOrigin::Agent));
        assert!(!says(-32002, "Resource not found", ErrorOrigin::Closed));
    }
}
