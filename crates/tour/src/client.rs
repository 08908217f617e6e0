//! What the client says it can do, as far as the tour would do it.

use serde_json::Value;

/// Capabilities of the client, from `initialize`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Client {
    /// It shows forms (`elicitation.form`).
    pub(crate) forms: bool,
    /// It knows options that are on or off (`session.configOptions.boolean`).
    pub(crate) booleans: bool,
    /// It reads a command's output from `_meta.terminal_output_delta`, as the adapters of Claude Code and Codex send it.
    pub(crate) terminal_output: bool,
    /// It shows notices beside an answer (`session.notices`).
    pub(crate) notices: bool,
    /// It shows when an agent shortens what it remembers (`session.compaction`).
    pub(crate) compaction: bool,
}

impl Client {
    /// Reads the parameters of `initialize`. What is not there is not supported.
    pub(crate) fn read(params: &Value) -> Self {
        let at = |pointer: &str| params.pointer(&format!("/clientCapabilities/{pointer}"));
        let marked = |pointer: &str| at(pointer).is_some_and(|marker| marker.is_object() || *marker == true);
        Self {
            forms: marked("elicitation/form"),
            booleans: marked("session/configOptions/boolean"),
            terminal_output: marked("_meta/terminal_output"),
            notices: marked("session/notices"),
            compaction: marked("session/compaction"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_declared_is_supported() {
        assert_eq!(Client::read(&json!({})), Client::default());
        assert_eq!(Client::read(&json!({"clientCapabilities": {"elicitation": {"form": null}}})), Client::default());
        let declared = json!({"clientCapabilities": {
            "elicitation": {"form": {}},
            "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}},
            "_meta": {"terminal_output": true},
        }});
        let all = Client { forms: true, booleans: true, terminal_output: true, notices: true, compaction: true };
        assert_eq!(Client::read(&declared), all);
    }
}
