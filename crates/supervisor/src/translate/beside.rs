//! What stands beside an answer: plans by id, notices, compactions. What lacks what makes it one is kept as it came.

use drover_acp::views::{ContentKind, ContentView};
use drover_domain::message::{Notice, Plan};
use drover_domain::transcript::{CompactionPatch, Content, Field};
use serde_json::{Value, json};

/// `plan_update`: `{plan: {type, planId, entries | content}}`.
pub(super) fn plan(raw: Value) -> Content {
    let plan = &raw["plan"];
    let Some(id) = text(plan, "planId") else { return Content::Unknown { raw } };
    let entries = plan.get("entries").filter(|entries| entries.is_array()).cloned();
    let written = text(plan, "content");
    if entries.is_none() && written.is_none() {
        return Content::Unknown { raw };
    }
    let entries = entries.unwrap_or_else(|| json!([]));
    Content::Plan(Plan { plan_id: Some(id), entries, text: written, removed: false })
}

/// `plan_removed`.
pub(super) fn plan_removed(raw: Value) -> Content {
    match text(&raw, "planId") {
        Some(plan_id) => Content::PlanRemoved { plan_id },
        None => Content::Unknown { raw },
    }
}

/// `notice`.
pub(super) fn notice(
    severity: Option<String>,
    title: Option<String>,
    description: Option<String>,
    raw: Value,
) -> Content {
    match title {
        Some(title) => Content::Notice(Notice {
            notice_id: None,
            severity: severity.unwrap_or_else(|| "info".to_owned()),
            title,
            description,
        }),
        None => Content::Unknown { raw },
    }
}

/// `compaction_update`.
pub(super) fn compaction(raw: Value) -> Content {
    let Some(id) = text(&raw, "compactionId") else { return Content::Unknown { raw } };
    let patch = CompactionPatch {
        id,
        status: field(&raw, "status"),
        summary: field(&raw, "summary"),
        chunk: String::new(),
        error: field(&raw, "error"),
    };
    Content::Compaction(patch)
}

/// `compaction_summary_chunk`: a text is added, anything else kept as it came.
pub(super) fn summary_chunk(content: &ContentView, raw: Value) -> Content {
    match (text(&raw, "compactionId"), &content.kind) {
        (Some(id), ContentKind::Text(chunk)) => {
            Content::Compaction(CompactionPatch { id, chunk: chunk.clone(), ..CompactionPatch::default() })
        }
        _ => Content::Unknown { raw },
    }
}

fn text(object: &Value, key: &str) -> Option<String> {
    Some(object.get(key)?.as_str()?.to_owned())
}

fn field(object: &Value, key: &str) -> Field<String> {
    match object.get(key) {
        None => Field::Absent,
        Some(Value::Null) => Field::Null,
        Some(value) => Field::Set(readable(value)),
    }
}

/// A text, the texts of content blocks, or the message of an error; what is neither stays JSON.
fn readable(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) if blocks.iter().all(|block| block["text"].is_string()) => {
            blocks.iter().filter_map(|block| block["text"].as_str()).collect()
        }
        other => match other.get("text").or_else(|| other.get("message")).and_then(Value::as_str) {
            Some(text) => text.to_owned(),
            None => other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lacks_its_name_is_kept_as_it_came() {
        for raw in [json!({ "plan": { "entries": [] } }), json!({ "plan": { "planId": "a" } }), json!({})] {
            assert_eq!(plan(raw.clone()), Content::Unknown { raw });
        }
        let raw = json!({ "severity": "info" });
        assert_eq!(notice(Some("info".into()), None, None, raw.clone()), Content::Unknown { raw });
        let raw = json!({ "status": "completed" });
        assert_eq!(compaction(raw.clone()), Content::Unknown { raw });
    }

    #[test]
    fn summaries_are_read_in_every_form() {
        for (summary, read) in [
            (json!("short"), "short"),
            (json!([{ "type": "text", "text": "a" }, { "type": "text", "text": "b" }]), "ab"),
            (json!({ "type": "text", "text": "c" }), "c"),
            (json!({ "message": "no" }), "no"),
            (json!(7), "7"),
        ] {
            let Content::Compaction(patch) = compaction(json!({ "compactionId": "x", "summary": summary })) else {
                panic!("a compaction");
            };
            assert_eq!(patch.summary, Field::Set(read.to_owned()));
        }
    }
}
