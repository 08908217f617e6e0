//! The catalogue of agents.

use axum::extract::State;
use axum::http::StatusCode;
use drover_domain::agent::{AgentProcess, VariablePolicy};
use drover_domain::{Agent, AgentId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::extract::{At, Json, Nothing};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list_agents))
        .routes(routes!(get_agent))
        .routes(routes!(install_agent, cancel_install))
        .routes(routes!(use_version))
        .routes(routes!(set_variable))
        .routes(routes!(remove_version))
        .routes(routes!(list_processes))
        .routes(routes!(stop_process))
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

/// A version of an agent.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UseVersion {
    /// One that is installed.
    version: String,
}

/// What becomes of a variable.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SetVariable {
    /// Whether the agent gets it.
    policy: VariablePolicy,
}

/// An agent's processes.
#[derive(Serialize, ToSchema)]
struct ProcessList {
    /// Those that run now.
    processes: Vec<AgentProcess>,
}

/// All agents, with what each one lacks.
#[utoipa::path(get, path = "/agents", tag = "agents", responses((status = 200, body = AgentList, description = "The catalogue"), Problems))]
async fn list_agents(State(app): State<AppState>) -> Result<Json<AgentList>, Problem> {
    // The first time, what the login shell says is worth a wait: without its PATH agents would seem to be missing.
    app.supervisor.look_for_node().await;
    let supervisor = app.supervisor.clone();
    let (agents, problem) = blocking(move || supervisor.agents()).await?;
    let problem =
        problem.map(|problem| FileProblem { file: problem.file.display().to_string(), detail: problem.detail });
    Ok(Json(AgentList { agents, problem }))
}

/// One agent.
#[utoipa::path(get, path = "/agents/{agent}", tag = "agents", params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, body = Agent, description = "The agent"), Problems))]
async fn get_agent(State(app): State<AppState>, At((id,)): At<(AgentId,)>) -> Result<Json<Agent>, Problem> {
    app.supervisor.look_for_node().await;
    current(&app, id).await
}

/// Installs an agent: what stands in its `install` is run. How far it is comes with `agent.upsert`.
#[utoipa::path(post, path = "/agents/{agent}/install", tag = "agents", params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 202, body = Agent, description = "It is being installed"), Problems))]
async fn install_agent(
    State(app): State<AppState>,
    At((id,)): At<(AgentId,)>,
    _: Nothing,
) -> Result<(StatusCode, Json<Agent>), Problem> {
    app.supervisor.install(&id).await?;
    Ok((StatusCode::ACCEPTED, current(&app, id).await?))
}

/// Ends an installation; answers once nothing of it is left. Without one nothing happens.
#[utoipa::path(delete, path = "/agents/{agent}/install", tag = "agents", params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, body = Agent, description = "It is over"), Problems))]
async fn cancel_install(
    State(app): State<AppState>,
    At((id,)): At<(AgentId,)>,
    _: Nothing,
) -> Result<Json<Agent>, Problem> {
    app.supervisor.cancel_install(&id).await?;
    current(&app, id).await
}

/// Uses another installed version from the next start on.
#[utoipa::path(put, path = "/agents/{agent}/version", tag = "agents", request_body = UseVersion,
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, body = Agent, description = "It is used"), Problems))]
async fn use_version(
    State(app): State<AppState>,
    At((id,)): At<(AgentId,)>,
    Json(body): Json<UseVersion>,
) -> Result<Json<Agent>, Problem> {
    app.supervisor.use_version(&id, &body.version).await?;
    current(&app, id).await
}

/// Lets the agent have a variable from its next start on, or keeps it from it. Kept in agents.toml.
#[utoipa::path(put, path = "/agents/{agent}/variables/{name}", tag = "agents", request_body = SetVariable,
    params(("agent" = AgentId, Path, description = "The agent"), ("name" = String, Path, description = "The variable")),
    responses((status = 200, body = Agent, description = "It is kept"), Problems))]
async fn set_variable(
    State(app): State<AppState>,
    At((id, name)): At<(AgentId, String)>,
    Json(body): Json<SetVariable>,
) -> Result<Json<Agent>, Problem> {
    app.supervisor.set_variable(&id, name, body.policy).await?;
    current(&app, id).await
}

/// Removes an installed version.
#[utoipa::path(delete, path = "/agents/{agent}/versions/{version}", tag = "agents",
    params(("agent" = AgentId, Path, description = "The agent"), ("version" = String, Path, description = "The version")),
    responses((status = 200, body = Agent, description = "It is gone"), Problems))]
async fn remove_version(
    State(app): State<AppState>,
    At((id, version)): At<(AgentId, String)>,
    _: Nothing,
) -> Result<Json<Agent>, Problem> {
    app.supervisor.remove_version(&id, &version).await?;
    current(&app, id).await
}

/// The processes of an agent that run now.
#[utoipa::path(get, path = "/agents/{agent}/processes", tag = "agents", params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, body = ProcessList, description = "The processes"), Problems))]
async fn list_processes(State(app): State<AppState>, At((id,)): At<(AgentId,)>) -> Result<Json<ProcessList>, Problem> {
    if !app.supervisor.knows(&id) {
        return Err(Problem::not_found("agent"));
    }
    Ok(Json(ProcessList { processes: app.supervisor.processes(&id).await }))
}

/// Ends a process of an agent: its task's link is disconnected.
#[utoipa::path(delete, path = "/agents/{agent}/processes/{pid}", tag = "agents",
    params(("agent" = AgentId, Path, description = "The agent"), ("pid" = u32, Path, description = "The process")),
    responses((status = 202, description = "It is being ended"), Problems))]
async fn stop_process(
    State(app): State<AppState>,
    At((id, pid)): At<(AgentId, u32)>,
    _: Nothing,
) -> Result<StatusCode, Problem> {
    let task = app.supervisor.task_of_process(&id, pid).ok_or_else(|| Problem::not_found("process"))?;
    app.store.disconnect(task, &id, app.now()).await?.ok_or_else(|| Problem::not_found("process"))?;
    Ok(StatusCode::ACCEPTED)
}

async fn current(app: &AppState, id: AgentId) -> Result<Json<Agent>, Problem> {
    let supervisor = app.supervisor.clone();
    let agent = blocking(move || supervisor.agent(&id)).await?;
    agent.map(Json).ok_or_else(|| Problem::not_found("agent"))
}
