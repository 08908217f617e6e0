//! Files of a project, for @-mentions.

use std::path::PathBuf;

use axum::extract::State;
use drover_domain::ProjectId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::extract::{At, Json, Limit, Params};
use crate::finder;
use crate::problem::{Problem, Problems};
use crate::state::AppState;

const USUAL: i64 = 20;
const MOST: i64 = 200;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(find_files))
}

/// What to find.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Letters of the path, in order.
    q: Option<String>,
    /// At most this many (20; up to 200).
    #[param(value_type = Option<i64>, minimum = 1)]
    limit: Option<Limit>,
}

/// Files that were found.
#[derive(Serialize, ToSchema)]
struct FileList {
    /// The best first.
    files: Vec<FoundFile>,
}

/// A file of a project.
#[derive(Serialize, ToSchema)]
struct FoundFile {
    /// Its path, relative to the project.
    path: String,
    /// Its name.
    name: String,
}

/// Finds files by a few letters of their names; leaves out what git ignores.
#[utoipa::path(get, path = "/projects/{project_id}/files", tag = "projects",
    params(("project_id" = ProjectId, Path, description = "The project"), Wanted),
    responses((status = 200, body = FileList, description = "Files, the best first"), Problems))]
async fn find_files(
    State(app): State<AppState>,
    At((id,)): At<(ProjectId,)>,
    Params(wanted): Params<Wanted>,
) -> Result<Json<FileList>, Problem> {
    let project = app.store.project(id).await?.ok_or_else(|| Problem::not_found("project"))?;
    let (top, query) = (PathBuf::from(project.path), wanted.q.unwrap_or_default());
    let limit = Limit::or(wanted.limit, USUAL, MOST) as usize;
    let found = blocking(move || finder::find(&top, &query, limit)).await?;
    let files = found.into_iter().map(FoundFile::at).collect();
    Ok(Json(FileList { files }))
}

impl FoundFile {
    fn at(path: String) -> Self {
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        Self { path, name }
    }
}
