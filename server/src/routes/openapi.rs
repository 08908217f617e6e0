//! The document of this API.

use axum::http::header;
use axum::response::IntoResponse;
use drover_domain::Event;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::problem::{ProblemBody, Problems};
use crate::state::AppState;

/// The document as it is committed; a test compares it with the routes.
const DOCUMENT: &str = include_str!("../../../docs/openapi.json");

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_openapi))
}

/// This document.
#[utoipa::path(get, path = "/openapi.json", tag = "daemon",
    responses((status = 200, content_type = "application/json", body = serde_json::Value, description = "OpenAPI 3.1"), Problems))]
async fn get_openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT)
}

/// What the document holds besides routes.
pub(super) fn frame() -> utoipa::openapi::OpenApi {
    Frame::openapi()
}

#[derive(OpenApi)]
#[openapi(
    info(title = "Drover", description = "One local web server for every coding agent. docs/api.md says what the calls mean."),
    components(schemas(Event, ProblemBody)),
    modifiers(&Proofs),
    security(("token" = []), ("cookie" = [], "key" = []))
)]
struct Frame;

/// How callers prove who they are.
struct Proofs;

impl Modify for Proofs {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The content of `token` in the data directory"))
            .build();
        let cookie = ApiKeyValue::with_description("drover_<port>", "A paired browser's cookie");
        let key = ApiKeyValue::with_description("Drover-Key", "A paired browser's key");
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        components.add_security_scheme("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
        components.add_security_scheme("key", SecurityScheme::ApiKey(ApiKey::Header(key)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rewrites the committed document when `UPDATE_GOLDEN` is set.
    #[test]
    fn the_committed_document_is_the_one_of_the_routes() {
        let document = super::super::document().into_openapi();
        let text = format!("{}\n", document.to_pretty_json().unwrap());
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");
            return std::fs::write(path, text).unwrap();
        }
        assert!(text == DOCUMENT, "docs/openapi.json is not up to date: run this test with UPDATE_GOLDEN=1");
    }

    #[test]
    fn the_document_is_of_version_3_1_and_has_the_events() {
        let document: serde_json::Value = serde_json::from_str(DOCUMENT).unwrap();
        assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
        assert!(document["components"]["schemas"]["Event"].is_object());
        assert!(document["paths"]["/api/v1/tasks/{task_id}/messages"]["post"].is_object());
    }
}
