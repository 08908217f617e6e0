//! Signals: the first asks for a clean stop, the second ends the process at once.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Cancels `stop` at the first SIGTERM, SIGHUP or SIGINT; ends the process at the second.
pub(crate) fn watch(stop: CancellationToken) -> io::Result<()> {
    let mut signals = Signals {
        terminate: signal(SignalKind::terminate())?,
        hang_up: signal(SignalKind::hangup())?,
        interrupt: signal(SignalKind::interrupt())?,
    };
    tokio::spawn(async move {
        let first = signals.next().await;
        tracing::info!(signal = first, "stopping");
        stop.cancel();
        let second = signals.next().await;
        tracing::warn!(signal = second, "a second signal: ending at once");
        // The keepers see their pipes close and end the agents.
        std::process::exit(128 + second);
    });
    Ok(())
}

struct Signals {
    terminate: Signal,
    hang_up: Signal,
    interrupt: Signal,
}

impl Signals {
    /// The number of the next one.
    async fn next(&mut self) -> i32 {
        tokio::select! {
            _ = self.terminate.recv() => SignalKind::terminate().as_raw_value(),
            _ = self.hang_up.recv() => SignalKind::hangup().as_raw_value(),
            _ = self.interrupt.recv() => SignalKind::interrupt().as_raw_value(),
        }
    }
}
