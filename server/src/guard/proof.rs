//! The proof that a caller gives: the bearer token, or a paired browser's cookie and key.

use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use drover_domain::{BrowserId, Timestamp};
use drover_store::PairedBrowser;

use crate::problem::{Kind, Problem};
use crate::secret;
use crate::state::AppState;

/// How often it is noted that a browser called, in milliseconds.
const TOUCH_MILLIS: i64 = 10 * 60_000;
/// Cookies of one name that are looked at: another server on this machine can set more of them.
const COOKIES: usize = 4;

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// A program of the same user, which could read the token.
    Program,
    /// A paired browser.
    Browser(BrowserId),
    /// Anybody.
    Nobody,
}

impl Caller {
    /// The browser, where it is one.
    pub(crate) const fn browser(self) -> Option<BrowserId> {
        match self {
            Self::Browser(id) => Some(id),
            Self::Program | Self::Nobody => None,
        }
    }
}

/// Cookies are shared between all ports of localhost: the name tells two daemons apart.
pub(crate) fn cookie_name(port: u16) -> String {
    format!("drover_{port}")
}

/// Who calls, where the proof holds.
pub(super) async fn caller(app: &AppState, parts: &Parts) -> Result<Caller, Problem> {
    let unauthorized = || Problem::new(Kind::Unauthorized).because("Run `drover open` to pair this browser.");
    if let Some(given) = parts.headers.get(header::AUTHORIZATION) {
        let token = given.to_str().ok().and_then(bearer);
        let holds = token.is_some_and(|token| secret::matches(token, &app.gate.token_hash));
        return if holds { Ok(Caller::Program) } else { Err(unauthorized()) };
    }
    let paired = paired(app, &parts.headers).await?.ok_or_else(unauthorized)?;
    let key = parts.headers.get("drover-key").and_then(|key| key.to_str().ok());
    let holds = match key {
        Some(key) => secret::matches(key, &paired.key_hash),
        // A picture in a page cannot send a header.
        None => is_for_the_cookie_alone(parts),
    };
    if !holds {
        return Err(unauthorized());
    }
    note_call(app, &paired);
    Ok(Caller::Browser(paired.browser.id))
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn is_for_the_cookie_alone(parts: &Parts) -> bool {
    let path = parts.uri.path();
    let shown = ["/api/v1/attachments/", "/api/v1/blobs/"];
    matches!(parts.method, Method::GET | Method::HEAD) && shown.iter().any(|start| path.starts_with(start))
}

/// Whether the cookie is a paired browser's: enough to know what to show it, not to show it anything.
pub(crate) async fn is_paired(app: &AppState, headers: &HeaderMap) -> bool {
    matches!(paired(app, headers).await, Ok(Some(_)))
}

/// The browser whose cookie was sent.
pub(crate) async fn paired(app: &AppState, headers: &HeaderMap) -> Result<Option<PairedBrowser>, Problem> {
    let name = cookie_name(app.gate.port);
    for value in cookies(headers, &name).take(COOKIES) {
        let found = app.store.browser_by_cookie(&secret::hash(value), app.now()).await?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The values of all cookies of a name.
pub(crate) fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter_map(move |(found, value)| (found == name).then_some(value))
}

/// Notes now and then that a browser is in use; nobody waits for it.
fn note_call(app: &AppState, paired: &PairedBrowser) {
    let (id, now) = (paired.browser.id, app.now());
    if is_due(paired.browser.last_seen_at, now) {
        let store = app.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.touch_browser(id, now).await {
                tracing::debug!(%error, "a browser's call was not noted");
            }
        });
    }
}

const fn is_due(last: Timestamp, now: Timestamp) -> bool {
    now.millis_since(last) >= TOUCH_MILLIS
}
