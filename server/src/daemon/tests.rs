//! The whole HTTP side over a real store and supervisor, called without a socket.

mod attachments;
mod guard;
mod pairing;
mod resources;
mod shell;
mod stream;

use std::sync::atomic::{AtomicI64, Ordering};

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use drover_domain::Timestamp;
use serde_json::Value;
use tower::ServiceExt;

use super::*;

const PORT: u16 = 7717;
/// No object has it.
const NO_ID: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

struct TestClock(AtomicI64);

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::Relaxed))
    }
}

/// A daemon without sockets.
struct Daemon {
    app: AppState,
    clock: Arc<TestClock>,
    token: String,
    folder: tempfile::TempDir,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Status and slug, for a problem.
    fn problem(&self) -> (u16, String) {
        assert_eq!(self.headers["content-type"], "application/problem+json", "{}", self.text());
        let kind = self.json()["type"].as_str().unwrap().to_owned();
        (self.status.as_u16(), kind.trim_start_matches("/problems/").to_owned())
    }
}

impl Daemon {
    async fn start() -> Self {
        Self::with("").await
    }

    /// One with this config.toml.
    async fn with(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = DataDir::choose(Some(&folder.path().join("data"))).unwrap().prepare().unwrap();
        std::fs::write(dir.config(), config).unwrap();
        let agents = "[agents.alpha]\nname = \"Alpha\"\ncommand = \"/no/such/program\"\n";
        std::fs::write(dir.path().join("agents.toml"), agents).unwrap();
        let config = Arc::new(Watched::new(dir.config(), Config::load).unwrap());
        let clock = Arc::new(TestClock(AtomicI64::new(1_800_000_000_000)));
        let told: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let app = assemble(&dir, config, told, PORT, CancellationToken::new()).await.unwrap();
        let token = token::read(&dir.token()).unwrap();
        Self { app, clock, token, folder }
    }

    fn pass(&self, millis: i64) {
        self.clock.0.fetch_add(millis, Ordering::Relaxed);
    }

    async fn send(&self, request: Request<Body>) -> axum::response::Response {
        router(&self.app).oneshot(request).await.unwrap()
    }

    /// A call with exactly these headers, besides the host.
    async fn bare(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let response = self.send(request(method, path, headers, body)).await;
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// A call of a program that knows the token.
    async fn call(&self, method: &str, path: &str, body: Value) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.bare(method, &format!("/api/v1{path}"), &headers, &body).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, Value::Null).await
    }

    /// The id of a new task.
    async fn task(&self) -> String {
        let answer = self.call("POST", "/tasks", serde_json::json!({})).await;
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// A new code for a launch link.
    async fn code(&self) -> String {
        let answer = self.call("POST", "/launch", serde_json::json!({})).await;
        let url = answer.json()["url"].as_str().unwrap().to_owned();
        url.split_once('#').unwrap().1.to_owned()
    }
}

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Request<Body> {
    let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(path);
    let has_host = headers.iter().any(|(name, _)| *name == "host");
    if !has_host {
        request = request.header("host", format!("localhost:{PORT}"));
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.header("content-length", body.len()).body(Body::from(body.to_owned())).unwrap()
}
