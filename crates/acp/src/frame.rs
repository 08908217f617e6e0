//! What comes from an agent, in the one order in which it came.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use serde_json::value::RawValue;

use crate::{Exit, PeerId, RequestId};

/// One entry of the ordered stream of a connection.
#[derive(Debug)]
pub struct Frame {
    /// Grows by one with every frame of the connection, from 1.
    pub seq: u64,
    /// The whole line's JSON, as it came. `null` where there was no JSON (noise, oversize, timeouts, the end).
    pub raw: Box<RawValue>,
    /// What it is.
    pub body: Body,
}

/// The kinds of frame. Requests, notifications and responses share the stream, so that the answer to a prompt has
/// a position among the updates.
#[derive(Debug)]
pub enum Body {
    /// The agent tells something. `params` is `null` where the agent sent none.
    Notification {
        /// As the agent wrote it.
        method: String,
        /// Unread.
        params: Box<RawValue>,
    },
    /// The agent asks something and waits. Answer with [`crate::Connection::respond`], exactly once.
    Request {
        /// Echoed verbatim in the answer.
        id: PeerId,
        /// As the agent wrote it.
        method: String,
        /// Unread; `null` where the agent sent none.
        params: Box<RawValue>,
    },
    /// The end of one of our requests. There is exactly one for each: what the agent said, or why it cannot say
    /// anything any more (see [`RpcError::origin`]).
    Response {
        /// What [`crate::Connection::request`] returned.
        id: RequestId,
        /// The method of our request.
        method: String,
        /// The result, or the error.
        outcome: Result<Box<RawValue>, RpcError>,
    },
    /// A line that is no message for us. Never answered.
    Noise {
        /// Why it is none.
        kind: Noise,
        /// The line, invalid bytes replaced, at most 4 KiB of it.
        text: String,
    },
    /// A line above the cap, skipped. If it was the answer to one of our requests, the failed [`Body::Response`]
    /// follows at once.
    Oversize {
        /// Bytes of the line, without its end.
        len: u64,
        /// The first 64 KiB, invalid bytes replaced.
        prefix: String,
    },
    /// The last frame: nothing comes any more. Every request that was open has been failed before it.
    Closed {
        /// Why.
        reason: CloseReason,
    },
}

/// Why a line is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noise {
    /// Not one JSON object: a banner, a log line, two objects, an array, a cut line.
    NotJson,
    /// JSON, but neither request, notification nor response.
    NotAMessage,
    /// Nested deeper than anything we would read.
    TooDeep,
    /// A response to a request that we never made, or that has been answered (or given up) already.
    StrayResponse,
}

/// Why a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CloseReason {
    /// The process ended.
    Exited(Exit),
    /// The agent closed its stdout but lives on.
    StdoutClosed,
    /// The agent closed its stdin but lives on; the text is the system's.
    StdinClosed(String),
    /// Reading failed; the text is the system's.
    ReadFailed(String),
}

impl fmt::Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(exit) => write!(f, "the agent ended: {exit}"),
            Self::StdoutClosed => f.write_str("the agent closed its output"),
            Self::StdinClosed(why) => write!(f, "the agent closed its input: {why}"),
            Self::ReadFailed(why) => write!(f, "the agent's output cannot be read: {why}"),
        }
    }
}

/// The error of a request, read leniently: real agents send float codes and leave out the message.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// JSON-RPC code, rounded; 0 where the agent sent none.
    pub code: i64,
    /// May be empty.
    pub message: String,
    /// Whatever came with it.
    pub data: Option<Value>,
    /// Whose word this is.
    pub origin: ErrorOrigin,
}

/// Whose word an [`RpcError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorOrigin {
    /// The agent answered with it.
    Agent,
    /// Ours: the agent did not answer in time. A later answer is ignored.
    Timeout,
    /// Ours: the connection ended first.
    Closed,
    /// Ours: the answer came, but is too long or nested too deep to read.
    Unreadable,
}

/// Request cancelled (ACP).
pub const REQUEST_CANCELLED: i64 = -32800;
/// The session needs a login (ACP).
pub const AUTH_REQUIRED: i64 = -32000;
/// No such session or file (ACP).
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// JSON-RPC: no such method.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// JSON-RPC: the parameters do not fit.
pub const INVALID_PARAMS: i64 = -32602;
/// JSON-RPC: internal error. Many agents put everything here.
pub const INTERNAL_ERROR: i64 = -32603;

impl RpcError {
    pub(crate) fn read(raw: &RawValue) -> Self {
        let value: Value = serde_json::from_str(raw.get()).unwrap_or(Value::Null);
        let code = &value["code"];
        let code = code.as_i64().or_else(|| code.as_f64().map(|float| float.round() as i64));
        let message = match &value["message"] {
            Value::String(text) => text.clone(),
            Value::Null => value.as_str().unwrap_or_default().to_owned(),
            other => other.to_string(),
        };
        let data = value.get("data").filter(|data| !data.is_null()).cloned();
        Self { code: code.unwrap_or(0), message, data, origin: ErrorOrigin::Agent }
    }

    pub(crate) fn timeout(method: &str, after: Duration) -> Self {
        Self::ours(ErrorOrigin::Timeout, format!("no answer to {method} within {} s", after.as_secs()))
    }

    pub(crate) fn closed(reason: &CloseReason) -> Self {
        Self::ours(ErrorOrigin::Closed, reason.to_string())
    }

    pub(crate) fn unreadable(why: String) -> Self {
        Self::ours(ErrorOrigin::Unreadable, why)
    }

    fn ours(origin: ErrorOrigin, message: String) -> Self {
        Self { code: INTERNAL_ERROR, message, data: None, origin }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.origin, self.message.is_empty()) {
            (ErrorOrigin::Agent, true) => write!(f, "error {}", self.code),
            (ErrorOrigin::Agent, false) => write!(f, "{} ({})", self.message, self.code),
            _ => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for RpcError {}

/// Which way a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dir {
    /// We wrote it.
    ToAgent,
    /// The agent wrote it.
    FromAgent,
}

/// Sees every line in both directions, before anything interprets it. Called from the connection's own tasks: it
/// must not block. Answers to elicitations are passed as `{"jsonrpc":"2.0","id":…,"elided":"elicitation"}`.
pub trait FrameSink: Send {
    /// One line, without its end.
    fn frame(&mut self, dir: Dir, at: SystemTime, raw: &[u8]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> RpcError {
        RpcError::read(&RawValue::from_string(json.to_owned()).unwrap())
    }

    #[test]
    fn errors_are_read_leniently() {
        assert_eq!(read(r#"{"code":-32000.0,"message":"login"}"#).code, -32000);
        assert_eq!(read(r#"{"code":-32603}"#).message, "");
        assert_eq!(read(r#"{"message":{"a":1}}"#).message, r#"{"a":1}"#);
        assert_eq!(read("\"boom\"").message, "boom");
        let full = read(r#"{"code":401,"message":"m","data":{"details":"quota"}}"#);
        assert_eq!(full.to_string(), "m (401)");
        assert_eq!(full.data.unwrap()["details"], "quota");
    }
}
