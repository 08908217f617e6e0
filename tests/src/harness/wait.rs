//! Waiting for a condition, with a deadline.

use std::time::{Duration, Instant};

/// How long a condition may take that comes at once on an idle machine. Generous: tests share two cores.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// For what has a deadline of its own in the product, as the 10 s after a cancel.
pub const LONG: Duration = Duration::from_secs(60);

/// Asks until there is an answer, every 15 ms, and panics when there is none in time.
///
/// # Panics
///
/// After `within`, naming what was waited for.
pub async fn until<T>(what: &str, within: Duration, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = probe().await {
            return found;
        }
        assert!(start.elapsed() < within, "{what}: not within {within:?}");
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
}
