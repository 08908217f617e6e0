//! The reading side: lines from the client, and the answer to each method.

use std::{
    fs::File,
    io::{self, PipeReader, PipeWriter, Read, Write},
    mem::ManuallyDrop,
    os::fd::{AsRawFd, FromRawFd},
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    event::Event,
    journal::Journal,
    knobs::{Knobs, Load},
    login::Account,
    os::{self, Ready},
    requests::Requests,
    sessions::{Session, Sessions},
    turn,
    wire::{Wire, chunk},
};

/// What a directive asks of the thread that reads stdin.
#[derive(Clone, Copy)]
pub(super) enum Ask {
    CloseStdin,
    PauseReading(Duration),
}

/// The agent: its wire, its sessions, its open questions.
pub(super) struct Agent {
    pub(super) knobs: Knobs,
    pub(super) wire: Wire,
    pub(super) journal: Journal,
    pub(super) sessions: Sessions,
    account: Account,
    pub(super) requests: Requests,
    /// The client's capabilities, once it has said them.
    client: Mutex<Option<Value>>,
    asks: Mutex<Vec<Ask>>,
    wake: (PipeReader, PipeWriter),
    born: Instant,
    count: AtomicU64,
    deaf: AtomicBool,
}

type Reply = Result<Value, Value>;

impl Agent {
    pub(super) fn from_env() -> io::Result<Self> {
        let knobs = Knobs::from_env()?;
        Ok(Self {
            wire: Wire::stdout(knobs.crlf),
            journal: Journal::new(knobs.log.clone(), knobs.name.clone()),
            sessions: Sessions::new(&knobs),
            account: Account::from_env(),
            requests: Requests::new(),
            client: Mutex::default(),
            asks: Mutex::default(),
            wake: io::pipe()?,
            born: Instant::now(),
            count: AtomicU64::new(0),
            deaf: AtomicBool::new(false),
            knobs,
        })
    }

    /// Notes the start and does what `AGENT_ON` says for it.
    pub(super) fn started(self: &Arc<Self>) {
        if self.knobs.ignores("term") {
            for signal in [libc::SIGTERM, libc::SIGHUP, libc::SIGINT] {
                os::ignore(signal);
            }
        }
        let mut env: Vec<String> = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        env.sort();
        let cwd = std::env::current_dir().unwrap_or_default();
        self.journal.write("start", json!({"argv": std::env::args().collect::<Vec<_>>(), "cwd": cwd, "env": env}));
        self.run_hook("start", "");
    }

    /// Reads lines until stdin ends or is closed.
    pub(super) fn serve(self: &Arc<Self>) -> io::Result<()> {
        // SAFETY: descriptor 0 is this process's stdin, and `ManuallyDrop` leaves closing it to `os::close`.
        let mut stdin = ManuallyDrop::new(unsafe { File::from_raw_fd(0) });
        let (mut pending, mut chunk) = (Vec::new(), vec![0; 64 * 1024]);
        loop {
            if os::wait_for_input(self.wake.0.as_raw_fd())? == Ready::Wake {
                if self.do_as_asked()? {
                    return Ok(());
                }
                continue;
            }
            let read = stdin.read(&mut chunk)?;
            if read == 0 {
                self.journal.write("eof", json!({}));
                return Ok(());
            }
            let scanned = pending.len();
            pending.extend_from_slice(&chunk[..read]);
            let Some(end) = pending[scanned..].iter().rposition(|byte| *byte == b'\n') else {
                continue;
            };
            let rest = pending.split_off(scanned + end + 1);
            for line in pending.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
                self.receive(serde_json::from_slice(line)?);
            }
            pending = rest;
        }
    }

    /// Has the reading thread do something.
    pub(super) fn ask_reader(&self, ask: Ask) -> io::Result<()> {
        self.asks.lock().unwrap_or_else(PoisonError::into_inner).push(ask);
        (&self.wake.1).write_all(b"!")
    }

    /// True when stdin is closed and nothing is left to read: the process then stays until it is ended.
    fn do_as_asked(&self) -> io::Result<bool> {
        (&self.wake.0).read_exact(&mut [0])?;
        let ask = self.asks.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match ask {
            Some(Ask::PauseReading(time)) => thread::sleep(time),
            Some(Ask::CloseStdin) => {
                os::close(0);
                loop {
                    thread::park();
                }
            }
            None => {}
        }
        Ok(false)
    }

    /// A new name of a session.
    fn session_id(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{}-{:x}{:05x}{count}", self.knobs.name, std::process::id(), self.born.elapsed().subsec_micros())
    }

    /// What the client says it can do.
    pub(super) fn client(&self) -> Value {
        self.client.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
    }

    /// From now on nothing that the client sends is acted on.
    pub(super) fn go_deaf(&self) {
        self.deaf.store(true, Ordering::Relaxed);
    }

    fn receive(self: &Arc<Self>, message: Value) {
        self.journal.write("in", message.clone());
        if self.deaf.load(Ordering::Relaxed) {
            return;
        }
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            let id = message.get("id").cloned().unwrap_or_default();
            self.requests.answer(&id, message);
            return;
        };
        let (id, params) = (message.get("id").cloned(), message.get("params").cloned().unwrap_or_default());
        match self.knobs.delays.get(method).copied() {
            None => self.handle(method, id, &params),
            Some(delay) => {
                let (agent, method) = (Arc::clone(self), method.to_owned());
                thread::spawn(move || {
                    if let Ok(delay) = u64::try_from(delay) {
                        thread::sleep(Duration::from_millis(delay));
                        agent.handle(&method, id, &params);
                    }
                });
            }
        }
    }

    fn handle(self: &Arc<Self>, method: &str, id: Option<Value>, params: &Value) {
        let session = params.get("sessionId").and_then(Value::as_str).unwrap_or_default();
        if method == "session/cancel" {
            if let Some((_, stop)) = self.sessions.lock().get(session).and_then(|session| session.running.as_ref()) {
                stop.set();
            }
            return;
        }
        let Some(id) = id else { return };
        self.run_hook(&format!("before {method}"), session);
        let reply = match self.refusal(method, session, params) {
            Some(refusal) => Err(refusal),
            None if method == "session/prompt" && !self.knobs.answers.contains_key(method) => {
                turn::start(self, id, session, params);
                return;
            }
            None => self.reply(method, session, params),
        };
        let answer = match reply {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        if self.wire.send(&answer).is_ok() {
            let session = answer.pointer("/result/sessionId").and_then(Value::as_str).unwrap_or(session);
            if method == "session/load" && self.knobs.load == Load::Tail {
                thread::sleep(Duration::from_millis(200));
                self.replay_tail(session);
            }
            self.run_hook(method, session);
        }
    }

    /// Why the protocol forbids this call now.
    fn refusal(&self, method: &str, session: &str, params: &Value) -> Option<Value> {
        let initialized = self.client.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if method != "initialize" && !initialized {
            return Some(error(-32600, "not initialized"));
        }
        let set_up = matches!(method, "session/new" | "session/load" | "session/resume");
        let absolute = params.get("cwd").and_then(Value::as_str).is_some_and(|cwd| Path::new(cwd).is_absolute());
        if set_up && !(params.get("mcpServers").is_some_and(Value::is_array) && absolute) {
            return Some(error(-32602, "mcpServers (a list) and cwd (absolute) are required"));
        }
        if let Some(refusal) = self.account.refusal(method) {
            return Some(refusal);
        }
        if method != "session/prompt" {
            return None;
        }
        match self.sessions.lock().get(session) {
            None => Some(error(-32002, "session not found")),
            Some(Session { running: Some(_), .. }) if !self.knobs.can("queueing") => {
                Some(error(-32600, "a prompt is running"))
            }
            Some(_) => None,
        }
    }

    fn reply(&self, method: &str, session: &str, params: &Value) -> Reply {
        let scripted = self.knobs.answers.get(method);
        let natural = match method {
            "initialize" => Ok(self.initialize(params)),
            "session/new" => {
                let id = scripted.and_then(|answer| answer.pointer("/result/sessionId")?.as_str().map(str::to_owned));
                Ok(self.new_session(id.unwrap_or_else(|| self.session_id()), params))
            }
            "session/load" | "session/resume" => self.bring_back(method, session),
            "session/set_config_option" if self.knobs.refuse_options => {
                Err(json!({"code": -32603, "message": "boom", "data": {"details": "not allowed"}}))
            }
            "session/set_config_option" => {
                let options = self.sessions.set_option(&params["configId"], &params["value"]);
                Ok(json!({"configOptions": options}))
            }
            _ => self.account.answer(method, params).unwrap_or_else(|| Err(error(-32601, "method not found"))),
        };
        match scripted {
            None => natural,
            Some(answer) => match answer.get("error") {
                Some(error) => Err(error.clone()),
                None => Ok(answer.get("result").cloned().unwrap_or_default()),
            },
        }
    }

    fn initialize(&self, params: &Value) -> Value {
        let capabilities = params.get("clientCapabilities").cloned().unwrap_or_else(|| json!({}));
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = Some(capabilities);
        let can = |what| self.knobs.can(what);
        let mut capabilities = json!({"loadSession": can("load"), "promptCapabilities": {"image": can("image"), "audio": can("audio"), "embeddedContext": !can("links")}});
        if can("resume") {
            capabilities["sessionCapabilities"] = json!({"resume": {}});
        }
        if can("queueing") {
            capabilities["_meta"] = json!({"claudeCode": {"promptQueueing": true}});
        }
        let methods = self.account.methods();
        if methods.as_array().is_some_and(|methods| !methods.is_empty()) {
            capabilities["auth"] = json!({"logout": {}});
        }
        json!({"protocolVersion": 1, "agentCapabilities": capabilities,
            "agentInfo": {"name": self.knobs.name, "version": "1.0"}, "authMethods": methods})
    }

    fn new_session(&self, id: String, params: &Value) -> Value {
        self.sessions.open(&id, params.get("cwd").and_then(Value::as_str).unwrap_or_default());
        match self.sessions.options() {
            Some(options) => json!({"sessionId": id, "configOptions": options}),
            None => json!({"sessionId": id}),
        }
    }

    fn bring_back(&self, method: &str, id: &str) -> Reply {
        let missing = || error(-32002, "session not found");
        if self.knobs.load == Load::Fail {
            return Err(missing());
        }
        let session = self.sessions.bring_back(id).ok_or_else(missing)?;
        if method == "session/load" && matches!(self.knobs.load, Load::Replay | Load::Fresh | Load::Tail) {
            for (index, turn) in session.turns.iter().enumerate() {
                let mut said = chunk("agent_message_chunk", &format!("REPLAYED {}", turn.user));
                let mut asked = chunk("user_message_chunk", &turn.user);
                if self.knobs.load == Load::Fresh {
                    asked["messageId"] = json!(format!("replay-{index}-user"));
                    said["messageId"] = json!(format!("replay-{index}-agent"));
                }
                for update in [asked, said] {
                    self.wire.update(id, &update).map_err(|gone| error(-32603, &gone.to_string()))?;
                }
            }
        }
        if self.knobs.load == Load::Forget {
            self.sessions.lock().remove(id);
        }
        Ok(match self.sessions.options() {
            Some(options) => json!({"configOptions": options}),
            None => json!({}),
        })
    }

    fn replay_tail(&self, session: &str) {
        if let Err(gone) = self.wire.update(session, &chunk("agent_message_chunk", "REPLAYED tail")) {
            eprintln!("scripted-agent: {gone}");
        }
    }

    fn run_hook(self: &Arc<Self>, when: &str, session: &str) {
        if let Some(script) = self.knobs.on(when) {
            turn::run_hook(self, session, script);
        }
    }

    /// Marks a prompt as running in its session and gives its stop flag and the id of the prompt before it.
    pub(super) fn begin(&self, session: &str, id: &Value) -> (Arc<Event>, Value) {
        let stop = Arc::new(Event::default());
        let mut live = self.sessions.lock();
        let session = live.entry(session.to_owned()).or_default();
        session.running = Some((id.clone(), Arc::clone(&stop)));
        let before = std::mem::replace(&mut session.last, id.clone());
        (stop, before)
    }

    /// The prompt is over: another may come.
    pub(super) fn end(&self, session: &str, id: &Value) {
        if let Some(session) = self.sessions.lock().get_mut(session)
            && session.running.as_ref().is_some_and(|(running, _)| running == id)
        {
            session.running = None;
        }
    }
}

/// A JSON-RPC error object.
pub(super) fn error(code: i64, message: &str) -> Value {
    json!({"code": code, "message": message})
}
