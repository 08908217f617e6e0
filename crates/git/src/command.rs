//! One call of git, with a bounded time and a bounded answer.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

/// How long one call may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most that is read of an answer, in bytes. What a status of a hundred thousand files needs.
const LONGEST: u64 = 16 << 20;

/// Why git said nothing.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no `git` on the PATH.
    #[error("git is not installed")]
    NotInstalled,
    /// The directory is in no repository.
    #[error("the directory is in no git repository")]
    NoRepository,
    /// It took too long.
    #[error("git did not answer within {} s", PATIENCE.as_secs())]
    TooSlow,
    /// The answer is larger than is read.
    #[error("git's answer is larger than {} MiB", LONGEST >> 20)]
    TooLarge,
    /// It refused, with the first line of its reason.
    #[error("git: {0}")]
    Refused(String),
    /// It could not be run.
    #[error("git could not be run: {0}")]
    Io(#[from] std::io::Error),
}

/// What git writes to its standard output for `arguments` in `directory`.
pub(crate) async fn output(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    let mut command = Command::new("git");
    // A repository's own configuration must not make a look at it run a program.
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks", "--no-pager"]);
    command.arg("-C").arg(directory).args(arguments);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let answer = tokio::time::timeout(PATIENCE, whole(command)).await.map_err(|_| GitError::TooSlow)??;
    judge(answer)
}

struct Answer {
    status: ExitStatus,
    output: Vec<u8>,
    complaint: Vec<u8>,
}

async fn whole(mut command: Command) -> Result<Answer, GitError> {
    let mut child = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => GitError::NotInstalled,
        _ => GitError::Io(error),
    })?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Both at once: git may fill one pipe before it closes the other.
    let (output, complaint) = tokio::join!(all_of(stdout, LONGEST + 1), all_of(stderr, 64 << 10));
    let (output, complaint) = (output?, complaint?);
    if output.len() as u64 > LONGEST {
        return Err(GitError::TooLarge);
    }
    Ok(Answer { status: child.wait().await?, output, complaint })
}

async fn all_of(pipe: Option<impl tokio::io::AsyncRead + Unpin>, limit: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(limit).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

fn judge(answer: Answer) -> Result<Vec<u8>, GitError> {
    if answer.status.success() {
        return Ok(answer.output);
    }
    let complaint = String::from_utf8_lossy(&answer.complaint);
    if complaint.contains("not a git repository") {
        return Err(GitError::NoRepository);
    }
    let line = complaint.lines().next().unwrap_or_default();
    Err(GitError::Refused(line.trim_start_matches("fatal: ").to_owned()))
}
