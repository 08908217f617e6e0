use proptest::prelude::*;
use serde_json::json;

use super::*;

fn text(text: &str) -> Content {
    Content::Text { text: text.to_owned(), message_id: None }
}

fn text_of(message_id: &str, text: &str) -> Content {
    Content::Text { text: text.to_owned(), message_id: Some(message_id.to_owned()) }
}

fn thought(text: &str) -> Content {
    Content::Thought { text: text.to_owned(), message_id: None }
}

fn tool(update: Value) -> Content {
    Content::Tool(ToolPatch::read(&update).unwrap())
}

fn plan(step: &str) -> Content {
    Content::Plan(Plan::of(json!([{ "content": step }])))
}

fn told(contents: impl IntoIterator<Item = Content>) -> Transcript {
    let mut transcript = Transcript::new();
    for content in contents {
        transcript.apply(content);
    }
    transcript
}

/// The parts as short texts.
fn brief(transcript: &Transcript) -> Vec<String> {
    let one = |part: &Part| match part {
        Part::Text { text } => format!("text {text}"),
        Part::Thought { text } => format!("thought {text}"),
        Part::ToolCall(call) => {
            format!("tool {} {:?} {}", call.tool_call_id, call.title, call.status.as_deref().unwrap_or("-"))
        }
        Part::Plan(plan) => format!("plan {}", plan.entries[0]["content"].as_str().unwrap()),
        Part::Notice(notice) => format!("notice {}", notice.title),
        Part::Compaction(compaction) => format!("compaction {}", compaction.compaction_id),
        Part::Image(file) => format!("image {}", file.name),
        Part::File(file) => format!("file {}", file.name),
        Part::Error { message, .. } => format!("error {message}"),
        Part::Unknown { raw } => format!("unknown {raw}"),
    };
    transcript.parts().iter().map(one).collect()
}

fn call<'a>(transcript: &'a Transcript, id: &str) -> &'a ToolCall {
    transcript.tool(id).unwrap()
}

#[test]
fn borders_stand_between_messages_thoughts_and_tools() {
    let transcript = told([
        thought("plan"),
        text("first"),
        tool(json!({ "toolCallId": "t1", "title": "Run", "status": "pending" })),
        tool(json!({ "toolCallId": "t1", "status": "completed" })),
        thought("check"),
        thought("ing"),
        text_of("m2", "second"),
        text_of("m3", "third"),
        text_of("m3", "3b"),
    ]);
    assert_eq!(
        brief(&transcript),
        ["thought plan", "text first", "tool t1 \"Run\" completed", "thought checking", "text second", "text third3b",]
    );
}

#[test]
fn chunks_are_joined_byte_by_byte() {
    let pieces = [" a ", "\n", "\r\n\t", "合", "\u{fffd}", "é\u{301}", " "];
    let transcript = told(pieces.map(text));
    assert_eq!(transcript.parts(), [Part::Text { text: pieces.concat() }]);
}

#[test]
fn an_empty_chunk_changes_nothing_and_borders_nothing() {
    let mut transcript = Transcript::new();
    assert_eq!(transcript.apply(text("")), []);
    assert!(transcript.is_empty());
    transcript.apply(text_of("m1", "a"));
    assert_eq!(transcript.apply(thought("")), []);
    assert_eq!(transcript.apply(text_of("m2", "")), []);
    transcript.apply(text_of("m1", "b"));
    assert_eq!(brief(&transcript), ["text ab"]);
}

#[test]
fn a_chunk_without_an_id_goes_on_and_an_id_after_none_begins_anew() {
    let transcript = told([text_of("m1", "a"), text("b"), text_of("m1", "c"), text_of("m2", "d"), text("e")]);
    assert_eq!(brief(&transcript), ["text abc", "text de"]);
    let transcript = told([text("notice"), text_of("m1", "answer"), text_of("m1", "!")]);
    assert_eq!(brief(&transcript), ["text notice", "text answer!"]);
}

#[test]
fn the_same_id_in_another_kind_is_another_part() {
    let think = |piece: &str| Content::Thought { text: piece.to_owned(), message_id: Some("m1".to_owned()) };
    let transcript = told([think("a"), text_of("m1", "b"), think("c")]);
    assert_eq!(brief(&transcript), ["thought a", "text b", "thought c"]);
}

#[test]
fn a_part_opens_with_its_first_text_and_closes_before_the_next() {
    let mut transcript = Transcript::new();
    let part = Part::Text { text: "a".to_owned() };
    assert_eq!(transcript.apply(text("a")), [Change::Open { index: 0, part }]);
    assert_eq!(transcript.apply(text("b")), [Change::Append { index: 0, text: "b".to_owned() }]);
    let part = Part::Thought { text: "c".to_owned() };
    assert_eq!(transcript.apply(thought("c")), [Change::Close { index: 0 }, Change::Open { index: 1, part }]);
    assert_eq!(transcript.settle(ToolEnd::Stopped), [Change::Close { index: 1 }]);
    assert_eq!(transcript.settle(ToolEnd::Stopped), []);
}

#[test]
fn an_update_in_place_splits_no_message_that_has_an_id() {
    let start = || tool(json!({ "toolCallId": "t1", "title": "Run" }));
    let end = || tool(json!({ "toolCallId": "t1", "status": "completed" }));
    let transcript = told([start(), text_of("m1", "hal"), end(), text_of("m1", "f")]);
    assert_eq!(brief(&transcript), ["tool t1 \"Run\" completed", "text half"]);
    let transcript = told([start(), text("Running."), end(), text("It passed.")]);
    assert_eq!(brief(&transcript), ["tool t1 \"Run\" completed", "text Running.", "text It passed."]);
}

#[test]
fn updates_out_of_order_or_without_a_beginning_give_one_stable_entry_each() {
    let mut transcript = told([
        tool(json!({ "toolCallId": "t9", "status": "completed", "content": [{ "type": "content" }] })),
        tool(json!({ "toolCallId": "t8", "title": "one", "status": "pending" })),
        tool(json!({ "toolCallId": "t8", "title": "two", "status": "pending" })),
        tool(json!({ "toolCallId": "t8", "status": "completed" })),
        tool(json!({ "toolCallId": "t8", "status": "in_progress" })),
        tool(json!({ "toolCallId": "t7", "title": "", "status": "pending" })),
        tool(json!({ "toolCallId": "t6" })),
    ]);
    assert_eq!(brief(&transcript), ["tool t9 \"\" completed", "tool t8 \"two\" completed", "tool t7 \"\" pending"]);
    assert!(transcript.has_open_tool() && transcript.knows_tool("t9") && !transcript.knows_tool("t6"));
    assert_eq!(transcript.settle(ToolEnd::Stopped).len(), 1);
    assert_eq!(call(&transcript, "t7").status.as_deref(), Some("stopped"));
    assert!(!transcript.has_open_tool());
}

#[test]
fn absent_keeps_null_clears_and_empty_is_a_value() {
    let mut transcript = told([tool(json!({
        "toolCallId": "t", "title": "Edit", "kind": "edit", "status": "pending", "content": [1],
        "locations": [{ "path": "/a" }], "rawInput": { "a": 1 }, "rawOutput": "x",
    }))]);
    let before = call(&transcript, "t").clone();
    assert_eq!(transcript.apply(tool(json!({ "toolCallId": "t" }))), []);
    assert_eq!(call(&transcript, "t"), &before);

    transcript.apply(tool(json!({ "toolCallId": "t", "title": "", "content": [], "rawInput": {} })));
    assert_eq!(call(&transcript, "t").title, "");
    assert_eq!(call(&transcript, "t").content, json!([]));
    assert_eq!(call(&transcript, "t").raw_input, Some(json!({})));

    transcript.apply(tool(json!({
        "toolCallId": "t", "title": null, "kind": null, "status": null, "content": null, "locations": null,
        "rawInput": null, "rawOutput": null,
    })));
    let cleared =
        ToolCall { tool_call_id: "t".to_owned(), content: json!([]), locations: json!([]), ..ToolCall::default() };
    assert_eq!(call(&transcript, "t"), &cleared);
}

#[test]
fn a_member_of_the_wrong_type_does_no_harm() {
    let transcript =
        told([tool(json!({ "toolCallId": "t", "title": 5, "content": { "type": "diff" }, "status": "x" }))]);
    assert_eq!(brief(&transcript), ["tool t \"\" x"]);
    assert_eq!(call(&transcript, "t").content, json!([{ "type": "diff" }]));
    assert_eq!(ToolPatch::read(&json!({ "toolCallId": 5 })), None);
    assert_eq!(ToolPatch::read(&json!("t")), None);
}

#[test]
fn an_agents_own_blob_key_is_escaped_once() {
    let mut transcript = told([tool(json!({ "toolCallId": "t", "rawOutput": { "$blob": 1 } }))]);
    transcript.apply(tool(json!({ "toolCallId": "t", "status": "completed" })));
    assert_eq!(call(&transcript, "t").raw_output, Some(json!({ "$$blob": 1 })));
}

#[test]
fn a_call_of_unknown_outcome_is_known_once_its_agent_says_so() {
    let mut transcript = told([tool(json!({ "toolCallId": "t", "status": "in_progress" }))]);
    assert_eq!(transcript.settle(ToolEnd::UnknownOutcome).len(), 1);
    assert!(call(&transcript, "t").unknown_outcome && !transcript.has_open_tool());
    transcript.apply(tool(json!({ "toolCallId": "t", "status": "in_progress" })));
    assert!(call(&transcript, "t").unknown_outcome);
    transcript.apply(tool(json!({ "toolCallId": "t", "status": "completed" })));
    assert!(!call(&transcript, "t").unknown_outcome);
}

#[test]
fn a_stopped_call_takes_its_late_end_and_does_not_become_busy_again() {
    let mut transcript = told([tool(json!({ "toolCallId": "z", "status": "in_progress" }))]);
    transcript.settle(ToolEnd::Stopped);
    assert_eq!(transcript.apply(tool(json!({ "toolCallId": "z", "status": "in_progress" }))), []);
    transcript.apply(tool(json!({ "toolCallId": "z", "status": "completed" })));
    assert_eq!(brief(&transcript), ["tool z \"\" completed"]);
}

#[test]
fn calls_that_are_kept_stay_open() {
    let mut transcript = told([tool(json!({ "toolCallId": "z", "status": "in_progress" })), text("a")]);
    assert_eq!(transcript.settle(ToolEnd::Keep), [Change::Close { index: 1 }]);
    assert!(transcript.has_open_tool());
}

#[test]
fn a_plan_is_replaced_in_place() {
    let mut transcript = told([plan("one"), text("a")]);
    let entries = json!([{ "content": "two" }]);
    assert_eq!(
        transcript.apply(plan("two")),
        [Change::Close { index: 1 }, Change::Replace { index: 0, part: Part::Plan(Plan::of(entries)) }]
    );
    assert_eq!(transcript.apply(plan("two")), []);
    assert_eq!(brief(&transcript), ["plan two", "text a"]);
}

#[test]
fn late_text_extends_a_last_text_part() {
    let parts = told([text("The answer is 4")]).parts().to_vec();
    for content in [text("2."), text_of("m1", "2.")] {
        let mut transcript = Transcript::from_parts(parts.clone());
        assert_eq!(transcript.apply(content), [Change::Append { index: 0, text: "2.".to_owned() }]);
        assert_eq!(transcript.settle(ToolEnd::Keep), [Change::Close { index: 0 }]);
    }
    let mut transcript = Transcript::from_parts(parts);
    transcript.apply(text_of("m1", "2."));
    transcript.apply(text_of("m2", "And"));
    assert_eq!(brief(&transcript), ["text The answer is 42.", "text And"]);
}

#[test]
fn late_text_does_not_reach_over_what_came_after() {
    let parts = told([text("a"), tool(json!({ "toolCallId": "t", "title": "T" }))]).parts().to_vec();
    let mut transcript = Transcript::from_parts(parts);
    assert!(transcript.knows_tool("t"));
    transcript.apply(tool(json!({ "toolCallId": "t", "status": "completed" })));
    transcript.apply(text("b"));
    assert_eq!(brief(&transcript), ["text a", "tool t \"T\" completed", "text b"]);
}

#[test]
fn only_text_counts_as_text() {
    assert!(!told([thought("x"), plan("y")]).has_text());
    assert!(told([text("x")]).has_text());
}

fn any_content() -> impl Strategy<Value = Content> {
    let message_id = || prop::option::of("m[12]");
    let status = prop::sample::select(vec![
        json!("pending"),
        json!("in_progress"),
        json!("completed"),
        json!("failed"),
        json!("cancelled"),
        json!("new_word"),
        Value::Null,
    ]);
    let output = prop::sample::select(vec![Value::Null, json!([]), json!("x"), json!({ "$blob": 1 })]);
    let patch = ("t[123]", prop::option::of("[ab]?"), prop::option::of(status), prop::option::of(output)).prop_map(
        |(id, title, status, output)| {
            let mut update = json!({ "toolCallId": id });
            if let Some(title) = title {
                update["title"] = title.into();
            }
            if let Some(status) = status {
                update["status"] = status;
            }
            if let Some(output) = output {
                update["rawOutput"] = output.clone();
                update["content"] = output;
            }
            tool(update)
        },
    );
    prop_oneof![
        4 => ("[a ü\n]{0,3}", message_id()).prop_map(|(text, message_id)| Content::Text { text, message_id }),
        2 => ("[a ü\n]{0,3}", message_id()).prop_map(|(text, message_id)| Content::Thought { text, message_id }),
        4 => patch,
        1 => "[ab]".prop_map(|step| plan(&step)),
        1 => any::<bool>().prop_map(|image| Content::File { image, file: FilePart::default() }),
        1 => Just(Content::Unknown { raw: json!({ "sessionUpdate": "x" }) }),
        1 => Just(Content::Error { code: "x".to_owned(), message: "y".to_owned(), detail: None }),
    ]
}

#[derive(Debug, Clone)]
enum Step {
    Apply(Box<Content>),
    Settle(ToolEnd),
    /// The message is read from the store again.
    Reload,
}

fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let end = prop::sample::select(vec![ToolEnd::Stopped, ToolEnd::UnknownOutcome, ToolEnd::Keep]);
    let step = prop_oneof![
        12 => any_content().prop_map(|content| Step::Apply(Box::new(content))),
        1 => end.prop_map(Step::Settle),
        1 => Just(Step::Reload),
    ];
    prop::collection::vec(step, 0..40)
}

fn take(transcript: &mut Transcript, step: Step) -> Vec<Change> {
    match step {
        Step::Apply(content) => transcript.apply(*content),
        Step::Settle(end) => transcript.settle(end),
        Step::Reload => {
            let changes = transcript.settle(ToolEnd::Keep);
            *transcript = Transcript::from_parts(transcript.parts().to_vec());
            changes
        }
    }
}

/// A reader of changes, as the store is one, that refuses what cannot be.
#[derive(Default)]
struct Reader {
    parts: Vec<Part>,
    open: Option<usize>,
}

impl Reader {
    fn read(&mut self, change: Change) {
        match change {
            Change::Open { index, part } => {
                assert_eq!((index, self.open), (self.parts.len(), None), "opened beside an open part");
                if let Some(text) = part.streamed() {
                    assert!(!text.is_empty());
                    self.open = Some(index);
                }
                self.parts.push(part);
            }
            Change::Append { index, text: piece } => {
                assert_eq!(index, self.parts.len() - 1, "only the last part grows");
                assert!(!piece.is_empty());
                self.open = Some(index);
                match &mut self.parts[index] {
                    Part::Text { text } | Part::Thought { text } => text.push_str(&piece),
                    other => panic!("appended to {other:?}"),
                }
            }
            Change::Close { index } => assert_eq!(self.open.take(), Some(index), "closed what is not open"),
            Change::Replace { index, part } => {
                let old = &self.parts[index];
                assert!(matches!(
                    (old, &part),
                    (Part::ToolCall(_), Part::ToolCall(_)) | (Part::Plan(_), Part::Plan(_))
                ));
                assert_ne!(old, &part, "replaced by the same");
                self.parts[index] = part;
            }
        }
    }
}

proptest! {
    #[test]
    fn the_changes_give_the_parts(steps in any_steps()) {
        let mut transcript = Transcript::new();
        let mut reader = Reader::default();
        for step in steps {
            take(&mut transcript, step).into_iter().for_each(|change| reader.read(change));
            prop_assert_eq!(transcript.parts(), &reader.parts);
        }
    }

    #[test]
    fn all_that_is_said_is_kept_in_order(contents in prop::collection::vec(any_content(), 0..40)) {
        let said = |content: &Content| match content {
            Content::Text { text, .. } | Content::Thought { text, .. } => text.clone(),
            _ => String::new(),
        };
        let expected: String = contents.iter().map(said).collect();
        let transcript = told(contents);
        let kept: String = transcript.parts().iter().filter_map(Part::streamed).collect();
        prop_assert_eq!(kept, expected);
    }

    #[test]
    fn a_tool_call_is_one_entry_whose_last_status_stays(steps in any_steps()) {
        let mut transcript = Transcript::new();
        for step in steps {
            let before: HashMap<String, ToolCall> = calls(&transcript);
            take(&mut transcript, step);
            let after = calls(&transcript);
            for (id, old) in before {
                let ended = old.status.as_deref().is_some_and(ToolCall::is_last_status);
                let status = after[&id].status.as_deref();
                prop_assert!(!ended || !matches!(status, None | Some("pending" | "in_progress")), "{id} is {status:?}");
            }
        }
    }

    #[test]
    fn settling_leaves_nothing_open(steps in any_steps(), crashed: bool) {
        let mut transcript = Transcript::new();
        for step in steps {
            take(&mut transcript, step);
        }
        transcript.settle(if crashed { ToolEnd::UnknownOutcome } else { ToolEnd::Stopped });
        prop_assert!(!transcript.has_open_tool());
        prop_assert_eq!(transcript.settle(ToolEnd::Stopped), []);
    }
}

/// The tool calls by id, each of which must be there once.
fn calls(transcript: &Transcript) -> HashMap<String, ToolCall> {
    let mut calls = HashMap::new();
    for part in transcript.parts() {
        if let Part::ToolCall(call) = part {
            assert!(calls.insert(call.tool_call_id.clone(), call.clone()).is_none(), "two entries for one call");
        }
    }
    calls
}
