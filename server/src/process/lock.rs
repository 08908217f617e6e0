//! One data directory has one daemon: an OS lock that ends with its process, whatever ends that.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

use super::private;

/// The right to be the daemon of a data directory, until it is dropped.
#[derive(Debug)]
pub(crate) struct DirLock {
    _file: File,
}

impl DirLock {
    /// Takes the lock; `None` where another process has it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        let file = private::append(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Whether a daemon holds the lock. Makes nothing.
pub(crate) fn is_held(path: &Path) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    // Shared, so that two who look do not take each other for a daemon.
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_the_lock_and_it_ends_with_its_owner() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        assert!(!is_held(&path));
        let first = DirLock::take(&path).unwrap();
        assert!(first.is_some() && is_held(&path));
        assert!(DirLock::take(&path).unwrap().is_none());
        drop(first);
        assert!(!is_held(&path));
        assert!(DirLock::take(&path).unwrap().is_some());
    }
}
