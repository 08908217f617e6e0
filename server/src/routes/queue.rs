//! Changing the queue.

use axum::extract::State;
use axum::http::StatusCode;
use drover_domain::{Run, RunId};
use drover_store::RunPatch;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json, Nothing};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(send_run_now)).routes(routes!(patch_run))
}

/// What to change in a queued run.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PatchRun {
    /// Other words.
    text: Option<String>,
    /// Before which other queued run of the task it is to start; null: at the end.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<RunId>)]
    before: Option<Option<String>>,
}

/// Tells null from absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Lets a queued run jump the queue: the active one is stopped.
#[utoipa::path(post, path = "/runs/{run_id}/send_now", tag = "runs",
    params(("run_id" = RunId, Path, description = "The queued run")),
    responses((status = 202, body = Run, description = "It is the next"), Problems))]
async fn send_run_now(
    State(app): State<AppState>,
    At((id,)): At<(RunId,)>,
    _: Nothing,
) -> Result<(StatusCode, Json<Run>), Problem> {
    Ok((StatusCode::ACCEPTED, Json(app.store.send_now(id, app.now()).await?)))
}

/// Changes the words or the place of a queued run.
#[utoipa::path(patch, path = "/runs/{run_id}", tag = "runs", request_body = PatchRun,
    params(("run_id" = RunId, Path, description = "The queued run")),
    responses((status = 200, body = Run, description = "The run as it is now"), Problems))]
async fn patch_run(
    State(app): State<AppState>,
    At((id,)): At<(RunId,)>,
    Json(body): Json<PatchRun>,
) -> Result<Json<Run>, Problem> {
    let bad = || Problem::invalid("before", "there is no such place in the queue");
    let before = match body.before {
        Some(Some(text)) => Some(Some(text.parse::<RunId>().map_err(|_| bad())?)),
        Some(None) => Some(None),
        None => None,
    };
    Ok(Json(app.store.patch_run(id, RunPatch { text: body.text, before }, app.now()).await?))
}
