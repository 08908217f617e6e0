//! Changing what was said: retry, edit, continue, and what they set aside.

use axum::extract::State;
use axum::http::StatusCode;
use drover_domain::{AgentId, AttachmentId, BranchId, MessageId, RunId, Task, TaskId, Timestamp};
use drover_store::{Change, ChangeMessage, RestoreBranch};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

const NONCE_BYTES: usize = 200;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(retry_message))
        .routes(routes!(edit_message))
        .routes(routes!(continue_message))
        .routes(routes!(list_branches))
        .routes(routes!(restore_branch))
}

/// A prompt to run again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RetryMessage {
    /// The client's own name for this; it shares one space with sends.
    nonce: String,
    /// Who is to answer; absent: who answered before.
    agent: Option<String>,
}

/// Other words for a message.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct EditMessage {
    /// The client's own name for this; it shares one space with sends.
    nonce: String,
    /// The words.
    text: String,
    /// Attachments; absent: those it has.
    attachments: Option<Vec<AttachmentId>>,
    /// Who is to answer; absent: who was asked before.
    agent: Option<String>,
}

/// The client's own name for what it does.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Once {
    /// Unique in the task; sends, retries, edits, continuations and restores share one space.
    nonce: String,
}

/// What a change made.
#[derive(Serialize, ToSchema)]
struct Changed {
    /// The user's message.
    user_message_id: MessageId,
    /// The message that the agent fills.
    assistant_message_id: MessageId,
    /// The run that answers it.
    run_id: RunId,
}

/// A chat as it was from some message on.
#[derive(Serialize, ToSchema)]
struct Branch {
    /// Its id.
    id: BranchId,
    /// The ordinal of its first message.
    from_ordinal: i64,
    /// What set it aside: `retry`, `edit` or `restore`.
    reason: String,
    /// When.
    created_at: Timestamp,
    /// How many messages it holds.
    messages: i64,
    /// The first 200 characters of the first text in it; empty without one.
    opening: String,
}

/// What was set aside.
#[derive(Serialize, ToSchema)]
struct Branches {
    /// Newest first.
    branches: Vec<Branch>,
}

/// Discards an answer and everything after it and runs its prompt again.
#[utoipa::path(post, path = "/messages/{message_id}/retry", tag = "messages", request_body = RetryMessage,
    params(("message_id" = MessageId, Path, description = "The answer")),
    responses((status = 202, body = Changed, description = "Recorded; the run starts when there is room"),
        (status = 200, body = Changed, description = "Recorded before under this nonce"), Problems))]
async fn retry_message(
    State(app): State<AppState>,
    At((id,)): At<(MessageId,)>,
    Json(body): Json<RetryMessage>,
) -> Result<(StatusCode, Json<Changed>), Problem> {
    change(&app, id, body.nonce, body.agent, Change::Retry).await
}

/// Discards a message and everything after it and sends other words.
#[utoipa::path(post, path = "/messages/{message_id}/edit", tag = "messages", request_body = EditMessage,
    params(("message_id" = MessageId, Path, description = "The user's message")),
    responses((status = 202, body = Changed, description = "Recorded; the run starts when there is room"),
        (status = 200, body = Changed, description = "Recorded before under this nonce"), Problems))]
async fn edit_message(
    State(app): State<AppState>,
    At((id,)): At<(MessageId,)>,
    Json(body): Json<EditMessage>,
) -> Result<(StatusCode, Json<Changed>), Problem> {
    let edit = Change::Edit { text: body.text, attachments: body.attachments };
    change(&app, id, body.nonce, body.agent, edit).await
}

/// Goes on after an answer that was cut off.
#[utoipa::path(post, path = "/messages/{message_id}/continue", tag = "messages", request_body = Once,
    params(("message_id" = MessageId, Path, description = "The interrupted answer")),
    responses((status = 202, body = Changed, description = "Recorded; the run starts when there is room"),
        (status = 200, body = Changed, description = "Recorded before under this nonce"), Problems))]
async fn continue_message(
    State(app): State<AppState>,
    At((id,)): At<(MessageId,)>,
    Json(body): Json<Once>,
) -> Result<(StatusCode, Json<Changed>), Problem> {
    change(&app, id, body.nonce, None, Change::Continue).await
}

/// What retries, edits and restores set aside.
#[utoipa::path(get, path = "/tasks/{task_id}/branches", tag = "messages",
    params(("task_id" = TaskId, Path, description = "The task")),
    responses((status = 200, body = Branches, description = "Newest first"), Problems))]
async fn list_branches(State(app): State<AppState>, At((id,)): At<(TaskId,)>) -> Result<Json<Branches>, Problem> {
    app.store.task(id).await?.ok_or_else(|| Problem::not_found("task"))?;
    let branches = app.store.branches(id).await?.into_iter().map(|branch| Branch {
        id: branch.id,
        from_ordinal: branch.from_ordinal,
        reason: branch.reason,
        created_at: branch.created_at,
        messages: branch.messages,
        opening: branch.opening,
    });
    Ok(Json(Branches { branches: branches.collect() }))
}

/// Brings one back; the present chat from there on is set aside.
#[utoipa::path(post, path = "/tasks/{task_id}/branches/{branch_id}/restore", tag = "messages", request_body = Once,
    params(("task_id" = TaskId, Path, description = "The task"), ("branch_id" = BranchId, Path, description = "The branch")),
    responses((status = 200, body = Task, description = "The task, with the branch in its chat"), Problems))]
async fn restore_branch(
    State(app): State<AppState>,
    At((task_id, branch_id)): At<(TaskId, BranchId)>,
    Json(body): Json<Once>,
) -> Result<Json<Task>, Problem> {
    check_nonce(&body.nonce)?;
    let restore = RestoreBranch { task_id, branch_id, nonce: body.nonce, aside_id: app.fresh(), now: app.now() };
    Ok(Json(app.store.restore_branch(restore).await?))
}

async fn change(
    app: &AppState,
    message_id: MessageId,
    nonce: String,
    agent: Option<String>,
    change: Change,
) -> Result<(StatusCode, Json<Changed>), Problem> {
    check_nonce(&nonce)?;
    let agent = match agent {
        Some(name) => {
            // What was accepted once is answered as it was, whatever has gone since.
            let again = app.store.knows_nonce_beside(message_id, &nonce).await?;
            let known = name.parse::<AgentId>().ok().filter(|agent| again || app.supervisor.knows(agent));
            Some(known.ok_or_else(|| Problem::invalid("agent", "there is no such agent"))?)
        }
        None => None,
    };
    let command = ChangeMessage {
        message_id,
        nonce,
        change,
        agent,
        user_message_id: app.fresh(),
        assistant_message_id: app.fresh(),
        run_id: app.fresh(),
        branch_id: app.fresh(),
        now: app.now(),
    };
    let sent = app.store.change_message(command).await?;
    let status = if sent.again { StatusCode::OK } else { StatusCode::ACCEPTED };
    let changed = Changed {
        user_message_id: sent.user_message_id,
        assistant_message_id: sent.assistant_message_id,
        run_id: sent.run_id,
    };
    Ok((status, Json(changed)))
}

fn check_nonce(nonce: &str) -> Result<(), Problem> {
    let sound = !nonce.is_empty() && nonce.len() <= NONCE_BYTES;
    if sound { Ok(()) } else { Err(Problem::invalid("nonce", "must be 1 to 200 bytes")) }
}
