//! `git status --porcelain=v2 -z`, read as git-status(1) describes it.

/// A path that differs from the last commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Below the top of the repository. Bytes that are not UTF-8 are replaced.
    pub path: String,
    /// What became of it.
    pub kind: ChangeKind,
}

/// What became of a path, of the index and the directory together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It has another content or mode.
    Modified,
    /// It is new to the index.
    Added,
    /// It is gone.
    Deleted,
    /// It is on disk only.
    Untracked,
    /// It stands between two sides of a merge.
    Conflicted,
}

/// The changes in an answer. Renames are not asked for: they come as one path that went and one that came.
pub(crate) fn parse(answer: &[u8]) -> Vec<Change> {
    answer.split(|byte| *byte == 0).filter_map(entry).collect()
}

fn entry(record: &[u8]) -> Option<Change> {
    // What stands in front of the path: "1 XY sub mH mI mW hH hI", "u XY sub m1 m2 m3 mW h1 h2 h3", "?".
    let (kind, fields) = match record.first()? {
        b'1' => (of_letters(record.get(2..4)?), 8),
        b'u' => (ChangeKind::Conflicted, 10),
        b'?' => (ChangeKind::Untracked, 1),
        _ => return None,
    };
    let path = record.splitn(fields + 1, |byte| *byte == b' ').nth(fields)?;
    Some(Change { path: String::from_utf8_lossy(path).into_owned(), kind })
}

/// The letter of the index and that of the directory.
fn of_letters(letters: &[u8]) -> ChangeKind {
    match letters {
        [_, b'D'] | [b'D', b'.'] => ChangeKind::Deleted,
        [b'A', _] | [_, b'A'] => ChangeKind::Added,
        _ => ChangeKind::Modified,
    }
}
