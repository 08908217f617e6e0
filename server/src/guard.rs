//! Who may call (docs/api.md, "Who may call"; docs/SECURITY.md says against whom).
//!
//! In this order: the host name, before anything else is looked at; a page navigation moves to the canonical host; then, for the
//! API, where the call comes from, the proof, and the declared type of the body. Every route of the API stands behind this layer,
//! so that none can be forgotten.

mod host;
mod proof;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(crate) use host::Host;
pub(crate) use proof::{Caller, cookie_name, cookies, is_paired, paired};

use crate::problem::{Kind, Problem};
use crate::state::AppState;

/// The address that is served and the proof that programs give.
pub(crate) struct Gate {
    /// The port that every host name must carry.
    pub(crate) port: u16,
    /// A hash of the bearer token.
    pub(crate) token_hash: String,
}

impl Gate {
    /// The one address that pages use: cookies and stored keys belong to it.
    pub(crate) fn url(&self) -> String {
        format!("http://localhost:{}", self.port)
    }
}

/// For every request: is it for us at all, and by which name?
pub(crate) async fn host(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let host = match Host::of(&parts, app.gate.port) {
        Ok(host) => host,
        Err(problem) => return crate::shell::refuse(problem, &parts.headers),
    };
    if host != Host::Localhost && is_navigation(&parts) && !is_api(parts.uri.path()) {
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        return moved(&format!("{}{path}", app.gate.url()));
    }
    next.run(Request::from_parts(parts, body)).await
}

fn moved(to: &str) -> Response {
    match HeaderValue::from_str(to) {
        Ok(to) => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response(),
        Err(error) => Problem::internal(error).into_response(),
    }
}

/// For every request of the API.
pub(crate) async fn api(State(app): State<AppState>, request: Request, next: Next) -> Response {
    match admit(&app, request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

async fn admit(app: &AppState, request: Request) -> Result<Request, Problem> {
    let (mut parts, body) = request.into_parts();
    same_origin(&parts.headers)?;
    let caller = if is_open(&parts) { Caller::Nobody } else { proof::caller(app, &parts).await? };
    is_json(&parts)?;
    parts.extensions.insert(caller);
    Ok(Request::from_parts(parts, body))
}

/// What needs no login: only how to log in.
fn is_open(parts: &Parts) -> bool {
    parts.method == Method::POST && parts.uri.path() == "/api/v1/pair"
}

pub(crate) fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Whether a person's browser goes to a page, rather than a script or a page's part being asked for.
pub(crate) fn is_navigation(parts: &Parts) -> bool {
    let reads = matches!(parts.method, Method::GET | Method::HEAD);
    let wants_page = || {
        let accept = parts.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        accept.is_some_and(|accept| accept.contains("text/html"))
    };
    match parts.headers.get("sec-fetch-mode") {
        Some(mode) => reads && mode == "navigate",
        None => reads && wants_page(),
    }
}

/// Another site's page, or another server's on this machine, cannot call: neither by script nor by a form.
fn same_origin(headers: &HeaderMap) -> Result<(), Problem> {
    let forbidden = |what: &str| Problem::new(Kind::Forbidden).because(format!("{what} is another site's."));
    let host = headers.get(header::HOST).map_or(&[][..], HeaderValue::as_bytes);
    for origin in headers.get_all(header::ORIGIN) {
        let ours = origin.as_bytes().strip_prefix(b"http://").is_some_and(|rest| rest.eq_ignore_ascii_case(host));
        if !ours {
            return Err(forbidden("Origin"));
        }
    }
    for site in headers.get_all("sec-fetch-site") {
        if site != "same-origin" && site != "none" {
            return Err(forbidden("Sec-Fetch-Site"));
        }
    }
    Ok(())
}

/// A body is JSON and says so, which a form of another site cannot; only attachments come as they are.
fn is_json(parts: &Parts) -> Result<(), Problem> {
    let headers = &parts.headers;
    let length = headers.get(header::CONTENT_LENGTH);
    let has_body = headers.contains_key(header::TRANSFER_ENCODING) || length.is_some_and(|length| length != "0");
    let is_attachment = parts.method == Method::POST && parts.uri.path() == "/api/v1/attachments";
    if !has_body || is_attachment {
        return Ok(());
    }
    let declared = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = declared.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        Ok(())
    } else {
        Err(Problem::new(Kind::UnsupportedMediaType))
    }
}

/// What every answer of the API carries, unless its handler said otherwise.
pub(crate) async fn headers(request: Request<Body>, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    crate::shell::harden(headers);
    response
}

#[cfg(test)]
mod tests;
