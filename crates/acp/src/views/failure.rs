//! Failures that agents tell beside the protocol: the `sessionFailure` of an extension that both main adapters speak
//! (`_meta.jetbrains.air`), and Codex's `_meta.codex.threadStatus`.

use serde_json::Value;

use super::{list, text};

/// A failure, or a retry on the way to one, told by a `session_info_update` or with a prompt's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureView {
    /// A later one of the same id takes its place.
    pub id: Option<String>,
    /// `error`, or `warning` for a retry; the agent may have other words.
    pub severity: String,
    /// `access`, `limit`, `request`, `service`, `connection`, `unknown`, or anything.
    pub category: String,
    /// One line for people.
    pub title: String,
    /// More.
    pub details: Option<String>,
    /// What the agent thinks may help: `retry`, `new_session`, `login`, or anything.
    pub actions: Vec<String>,
}

impl FailureView {
    /// Whether the turn, or the session, cannot go on.
    pub fn is_final(&self) -> bool {
        self.severity == "error"
    }
}

/// The failure in the `_meta` of a `session_info_update` or of a prompt's answer. One without a title is none.
pub fn view_failure(meta: &Value) -> Option<FailureView> {
    let failure = meta.pointer("/jetbrains/air/sessionFailure")?;
    Some(FailureView {
        id: text(failure, "id"),
        severity: text(failure, "severity").unwrap_or_else(|| "error".to_owned()),
        category: text(failure, "category").unwrap_or_else(|| "unknown".to_owned()),
        title: text(failure, "title").filter(|title| !title.trim().is_empty())?,
        details: text(failure, "details"),
        actions: list(failure, "actions").filter_map(|action| Some(action.as_str()?.to_owned())).collect(),
    })
}

/// How Codex says that its thread is: `active`, `idle`, `systemError` or anything.
pub fn view_thread_status(meta: &Value) -> Option<&str> {
    meta.pointer("/codex/threadStatus/type")?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn air(failure: Value) -> Value {
        json!({ "jetbrains": { "air": { "version": 1, "sessionFailure": failure } } })
    }

    #[test]
    fn a_failure_is_read_as_the_adapters_write_it() {
        let meta = air(json!({
            "id": "t1:error", "revision": 2, "category": "service", "severity": "error",
            "title": "Claude is temporarily overloaded.", "details": "529", "actions": ["retry", 7, "new_session"],
        }));
        let failure = view_failure(&meta).unwrap();
        assert!(failure.is_final());
        assert_eq!((failure.category.as_str(), failure.details.as_deref()), ("service", Some("529")));
        assert_eq!(failure.actions, ["retry", "new_session"]);
    }

    #[test]
    fn a_retry_is_no_failure_yet_and_one_that_says_nothing_is_none() {
        let warning = view_failure(&air(json!({ "severity": "warning", "title": "Reconnecting... 1/1" }))).unwrap();
        assert!(!warning.is_final());
        assert_eq!(view_failure(&air(json!({ "severity": "error", "title": " " }))), None);
        assert_eq!(view_failure(&json!({ "jetbrains": null })), None);
        assert_eq!(
            view_thread_status(&json!({ "codex": { "threadStatus": { "type": "systemError" } } })),
            Some("systemError")
        );
    }
}
