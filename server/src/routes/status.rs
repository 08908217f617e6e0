//! What the daemon is.

use axum::extract::State;
use drover_domain::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::Json;
use crate::problem::Problems;
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_status))
}

/// The daemon and its database.
#[derive(Serialize, ToSchema)]
struct Status {
    /// The daemon's version.
    version: &'static str,
    /// Names the database; survives restarts.
    instance_id: String,
    /// When the daemon was started.
    started_at: Timestamp,
    /// Where its data is.
    data_dir: String,
    /// The greatest number of the feed.
    seq: i64,
}

/// What the daemon is and how far its feed has come.
#[utoipa::path(get, path = "/status", tag = "daemon", responses((status = 200, body = Status, description = "The daemon"), Problems))]
async fn get_status(State(app): State<AppState>) -> Json<Status> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        instance_id: app.store.instance_id().to_owned(),
        started_at: app.started_at,
        data_dir: app.data_dir().display().to_string(),
        seq: app.store.head(),
    })
}
