//! The catalogue of agents.

use axum::extract::State;
use drover_domain::Agent;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::extract::Json;
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_agents))
}

/// The catalogue.
#[derive(Serialize, ToSchema)]
struct AgentList {
    /// All agents, usable or not.
    agents: Vec<Agent>,
    /// What is wrong with agents.toml, while it does not parse; the last good one holds.
    problem: Option<FileProblem>,
}

/// A file of the user's that cannot be used as it is.
#[derive(Serialize, ToSchema)]
pub(super) struct FileProblem {
    /// Its path.
    pub(super) file: String,
    /// What is wrong, and where.
    pub(super) detail: String,
}

/// All agents, with what each one lacks.
#[utoipa::path(get, path = "/agents", tag = "agents", responses((status = 200, body = AgentList, description = "The catalogue"), Problems))]
async fn list_agents(State(app): State<AppState>) -> Result<Json<AgentList>, Problem> {
    // The first time, what the login shell says is worth a wait: without its PATH agents would seem to be missing.
    app.supervisor.environments().ready().await;
    let supervisor = app.supervisor.clone();
    let (agents, problem) = blocking(move || supervisor.agents()).await?;
    let problem =
        problem.map(|problem| FileProblem { file: problem.file.display().to_string(), detail: problem.detail });
    Ok(Json(AgentList { agents, problem }))
}
