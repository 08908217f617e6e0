//! A file of the user's that is read again when it changed, without a thread that watches.

use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::ConfigError;

/// File times advance by a tick of the kernel's. A file that was written just before it was read can be written again
/// under the same stamp, so it is read once more after this long.
const SETTLED_AFTER: Duration = Duration::from_millis(25);

type Load<T> = Box<dyn Fn(&Path) -> Result<T, ConfigError> + Send + Sync>;

/// What a file holds, checked at each use: one `stat`, and a read only where the file is another one. While the file
/// cannot be used the last good value holds, and [`problem`](Self::problem) says why.
pub struct Watched<T> {
    path: PathBuf,
    load: Load<T>,
    state: Mutex<State<T>>,
}

struct State<T> {
    good: Arc<T>,
    problem: Option<ConfigError>,
    stamp: Option<Stamp>,
    read_at: Instant,
    settled: bool,
}

impl<T> Watched<T> {
    /// Watches `path`, read by `load`, which gives the value of a missing file too.
    ///
    /// # Errors
    ///
    /// What `load` says of the file as it is now.
    pub fn new(
        path: PathBuf,
        load: impl Fn(&Path) -> Result<T, ConfigError> + Send + Sync + 'static,
    ) -> Result<Self, ConfigError> {
        let stamp = Stamp::of(&path);
        let good = load(&path)?;
        Ok(Self::with(path, Box::new(load), good, None, stamp))
    }

    /// The same, but starts with `fallback` where the file cannot be used as it is now.
    pub fn or(
        path: PathBuf,
        fallback: T,
        load: impl Fn(&Path) -> Result<T, ConfigError> + Send + Sync + 'static,
    ) -> Self {
        let stamp = Stamp::of(&path);
        let (good, problem) = match load(&path) {
            Ok(good) => (good, None),
            Err(problem) => {
                tracing::warn!(%problem, "a file cannot be used");
                (fallback, Some(problem))
            }
        };
        Self::with(path, Box::new(load), good, problem, stamp)
    }

    fn with(path: PathBuf, load: Load<T>, good: T, problem: Option<ConfigError>, stamp: Option<Stamp>) -> Self {
        let state = State { good: Arc::new(good), problem, stamp, read_at: Instant::now(), settled: false };
        Self { path, load, state: Mutex::new(state) }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file holds now, or held when it could last be used.
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.checked().good)
    }

    /// What is wrong with the file as it is now.
    pub fn problem(&self) -> Option<ConfigError> {
        self.checked().problem.clone()
    }

    fn checked(&self) -> MutexGuard<'_, State<T>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Before the read: what changes in between has another stamp at the next use.
        let stamp = Stamp::of(&self.path);
        let same = stamp == state.stamp;
        if same && (state.settled || state.read_at.elapsed() < SETTLED_AFTER) {
            return state;
        }
        let problem = match (self.load)(&self.path) {
            Ok(good) => {
                state.good = Arc::new(good);
                None
            }
            Err(problem) => Some(problem),
        };
        match &problem {
            Some(problem) if state.problem.as_ref() != Some(problem) => {
                tracing::warn!(%problem, "a file cannot be used; its last good version holds");
            }
            None if state.problem.is_some() => tracing::info!(path = %self.path.display(), "a file can be used again"),
            _ => {}
        }
        state.problem = problem;
        state.stamp = stamp;
        state.settled = same;
        state.read_at = Instant::now();
        state
    }
}

impl<T> fmt::Debug for Watched<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("path", &self.path).finish_non_exhaustive()
    }
}

/// What tells one version of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let found = std::fs::metadata(path).ok()?;
        Some(Self {
            device: found.dev(),
            inode: found.ino(),
            bytes: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}
