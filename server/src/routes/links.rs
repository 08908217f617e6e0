//! Links: a task's agents, and their session options.

use axum::extract::State;
use axum::http::StatusCode;
use drover_domain::{AgentId, Link, LinkState, TaskId};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json, Nothing};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(get_link))
        .routes(routes!(connect_link))
        .routes(routes!(disconnect_link))
        .routes(routes!(set_option))
}

/// An option's new value.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SetOption {
    /// One of those that the agent offers.
    #[schema(value_type = Object)]
    value: Value,
}

/// A link; one that was never used is off.
#[utoipa::path(get, path = "/tasks/{task_id}/links/{agent}", tag = "links",
    params(("task_id" = TaskId, Path, description = "The task"), ("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, body = Link, description = "The link"), Problems))]
async fn get_link(
    State(app): State<AppState>,
    At((task, agent)): At<(TaskId, AgentId)>,
) -> Result<Json<Link>, Problem> {
    let link = found(app.store.link(task, &agent).await?)?;
    // One that was used stays, whatever became of its agent's entry.
    let used = link.has_session || link.state != LinkState::Off;
    if used || app.supervisor.knows(&agent) { Ok(Json(link)) } else { Err(Problem::not_found("agent")) }
}

/// Starts the agent before there is a prompt for it.
#[utoipa::path(post, path = "/tasks/{task_id}/links/{agent}/connect", tag = "links",
    params(("task_id" = TaskId, Path, description = "The task"), ("agent" = AgentId, Path, description = "The agent")),
    responses((status = 202, body = Link, description = "It is being started"), Problems))]
async fn connect_link(
    State(app): State<AppState>,
    At((task, agent)): At<(TaskId, AgentId)>,
    _: Nothing,
) -> Result<(StatusCode, Json<Link>), Problem> {
    if !app.supervisor.knows(&agent) {
        return Err(Problem::not_found("agent"));
    }
    let link = found(app.store.connect(task, &agent, app.now()).await?)?;
    Ok((StatusCode::ACCEPTED, Json(link)))
}

/// Ends the agent's process.
#[utoipa::path(post, path = "/tasks/{task_id}/links/{agent}/disconnect", tag = "links",
    params(("task_id" = TaskId, Path, description = "The task"), ("agent" = AgentId, Path, description = "The agent")),
    responses((status = 202, body = Link, description = "It is being ended"), Problems))]
async fn disconnect_link(
    State(app): State<AppState>,
    At((task, agent)): At<(TaskId, AgentId)>,
    _: Nothing,
) -> Result<(StatusCode, Json<Link>), Problem> {
    let link = found(app.store.disconnect(task, &agent, app.now()).await?)?;
    Ok((StatusCode::ACCEPTED, Json(link)))
}

/// Sets a session option; starts the link where it is off.
#[utoipa::path(put, path = "/tasks/{task_id}/links/{agent}/options/{option_id}", tag = "links", request_body = SetOption,
    params(("task_id" = TaskId, Path, description = "The task"), ("agent" = AgentId, Path, description = "The agent"),
        ("option_id" = String, Path, description = "The option, as the agent calls it")),
    responses((status = 200, body = Link, description = "The agent took it"), Problems))]
async fn set_option(
    State(app): State<AppState>,
    At((task, agent, option)): At<(TaskId, AgentId, String)>,
    Json(body): Json<SetOption>,
) -> Result<Json<Link>, Problem> {
    let link = app.supervisor.set_option(task, agent, option, body.value).await?;
    Ok(Json(link))
}

fn found(link: Option<Link>) -> Result<Link, Problem> {
    link.ok_or_else(|| Problem::not_found("task"))
}
