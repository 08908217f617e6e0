//! The daemon's side: starts a keeper, which starts the agent.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream as StdUnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::OwnedReadHalf;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::warden::Warden;
use super::wire::{self, CONTROL_VARIABLE, Report, Spec};
use super::{gate, resolve, warden};
use crate::sweep::MARK_VARIABLE;
use crate::{Transport, platform};

/// A keeper that has not started its agent by now never will.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// An agent to start.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The binary that becomes the keeper by calling [`crate::keeper_main`]; normally [`Launch::own_binary`].
    pub keeper: PathBuf,
    /// What makes it do so, for example `["keeper"]`.
    pub keeper_args: Vec<OsString>,
    /// The agent's program: a bare name is looked up in the PATH of `env`, a relative path starts at `cwd`.
    pub command: PathBuf,
    /// Its arguments, passed as they are.
    pub args: Vec<OsString>,
    /// Its whole environment; nothing is inherited. The mark is added.
    pub env: Vec<(OsString, OsString)>,
    /// Its working directory, absolute.
    pub cwd: PathBuf,
    /// Says whose it is.
    pub mark: Mark,
}

impl Launch {
    /// The file to start keepers from: one that stays this very binary when it is replaced on disk, where the
    /// system has that.
    pub fn own_binary() -> io::Result<PathBuf> {
        platform::own_binary().map_or_else(std::env::current_exe, |path| Ok(PathBuf::from(path)))
    }
}

/// Whose an agent is: in the environment of the agent and of everything it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The data directory's instance id. Neither part may hold a `:`.
    pub owner: String,
    /// Random, new with every start of the daemon.
    pub run: String,
}

impl Mark {
    /// The variable that marks a process and all it starts, for those that are started without a keeper:
    /// [`sweep_leftovers`](crate::sweep_leftovers) of a later daemon finds them by it.
    pub fn variable(&self) -> (&'static str, String) {
        (MARK_VARIABLE, next_mark(self))
    }
}

/// Why an agent could not be started. The words are for the user.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// No such program.
    #[error("{} was not found{}", .command.display(), searched_in(.searched.as_ref()))]
    NotFound {
        /// As it was given, or the path it stands for.
        command: PathBuf,
        /// The PATH, if it was a bare name.
        searched: Option<OsString>,
    },
    /// A file without the right to execute it.
    #[error("{} is not executable", .path.display())]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// A directory where a program should be.
    #[error("{} is a directory, not a program", .path.display())]
    IsDirectory {
        /// The directory.
        path: PathBuf,
    },
    /// A script whose first line names a program that is not there.
    #[error("{} needs {interpreter}, which was not found", .script.display())]
    MissingInterpreter {
        /// The script.
        script: PathBuf,
        /// What its first line names.
        interpreter: String,
    },
    /// The working directory does not exist.
    #[error("the directory {} does not exist", .path.display())]
    CwdMissing {
        /// The directory.
        path: PathBuf,
    },
    /// The working directory is something else.
    #[error("{} is not a directory", .path.display())]
    CwdNotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// The working directory cannot be entered or listed.
    #[error("the directory {} cannot be read", .path.display())]
    CwdUnreadable {
        /// The directory.
        path: PathBuf,
    },
    /// The system refused something else.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
}

fn searched_in(path: Option<&OsString>) -> String {
    match path {
        None => String::new(),
        Some(path) if path.is_empty() => "; PATH is not set".to_owned(),
        Some(path) => format!(" in PATH ({})", path.display()),
    }
}

fn doing(what: &str) -> impl FnOnce(io::Error) -> LaunchError {
    move |source| LaunchError::Io { doing: what.to_owned(), source }
}

/// Starts an agent under a keeper of its own. Returns once the program runs, or with the reason why it does not.
/// Must be called on a tokio runtime.
pub async fn launch(launch: Launch) -> Result<Transport, LaunchError> {
    let (launch, program) = find_program(launch).await?;
    let (ours, theirs) = StdUnixStream::pair().map_err(doing("cannot make a socket pair"))?;
    let mark = next_mark(&launch.mark);
    let mut keeper = spawn_keeper(&launch, &mark, theirs.into()).map_err(doing("cannot start the keeper"))?;
    let control = ours.set_nonblocking(true).and_then(|()| UnixStream::from_std(ours));
    let (reports, mut orders) = control.map_err(doing("cannot use the keeper's socket"))?.into_split();
    let mut reports = BufReader::new(reports).lines();

    let line = wire::line(&spec_of(launch, &program, &mark))
        .map_err(|error| doing("cannot write the keeper's order")(error.into()))?;
    // A keeper that died says more by its report, or by the lack of one.
    let _ = orders.write_all(&line).await;
    let agent_pid = match timeout(START_TIMEOUT, first_report(&mut reports)).await {
        Ok(Ok(Report::Started(pid))) => pid,
        Ok(Ok(Report::Failed { errno, message })) => {
            reap(keeper).await;
            return Err(exec_failure(&program, errno, message));
        }
        Ok(Ok(other)) => return Err(abandon(keeper, io::Error::other(format!("unexpected report {other:?}"))).await),
        Ok(Err(error)) => return Err(abandon(keeper, error).await),
        Err(_) => return Err(abandon(keeper, io::ErrorKind::TimedOut.into()).await),
    };
    let streams = (keeper.stdin.take(), keeper.stdout.take(), keeper.stderr.take());
    let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
        return Err(abandon(keeper, io::Error::other("no pipes")).await);
    };
    let (stdin, gate) = gate::gated(stdin);
    let warden = Warden { keeper, reports, control: orders, agent: platform::look_up(agent_pid), mark };
    let process = warden::start(warden, agent_pid, gate);
    Ok(Transport { stdin: Box::new(stdin), stdout: Box::new(stdout), stderr: Box::new(stderr), process })
}

async fn find_program(launch: Launch) -> Result<(Launch, PathBuf), LaunchError> {
    // A directory may be on a network that hangs.
    let found = tokio::task::spawn_blocking(move || {
        let program = resolve::resolve(&launch.command, &launch.cwd, &launch.env)?;
        Ok((launch, program))
    });
    found.await.map_err(|error| doing("cannot look for the program")(io::Error::other(error)))?
}

/// Unique within a run of the daemon, which is all that a mark needs.
fn next_mark(mark: &Mark) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{}:{}:{}", mark.owner, mark.run, NEXT.fetch_add(1, Ordering::Relaxed))
}

fn spawn_keeper(launch: &Launch, mark: &str, control: OwnedFd) -> io::Result<Child> {
    let mut command = Command::new(&launch.keeper);
    command
        .arg0("drover-keeper")
        .args(&launch.keeper_args)
        .env_clear()
        .env(CONTROL_VARIABLE, control.as_raw_fd().to_string())
        .env(MARK_VARIABLE, mark)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let inherit = move || fcntl(&control, FcntlArg::F_SETFD(FdFlag::empty())).map(drop).map_err(io::Error::from);
    // SAFETY: the closure makes one system call and allocates nothing, so it may run between fork and exec.
    unsafe { command.pre_exec(inherit) };
    command.spawn()
}

fn spec_of(launch: Launch, program: &Path, mark: &str) -> Spec {
    let marked = (OsString::from(MARK_VARIABLE), OsString::from(mark));
    let env = launch.env.into_iter().filter(|(name, _)| name != MARK_VARIABLE).chain([marked]);
    Spec {
        command: program.as_os_str().to_owned().into(),
        args: launch.args.into_iter().map(Into::into).collect(),
        env: env.map(|(name, value)| (name.into(), value.into())).collect(),
        cwd: launch.cwd.into_os_string().into(),
        mark: mark.to_owned(),
    }
}

async fn first_report(reports: &mut Lines<BufReader<OwnedReadHalf>>) -> io::Result<Report> {
    let line = reports.next_line().await?.ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok(serde_json::from_str(&line)?)
}

fn exec_failure(program: &Path, errno: Option<i32>, message: String) -> LaunchError {
    match errno {
        // The file was there a moment ago: what is missing is what it needs to run.
        Some(libc::ENOENT) => {
            LaunchError::MissingInterpreter { script: program.to_owned(), interpreter: "a loader".to_owned() }
        }
        Some(libc::EACCES) => LaunchError::NotExecutable { path: program.to_owned() },
        _ => {
            let source = errno.map_or_else(|| io::Error::other(message), io::Error::from_raw_os_error);
            LaunchError::Io { doing: format!("cannot start {}", program.display()), source }
        }
    }
}

async fn abandon(mut keeper: Child, error: io::Error) -> LaunchError {
    // It may be gone already; its agent, if it has one, ends with its control socket.
    let _ = keeper.start_kill();
    reap(keeper).await;
    doing("the keeper did not start the agent")(error)
}

async fn reap(mut keeper: Child) {
    if let Err(error) = keeper.wait().await {
        tracing::warn!(%error, "a keeper could not be reaped");
    }
}
