//! Tasks.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use drover_domain::task::title_of;
use drover_domain::{ProjectId, Task, TaskId};
use drover_store::{NotACursor, TaskFilter, TaskPatch};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json, Limit, Params};
use crate::idempotency::once;
use crate::problem::{Problem, Problems};
use crate::state::AppState;

const USUAL: i64 = 50;
const MOST: i64 = 200;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_tasks, create_task))
        .routes(routes!(get_task, update_task, delete_task))
        .routes(routes!(resume_queue))
}

/// Which tasks.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct WhichTasks {
    /// Only those of this project.
    #[param(value_type = Option<ProjectId>)]
    project_id: Option<String>,
    /// Only those whose title or text holds this.
    q: Option<String>,
    /// Only archived ones instead of only others.
    archived: Option<bool>,
    /// At most this many (50; up to 200).
    #[param(value_type = Option<i64>, minimum = 1)]
    limit: Option<Limit>,
    /// `next` of the page before.
    cursor: Option<String>,
}

/// A page of tasks.
#[derive(Serialize, ToSchema)]
struct TaskList {
    /// Newest activity first.
    tasks: Vec<Task>,
    /// The cursor of the next page, if there is one.
    next: Option<String>,
}

/// A task to make.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CreateTask {
    /// The project it belongs to; without one it gets a directory of its own.
    project_id: Option<ProjectId>,
    /// Its title; else the first message gives it one.
    title: Option<String>,
}

/// What to change in a task.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UpdateTask {
    /// Its title.
    title: Option<String>,
    /// Put away or take out again.
    archived: Option<bool>,
    /// Keep at the top or not.
    pinned: Option<bool>,
    /// Seen, or to be seen again.
    read: Option<bool>,
}

/// A page of tasks, newest activity first.
#[utoipa::path(get, path = "/tasks", tag = "tasks", params(WhichTasks),
    responses((status = 200, body = TaskList, description = "A page of tasks"), Problems))]
async fn list_tasks(State(app): State<AppState>, Params(which): Params<WhichTasks>) -> Result<Json<TaskList>, Problem> {
    let cursor = which.cursor.as_deref().map(str::parse).transpose();
    let filter = TaskFilter {
        project_id: known_project(&app, which.project_id.as_deref()).await?,
        q: which.q.filter(|q| !q.trim().is_empty()),
        archived: which.archived.unwrap_or(false),
        limit: Limit::or(which.limit, USUAL, MOST),
        cursor: cursor.map_err(|error: NotACursor| Problem::invalid("cursor", error.to_string()))?,
    };
    let page = app.store.tasks(filter).await?;
    Ok(Json(TaskList { tasks: page.tasks, next: page.next.map(|next| next.to_string()) }))
}

/// Makes a task.
#[utoipa::path(post, path = "/tasks", tag = "tasks", request_body = CreateTask,
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes it once in a day")),
    responses((status = 201, body = Task, description = "The new task"), Problems))]
async fn create_task(
    State(app): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<CreateTask>,
) -> Result<Response, Problem> {
    once(&app, &headers, "tasks", &body, add(&app, &body)).await
}

/// A task.
#[utoipa::path(get, path = "/tasks/{task_id}", tag = "tasks", params(("task_id" = TaskId, Path, description = "The task")),
    responses((status = 200, body = Task, description = "The task"), Problems))]
async fn get_task(State(app): State<AppState>, At((id,)): At<(TaskId,)>) -> Result<Json<Task>, Problem> {
    found(app.store.task(id).await?)
}

/// Changes a task.
#[utoipa::path(patch, path = "/tasks/{task_id}", tag = "tasks", request_body = UpdateTask,
    params(("task_id" = TaskId, Path, description = "The task")),
    responses((status = 200, body = Task, description = "The task"), Problems))]
async fn update_task(
    State(app): State<AppState>,
    At((id,)): At<(TaskId,)>,
    Json(body): Json<UpdateTask>,
) -> Result<Json<Task>, Problem> {
    let title = body.title.as_deref().map(title_of);
    if title == Some(None) {
        return Err(Problem::invalid("title", "must not be empty"));
    }
    let patch = TaskPatch { title: title.flatten(), archived: body.archived, pinned: body.pinned, read: body.read };
    found(app.store.patch_task(id, patch, app.now()).await?)
}

/// Deletes a task with its messages, and blobs and attachments that nothing else uses.
#[utoipa::path(delete, path = "/tasks/{task_id}", tag = "tasks", params(("task_id" = TaskId, Path, description = "The task")),
    responses((status = 204, description = "It is gone"), Problems))]
async fn delete_task(State(app): State<AppState>, At((id,)): At<(TaskId,)>) -> Result<StatusCode, Problem> {
    app.store.delete_task(id, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lets a held queue go on.
#[utoipa::path(post, path = "/tasks/{task_id}/queue/resume", tag = "tasks",
    params(("task_id" = TaskId, Path, description = "The task")),
    responses((status = 200, body = Task, description = "The task"), Problems))]
async fn resume_queue(
    State(app): State<AppState>,
    At((id,)): At<(TaskId,)>,
    _: crate::extract::Nothing,
) -> Result<Json<Task>, Problem> {
    found(app.store.resume_queue(id, app.now()).await?)
}

async fn add(app: &AppState, body: &CreateTask) -> Result<Task, Problem> {
    let new = drover_store::CreateTask {
        id: app.fresh(),
        project_id: body.project_id,
        title: body.title.clone(),
        tasks_dir: app.dir.tasks(),
        now: app.now(),
    };
    Ok(app.store.create_task(new).await?)
}

/// The project that a filter names, if it names one.
pub(super) async fn known_project(app: &AppState, id: Option<&str>) -> Result<Option<ProjectId>, Problem> {
    let Some(id) = id else { return Ok(None) };
    let missing = || Problem::not_found("project");
    let id = id.parse().map_err(|_| missing())?;
    app.store.project(id).await?.ok_or_else(missing)?;
    Ok(Some(id))
}

fn found(task: Option<Task>) -> Result<Json<Task>, Problem> {
    task.map(Json).ok_or_else(|| Problem::not_found("task"))
}
