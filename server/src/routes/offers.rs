//! What agents are known to offer before they are started in a task.

use axum::extract::State;
use drover_domain::{AgentId, ProjectId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::tasks::known_project;
use crate::extract::{At, Json, Params};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_agent_options))
}

/// Where a new task would be.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Where {
    /// The project; without one, a task of no project.
    #[param(value_type = Option<ProjectId>)]
    project_id: Option<String>,
}

/// What is known of an agent before it is started in a task.
#[derive(Serialize, ToSchema)]
struct AgentOptions {
    /// Its options as it sent them when it last started, with the values that a new task starts with; empty where it has
    /// none or never started.
    #[schema(value_type = Vec<Object>)]
    options: Value,
    /// Its commands, as it last sent them.
    #[schema(value_type = Vec<Object>)]
    commands: Value,
}

/// What a new task would start with: the options that the agent offered last.
#[utoipa::path(get, path = "/agents/{agent}/options", tag = "agents",
    params(("agent" = AgentId, Path, description = "The agent"), Where),
    responses((status = 200, body = AgentOptions, description = "Its options, as far as they are known"), Problems))]
async fn get_agent_options(
    State(app): State<AppState>,
    At((agent,)): At<(AgentId,)>,
    Params(place): Params<Where>,
) -> Result<Json<AgentOptions>, Problem> {
    if !app.supervisor.knows(&agent) {
        return Err(Problem::not_found("agent"));
    }
    let project = known_project(&app, place.project_id.as_deref()).await?;
    let offer = app.supervisor.offer(&agent, project).await?;
    Ok(Json(AgentOptions { options: offer.options, commands: offer.commands }))
}
