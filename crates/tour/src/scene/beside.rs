//! What an agent says beside its answer: notices, and that it shortens what it remembers.

use serde_json::json;

use crate::pace::Beat;
use crate::stage::{Played, Stage};

/// How grave the notices are, in the order of their words.
const SEVERITIES: [&str; 2] = ["info", "warning"];

pub(super) fn show(stage: &mut Stage<'_>) -> Played {
    let (words, client) = (stage.words(), stage.client());
    stage.say(words.beside)?;
    if client.notices {
        for (severity, [title, description]) in SEVERITIES.into_iter().zip(words.notices) {
            stage.update(&json!({
                "sessionUpdate": "notice", "severity": severity, "title": title, "description": description,
            }))?;
            stage.pause(Beat::Step)?;
        }
    }
    if client.compaction {
        compact(stage)?;
    }
    stage.say(if client.notices || client.compaction { words.after_beside } else { words.nothing_beside })
}

fn compact(stage: &mut Stage<'_>) -> Played {
    let id = stage.name("compaction");
    let told = |status: &str| json!({"sessionUpdate": "compaction_update", "compactionId": id, "status": status});
    let summary = stage.words().summary;
    stage.update(&told("in_progress"))?;
    stage.pause(Beat::Step)?;
    stage.update(&json!({
        "sessionUpdate": "compaction_summary_chunk", "compactionId": id, "content": {"type": "text", "text": summary},
    }))?;
    stage.update(&told("completed"))?;
    stage.pause(Beat::Line)
}
