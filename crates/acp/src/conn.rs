//! The connection: JSON-RPC over three byte streams, one ordered stream of frames out of it.

mod incoming;
mod reader;
mod requests;
mod responder;
mod writer;

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, watch};

pub use incoming::Incoming;
pub use responder::Responder;
pub use writer::WriterState;

use crate::process::ExitWatch;
use crate::stderr::StderrRing;
use crate::{FrameSink, PeerId, RequestId, stderr, timeouts};
use requests::Shared;
use writer::Outgoing;

/// Limits of a connection.
pub struct Config {
    /// Bytes of the longest line that is read; longer ones are skipped.
    pub max_line: usize,
    /// A write that moves no byte for so long makes the writer [`WriterState::Stuck`].
    pub write_timeout: Duration,
    /// Bytes of stderr that are kept.
    pub stderr_ring: usize,
    /// Frames that may wait in [`Incoming`] before stdout is left unread.
    pub queue: usize,
    /// Bytes of lines that may wait there (one frame may always, whatever its size).
    pub queue_bytes: usize,
    /// Lines that may wait for the writer.
    pub outgoing: usize,
    /// How long output is still read after the process ended, in case something else holds its stdout open.
    pub drain: Duration,
    /// Where the lines are logged.
    pub frames: Option<Box<dyn FrameSink>>,
    /// Tells when the process ends, where there is one.
    pub exited: Option<ExitWatch>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_line: 64 * 1024 * 1024,
            write_timeout: Duration::from_secs(10),
            stderr_ring: 256 * 1024,
            queue: 1024,
            queue_bytes: 8 * 1024 * 1024,
            outgoing: 1024,
            drain: Duration::from_millis(250),
            frames: None,
            exited: None,
        }
    }
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config").field("max_line", &self.max_line).field("queue", &self.queue).finish_non_exhaustive()
    }
}

/// Why something was not sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The connection is closed, or the agent closed its input.
    #[error("the connection to the agent is closed")]
    Closed,
    /// Too many lines wait for an agent that does not read.
    #[error("the agent does not read its input")]
    QueueFull,
    /// The agent never asked this, or has its answer already.
    #[error("the agent is not waiting for an answer to {0}")]
    NotAsked(PeerId),
    /// What was to be sent is no JSON.
    #[error("cannot be written as JSON: {0}")]
    Encode(#[from] serde_json::Error),
}

/// The sending half of a connection. Clones share it; when the last one is dropped, the agent's stdin is closed.
#[derive(Debug, Clone)]
pub struct Connection {
    shared: Arc<Shared>,
    _closes: Arc<CloseOnDrop>,
}

#[derive(Debug)]
struct CloseOnDrop(Arc<Shared>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Starts speaking over the agent's streams. Must be called on a tokio runtime; the tasks end with the streams.
pub fn connect(
    stdin: impl AsyncWrite + Send + Unpin + 'static,
    stdout: impl AsyncRead + Send + Unpin + 'static,
    stderr: impl AsyncRead + Send + Unpin + 'static,
    config: Config,
) -> (Connection, Incoming) {
    let (outgoing, waiting) = mpsc::channel(config.outgoing.max(1));
    let ring = Arc::new(Mutex::new(StderrRing::new(config.stderr_ring)));
    let shared = Arc::new(Shared::new(outgoing, Arc::clone(&ring), config.frames));
    let stderr_done = tokio::spawn(stderr::drain(stderr, ring));
    tokio::spawn(writer::run(stdin, waiting, Arc::clone(&shared), config.write_timeout));
    let (queue, incoming) = incoming::channel(config.queue, config.queue_bytes);
    let limits = reader::Limits { max_line: config.max_line, drain: config.drain };
    let reader = reader::Reader::new(stdout, limits, queue, Arc::clone(&shared), config.exited, stderr_done);
    tokio::spawn(reader.run());
    let closes = Arc::new(CloseOnDrop(Arc::clone(&shared)));
    (Connection { shared, _closes: closes }, incoming)
}

impl Connection {
    /// Sends a request with the timeout of its method ([`timeouts::timeout_of`]). Never waits; the answer comes as
    /// [`crate::Body::Response`], in wire order.
    pub fn request(&self, method: &str, params: &impl Serialize) -> Result<RequestId, SendError> {
        self.request_within(method, params, timeouts::timeout_of(method))
    }

    /// Sends a request with a timeout of its own.
    pub fn request_within(
        &self,
        method: &str,
        params: &impl Serialize,
        timeout: Option<Duration>,
    ) -> Result<RequestId, SendError> {
        let id = RequestId(self.shared.next_id.fetch_add(1, Ordering::Relaxed));
        let line = line_of(&Call { jsonrpc: JsonRpc, id: Some(id), method, params })?;
        self.shared.expect_response(id, method, timeout);
        self.send(Outgoing { line, elided: None }).inspect_err(|_| self.shared.forget(id))?;
        Ok(id)
    }

    /// Lets a request take as long as it wants: the agent asked the user something before it can answer.
    pub fn wait_without_limit(&self, id: RequestId) {
        self.shared.forgo_deadline(id);
    }

    /// Sends a notification. Never waits.
    pub fn notify(&self, method: &str, params: &impl Serialize) -> Result<(), SendError> {
        let line = line_of(&Call { jsonrpc: JsonRpc, id: None, method, params })?;
        self.send(Outgoing { line, elided: None })
    }

    /// Answers a request of the agent. The first answer counts; a second one is refused and not sent.
    pub fn respond(&self, id: &PeerId, result: &impl Serialize) -> Result<(), SendError> {
        let line = line_of(&Answer { jsonrpc: JsonRpc, id, result })?;
        self.answer(id, line)
    }

    /// Answers a request of the agent with an error. The first answer counts; a second one is refused and not sent.
    pub fn respond_error(&self, id: &PeerId, code: i64, message: &str, data: Option<Value>) -> Result<(), SendError> {
        let error = ErrorBody { code, message, data };
        let line = line_of(&Failure { jsonrpc: JsonRpc, id, error })?;
        self.answer(id, line)
    }

    /// A guard that answers the request with an internal error if nobody else does.
    pub fn responder(&self, id: PeerId) -> Responder {
        Responder::new(self.clone(), id)
    }

    /// The last whole lines of stderr that fit into `max` bytes, redacted and without colour codes.
    pub fn stderr_tail(&self, max: usize) -> String {
        self.shared.stderr.lock().unwrap_or_else(PoisonError::into_inner).tail(max)
    }

    /// How writing goes: an agent that does not read its stdin is visible here and blocks nothing.
    pub fn writer(&self) -> watch::Receiver<WriterState> {
        self.shared.writer.subscribe()
    }

    /// Whether what is sent now is expected to reach the agent.
    pub fn is_writable(&self) -> bool {
        *self.shared.writer.borrow() == WriterState::Open
    }

    /// Sends what is queued (for at most a second if the agent does not read) and closes the agent's stdin, which
    /// asks it to end. [`Incoming`] goes on until the agent's output ends.
    pub fn close(&self) {
        self.shared.close();
    }

    /// [`Connection::close`], and waits until what was queued is written or given up.
    pub async fn finish(&self) {
        self.close();
        let mut writer = self.writer();
        while !matches!(*writer.borrow_and_update(), WriterState::Closed | WriterState::Broken(_)) {
            if writer.changed().await.is_err() {
                return;
            }
        }
    }

    fn answer(&self, id: &PeerId, line: Vec<u8>) -> Result<(), SendError> {
        let Some(elicitation) = self.shared.take_asked(id) else {
            tracing::debug!(%id, "an answer nobody waits for was not sent");
            return Err(SendError::NotAsked(id.clone()));
        };
        let elided = elicitation.then(|| format!(r#"{{"jsonrpc":"2.0","id":{id},"elided":"elicitation"}}"#));
        self.send(Outgoing { line, elided })
    }

    fn send(&self, outgoing: Outgoing) -> Result<(), SendError> {
        self.shared.outgoing.try_send(outgoing).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => SendError::QueueFull,
            mpsc::error::TrySendError::Closed(_) => SendError::Closed,
        })
    }
}

/// Always `"2.0"`.
struct JsonRpc;

impl Serialize for JsonRpc {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("2.0")
    }
}

#[derive(Serialize)]
struct Call<'a, P> {
    jsonrpc: JsonRpc,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<RequestId>,
    method: &'a str,
    params: &'a P,
}

#[derive(Serialize)]
struct Answer<'a, R> {
    jsonrpc: JsonRpc,
    id: &'a PeerId,
    result: &'a R,
}

#[derive(Serialize)]
struct Failure<'a> {
    jsonrpc: JsonRpc,
    id: &'a PeerId,
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: i64,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

fn line_of(message: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(message)?;
    // A raw value may bring line ends of its own; in JSON they can only stand between tokens.
    for byte in &mut line {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    line.push(b'\n');
    Ok(line)
}

fn raw_null() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

#[cfg(test)]
mod tests;
