//! Blobs: what is too large to stand in a part.
//!
//! A tool call's `content`, `raw_input` and `raw_output` have two forms. The *agent's form* is what came over the wire.
//! In the *stored form* an object with the one key `$blob` names a blob, so an agent's own key of that name is written
//! `$$blob`, and so on. [`own_keys`] goes from the first to the second and is done once, when a value arrives
//! ([`crate::transcript::Transcript`] does it); [`cut`] takes and gives the stored form and may be done any number of
//! times.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::Part;
use crate::message::ToolCall;

/// A string, member or content item of more bytes than this becomes a blob.
pub const BLOB_OVER: usize = 16 * 1024;

/// How many bytes of a blob its part keeps, at most.
pub const PREVIEW: usize = 2 * 1024;

const KEY: &str = "$blob";

/// A blob that was cut out of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBlob {
    /// The SHA-256 of its bytes, in lower-case hexadecimal.
    pub sha256: String,
    /// What it holds: a string's UTF-8, or the JSON of a whole member or item in the stored form.
    pub bytes: Vec<u8>,
}

/// The stored form of a value in the agent's form: each key that is `$blob` behind any number of `$` gets one more `$`.
pub fn own_keys(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(own_keys).collect()),
        Value::Object(members) => {
            let escaped = |key: String| if is_reserved(&key) { format!("${key}") } else { key };
            Value::Object(members.into_iter().map(|(key, value)| (escaped(key), own_keys(value))).collect())
        }
        other => other,
    }
}

/// Cuts what is over [`BLOB_OVER`] out of `call`, whose values are in the stored form (docs/api.md, "Objects").
///
/// Each string over the limit, at any depth, becomes `{"$blob": {sha256, size, preview}}` of its UTF-8 bytes. A member of
/// a top-level object, or an item of a top-level array such as `content`, whose JSON is still over the limit becomes one
/// blob of its JSON. Each blob is returned once, in order. Cutting what was cut changes nothing.
pub fn cut(call: &ToolCall) -> (ToolCall, Vec<NewBlob>) {
    let mut blobs = Vec::new();
    let call = ToolCall {
        content: cut_value(&call.content, &mut blobs),
        raw_input: call.raw_input.as_ref().map(|value| cut_value(value, &mut blobs)),
        raw_output: call.raw_output.as_ref().map(|value| cut_value(value, &mut blobs)),
        ..call.clone()
    };
    let mut seen = BTreeSet::new();
    blobs.retain(|blob| seen.insert(blob.sha256.clone()));
    (call, blobs)
}

/// The hashes of the blobs that a stored part names, each once, in order.
pub fn blob_refs(part: &Part) -> Vec<String> {
    let Part::ToolCall(call) = part else { return Vec::new() };
    let mut found = Vec::new();
    for value in [Some(&call.content), call.raw_input.as_ref(), call.raw_output.as_ref()].into_iter().flatten() {
        collect_refs(value, &mut found);
    }
    let mut seen = BTreeSet::new();
    found.retain(|sha256| seen.insert(sha256.clone()));
    found
}

fn is_reserved(key: &str) -> bool {
    key.starts_with('$') && key.trim_start_matches('$') == "blob"
}

fn collect_refs(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_refs(item, found)),
        Value::Object(members) => match members.get(KEY) {
            Some(blob) => found.extend(blob.get("sha256").and_then(Value::as_str).map(str::to_owned)),
            None => members.values().for_each(|member| collect_refs(member, found)),
        },
        _ => {}
    }
}

fn cut_value(value: &Value, blobs: &mut Vec<NewBlob>) -> Value {
    match value {
        Value::Object(members) if !members.contains_key(KEY) => Value::Object(
            members.iter().map(|(key, member)| (key.clone(), cut_member(member, blobs))).collect::<Map<_, _>>(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(|item| cut_member(item, blobs)).collect()),
        other => cut_strings(other, blobs),
    }
}

fn cut_member(member: &Value, blobs: &mut Vec<NewBlob>) -> Value {
    let before = blobs.len();
    let small = cut_strings(member, blobs);
    if json_len(&small) <= BLOB_OVER {
        return small;
    }
    // The one blob holds the whole strings: a blob that names others could not be counted by looking at parts.
    blobs.truncate(before);
    reference(member.to_string(), blobs)
}

fn cut_strings(value: &Value, blobs: &mut Vec<NewBlob>) -> Value {
    match value {
        Value::String(text) if text.len() > BLOB_OVER => reference(text.clone(), blobs),
        Value::Array(items) => Value::Array(items.iter().map(|item| cut_strings(item, blobs)).collect()),
        Value::Object(members) if !members.contains_key(KEY) => Value::Object(
            members.iter().map(|(key, member)| (key.clone(), cut_strings(member, blobs))).collect::<Map<_, _>>(),
        ),
        other => other.clone(),
    }
}

fn reference(text: String, blobs: &mut Vec<NewBlob>) -> Value {
    let sha256 = hex(&Sha256::digest(&text));
    let preview = &text[..text.floor_char_boundary(PREVIEW)];
    let value = json!({ KEY: { "sha256": sha256, "size": text.len(), "preview": preview } });
    blobs.push(NewBlob { sha256, bytes: text.into_bytes() });
    value
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// How long the JSON of `value` is, without writing it anywhere.
fn json_len(value: &Value) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Neither the counter nor the keys of a `Value` can make this fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn call(raw_output: Value) -> ToolCall {
        ToolCall { raw_output: Some(raw_output), ..ToolCall::default() }
    }

    fn cut_output(raw_output: Value) -> (Value, Vec<NewBlob>) {
        let (call, blobs) = cut(&call(raw_output));
        (call.raw_output.unwrap(), blobs)
    }

    #[test]
    fn a_large_string_becomes_a_blob_of_its_bytes_at_any_depth() {
        let long = "y".repeat(BLOB_OVER + 1);
        let (value, blobs) = cut_output(json!({ "a": [{ "out": long }], "short": "x" }));
        let blob = &value["a"][0]["out"]["$blob"];
        assert_eq!(blob["size"], BLOB_OVER + 1);
        assert_eq!(blob["preview"], "y".repeat(PREVIEW));
        assert_eq!(value["short"], "x");
        assert_eq!(blobs.len(), 1);
        assert_eq!(blobs[0].bytes, long.as_bytes());
        assert_eq!(blob["sha256"], blobs[0].sha256);
    }

    #[test]
    fn the_hash_is_the_one_everybody_computes() {
        let (_, blobs) = cut_output(json!("a".repeat(1_000_000)));
        assert_eq!(blobs[0].sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    }

    #[test]
    fn a_string_of_just_the_limit_stays() {
        let value = json!("x".repeat(BLOB_OVER));
        assert_eq!(cut_output(value.clone()), (value, Vec::new()));
    }

    #[test]
    fn a_preview_ends_with_a_whole_character() {
        let (value, _) = cut_output(json!(format!("x{}", "你".repeat(BLOB_OVER))));
        let preview = value["$blob"]["preview"].as_str().unwrap();
        assert_eq!(preview, format!("x{}", "你".repeat((PREVIEW - 1) / 3)));
    }

    #[test]
    fn a_member_of_many_small_things_becomes_one_blob_of_its_json() {
        let many = json!(vec!["x".repeat(1000); 20]);
        let (value, blobs) = cut_output(json!({ "lines": many, "code": 0 }));
        assert_eq!(value["code"], 0);
        assert_eq!(value["lines"]["$blob"]["size"], many.to_string().len());
        assert_eq!(blobs.iter().map(|blob| blob.bytes.clone()).collect::<Vec<_>>(), [many.to_string().into_bytes()]);
    }

    #[test]
    fn a_member_of_just_the_limit_stays() {
        // Two strings, two pairs of quotes, a comma and two brackets.
        let of_size = |size: usize| json!({ "member": ["x".repeat(size / 2), "x".repeat(size - size / 2 - 7)] });
        assert_eq!(cut_output(of_size(BLOB_OVER)), (of_size(BLOB_OVER), Vec::new()));
        assert_eq!(cut_output(of_size(BLOB_OVER + 1)).0["member"]["$blob"]["size"], BLOB_OVER + 1);
    }

    #[test]
    fn a_member_of_many_blobs_becomes_one_that_names_no_other() {
        let many = json!(vec!["x".repeat(BLOB_OVER + 1); 20]);
        let (value, blobs) = cut_output(json!({ "lines": many }));
        assert_eq!(value["lines"]["$blob"]["size"], many.to_string().len());
        assert_eq!(blobs.len(), 1);
        assert_eq!(blobs[0].bytes, many.to_string().into_bytes());
    }

    #[test]
    fn a_content_item_becomes_one_blob_and_its_neighbours_stay() {
        let big = json!({ "type": "x", "items": vec!["x".repeat(1000); 20] });
        let small = json!({ "type": "content", "content": { "type": "text", "text": "hi" } });
        let (cut, blobs) = cut(&ToolCall { content: json!([big, small]), ..ToolCall::default() });
        assert_eq!(cut.content[0]["$blob"]["size"], big.to_string().len());
        assert_eq!(cut.content[1], small);
        assert_eq!(blobs.len(), 1);
    }

    #[test]
    fn equal_blobs_are_returned_and_named_once() {
        let long = "z".repeat(BLOB_OVER + 1);
        let both =
            ToolCall { raw_input: Some(json!(long)), raw_output: Some(json!({ "a": long })), ..ToolCall::default() };
        let (cut, blobs) = cut(&both);
        assert_eq!(blobs.len(), 1);
        assert_eq!(blob_refs(&Part::ToolCall(cut)), [blobs[0].sha256.clone()]);
    }

    #[test]
    fn an_agents_own_key_is_kept_apart() {
        let stored = own_keys(json!({ "$blob": { "$$blob": 1 }, "$blobs": 2, "blob": 3 }));
        assert_eq!(stored, json!({ "$$blob": { "$$$blob": 1 }, "$blobs": 2, "blob": 3 }));
        let fake = own_keys(json!({ "$blob": { "sha256": "0".repeat(64) } }));
        assert_eq!(blob_refs(&Part::ToolCall(call(fake))), Vec::<String>::new());
    }

    #[test]
    fn other_parts_name_no_blobs() {
        let raw = json!({ "$blob": { "sha256": "0".repeat(64) } });
        assert_eq!(blob_refs(&Part::Unknown { raw }), Vec::<String>::new());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let string = prop_oneof![
            4 => "[a-z$ü\n]{0,9}".prop_map(Value::from),
            1 => (1..40_000usize, "[xü😀]").prop_map(|(n, c)| Value::from(c.repeat(n / c.len() + 1))),
        ];
        let leaf = prop_oneof![string, any::<i32>().prop_map(Value::from), Just(Value::Null)];
        let key = prop_oneof![4 => "[a-z]{1,3}", 1 => r"\${1,3}blob"];
        leaf.prop_recursive(4, 24, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((key.clone(), inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// Puts what was cut back, and the agent's own keys too: the reader's side of the contract.
    fn restored(value: &Value, blobs: &[NewBlob]) -> Value {
        match value {
            Value::Array(items) => items.iter().map(|item| restored(item, blobs)).collect(),
            Value::Object(members) if members.contains_key(KEY) => {
                let sha256 = members[KEY]["sha256"].as_str().unwrap();
                let bytes = &blobs.iter().find(|blob| blob.sha256 == sha256).unwrap().bytes;
                let text = String::from_utf8(bytes.clone()).unwrap();
                // A whole member begins as a list or object does; no text made here does.
                if text.starts_with(['[', '{']) {
                    restored(&serde_json::from_str(&text).unwrap(), blobs)
                } else {
                    Value::from(text)
                }
            }
            Value::Object(members) => {
                let own = |key: &String| if is_reserved(key) { key[1..].to_owned() } else { key.clone() };
                Value::Object(members.iter().map(|(key, value)| (own(key), restored(value, blobs))).collect())
            }
            other => other.clone(),
        }
    }

    fn largest_string(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(largest_string).max().unwrap_or(0),
            Value::Object(members) => members.values().map(largest_string).max().unwrap_or(0),
            _ => 0,
        }
    }

    proptest! {
        #[test]
        fn nothing_large_stays_and_nothing_is_lost(sent in any_json()) {
            let (stored, blobs) = cut_output(own_keys(sent.clone()));
            prop_assert!(largest_string(&stored) <= BLOB_OVER);
            let members: Vec<&Value> = match &stored {
                Value::Array(items) => items.iter().collect(),
                Value::Object(members) if !members.contains_key(KEY) => members.values().collect(),
                _ => Vec::new(),
            };
            prop_assert!(members.into_iter().all(|member| json_len(member) <= BLOB_OVER));
            prop_assert_eq!(restored(&stored, &blobs), sent);
            let named: BTreeSet<String> = blob_refs(&Part::ToolCall(call(stored))).into_iter().collect();
            let made: BTreeSet<String> = blobs.into_iter().map(|blob| blob.sha256).collect();
            prop_assert_eq!(named, made);
        }

        #[test]
        fn cutting_what_was_cut_changes_nothing(sent in any_json()) {
            let (once, _) = cut_output(own_keys(sent));
            prop_assert_eq!(cut_output(once.clone()), (once, Vec::new()));
        }
    }
}
