//! The prompt of a run, built when it is sent, never when it is queued (lifecycle rules 5 and 10 to 15).

use std::collections::HashMap;
use std::path::Path;

use base64::Engine as _;
use drover_acp::messages::{EmbeddedResource, PromptBlock};
use drover_domain::handoff::{self, Handoff, Turn};
use drover_domain::message::FilePart;
use drover_domain::{AgentId, HandedOver, Message, MessageId, Part, Role, RunId, TaskId};
use drover_store::{Store, StoreError};

use crate::context::Context;
use crate::link::Able;

/// The longest text file, in bytes, whose contents stand in a prompt: a longer one is better read in parts.
const MOST_TEXT: i64 = 64 * 1024;

/// What a send to an agent would hand over now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// How many turns.
    pub turns: usize,
    /// How many bytes of text.
    pub bytes: usize,
    /// The exact text; empty where nothing is handed over.
    pub text: String,
    /// Whether the agent's session will have seen nothing.
    pub new_session: bool,
}

/// Which prompt to build.
pub(crate) struct Wanted<'a> {
    pub(crate) task: TaskId,
    pub(crate) agent: &'a AgentId,
    pub(crate) run: RunId,
    pub(crate) user_message: MessageId,
    pub(crate) ordinal: i64,
    pub(crate) able: Able,
}

/// A prompt that was built.
pub(crate) struct Built {
    pub(crate) blocks: Vec<PromptBlock>,
    /// How much of it is the handoff.
    pub(crate) handoff: Option<HandedOver>,
    /// The cursor that it was built from.
    pub(crate) seen_ordinal: i64,
}

/// The blocks of a prompt: the handoff, files of missed turns, the user's text unchanged, the user's files.
pub(crate) async fn build(context: &Context, wanted: Wanted<'_>) -> Result<Built, StoreError> {
    let link = context.store.link_row(wanted.task, wanted.agent).await?;
    let seen_ordinal = link.link.seen_ordinal;
    let missed = context.store.messages_between(wanted.task, seen_ordinal, wanted.ordinal).await?;
    let file = context.store.data_dir().join("transcripts").join(format!("{}.md", wanted.run));
    let (mut blocks, mut handed) = (Vec::new(), None);
    if let Some(handoff) = render(context, &missed, Some(&file)) {
        if !handoff.is_whole {
            write_transcript(context, &wanted, &file).await?;
        }
        let Handoff { turns, left_out, bytes, .. } = handoff;
        handed = Some(HandedOver { turns, left_out, bytes });
        blocks.push(PromptBlock::Text { text: handoff.text });
    }
    for message in &missed {
        files(&context.store, &message.parts, wanted.able, &mut blocks).await?;
    }
    if let Some(message) = context.store.message(wanted.user_message).await? {
        let text = message.parts.iter().filter_map(Part::streamed).collect::<String>();
        if !text.is_empty() {
            blocks.push(PromptBlock::Text { text });
        }
        files(&context.store, &message.parts, wanted.able, &mut blocks).await?;
    }
    Ok(Built { blocks, handoff: handed, seen_ordinal })
}

/// What would be handed over to an agent with this cursor if something were sent now.
pub(crate) async fn preview(context: &Context, task: TaskId, agent: &AgentId) -> Result<Preview, StoreError> {
    let link = context.store.link_row(task, agent).await?;
    let missed = context.store.messages_between(task, link.link.seen_ordinal, i64::MAX).await?;
    let missed: Vec<Message> = missed.into_iter().filter(|message| message.head.status.is_settled()).collect();
    let handoff = render(context, &missed, None);
    Ok(Preview {
        turns: handoff.as_ref().map_or(0, |handoff| handoff.turns),
        bytes: handoff.as_ref().map_or(0, |handoff| handoff.bytes),
        text: handoff.map(|handoff| handoff.text).unwrap_or_default(),
        new_session: !link.link.has_session,
    })
}

fn render(context: &Context, missed: &[Message], file: Option<&Path>) -> Option<Handoff> {
    let names = names(context, missed);
    let file = file.map(|path| path.to_string_lossy());
    handoff::render(&turns(missed, &names), (context.config)().handoff_bytes, file.as_deref())
}

/// The whole chat up to a prompt, for the agent to read what its handoff has no room for.
async fn write_transcript(context: &Context, wanted: &Wanted<'_>, file: &Path) -> Result<(), StoreError> {
    let chat = context.store.messages_between(wanted.task, 0, wanted.ordinal).await?;
    if let Some(dir) = file.parent() {
        std::fs::create_dir_all(dir)?;
    }
    Ok(std::fs::write(file, handoff::transcript(&turns(&chat, &names(context, &chat))))?)
}

/// What each agent is called in a handoff: its name, and its id, which is what stays when a name is changed.
fn names(context: &Context, missed: &[Message]) -> HashMap<AgentId, String> {
    let agents = missed.iter().filter_map(|message| message.head.agent.clone());
    let called = |agent: &AgentId| match context.catalogue.get(agent) {
        Some(entry) if entry.name != agent.as_str() => format!("{} ({agent})", entry.name),
        _ => agent.to_string(),
    };
    agents.map(|agent| (agent.clone(), called(&agent))).collect()
}

fn turns<'a>(missed: &'a [Message], names: &'a HashMap<AgentId, String>) -> Vec<Turn<'a>> {
    let turn = |message: &'a Message| Turn {
        ordinal: message.head.ordinal,
        role: message.head.role,
        origin: message.head.origin,
        agent_name: message
            .head
            .agent
            .as_ref()
            .filter(|_| message.head.role == Role::Assistant)
            .and_then(|agent| names.get(agent))
            .map(String::as_str),
        status: message.head.status,
        parts: &message.parts,
    };
    missed.iter().map(turn).collect()
}

/// Pictures, sound and text files as blocks where the agent takes them, all else as links to files on disk.
async fn files(store: &Store, parts: &[Part], able: Able, blocks: &mut Vec<PromptBlock>) -> Result<(), StoreError> {
    for part in parts {
        let (is_image, file) = match part {
            Part::Image(file) => (true, file),
            Part::File(file) => (false, file),
            _ => continue,
        };
        let block = match contents(store, is_image, able, file).await? {
            Some(block) => Some(block),
            None => link_to(store, file),
        };
        blocks.extend(block);
    }
    Ok(())
}

/// What was attached, as the block that the agent takes it in; `None` where it takes none, and for files of the project.
async fn contents(
    store: &Store,
    is_image: bool,
    able: Able,
    file: &FilePart,
) -> Result<Option<PromptBlock>, StoreError> {
    let Some(id) = file.attachment_id else { return Ok(None) };
    let path = store.data_dir().join("attachments").join(id.to_string());
    let mime_type = file.mime_type.clone();
    let is_sound = mime_type.as_deref().is_some_and(|mime_type| mime_type.starts_with("audio/"));
    let is_small = file.size.is_some_and(|size| size <= MOST_TEXT);
    Ok(if is_image && able.image || is_sound && able.audio {
        let data = base64::engine::general_purpose::STANDARD.encode(tokio::fs::read(&path).await?);
        let mime_type = mime_type.unwrap_or_else(|| "application/octet-stream".into());
        Some(if is_image {
            PromptBlock::Image { data, mime_type, uri: None }
        } else {
            PromptBlock::Audio { data, mime_type }
        })
    } else if !is_image && !is_sound && able.embedded && is_small {
        let text = String::from_utf8(tokio::fs::read(&path).await?).ok().filter(|text| !text.contains('\0'));
        text.map(|text| PromptBlock::Resource {
            resource: EmbeddedResource::Text { uri: file_uri(&path), text, mime_type },
        })
    } else {
        None
    })
}

/// A link to a file on disk.
fn link_to(store: &Store, file: &FilePart) -> Option<PromptBlock> {
    let uri = match (&file.attachment_id, &file.path) {
        (Some(id), _) => file_uri(&store.data_dir().join("attachments").join(id.to_string())),
        (None, Some(path)) if path.starts_with('/') => file_uri(Path::new(path)),
        (None, Some(uri)) => uri.clone(),
        (None, None) => return None,
    };
    Some(PromptBlock::ResourceLink {
        uri,
        name: file.name.clone(),
        mime_type: file.mime_type.clone(),
        size: file.size.and_then(|size| u64::try_from(size).ok()),
    })
}

/// A `file://` address: every byte that is not unreserved or a slash is percent-encoded (RFC 8089, RFC 3986).
fn file_uri(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;

    let mut uri = String::from("file://");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(*byte)),
            other => {
                // Writing to a string cannot fail.
                let _ = write!(uri, "%{other:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_an_address_that_means_the_same_bytes() {
        assert_eq!(file_uri(Path::new("/a b/100%/ü#?.png")), "file:///a%20b/100%25/%C3%BC%23%3F.png");
    }
}
