//! What a prompt holds: what was handed over, the user's words, what was attached.

use serde_json::Value;

/// A prompt as the tour reads it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Prompt {
    /// The user's words.
    pub(crate) text: String,
    /// The turns that other agents had, where some were handed over.
    pub(crate) handed: Option<Handed>,
    /// Names of what was attached; pictures that have none are told by their type.
    pub(crate) attached: Vec<String>,
}

/// A handoff: the block `<handoff turns="…" left_out="…">` in front of a prompt.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Handed {
    /// How many turns it tells.
    pub(crate) turns: usize,
    /// How many it left out for lack of room.
    pub(crate) left_out: usize,
    /// Its size in bytes.
    pub(crate) bytes: usize,
    /// The agents that had turns, each once, in the order in which they spoke.
    pub(crate) agents: Vec<String>,
}

impl Prompt {
    /// Reads the content blocks of `session/prompt`. A block of an unknown kind counts as attached.
    pub(crate) fn read(blocks: &[Value]) -> Self {
        let mut prompt = Self::default();
        for block in blocks {
            match block["type"].as_str() {
                Some("text") => prompt.take_text(block["text"].as_str().unwrap_or_default()),
                _ => prompt.attached.push(name_of(block)),
            }
        }
        prompt
    }

    fn take_text(&mut self, text: &str) {
        if let Some(handed) = Handed::read(text).filter(|_| self.handed.is_none() && self.text.is_empty()) {
            self.handed = Some(handed);
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text.trim());
    }
}

impl Handed {
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let head = lines.next().filter(|line| line.starts_with("<handoff "))?;
        let number = |name| attribute(head, name).and_then(|value| value.parse().ok()).unwrap_or_default();
        let mut handed =
            Self { turns: number("turns"), left_out: number("left_out"), bytes: text.len(), agents: Vec::new() };
        // A line of the turns themselves cannot look like this: what would is escaped in a handoff.
        for agent in lines.filter(|line| line.starts_with("<turn ")).filter_map(|line| attribute(line, "agent")) {
            if !handed.agents.contains(&agent) {
                handed.agents.push(agent);
            }
        }
        Some(handed)
    }
}

/// The value of an attribute, its entities resolved.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}

fn name_of(block: &Value) -> String {
    let resource = &block["resource"];
    let candidates =
        [&block["title"], &block["name"], &block["uri"], &resource["uri"], &block["mimeType"], &block["type"]];
    let name = candidates.into_iter().find_map(|value| value.as_str().filter(|text| !text.is_empty()));
    name.unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> Value {
        json!({"type": "text", "text": text})
    }

    #[test]
    fn a_handoff_is_told_from_what_the_user_wrote() {
        let handoff = "<handoff turns=\"3\" left_out=\"2\">\nThese are the turns.\n\n\
            <turn number=\"1\" role=\"user\">\nhi\n</turn>\n\
            <turn number=\"2\" role=\"assistant\" agent=\"A &amp; &quot;B&quot;\" status=\"done\">\nhello\n</turn>\n\
            <turn number=\"3\" role=\"assistant\" agent=\"A &amp; &quot;B&quot;\">\nmore\n</turn>\n</handoff>";
        let prompt = Prompt::read(&[text(handoff), text("go on ")]);
        assert_eq!(prompt.text, "go on");
        let agents = vec!["A & \"B\"".to_owned()];
        assert_eq!(prompt.handed, Some(Handed { turns: 3, left_out: 2, bytes: handoff.len(), agents }));
    }

    #[test]
    fn a_user_who_writes_of_a_handoff_hands_nothing_over() {
        let prompt = Prompt::read(&[text("what is this?"), text("<handoff turns=\"3\">")]);
        assert_eq!(prompt.handed, None);
        assert_eq!(prompt.text, "what is this?\n<handoff turns=\"3\">");
    }

    #[test]
    fn whatever_else_is_there_was_attached() {
        let prompt = Prompt::read(&[
            json!({"type": "image", "mimeType": "image/png", "data": ""}),
            json!({"type": "resource_link", "name": "a.txt", "uri": "file:///a.txt"}),
            json!({"type": "resource", "resource": {"uri": "file:///b.txt", "text": "b"}}),
            json!({"type": "hologram"}),
            json!(7),
        ]);
        assert_eq!(prompt.attached, ["image/png", "a.txt", "file:///b.txt", "hologram", "?"]);
    }
}
