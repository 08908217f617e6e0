//! Runs.

use axum::extract::State;
use axum::http::StatusCode;
use drover_domain::{Run, RunId};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json, Nothing};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get_run, drop_run))
        .routes(routes!(get_prompt))
        .routes(routes!(cancel_run))
        .routes(routes!(end_processes))
}

/// What an agent was sent.
#[derive(Serialize, ToSchema)]
struct Prompt {
    /// The content blocks, exactly as they were sent.
    #[schema(value_type = Vec<Object>)]
    prompt: Value,
}

/// A run with its attempts.
#[utoipa::path(get, path = "/runs/{run_id}", tag = "runs", params(("run_id" = RunId, Path, description = "The run")),
    responses((status = 200, body = Run, description = "The run"), Problems))]
async fn get_run(State(app): State<AppState>, At((id,)): At<(RunId,)>) -> Result<Json<Run>, Problem> {
    let run = app.store.run(id).await?;
    run.map(Json).ok_or_else(|| Problem::not_found("run"))
}

/// The exact content blocks that were sent; 404 before they were.
#[utoipa::path(get, path = "/runs/{run_id}/prompt", tag = "runs", params(("run_id" = RunId, Path, description = "The run")),
    responses((status = 200, body = Prompt, description = "The prompt"), Problems))]
async fn get_prompt(State(app): State<AppState>, At((id,)): At<(RunId,)>) -> Result<Json<Prompt>, Problem> {
    let blocks = app.store.prompt(id).await?;
    let blocks = blocks.ok_or_else(|| Problem::not_found("prompt: the run does not exist or nothing was sent yet"))?;
    let prompt = serde_json::from_str(&blocks).map_err(Problem::internal)?;
    Ok(Json(Prompt { prompt }))
}

/// Stops a run.
#[utoipa::path(post, path = "/runs/{run_id}/cancel", tag = "runs", params(("run_id" = RunId, Path, description = "The run")),
    responses((status = 202, body = Run, description = "It is being stopped"),
        (status = 200, body = Run, description = "It had ended before; nothing happens"), Problems))]
async fn cancel_run(
    State(app): State<AppState>,
    At((id,)): At<(RunId,)>,
    _: Nothing,
) -> Result<(StatusCode, Json<Run>), Problem> {
    let (run, stopping) = app.store.cancel_run(id, app.now()).await?;
    let status = if stopping { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(run)))
}

/// Ends the commands that a cancelled run's agent left running; `processes` then tells that they are gone.
#[utoipa::path(delete, path = "/runs/{run_id}/processes", tag = "runs", params(("run_id" = RunId, Path, description = "The run")),
    responses((status = 202, body = Run, description = "They are being ended"), Problems))]
async fn end_processes(
    State(app): State<AppState>,
    At((id,)): At<(RunId,)>,
) -> Result<(StatusCode, Json<Run>), Problem> {
    Ok((StatusCode::ACCEPTED, Json(app.store.end_processes(id, app.now()).await?)))
}

/// Drops a queued run with its messages.
#[utoipa::path(delete, path = "/runs/{run_id}", tag = "runs", params(("run_id" = RunId, Path, description = "The run")),
    responses((status = 204, description = "It is gone"), Problems))]
async fn drop_run(State(app): State<AppState>, At((id,)): At<(RunId,)>) -> Result<StatusCode, Problem> {
    app.store.drop_run(id, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}
