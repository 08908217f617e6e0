//! The agent: what the client sends, and what it is answered.

mod turn;

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::Setup;
use crate::client::Client;
use crate::language::Language;
use crate::options;
use crate::pace::Pace;
use crate::session::Session;
use crate::store::Store;
use crate::topic::Topic;
use crate::wire::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, NOT_FOUND, PARSE_ERROR, Refusal, Wire, chunk};
use crate::words::Words;

/// The version of the protocol that is spoken.
const PROTOCOL: u64 = 1;

/// The agent of one connection.
pub(crate) struct Agent {
    pub(crate) wire: Wire,
    pub(crate) store: Store,
    pace: Pace,
    language: Language,
    live: Mutex<Live>,
}

/// What changes while it runs. Held for moments only, never while anything is written.
#[derive(Default)]
struct Live {
    client: Client,
    sessions: HashMap<String, Session>,
    turns: HashMap<String, Turn>,
    questions: HashMap<u64, Sender<Signal>>,
    asked: u64,
}

/// A prompt at work.
struct Turn {
    prompt: Value,
    signals: Sender<Signal>,
}

/// What reaches a turn from outside.
#[derive(Debug)]
pub(crate) enum Signal {
    Cancel,
    /// The client's answer to question so-and-so: its result, or its error.
    Answer(u64, Result<Value, Value>),
}

impl Agent {
    pub(crate) fn new(setup: &Setup, out: Box<dyn io::Write + Send>) -> Arc<Self> {
        let store = Store::new(setup.dir.clone());
        let (pace, language) = (setup.pace, setup.language);
        Arc::new(Self { wire: Wire::new(out), store, pace, language, live: Mutex::default() })
    }

    /// Reads lines until there are no more, or until nobody reads the answers.
    pub(crate) fn serve(self: &Arc<Self>, mut lines: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            if !line.trim_ascii().is_empty() {
                self.receive(&line)?;
            }
            line.clear();
        }
        Ok(())
    }

    fn receive(self: &Arc<Self>, line: &[u8]) -> io::Result<()> {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            return self.wire.answer(&Value::Null, Err(Refusal::new(PARSE_ERROR, "this line is no JSON")));
        };
        let Some(method) = message["method"].as_str() else {
            self.answered(&message);
            return Ok(());
        };
        let params = &message["params"];
        match message.get("id") {
            None => self.notified(method, params),
            Some(id) if method == "session/prompt" => return turn::begin(self, id, params),
            Some(id) => {
                let outcome = self.call(method, params);
                let session = outcome.as_ref().ok().and_then(|result| session_of(method, params, result));
                self.wire.answer(id, outcome)?;
                if let Some(session) = session {
                    self.announce(&session)?;
                }
            }
        }
        Ok(())
    }

    /// The client has answered a question of ours.
    fn answered(&self, message: &Value) {
        let Some(id) = message["id"].as_u64() else { return };
        let outcome = match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].clone()),
        };
        if let Some(signals) = self.live().questions.remove(&id) {
            // Its turn may be over by now.
            let _ = signals.send(Signal::Answer(id, outcome));
        }
    }

    fn notified(&self, method: &str, params: &Value) {
        let live = self.live();
        let turn = match method {
            "session/cancel" => params["sessionId"].as_str().and_then(|id| live.turns.get(id)),
            "$/cancel_request" => live.turns.values().find(|turn| turn.prompt == params["requestId"]),
            _ => None,
        };
        if let Some(turn) = turn {
            // As above.
            let _ = turn.signals.send(Signal::Cancel);
        }
    }

    fn call(&self, method: &str, params: &Value) -> Result<Value, Refusal> {
        match method {
            "initialize" => Ok(self.initialize(params)),
            "authenticate" => Err(Refusal::new(INVALID_PARAMS, "there is nothing to log in to")),
            "session/new" => self.new_session(params),
            "session/load" => self.load(params),
            "session/resume" => Ok(self.settings(&self.bring_back(params)?)),
            "session/close" => self.close(params),
            "session/set_config_option" => self.set_option(params),
            _ => Err(Refusal::new(METHOD_NOT_FOUND, format!("there is no method `{method}`"))),
        }
    }

    fn initialize(&self, params: &Value) -> Value {
        self.live().client = Client::read(params);
        json!({
            "protocolVersion": PROTOCOL,
            "agentCapabilities": {
                "loadSession": true,
                "promptCapabilities": {"image": true, "embeddedContext": true},
                "sessionCapabilities": {"resume": {}, "close": {}},
            },
            "agentInfo": {"name": "tour", "title": "Tour", "version": env!("CARGO_PKG_VERSION")},
            "authMethods": [],
        })
    }

    fn new_session(&self, params: &Value) -> Result<Value, Refusal> {
        let cwd = directory(params)?;
        let number = getrandom::u64().map_err(|error| Refusal::new(INTERNAL_ERROR, error.to_string()))?;
        let session = Session::new(format!("tour-{number:016x}"), cwd, self.language, self.pace);
        self.store.prune().and_then(|()| self.store.save(&session)).map_err(not_kept)?;
        let mut answer = self.settings(&session);
        answer["sessionId"] = json!(session.id);
        self.live().sessions.insert(session.id.clone(), session);
        Ok(answer)
    }

    /// As `resume`, and everything that was said is said again.
    fn load(&self, params: &Value) -> Result<Value, Refusal> {
        let session = self.bring_back(params)?;
        for exchange in &session.exchanges {
            let said = [("user_message_chunk", &exchange.asked), ("agent_message_chunk", &exchange.answered)];
            for (kind, text) in said {
                self.wire.update(&session.id, &chunk(kind, text)).map_err(not_kept)?;
            }
        }
        Ok(self.settings(&session))
    }

    fn bring_back(&self, params: &Value) -> Result<Session, Refusal> {
        directory(params)?;
        let id = params["sessionId"].as_str().unwrap_or_default();
        if let Some(session) = self.session(id, |session| session.clone()) {
            return Ok(session);
        }
        let session = self.store.load(id).ok_or_else(|| no_session(id))?;
        self.live().sessions.insert(session.id.clone(), session.clone());
        Ok(session)
    }

    fn close(&self, params: &Value) -> Result<Value, Refusal> {
        self.notified("session/cancel", params);
        let id = params["sessionId"].as_str().unwrap_or_default();
        self.live().sessions.remove(id).map(|_| json!({})).ok_or_else(|| no_session(id))
    }

    fn set_option(&self, params: &Value) -> Result<Value, Refusal> {
        let id = params["sessionId"].as_str().unwrap_or_default();
        let changed = self.session(id, |session| options::set(session, params).map(|()| session.clone()));
        let session = changed.ok_or_else(|| no_session(id))??;
        self.store.save(&session).map_err(not_kept)?;
        Ok(self.settings(&session))
    }

    /// A session's options as results and updates carry them.
    pub(crate) fn settings(&self, session: &Session) -> Value {
        json!({"configOptions": options::advertised(session, self.client(), Words::of(session.language))})
    }

    /// Tells a session's commands.
    pub(crate) fn announce(&self, session: &str) -> io::Result<()> {
        let Some(language) = self.session(session, |session| session.language) else { return Ok(()) };
        let described = Topic::ALL.into_iter().zip(Words::of(language).commands);
        let commands: Vec<Value> = described
            .map(|(topic, description)| json!({"name": topic.command(), "description": description}))
            .collect();
        self.wire.update(session, &json!({"sessionUpdate": "available_commands_update", "availableCommands": commands}))
    }

    pub(crate) fn client(&self) -> Client {
        self.live().client
    }

    /// Looks at a live session, or changes it; `None` where there is none.
    pub(crate) fn session<T>(&self, id: &str, look: impl FnOnce(&mut Session) -> T) -> Option<T> {
        self.live().sessions.get_mut(id).map(look)
    }

    /// A number for a question of a session's turn, whose answer will be a signal to that turn; `None` without a turn.
    pub(crate) fn question(&self, session: &str) -> Option<u64> {
        let mut live = self.live();
        let signals = live.turns.get(session)?.signals.clone();
        live.asked += 1;
        let number = live.asked;
        live.questions.insert(number, signals);
        Some(number)
    }

    /// The question is not waited for any more.
    pub(crate) fn give_up(&self, question: u64) {
        self.live().questions.remove(&question);
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The session whose commands are told after this call.
fn session_of(method: &str, params: &Value, result: &Value) -> Option<String> {
    let id = match method {
        "session/new" => &result["sessionId"],
        "session/load" | "session/resume" => &params["sessionId"],
        _ => return None,
    };
    id.as_str().map(str::to_owned)
}

fn directory(params: &Value) -> Result<String, Refusal> {
    let cwd = params["cwd"].as_str().filter(|cwd| Path::new(cwd).is_absolute());
    cwd.map(str::to_owned).ok_or_else(|| Refusal::new(INVALID_PARAMS, "`cwd` must be an absolute path"))
}

fn no_session(id: &str) -> Refusal {
    Refusal::new(NOT_FOUND, format!("Resource not found: there is no session `{id}`"))
}

fn not_kept(error: io::Error) -> Refusal {
    Refusal::new(INTERNAL_ERROR, format!("the session cannot be kept: {error}"))
}
