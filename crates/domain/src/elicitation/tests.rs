use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::request::Action;

fn form_of(properties: Value, required: Value) -> Value {
    json!({"mode": "form", "message": "How?", "sessionId": "s",
        "requestedSchema": {"type": "object", "properties": properties, "required": required}})
}

/// The fields that are wrong with this content.
fn wrong(payload: &Value, content: Value) -> Vec<String> {
    match check(payload, Action::Accept, Some(&content)) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.field).collect(),
    }
}

#[test]
fn every_type_of_field_takes_what_fits_and_nothing_else() {
    let titled =
        json!({"type": "string", "oneOf": [{"const": "red", "title": "Red", "description": "warm"}, {"const": "b"}]});
    let cases = [
        (json!({"type": "string"}), vec![json!(""), json!("é")], vec![json!(1), json!(null), json!(["a"])]),
        (
            json!({"type": "string", "minLength": 2, "maxLength": 3}),
            vec![json!("éé"), json!("👩‍💻")],
            vec![json!("a"), json!("abcd")],
        ),
        (json!({"type": "string", "pattern": "^[a-z]+$"}), vec![json!("abc")], vec![json!("aB"), json!("")]),
        (json!({"type": "string", "pattern": "(?=look)ahead"}), vec![json!("left to the agent")], vec![json!(3)]),
        (
            json!({"type": "string", "format": "email"}),
            vec![json!("a.b@c.example")],
            vec![json!("a@"), json!("@b"), json!("a b@c")],
        ),
        (
            json!({"type": "string", "format": "uri"}),
            vec![json!("https://x.example/a")],
            vec![json!("x.example"), json!("/a")],
        ),
        (
            json!({"type": "string", "format": "date"}),
            vec![json!("2024-02-29")],
            vec![json!("2025-02-29"), json!("1.2.2025"), json!("20240229")],
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            vec![json!("2024-02-29T10:00:00Z"), json!("2024-02-29T10:00:00.5+02:00")],
            vec![json!("2024-02-29"), json!("2024-02-29T25:00:00Z")],
        ),
        (json!({"type": "string", "format": "of 2031"}), vec![json!("anything")], vec![json!(false)]),
        (json!({"type": "string", "enum": ["a", "b"]}), vec![json!("a")], vec![json!("c"), json!(["a"])]),
        (titled, vec![json!("red"), json!("b")], vec![json!("Red")]),
        (
            json!({"type": "integer", "minimum": 1, "maximum": 5}),
            vec![json!(1), json!(5), json!(3.0)],
            vec![json!(0), json!(9), json!(2.5), json!("3")],
        ),
        (json!({"type": "number", "minimum": -0.5}), vec![json!(-0.5), json!(7)], vec![json!(-1), json!("1")]),
        (json!({"type": "boolean"}), vec![json!(true), json!(false)], vec![json!("true"), json!(0), json!(null)]),
        (
            json!({"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 1, "maxItems": 2}),
            vec![json!(["a"]), json!(["c", "a"])],
            vec![json!([]), json!(["a", "b", "c"]), json!(["d"]), json!(["a", "a"]), json!("a")],
        ),
        (
            json!({"type": "array", "items": {"anyOf": [{"const": "x", "title": "X"}]}}),
            vec![json!([]), json!(["x"])],
            vec![json!(["X"])],
        ),
        (json!({"type": "object", "properties": {}}), vec![], vec![json!({}), json!("a")]),
        (json!({"type": "array", "items": {"type": "object"}}), vec![], vec![json!([])]),
    ];
    for (property, fit, misfit) in cases {
        let payload = form_of(json!({"field": property}), json!([]));
        for value in fit {
            assert_eq!(wrong(&payload, json!({"field": value})), [""; 0], "{property} takes {value}");
        }
        for value in misfit {
            assert_eq!(wrong(&payload, json!({"field": value})), ["field"], "{property} does not take {value}");
        }
    }
}

#[test]
fn what_is_required_must_be_there_and_what_was_not_asked_for_must_not() {
    let payload = form_of(json!({"a": {"type": "string"}, "b": {"type": "integer"}}), json!(["a", "ghost"]));
    assert_eq!(wrong(&payload, json!({})), ["a", "ghost"]);
    assert_eq!(wrong(&payload, json!({"a": "", "c": 1})), ["ghost", "c"]);
    let plain = form_of(json!({"a": {"type": "string"}, "b": {"type": "integer"}}), json!(["a"]));
    assert_eq!(wrong(&plain, json!({"a": ""})), [""; 0], "what may be left out may be left out");
    assert!(check(&plain, Action::Accept, None).is_err() && check(&plain, Action::Accept, Some(&json!([]))).is_err());
}

#[test]
fn to_decline_and_to_cancel_is_always_possible() {
    let payloads = [form_of(json!({"a": {"type": "geo"}}), json!(["a"])), json!({"mode": "future"}), json!(null)];
    for payload in payloads {
        for action in [Action::Decline, Action::Cancel] {
            assert_eq!(check(&payload, action, None), Ok(()));
            assert_eq!(check(&payload, action, Some(&json!({"a": "half"}))), Ok(()));
        }
        assert!(check(&payload, Action::Accept, Some(&json!({}))).is_err(), "{payload}");
    }
}

#[test]
fn a_property_of_an_unknown_type_is_kept_and_never_taken_for_another() {
    let payload = form_of(
        json!({"name": {"type": "string"}, "where": {"type": "object"}, "odd": {"type": ["string"]}}),
        json!([]),
    );
    let Ask::Form(form) = read(&payload) else { panic!("no form") };
    let kinds: Vec<_> = form.fields.iter().map(|field| (field.name.as_str(), field.kind == Kind::Unknown)).collect();
    assert_eq!(kinds, [("name", false), ("where", true), ("odd", true)]);
    assert_eq!(wrong(&payload, json!({"name": "x"})), [""; 0], "one that is not required stands in nobody's way");
}

#[test]
fn modes_are_read_and_what_is_no_form_and_no_page_is_unknown() {
    assert!(matches!(read(&json!({"requestedSchema": {}})), Ask::Form(_)), "a schema without a mode is a form");
    assert_eq!(read(&json!({"mode": "url", "url": "https://x.example"})), Ask::Url("https://x.example".into()));
    for odd in [json!({"mode": "future"}), json!({"mode": "form"}), json!({"mode": "url"}), json!({}), json!(7)] {
        assert!(matches!(read(&odd), Ask::Unknown { .. }), "{odd}");
    }
}

#[test]
fn only_whole_addresses_of_the_web_are_opened() {
    let page = |url: &str| check(&json!({"mode": "url", "url": url}), Action::Accept, None).is_ok();
    assert!(page("https://x.example/a?b#c") && page("http://x.example"));
    for url in [
        "javascript:pwn()",
        " javascript:pwn()",
        "data:text/html,x",
        "file:///etc/passwd",
        "x.example",
        "//x.example",
        "ssh://x",
    ] {
        assert!(!page(url), "{url}");
    }
    assert!(check(&json!({"mode": "url", "url": "https://x.example"}), Action::Accept, Some(&json!({}))).is_err());
}

#[test]
fn what_is_said_of_a_value_does_not_repeat_it() {
    let payload = form_of(
        json!({"a": {"type": "string", "maxLength": 3}, "b": {"type": "string", "enum": ["x"]}, "c": {"type": "integer"},
            "d": {"type": "string", "format": "email"}, "e": {"type": "string", "pattern": "^x$"}}),
        json!([]),
    );
    let content = json!({"a": "secret", "b": "secret", "c": "secret", "d": "secret", "e": "secret"});
    let errors = check(&payload, Action::Accept, Some(&content)).unwrap_err();
    assert_eq!(errors.len(), 5);
    assert!(errors.iter().all(|error| !error.detail.contains("secret")), "{errors:?}");
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z@:/.\\[(*]{0,8}".prop_map(Value::from),
        prop::sample::select(vec!["string", "integer", "array", "object", "form", "url", "email", "date"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        let key = prop::sample::select(vec![
            "type",
            "mode",
            "url",
            "requestedSchema",
            "properties",
            "required",
            "enum",
            "oneOf",
            "const",
            "items",
            "anyOf",
            "pattern",
            "format",
            "minLength",
            "maximum",
            "a",
            "b",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..5).prop_map(|members| Value::Object(
                members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn nothing_that_is_sent_makes_the_check_fail_and_refusing_is_always_possible(payload in any_value(), content in any_value()) {
        let _ = check(&payload, Action::Accept, Some(&content));
        prop_assert_eq!(check(&payload, Action::Decline, Some(&content)), Ok(()));
    }

    #[test]
    fn a_whole_number_is_taken_exactly_within_its_bounds(number in -50_i64..50, min in -20_i64..20, max in -20_i64..20) {
        let payload = form_of(json!({"n": {"type": "integer", "minimum": min, "maximum": max}}), json!(["n"]));
        prop_assert_eq!(wrong(&payload, json!({"n": number})).is_empty(), (min..=max).contains(&number));
    }
}
