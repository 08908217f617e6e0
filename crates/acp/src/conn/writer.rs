//! The one task that writes to an agent.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::requests::Shared;
use crate::Dir;

/// How long an agent that does not read may hold up a connection that is being closed.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How writing to the agent goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriterState {
    /// Lines go out.
    Open,
    /// The agent has not read a byte for the write timeout. Lines wait; it may recover.
    Stuck,
    /// Writing failed; the text is the system's. Nothing reaches the agent any more.
    Broken(String),
    /// We closed the agent's stdin.
    Closed,
}

/// A line, with its end.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) line: Vec<u8>,
    /// What the log gets instead of the line.
    pub(super) elided: Option<String>,
}

pub(super) async fn run(
    stdin: impl AsyncWrite + Unpin,
    mut waiting: mpsc::Receiver<Outgoing>,
    shared: Arc<Shared>,
    write_timeout: Duration,
) {
    let mut writer = Writer { stdin, closing: shared.closing(), shared, write_timeout };
    let end = loop {
        let outgoing = tokio::select! {
            outgoing = waiting.recv() => outgoing,
            _ = writer.closing.wait_for(|closing| *closing), if !waiting.is_closed() => {
                // What is queued already still goes out.
                waiting.close();
                continue;
            }
        };
        let Some(outgoing) = outgoing else { break WriterState::Closed };
        match writer.write(&outgoing).await {
            Ok(true) => {}
            Ok(false) => break WriterState::Closed,
            // Closed on our side, by whoever owns the transport.
            Err(error) if error.kind() == io::ErrorKind::NotConnected => break WriterState::Closed,
            Err(error) => break WriterState::Broken(error.to_string()),
        }
    };
    waiting.close();
    let Writer { shared, stdin, .. } = writer;
    drop(stdin);
    shared.writer.send_replace(end);
}

struct Writer<W> {
    stdin: W,
    shared: Arc<Shared>,
    closing: watch::Receiver<bool>,
    write_timeout: Duration,
}

impl<W: AsyncWrite + Unpin> Writer<W> {
    /// `false` if the line was given up because the connection is being closed.
    async fn write(&mut self, outgoing: &Outgoing) -> io::Result<bool> {
        let line = &outgoing.line;
        let logged = outgoing.elided.as_ref().map_or(&line[..line.len() - 1], |elided| elided.as_bytes());
        self.shared.log(Dir::ToAgent, logged);
        let mut rest = &line[..];
        while !rest.is_empty() {
            match self.write_some(rest).await? {
                0 => return Ok(false),
                written => rest = &rest[written..],
            }
        }
        self.stdin.flush().await?;
        Ok(true)
    }

    /// Writes a part, however long that takes; 0 if the connection is closed meanwhile.
    async fn write_some(&mut self, rest: &[u8]) -> io::Result<usize> {
        let patience = if *self.closing.borrow() { LAST_WORDS } else { self.write_timeout };
        if let Ok(written) = timeout(patience, self.stdin.write(rest)).await {
            return progress(written);
        }
        if *self.closing.borrow() {
            return Ok(0);
        }
        tracing::warn!("the agent does not read its input");
        self.shared.writer.send_replace(WriterState::Stuck);
        tokio::select! {
            written = self.stdin.write(rest) => {
                self.shared.writer.send_replace(WriterState::Open);
                progress(written)
            }
            _ = self.closing.wait_for(|closing| *closing) => Ok(0),
        }
    }
}

fn progress(written: io::Result<usize>) -> io::Result<usize> {
    match written {
        Ok(0) => Err(io::ErrorKind::WriteZero.into()),
        other => other,
    }
}
