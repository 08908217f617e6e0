//! Views of what real agents sent, and of what none should.

use serde_json::json;

use super::*;

fn raw(value: Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(&value).unwrap()
}

fn update(update: Value) -> UpdateView {
    let params = view_update(&raw(json!({"sessionId": "s1", "update": update})));
    assert_eq!(params.session_id.as_deref(), Some("s1"));
    params.update
}

/// Everything an agent of the golden files sent, as we see it.
fn views_of(frames: &str) -> String {
    let mut seen = String::new();
    for line in frames.lines() {
        #[derive(serde::Deserialize)]
        struct Golden {
            #[serde(default)]
            method: String,
            params: Option<Box<RawValue>>,
            result: Option<Box<RawValue>>,
        }
        let Golden { method, params, result } = serde_json::from_str(line).unwrap();
        let view = match (method.as_str(), params, result) {
            ("session/update", Some(params), _) => format!("{:?}", view_update(&params)),
            ("session/request_permission", Some(params), _) => format!("{:?}", view_permission(&params)),
            ("elicitation/create", Some(params), _) => format!("{:?}", view_elicitation(&params)),
            ("$/cancel_request", Some(params), _) => format!("{:?}", view_cancel_request(&params)),
            (_, _, Some(result)) if result.get().contains("protocolVersion") => {
                format!("{:?}", view_initialize(&result))
            }
            (_, _, Some(result)) if result.get().contains("stopReason") => format!("{:?}", view_prompt_result(&result)),
            (_, _, Some(result)) => format!("{:?}", view_session(&result)),
            other => panic!("{other:?}"),
        };
        seen.push_str(&view);
        seen.push('\n');
    }
    seen
}

macro_rules! golden {
    ($($agent:ident),*) => {
        $(#[test]
        fn $agent() {
            let frames = include_str!(concat!("../../tests/golden/", stringify!($agent), ".ndjson"));
            insta::assert_snapshot!(views_of(frames));
        })*
    };
}

golden!(claude, codex, gemini, opencode, copilot, qwen, pi);

#[test]
fn versions_are_read_leniently() {
    let version = |written: Value| view_initialize(&raw(json!({"protocolVersion": written}))).protocol_version;
    assert!(version(json!(1)).is_ours());
    assert!(version(json!("1")).is_ours());
    assert_eq!(version(json!(2)), VersionView::Number(2));
    for (written, shown) in [(json!("2025-01-01"), "2025-01-01"), (json!(1.5), "1.5"), (json!(null), "none")] {
        assert_eq!(version(written).to_string(), shown);
    }
}

#[test]
fn what_an_agent_does_not_name_it_does_not_support() {
    let view = view_initialize(&raw(json!({"protocolVersion": 1})));
    assert!(!(view.load_session || view.resume || view.list || view.close || view.image || view.prompt_queueing));
    assert_eq!(view.auth_methods, []);
    let none = json!({"agentCapabilities": {"sessionCapabilities": {"resume": null, "list": {}}}});
    let view = view_initialize(&raw(none));
    assert!(!view.resume && view.list);
    let odd = json!({"authMethods": [{"name": "no id"}, {"id": "x", "type": "env_var"}, 7], "agentInfo": "x"});
    let view = view_initialize(&raw(odd));
    assert_eq!(view.auth_methods.len(), 1);
    assert_eq!((view.auth_methods[0].name.as_str(), view.auth_methods[0].kind.as_str()), ("x", "env_var"));
    view_initialize(&raw(json!([])));
}

#[test]
fn sparse_session_answers_are_fine() {
    for answer in [json!(null), json!({}), json!({"configOptions": null, "modes": null}), json!("?"), json!([1])] {
        let view = view_session(&raw(answer));
        assert_eq!((view.session_id, view.config_options, view.modes, view.models), (None, None, None, None));
    }
    assert_eq!(view_session(&raw(json!({"sessionId": 7}))).session_id.as_deref(), Some("7"));
    assert_eq!(view_config_options(&raw(json!({"configOptions": [{"id": "a"}]}))), Some(json!([{"id": "a"}])));
}

#[test]
fn unknown_updates_are_kept_whole() {
    let strange = json!({"sessionUpdate": "holo_deck", "x": [1, {"y": null}]});
    assert_eq!(update(strange.clone()), UpdateView::Other("holo_deck".into(), strange));
    let chunk_without_content = json!({"sessionUpdate": "agent_message_chunk", "text": "x"});
    let kind = "agent_message_chunk".to_owned();
    assert_eq!(update(chunk_without_content.clone()), UpdateView::Other(kind, chunk_without_content));
    for broken in [json!(null), json!(7), json!("x"), json!([]), json!({"sessionUpdate": 3})] {
        assert_eq!(update(broken.clone()), UpdateView::Other(String::new(), broken));
    }
    let params = view_update(&raw(json!({"sessionId": 5})));
    assert_eq!(params.session_id.as_deref(), Some("5"));
    assert!(matches!(params.update, UpdateView::Other(..)));
    assert!(matches!(view_update(&raw(json!([1]))).update, UpdateView::Other(..)));
}

#[test]
fn unknown_content_is_kept_whole() {
    let strange = json!({"type": "hologram", "data": 1});
    let UpdateView::AgentChunk(chunk) = update(json!({"sessionUpdate": "agent_message_chunk", "content": strange}))
    else {
        panic!("no chunk");
    };
    assert_eq!(chunk.content.kind, ContentKind::Other("hologram".into()));
    assert_eq!(chunk.content.raw, strange);
    let image_without_data = json!({"type": "image"});
    assert_eq!(ContentView::of(image_without_data).kind, ContentKind::Other("image".into()));
    assert_eq!(ContentView::of(json!("bare")).as_text(), Some("bare"));
}

#[test]
fn text_is_never_trimmed() {
    for text in ["", " ", "\n\n", " a ", "\u{feff}x"] {
        let content = ContentView::of(json!({"type": "text", "text": text}));
        assert_eq!(content.as_text(), Some(text));
    }
    let hidden = json!({"type": "text", "text": "t", "annotations": {"audience": ["assistant"]}});
    assert!(ContentView::of(hidden).for_model_only);
    let shown = json!({"type": "text", "text": "t", "annotations": {"audience": ["assistant", "user"]}});
    assert!(!ContentView::of(shown).for_model_only);
}

#[test]
fn absent_null_and_empty_differ() {
    let UpdateView::ToolCallUpdate(tool) = update(json!({
        "sessionUpdate": "tool_call_update", "toolCallId": "t1", "title": null, "content": [], "status": "beamed",
        "kind": 7.5, "locations": {"odd": true}, "future": 1,
    })) else {
        panic!("no tool call");
    };
    assert_eq!(tool.id.as_deref(), Some("t1"));
    assert_eq!((tool.title, tool.name), (Patch::Null, Patch::Absent));
    assert_eq!(tool.content, Patch::Set(json!([])));
    assert_eq!(tool.status, Patch::Set("beamed".into()));
    assert_eq!(tool.kind, Patch::Set("7.5".into()));
    assert_eq!(tool.locations, Patch::Set(json!({"odd": true})));
    assert_eq!((tool.raw_input, tool.rest), (Patch::Absent, Some(json!({"future": 1}))));

    let UpdateView::SessionInfo(info) = update(json!({"sessionUpdate": "session_info_update", "title": null})) else {
        panic!("no session info");
    };
    assert_eq!((info.title, info.updated_at), (Patch::Null, Patch::Absent));
    let patches = [(Patch::Absent, Some(1)), (Patch::Null, None), (Patch::Set(2), Some(2))];
    for (patch, becomes) in patches {
        assert_eq!(patch.apply(Some(1)), becomes);
    }
}

#[test]
fn usage_and_plans_survive_odd_values() {
    let odd = json!({"sessionUpdate": "usage_update", "used": null, "size": 1.5});
    assert_eq!(update(odd.clone()), UpdateView::Usage(odd));
    let plan = json!({"sessionUpdate": "plan", "entries": "later"});
    assert_eq!(update(plan.clone()), UpdateView::Other("plan".into(), plan));
}

#[test]
fn permissions_are_never_hidden() {
    let view = view_permission(&raw(json!({
        "sessionId": "s1",
        "options": [
            {"optionId": "a", "name": "Allow", "kind": "allow_for_this_moon"},
            {"optionId": 2},
            {"name": "no id"},
            {"optionId": "a", "name": "Allow", "kind": "allow_once"},
        ],
    })));
    assert_eq!(view.tool, ToolFields::default());
    let options: Vec<_> = view.options.iter().map(|option| (&*option.id, &*option.name, &*option.kind)).collect();
    assert_eq!(options, [("a", "Allow", "allow_for_this_moon"), ("2", "2", ""), ("a", "Allow", "allow_once")]);
    let empty = view_permission(&raw(json!(null)));
    assert_eq!((empty.session_id, empty.options), (None, Vec::new()));
}

#[test]
fn a_withdrawn_request_is_known_by_its_token() {
    let withdrawn = |json: &str| view_cancel_request(&RawValue::from_string(json.to_owned()).unwrap());
    assert_eq!(withdrawn(r#"{"requestId":9007199254740993}"#).unwrap().as_json(), "9007199254740993");
    assert_eq!(withdrawn(r#"{"requestId":"5","_meta":{}}"#).unwrap().as_json(), "\"5\"");
    assert_eq!(withdrawn(r#"{"requestId":{}}"#), None);
    assert_eq!(withdrawn("null"), None);
}

#[test]
fn elicitations_of_both_kinds() {
    let form = view_elicitation(&raw(json!({"message": "m", "requestedSchema": {"type": "object"}, "requestId": 3})));
    assert_eq!((form.mode.as_str(), form.session_id), ("form", None));
    let url = view_elicitation(&raw(json!({"mode": "url", "url": "https://x/", "elicitationId": "e1"})));
    assert_eq!((url.mode.as_str(), url.url.as_deref(), url.message.as_str()), ("url", Some("https://x/"), ""));
    assert_eq!(view_elicitation_complete(&raw(json!({"elicitationId": "e1"}))).as_deref(), Some("e1"));
}
