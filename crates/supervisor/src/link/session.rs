//! A session: brought back where that works, else a new one; then the options as they were.

use std::time::Duration;

use drover_acp::messages::methods;
use drover_acp::views::{SessionView, UpdateView, view_session, view_update};
use drover_acp::{Body, RpcError, messages};
use drover_domain::options::{self, Next, Replay, SetCall};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Link, LinkEvent, Over};

/// After a load, replayed updates may still come: it is over after this much quiet …
const QUIET: Duration = Duration::from_millis(250);
/// … or after this long.
const QUIET_CAP: Duration = Duration::from_secs(5);

/// What came of an attempt to bring a session back.
enum Back {
    Here(Box<SessionView>),
    Lost(String),
}

impl Link {
    /// Brings the session back or makes a new one (lifecycle rule 4).
    pub(super) async fn open_session(&mut self) -> Result<(), Over> {
        let mut note = None;
        if let Some((id, created)) = self.start.session.clone() {
            match self.bring_back(&id, created).await? {
                Back::Here(view) => {
                    self.session = id.clone();
                    self.tell(LinkEvent::Session { id, fresh: false, note: None }).await?;
                    return self.take_session(*view).await;
                }
                Back::Lost(why) => note = Some(why),
            }
        }
        self.parked.retain(|body| matches!(body, Body::Request { .. }));
        self.new_session(note).await
    }

    /// A session that has seen nothing, on a process that had another.
    pub(super) async fn renew(&mut self, remembered: Vec<drover_domain::options::Remembered>) -> Result<(), Over> {
        self.start.remembered = remembered;
        self.new_session(None).await?;
        self.replay_options().await?;
        Ok(self.tell(LinkEvent::Ready).await?)
    }

    async fn new_session(&mut self, note: Option<String>) -> Result<(), Over> {
        let cwd = self.cwd();
        let params = messages::new_session(&cwd);
        let raw = match self.call(methods::SESSION_NEW, &params).await? {
            Ok(raw) => raw,
            Err(error) => return Err(self.refused("a session", &error)),
        };
        let view = view_session(&raw);
        let Some(id) = view.session_id.clone() else {
            return Err(self.failed("agent_not_started", format!("{} made a session without a name.", self.name())));
        };
        self.session.clone_from(&id);
        self.tell(LinkEvent::Session { id, fresh: true, note }).await?;
        self.take_session(view).await
    }

    async fn bring_back(&mut self, id: &str, created: Option<drover_domain::Timestamp>) -> Result<Back, Over> {
        let rest = self.start.context.catalogue.get(&self.start.agent).and_then(|entry| entry.session_rest);
        let age = created.map(|at| self.start.context.now().millis_since(at));
        if let (Some(rest), Some(age)) = (rest, age)
            && age < i64::try_from(rest.as_millis()).unwrap_or(i64::MAX)
        {
            return Ok(Back::Lost(format!("{} loses a session that is opened again so soon", self.name())));
        }
        let method = match (self.able.resume, self.able.load) {
            (true, _) => methods::SESSION_RESUME,
            (false, true) => methods::SESSION_LOAD,
            (false, false) => return Ok(Back::Lost(format!("{} cannot bring sessions back", self.name()))),
        };
        let cwd = self.cwd();
        let params = messages::existing_session(id, &cwd);
        let answer = self.call(method, &params).await?;
        if method == methods::SESSION_LOAD {
            self.wait_for_quiet().await?;
        }
        // What was replayed is in the chat already; what the session is like now counts.
        self.drop_replayed();
        match answer {
            Ok(raw) => Ok(Back::Here(Box::new(read_session(&raw)))),
            // The session may well be there: it is asked for again after the login.
            Err(error) if error.code == drover_acp::AUTH_REQUIRED => Err(self.refused("its session", &error)),
            Err(error) => Ok(Back::Lost(lost(&error))),
        }
    }

    async fn wait_for_quiet(&mut self) -> Result<(), Over> {
        let cap = tokio::time::Instant::now() + QUIET_CAP;
        loop {
            let Some(wire) = &mut self.wire else { return Err(Over::Orphaned) };
            let quiet = (tokio::time::Instant::now() + QUIET).min(cap);
            match tokio::time::timeout_at(quiet, wire.incoming.next()).await {
                Err(_) => return Ok(()),
                Ok(None) => return Err(Over::Orphaned),
                Ok(Some(frame)) => match frame.body {
                    Body::Closed { reason } => return Err(self.closed(&reason)),
                    body @ (Body::Notification { .. } | Body::Request { .. }) => self.parked.push_back(body),
                    _ => {}
                },
            }
        }
    }

    fn drop_replayed(&mut self) {
        self.parked.retain(|body| match body {
            Body::Notification { method, params } if method == methods::SESSION_UPDATE => {
                !is_content(&view_update(params).update)
            }
            _ => true,
        });
    }

    /// Takes over what the answer says of options, then what came before it.
    async fn take_session(&mut self, view: SessionView) -> Result<(), Over> {
        let told = view.config_options.is_some() || view.modes.is_some() || view.models.is_some();
        if told {
            let options = options::advertised(view.config_options.as_ref(), view.modes.as_ref(), view.models.as_ref());
            self.take_options(options).await?;
        }
        for body in std::mem::take(&mut self.parked) {
            self.take(body).await?;
        }
        Ok(())
    }

    pub(super) async fn take_options(&mut self, options: Value) -> Result<(), Over> {
        self.options.clone_from(&options);
        self.told_options = true;
        Ok(self.tell(LinkEvent::Options(options)).await?)
    }

    /// Sets remembered values again, one at a time, before the first prompt (lifecycle rule 27).
    pub(super) async fn replay_options(&mut self) -> Result<(), Over> {
        let remembered = std::mem::take(&mut self.start.remembered);
        let mut replay = if self.told_options { Replay::new(remembered) } else { Replay::unconfirmed(remembered) };
        while let Next::Set(option_id, value) = replay.next(&self.options) {
            let call = match options::set_call(&self.options, &option_id, &value) {
                Ok(call) => call,
                Err(error) => {
                    replay.failed(&option_id, &error.to_string());
                    continue;
                }
            };
            let (method, params) = self.set_params(&call);
            match self.call(method, &params).await? {
                Ok(raw) => {
                    let options = self.after_set(&call, &option_id, &value, &raw);
                    self.take_options(options).await?;
                }
                Err(error) => replay.failed(&option_id, &error.to_string()),
            }
            for body in std::mem::take(&mut self.parked) {
                self.take(body).await?;
            }
        }
        self.tell(LinkEvent::Skipped(replay.skipped().to_vec())).await?;
        Ok(())
    }

    fn cwd(&self) -> String {
        self.start.cwd.to_string_lossy().into_owned()
    }

    pub(super) fn set_params(&self, call: &SetCall) -> (&'static str, Value) {
        match call {
            SetCall::Config { id, value, .. } => {
                (methods::SESSION_SET_CONFIG_OPTION, json!(messages::set_config_option(&self.session, id, value)))
            }
            SetCall::Mode(mode) => (methods::SESSION_SET_MODE, json!(messages::set_mode(&self.session, mode))),
            SetCall::Model(model) => (methods::SESSION_SET_MODEL, json!(messages::set_model(&self.session, model))),
        }
    }

    /// The options after one was set: the agent's whole new list where it sent one.
    pub(super) fn after_set(&self, call: &SetCall, option_id: &str, value: &Value, answer: &RawValue) -> Value {
        match (call, view_session(answer).config_options) {
            (SetCall::Config { .. }, Some(options)) => options,
            _ => options::with_current(&self.options, option_id, value),
        }
    }
}

/// The answer to a load or resume may be null.
fn read_session(raw: &RawValue) -> SessionView {
    view_session(raw)
}

fn lost(error: &RpcError) -> String {
    format!("the agent's own memory of this task could not be brought back: {error}")
}

/// Whether an update makes a chat grow, so that a replay of it must not reach the chat.
fn is_content(update: &UpdateView) -> bool {
    !matches!(
        update,
        UpdateView::Commands(_)
            | UpdateView::Mode(_)
            | UpdateView::ConfigOptions(_)
            | UpdateView::SessionInfo { .. }
            | UpdateView::Usage(_)
    )
}
