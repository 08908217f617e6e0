//! Paired browsers.

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, response::IntoResponse};
use drover_domain::{Browser, BrowserId};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json};
use crate::guard::Caller;
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_browsers)).routes(routes!(revoke_browser))
}

/// All paired browsers.
#[derive(Serialize, ToSchema)]
struct BrowserList {
    /// The one seen last first.
    browsers: Vec<PairedBrowser>,
}

/// A paired browser.
#[derive(Serialize, ToSchema)]
struct PairedBrowser {
    #[serde(flatten)]
    browser: Browser,
    /// Whether it is the one that asks.
    current: bool,
}

/// All paired browsers.
#[utoipa::path(get, path = "/browsers", tag = "settings", responses((status = 200, body = BrowserList, description = "The browsers"), Problems))]
async fn list_browsers(
    State(app): State<AppState>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<BrowserList>, Problem> {
    let browsers = app.store.browsers(app.now()).await?;
    let browsers =
        browsers.into_iter().map(|browser| PairedBrowser { current: caller.browser() == Some(browser.id), browser });
    Ok(Json(BrowserList { browsers: browsers.collect() }))
}

/// Revokes a pairing, and ends the browser's event streams.
#[utoipa::path(delete, path = "/browsers/{browser_id}", tag = "settings",
    params(("browser_id" = BrowserId, Path, description = "The browser")),
    responses((status = 204, description = "It has to be paired anew"), Problems))]
async fn revoke_browser(
    State(app): State<AppState>,
    At((id,)): At<(BrowserId,)>,
) -> Result<impl IntoResponse, Problem> {
    if !app.store.delete_browser(id, app.now()).await? {
        return Err(Problem::not_found("browser"));
    }
    app.connections.end_of(id);
    Ok(StatusCode::NO_CONTENT)
}
