//! Settings: config.toml.

use axum::extract::State;
use drover_supervisor::config::{self, Config, ConfigPatch};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::agents::FileProblem;
use crate::blocking::blocking;
use crate::extract::Json;
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_settings, update_settings))
}

/// The settings that hold.
#[derive(Serialize, ToSchema)]
struct Settings {
    /// Every key of config.toml with its value.
    settings: Config,
    /// What is wrong with config.toml, while it does not parse; the last good one holds.
    problem: Option<FileProblem>,
}

/// The settings.
#[utoipa::path(get, path = "/settings", tag = "settings", responses((status = 200, body = Settings, description = "The settings"), Problems))]
async fn get_settings(State(app): State<AppState>) -> Json<Settings> {
    let problem = app
        .config
        .problem()
        .map(|problem| FileProblem { file: problem.path.display().to_string(), detail: problem.located_detail() });
    let settings = (*app.config()).clone();
    Json(Settings { settings, problem })
}

/// Changes settings in config.toml; what else is in the file stays.
#[utoipa::path(patch, path = "/settings", tag = "settings", request_body = ConfigPatch,
    responses((status = 200, body = Settings, description = "The settings"), Problems))]
async fn update_settings(
    State(app): State<AppState>,
    Json(change): Json<ConfigPatch>,
) -> Result<Json<Settings>, Problem> {
    let path = app.dir.config();
    let settings = blocking(move || config::patch(&path, &change)).await??;
    // Read at once, so that this is the last good one should the file be broken next.
    app.config();
    Ok(Json(Settings { settings, problem: None }))
}
