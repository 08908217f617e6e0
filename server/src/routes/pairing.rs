//! Pairing: a launch code becomes a cookie and a key.

use std::path::Path;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use drover_domain::Timestamp;
use drover_store::NewBrowser;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::Json;
use crate::guard::{Caller, cookie_name};
use crate::pair::{CODE_MILLIS, Launch, PAIRING_MILLIS, Refusal};
use crate::problem::{Kind, Problem, Problems};
use crate::state::AppState;
use crate::{agent_name, guard, secret};

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(pair)).routes(routes!(make_launch))
}

/// A launch code.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Pair {
    /// What stands behind `#` in the launch link.
    code: String,
}

/// One half of a paired browser's proof; the cookie is the other.
#[derive(Serialize, ToSchema)]
struct Paired {
    /// To be sent as `Drover-Key`. It is told this once.
    key: String,
    /// The directory in which the user asked for the link, to be offered as a project.
    directory: Option<String>,
}

/// What the link is for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MakeLaunch {
    /// The directory in which the user asks, to be offered as a project.
    directory: Option<String>,
}

/// A link that pairs one browser.
#[derive(Serialize, ToSchema)]
struct LaunchLink {
    /// The link. It can be used once.
    url: String,
    /// When it stops to hold.
    expires_at: Timestamp,
}

/// Pairs the browser that sends a launch code.
#[utoipa::path(post, path = "/pair", tag = "pairing", request_body = Pair, security(()),
    responses((status = 200, body = Paired, description = "The browser is paired; the cookie is set"), Problems))]
async fn pair(State(app): State<AppState>, headers: HeaderMap, Json(body): Json<Pair>) -> Result<Response, Problem> {
    let launch = app.pairing.redeem(&body.code, app.now()).map_err(refused)?;
    let before = guard::paired(&app, &headers).await?;
    let (cookie, key) = (fresh_secret()?, fresh_secret()?);
    let now = app.now();
    let new = NewBrowser {
        id: app.fresh(),
        name: agent_name::of(&headers),
        key_hash: secret::hash(&key),
        cookie_hash: secret::hash(&cookie),
        now,
        expires_at: Timestamp::from_millis(now.as_millis() + PAIRING_MILLIS),
    };
    app.store.add_browser(new).await?;
    if let Some(before) = before {
        // Its cookie is overwritten: nobody could use it any more.
        app.store.delete_browser(before.browser.id, now).await?;
    }
    crate::process::browser::forget(app.data_dir());
    let cookie = set_cookie(app.gate.port, &cookie)?;
    let paired = Paired { key, directory: launch.directory };
    Ok(([(header::SET_COOKIE, cookie)], Json(paired)).into_response())
}

/// Makes a launch link. For the command line: a bearer token is needed, a paired browser does not do.
#[utoipa::path(post, path = "/launch", tag = "pairing", request_body = MakeLaunch,
    responses((status = 201, body = LaunchLink, description = "The link"), Problems))]
async fn make_launch(
    State(app): State<AppState>,
    Extension(caller): Extension<Caller>,
    Json(body): Json<MakeLaunch>,
) -> Result<(StatusCode, Json<LaunchLink>), Problem> {
    if caller != Caller::Program {
        return Err(Problem::new(Kind::Forbidden).because("Only the bearer token makes launch links."));
    }
    let now = app.now();
    let directory = body.directory.filter(|directory| Path::new(directory).is_absolute());
    let code = app.pairing.code(Launch { directory }, now).map_err(Problem::internal)?;
    let link = LaunchLink {
        url: format!("{}/launch#{code}", app.gate.url()),
        expires_at: Timestamp::from_millis(now.as_millis() + CODE_MILLIS),
    };
    Ok((StatusCode::CREATED, Json(link)))
}

fn refused(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::WrongCode => Problem::new(Kind::WrongCode).because("Run `drover open` for a new link."),
        Refusal::TooManyTries => Problem::new(Kind::TooManyTries).because("Wait a minute."),
    }
}

fn fresh_secret() -> Result<String, Problem> {
    secret::fresh().map_err(Problem::internal)
}

fn set_cookie(port: u16, value: &str) -> Result<HeaderValue, Problem> {
    let (name, seconds) = (cookie_name(port), PAIRING_MILLIS / 1000);
    let cookie = format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}");
    HeaderValue::try_from(cookie).map_err(Problem::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_other_sites_and_named_by_its_port() {
        let cookie = set_cookie(7717, "abc").unwrap();
        assert_eq!(cookie, "drover_7717=abc; HttpOnly; SameSite=Strict; Path=/; Max-Age=7776000");
    }
}
