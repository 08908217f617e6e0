//! Questions of agents: asked, answered once, withdrawn, void.

use drover_acp::PeerId;
use drover_acp::messages::ElicitationAnswer;
use drover_domain::elicitation;
use drover_domain::place::Kind;
use drover_domain::request::Action;
use drover_domain::transcript::Content;
use drover_domain::{AgentId, Answer, Request, RequestId, RequestKind, RequestState, RunId};
use drover_store::Fact;
use serde_json::{Value, json};
use tokio::time::Instant;
use ulid::Ulid;

use super::{Mail, TaskActor};
use crate::link::{Command, Question};
use crate::translate;

/// A question that waits for its answer.
pub(super) struct Asked {
    pub(super) agent: AgentId,
    pub(super) generation: u64,
    pub(super) peer: PeerId,
    pub(super) run: Option<RunId>,
    pub(super) kind: RequestKind,
}

impl TaskActor {
    /// A question: stored before it is shown. One that comes after a cancel is answered at once.
    pub(super) async fn ask(&mut self, agent: AgentId, generation: u64, peer: PeerId, question: Question) {
        let kind = match &question {
            Question::Permission(_) => RequestKind::Permission,
            Question::Elicitation(_) => RequestKind::Elicitation,
        };
        if self.stopping || self.deleted || self.turn_of(&agent).is_some_and(|turn| turn.cancelled) {
            return self.reply(&agent, generation, peer, &kind.cancelled(), None);
        }
        let payload = match question {
            Question::Permission(view) => {
                if let Some(tool) = translate::asked_tool(view.tool) {
                    self.place(agent.clone(), Kind::ToolAsked, Content::Tool(tool)).await;
                }
                view.raw
            }
            Question::Elicitation(view) => match elicitation::read(&view.raw) {
                elicitation::Ask::Unknown { mode } => {
                    self.reply(&agent, generation, peer, &kind.cancelled(), None);
                    return self.tell_unknown(agent, &mode, view.raw).await;
                }
                elicitation::Ask::Form(_) | elicitation::Ask::Url(_) => view.raw,
            },
        };
        let turn = self.turn_of(&agent).map(|turn| {
            turn.last_update = Instant::now();
            (turn.run, turn.fence)
        });
        let under =
            turn.or_else(|| self.background.iter().find(|turn| turn.agent == agent).map(|turn| (turn.run, turn.fence)));
        let id = RequestId::from_ulid(self.context.fresh());
        let run = under.map(|(run, _)| run);
        self.asked.insert(id, Asked { agent: agent.clone(), generation, peer, run, kind });
        let request = Request {
            id,
            task_id: self.task,
            run_id: run,
            agent,
            kind,
            payload,
            state: RequestState::Open,
            answer: None,
            created_at: self.context.now(),
            completed_at: None,
        };
        self.record(under, vec![Fact::Asked(Box::new(request))]).await;
    }

    /// A question that cannot be shown was answered as cancelled; the chat says so.
    async fn tell_unknown(&mut self, agent: AgentId, mode: &str, raw: Value) {
        let message = format!(
            "{agent} asked something in a way that this version of Drover does not know (“{mode}”). It was told that the question was dismissed."
        );
        let content = Content::Error { code: "question_unknown".into(), message, detail: Some(raw) };
        self.place(agent, Kind::Content, content).await;
    }

    /// The agent does not want to know any more.
    pub(super) async fn withdraw(&mut self, agent: &AgentId, generation: u64, peer: &PeerId) {
        let found = self
            .asked
            .iter()
            .find(|(_, asked)| asked.agent == *agent && asked.generation == generation && asked.peer == *peer);
        let Some(id) = found.map(|(id, _)| *id) else { return };
        if let Some(asked) = self.asked.remove(&id) {
            self.record(None, vec![Fact::Withdrawn { request_id: id }]).await;
            self.reply(agent, generation, asked.peer, &asked.kind.cancelled(), None);
        }
    }

    /// Gives an agent the answer that is stored, with what is held in memory for it.
    pub(super) async fn answer(&mut self, id: RequestId, held: Option<Ulid>) {
        let Some(asked) = self.asked.remove(&id) else {
            // Nobody waits for it any more, so it is not kept either.
            return drop(held.and_then(|held| self.context.contents.take(held)));
        };
        let stored = self.context.store.request(id).await;
        let answer = match stored {
            Ok(Some(request)) => request.answer.unwrap_or_else(|| request.kind.cancelled()),
            Ok(None) => asked.kind.cancelled(),
            Err(error) => {
                tracing::warn!(task = %self.task, %error, "an answer cannot be read; trying again");
                self.asked.insert(id, asked);
                return self.later(Mail::Answer(id, held));
            }
        };
        for turn in self.active.iter_mut().chain(&mut self.background) {
            if Some(turn.run) == asked.run {
                turn.last_update = Instant::now();
            }
        }
        let content = held.and_then(|held| self.context.contents.take(held));
        self.reply(&asked.agent, asked.generation, asked.peer, &answer, content);
    }

    /// A run is over: who asked in it and did not wait for the answer is told that none comes.
    pub(super) async fn close_asked_in(&mut self, run: RunId) {
        let left: Vec<_> = self.asked.iter().filter(|(_, asked)| asked.run == Some(run)).map(|(id, _)| *id).collect();
        for id in left {
            // One that was answered at the last moment has its answer on the way.
            let answered = match self.context.store.request(id).await {
                Ok(Some(request)) => request.state == RequestState::Answered,
                Ok(None) => false,
                Err(_) => true,
            };
            if !answered && let Some(asked) = self.asked.remove(&id) {
                self.reply(&asked.agent, asked.generation, asked.peer, &asked.kind.cancelled(), None);
            }
        }
    }

    pub(super) fn reply(
        &self,
        agent: &AgentId,
        generation: u64,
        peer: PeerId,
        answer: &Answer,
        content: Option<Value>,
    ) {
        if let Some(slot) = self.links.get(agent)
            && slot.generation == generation
            && let Some(handle) = &slot.handle
        {
            handle.send(Command::Answer { peer, result: answer_result(answer, content) });
        }
    }
}

/// What the agent is told.
fn answer_result(answer: &Answer, content: Option<Value>) -> Value {
    let elicitation = match answer {
        Answer::Option { option_id: Some(option) } => {
            return json!({ "outcome": { "outcome": "selected", "optionId": option } });
        }
        Answer::Option { option_id: None } => return json!({ "outcome": { "outcome": "cancelled" } }),
        Answer::Action { action: Action::Accept } => ElicitationAnswer::Accept { content },
        Answer::Action { action: Action::Decline } => ElicitationAnswer::Decline,
        Answer::Action { action: Action::Cancel } => ElicitationAnswer::Cancel,
    };
    json!(elicitation)
}
