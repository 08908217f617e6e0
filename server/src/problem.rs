//! What goes wrong, as RFC 9457 problems. The only place that knows which error has which status.

mod store;
mod supervisor;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::response::ResponsesBuilder;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response as ApiResponse, ResponseBuilder};

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $slug:literal, $status:ident, $title:literal;)*) => {
        /// Every kind of problem; its slug is what clients branch on (docs/problems.md).
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// All of them, in the order of the document.
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$name),*];

            /// What stands behind `/problems/` in `type`.
            pub(crate) const fn slug(self) -> &'static str {
                match self { $(Self::$name => $slug,)* }
            }

            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }

            pub(crate) const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }
        }
    };
}

kinds! {
    /// The body is no JSON.
    InvalidJson = "invalid-json", BAD_REQUEST, "The body is not JSON";
    /// No proof, or one that does not hold.
    Unauthorized = "unauthorized", UNAUTHORIZED, "Not logged in";
    /// Another site's page asks, or the caller may not do this.
    Forbidden = "forbidden", FORBIDDEN, "Not allowed";
    /// A launch code that is wrong, used or old.
    WrongCode = "wrong-code", FORBIDDEN, "This launch code does not work";
    /// No such path or id.
    NotFound = "not-found", NOT_FOUND, "Not found";
    /// The path is there, but not for this method.
    MethodNotAllowed = "method-not-allowed", METHOD_NOT_ALLOWED, "Method not allowed";
    /// A nonce that belongs to another body.
    NonceReused = "nonce-reused", CONFLICT, "The nonce was used for something else";
    /// An idempotency key that belongs to another request.
    KeyReused = "key-reused", CONFLICT, "The idempotency key was used for something else";
    /// A directory that is a project already.
    ProjectExists = "project-exists", CONFLICT, "The directory is a project already";
    /// Another login of the agent goes on.
    LoginRunning = "login-running", CONFLICT, "Another login goes on";
    /// A run stands in the way.
    RunActive = "run-active", CONFLICT, "A run is active";
    /// A run that is not queued any more.
    RunStarted = "run-started", CONFLICT, "The run has started";
    /// A message of a kind, or in a state, that this is not for.
    NotApplicable = "not-applicable", CONFLICT, "This cannot be done to this message";
    /// Somebody was faster.
    AlreadyAnswered = "already-answered", CONFLICT, "The request was answered before";
    /// An agent whose program is not Drover's to install.
    NotInstallable = "not-installable", CONFLICT, "Drover does not install this agent";
    /// The version is there and used.
    AlreadyInstalled = "already-installed", CONFLICT, "This version is installed already";
    /// Something is missing for an installation, or the system refuses.
    InstallBlocked = "install-blocked", CONFLICT, "This cannot be done now";
    /// An installation of the same agent goes on.
    Installing = "installing", CONFLICT, "An installation goes on";
    /// Processes run the version.
    VersionInUse = "version-in-use", CONFLICT, "The version is running";
    /// config.toml cannot be read, so that it cannot be changed.
    SettingsBroken = "settings-broken", CONFLICT, "config.toml cannot be read";
    /// Nobody waits for an answer any more.
    RequestVoid = "request-void", GONE, "The request cannot be answered any more";
    /// The event stream of that name has ended.
    ConnectionGone = "connection-gone", GONE, "The event stream has ended";
    /// A body over its limit.
    TooLarge = "too-large", PAYLOAD_TOO_LARGE, "Too large";
    /// A body that is not declared as JSON.
    UnsupportedMediaType = "unsupported-media-type", UNSUPPORTED_MEDIA_TYPE, "The body must be application/json";
    /// A host name that is not loopback's, or another port.
    WrongHost = "wrong-host", MISDIRECTED_REQUEST, "This host name is not served here";
    /// Fields that cannot be.
    Invalid = "invalid", UNPROCESSABLE_ENTITY, "Some values cannot be used";
    /// Too many codes were tried.
    TooManyTries = "too-many-tries", TOO_MANY_REQUESTS, "Too many tries";
    /// A fault of the daemon.
    Internal = "internal", INTERNAL_SERVER_ERROR, "Something went wrong in Drover";
    /// The agent answered with an error.
    AgentRefused = "agent-refused", BAD_GATEWAY, "The agent refused";
    /// The agent cannot be started or spoken to.
    AgentFailed = "agent-failed", BAD_GATEWAY, "The agent cannot be used";
    /// The database cannot be written.
    StoreUnavailable = "store-unavailable", SERVICE_UNAVAILABLE, "The store cannot be used at the moment";
    /// The agent did not answer in time.
    AgentTimeout = "agent-timeout", GATEWAY_TIMEOUT, "The agent did not answer in time";
    /// The disk is full.
    StoreFull = "store-full", INSUFFICIENT_STORAGE, "The disk is full";
}

/// A problem, with what a client needs to act on it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Problem {
    kind: Kind,
    detail: Option<String>,
    more: Map<String, Value>,
}

/// A problem as it is sent (RFC 9457). Some kinds have members of their own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// `/problems/<slug>`: what to branch on.
    r#type: String,
    /// What the type means.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What happened this time.
    detail: Option<String>,
    /// With `invalid`: which fields and why.
    #[serde(skip)]
    #[expect(dead_code, reason = "documented here, written from `more`")]
    errors: Option<Vec<FieldError>>,
    #[serde(flatten)]
    #[schema(ignore)]
    more: Map<String, Value>,
}

/// A field and why it cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct FieldError {
    /// Its path in the request.
    pub(crate) field: String,
    /// What is wrong with it.
    pub(crate) detail: String,
}

impl Problem {
    pub(crate) fn new(kind: Kind) -> Self {
        Self { kind, detail: None, more: Map::new() }
    }

    /// The same, saying what happened.
    pub(crate) fn because(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// The same, with an extension member.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.to_owned(), value.into());
        self
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(Kind::NotFound).because(format!("There is no such {what}."))
    }

    /// A field that cannot be used.
    pub(crate) fn invalid(field: &str, detail: impl Into<String>) -> Self {
        Self::invalid_fields(vec![FieldError { field: field.to_owned(), detail: detail.into() }])
    }

    /// Fields that cannot be used.
    pub(crate) fn invalid_fields(errors: Vec<FieldError>) -> Self {
        let told: Vec<_> = errors.iter().map(|error| format!("{}: {}", error.field, error.detail)).collect();
        let errors: Vec<_> =
            errors.into_iter().map(|error| serde_json::json!({"field": error.field, "detail": error.detail})).collect();
        Self::new(Kind::Invalid).because(told.join("; ")).with("errors", errors)
    }

    /// A fault of ours: logged in full, told in short.
    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        tracing::error!(%error, "a request failed");
        Self::new(Kind::Internal).because("The log has more: drover logs.")
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.kind.status();
        let body = ProblemBody {
            r#type: format!("/problems/{}", self.kind.slug()),
            title: self.kind.title(),
            status: status.as_u16(),
            detail: self.detail,
            errors: None,
            more: self.more,
        };
        // Strings, numbers and JSON values: there is nothing in it that cannot be written.
        let text = serde_json::to_string(&body).unwrap_or_default();
        let mut response = (status, text).into_response();
        let json = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        if self.kind == Kind::Unauthorized {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

/// Documents what every call can answer besides its own.
pub(crate) struct Problems;

impl utoipa::IntoResponses for Problems {
    fn responses() -> std::collections::BTreeMap<String, RefOr<ApiResponse>> {
        let schema = Ref::from_schema_name("Problem");
        let content = ContentBuilder::new().schema(Some(schema)).build();
        let problem = ResponseBuilder::new()
            .description("A problem (RFC 9457); docs/problems.md has every type")
            .content("application/problem+json", content)
            .build();
        ResponsesBuilder::new().response("default", problem).build().responses.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_is_in_the_document_with_its_status_and_the_document_has_no_other() {
        let document = include_str!("../../docs/problems.md");
        let told: BTreeSet<_> = document
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .filter_map(|row| {
                let (slug, rest) = row.split_once("` | ")?;
                Some((slug.to_owned(), rest.split(' ').next()?.parse::<u16>().ok()?))
            })
            .collect();
        let known: BTreeSet<_> =
            Kind::ALL.iter().map(|kind| (kind.slug().to_owned(), kind.status().as_u16())).collect();
        assert_eq!(told, known);
    }

    #[tokio::test]
    async fn a_problem_says_type_title_status_detail_and_what_a_client_needs() {
        let problem = Problem::invalid("path", "must be absolute").with("project_id", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
        let response = problem.into_response();
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
        let body = axum::body::to_bytes(response.into_body(), 4096).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(
            body,
            serde_json::json!({
                "type": "/problems/invalid",
                "title": "Some values cannot be used",
                "status": 422,
                "detail": "path: must be absolute",
                "errors": [{"field": "path", "detail": "must be absolute"}],
                "project_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            })
        );
    }
}
