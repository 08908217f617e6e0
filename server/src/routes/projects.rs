//! Projects.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use drover_domain::{Project, ProjectId};
use drover_store::{AddProject, TasksOfProject};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::extract::{At, Json, Params};
use crate::idempotency::once;
use crate::places::{Place, is_in_git};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

/// The longest name, in characters.
const NAME_CHARS: usize = 120;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_projects, create_project)).routes(routes!(update_project, delete_project))
}

/// All projects.
#[derive(Serialize, ToSchema)]
struct ProjectList {
    /// By name.
    projects: Vec<Project>,
}

/// A directory to make a project of.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateProject {
    /// An absolute path.
    path: String,
    /// What to call it; else the directory's own name.
    name: Option<String>,
    /// Whether to make the directory if it is not there.
    create: Option<bool>,
}

/// What to change in a project.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UpdateProject {
    /// What to call it.
    name: Option<String>,
}

/// How to delete a project.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DeleteProject {
    /// What happens to its tasks: they stay without a project (the default) or are deleted.
    #[param(inline)]
    tasks: Option<Tasks>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Tasks {
    Keep,
    Delete,
}

/// All projects, as their directories are now.
#[utoipa::path(get, path = "/projects", tag = "projects", responses((status = 200, body = ProjectList, description = "All projects"), Problems))]
async fn list_projects(State(app): State<AppState>) -> Result<Json<ProjectList>, Problem> {
    let projects = app.store.projects().await?;
    if observe(&app, &projects).await? {
        return Ok(Json(ProjectList { projects: app.store.projects().await? }));
    }
    Ok(Json(ProjectList { projects }))
}

/// Makes a project of a directory.
#[utoipa::path(post, path = "/projects", tag = "projects", request_body = CreateProject,
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes it once in a day")),
    responses((status = 201, body = Project, description = "The new project"), Problems))]
async fn create_project(
    State(app): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<CreateProject>,
) -> Result<Response, Problem> {
    once(&app, &headers, "projects", &body, add(&app, &body)).await
}

/// Renames a project.
#[utoipa::path(patch, path = "/projects/{project_id}", tag = "projects", request_body = UpdateProject,
    params(("project_id" = ProjectId, Path, description = "The project")),
    responses((status = 200, body = Project, description = "The project"), Problems))]
async fn update_project(
    State(app): State<AppState>,
    At((id,)): At<(ProjectId,)>,
    Json(body): Json<UpdateProject>,
) -> Result<Json<Project>, Problem> {
    let project = match body.name {
        Some(name) => app.store.rename_project(id, &sound_name(&name)?, app.now()).await?,
        None => app.store.project(id).await?,
    };
    project.map(Json).ok_or_else(|| Problem::not_found("project"))
}

/// Deletes a project; touches no file on disk.
#[utoipa::path(delete, path = "/projects/{project_id}", tag = "projects",
    params(("project_id" = ProjectId, Path, description = "The project"), DeleteProject),
    responses((status = 204, description = "It is gone"), Problems))]
async fn delete_project(
    State(app): State<AppState>,
    At((id,)): At<(ProjectId,)>,
    Params(how): Params<DeleteProject>,
) -> Result<StatusCode, Problem> {
    let tasks = match how.tasks {
        Some(Tasks::Delete) => TasksOfProject::Delete,
        Some(Tasks::Keep) | None => TasksOfProject::Keep,
    };
    app.store.delete_project(id, tasks, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn add(app: &AppState, body: &CreateProject) -> Result<Project, Problem> {
    let name = body.name.as_deref().map(sound_name).transpose()?;
    let (path, create) = (body.path.clone(), body.create.unwrap_or(false));
    let place = blocking(move || Place::find(&path, create)).await?;
    let place = place.map_err(|error| Problem::invalid("path", error.to_string()))?;
    let new = AddProject {
        id: app.fresh(),
        path: place.path,
        name: name.unwrap_or(place.name),
        is_git: place.is_git,
        now: app.now(),
    };
    Ok(app.store.add_project(new).await?)
}

fn sound_name(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    let sound = !name.is_empty() && name.chars().count() <= NAME_CHARS && !name.contains(char::is_control);
    if sound {
        Ok(name.to_owned())
    } else {
        Err(Problem::invalid("name", format!("must be one line of 1 to {NAME_CHARS} characters")))
    }
}

/// Looks at the directories; whether anything had changed.
async fn observe(app: &AppState, projects: &[Project]) -> Result<bool, Problem> {
    let paths: Vec<_> = projects.iter().map(|project| project.path.clone()).collect();
    let looks = blocking(move || paths.iter().map(|path| look(path)).collect::<Vec<_>>()).await?;
    let mut changed = false;
    for (project, (is_git, missing)) in projects.iter().zip(looks) {
        // A directory that is gone keeps what was known of it.
        let is_git = if missing { project.is_git } else { is_git };
        if (is_git, missing) != (project.is_git, project.missing) {
            app.store.observe_project(project.id, is_git, missing, app.now()).await?;
            changed = true;
        }
    }
    Ok(changed)
}

fn look(path: &str) -> (bool, bool) {
    let path = std::path::Path::new(path);
    (is_in_git(path), !path.is_dir())
}
