//! The API's routes, a module per resource. All of them are in the OpenAPI document, because they are made from it.

mod agents;
mod attachments;
mod blobs;
mod browsers;
mod chat;
mod directories;
mod events;
mod evidence;
mod files;
mod handoff;
mod history;
mod links;
mod logins;
mod messages;
mod offers;
mod openapi;
mod pairing;
mod projects;
mod queue;
mod requests;
mod runs;
mod settings;
mod status;
mod tasks;

pub(crate) use attachments::sweep;

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use futures_util::FutureExt;
use utoipa_axum::router::OpenApiRouter;

use crate::problem::{Kind, Problem};
use crate::state::AppState;

/// Everything below `/api`.
pub(crate) fn api() -> Router<AppState> {
    let unknown = || any(async || Problem::not_found("path"));
    let (router, _) = document().split_for_parts();
    router
        .route("/api", unknown())
        .route("/api/", unknown())
        .route("/api/{*path}", unknown())
        .method_not_allowed_fallback(async || Problem::new(Kind::MethodNotAllowed))
}

/// The routes with their documents.
fn document() -> OpenApiRouter<AppState> {
    let resources = [
        status::routes(),
        projects::routes(),
        directories::routes(),
        files::routes(),
        tasks::routes(),
        chat::routes(),
        handoff::routes(),
        messages::routes(),
        history::routes(),
        runs::routes(),
        evidence::routes(),
        queue::routes(),
        agents::routes(),
        offers::routes(),
        links::routes(),
        logins::routes(),
        requests::routes(),
        attachments::routes(),
        blobs::routes(),
        settings::routes(),
        browsers::routes(),
        pairing::routes(),
        events::routes(),
        openapi::routes(),
    ];
    let v1 = resources.into_iter().fold(OpenApiRouter::new(), OpenApiRouter::merge);
    OpenApiRouter::with_openapi(openapi::frame()).nest("/api/v1", v1)
}

/// What changes something runs to its end even if nobody waits for the answer any more; a panic is a problem like another.
pub(crate) async fn to_the_end(request: Request, next: Next) -> Response {
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let answer = AssertUnwindSafe(next.run(request)).catch_unwind();
    let answer =
        if only_reads { answer.await } else { tokio::spawn(answer).await.unwrap_or_else(|error| Err(Box::new(error))) };
    answer.unwrap_or_else(|_| Problem::internal("a handler panicked").into_response())
}
