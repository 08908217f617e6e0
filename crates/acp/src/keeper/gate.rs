//! An agent's stdin that can be closed from elsewhere, even while a write to it is stuck.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::AsyncWrite;
use tokio::process::ChildStdin;

/// The writer; [`StdinGate`] closes it.
pub(super) struct GatedStdin(StdinGate);

/// Closes an agent's stdin. Writing says `NotConnected` from then on, so that it is told apart from an agent that
/// closed its end.
#[derive(Clone)]
pub(crate) struct StdinGate(Arc<Mutex<Gate>>);

struct Gate {
    stdin: Option<ChildStdin>,
    writer: Option<Waker>,
}

pub(super) fn gated(stdin: ChildStdin) -> (GatedStdin, StdinGate) {
    let gate = StdinGate(Arc::new(Mutex::new(Gate { stdin: Some(stdin), writer: None })));
    (GatedStdin(gate.clone()), gate)
}

impl StdinGate {
    pub(crate) fn close(&self) {
        let mut gate = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gate.stdin = None;
        if let Some(writer) = gate.writer.take() {
            writer.wake();
        }
    }

    fn poll<T>(
        &self,
        cx: &mut Context<'_>,
        with: impl FnOnce(Pin<&mut ChildStdin>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let mut gate = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(stdin) = &mut gate.stdin else { return Poll::Ready(Err(io::ErrorKind::NotConnected.into())) };
        let polled = with(Pin::new(stdin), cx);
        gate.writer = polled.is_pending().then(|| cx.waker().clone());
        polled
    }
}

impl std::fmt::Debug for StdinGate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StdinGate")
    }
}

impl Drop for GatedStdin {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl AsyncWrite for GatedStdin {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.poll(cx, |stdin, cx| stdin.poll_write(cx, bytes))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.poll(cx, |stdin, cx| stdin.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.close();
        Poll::Ready(Ok(()))
    }
}
