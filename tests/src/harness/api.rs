//! Calls over HTTP, one connection each.

use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Method, Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// The base of the API's paths.
const BASE: &str = "/api/v1";

/// Where a daemon listens, and the proof it wants.
#[derive(Clone, Debug)]
pub struct Api {
    /// The port on 127.0.0.1.
    pub port: u16,
    /// The bearer token.
    pub token: String,
}

/// A call to make.
#[derive(Clone, Debug)]
pub struct Call {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    with_token: bool,
}

impl Call {
    /// A call of a path below `/api/v1`.
    pub fn new(method: &str, path: &str) -> Self {
        Self::root(method, &format!("{BASE}{path}"))
    }

    /// A call of a path as it stands.
    pub fn root(method: &str, path: &str) -> Self {
        let method = method.parse().expect("a method");
        Self { method, path: path.into(), headers: Vec::new(), body: Vec::new(), with_token: true }
    }

    /// Sends the call without the token.
    pub fn without_token(mut self) -> Self {
        self.with_token = false;
        self
    }

    /// A header; `Host` replaces the usual one.
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// A JSON body.
    pub fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    /// A body of any type.
    pub fn body(mut self, mime_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", mime_type)
    }
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The whole body.
    pub body: Bytes,
    what: String,
}

impl Answer {
    /// The body as JSON; null when it is empty.
    ///
    /// # Panics
    ///
    /// When it is neither.
    #[track_caller]
    pub fn json(&self) -> Value {
        if self.body.is_empty() {
            return Value::Null;
        }
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{self}: {error}"))
    }

    /// The body of an answer with this status.
    ///
    /// # Panics
    ///
    /// When the status is another.
    #[track_caller]
    pub fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self}");
        self.json()
    }

    /// The body of an answer that says yes.
    ///
    /// # Panics
    ///
    /// When it says no.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{self}");
        self.json()
    }

    /// The problem of an answer with this status: RFC 9457, with `type` and `title`.
    ///
    /// # Panics
    ///
    /// When it is no problem or another.
    #[track_caller]
    pub fn problem(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self}");
        assert_eq!(self.header("content-type"), "application/problem+json", "{self}");
        let problem = self.json();
        let slug = problem["type"].as_str().unwrap_or_default();
        assert!(slug.starts_with("/problems/") && problem["title"].is_string(), "{self}");
        assert_eq!(problem["status"], status, "{self}");
        problem
    }

    /// A header's value, empty when it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        write!(f, "{}: {} {}", self.what, self.status, body.chars().take(600).collect::<String>())
    }
}

impl Api {
    /// Makes a call and reads the whole answer.
    ///
    /// # Panics
    ///
    /// When the daemon cannot be reached or hangs up.
    pub async fn call(&self, call: Call) -> Answer {
        let what = format!("{} {}", call.method, call.path);
        self.try_call(call).await.unwrap_or_else(|error| panic!("{what}: {error}"))
    }

    /// The same for a daemon that may be gone.
    ///
    /// # Errors
    ///
    /// What the connection says.
    pub async fn try_call(&self, call: Call) -> Result<Answer, Box<dyn std::error::Error>> {
        let what = format!("{} {}", call.method, call.path);
        let response = self.open(call).await?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(Answer { status: parts.status.as_u16(), headers: parts.headers, body, what })
    }

    /// Makes a call and gives its answer as soon as the headers are there.
    pub(super) async fn open(&self, call: Call) -> Result<Response<Incoming>, Box<dyn std::error::Error>> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let mut request = Request::builder().method(call.method).uri(call.path);
        if !call.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request = request.header("host", format!("127.0.0.1:{}", self.port));
        }
        if call.with_token && !call.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            request = request.header("authorization", format!("Bearer {}", self.token));
        }
        for (name, value) in call.headers {
            request = request.header(name, value);
        }
        Ok(sender.send_request(request.body(Full::new(Bytes::from(call.body)))?).await?)
    }

    /// `GET` below `/api/v1`.
    pub async fn get(&self, path: &str) -> Answer {
        self.call(Call::new("GET", path)).await
    }

    /// What a body that goes on holds at first, as text; `None` where it holds nothing, or there is none.
    pub async fn first_bytes(&self, path: &str) -> Option<String> {
        self.watch(path).await.map(|(first, _)| first)
    }

    /// The same with the rest of the body, which is read for as long as that is kept.
    pub async fn watch(&self, path: &str) -> Option<(String, Incoming)> {
        let mut body = self.open(Call::new("GET", path)).await.ok()?.into_body();
        let bytes = body.frame().await?.ok()?.into_data().ok()?;
        Some((String::from_utf8_lossy(&bytes).into_owned(), body))
    }

    /// `POST` of JSON below `/api/v1`.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call(Call::new("POST", path).json(body)).await
    }

    /// `PUT` of JSON below `/api/v1`.
    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.call(Call::new("PUT", path).json(body)).await
    }

    /// `PATCH` of JSON below `/api/v1`.
    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.call(Call::new("PATCH", path).json(body)).await
    }

    /// `DELETE` below `/api/v1`.
    pub async fn delete(&self, path: &str) -> Answer {
        self.call(Call::new("DELETE", path)).await
    }
}
