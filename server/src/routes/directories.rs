//! The directory picker.

use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::extract::{Json, Params};
use crate::places::Directories;
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_directories))
}

/// Where to look.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Below {
    /// An absolute path; without one the home directory.
    path: Option<String>,
}

/// Directories below a path.
#[utoipa::path(get, path = "/directories", tag = "projects", params(Below),
    responses((status = 200, body = Directories, description = "The directory and those below it"), Problems))]
async fn list_directories(
    State(app): State<AppState>,
    Params(below): Params<Below>,
) -> Result<Json<Directories>, Problem> {
    let path = below.path.filter(|path| !path.is_empty());
    let path = path.unwrap_or_else(|| app.home.to_string_lossy().into_owned());
    let found = blocking(move || Directories::below(&path)).await?;
    found.map(Json).map_err(|error| Problem::invalid("path", error.to_string()))
}
