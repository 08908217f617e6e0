//! One prompt: its directives, carried out in order on a thread of their own.

use std::{io, sync::Arc, thread};

use serde_json::{Value, json};

use super::{
    event::Event,
    serve::{Agent, error},
    verbs,
    wire::chunk,
};

/// What a directive can touch.
pub(super) struct Turn {
    pub(super) agent: Arc<Agent>,
    pub(super) session: String,
    pub(super) id: Value,
    pub(super) previous: Value,
    pub(super) blocks: Vec<Value>,
    pub(super) stop: Arc<Event>,
    /// The stop reason to end with.
    pub(super) reason: String,
    /// What answers the prompt when it was cancelled, in place of the stop reason `cancelled`.
    pub(super) on_cancel: Option<Value>,
    /// The directives go on though the prompt was cancelled.
    pub(super) heedless: bool,
    /// Nothing answers the prompt any more.
    pub(super) answered: bool,
}

/// Where a turn goes after a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Break,
}

/// One `!verb args` line.
pub(super) struct Directive<'a> {
    pub(super) verb: &'a str,
    /// The words after the verb.
    pub(super) args: Vec<&'a str>,
    /// All after the verb and one blank, as written.
    pub(super) rest: &'a str,
}

impl<'a> Directive<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let line = line.strip_prefix('!')?;
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(Self { verb: verb.trim(), args: rest.split_whitespace().collect(), rest })
    }

    /// The word at this place as a number.
    pub(super) fn number(&self, index: usize) -> Option<u64> {
        self.args.get(index)?.parse().ok()
    }
}

/// Starts a prompt. Its stop flag exists before this returns, so that a cancel right behind it finds it.
pub(super) fn start(agent: &Arc<Agent>, id: Value, session: &str, params: &Value) {
    let (stop, previous) = agent.begin(session, &id);
    let blocks = params.get("prompt").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut turn = Turn::new(agent, session, id, blocks, stop);
    turn.previous = previous;
    thread::spawn(move || match turn.run() {
        Err(gone) if gone.kind() == io::ErrorKind::BrokenPipe => {}
        Err(failure) => drop(turn.respond(json!({"error": error(-32603, &format!("scripted-agent: {failure}"))}))),
        Ok(()) => {}
    });
}

/// Carries out directives that belong to no prompt.
pub(super) fn run_hook(agent: &Arc<Agent>, session: &str, script: &str) {
    let mut turn = Turn::new(agent, session, Value::Null, Vec::new(), Arc::default());
    if let Err(failure) = turn.follow(script) {
        eprintln!("scripted-agent: {failure}");
    }
}

impl Turn {
    fn new(agent: &Arc<Agent>, session: &str, id: Value, blocks: Vec<Value>, stop: Arc<Event>) -> Self {
        Self {
            agent: Arc::clone(agent),
            session: session.to_owned(),
            id,
            previous: Value::Null,
            blocks,
            stop,
            reason: "end_turn".into(),
            on_cancel: None,
            heedless: false,
            answered: false,
        }
    }

    fn run(&mut self) -> io::Result<()> {
        let script = self.last_text();
        if script.lines().any(|line| line.starts_with('!')) {
            self.follow(&script)?;
        } else {
            self.say(&format!("{} got: {}", self.agent.knobs.name, self.whole_prompt()))?;
        }
        if self.answered {
            return Ok(());
        }
        self.agent.sessions.remember(&self.session, &script)?;
        if self.stop.is_set() {
            self.reason = "cancelled".into();
            if let Some(answer) = self.on_cancel.take() {
                return self.respond(answer);
            }
        }
        self.respond(self.result(&self.reason))
    }

    fn follow(&mut self, script: &str) -> io::Result<()> {
        for directive in script.lines().filter_map(Directive::parse) {
            if (self.stop.is_set() && !self.heedless) || verbs::run(self, &directive)? == Flow::Break {
                break;
            }
        }
        Ok(())
    }

    /// The result of a prompt that ends for this reason.
    pub(super) fn result(&self, reason: &str) -> Value {
        json!({"result": {"stopReason": reason, "usage": {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}}})
    }

    /// Answers the prompt with `{"result": …}` or `{"error": …}`.
    pub(super) fn respond(&mut self, answer: Value) -> io::Result<()> {
        self.answered = true;
        self.agent.end(&self.session, &self.id);
        let mut message = json!({"jsonrpc": "2.0", "id": self.id});
        if let (Value::Object(message), Value::Object(answer)) = (&mut message, answer) {
            message.extend(answer);
        }
        self.agent.wire.send(&message)
    }

    /// Sends a chunk of the answer's text.
    pub(super) fn say(&self, text: &str) -> io::Result<()> {
        self.update(&chunk("agent_message_chunk", text))
    }

    pub(super) fn update(&self, update: &Value) -> io::Result<()> {
        self.agent.wire.update(&self.session, update)
    }

    /// The prompt's last text block: the directives.
    fn last_text(&self) -> String {
        let is_text = |block: &&Value| block.get("type").and_then(Value::as_str) == Some("text");
        let text = self.blocks.iter().rev().find(is_text).and_then(|block| block.get("text")?.as_str());
        text.unwrap_or_default().to_owned()
    }

    /// All text of the prompt, embedded resources included.
    pub(super) fn whole_prompt(&self) -> String {
        let text = |block: &Value| {
            let text = block.get("text").or_else(|| block.pointer("/resource/text"))?;
            text.as_str().map(str::to_owned)
        };
        self.blocks.iter().map(|block| text(block).unwrap_or_default()).collect::<Vec<_>>().join("\n")
    }

    /// Replaces `$SID`, `$ID` and `$PREV`.
    pub(super) fn filled(&self, text: &str) -> String {
        let id = self.id.to_string();
        text.replace("$SID", &self.session).replace("$PREV", &self.previous.to_string()).replace("$ID", &id)
    }
}
