//! What happened on disk since a run began: evidence where nobody knows whether a tool call ran.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::State;
use drover_domain::{RunId, Timestamp};
use drover_git::{ChangeKind, GitError, Since};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_evidence))
}

/// What the user's git says that changed since a run began. It does not say who changed it.
#[derive(Serialize, ToSchema)]
struct Evidence {
    /// The top of the repository; null where the task's directory is in none.
    root: Option<String>,
    /// When the run began.
    since: Timestamp,
    /// Uncommitted changes that were written since, newest first.
    changes: Vec<EvidenceChange>,
    /// Commits that were made since, newest first.
    commits: Vec<EvidenceCommit>,
    /// Whether there are more than the 200 of each that are told.
    more: bool,
    /// Why nothing can be told, where that is so.
    detail: Option<String>,
}

/// A path that was changed.
#[derive(Serialize, ToSchema)]
struct EvidenceChange {
    /// Below the top of the repository.
    path: String,
    /// `modified`, `added`, `deleted`, `untracked` or `conflicted`.
    kind: &'static str,
    /// When it was last written; null where it is gone.
    written_at: Option<Timestamp>,
}

/// A commit that was made.
#[derive(Serialize, ToSchema)]
struct EvidenceCommit {
    /// Its whole id.
    id: String,
    /// The first line of its message.
    subject: String,
}

/// What changed on disk since a run began, by the user's own git; 404 before it began.
#[utoipa::path(get, path = "/runs/{run_id}/evidence", tag = "runs", params(("run_id" = RunId, Path, description = "The run")),
    responses((status = 200, body = Evidence, description = "The changes"), Problems))]
async fn get_evidence(State(app): State<AppState>, At((id,)): At<(RunId,)>) -> Result<Json<Evidence>, Problem> {
    let run = app.store.run(id).await?.ok_or_else(|| Problem::not_found("run"))?;
    let since = run.started_at.ok_or_else(|| Problem::not_found("evidence: the run has not begun"))?;
    let task = app.store.task(run.task_id).await?.ok_or_else(|| Problem::not_found("task"))?;
    let told = drover_git::since(task.cwd.as_ref(), moment(since)).await;
    Ok(Json(Evidence::new(since, told)))
}

impl Evidence {
    fn new(since: Timestamp, told: Result<Since, GitError>) -> Self {
        match told {
            Ok(told) => Self {
                root: Some(told.root.to_string_lossy().into_owned()),
                since,
                changes: told.changes.into_iter().map(EvidenceChange::from).collect(),
                commits: told
                    .commits
                    .into_iter()
                    .map(|each| EvidenceCommit { id: each.id, subject: each.subject })
                    .collect(),
                more: told.more,
                detail: None,
            },
            Err(error) => Self {
                root: None,
                since,
                changes: Vec::new(),
                commits: Vec::new(),
                more: false,
                detail: Some(error.to_string()),
            },
        }
    }
}

impl From<(drover_git::Change, Option<SystemTime>)> for EvidenceChange {
    fn from((change, time): (drover_git::Change, Option<SystemTime>)) -> Self {
        let kind = match change.kind {
            ChangeKind::Modified => "modified",
            ChangeKind::Added => "added",
            ChangeKind::Deleted => "deleted",
            ChangeKind::Untracked => "untracked",
            ChangeKind::Conflicted => "conflicted",
        };
        Self { path: change.path, kind, written_at: time.map(timestamp) }
    }
}

fn moment(at: Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(at.as_millis()).unwrap_or(0))
}

fn timestamp(at: SystemTime) -> Timestamp {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
