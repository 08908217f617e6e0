use proptest::prelude::*;

use super::*;

fn select(id: &str, category: Option<&str>, current: &str, values: &[&str]) -> Value {
    let choices: Vec<Value> = values.iter().map(|value| json!({ "value": value, "name": value })).collect();
    let mut option = json!({ "id": id, "name": id, "type": "select", "currentValue": current, "options": choices });
    if let Some(category) = category {
        option["category"] = category.into();
    }
    option
}

fn remembered(option_id: &str, value: impl Into<Value>, category: Option<&str>) -> Remembered {
    Remembered { option_id: option_id.to_owned(), value: value.into(), category: category.map(str::to_owned) }
}

/// Plays a replay against an agent that takes everything; the sets that were made.
fn play(mut replay: Replay, options: &mut Value) -> (Vec<(String, Value)>, Vec<SkippedOption>) {
    let mut sets = Vec::new();
    while let Next::Set(id, value) = replay.next(options) {
        *options = with_current(options, &id, &value);
        sets.push((id, value));
    }
    (sets, replay.skipped().to_vec())
}

#[test]
fn options_come_as_the_agent_sent_them() {
    let sent = json!([
        { "id": "x-verbosity", "category": "x-new", "type": "slider", "currentValue": 3, "_meta": { "a": 1 } },
        select("vendor:lab/Model-9.1 (β)", None, "gone", &["here"]),
    ]);
    let modes = json!({ "currentModeId": "ask", "availableModes": [{ "id": "ask", "name": "Ask" }] });
    assert_eq!(advertised(Some(&sent), Some(&modes), None), sent);
    assert_eq!(advertised(Some(&json!([])), Some(&modes), None), json!([]));
    assert_eq!(advertised(None, None, None), json!([]));
    assert_eq!(advertised(Some(&Value::Null), Some(&json!({ "availableModes": 5 })), Some(&json!("x"))), json!([]));
}

fn older() -> Value {
    let modes = json!({
        "currentModeId": "default",
        "availableModes": [{ "id": "default", "name": "Default", "description": "Asks" }, { "id": "yolo" }, { "name": "?" }],
    });
    let models = json!({ "currentModelId": "pro", "availableModels": [{ "modelId": "pro", "name": "Pro" }] });
    advertised(None, Some(&modes), Some(&models))
}

#[test]
fn the_older_modes_and_models_look_like_options() {
    let expected = json!([
        { "id": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "default",
          "options": [{ "value": "default", "name": "Default", "description": "Asks" }, { "value": "yolo", "name": "yolo" }],
          "_meta": { "drover": { "legacy": "mode" } } },
        { "id": "model", "name": "Model", "category": "model", "type": "select", "currentValue": "pro",
          "options": [{ "value": "pro", "name": "Pro" }], "_meta": { "drover": { "legacy": "model" } } },
    ]);
    assert_eq!(older(), expected);
}

#[test]
fn the_older_options_are_set_by_the_older_calls() {
    assert_eq!(set_call(&older(), "mode", &json!("yolo")), Ok(SetCall::Mode("yolo".to_owned())));
    assert_eq!(set_call(&older(), "model", &json!("pro")), Ok(SetCall::Model("pro".to_owned())));
    assert_eq!(set_call(&older(), "mode", &json!("other")), Err(SetError::NotOffered));
}

#[test]
fn a_value_goes_out_with_the_type_and_the_bytes_it_was_offered_with() {
    let options = json!([
        select("model", None, "custom", &["vendor:lab/Model-9.1 (β)"]),
        { "id": "grouped", "type": "select", "currentValue": "a",
          "options": [{ "group": "g1", "name": "G1", "options": [{ "value": "a", "name": "A" }, { "value": "b", "name": "B" }] }] },
        { "id": "number", "type": "select", "currentValue": 1, "options": [{ "value": 1 }, { "value": 2 }] },
        { "id": "fast", "type": "boolean", "currentValue": true },
        { "id": "level", "type": "slider", "currentValue": 3 },
        { "id": "untyped", "currentValue": "a", "options": [{ "value": "a" }, { "value": "b" }] },
    ]);
    let set = |id: &str, value: Value| set_call(&options, id, &value);
    let config = |id: &str, value: Value, boolean: bool| Ok(SetCall::Config { id: id.to_owned(), value, boolean });
    assert_eq!(
        set("model", json!("vendor:lab/Model-9.1 (β)")),
        config("model", json!("vendor:lab/Model-9.1 (β)"), false)
    );
    assert_eq!(set("model", json!("custom")), config("model", json!("custom"), false));
    assert_eq!(set("model", json!("other")), Err(SetError::NotOffered));
    assert_eq!(set("grouped", json!("b")), config("grouped", json!("b"), false));
    assert_eq!(set("grouped", json!("g1")), Err(SetError::NotOffered));
    assert_eq!(set("number", json!(2)), config("number", json!(2), false));
    assert_eq!(set("number", json!("2")), Err(SetError::NotOffered));
    assert_eq!(set("fast", json!(false)), config("fast", json!(false), true));
    assert_eq!(set("fast", json!("false")), Err(SetError::NotOffered));
    assert_eq!(set("level", json!(3)), Err(SetError::ReadOnlyType));
    assert_eq!(set("untyped", json!("b")), config("untyped", json!("b"), false));
    assert_eq!(set("none", json!("b")), Err(SetError::NoSuchOption));
    assert_eq!(set_call(&Value::Null, "none", &json!("b")), Err(SetError::NoSuchOption));
}

#[test]
fn a_new_value_changes_nothing_else() {
    let options = json!([select("a", None, "x", &["x", "y"]), select("b", None, "x", &["x", "y"]), 5]);
    let changed = with_current(&options, "b", &json!("y"));
    assert_eq!(changed, json!([select("a", None, "x", &["x", "y"]), select("b", None, "y", &["x", "y"]), 5]));
    assert_eq!(current(&changed, "b"), Some(&json!("y")));
    assert_eq!(current(&changed, "c"), None);
}

#[test]
fn the_mode_follows_where_an_option_knows_it() {
    let mode = with_mode(&older(), "plan");
    assert_eq!(current(&mode, "mode"), Some(&json!("plan")));
    assert_eq!(current(&mode, "model"), Some(&json!("pro")));
    let options = json!([
        select("mode", Some("mode"), "auto", &["auto", "plan"]),
        select("collaboration", Some("mode"), "pair", &["pair", "solo"]),
        select("other", None, "auto", &["auto", "plan"]),
    ]);
    let values = |options: &Value| ["mode", "collaboration", "other"].map(|id| current(options, id).cloned().unwrap());
    assert_eq!(values(&with_mode(&options, "plan")), ["plan", "pair", "auto"]);
    assert_eq!(with_mode(&options, "unknown"), options);
    assert_eq!(category(&options, "mode"), Some("mode"));
}

#[test]
fn what_was_remembered_is_set_in_list_order_and_what_is_current_is_not() {
    let mut options = json!([
        select("mode", Some("mode"), "ask", &["ask", "auto"]),
        select("model", None, "small", &["small", "large"]),
        select("effort", None, "low", &["low", "high"]),
    ]);
    let kept = vec![
        remembered("effort", "high", None),
        remembered("model", "large", None),
        remembered("mode", "ask", Some("mode")),
    ];
    let (sets, skipped) = play(Replay::new(kept), &mut options);
    assert_eq!(sets, [("model".to_owned(), json!("large")), ("effort".to_owned(), json!("high"))]);
    assert_eq!(skipped, []);
}

#[test]
fn with_an_old_list_all_is_set() {
    let mut options = json!([select("mode", Some("mode"), "ask", &["ask", "auto"])]);
    let (sets, _) = play(Replay::unconfirmed(vec![remembered("mode", "ask", None)]), &mut options);
    assert_eq!(sets, [("mode".to_owned(), json!("ask"))]);
}

#[test]
fn the_list_is_read_again_after_each_set() {
    let mut replay = Replay::new(vec![
        remembered("effort", "high", None),
        remembered("fast", "on", None),
        remembered("model", "large", None),
    ]);
    let small = json!([
        select("effort", None, "low", &["low"]),
        select("model", None, "small", &["small", "large"]),
        select("fast", None, "off", &["off", "on"]),
    ]);
    let large =
        json!([select("effort", None, "low", &["low", "high"]), select("model", None, "large", &["small", "large"]),]);
    assert_eq!(replay.next(&small), Next::Set("model".to_owned(), json!("large")));
    assert_eq!(replay.next(&large), Next::Set("effort".to_owned(), json!("high")));
    assert_eq!(replay.next(&large), Next::Done);
    let skipped: Vec<_> = replay.skipped().iter().map(|skipped| (skipped.option_id.as_str(), &skipped.value)).collect();
    assert_eq!(skipped, [("fast", &json!("on"))]);
}

#[test]
fn what_is_skipped_says_why() {
    let options = json!([
        select("model", None, "small", &["small"]),
        select("effort", None, "low", &["low", "high"]),
        { "id": "level", "type": "slider", "currentValue": 3 },
    ]);
    let mut replay = Replay::new(vec![
        remembered("effort", "high", None),
        remembered("gone", "x", None),
        remembered("level", 4, None),
        remembered("model", "large", None),
    ]);
    assert_eq!(replay.next(&options), Next::Set("effort".to_owned(), json!("high")));
    replay.failed("effort", "boom: not allowed");
    assert_eq!(replay.next(&options), Next::Done);
    let reasons: Vec<_> = replay.skipped().iter().map(|s| (s.option_id.as_str(), s.reason.as_str())).collect();
    assert_eq!(
        reasons,
        [
            ("effort", "boom: not allowed"),
            ("gone", "the agent does not offer this option"),
            ("level", "options of this type can be shown but not set"),
            ("model", "the agent does not offer this value"),
        ]
    );
}

#[test]
fn a_mode_never_crosses_projects() {
    let here = [remembered("model", "large", Some("model"))];
    let elsewhere = [
        remembered("model", "small", Some("model")),
        remembered("effort", "high", Some("thought_level")),
        remembered("approval", "auto", Some("mode")),
        remembered("mode", "auto", None),
    ];
    let defaults = defaults_for_new_task(&here, &elsewhere);
    assert_eq!(defaults, [here[0].clone(), elsewhere[1].clone()]);
    let mode_here = [remembered("mode", "ask", Some("mode"))];
    assert_eq!(defaults_for_new_task(&mode_here, &elsewhere[2..]), mode_here);
}

fn any_list() -> impl Strategy<Value = Value> {
    let values = prop::collection::vec("[a-d]", 0..4);
    let one = ("[o-r]", "[a-d]", values).prop_map(|(id, current, values)| {
        select(&id, None, &current, &values.iter().map(String::as_str).collect::<Vec<_>>())
    });
    prop::collection::vec(one, 0..5).prop_map(Value::from)
}

proptest! {
    /// The agent answers each set with any list at all.
    #[test]
    fn a_replay_ends_and_sets_each_option_at_most_once(
        kept in prop::collection::vec(("[o-r]", "[a-d]"), 0..6),
        lists in prop::collection::vec(any_list(), 12),
        confirmed: bool,
        refused in prop::collection::vec(any::<bool>(), 12),
    ) {
        let kept: Vec<_> = kept.iter().map(|(id, value)| remembered(id, value.as_str(), None)).collect();
        let mut replay = if confirmed { Replay::new(kept.clone()) } else { Replay::unconfirmed(kept.clone()) };
        let mut set = Vec::new();
        let mut ended = false;
        for (list, refused) in lists.iter().zip(refused) {
            let Next::Set(id, value) = replay.next(list) else {
                ended = true;
                break;
            };
            prop_assert!(set_call(list, &id, &value).is_ok());
            prop_assert!(!set.contains(&id), "{id} was set twice");
            if refused {
                replay.failed(&id, "no");
            }
            set.push(id);
        }
        prop_assert!(ended, "more sets than options");
        for skipped in replay.skipped() {
            prop_assert!(kept.iter().any(|kept| kept.option_id == skipped.option_id));
        }
    }
}

#[test]
fn a_new_task_starts_with_what_is_offered_and_set() {
    let offered = json!([
        {"id": "model", "type": "select", "currentValue": "a", "options": [{"value": "a"}, {"value": "b"}]},
        {"id": "web", "type": "boolean", "currentValue": false},
    ]);
    let value = |id: &str, value: Value| Remembered { option_id: id.into(), value, category: None };
    let options =
        at_start(&offered, &[value("model", json!("b")), value("web", json!("yes")), value("gone", json!(1))]);
    assert_eq!(current(&options, "model"), Some(&json!("b")));
    assert_eq!(current(&options, "web"), Some(&json!(false)), "what is not offered is not shown as set");
    assert_eq!(at_start(&offered, &[]), offered);
}

#[test]
fn the_model_is_called_as_the_agent_calls_it() {
    let of = |current: &str, options: Value| {
        let mode = json!({"id": "mode", "category": "mode", "type": "select", "currentValue": "m", "options": []});
        let model =
            json!({"id": "x", "category": "model", "type": "select", "currentValue": current, "options": options});
        model_name(&json!([mode, model])).map(str::to_owned)
    };
    let flat = json!([{"value": "a", "name": "Model A"}, {"value": "b"}]);
    assert_eq!(of("a", flat.clone()), Some("Model A".to_owned()));
    assert_eq!(of("b", flat.clone()), Some("b".to_owned()));
    assert_eq!(of("gone", flat), Some("gone".to_owned()));
    assert_eq!(
        of("c", json!([{"group": "g", "options": [{"value": "c", "name": "Model C"}]}])),
        Some("Model C".into())
    );
    assert_eq!(model_name(&json!([])), None);
    let models = json!({"currentModelId": "o", "availableModels": [{"modelId": "o", "name": "Old"}]});
    assert_eq!(model_name(&advertised(None, None, Some(&models))), Some("Old"));
}
