//! The one task that reads an agent and owns the order of what it said.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::io::AsyncRead;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};

use super::incoming::{Abandoned, Queue};
use super::raw_null;
use super::requests::Shared;
use super::writer::WriterState;
use crate::envelope::{Message, classify, is_too_deep, json_text, objects, response_id_in_prefix};
use crate::line::{Line, LineReader};
use crate::process::ExitWatch;
use crate::redact::strip_control;
use crate::{Body, CloseReason, Dir, Exit, Frame, Noise, PeerId, RequestId, RpcError};

/// What is shown of a line that is no message.
const NOISE_SHOWN: usize = 4 * 1024;

pub(super) struct Limits {
    pub(super) max_line: usize,
    pub(super) drain: Duration,
}

pub(super) struct Reader<R> {
    lines: LineReader<R>,
    queue: Queue,
    shared: Arc<Shared>,
    writer: watch::Receiver<WriterState>,
    exited: Option<ExitWatch>,
    stderr: JoinHandle<()>,
    drain: Duration,
    seq: u64,
}

/// The end that is coming, and how much longer output is waited for. Time in which the consumer is slow does not
/// count: what the agent wrote before its end is never lost.
struct Ending {
    reason: CloseReason,
    left: Duration,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    pub(super) fn new(
        stdout: R,
        limits: Limits,
        queue: Queue,
        shared: Arc<Shared>,
        exited: Option<ExitWatch>,
        stderr: JoinHandle<()>,
    ) -> Self {
        let writer = shared.writer.subscribe();
        let lines = LineReader::new(stdout, limits.max_line);
        Self { lines, queue, shared, writer, exited, stderr, drain: limits.drain, seq: 0 }
    }

    pub(super) async fn run(mut self) {
        if let Ok(reason) = self.read_to_the_end().await {
            // Ignored: without a consumer there is nobody to tell.
            let _ = self.tell_the_end(reason).await;
        }
        self.shared.close();
    }

    async fn read_to_the_end(&mut self) -> Result<CloseReason, Abandoned> {
        let mut ending: Option<Ending> = None;
        loop {
            let deadline = self.shared.next_deadline();
            let asked = Instant::now();
            let patience = ending.as_ref().map(|ending| asked + ending.left);
            tokio::select! {
                line = self.lines.next() => {
                    if let Some(ending) = &mut ending {
                        ending.left = ending.left.saturating_sub(asked.elapsed());
                    }
                    match line {
                        Ok(Some(line)) => self.take(line).await?,
                        Ok(None) => return Ok(self.reason_at_end(ending).await),
                        Err(error) => return Ok(CloseReason::ReadFailed(error.to_string())),
                    }
                }
                () = until(deadline) => self.fail_overdue().await?,
                () = self.shared.deadlines.notified() => {}
                reason = the_end(&mut self.exited, &mut self.writer), if ending.is_none() => {
                    ending = Some(Ending { reason, left: self.drain });
                }
                () = until(patience) => return Ok(self.reason_at_end(ending).await),
            }
        }
    }

    /// The exit says more than a closed pipe, and usually follows it at once.
    async fn reason_at_end(&mut self, ending: Option<Ending>) -> CloseReason {
        let left = ending.as_ref().map_or(self.drain, |ending| ending.left);
        if let Ok(exit) = timeout(left, exit_of(&mut self.exited)).await {
            return CloseReason::Exited(exit);
        }
        ending.map_or(CloseReason::StdoutClosed, |ending| ending.reason)
    }

    async fn tell_the_end(&mut self, reason: CloseReason) -> Result<(), Abandoned> {
        // So that the last words of a dying agent are in the tail when the end is told.
        let _ = timeout(self.drain, &mut self.stderr).await;
        for (id, waiting) in self.shared.settle_all() {
            self.fail(id, waiting.method, RpcError::closed(&reason)).await?;
        }
        self.push(raw_null(), Body::Closed { reason }, 0).await
    }

    async fn take(&mut self, line: Line) -> Result<(), Abandoned> {
        match line {
            Line::Whole(range) => self.take_whole(range).await,
            Line::Oversize { len, prefix } => self.take_oversize(len, &prefix).await,
        }
    }

    async fn take_oversize(&mut self, len: u64, prefix: &[u8]) -> Result<(), Abandoned> {
        self.shared.log(Dir::FromAgent, prefix);
        let prefix = String::from_utf8_lossy(prefix).into_owned();
        let answered = response_id_in_prefix(&prefix).and_then(RequestId::from_echo);
        self.push(raw_null(), Body::Oversize { len, prefix }, 0).await?;
        if let Some((id, waiting)) = answered.and_then(|id| Some((id, self.shared.settle(id)?))) {
            let error = RpcError::unreadable(format!("the answer is too long to read ({len} bytes)"));
            self.fail(id, waiting.method, error).await?;
        }
        Ok(())
    }

    async fn take_whole(&mut self, range: Range<usize>) -> Result<(), Abandoned> {
        let len = range.len();
        let line = self.lines.bytes(range);
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        self.shared.log(Dir::FromAgent, line);
        for read in read_line(line, &self.shared) {
            match read {
                Read::Frame(raw, body) => self.push(raw, body, len).await?,
                Read::TooDeepAnswer(id, method) => {
                    let error = RpcError::unreadable("the answer is nested too deep to read".to_owned());
                    self.fail(id, method, error).await?;
                }
            }
        }
        Ok(())
    }

    async fn fail_overdue(&mut self) -> Result<(), Abandoned> {
        for (id, waiting) in self.shared.settle_overdue(Instant::now()) {
            let error = RpcError::timeout(&waiting.method, waiting.timeout.unwrap_or_default());
            self.fail(id, waiting.method, error).await?;
        }
        Ok(())
    }

    async fn fail(&mut self, id: RequestId, method: String, error: RpcError) -> Result<(), Abandoned> {
        self.push(raw_null(), Body::Response { id, method, outcome: Err(error) }, 0).await
    }

    async fn push(&mut self, raw: Box<RawValue>, body: Body, bytes: usize) -> Result<(), Abandoned> {
        self.seq += 1;
        self.queue.push(Frame { seq: self.seq, raw, body }, bytes).await
    }
}

/// What a line turned out to be.
enum Read {
    Frame(Box<RawValue>, Body),
    TooDeepAnswer(RequestId, String),
}

/// A message as a rule; several where an agent forgot a line end; noise where there is none at all.
fn read_line(line: &[u8], shared: &Shared) -> Vec<Read> {
    let noise = |kind| Read::Frame(raw_null(), Body::Noise { kind, text: shown(line) });
    let Some(text) = json_text(line) else { return vec![noise(Noise::NotJson)] };
    match classify(&text) {
        Ok(message) => vec![read_message(&text, message, shared).unwrap_or_else(noise)],
        Err(Noise::NotJson) => {
            let read = |object| read_message(object, classify(object).ok()?, shared).ok();
            let messages: Vec<_> = objects(&text).into_iter().filter_map(read).collect();
            if messages.is_empty() { vec![noise(Noise::NotJson)] } else { messages }
        }
        Err(kind) => vec![noise(kind)],
    }
}

fn read_message(text: &str, message: Message<'_>, shared: &Shared) -> Result<Read, Noise> {
    let too_deep = is_too_deep(text);
    let body = match message {
        Message::Response { id, outcome } => {
            let settled = RequestId::from_echo(id.get()).and_then(|id| Some((id, shared.settle(id)?)));
            let Some((id, waiting)) = settled else {
                tracing::debug!(id = id.get(), "a response nobody waits for");
                return Err(Noise::StrayResponse);
            };
            if too_deep {
                return Ok(Read::TooDeepAnswer(id, waiting.method));
            }
            let outcome = outcome.map(ToOwned::to_owned).map_err(RpcError::read);
            Body::Response { id, method: waiting.method, outcome }
        }
        _ if too_deep => return Err(Noise::TooDeep),
        Message::Notification { method, params } => {
            Body::Notification { method: method.into_owned(), params: owned(params) }
        }
        Message::Request { id, method, params } => {
            let Some(id) = PeerId::from_json(id.get()) else { return Err(Noise::NotAMessage) };
            shared.note_asked(&id, &method);
            Body::Request { id, method: method.into_owned(), params: owned(params) }
        }
    };
    RawValue::from_string(text.to_owned()).map(|raw| Read::Frame(raw, body)).map_err(|_| Noise::NotJson)
}

fn owned(params: Option<&RawValue>) -> Box<RawValue> {
    params.map_or_else(raw_null, ToOwned::to_owned)
}

fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(NOISE_SHOWN)]);
    strip_control(text.trim()).into_owned()
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Waits for the end of the process; for ever where there is none to wait for.
async fn exit_of(exited: &mut Option<ExitWatch>) -> Exit {
    if let Some(watch) = exited
        && let Some(exit) = watch.exited().await
    {
        return exit;
    }
    std::future::pending().await
}

async fn the_end(exited: &mut Option<ExitWatch>, writer: &mut watch::Receiver<WriterState>) -> CloseReason {
    let broken = async {
        match writer.wait_for(|state| matches!(state, WriterState::Broken(_))).await.as_deref() {
            Ok(WriterState::Broken(why)) => why.clone(),
            _ => String::new(),
        }
    };
    tokio::select! {
        exit = exit_of(exited) => CloseReason::Exited(exit),
        why = broken => CloseReason::StdinClosed(why),
    }
}
