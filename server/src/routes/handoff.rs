//! What a send would hand over.

use axum::extract::State;
use drover_domain::{AgentId, TaskId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json, Params};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(preview_handoff))
}

/// To whom.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Receiver {
    /// The agent that would be asked.
    #[param(value_type = AgentId)]
    agent: String,
}

/// What a send would hand over now.
#[derive(Serialize, ToSchema)]
struct Handoff {
    /// How many turns the agent has missed.
    turns: usize,
    /// The size of the text in bytes.
    bytes: usize,
    /// The exact text; empty where nothing was missed.
    text: String,
    /// Whether the agent begins a new session.
    new_session: bool,
}

/// What a send to an agent would hand over now.
#[utoipa::path(get, path = "/tasks/{task_id}/handoff", tag = "messages",
    params(("task_id" = TaskId, Path, description = "The task"), Receiver),
    responses((status = 200, body = Handoff, description = "The preview"), Problems))]
async fn preview_handoff(
    State(app): State<AppState>,
    At((task,)): At<(TaskId,)>,
    Params(to): Params<Receiver>,
) -> Result<Json<Handoff>, Problem> {
    app.store.task(task).await?.ok_or_else(|| Problem::not_found("task"))?;
    let agent = to.agent.parse::<AgentId>().ok().filter(|agent| app.supervisor.knows(agent));
    let agent = agent.ok_or_else(|| Problem::invalid("agent", "there is no such agent"))?;
    let preview = app.supervisor.handoff(task, &agent).await?;
    Ok(Json(Handoff {
        turns: preview.turns,
        bytes: preview.bytes,
        text: preview.text,
        new_session: preview.new_session,
    }))
}
