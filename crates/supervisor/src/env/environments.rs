//! The environment as the login shell last told it, read in the background and shared.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use drover_acp::Mark;
use tokio::sync::watch;
use tokio::time::timeout;

use super::probe::{Probe, ShellProblem};
use super::{Environment, Vars, cleaning, shell};

/// How long a shell may take. Real start-up files have been seen to need seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long the start of an agent waits for the first reading.
const WAIT: Duration = Duration::from_secs(3);

/// After this long a reading is old: the next use starts another one behind the scenes.
const OLD_AFTER: Duration = Duration::from_secs(10 * 60);

/// The environment as it is now. The login shell is asked at the first need and never waited for longer than the caller
/// wants; until it has answered, and where it does not, the daemon's own environment is given. Clones share one reading.
///
/// Every method that may start a reading must be called inside a Tokio runtime.
#[derive(Clone)]
pub struct Environments(Arc<Shared>);

struct Shared {
    daemon: Vars,
    home: PathBuf,
    shell: Option<PathBuf>,
    patience: Duration,
    old_after: Duration,
    /// Whose the shell is, once that is known.
    mark: OnceLock<Mark>,
    state: Mutex<State>,
    /// How many readings are over.
    readings: watch::Sender<u64>,
    /// True once the daemon stops: no shell may outlive it.
    ended: watch::Sender<bool>,
}

struct State {
    environment: Environment,
    /// The variables of the last reading that worked.
    told: Option<(Vars, Instant)>,
    reading: bool,
    tried_at: Option<Instant>,
}

impl Environments {
    /// For the process that calls: its variables, its user's home and shell.
    pub fn of_this_process() -> Self {
        Self::new(std::env::vars_os().collect())
    }

    /// For a daemon whose variables are `daemon`. `HOME`, `USER`, `LOGNAME` and `SHELL` come from the password database
    /// where they are missing.
    pub fn new(mut daemon: Vars) -> Self {
        if let Some(account) = shell::account() {
            let defaults: [(&str, OsString); 4] = [
                ("HOME", account.dir.into()),
                ("USER", account.name.clone().into()),
                ("LOGNAME", account.name.into()),
                ("SHELL", account.shell.into()),
            ];
            for (name, value) in defaults {
                daemon.entry(name.into()).or_insert(value);
            }
        }
        let shell = shell::of_user(&daemon);
        Self::with(daemon, shell, PATIENCE, OLD_AFTER)
    }

    pub(super) fn with(daemon: Vars, shell: Option<PathBuf>, patience: Duration, old_after: Duration) -> Self {
        let home = daemon.get(OsStr::new("HOME")).map_or_else(|| PathBuf::from("/"), PathBuf::from);
        let environment = Environment::new(&daemon, None, &home);
        let state = Mutex::new(State { environment, told: None, reading: false, tried_at: None });
        Self(Arc::new(Shared {
            daemon,
            home,
            shell,
            patience,
            old_after,
            mark: OnceLock::new(),
            state,
            readings: watch::Sender::new(0),
            ended: watch::Sender::new(false),
        }))
    }

    /// Says whose shells that are run from now on are, so that the next daemon finds one that hangs where this one is
    /// killed. Only the first mark counts.
    pub(crate) fn belong_to(&self, mark: Mark) {
        let _ = self.0.mark.set(mark);
    }

    /// The user's home directory: `HOME`, else the password database's.
    pub fn home(&self) -> &Path {
        &self.0.home
    }

    /// The shell that is asked; `None` where the user has none that can be run.
    pub fn shell(&self) -> Option<&Path> {
        self.0.shell.as_deref()
    }

    /// What is known now. Starts a reading where there was none yet or the last one is old, and waits for nothing.
    pub fn current(&self) -> Environment {
        let state = self.0.lock();
        let fresh = state.tried_at.is_some_and(|at| at.elapsed() < self.0.old_after);
        let environment = state.environment.clone();
        drop(state);
        if !fresh {
            self.start();
        }
        environment
    }

    /// What is known once the first reading is over, or after 3 s, whichever comes first; at once after the first time.
    /// The value says with a [`warning`](Environment::warning) when the shell has not answered.
    pub async fn ready(&self) -> Environment {
        self.ready_within(WAIT).await
    }

    /// [`ready`](Self::ready) with another wait.
    pub async fn ready_within(&self, wait: Duration) -> Environment {
        let mut readings = self.0.readings.subscribe();
        let environment = self.current();
        if self.0.lock().tried_at.is_some() {
            return environment;
        }
        if timeout(wait, readings.wait_for(|&count| count > 0)).await.is_ok() {
            return self.0.lock().environment.clone();
        }
        environment.warned("The login shell has not answered yet; agents get the daemon's own environment.".to_owned())
    }

    /// Asks the shell again and gives what is known then. Joins a reading that is under way. Takes 10 s at most.
    pub async fn refresh(&self) -> Environment {
        let mut readings = self.0.readings.subscribe();
        let before = *readings.borrow_and_update();
        self.start();
        // The sender lives in `self`: this ends with a reading.
        let _ = readings.wait_for(|&count| count > before).await;
        self.0.lock().environment.clone()
    }

    fn start(&self) {
        let mut state = self.0.lock();
        if state.reading || *self.0.ended.borrow() {
            return;
        }
        state.reading = true;
        drop(state);
        let shared = Arc::clone(&self.0);
        tokio::spawn(async move {
            let mut ended = shared.ended.subscribe();
            // Given up, the reading takes all processes of the shell along.
            let told = tokio::select! {
                told = shared.ask() => told,
                _ = ended.wait_for(|ended| *ended) => Err(ShellProblem::Stopped),
            };
            shared.finish(told);
        });
    }

    /// Ends a reading that goes on, with all processes of the shell. No other begins.
    pub async fn end(&self) {
        self.0.ended.send_replace(true);
        let mut readings = self.0.readings.subscribe();
        while self.0.lock().reading {
            if readings.changed().await.is_err() {
                return;
            }
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self) -> Result<Vars, ShellProblem> {
        let shell = self.shell.clone().ok_or(ShellProblem::NoShell)?;
        let mut vars = self.daemon.clone();
        vars.retain(|name, _| !cleaning::is_removed(name));
        vars.extend(self.mark.get().map(Mark::variable).map(|(name, value)| (name.into(), value.into())));
        Probe { shell, vars, home: self.home.clone(), patience: self.patience }.read().await
    }

    fn finish(&self, told: Result<Vars, ShellProblem>) {
        let now = Instant::now();
        let mut state = self.lock();
        let warning = match told {
            Ok(vars) => {
                state.told = Some((vars, now));
                None
            }
            Err(problem) => {
                tracing::warn!(%problem, "the login shell's environment could not be read");
                let used = if state.told.is_some() { "what it told before" } else { "the daemon's own environment" };
                Some(format!("Agents get {used}: {problem}."))
            }
        };
        let told = state.told.as_ref();
        // Built again in any case: directories of tools may have come since.
        let mut environment = Environment::new(&self.daemon, told.map(|(vars, _)| vars), &self.home);
        if let Some((_, at)) = told {
            environment = environment.read_at(*at);
        }
        if let Some(warning) = warning {
            environment = environment.warned(warning);
        }
        state.environment = environment;
        state.tried_at = Some(now);
        state.reading = false;
        drop(state);
        self.readings.send_modify(|count| *count += 1);
    }
}

impl fmt::Debug for Environments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values are secrets.
        f.debug_struct("Environments").field("shell", &self.0.shell).finish_non_exhaustive()
    }
}
