//! Content blocks.

use serde_json::Value;

use super::text;

/// A content block of a message or a tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentView {
    /// What it is.
    pub kind: ContentKind,
    /// Whether it is meant for the model only (`annotations.audience` is `["assistant"]`) and not to be shown as
    /// chat text.
    pub for_model_only: bool,
    /// The block as it came, or `null` for a text without anything else, which `kind` holds whole.
    pub raw: Value,
}

/// The kinds of content block.
#[derive(Debug, Clone, PartialEq)]
pub enum ContentKind {
    /// Text, never trimmed.
    Text(String),
    /// An image.
    Image {
        /// Base64.
        data_base64: String,
        /// As the agent said; not to be trusted.
        mime_type: Option<String>,
        /// Where it lies, if anywhere.
        uri: Option<String>,
    },
    /// Sound.
    Audio {
        /// Base64.
        data_base64: String,
        /// As the agent said; not to be trusted.
        mime_type: Option<String>,
    },
    /// A pointer to a file or page.
    ResourceLink {
        /// Where.
        uri: String,
        /// What to call it.
        name: Option<String>,
        /// A longer name.
        title: Option<String>,
        /// As the agent said.
        mime_type: Option<String>,
        /// In bytes.
        size: Option<u64>,
    },
    /// A file with its contents.
    Resource {
        /// Where it comes from.
        uri: String,
        /// Its contents, if it is a text.
        text: Option<String>,
        /// Its contents in base64, if it is not.
        blob_base64: Option<String>,
        /// As the agent said.
        mime_type: Option<String>,
    },
    /// A kind that we do not know, or a known one without what makes it one. All there is stands in `raw`.
    Other(String),
}

impl ContentView {
    /// Reads a block.
    pub fn of(mut block: Value) -> Self {
        if is_plain_text(&block)
            && let Some(Value::String(text)) = block.get_mut("text").map(Value::take)
        {
            return Self { kind: ContentKind::Text(text), for_model_only: false, raw: Value::Null };
        }
        Self { kind: kind_of(&block), for_model_only: for_model_only(&block), raw: block }
    }

    /// Its text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            ContentKind::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// By far the most frequent block, once for every word of an answer: not worth a copy.
fn is_plain_text(block: &Value) -> bool {
    let members = block.as_object().map_or(0, serde_json::Map::len);
    members == 2 && block["type"] == "text" && block["text"].is_string()
}

fn kind_of(block: &Value) -> ContentKind {
    // Some agents send a bare string where a block belongs.
    if let Value::String(text) = block {
        return ContentKind::Text(text.clone());
    }
    let kind = block["type"].as_str().unwrap_or_default();
    let known = match kind {
        "text" => text(block, "text").map(ContentKind::Text),
        "image" => text(block, "data").map(|data_base64| ContentKind::Image {
            data_base64,
            mime_type: text(block, "mimeType"),
            uri: text(block, "uri"),
        }),
        "audio" => text(block, "data")
            .map(|data_base64| ContentKind::Audio { data_base64, mime_type: text(block, "mimeType") }),
        "resource_link" => text(block, "uri").map(|uri| ContentKind::ResourceLink {
            uri,
            name: text(block, "name"),
            title: text(block, "title"),
            mime_type: text(block, "mimeType"),
            size: block["size"].as_u64(),
        }),
        "resource" => text(&block["resource"], "uri").map(|uri| ContentKind::Resource {
            uri,
            text: text(&block["resource"], "text"),
            blob_base64: text(&block["resource"], "blob"),
            mime_type: text(&block["resource"], "mimeType"),
        }),
        _ => None,
    };
    known.unwrap_or_else(|| ContentKind::Other(kind.to_owned()))
}

fn for_model_only(block: &Value) -> bool {
    let audience = block["annotations"]["audience"].as_array();
    audience.is_some_and(|audience| !audience.is_empty() && audience.iter().all(|reader| reader == "assistant"))
}
