//! From nothing to an agent that has said what it can do.

use drover_acp::messages::methods;
use drover_acp::views::{view_cancel_request, view_initialize};
use drover_acp::{Body, Config, ErrorOrigin, Launch, RpcError, messages};
use drover_domain::LinkState;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{Able, COMMANDS, Command, Ended, Link, LinkEvent, Over, Wire};
use crate::frames::FrameLog;
use crate::running::Row;

/// How many lines that are no messages are shown when an agent does not answer, and how much of each.
const NOISE: usize = 5;
const NOISE_CHARS: usize = 200;
/// How many messages may come before the session has a name.
const PARKED: usize = 4096;

impl Link {
    pub(super) async fn set_up(&mut self) -> Result<(), Over> {
        let mut swept = self.start.context.swept.clone();
        // Closed means that the daemon is going down.
        let _ = swept.wait_for(|swept| *swept).await;
        self.launch().await?;
        self.initialize().await?;
        self.open_session().await?;
        self.replay_options().await?;
        self.ready = true;
        self.tell(LinkEvent::Ready).await?;
        Ok(())
    }

    async fn launch(&mut self) -> Result<(), Over> {
        let context = &self.start.context;
        let environment = context.environments.ready().await;
        let entry = context.catalogue.get(&self.start.agent);
        let Some(entry) = entry else {
            return Err(self.failed("agent_unknown", format!("There is no agent “{}” any more.", self.start.agent)));
        };
        let plan =
            entry.launch(&environment).map_err(|problem| self.failed("agent_not_started", problem.to_string()))?;
        let own = context.catalogue.data_dir().join("tasks").join(self.start.task_id.to_string());
        if self.start.cwd == own {
            std::fs::create_dir_all(&own).map_err(|error| {
                self.failed("agent_not_started", format!("{} cannot be made: {error}", own.display()))
            })?;
        }
        let row =
            Row { agent: self.start.agent.clone(), task: self.start.task_id, version: plan.managed.clone(), pid: None };
        let lease = context.running.enter(row);
        let launch = Launch {
            keeper: context.keeper.clone(),
            keeper_args: vec!["keeper".into()],
            command: plan.command,
            args: plan.args,
            env: plan.env,
            cwd: self.start.cwd.clone(),
            mark: context.mark.clone(),
        };
        let transport = drover_acp::launch(launch).await.map_err(|error| {
            self.failed("agent_not_started", format!("{} could not be started: {error}.", self.name()))
        })?;
        lease.started(transport.process.agent_pid());
        let frames =
            FrameLog::open(context.store.data_dir(), self.start.task_id, &self.start.agent, &(context.config)());
        let config = Config { frames, ..Config::default() };
        let (connection, incoming, process) = transport.connect(config);
        self.wire = Some(Wire { connection, incoming });
        let family = process.family();
        self.process = Some(process);
        self.lease = Some(lease);
        Ok(self.tell(LinkEvent::Launched(family)).await?)
    }

    async fn initialize(&mut self) -> Result<(), Over> {
        let params = messages::initialize(env!("CARGO_PKG_VERSION"));
        let answer = self.call("initialize", &params).await?;
        let view = match answer {
            Ok(raw) => view_initialize(&raw),
            Err(error) => return Err(self.refused("initialize", &error)),
        };
        if !view.protocol_version.is_ours() {
            let text = format!(
                "{} speaks version {} of the Agent Client Protocol; Drover speaks version {}.",
                self.name(),
                view.protocol_version,
                messages::PROTOCOL_VERSION
            );
            return Err(self.failed("protocol_version", text));
        }
        self.able = Able::of(&view);
        self.tell(LinkEvent::Initialized(Box::new(view))).await?;
        Ok(())
    }

    /// Sends a request and waits for its answer; what comes before it waits in `parked`. What the agent asks the user meanwhile is
    /// asked, and the request then has all the time it wants.
    pub(super) async fn call(
        &mut self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<Result<Box<RawValue>, RpcError>, Over> {
        let Some(wire) = &mut self.wire else { return Err(Over::Orphaned) };
        let sent = match wire.connection.request(method, params) {
            Ok(id) => id,
            Err(error) => {
                return Err(self.failed("agent_not_started", format!("{} could not be asked: {error}.", self.name())));
            }
        };
        loop {
            let Some(wire) = &mut self.wire else { return Err(Over::Orphaned) };
            let frame = tokio::select! {
                biased;
                command = self.inbox.recv(), if self.early.len() < COMMANDS => {
                    match command {
                        Some(Command::Answer { peer, result }) => {
                            let _ = wire.connection.respond(&peer, &result);
                        }
                        Some(command) => self.early.push_back(command),
                        None => return Err(Over::Orphaned),
                    }
                    continue;
                }
                frame = wire.incoming.next() => frame,
            };
            let Some(frame) = frame else { return Err(Over::Orphaned) };
            if self.is_urgent(&frame.body) {
                if let Some(wire) = &self.wire {
                    wire.connection.wait_without_limit(sent);
                }
                self.take(frame.body).await?;
                continue;
            }
            match frame.body {
                Body::Response { id, outcome, .. } if id == sent => {
                    if let Err(RpcError { origin: ErrorOrigin::Closed, .. }) = &outcome {
                        // The reason follows at once.
                        continue;
                    }
                    return Ok(outcome);
                }
                Body::Closed { reason } => return Err(self.closed(&reason)),
                body @ (Body::Notification { .. } | Body::Request { .. } | Body::Response { .. })
                    if self.parked.len() < PARKED =>
                {
                    self.parked.push_back(body)
                }
                Body::Noise { text, .. } => self.note_noise(&text),
                _ => {}
            }
        }
    }

    /// Whether a message is for the user now, though the answer to a request of ours is still to come: the answer may depend on it.
    fn is_urgent(&self, body: &Body) -> bool {
        match body {
            Body::Request { method, .. } => method == methods::ELICITATION_CREATE,
            Body::Notification { method, params } if method == methods::CANCEL_REQUEST => {
                let waits =
                    |peer| self.parked.iter().any(|body| matches!(body, Body::Request { id, .. } if *id == peer));
                view_cancel_request(params).is_some_and(|peer| !waits(peer))
            }
            Body::Notification { method, .. } => method == methods::ELICITATION_COMPLETE,
            _ => false,
        }
    }

    fn note_noise(&mut self, line: &str) {
        if self.noise.len() == NOISE {
            self.noise.pop_front();
        }
        self.noise.push_back(line.chars().take(NOISE_CHARS).collect());
    }

    pub(super) fn failed(&self, code: &str, message: String) -> Over {
        Over::Failed(Ended { state: LinkState::Failed, code: code.into(), message, detail: self.stderr() })
    }

    /// How the link ends when the agent refuses what it cannot do without.
    pub(super) fn refused(&self, what: &str, error: &RpcError) -> Over {
        let login = error.code == drover_acp::AUTH_REQUIRED;
        let name = self.name();
        let message = if login {
            format!("{name} wants you to log in: {}", error.message)
        } else {
            match error.origin {
                ErrorOrigin::Timeout if self.noise.is_empty() => format!("{name} does not speak: {error}."),
                ErrorOrigin::Timeout => format!("{name} says things that are not the Agent Client Protocol: {error}."),
                _ => format!("{name} refused {what}: {error}"),
            }
        };
        let mut detail = self.stderr().unwrap_or_else(|| serde_json::json!({}));
        if let Some(data) = &error.data {
            detail["data"] = data.clone();
        }
        if !self.noise.is_empty() {
            detail["stdout"] = self.noise.iter().cloned().collect::<Vec<_>>().join("\n").into();
        }
        let detail = detail.as_object().is_some_and(|members| !members.is_empty()).then_some(detail);
        let state = if login { LinkState::NeedsLogin } else { LinkState::Failed };
        Over::Failed(Ended { state, code: error.code.to_string(), message, detail })
    }
}
