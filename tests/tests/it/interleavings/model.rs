//! What the lifecycle says that a chat is after all that was acknowledged.

use std::collections::{HashMap, HashSet};

use drover_tests::harness::{Sent, message_text};
use serde_json::{Value, json};

/// A message and its answer.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The first line of its text, nowhere else.
    pub(super) mark: String,
    pub(super) sent: Sent,
}

/// What left the chat, and how many prompts each agent had by then.
#[derive(Debug)]
pub(super) struct Gone {
    /// Texts that no later prompt may hold.
    pub(super) marks: Vec<String>,
    /// Texts that no session of a later prompt may have seen.
    pub(super) seen: Vec<String>,
    pub(super) prompts: [usize; 2],
}

/// A change of what was said.
pub(super) struct Cut<'a> {
    pub(super) turn: usize,
    pub(super) retry: bool,
    pub(super) mark: String,
    pub(super) sent: Sent,
    /// The turns that were settled.
    pub(super) kept: &'a [Value],
    pub(super) prompts: [usize; 2],
}

pub(super) struct Model {
    episode: u64,
    marks: u64,
    /// The chat, in its order: settled turns, then queued ones in theirs.
    pub(super) turns: Vec<Turn>,
    pub(super) gone: Vec<Gone>,
    /// Runs of plain sends in the order in which they were acknowledged.
    pub(super) order: Vec<String>,
    /// How often a text may reach an agent as the user's.
    pub(super) allowed: HashMap<String, usize>,
    /// The answers that won, by the agent's number for the question; a retry asks under the same number again.
    pub(super) answers: HashMap<String, Vec<&'static str>>,
}

impl Model {
    pub(super) fn new(episode: u64) -> Self {
        Self {
            episode,
            marks: 0,
            turns: Vec::new(),
            gone: Vec::new(),
            order: Vec::new(),
            allowed: HashMap::new(),
            answers: HashMap::new(),
        }
    }

    /// A text that stands nowhere else and is the beginning of no other.
    pub(super) fn fresh_mark(&mut self) -> String {
        self.marks += 1;
        format!("mark-{}-{};", self.episode, self.marks)
    }

    /// A number for a question that no other has.
    pub(super) fn fresh_ask(&self) -> String {
        (1_000_000 + self.episode * 1000 + self.marks).to_string()
    }

    pub(super) fn len(&self) -> usize {
        self.turns.len()
    }

    pub(super) fn user(&self, turn: usize) -> &str {
        &self.turns[turn].sent.user_message_id
    }

    pub(super) fn assistant(&self, turn: usize) -> &str {
        &self.turns[turn].sent.assistant_message_id
    }

    pub(super) fn sent(&mut self, mark: String, sent: Sent) {
        self.order.push(sent.run_id.clone());
        self.allowed.insert(mark.clone(), 1);
        self.turns.push(Turn { mark, sent });
    }

    pub(super) fn answered(&mut self, tool: &Value, option: &'static str) {
        let number = tool.as_str().and_then(|tool| tool.strip_prefix("ask-")).expect("the agent's number");
        self.answers.entry(number.to_owned()).or_default().push(option);
    }

    /// The places of the turns that have ended.
    pub(super) fn settled(&self, chat: &Value) -> Vec<Value> {
        let ended: HashSet<&str> = chat["messages"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|message| !matches!(message["status"].as_str(), Some("queued" | "streaming")))
            .filter_map(|message| message["id"].as_str())
            .collect();
        let is_ended = |(_, turn): &(usize, &Turn)| ended.contains(turn.sent.assistant_message_id.as_str());
        self.turns.iter().enumerate().filter(is_ended).map(|(place, _)| json!(place)).collect()
    }

    /// Rules 18, 19 and 21: what follows goes, what is queued stays behind the new turn.
    pub(super) fn cut(&mut self, cut: Cut<'_>) {
        let settled = |place: usize| cut.kept.contains(&json!(place));
        let mut turns: Vec<Turn> = self.turns[..cut.turn].to_vec();
        let mut gone: Vec<String> = (cut.turn + 1..self.turns.len())
            .filter(|place| settled(*place))
            .map(|place| self.turns[place].mark.clone())
            .collect();
        let old = &self.turns[cut.turn];
        let mut seen = gone.clone();
        seen.push(old.mark.clone());
        if cut.retry {
            assert_eq!(old.sent.user_message_id, cut.sent.user_message_id, "a retry keeps the user's message");
            *self.allowed.entry(old.mark.clone()).or_default() += 1;
            turns.push(Turn { mark: old.mark.clone(), sent: cut.sent });
        } else {
            gone.push(old.mark.clone());
            self.allowed.insert(cut.mark.clone(), 1);
            turns.push(Turn { mark: cut.mark, sent: cut.sent });
        }
        turns.extend(
            (cut.turn + 1..self.turns.len()).filter(|place| !settled(*place)).map(|place| self.turns[place].clone()),
        );
        self.turns = turns;
        self.gone.push(Gone { marks: gone, seen, prompts: cut.prompts });
    }

    /// Whether the text that a run answers has this directive.
    pub(super) fn says(&self, chat: &Value, run: &Value, directive: &str) -> bool {
        let Some(turn) = self.turns.iter().find(|turn| json!(turn.sent.run_id) == *run) else { return false };
        let messages = chat["messages"].as_array().into_iter().flatten();
        let mut users = messages.filter(|message| message["id"] == json!(turn.sent.user_message_id));
        users.any(|message| message_text(message).contains(directive))
    }
}
