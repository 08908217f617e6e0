//! What happened in a repository since a moment: evidence for a tool call of which nobody knows whether it ran.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::command::{GitError, output};
use crate::status::{Change, ChangeKind, parse};

/// The most paths and the most commits that are told.
const MOST: usize = 200;

/// What happened since a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Since {
    /// The top of the repository.
    pub root: PathBuf,
    /// Uncommitted changes that were written then or later, with the time of the last write where the path exists;
    /// newest first. A path that is gone has no time: it is told where its directory was written since.
    pub changes: Vec<(Change, Option<SystemTime>)>,
    /// Commits on the present branch that were made then or later, newest first.
    pub commits: Vec<Commit>,
    /// Whether there is more than is told.
    pub more: bool,
}

/// A commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its whole id.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
}

/// What happened in the repository around `directory` since `moment`.
///
/// # Errors
///
/// Where git is missing, the directory in no repository, or git too slow or unwilling.
pub async fn since(directory: &Path, moment: SystemTime) -> Result<Since, GitError> {
    let top = output(directory, &["rev-parse", "--show-toplevel"]).await?;
    let root = PathBuf::from(std::ffi::OsStr::from_bytes(top.strip_suffix(b"\n").unwrap_or(&top)));
    let status =
        ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];
    let changes = parse(&output(directory, &status).await?);
    let (mut changes, mut commits) = (written_since(&root, changes, moment), commits(directory, moment).await?);
    let more = changes.len() > MOST || commits.len() > MOST;
    changes.truncate(MOST);
    commits.truncate(MOST);
    Ok(Since { root, changes, commits, more })
}

fn written_since(root: &Path, changes: Vec<Change>, moment: SystemTime) -> Vec<(Change, Option<SystemTime>)> {
    let mut written: Vec<_> = changes
        .into_iter()
        .filter_map(|change| {
            let path = root.join(&change.path);
            let time = written_at(&path);
            let told = match change.kind {
                ChangeKind::Deleted => path.ancestors().skip(1).find_map(written_at),
                _ => time,
            };
            told.is_some_and(|told| told >= moment).then_some((change, time))
        })
        .collect();
    written.sort_by(|(a, at), (b, bt)| bt.cmp(at).then_with(|| a.path.cmp(&b.path)));
    written
}

/// When the path itself, not what it links to, was last written.
fn written_at(path: &Path) -> Option<SystemTime> {
    path.symlink_metadata().ok()?.modified().ok()
}

async fn commits(directory: &Path, moment: SystemTime) -> Result<Vec<Commit>, GitError> {
    // A repository without a commit has none since.
    if output(directory, &["rev-parse", "--verify", "--quiet", "HEAD"]).await.is_err() {
        return Ok(Vec::new());
    }
    let after = moment.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (since, most) = (format!("--since=@{after}"), format!("--max-count={}", MOST + 1));
    let log = output(directory, &["log", "-z", "--format=%H %s", &since, &most, "HEAD"]).await?;
    let lines = log.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    Ok(lines.filter_map(|line| commit(&String::from_utf8_lossy(line))).collect())
}

fn commit(line: &str) -> Option<Commit> {
    let (id, subject) = line.split_once(' ')?;
    Some(Commit { id: id.to_owned(), subject: subject.to_owned() })
}
