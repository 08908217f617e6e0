//! Pictures, sound and files that an agent sends inside its answer: kept as attachments, so that a chat does not carry them.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use base64::Engine as _;
use drover_acp::views::ContentKind;
use drover_domain::message::FilePart;
use drover_domain::transcript::Content;
use drover_domain::{Attachment, AttachmentId};
use sha2::{Digest, Sha256};

use crate::context::Context;

/// What an agent sent, decoded.
struct Received {
    name: String,
    declared: Option<String>,
    bytes: Vec<u8>,
}

/// Keeps what a content block holds, where it is a picture, sound or a file of its own. `None`: it is not, or it cannot be kept.
pub(crate) async fn keep(context: &Context, content: &ContentKind) -> Option<Content> {
    let received = decode(content)?;
    if received.bytes.len() as u64 > (context.config)().attachment_bytes {
        return None;
    }
    let id = AttachmentId::from_ulid(context.fresh());
    let mime_type = mime_type(&received);
    let attachment = Attachment {
        id,
        name: received.name.clone(),
        mime_type: mime_type.clone(),
        size: i64::try_from(received.bytes.len()).ok()?,
        sha256: Sha256::digest(&received.bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    let dir = context.store.data_dir().join("attachments");
    let written = tokio::task::spawn_blocking(move || write(&dir, id, &received.bytes)).await;
    let kept = match written {
        Ok(Ok(())) => context.store.add_attachment(&attachment, context.now()).await.map_err(|error| error.to_string()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = kept {
        tracing::warn!(%error, "a file that an agent sent cannot be kept");
        return None;
    }
    let image = mime_type.starts_with("image/");
    let size = Some(attachment.size);
    let file =
        FilePart { attachment_id: Some(id), path: None, name: attachment.name, mime_type: Some(mime_type), size };
    Some(Content::File { image, file })
}

fn decode(content: &ContentKind) -> Option<Received> {
    let (data, declared, uri) = match content {
        ContentKind::Image { data_base64, mime_type, uri } => (data_base64, mime_type, uri.as_deref()),
        ContentKind::Audio { data_base64, mime_type } => (data_base64, mime_type, None),
        ContentKind::Resource { uri, blob_base64: Some(blob), mime_type, .. } => (blob, mime_type, Some(uri.as_str())),
        _ => return None,
    };
    let bytes = base64::engine::general_purpose::STANDARD.decode(data).ok()?;
    let name = uri.and_then(|uri| uri.rsplit('/').next()).filter(|name| !name.is_empty());
    Some(Received { name: name.unwrap_or("attachment").to_owned(), declared: declared.clone(), bytes })
}

/// The type by the first bytes where it is a picture that browsers show; an agent's word for one is not trusted.
fn mime_type(received: &Received) -> String {
    let starts: [(&[u8], &str); 4] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
    ];
    let webp = received.bytes.get(8..12) == Some(b"WEBP");
    let seen =
        starts.into_iter().find(|(start, mime)| received.bytes.starts_with(start) && (*mime != "image/webp" || webp));
    match (seen, &received.declared) {
        (Some((_, mime)), _) => mime.to_owned(),
        (None, Some(declared)) if !declared.starts_with("image/") => declared.clone(),
        (None, _) => "application/octet-stream".to_owned(),
    }
}

fn write(dir: &Path, id: AttachmentId, bytes: &[u8]) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let path = dir.join(id.to_string());
    let mut file = std::fs::OpenOptions::new().create_new(true).write(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_told_by_its_bytes_and_not_by_the_agents_word() {
        let of = |declared: &str, bytes: &[u8]| {
            mime_type(&Received { name: String::new(), declared: Some(declared.into()), bytes: bytes.to_vec() })
        };
        assert_eq!(of("image/svg+xml", b"<svg onload=x>"), "application/octet-stream");
        assert_eq!(of("text/html", b"\x89PNG\r\n\x1a\n rest"), "image/png");
        assert_eq!(of("audio/wav", b"RIFF....WAVE"), "audio/wav");
        assert_eq!(of("image/webp", b"RIFF....WEBP"), "image/webp");
    }
}
