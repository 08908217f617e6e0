//! A link that is ready: commands go out, frames come in.

use drover_acp::messages::methods;
use drover_acp::views::{
    view_cancel_request, view_elicitation, view_elicitation_complete, view_permission, view_prompt_result, view_update,
};
use drover_acp::{Body, Moment, RequestId, RpcError, messages};
use drover_domain::options;
use serde_json::value::RawValue;

use super::{Command, Link, LinkEvent, Over, Question, SetFailure, SetJob};

impl Link {
    pub(super) async fn serve(&mut self) -> Over {
        loop {
            if let Some(command) = self.early.pop_front() {
                match self.obey(command).await {
                    Ok(()) => continue,
                    Err(over) => return over,
                }
            }
            let Some(wire) = &mut self.wire else { return Over::Orphaned };
            let result = tokio::select! {
                biased;
                command = self.inbox.recv() => match command {
                    Some(command) => self.obey(command).await,
                    None => return Over::Orphaned,
                },
                frame = wire.incoming.next() => match frame {
                    Some(frame) => self.take(frame.body).await,
                    None => return Over::Orphaned,
                },
            };
            if let Err(over) = result {
                return over;
            }
        }
    }

    async fn obey(&mut self, command: Command) -> Result<(), Over> {
        let Some(wire) = &self.wire else { return Err(Over::Orphaned) };
        match command {
            Command::Prompt { run, blocks } => {
                let at = Moment::now();
                let params = messages::prompt(&self.session, &blocks);
                match wire.connection.request("session/prompt", &params) {
                    Ok(id) => {
                        self.open_prompts.push((id, run));
                        self.tell(LinkEvent::Sent { run, at }).await?;
                    }
                    Err(error) => {
                        return Err(
                            self.failed("agent_not_reached", format!("{} could not be asked: {error}.", self.name()))
                        );
                    }
                }
            }
            Command::Cancel => {
                let _ = wire.connection.notify("session/cancel", &messages::cancel(&self.session));
            }
            Command::Renew { remembered } => self.renew(remembered).await?,
            Command::Answer { peer, result } => {
                let _ = wire.connection.respond(&peer, &result);
            }
            Command::Set { option_id, value, reply } => {
                self.sets.push_back(SetJob { option_id, value, call: None, reply });
                self.next_set();
            }
        }
        Ok(())
    }

    /// Puts the first waiting option on the wire, if none is.
    fn next_set(&mut self) {
        while let Some(job) = self.sets.front() {
            if job.call.is_some() {
                return;
            }
            let call = options::set_call(&self.options, &job.option_id, &job.value);
            let sent = match (&call, &self.wire) {
                (Ok(call), Some(wire)) => {
                    let (method, params) = self.set_params(call);
                    wire.connection.request(method, &params).map_err(|error| SetFailure::Gone(error.to_string()))
                }
                (Err(error), _) => Err(SetFailure::Invalid(*error)),
                (_, None) => Err(SetFailure::Gone("the agent is gone".into())),
            };
            match (sent, call) {
                (Ok(id), Ok(call)) => {
                    if let Some(job) = self.sets.front_mut() {
                        job.call = Some((id, call));
                    }
                }
                (Err(failure), _) => {
                    if let Some(job) = self.sets.pop_front() {
                        let _ = job.reply.send(Err(failure));
                    }
                }
                (Ok(_), Err(_)) => {}
            }
        }
    }

    /// Takes one message of the agent.
    pub(super) async fn take(&mut self, body: Body) -> Result<(), Over> {
        match body {
            Body::Notification { method, params } => self.take_notification(&method, &params).await,
            Body::Request { id, method, params } => self.take_request(id, &method, &params).await,
            Body::Response { id, outcome, .. } => self.take_response(id, outcome).await,
            Body::Closed { reason } => Err(self.closed(&reason)),
            Body::Oversize { len, .. } => {
                tracing::warn!(task = %self.start.task_id, agent = %self.start.agent, len, "a line of the agent is too long and was skipped");
                Ok(())
            }
            Body::Noise { .. } => Ok(()),
        }
    }

    async fn take_notification(&mut self, method: &str, params: &RawValue) -> Result<(), Over> {
        match method {
            "session/update" => {
                let view = view_update(params);
                if view.session_id.as_deref().is_some_and(|id| id != self.session) {
                    tracing::debug!(task = %self.start.task_id, agent = %self.start.agent, "an update for a session of no link was dropped");
                    return Ok(());
                }
                if let drover_acp::views::UpdateView::ConfigOptions(options) = view.update {
                    return self.take_options(options).await;
                }
                if let drover_acp::views::UpdateView::Mode(mode) = &view.update {
                    let options = options::with_mode(&self.options, mode);
                    return self.take_options(options).await;
                }
                Ok(self.tell(LinkEvent::Update(Box::new(view.update))).await?)
            }
            methods::ELICITATION_COMPLETE => match view_elicitation_complete(params) {
                Some(elicitation_id) => Ok(self.tell(LinkEvent::PageDone { elicitation_id }).await?),
                None => Ok(()),
            },
            // An extension of both main adapters; the schema has the same without the underscore.
            "_auth/status_update" | "auth/status_update" => {
                let status: serde_json::Value = serde_json::from_str(params.get()).unwrap_or_default();
                let status = &status["authStatus"];
                let label = status["label"].as_str().map(str::to_owned);
                Ok(self.tell(LinkEvent::Account { label, none: status["kind"] == "none" }).await?)
            }
            methods::CANCEL_REQUEST => match view_cancel_request(params) {
                Some(peer) => Ok(self.tell(LinkEvent::Withdrawn { peer }).await?),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    async fn take_request(&mut self, id: drover_acp::PeerId, method: &str, params: &RawValue) -> Result<(), Over> {
        let question = match method {
            methods::SESSION_REQUEST_PERMISSION => Some(Question::Permission(Box::new(view_permission(params)))),
            methods::ELICITATION_CREATE => Some(Question::Elicitation(Box::new(view_elicitation(params)))),
            _ => None,
        };
        if let Some(question) = question {
            return Ok(self.tell(LinkEvent::Asked { peer: id, question }).await?);
        }
        if let Some(wire) = &self.wire {
            let text = format!("Drover does not offer {method}");
            let _ = wire.connection.respond_error(&id, drover_acp::METHOD_NOT_FOUND, &text, None);
        }
        Ok(())
    }

    async fn take_response(&mut self, id: RequestId, outcome: Result<Box<RawValue>, RpcError>) -> Result<(), Over> {
        if let Some(at) = self.open_prompts.iter().position(|(open, _)| *open == id) {
            if let Err(RpcError { origin: drover_acp::ErrorOrigin::Closed, .. }) = &outcome {
                // Why it was closed follows at once.
                return Ok(());
            }
            let (_, run) = self.open_prompts.remove(at);
            let outcome = outcome.map(|raw| view_prompt_result(&raw));
            return Ok(self.tell(LinkEvent::PromptDone { run, outcome }).await?);
        }
        let is_set = |job: &SetJob| job.call.as_ref().is_some_and(|(open, _)| *open == id);
        if self.sets.front().is_some_and(is_set)
            && let Some(SetJob { option_id, value, call: Some((_, call)), reply }) = self.sets.pop_front()
        {
            match outcome {
                Ok(raw) => {
                    let options = self.after_set(&call, &option_id, &value, &raw);
                    let category = options::category(&options, &option_id).map(str::to_owned);
                    self.take_options(options).await?;
                    self.tell(LinkEvent::Accepted { option_id, value, category, reply }).await?;
                }
                Err(error) => {
                    let _ = reply.send(Err(SetFailure::Refused(error)));
                }
            }
            self.next_set();
        }
        Ok(())
    }
}
