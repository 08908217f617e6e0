//! What a turn does in front of the client: says, thinks, plans, calls tools, asks; at the pace of its session, and only until
//! it is cancelled.

use std::io;
use std::sync::mpsc::{Receiver, RecvError, RecvTimeoutError};

use serde_json::{Value, json};

use crate::agent::{Agent, Signal};
use crate::client::Client;
use crate::language::Language;
use crate::pace::{Beat, Pace};
use crate::session::{Mode, Session};
use crate::wire::chunk;
use crate::words::Words;

/// The kind of update that carries the answer's text.
const ANSWER: &str = "agent_message_chunk";

/// Why a scene does not go on.
#[derive(Debug)]
pub(crate) enum Over {
    /// The client stopped the turn.
    Cancelled,
    /// The turn fails, with this sentence.
    Failed(String),
    /// Nobody reads any more.
    Gone(io::Error),
}

impl From<io::Error> for Over {
    fn from(error: io::Error) -> Self {
        Self::Gone(error)
    }
}

/// What a scene comes to.
pub(crate) type Played<T = ()> = Result<T, Over>;

/// A turn's way to the client.
pub(crate) struct Stage<'a> {
    agent: &'a Agent,
    session: &'a str,
    turn: u64,
    calls: u64,
    said: String,
    language: Language,
    signals: Receiver<Signal>,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(
        agent: &'a Agent,
        session: &'a str,
        turn: u64,
        language: Language,
        signals: Receiver<Signal>,
    ) -> Self {
        Self { agent, session, turn, calls: 0, said: String::new(), language, signals }
    }

    /// The words of the turn's language.
    pub(crate) const fn words(&self) -> &'static Words {
        Words::of(self.language)
    }

    /// What the client can do.
    pub(crate) fn client(&self) -> Client {
        self.agent.client()
    }

    /// The session's directory.
    pub(crate) fn cwd(&self) -> String {
        self.look(|session| session.cwd.clone()).unwrap_or_default()
    }

    /// Whether the tour asks before it acts.
    pub(crate) fn asks(&self) -> bool {
        self.look(|session| session.mode) != Some(Mode::Act)
    }

    /// From now on the session's mode is another, as if the user had chosen it.
    pub(crate) fn choose_mode(&mut self, mode: Mode) -> Played {
        self.look(|session| session.mode = mode);
        self.tell_options()
    }

    /// Commands and options again, in the language that the user turned out to write.
    pub(crate) fn told_anew(&mut self) -> Played {
        self.agent.announce(self.session)?;
        self.tell_options()
    }

    /// How much was said so far.
    pub(crate) fn bytes_said(&self) -> usize {
        self.said.len()
    }

    /// Everything that was said.
    pub(crate) fn said(self) -> String {
        self.said
    }

    /// Speaks, in pieces.
    pub(crate) fn say(&mut self, text: &str) -> Played {
        self.speak(ANSWER, text)
    }

    /// Thinks aloud, where the session shows thoughts.
    pub(crate) fn think(&mut self, text: &str) -> Played {
        if self.look(|session| session.thoughts) == Some(true) {
            self.speak("agent_thought_chunk", text)
        } else {
            Ok(())
        }
    }

    /// Shows the plan with so many steps done and the next one begun.
    pub(crate) fn plan(&mut self, done: usize) -> Played {
        let entries: Vec<Value> = self
            .words()
            .plan
            .iter()
            .enumerate()
            .map(|(index, content)| {
                let status = match index.cmp(&done) {
                    std::cmp::Ordering::Less => "completed",
                    std::cmp::Ordering::Equal => "in_progress",
                    std::cmp::Ordering::Greater => "pending",
                };
                json!({"content": content, "priority": if index == 0 { "high" } else { "medium" }, "status": status})
            })
            .collect();
        self.update(&json!({"sessionUpdate": "plan", "entries": entries}))?;
        self.pause(Beat::Line)
    }

    /// Begins a tool call with these fields and gives its id.
    pub(crate) fn call(&mut self, fields: Value) -> Played<String> {
        self.calls += 1;
        let id = format!("call-{}-{}", self.turn, self.calls);
        self.tool("tool_call", &id, fields)?;
        Ok(id)
    }

    /// Changes fields of a tool call.
    pub(crate) fn step(&mut self, call: &str, fields: Value) -> Played {
        self.tool("tool_call_update", call, fields)
    }

    /// Asks the client and waits, for as long as it takes, for its answer: a result, or an error.
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> Played<Result<Value, Value>> {
        params["sessionId"] = json!(self.session);
        let number = self.agent.question(self.session).ok_or(Over::Cancelled)?;
        self.agent.wire.request(number, method, &params)?;
        let answer = self.answer_to(number);
        self.agent.give_up(number);
        answer
    }

    /// A name for something of this turn.
    pub(crate) fn name(&self, kind: &str) -> String {
        format!("{kind}-{}", self.turn)
    }

    /// Sends an update as it is.
    pub(crate) fn update(&mut self, update: &Value) -> Played {
        Ok(self.agent.wire.update(self.session, update)?)
    }

    /// Writes a file of the tour's own; its path, where the tour has a directory.
    pub(crate) fn write(&mut self, name: &str, text: &str) -> Played<Option<String>> {
        let file = self.agent.store.write(name, text).map_err(|error| Over::Failed(format!("{name}: {error}")))?;
        Ok(file.map(|file| file.display().to_string()))
    }

    /// Where a file of the tour's own is; a path that leads nowhere where the tour has no directory.
    pub(crate) fn path(&self, name: &str) -> String {
        self.agent.store.path(name).map_or_else(|| format!("/tour/{name}"), |file| file.display().to_string())
    }

    /// Waits as long as the pace wants; a cancel ends it at once.
    pub(crate) fn pause(&mut self, beat: Beat) -> Played {
        match self.signals.recv_timeout(self.pace().pause(beat)) {
            Ok(Signal::Cancel) => Err(Over::Cancelled),
            Ok(Signal::Answer(..)) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Ok(()),
        }
    }

    fn answer_to(&mut self, number: u64) -> Played<Result<Value, Value>> {
        loop {
            match self.signals.recv() {
                Ok(Signal::Answer(answered, outcome)) if answered == number => return Ok(outcome),
                // An answer to a question that was given up.
                Ok(Signal::Answer(..)) => {}
                // Without a sender the turn is no turn any more.
                Ok(Signal::Cancel) | Err(RecvError) => return Err(Over::Cancelled),
            }
        }
    }

    fn speak(&mut self, kind: &str, text: &str) -> Played {
        for piece in self.pace().pieces(text) {
            self.update(&chunk(kind, piece))?;
            if kind == ANSWER {
                self.said.push_str(piece);
            }
            self.pause(Beat::Piece)?;
        }
        Ok(())
    }

    fn tool(&mut self, kind: &str, call: &str, mut fields: Value) -> Played {
        fields["sessionUpdate"] = json!(kind);
        fields["toolCallId"] = json!(call);
        self.update(&fields)
    }

    fn tell_options(&mut self) -> Played {
        let Some(session) = self.look(|session| session.clone()) else { return Ok(()) };
        let mut update = self.agent.settings(&session);
        update["sessionUpdate"] = json!("config_option_update");
        self.update(&update)
    }

    fn pace(&self) -> Pace {
        self.look(|session| session.pace).unwrap_or(Pace::Instant)
    }

    fn look<T>(&self, look: impl FnOnce(&mut Session) -> T) -> Option<T> {
        self.agent.session(self.session, look)
    }
}
