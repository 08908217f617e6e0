//! Parts that a later update of the same id takes the place of: plans, notices, compactions.

use super::{Change, Field, Transcript, set_option};
use crate::Part;
use crate::message::{Compaction, Notice, Plan};

/// What an update says of a compaction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompactionPatch {
    /// The agent's id for it.
    pub id: String,
    /// `status`.
    pub status: Field<String>,
    /// `summary`, as text.
    pub summary: Field<String>,
    /// A piece at the end of the summary.
    pub chunk: String,
    /// `error`, as text.
    pub error: Field<String>,
}

impl Transcript {
    /// Puts a part in the place of the one that tells of the same thing, or at the end.
    pub(super) fn upsert(&mut self, part: Part) -> Vec<Change> {
        let Some(index) = self.parts.iter().position(|old| is_of_the_same(old, &part)) else {
            return self.push(part);
        };
        let mut changes = self.interrupt();
        if self.parts[index] != part {
            changes.push(Change::Replace { index, part: part.clone() });
            self.parts[index] = part;
        }
        changes
    }

    /// A removal of what is not there is ignored, as the protocol wants.
    pub(super) fn remove_plan(&mut self, id: &str) -> Vec<Change> {
        let known = self.parts.iter().find_map(|part| match part {
            Part::Plan(plan) if plan.plan_id.as_deref() == Some(id) => Some(plan.clone()),
            _ => None,
        });
        known.map(|plan| self.upsert(Part::Plan(Plan { removed: true, ..plan }))).unwrap_or_default()
    }

    pub(super) fn compact(&mut self, patch: CompactionPatch) -> Vec<Change> {
        let known = self.parts.iter().find_map(|part| match part {
            Part::Compaction(compaction) if compaction.compaction_id == patch.id => Some(compaction.clone()),
            _ => None,
        });
        let mut compaction = known.unwrap_or_else(|| Compaction { compaction_id: patch.id, ..Compaction::default() });
        set_option(patch.status, &mut compaction.status);
        set_option(patch.summary, &mut compaction.summary);
        set_option(patch.error, &mut compaction.error);
        if !patch.chunk.is_empty() {
            compaction.summary.get_or_insert_default().push_str(&patch.chunk);
        }
        self.upsert(Part::Compaction(compaction))
    }
}

fn is_of_the_same(old: &Part, new: &Part) -> bool {
    match (old, new) {
        (Part::Plan(old), Part::Plan(new)) => old.plan_id == new.plan_id,
        (Part::Notice(old), Part::Notice(new)) => old.notice_id.is_some() && old.notice_id == new.notice_id,
        (Part::Compaction(old), Part::Compaction(new)) => old.compaction_id == new.compaction_id,
        _ => false,
    }
}

impl Plan {
    /// A plan of steps, the only one.
    pub const fn of(entries: serde_json::Value) -> Self {
        Self { plan_id: None, entries, text: None, removed: false }
    }
}

impl Notice {
    /// A notice that nothing takes the place of.
    pub fn once(severity: &str, title: impl Into<String>) -> Self {
        Self { notice_id: None, severity: severity.to_owned(), title: title.into(), description: None }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Content;
    use super::*;

    fn told(contents: impl IntoIterator<Item = Content>) -> Vec<Part> {
        let mut transcript = Transcript::new();
        for content in contents {
            transcript.apply(content);
        }
        transcript.parts().to_vec()
    }

    #[test]
    fn plans_are_kept_apart_by_id_and_a_removal_marks_its_own() {
        let plan = |id: Option<&str>, step: &str| {
            Content::Plan(Plan { plan_id: id.map(str::to_owned), ..Plan::of(json!([{ "content": step }])) })
        };
        let parts = told([
            plan(None, "own"),
            plan(Some("a"), "one"),
            plan(Some("b"), "two"),
            plan(Some("a"), "three"),
            Content::PlanRemoved { plan_id: "b".into() },
            Content::PlanRemoved { plan_id: "never there".into() },
        ]);
        let seen: Vec<_> = parts
            .iter()
            .map(|part| match part {
                Part::Plan(plan) => (plan.entries[0]["content"].as_str().unwrap(), plan.removed),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(seen, [("own", false), ("three", false), ("two", true)]);
    }

    #[test]
    fn a_notice_with_an_id_is_revised_and_one_without_stands_by_itself() {
        let notice = |id: Option<&str>, title: &str| {
            Content::Notice(Notice { notice_id: id.map(str::to_owned), ..Notice::once("warning", title) })
        };
        let parts =
            told([notice(Some("n"), "1 of 2"), notice(None, "x"), notice(None, "x"), notice(Some("n"), "2 of 2")]);
        let titles: Vec<_> = parts
            .iter()
            .map(|part| match part {
                Part::Notice(notice) => notice.title.as_str(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(titles, ["2 of 2", "x", "x"]);
    }

    #[test]
    fn a_compaction_grows_by_chunks_and_what_is_absent_stays() {
        let patch = |patch: CompactionPatch| Content::Compaction(CompactionPatch { id: "c".into(), ..patch });
        let parts = told([
            patch(CompactionPatch { status: Field::Set("in_progress".into()), ..CompactionPatch::default() }),
            patch(CompactionPatch { chunk: "they want ".into(), ..CompactionPatch::default() }),
            patch(CompactionPatch { chunk: "a parser".into(), ..CompactionPatch::default() }),
            patch(CompactionPatch { status: Field::Set("completed".into()), ..CompactionPatch::default() }),
        ]);
        let want = Compaction {
            compaction_id: "c".into(),
            status: Some("completed".into()),
            summary: Some("they want a parser".into()),
            error: None,
        };
        assert_eq!(parts, [Part::Compaction(want)]);
    }
}
