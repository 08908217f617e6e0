//! Stdout: JSON-RPC 2.0, one message a line, each line whole.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// The method is not known.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The request makes no sense now.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// The line is no JSON.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// The parameters are not what the method takes.
pub(crate) const INVALID_PARAMS: i64 = -32602;
/// Something in here went wrong.
pub(crate) const INTERNAL_ERROR: i64 = -32603;
/// What was asked for is not there: in ACP, a session.
pub(crate) const NOT_FOUND: i64 = -32002;

/// An error of JSON-RPC: its code, and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// The writing end.
pub(crate) struct Wire {
    out: Mutex<Box<dyn Write + Send>>,
}

impl Wire {
    pub(crate) fn new(out: Box<dyn Write + Send>) -> Self {
        Self { out: Mutex::new(out) }
    }

    /// Answers the client's request `id`, which is echoed as it came.
    pub(crate) fn answer(&self, id: &Value, outcome: Result<Value, Refusal>) -> io::Result<()> {
        self.send(&match outcome {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(Refusal { code, message }) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
        })
    }

    /// Asks the client something under an id of ours.
    pub(crate) fn request(&self, id: u64, method: &str, params: &Value) -> io::Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    /// Sends a `session/update`.
    pub(crate) fn update(&self, session: &str, update: &Value) -> io::Result<()> {
        let params = json!({"sessionId": session, "update": update});
        self.send(&json!({"jsonrpc": "2.0", "method": "session/update", "params": params}))
    }

    fn send(&self, message: &Value) -> io::Result<()> {
        let line = format!("{message}\n");
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(line.as_bytes())?;
        out.flush()
    }
}

/// Text as a chunk of a message; `kind` is `agent_message_chunk` or its like.
pub(crate) fn chunk(kind: &str, text: &str) -> Value {
    json!({"sessionUpdate": kind, "content": {"type": "text", "text": text}})
}
