//! What comes from a link.

use std::time::Duration;

use drover_acp::views::UpdateView;
use drover_domain::message::Notice;
use drover_domain::place::Kind;
use drover_domain::transcript::{Content, ToolEnd};
use drover_domain::{Agent, AgentId, LinkState};
use drover_store::{Fact, LinkPatch, Record, RememberedOption};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{Phase, TaskActor, Turn};
use crate::link::{Able, FromLink, LinkEvent, SetFailure};
use crate::{received, translate};

/// How often a link is told of what a running turn used: each time it is told of whole.
const USAGE: Duration = Duration::from_secs(5);

impl TaskActor {
    pub(super) async fn hear(&mut self, from: FromLink) {
        let FromLink { agent, generation, event } = from;
        let Some(slot) = self.links.get_mut(&agent).filter(|slot| slot.generation == generation) else { return };
        slot.used = Instant::now();
        self.end_silence(&agent).await;
        let Some(slot) = self.links.get_mut(&agent) else { return };
        match event {
            LinkEvent::Initialized(view) => {
                slot.able = Able::of(&view);
                let told = self.context.see(&agent, |seen| {
                    seen.version.clone_from(&view.agent_version);
                    seen.capabilities = view.raw;
                });
                self.tell_agent(told).await;
            }
            LinkEvent::Session { id, fresh, note } => {
                slot.offers = fresh;
                if let Some(why) = &note {
                    self.session_lost(&agent, why).await;
                }
                // Some agents give every session the same name: a new one has seen nothing all the same.
                let seen_ordinal = fresh.then_some(0);
                let session = LinkPatch {
                    session: Some(Some(id)),
                    seen_ordinal,
                    state: note.map(|note| (LinkState::Starting, Some(note))),
                    ..LinkPatch::default()
                };
                self.patch_link(&agent, session).await;
            }
            LinkEvent::Options(options) => {
                let offered = std::mem::take(&mut slot.offers).then(|| options.clone());
                self.patch_link(&agent, LinkPatch { options: Some(options), ..LinkPatch::default() }).await;
                if offered.is_some() {
                    self.record(None, vec![Fact::Offered { agent, options: offered, commands: None }]).await;
                }
            }
            LinkEvent::Accepted { option_id, value, category, reply } => {
                let option = RememberedOption { option_id, value, category };
                self.option_accepted(agent, option, reply).await;
            }
            LinkEvent::Skipped(skipped) => {
                self.patch_link(&agent, LinkPatch { skipped_options: Some(skipped), ..LinkPatch::default() }).await
            }
            LinkEvent::Ready => {
                slot.awaiting = slot.awaiting.saturating_sub(1);
                if slot.awaiting > 0 {
                    return;
                }
                slot.was_ready = true;
                self.link_state(&agent, LinkState::Ready, None).await;
                if self.context.needs_login(&agent) {
                    let told = self.context.see(&agent, |seen| seen.needs_login = false);
                    self.tell_agent(told).await;
                }
                self.prepare().await;
            }
            LinkEvent::Launched(family) => slot.family = Some(family),
            LinkEvent::Sent { run, at } => self.sent(run, at).await,
            LinkEvent::Update(update) => self.update(agent, *update).await,
            LinkEvent::Asked { peer, question } => self.ask(agent, generation, peer, question).await,
            LinkEvent::Account { label, none } => {
                let told = self.context.see(&agent, |seen| seen.account = label.filter(|_| !none));
                self.tell_agent(told).await;
            }
            LinkEvent::Withdrawn { peer } => self.withdraw(&agent, generation, &peer).await,
            LinkEvent::PageDone { elicitation_id } => {
                self.record(None, vec![Fact::PageDone { agent, elicitation_id }]).await;
            }
            LinkEvent::PromptDone { run, outcome } => self.prompt_done(run, outcome).await,
            LinkEvent::Ended(ended) => self.link_ended(&agent, ended).await,
        }
    }

    pub(super) async fn tell_agent(&self, agent: Option<Agent>) {
        if let Some(agent) = agent {
            self.record(None, vec![Fact::AgentChanged(Box::new(agent))]).await;
        }
    }

    /// Remembers a value; whoever set it is told once that is on the disk.
    async fn option_accepted(
        &self,
        agent: AgentId,
        option: RememberedOption,
        reply: oneshot::Sender<Result<(), SetFailure>>,
    ) {
        let (written, done) = oneshot::channel();
        let facts = vec![Fact::OptionAccepted { agent, option }];
        let record = Record { task_id: self.task, now: self.context.now(), under: None, facts, reply: Some(written) };
        if let Err(error) = self.context.store.record(record).await {
            tracing::warn!(task = %self.task, %error, "an accepted option cannot be remembered");
        }
        tokio::spawn(async move {
            let _ = done.await;
            let _ = reply.send(Ok(()));
        });
    }

    async fn update(&mut self, agent: AgentId, update: UpdateView) {
        if self.stopping || self.deleted {
            return;
        }
        match update {
            UpdateView::Commands(commands) => {
                let offered = Some(commands.clone());
                self.patch_link(&agent, LinkPatch { commands: Some(commands), ..LinkPatch::default() }).await;
                self.record(None, vec![Fact::Offered { agent, options: None, commands: offered }]).await;
            }
            UpdateView::Usage(usage) => {
                if let Some(turn) = self.turn_of(&agent) {
                    // The link is told of the last one with the turn's end.
                    let due = turn.usage_told.is_none_or(|at| at.elapsed() >= USAGE);
                    turn.usage = Some(usage.clone());
                    if !due {
                        return;
                    }
                    turn.usage_told = Some(Instant::now());
                }
                self.patch_link(&agent, LinkPatch { usage: Some(usage), ..LinkPatch::default() }).await;
            }
            UpdateView::SessionInfo(info) => self.session_info(agent, info).await,
            UpdateView::UserChunk(chunk) => {
                if let Some(turn) = self.turn_of(&agent)
                    && turn.echoes(chunk.content.as_text())
                {
                    return;
                }
                self.add(agent, UpdateView::UserChunk(chunk)).await;
            }
            other => self.add(agent, other).await,
        }
    }

    async fn add(&mut self, agent: AgentId, mut update: UpdateView) {
        if let (UpdateView::ToolCall(fields) | UpdateView::ToolCallUpdate(fields), Some(slot)) =
            (&mut update, self.links.get_mut(&agent))
        {
            slot.terminals.read(fields);
        }
        if let UpdateView::AgentChunk(chunk) = &update
            && let Some(file) = received::keep(&self.context, &chunk.content.kind).await
        {
            return self.place(agent, Kind::Content, file).await;
        }
        let Some((kind, content)) = translate::content(update) else { return };
        let content = match content {
            Content::Text { text, .. } if self.links.get(&agent).is_some_and(|slot| slot.quirks.is_notice(&text)) => {
                // Beside an answer. Without one, as after a start or a change of mode, it makes no message of its own.
                if self.turn_of(&agent).is_none() {
                    return;
                }
                Content::Notice(Notice::once("info", text.trim_end()))
            }
            other => other,
        };
        if let (Content::Text { .. }, Some(turn)) = (&content, self.turn_of(&agent)) {
            turn.trouble.spoke();
        }
        self.place(agent, kind, content).await;
    }

    /// Content of a running prompt goes into its message; everything else is looked at more closely.
    pub(super) async fn place(&mut self, agent: AgentId, kind: Kind, content: Content) {
        let earlier = match &content {
            Content::Tool(tool) => self
                .links
                .get(&agent)
                .is_some_and(|slot| slot.past.iter().any(|past| past.transcript.knows_tool(&tool.id))),
            _ => false,
        };
        match self.turn_of(&agent) {
            Some(turn) if !earlier => {
                turn.last_update = Instant::now();
                let (message, under) = (turn.message, (turn.run, turn.fence));
                let changes = turn.transcript.apply(content);
                let facts = self.facts_of(message, changes);
                self.record(Some(under), facts).await;
            }
            _ => self.place_outside(agent, kind, content).await,
        }
    }

    /// The run of a link whose prompt is on the wire and not in the background.
    pub(super) fn turn_of(&mut self, agent: &AgentId) -> Option<&mut Turn> {
        self.active.as_mut().filter(|turn| turn.agent == *agent && turn.phase == Phase::Sent)
    }

    /// A message the agent began by itself is whole after a quiet.
    pub(super) async fn settle_own(&mut self, now: Instant) {
        let mut settled = Vec::new();
        for past in self.links.values_mut().flat_map(|slot| &mut slot.past) {
            if past.growing.is_some_and(|at| now >= at + super::QUIET) && !past.transcript.has_open_tool() {
                past.growing = None;
                settled.push((past.message, past.transcript.settle(ToolEnd::Keep)));
            } else if past.growing.is_some_and(|at| now >= at + super::QUIET) {
                past.growing = Some(now);
            }
        }
        for (message_id, changes) in settled {
            let mut facts = self.facts_of(message_id, changes);
            facts.push(Fact::MessageSettled { message_id });
            self.record(None, facts).await;
        }
    }
}

impl Turn {
    /// Whether a text is the next piece of the prompt said back: the user's words stand in the chat already.
    fn echoes(&mut self, text: Option<&str>) -> bool {
        let Some(text) = text else { return false };
        let said = format!("{}{text}", self.echo);
        let echoed = self.prompt.iter().any(|block| block.starts_with(&said));
        if echoed {
            self.echo = said;
        }
        echoed
    }
}
