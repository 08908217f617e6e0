//! Blobs: large values of tool calls.

use axum::extract::State;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::download::Download;
use crate::extract::At;
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_blob))
}

/// The bytes of a blob.
#[utoipa::path(get, path = "/blobs/{sha256}", tag = "messages",
    params(("sha256" = String, Path, description = "The SHA-256 of its bytes, in lower-case hexadecimal")),
    responses((status = 200, content_type = "text/plain", body = String, description = "The bytes, as a download"), Problems))]
async fn get_blob(State(app): State<AppState>, At((sha256,)): At<(String,)>) -> Result<Response, Problem> {
    let missing = || Problem::not_found("blob");
    if !is_sha256(&sha256) {
        return Err(missing());
    }
    let bytes = app.store.blob(&sha256).await?.ok_or_else(missing)?;
    let download = Download {
        name: &format!("{}.txt", &sha256[..12]),
        mime_type: "text/plain; charset=utf-8",
        sha256: &sha256,
        size: bytes.len() as u64,
    };
    Ok(download.answer(bytes.into()))
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}
