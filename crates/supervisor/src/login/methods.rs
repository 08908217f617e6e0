//! The ways to log in that an agent offers, in each of the forms that agents use.

use drover_acp::views::{AuthMethodView, InitializeView};
use drover_domain::agent::{AuthKind, AuthMethod};
use serde_json::Value;

use crate::catalogue::Entry;

/// What the terminal of a login runs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Run {
    /// The program; the agent's own where the agent names none.
    pub(super) command: Option<String>,
    /// Its arguments; of the agent's own program, what comes after its own.
    pub(super) args: Vec<String>,
    /// Variables that are added.
    pub(super) env: Vec<(String, String)>,
}

/// What an agent offers, without what does not work over the protocol.
pub(crate) fn offered(view: &InitializeView, entry: &Entry) -> Vec<AuthMethod> {
    let works = |method: &&AuthMethodView| !entry.hidden_methods.contains(&method.id);
    view.auth_methods.iter().filter(works).map(method).collect()
}

/// Whether an agent can be logged out.
pub(crate) fn can_log_out(view: &InitializeView) -> bool {
    let marker = view.raw.pointer("/agentCapabilities/auth/logout");
    marker.is_some_and(|marker| !matches!(marker, Value::Null | Value::Bool(false)))
}

fn method(view: &AuthMethodView) -> AuthMethod {
    let kind = match view.kind.as_str() {
        "env_var" => AuthKind::EnvVar,
        _ if run_of(view).is_some() => AuthKind::Terminal,
        "agent" => AuthKind::Agent,
        _ => AuthKind::Unsupported,
    };
    AuthMethod {
        id: view.id.clone(),
        name: view.name.clone(),
        description: view.description.clone(),
        kind,
        vars: vars(&view.raw),
    }
}

/// What to run for a method that takes a terminal: `type: "terminal"`, the same inside `_meta`, or the older
/// `_meta["terminal-auth"]`, which names a whole command.
pub(super) fn run_of(view: &AuthMethodView) -> Option<Run> {
    let (raw, meta) = (&view.raw, &view.raw["_meta"]);
    for own in [raw, meta] {
        if own["type"] == "terminal" {
            return Some(Run { command: None, args: texts(&own["args"]), env: pairs(&own["env"]) });
        }
    }
    let older = &meta["terminal-auth"];
    let command = older["command"].as_str()?.to_owned();
    Some(Run { command: Some(command), args: texts(&older["args"]), env: pairs(&older["env"]) })
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

/// A map of texts, or a list of `{name, value}`.
fn pairs(env: &Value) -> Vec<(String, String)> {
    let of_map = env.as_object().into_iter().flatten().map(|(name, value)| (Some(name.as_str()), value.as_str()));
    let of_list = env.as_array().into_iter().flatten().map(|pair| (pair["name"].as_str(), pair["value"].as_str()));
    of_map.chain(of_list).filter_map(|(name, value)| Some((name?.to_owned(), value?.to_owned()))).collect()
}

/// `vars: [{name}]`, the newer form, or `varName`.
fn vars(raw: &Value) -> Vec<String> {
    let listed = raw["vars"].as_array().into_iter().flatten();
    let names = listed.filter_map(|var| var.as_str().or_else(|| var["name"].as_str()));
    names.chain(raw["varName"].as_str()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn view(raw: Value) -> AuthMethodView {
        let answer = json!({ "protocolVersion": 1, "authMethods": [raw] });
        let raw = serde_json::value::to_raw_value(&answer).unwrap();
        drover_acp::views::view_initialize(&raw).auth_methods.remove(0)
    }

    #[test]
    fn each_form_is_told_by_what_it_takes() {
        for (raw, kind) in [
            (json!({ "id": "api-key", "name": "API Key" }), AuthKind::Agent),
            (json!({ "id": "c", "type": "terminal", "args": ["--cli"] }), AuthKind::Terminal),
            (json!({ "id": "q", "_meta": { "type": "terminal", "args": ["--auth-type=openai"] } }), AuthKind::Terminal),
            (
                json!({ "id": "g", "_meta": { "terminal-auth": { "command": "/bin/copilot", "args": ["login"] } } }),
                AuthKind::Terminal,
            ),
            (json!({ "id": "e", "type": "env_var", "vars": [{ "name": "X_KEY" }] }), AuthKind::EnvVar),
            (json!({ "id": "n", "type": "telepathy" }), AuthKind::Unsupported),
        ] {
            assert_eq!(method(&view(raw.clone())).kind, kind, "{raw}");
        }
        assert_eq!(method(&view(json!({ "id": "e", "type": "env_var", "varName": "X" }))).vars, ["X"]);
    }

    #[test]
    fn arguments_and_variables_are_taken_as_they_are() {
        let run =
            run_of(&view(json!({ "id": "c", "type": "terminal", "args": ["a b", "$(id)"], "env": { "A": "1" } })));
        let want = Run { command: None, args: vec!["a b".into(), "$(id)".into()], env: vec![("A".into(), "1".into())] };
        assert_eq!(run, Some(want));
        let older = json!({ "id": "g", "_meta": { "terminal-auth": { "command": "x", "env": [{ "name": "B", "value": "2" }] } } });
        assert_eq!(run_of(&view(older)).unwrap().env, [("B".to_owned(), "2".to_owned())]);
    }
}
