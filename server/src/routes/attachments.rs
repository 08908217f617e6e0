//! Attachments: files in `attachments/`, named by their id, with a row each.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use drover_domain::{Attachment, AttachmentId, Timestamp};
use futures_util::StreamExt;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::fs::{self, File};
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::download::Download;
use crate::extract::{At, Params, cut_off, drain, too_large};
use crate::idempotency::once;
use crate::problem::{Problem, Problems};
use crate::state::AppState;
use crate::{secret, sniff};

/// How long an attachment that no message uses is kept, in milliseconds.
const UNSENT_MILLIS: i64 = 7 * 86_400_000;
/// A file without a row that is younger than this may be on its way to one.
const YOUNG: Duration = Duration::from_secs(3600);
/// How much of a file that is too large is read and thrown away, so that the sender gets to read the refusal.
const DRAIN_BYTES: usize = 256 << 20;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(create_attachment)).routes(routes!(get_attachment))
}

/// About a file that is sent.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct About {
    /// What it is called.
    name: Option<String>,
}

/// Keeps a file for a message to come. One that is not sent within 7 days is deleted.
#[utoipa::path(post, path = "/attachments", tag = "messages",
    params(About, ("Idempotency-Key" = Option<String>, Header, description = "Makes it once in a day")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "The file's bytes"),
    responses((status = 201, body = Attachment, description = "The attachment"), Problems))]
async fn create_attachment(
    State(app): State<AppState>,
    headers: HeaderMap,
    Params(about): Params<About>,
    request: Request,
) -> Result<Response, Problem> {
    let upload = Upload::receive(&app, request).await?;
    let name = sniff::clean_name(&about.name.unwrap_or_default());
    let asked = (name.clone(), upload.sha256.clone());
    once(&app, &headers, "attachments", &asked, upload.keep(&app, name)).await
}

/// The bytes of an attachment.
#[utoipa::path(get, path = "/attachments/{attachment_id}", tag = "messages",
    params(("attachment_id" = AttachmentId, Path, description = "The attachment")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>, description = "A picture, or a download"), Problems))]
async fn get_attachment(State(app): State<AppState>, At((id,)): At<(AttachmentId,)>) -> Result<Response, Problem> {
    let missing = || Problem::not_found("attachment");
    let attachment = app.store.attachment(id).await?.ok_or_else(missing)?;
    let file = File::open(app.attachments().join(id.to_string())).await.map_err(|_| missing())?;
    let download = Download {
        name: &attachment.name,
        mime_type: &attachment.mime_type,
        sha256: &attachment.sha256,
        size: attachment.size.unsigned_abs(),
    };
    Ok(download.answer(Body::from_stream(ReaderStream::new(file))))
}

/// A file that has arrived under a name of its own; removed again unless it is kept.
struct Upload {
    id: AttachmentId,
    half: Half,
    size: u64,
    sha256: String,
    mime_type: &'static str,
}

/// A file that is not in its place yet.
struct Half(PathBuf);

impl Drop for Half {
    fn drop(&mut self) {
        // Once it is in its place there is none of this name.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Upload {
    async fn receive(app: &AppState, request: Request) -> Result<Self, Problem> {
        let limit = app.config().attachment_bytes;
        let id: AttachmentId = app.fresh();
        let half = Half(app.attachments().join(format!("{id}.part")));
        let mut file = File::create(&half.0).await.map_err(cannot_write)?;
        let declared = declared_size(request.headers());
        let mut pieces = request.into_body().into_data_stream();
        let (mut size, mut hash, mut start) = (0, Sha256::new(), Vec::new());
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|_| cut_off())?;
            size += piece.len() as u64;
            if size.max(declared) > limit {
                drain(pieces, DRAIN_BYTES).await;
                return Err(too_large(limit));
            }
            let wanted = (sniff::LOOK - start.len()).min(piece.len());
            start.extend_from_slice(&piece[..wanted]);
            hash.update(&piece);
            file.write_all(&piece).await.map_err(cannot_write)?;
        }
        file.sync_all().await.map_err(cannot_write)?;
        let (sha256, mime_type) = (secret::hex(&hash.finalize()), sniff::mime_type(&start));
        Ok(Self { id, half, size, sha256, mime_type })
    }

    /// Puts the file in its place, then makes the row that names it.
    async fn keep(self, app: &AppState, name: String) -> Result<Attachment, Problem> {
        let dir = app.attachments();
        fs::rename(&self.half.0, dir.join(self.id.to_string())).await.map_err(cannot_write)?;
        let folder = File::open(&dir).await.map_err(cannot_write)?;
        folder.sync_all().await.map_err(cannot_write)?;
        let attachment = Attachment {
            id: self.id,
            name,
            mime_type: self.mime_type.to_owned(),
            size: i64::try_from(self.size).unwrap_or(i64::MAX),
            sha256: self.sha256,
        };
        app.store.add_attachment(&attachment, app.now()).await?;
        Ok(attachment)
    }
}

fn declared_size(headers: &HeaderMap) -> u64 {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    length.and_then(|length| length.parse().ok()).unwrap_or(0)
}

fn cannot_write(error: std::io::Error) -> Problem {
    drover_store::StoreError::from(error).into()
}

/// Deletes attachments that were not sent in time, and files that no row names.
pub(crate) async fn sweep(app: &AppState) -> Result<(), Problem> {
    let now = app.now();
    let before = Timestamp::from_millis(now.as_millis() - UNSENT_MILLIS);
    for stale in app.store.stale_attachments(before).await? {
        app.store.delete_attachment(stale.id, now).await?;
    }
    let mut entries = fs::read_dir(app.attachments()).await.map_err(cannot_write)?;
    while let Ok(Some(entry)) = entries.next_entry().await {
        let path = entry.path();
        let row = match id_of(&path) {
            Some(id) => app.store.attachment(id).await?,
            None => None,
        };
        let young = entry.metadata().await.is_ok_and(|seen| is_young(&seen));
        if row.is_none() && !young {
            // One that cannot be removed now is tried again at the next sweep.
            let _ = fs::remove_file(path).await;
        }
    }
    Ok(())
}

fn id_of(path: &Path) -> Option<AttachmentId> {
    path.file_name()?.to_str()?.parse().ok()
}

/// A time that cannot be told, or lies ahead, counts as young.
fn is_young(seen: &std::fs::Metadata) -> bool {
    let age = seen.modified().ok().and_then(|at| at.elapsed().ok());
    age.is_none_or(|age| age < YOUNG)
}
