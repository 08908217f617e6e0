//! A form: a question with fields, which ACP calls an elicitation.

use serde_json::{Value, json};

use crate::stage::{Played, Stage};
use crate::words::fill;

/// Asks a form and says what was answered. A client that shows no forms is told so.
pub(super) fn fill_in(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    if !stage.client().forms {
        return stage.say(words.no_forms);
    }
    stage.say(words.form)?;
    let params =
        json!({"mode": "form", "message": words.form_message, "requestedSchema": schema(words.fields, words.uses)});
    let answer = match stage.ask("elicitation/create", params)? {
        Ok(answer) => answer,
        Err(error) => {
            let why = error["message"].as_str().unwrap_or_default();
            return stage.say(&fill(words.form_failed, &[("why", why)]));
        }
    };
    match answer["action"].as_str() {
        Some("accept") => {
            let content = answer["content"].as_object().cloned().unwrap_or_default();
            let told: String = content.iter().map(|(name, value)| format!("- `{name}`: {}\n", plain(value))).collect();
            stage.say(&fill(words.form_accepted, &[("answers", &told)]))
        }
        Some("decline") => stage.say(words.form_declined),
        _ => stage.say(words.form_dismissed),
    }
}

/// One field of every kind.
fn schema(titles: [&str; 5], uses: [&str; 3]) -> Value {
    let [name, used, places, score, again] = titles;
    let used_values = ["one", "several", "none"].into_iter().zip(uses);
    let used_values: Vec<Value> = used_values.map(|(value, title)| json!({"const": value, "title": title})).collect();
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": name, "minLength": 1, "maxLength": 40},
            "agents": {"type": "string", "title": used, "oneOf": used_values, "default": "one"},
            "languages": {
                "type": "array", "title": places, "items": {"enum": ["Rust", "TypeScript", "Python", "Go"]}, "maxItems": 4,
            },
            "score": {"type": "integer", "title": score, "minimum": 1, "maximum": 5},
            "again": {"type": "boolean", "title": again, "default": false},
        },
        "required": ["name"],
    })
}

/// A value as people write it.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
