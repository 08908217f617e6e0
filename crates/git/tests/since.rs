//! Against real repositories in a temporary directory.

#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![expect(clippy::disallowed_methods, reason = "files are dated by the machine's clock")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use drover_git::{ChangeKind, GitError, since};
use tempfile::TempDir;

fn git(at: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.arg("-C").arg(at).args(["-c", "user.name=A", "-c", "user.email=a@example.invalid"]).args(arguments);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn repository() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "-q"]);
    dir
}

/// Long ago, so that the clock's grain does not matter.
fn age(path: &Path) {
    let file = fs::File::options().read(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).unwrap();
}

fn a_minute_ago() -> SystemTime {
    SystemTime::now() - Duration::from_secs(60)
}

#[tokio::test]
async fn what_was_written_since_is_told_whatever_it_is_called_and_what_was_before_is_not() {
    let dir = repository();
    let at = |name: &str| dir.path().join(name);
    for name in ["kept", "old change", "changed", "gone"] {
        fs::write(at(name), "1\n").unwrap();
    }
    git(dir.path(), &["add", "-A"]);
    git(dir.path(), &["commit", "-q", "--date=2001-01-01T00:00:00", "-m", "first"]);
    fs::write(at("old change"), "2\n").unwrap();
    age(&at("old change"));
    let odd = ["Grüße 你.txt", "a\nb -> c", "\"quoted\" \\ name", "-n"];
    for name in ["changed"].iter().chain(&odd) {
        fs::write(at(name), "2\n").unwrap();
    }
    fs::remove_file(at("gone")).unwrap();
    fs::create_dir(at("new")).unwrap();
    fs::write(at("new/staged"), "1\n").unwrap();
    git(dir.path(), &["add", "new/staged"]);

    // From a directory below the top, the paths are those of the top.
    let told = since(&at("new"), a_minute_ago()).await.unwrap();
    assert_eq!(told.root, dir.path().canonicalize().unwrap());
    let mut kinds: Vec<_> = told.changes.iter().map(|(change, _)| (change.path.as_str(), change.kind)).collect();
    kinds.sort_unstable_by_key(|(path, _)| *path);
    let mut expected =
        vec![("changed", ChangeKind::Modified), ("gone", ChangeKind::Deleted), ("new/staged", ChangeKind::Added)];
    expected.extend(odd.map(|name| (name, ChangeKind::Untracked)));
    expected.sort_unstable_by_key(|(path, _)| *path);
    assert_eq!(kinds, expected);
    assert!(told.changes.iter().all(|(change, time)| time.is_some() == (change.kind != ChangeKind::Deleted)));
    assert!(!told.more);
}

#[tokio::test]
async fn commits_since_are_told_and_a_repository_without_one_is_no_error() {
    let dir = repository();
    assert_eq!(since(dir.path(), a_minute_ago()).await.unwrap().commits, []);
    git(dir.path(), &["commit", "-q", "--allow-empty", "-m", "subject: 你好\n\nbody"]);
    let told = since(dir.path(), a_minute_ago()).await.unwrap();
    let subjects: Vec<_> = told.commits.iter().map(|commit| commit.subject.as_str()).collect();
    assert_eq!(subjects, ["subject: 你好"]);
    assert_eq!(told.commits[0].id.len(), 40);
    let later = SystemTime::now() + Duration::from_secs(60);
    assert_eq!(since(dir.path(), later).await.unwrap().commits, []);
}

#[tokio::test]
async fn a_look_runs_no_program_of_the_repository_and_leaves_its_index_alone() {
    let dir = repository();
    let (mark, script) = (dir.path().join("ran"), dir.path().join("monitor"));
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(dir.path().join("file"), "1\n").unwrap();
    git(dir.path(), &["add", "file"]);
    git(dir.path(), &["config", "core.fsmonitor", script.to_str().unwrap()]);
    age(&dir.path().join("file"));
    let index = fs::read(dir.path().join(".git/index")).unwrap();
    since(dir.path(), a_minute_ago()).await.unwrap();
    assert!(!mark.exists(), "the monitor was run");
    assert_eq!(fs::read(dir.path().join(".git/index")).unwrap(), index, "the index was written");
}

#[tokio::test]
async fn a_directory_in_no_repository_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let told = since(dir.path(), a_minute_ago()).await;
    assert!(matches!(told, Err(GitError::NoRepository)), "{told:?}");
}

#[tokio::test]
async fn a_conflict_is_told_as_one() {
    let dir = repository();
    let write = |text: &str| fs::write(dir.path().join("file"), text).unwrap();
    write("base\n");
    git(dir.path(), &["add", "file"]);
    git(dir.path(), &["commit", "-q", "-m", "base"]);
    git(dir.path(), &["checkout", "-q", "-b", "side"]);
    write("side\n");
    git(dir.path(), &["commit", "-q", "-am", "side"]);
    git(dir.path(), &["checkout", "-q", "-"]);
    write("main\n");
    git(dir.path(), &["commit", "-q", "-am", "main"]);
    let merge = Command::new("git").arg("-C").arg(dir.path()).args(["merge", "-q", "side"]).output().unwrap();
    assert!(!merge.status.success());
    let told = since(dir.path(), a_minute_ago()).await.unwrap();
    let kinds: Vec<_> = told.changes.iter().map(|(change, _)| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::Conflicted]);
}
