//! Work that blocks, away from the threads that serve.

use crate::problem::Problem;

/// Runs `work` on a thread of its own.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)
}
