//! How a run goes on and how it ends.

use drover_acp::views::PromptResult;
use drover_acp::{Moment, RpcError};
use drover_domain::run::RunEvent;
use drover_domain::transcript::{Content, ToolEnd, Transcript};
use drover_domain::{LinkState, Outcome, RunId, TaskId};
use drover_store::{End, Fact, LinkPatch, Record};
use serde_json::Value;
use tokio::time::Instant;

use super::{Mail, PAST, Past, Phase, TaskActor, Turn};
use crate::context::Context;
use crate::link::{Ended, Stop};

/// What a run ends with.
struct Finale {
    outcome: Outcome,
    stop_reason: Option<String>,
    usage: Option<Value>,
    error: Option<Content>,
    tools: ToolEnd,
    /// The session that gave the answer lives on.
    seen: bool,
    /// What changes in the link with it.
    link: LinkPatch,
}

impl Finale {
    fn new(outcome: Outcome) -> Self {
        let tools = if outcome == Outcome::Interrupted { ToolEnd::UnknownOutcome } else { ToolEnd::Stopped };
        Self { outcome, stop_reason: None, usage: None, error: None, tools, seen: false, link: LinkPatch::default() }
    }
}

impl TaskActor {
    /// A prompt is on the wire.
    pub(super) async fn sent(&mut self, run: RunId, at: Moment) {
        let Some(turn) = self.active.as_mut().filter(|turn| turn.run == run) else { return };
        turn.phase = Phase::Sent;
        turn.sent_at = Some(at);
        turn.last_update = Instant::now();
        let (under, agent) = ((turn.run, turn.fence), turn.agent.clone());
        let busy = LinkPatch { state: Some((LinkState::Busy, None)), ..LinkPatch::default() };
        let facts = vec![Fact::OnWire, Fact::Link { agent: agent.clone(), patch: Box::new(busy) }];
        self.record(Some(under), facts).await;
        self.tell_lost(agent).await;
    }

    /// The agent answered a prompt.
    pub(super) async fn prompt_done(&mut self, run: RunId, outcome: Result<PromptResult, RpcError>) {
        let Some((mut turn, active)) = self.take_turn(run) else {
            tracing::debug!(task = %self.task, %run, "an answer to a prompt that is over was ignored");
            return;
        };
        let outcome = match outcome {
            Err(error) if active && self.may_return(&turn, &error) => return self.send_again(turn, &error).await,
            outcome => outcome,
        };
        let login = matches!(&outcome, Err(error) if error.code == drover_acp::AUTH_REQUIRED);
        if let Err(error) = &outcome
            && login
            && active
            && self.may_lock(&turn)
        {
            return self.lock_refused(turn, error.message.clone()).await;
        }
        if outcome.is_ok() && self.context.needs_login(&turn.agent) {
            let told = self.context.see(&turn.agent, |seen| seen.needs_login = false);
            self.tell_agent(told).await;
        }
        let mut finale = match outcome {
            Ok(result) => self.answered(&mut turn, result),
            Err(_) if turn.cancelled => Finale::new(Outcome::Cancelled),
            Err(error) => self.refusal(&turn, error).await,
        };
        finale.usage = finale.usage.or_else(|| turn.usage.clone());
        finale.seen = true;
        let more = self.background.iter().any(|other| other.agent == turn.agent);
        if let Some(slot) = self.links.get_mut(&turn.agent) {
            slot.used = Instant::now();
            slot.terminals.clear();
            let ready = slot.handle.is_some() && !more && !login;
            let state = ready.then_some((LinkState::Ready, None));
            finale.link = LinkPatch { state, usage: turn.usage.clone(), ..LinkPatch::default() };
        }
        if finale.outcome == Outcome::Cancelled {
            self.look_for_left(&turn);
        }
        self.finish(turn, finale, active).await;
    }

    /// An answer, or a failure in the form of one.
    fn answered(&self, turn: &mut Turn, result: PromptResult) -> Finale {
        let quirks = self.links.get(&turn.agent).map(|slot| slot.quirks.clone()).unwrap_or_default();
        let name = self.context.name(&turn.agent);
        let error = if turn.cancelled { None } else { turn.trouble.behind(&result, &turn.transcript, &quirks, &name) };
        let outcome = match (&error, turn.cancelled) {
            (_, true) => Outcome::Cancelled,
            (Some(_), false) => Outcome::Error,
            (None, false) => Outcome::Done,
        };
        let usage = usage(result.usage, turn.usage.clone());
        Finale { stop_reason: result.stop_reason, usage, error, ..Finale::new(outcome) }
    }

    async fn refusal(&mut self, turn: &Turn, error: RpcError) -> Finale {
        if error.code == drover_acp::AUTH_REQUIRED {
            self.link_state(&turn.agent, LinkState::NeedsLogin, Some(error.message.clone())).await;
            let told = self.context.see(&turn.agent, |seen| seen.needs_login = true);
            self.tell_agent(told).await;
        }
        let message = if error.message.is_empty() {
            format!("The agent answered with error {}.", error.code)
        } else {
            error.message
        };
        let error = Content::Error { code: error.code.to_string(), message, detail: error.data };
        Finale { error: Some(error), ..Finale::new(Outcome::Error) }
    }

    /// A link is over: so are its runs and its questions.
    pub(super) async fn link_ended(&mut self, agent: &drover_domain::AgentId, ended: Ended) {
        let Some(slot) = self.links.get_mut(agent) else { return };
        slot.handle = None;
        slot.awaiting = 1;
        let (generation, was_ready) = (slot.generation, slot.was_ready);
        let growing: Vec<_> =
            slot.past.iter_mut().filter_map(|past| past.growing.take().map(|_| past.message)).collect();
        for message_id in growing {
            self.record(None, vec![Fact::MessageSettled { message_id }]).await;
        }
        let detail = matches!(ended.state, LinkState::Failed | LinkState::NeedsLogin).then(|| ended.message.clone());
        if !self.deleted {
            self.link_state(agent, ended.state, detail).await;
        }
        if ended.state == LinkState::NeedsLogin {
            let told = self.context.see(agent, |seen| seen.needs_login = true);
            self.tell_agent(told).await;
        }
        let void: Vec<_> = self
            .asked
            .iter()
            .filter(|(_, asked)| asked.agent == *agent && asked.generation == generation)
            .map(|(id, _)| *id)
            .collect();
        for request_id in void {
            self.asked.remove(&request_id);
            self.record(None, vec![Fact::Withdrawn { request_id }]).await;
        }
        if ended.state == LinkState::NeedsLogin && self.lock_unsent(agent).await {
            return;
        }
        if was_ready && self.start_again(agent).await {
            return;
        }
        let runs: Vec<RunId> = self
            .active
            .iter()
            .chain(&self.background)
            .filter(|turn| turn.agent == *agent && turn.phase != Phase::Locked)
            .map(|turn| turn.run)
            .collect();
        for run in runs {
            if let Some((turn, active)) = self.take_turn(run) {
                let finale = cut_off(&turn, &ended);
                self.finish(turn, finale, active).await;
            }
        }
        if self.stopping {
            return;
        }
        self.start_next().await;
    }

    /// An agent that was there and ended before it got a prompt is started once more for it: nothing was sent, so nothing is done
    /// twice. `false`: there is no such prompt.
    async fn start_again(&mut self, agent: &drover_domain::AgentId) -> bool {
        let unsent = |turn: &&mut Turn| turn.agent == *agent && turn.is_unsent() && !turn.cancelled && !turn.restarted;
        let Some(turn) = self.active.as_mut().filter(unsent) else { return false };
        turn.restarted = true;
        turn.phase = Phase::Linking;
        self.ensure_link(agent).await
    }

    /// Ends the active run, whose session lives on or has not seen it.
    pub(super) async fn end_active(&mut self, outcome: Outcome, error: Option<Content>) {
        if let Some(turn) = self.active.take() {
            self.finish(turn, Finale { error, ..Finale::new(outcome) }, true).await;
        }
    }

    pub(super) fn may_go_to_background(&self, turn: &Turn) -> bool {
        let asks = self.asked.values().any(|asked| asked.run == Some(turn.run));
        turn.phase == Phase::Sent
            && !turn.cancelled
            && !asks
            && turn.transcript.has_text()
            && !turn.transcript.has_open_tool()
    }

    /// The visible answer is over but the prompt is unanswered: the user is not locked out.
    pub(super) async fn go_to_background(&mut self) {
        let Some(mut turn) = self.active.take() else { return };
        turn.slot = None;
        let (run, under) = (turn.run, Some((turn.run, turn.fence)));
        self.background.push(turn);
        self.ending = true;
        self.record_then(under, vec![Fact::Stepped { event: RunEvent::Quieted }], move |_| Mail::Settled {
            run,
            active: true,
        })
        .await;
    }

    /// The end of a run is on the disk, or its way to the background: the next may start.
    pub(super) async fn settled(&mut self, run: RunId, active: bool) {
        if !self.background.iter().any(|turn| turn.run == run) {
            self.close_asked_in(run).await;
        }
        if active {
            self.ending = false;
            self.end_outdated();
        }
        self.start_next().await;
    }

    /// The daemon stops: runs end as interrupted, agents by the ladder.
    pub(super) async fn stop_all(&mut self) {
        self.stopping = true;
        let runs: Vec<RunId> = self.active.iter().chain(&self.background).map(|turn| turn.run).collect();
        for run in runs {
            if self
                .active
                .as_ref()
                .is_some_and(|turn| turn.run == run && turn.phase != Phase::Sent && turn.phase != Phase::Given)
            {
                self.end_unsent().await;
            } else if let Some((turn, active)) = self.take_turn(run) {
                if turn.phase == Phase::Given {
                    self.record(Some((turn.run, turn.fence)), vec![Fact::Stepped { event: RunEvent::Sent }]).await;
                }
                self.finish(turn, Finale::new(Outcome::Interrupted), active).await;
            }
        }
        let asked: Vec<_> = self.asked.drain().collect();
        for (_, asked) in asked {
            self.reply(&asked.agent, asked.generation, asked.peer, &asked.kind.cancelled(), None);
        }
        for slot in self.links.values() {
            if let Some(handle) = &slot.handle {
                handle.stop(Stop::Ladder(LinkState::Off));
            }
        }
    }

    /// Takes a run out; the flag tells whether it was the active one.
    fn take_turn(&mut self, run: RunId) -> Option<(Turn, bool)> {
        if let Some(turn) = self.active.take_if(|turn| turn.run == run) {
            return Some((turn, true));
        }
        let at = self.background.iter().position(|turn| turn.run == run)?;
        Some((self.background.remove(at), false))
    }

    /// Writes the end of a run. The next starts once it is on the disk.
    async fn finish(&mut self, mut turn: Turn, finale: Finale, active: bool) {
        let mut changes = turn.transcript.settle(finale.tools);
        if let Some(error) = finale.error {
            changes.extend(turn.transcript.apply(error));
        }
        self.pacer.forget(turn.message);
        let mut facts = self.facts_of(turn.message, changes);
        self.pacer.forget(turn.message);
        facts.push(Fact::Ended(End {
            outcome: finale.outcome,
            stop_reason: finale.stop_reason,
            usage: finale.usage.map(|usage| usage.to_string()),
            seen: finale.seen,
        }));
        facts.push(Fact::Link { agent: turn.agent.clone(), patch: Box::new(finale.link) });
        let under = Some((turn.run, turn.fence));
        if active {
            self.ending = true;
        }
        let (run, slot) = (turn.run, turn.slot.take());
        self.record_then(under, facts, move |_| {
            drop(slot);
            Mail::Settled { run, active }
        })
        .await;
        self.remember(turn);
    }

    fn remember(&mut self, turn: Turn) {
        let under = Some((turn.run, turn.fence));
        if let Some(slot) = self.links.get_mut(&turn.agent).filter(|slot| slot.generation == turn.generation) {
            slot.past.push(Past { message: turn.message, under, transcript: turn.transcript, growing: None });
            if slot.past.len() > PAST {
                slot.past.remove(0);
            }
        }
    }
}

/// How a run ends whose agent is gone.
fn cut_off(turn: &Turn, ended: &Ended) -> Finale {
    let error =
        Content::Error { code: ended.code.clone(), message: ended.message.clone(), detail: ended.detail.clone() };
    match (turn.cancelled, turn.phase) {
        (true, _) => Finale::new(Outcome::Cancelled),
        (false, Phase::Sent) => Finale { error: Some(error), ..Finale::new(Outcome::Interrupted) },
        (false, _) => Finale { error: Some(error), ..Finale::new(Outcome::Error) },
    }
}

/// What the agent said of tokens with its answer, and what it last said of its context.
fn usage(answer: Option<Value>, last: Option<Value>) -> Option<Value> {
    match (answer, last) {
        (Some(Value::Object(mut answer)), Some(Value::Object(last))) => {
            for (key, value) in last {
                answer.entry(key).or_insert(value);
            }
            Some(Value::Object(answer))
        }
        (answer, last) => answer.or(last),
    }
}

/// After a fault of ours in a task's actor: its active runs end as errors, so that nothing looks as if it ran.
pub(super) async fn fail_all(context: &Context, task: TaskId) {
    let runs = context.store.active_runs(task).await.unwrap_or_default();
    for (run, fence, message_id) in runs {
        let Ok(Some(message)) = context.store.message(message_id).await else { continue };
        let mut transcript = Transcript::from_parts(message.parts);
        let mut changes = transcript.settle(ToolEnd::UnknownOutcome);
        let text = "A fault in Drover ended this turn. What the agent did so far may have happened; the log says more."
            .to_owned();
        changes.extend(transcript.apply(Content::Error { code: "internal".into(), message: text, detail: None }));
        let mut pacer = crate::pacer::Pacer::default();
        let now = Instant::now();
        let mut facts: Vec<Fact> =
            changes.into_iter().filter_map(|change| super::fact_of(&mut pacer, message_id, change, now)).collect();
        facts.push(Fact::Ended(End { outcome: Outcome::Error, stop_reason: None, usage: None, seen: false }));
        let record = Record { task_id: task, now: context.now(), under: Some((run, fence)), facts, reply: None };
        if let Err(error) = context.store.record(record).await {
            tracing::error!(%task, %error, "the end of a run cannot be written");
        }
    }
}
