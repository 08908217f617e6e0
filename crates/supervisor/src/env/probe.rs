//! One run of the user's shell that prints its environment.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, setsid};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::{Instant, timeout, timeout_at};

use super::{Vars, shell};

/// An environment of more than this is none: the kernel takes no more than 2 MiB at a start.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// Once it has told its environment a shell gets this long to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// Tells start-up files who asks, for those that want to behave otherwise then. Never reaches an agent.
const ASKING: &str = "DROVER_RESOLVING_ENVIRONMENT";

/// Why the login shell's environment is not known.
#[derive(Debug, thiserror::Error)]
pub(super) enum ShellProblem {
    /// There is no shell to ask.
    #[error("neither SHELL nor the password database names a shell that can be run")]
    NoShell,
    /// It could not be started.
    #[error("the login shell {shell} could not be started: {source}", shell = shell.display())]
    Start {
        /// The shell.
        shell: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It told nothing in time.
    #[error("the login shell {shell} did not answer in {} s: see what its start-up files wait for", after.as_secs(), shell = shell.display())]
    Silent {
        /// The shell.
        shell: PathBuf,
        /// How long it was waited for.
        after: Duration,
    },
    /// It ended before it told its environment.
    #[error("the login shell {shell} ended without telling its environment ({status}): see its start-up files", shell = shell.display())]
    Ended {
        /// The shell.
        shell: PathBuf,
        /// How it ended.
        status: ExitStatus,
    },
    /// The daemon stops.
    #[error("the daemon stopped before the login shell answered")]
    Stopped,
    /// It printed without end.
    #[error("the login shell {shell} printed more than {} MiB: see its start-up files", MOST_BYTES / (1024 * 1024), shell = shell.display())]
    TooMuch {
        /// The shell.
        shell: PathBuf,
    },
}

/// What is run, and with what.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    pub(super) shell: PathBuf,
    pub(super) vars: Vars,
    pub(super) home: PathBuf,
    pub(super) patience: Duration,
}

/// The processes of the shell, ended together even where this future is dropped.
struct Group(Pid);

impl Drop for Group {
    fn drop(&mut self) {
        // ESRCH, where nobody is left, is as good.
        let _ = killpg(self.0, Signal::SIGKILL);
    }
}

impl Probe {
    /// The shell's environment after its start-up files. What those print before and after is ignored.
    pub(super) async fn read(self) -> Result<Vars, ShellProblem> {
        let deadline = Instant::now() + self.patience;
        let marks = Marks::new();
        let cannot_start = |source| ShellProblem::Start { shell: self.shell.clone(), source };
        let mut child = self.command(&marks).spawn().map_err(cannot_start)?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(|id| Group(Pid::from_raw(id)));
        let told = match child.stdout.take() {
            Some(mut stdout) => timeout_at(deadline, marks.read(&mut stdout)).await,
            None => Ok(Told::Nothing),
        };
        // The shell is not waited for before its group is gone, so that its id cannot be another's by then.
        drop(group);
        let status = child.wait().await.map_err(cannot_start)?;
        let shell = self.shell;
        match told {
            Ok(Told::Environment(vars)) => Ok(vars),
            Ok(Told::Nothing) => Err(ShellProblem::Ended { shell, status }),
            Ok(Told::TooMuch) => Err(ShellProblem::TooMuch { shell }),
            Err(_) => Err(ShellProblem::Silent { shell, after: self.patience }),
        }
    }

    fn command(&self, marks: &Marks) -> Command {
        let call = shell::call(&self.shell, &marks.command());
        let mut command = Command::new(&self.shell);
        if let Some(name) = call.arg0 {
            command.arg0(name);
        }
        command
            .args(call.args)
            .env_clear()
            .envs(&self.vars)
            .env(ASKING, "1")
            .current_dir(if self.home.is_dir() { &self.home } else { Path::new("/") })
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        // An interactive shell takes the terminal of its session, and stops where it may not: it must have none.
        // SAFETY: between fork and exec this makes one system call and touches no memory of the parent.
        unsafe { command.pre_exec(|| setsid().map(drop).map_err(io::Error::from)) };
        command
    }
}

/// What the output holds, once it is over or has been enough.
enum Told {
    Environment(Vars),
    Nothing,
    TooMuch,
}

/// What stands around the environment in the output.
struct Marks {
    begin: Vec<u8>,
    end: Vec<u8>,
}

impl Marks {
    fn new() -> Self {
        let mark = |name| format!("drover-{name}-{}", std::process::id()).into_bytes();
        Self { begin: mark("begin"), end: mark("end") }
    }

    /// The command that prints. It goes through one `sh`, so that nothing of the user's shell gets in between, and does
    /// not contain the marks themselves: some shells print what they run.
    fn command(&self) -> String {
        let id = std::process::id();
        format!("/bin/sh -c 'printf drover-%s-{id} begin; /usr/bin/env -0; printf drover-%s-{id} end'")
    }

    async fn read(&self, output: &mut (impl AsyncRead + Unpin)) -> Told {
        let mut bytes = Vec::new();
        let mut looked_at = 0;
        while output.read_buf(&mut bytes).await.is_ok_and(|count| count > 0) {
            if let Some(vars) = self.between(&bytes, looked_at) {
                let mut rest = tokio::io::sink();
                let _ = timeout(GRACE, tokio::io::copy(output, &mut rest)).await;
                return Told::Environment(vars);
            }
            if bytes.len() > MOST_BYTES {
                return Told::TooMuch;
            }
            looked_at = bytes.len().saturating_sub(self.end.len());
        }
        Told::Nothing
    }

    /// The environment, where its end stands in `bytes` at or after `from`.
    fn between(&self, bytes: &[u8], from: usize) -> Option<Vars> {
        let end = from + find(&bytes[from..], &self.end)?;
        let begin = find(&bytes[..end], &self.begin)? + self.begin.len();
        Some(bytes[begin..end].split(|&byte| byte == 0).filter_map(variable).collect())
    }
}

fn find(bytes: &[u8], sought: &[u8]) -> Option<usize> {
    bytes.windows(sought.len()).position(|window| window == sought)
}

fn variable(entry: &[u8]) -> Option<(OsString, OsString)> {
    let equals = entry.iter().position(|&byte| byte == b'=').filter(|&at| at > 0)?;
    let (name, value) = (entry[..equals].to_vec(), entry[equals + 1..].to_vec());
    Some((OsString::from_vec(name), OsString::from_vec(value)))
}
