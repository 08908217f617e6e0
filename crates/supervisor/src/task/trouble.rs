//! What an agent tells of its failures beside the protocol, so that a failure in the form of an answer is one (lifecycle rule 9).

use drover_acp::views::{FailureView, Patch, PromptResult, SessionInfo, view_failure, view_thread_status};
use drover_domain::message::Notice;
use drover_domain::place::Kind;
use drover_domain::transcript::{Content, Transcript};
use drover_domain::{AgentId, Part};
use drover_store::Fact;
use serde_json::json;

use super::TaskActor;
use crate::catalogue::Entry;

/// What an agent of the catalogue is known for.
#[derive(Debug, Clone, Default)]
pub(super) struct Quirks {
    notices: Vec<String>,
    silent_failures: bool,
}

impl Quirks {
    pub(super) fn of(entry: &Entry) -> Self {
        Self { notices: entry.notices.clone(), silent_failures: entry.silent_failures }
    }

    /// Whether a whole chunk of the answer is none of the model's words.
    pub(super) fn is_notice(&self, text: &str) -> bool {
        self.notices.iter().any(|pattern| matches(pattern, text))
    }
}

/// What went wrong in a turn so far.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    /// The last failure, until the agent speaks again.
    failure: Option<FailureView>,
    /// Codex says that its thread is broken.
    system_error: bool,
}

impl Trouble {
    /// The model answers: whatever failed before is over.
    pub(super) fn spoke(&mut self) {
        self.failure = None;
    }

    /// The failure that an answer, which looks like any other, stands for.
    pub(super) fn behind(
        &mut self,
        result: &PromptResult,
        said: &Transcript,
        quirks: &Quirks,
        name: &str,
    ) -> Option<Content> {
        let told = result.meta.as_ref().and_then(view_failure).filter(FailureView::is_final);
        if let Some(failure) = told.or_else(|| self.failure.take()) {
            return Some(error_of(failure));
        }
        if self.system_error {
            let message = format!("{name} says that it failed. What it said last may tell why.");
            return Some(Content::Error { code: "system_error".into(), message, detail: None });
        }
        let ended_well = result.stop_reason.as_deref().is_none_or(|reason| reason == "end_turn");
        if quirks.silent_failures && ended_well && said_nothing(said) {
            let message = format!(
                "{name} ended the turn without a word. It does so when its model cannot be reached or refuses the key: check its login and its settings."
            );
            return Some(Content::Error { code: "empty_answer".into(), message, detail: None });
        }
        None
    }
}

impl TaskActor {
    /// A title, or news of a failure.
    pub(super) async fn session_info(&mut self, agent: AgentId, info: SessionInfo) {
        if let Patch::Set(title) = info.title {
            self.record(None, vec![Fact::Titled { title }]).await;
        }
        let Some(meta) = info.meta else { return };
        if let Some(status) = view_thread_status(&meta)
            && let Some(turn) = self.turn_of(&agent)
        {
            turn.trouble.system_error = status == "systemError";
        }
        if let Some(failure) = view_failure(&meta) {
            let notice = notice_of(&failure);
            if failure.is_final()
                && let Some(turn) = self.turn_of(&agent)
            {
                turn.trouble.failure = Some(failure);
                return;
            }
            self.place(agent, Kind::Content, Content::Notice(notice)).await;
        }
    }
}

fn notice_of(failure: &FailureView) -> Notice {
    Notice {
        notice_id: failure.id.clone(),
        severity: failure.severity.clone(),
        title: failure.title.clone(),
        description: failure.details.clone(),
    }
}

fn error_of(failure: FailureView) -> Content {
    let mut detail = json!({ "actions": failure.actions });
    if let Some(details) = failure.details {
        detail["details"] = details.into();
    }
    Content::Error { code: failure.category, message: failure.title, detail: Some(detail) }
}

pub(super) fn said_nothing(said: &Transcript) -> bool {
    said.parts().iter().all(|part| matches!(part, Part::Notice(_)))
}

/// Whether the whole text is the pattern, in which each `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        if let Some(before) = last.replace(piece) {
            let Some(at) = rest.find(before) else { return false };
            rest = &rest[at + before.len()..];
        }
    }
    last.map_or(rest.is_empty(), |last| rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_the_whole_text_but_for_its_stars() {
        for (pattern, text, fits) in [
            ("pi v*\n---\n", "pi v1.6.0\n---\n", true),
            ("pi v*\n---\n", "pi v1.6.0\n---\nand more", false),
            ("Retrying (attempt *, waiting *)...", "Retrying (attempt 1/3, waiting 2s)...", true),
            ("Retrying (attempt *, waiting *)...", "Retrying (attempt 1/3)...", false),
            ("Queued message (position *).", "He said: Queued message (position 1).", false),
            ("Info*Retrying*", "Info: failed. Retrying...", true),
            ("plain", "plain", true),
            ("plain", "plainer", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern:?} {text:?}");
        }
    }

    fn ended(meta: serde_json::Value) -> PromptResult {
        PromptResult { stop_reason: Some("end_turn".into()), usage: None, meta: Some(meta) }
    }

    #[test]
    fn a_failure_that_the_model_spoke_after_is_over() {
        let failure = |severity: &str| {
            let meta = json!({ "jetbrains": { "air": { "sessionFailure": {
                "severity": severity, "category": "service", "title": "Overloaded", "actions": ["retry"] } } } });
            meta
        };
        let said = Transcript::new();
        let quirks = Quirks::default();
        let mut trouble = Trouble { failure: view_failure(&failure("error")), system_error: false };
        assert!(trouble.behind(&ended(json!({})), &said, &quirks, "X").is_some());
        trouble.failure = view_failure(&failure("error"));
        trouble.spoke();
        assert_eq!(trouble.behind(&ended(json!({})), &said, &quirks, "X"), None);
        assert_eq!(trouble.behind(&ended(failure("warning")), &said, &quirks, "X"), None);
        let Some(Content::Error { code, message, detail }) =
            trouble.behind(&ended(failure("error")), &said, &quirks, "X")
        else {
            panic!("a failure with the answer is one");
        };
        assert_eq!((code.as_str(), message.as_str()), ("service", "Overloaded"));
        assert_eq!(detail, Some(json!({ "actions": ["retry"] })));
    }
}
