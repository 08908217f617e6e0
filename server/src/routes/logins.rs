//! Logging in and out of agents, and the terminal of a login.

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use drover_domain::{Agent, AgentId};
use drover_supervisor::{LoginInput, LoginOutput};
use futures_util::stream::unfold;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json, Nothing};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

/// The longest piece that may be typed at once, in bytes: a paste.
const TYPED: usize = 64 * 1024;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(check_agent))
        .routes(routes!(log_in, end_login))
        .routes(routes!(log_out))
        .routes(routes!(get_output))
        .routes(routes!(type_in))
        .routes(routes!(set_size))
}

/// How to log in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LogIn {
    /// One of the agent's `auth_methods`.
    method_id: String,
}

/// What was typed into a terminal.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TypeIn {
    /// As a terminal sends it: Enter is a carriage return.
    data: String,
}

/// The size of a terminal.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TerminalSize {
    /// Lines.
    rows: u16,
    /// Columns.
    cols: u16,
}

/// Starts an agent, asks what it can do, and ends it. No session is made.
#[utoipa::path(post, path = "/agents/{agent}/check", tag = "agents",
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, body = Agent, description = "What it said"), Problems))]
async fn check_agent(
    State(app): State<AppState>,
    At((agent,)): At<(AgentId,)>,
    _: Nothing,
) -> Result<Json<Agent>, Problem> {
    Ok(Json(app.supervisor.look(&agent).await?))
}

/// Begins a login. How it goes on is told with the agent, in `login`.
#[utoipa::path(post, path = "/agents/{agent}/login", tag = "agents", request_body = LogIn,
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 202, body = Agent, description = "It has begun"), Problems))]
async fn log_in(
    State(app): State<AppState>,
    At((agent,)): At<(AgentId,)>,
    Json(body): Json<LogIn>,
) -> Result<(StatusCode, Json<Agent>), Problem> {
    Ok((StatusCode::ACCEPTED, Json(app.supervisor.log_in(&agent, &body.method_id).await?)))
}

/// Ends a login.
#[utoipa::path(delete, path = "/agents/{agent}/login", tag = "agents",
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 204, description = "It is being ended"), Problems))]
async fn end_login(State(app): State<AppState>, At((agent,)): At<(AgentId,)>) -> Result<StatusCode, Problem> {
    app.supervisor.end_login(&agent)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Logs out. Processes of the agent end as soon as they have nothing to do.
#[utoipa::path(post, path = "/agents/{agent}/logout", tag = "agents",
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, body = Agent, description = "It is logged out"), Problems))]
async fn log_out(
    State(app): State<AppState>,
    At((agent,)): At<(AgentId,)>,
    _: Nothing,
) -> Result<Json<Agent>, Problem> {
    Ok(Json(app.supervisor.log_out(&agent).await?))
}

/// What the terminal of a login shows: its last 256 KiB, then what follows, until it ends. It is kept nowhere else.
#[utoipa::path(get, path = "/agents/{agent}/login/output", tag = "agents",
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 200, content_type = "application/octet-stream", body = Vec<u8>, description = "Bytes for a terminal"), Problems))]
async fn get_output(State(app): State<AppState>, At((agent,)): At<(AgentId,)>) -> Result<Response, Problem> {
    let output = app.supervisor.login_output(&agent)?;
    let stop = app.stop.clone();
    let pieces = unfold((output, stop), |(mut output, stop): (LoginOutput, _)| async move {
        tokio::select! {
            piece = output.next() => piece.map(|piece| (Ok::<_, std::convert::Infallible>(piece), (output, stop))),
            () = stop.cancelled() => None,
        }
    });
    let headers =
        [(header::CONTENT_TYPE, "application/octet-stream"), (header::CACHE_CONTROL, "no-store, no-transform")];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// Types into the terminal of a login.
#[utoipa::path(post, path = "/agents/{agent}/login/input", tag = "agents", request_body = TypeIn,
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 204, description = "It is on its way"), Problems))]
async fn type_in(
    State(app): State<AppState>,
    At((agent,)): At<(AgentId,)>,
    Json(body): Json<TypeIn>,
) -> Result<StatusCode, Problem> {
    if body.data.len() > TYPED {
        return Err(Problem::invalid("data", "is too long"));
    }
    app.supervisor.type_into_login(&agent, LoginInput::Typed(body.data))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Tells the terminal of a login how large it is.
#[utoipa::path(put, path = "/agents/{agent}/login/size", tag = "agents", request_body = TerminalSize,
    params(("agent" = AgentId, Path, description = "The agent")),
    responses((status = 204, description = "It holds"), Problems))]
async fn set_size(
    State(app): State<AppState>,
    At((agent,)): At<(AgentId,)>,
    Json(body): Json<TerminalSize>,
) -> Result<StatusCode, Problem> {
    if !(1..=1000).contains(&body.rows) || !(1..=1000).contains(&body.cols) {
        return Err(Problem::invalid("rows", "and cols must be between 1 and 1000"));
    }
    app.supervisor.type_into_login(&agent, LoginInput::Size { rows: body.rows, cols: body.cols })?;
    Ok(StatusCode::NO_CONTENT)
}
