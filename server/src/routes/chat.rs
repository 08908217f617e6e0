//! Snapshots of chats.

use axum::extract::State;
use drover_domain::{Link, Message, Request, Task, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json, Limit, Params};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

const USUAL: i64 = 50;
const MOST: i64 = 200;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_chat))
}

/// Which page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Page {
    /// Only messages before this ordinal; without it the newest.
    before: Option<i64>,
    /// At most this many (50; up to 200).
    #[param(value_type = Option<i64>, minimum = 1)]
    limit: Option<Limit>,
}

/// A snapshot of a chat, taken in one read: follow events from `seq`.
#[derive(Serialize, ToSchema)]
struct Chat {
    /// The task.
    task: Task,
    /// A page of messages, ascending.
    messages: Vec<Message>,
    /// Whether there are earlier ones.
    has_more: bool,
    /// The open requests.
    requests: Vec<Request>,
    /// The links that were ever used.
    links: Vec<Link>,
    /// The number of the feed that this is a snapshot of.
    seq: i64,
}

/// A snapshot: the newest page of a chat, or an earlier one.
#[utoipa::path(get, path = "/tasks/{task_id}/chat", tag = "tasks",
    params(("task_id" = TaskId, Path, description = "The task"), Page),
    responses((status = 200, body = Chat, description = "The snapshot"), Problems))]
async fn get_chat(
    State(app): State<AppState>,
    At((id,)): At<(TaskId,)>,
    Params(page): Params<Page>,
) -> Result<Json<Chat>, Problem> {
    let limit = Limit::or(page.limit, USUAL, MOST);
    let chat = app.store.chat(id, page.before, limit).await?;
    let chat = chat.ok_or_else(|| Problem::not_found("task"))?;
    Ok(Json(Chat {
        task: chat.task,
        messages: chat.messages,
        has_more: chat.has_more,
        requests: chat.requests,
        links: chat.links,
        seq: chat.seq,
    }))
}
