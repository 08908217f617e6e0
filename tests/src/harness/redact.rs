//! Answers with what differs from run to run replaced, so that the rest can be compared whole.

use std::collections::HashMap;

use serde_json::Value;

/// Replaces ids by `[id N]` in order of appearance, times by `[time]`, durations by `[ms]`, and the directory by `[dir]`.
///
/// # Panics
///
/// When the directory is empty: it would be found everywhere.
pub fn redacted(value: &Value, dir: &str) -> Value {
    assert!(!dir.is_empty(), "a directory to look for");
    let mut names = HashMap::new();
    walk(value, dir, &mut names)
}

fn walk(value: &Value, dir: &str, names: &mut HashMap<String, usize>) -> Value {
    match value {
        Value::String(text) if is_ulid(text) => {
            let next = names.len() + 1;
            let number = names.entry(text.clone()).or_insert(next);
            format!("[id {number}]").into()
        }
        Value::String(text) if is_time(text) => "[time]".into(),
        Value::String(text) => text.replace(dir, "[dir]").into(),
        Value::Array(items) => items.iter().map(|item| walk(item, dir, names)).collect(),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                let value = match key.as_str() {
                    "duration_ms" if value.is_number() => "[ms]".into(),
                    "seq" | "fence" | "size" if value.is_number() => format!("[{key}]").into(),
                    _ => walk(value, dir, names),
                };
                (key.clone(), value)
            };
            Value::Object(members.iter().map(member).collect())
        }
        other => other.clone(),
    }
}

fn is_ulid(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| b"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(&byte))
}

/// RFC 3339 in UTC with milliseconds: `2026-01-02T03:04:05.678Z`.
fn is_time(text: &str) -> bool {
    let shape = "dddd-dd-ddTdd:dd:dd.dddZ";
    text.len() == shape.len()
        && text.bytes().zip(shape.bytes()).all(
            |(byte, want)| {
                if want == b'd' { byte.is_ascii_digit() } else { byte == want }
            },
        )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::redacted;

    #[test]
    fn one_id_has_one_name_and_other_text_stays() {
        let (a, b) = ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW");
        let value = json!({"id": b, "task_id": a, "again": b, "created_at": "2026-01-02T03:04:05.678Z", "path": "/x/y", "bad_at": "2026-01-02"});
        let want = json!({"id": "[id 1]", "task_id": "[id 2]", "again": "[id 1]", "created_at": "[time]", "path": "[dir]/y", "bad_at": "2026-01-02"});
        assert_eq!(redacted(&value, "/x"), want);
    }
}
