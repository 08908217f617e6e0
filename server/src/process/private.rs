//! Files and directories that only their owner can read.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes a directory, and those above it, if it is not there, and takes it away from everybody else (0700).
pub(crate) fn make_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(path, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// A new file at `path`, or the one there emptied (0600).
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

/// The file at `path`, made if it is not there, to be added to (0600).
pub(crate) fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// Puts a file in place whole: a reader sees the old one or the new one (0600).
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let half = path.with_extension("part");
    let mut file = create(&half)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&half, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_could_read_is_taken_from_them() {
        let dir = tempfile::tempdir().unwrap();
        let open = dir.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, Permissions::from_mode(0o755)).unwrap();
        make_dir(&open).unwrap();
        assert_eq!(mode(&open), 0o700);

        let file = open.join("file.json");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        replace(&file, b"new").unwrap();
        assert_eq!((mode(&file), fs::read(&file).unwrap()), (0o600, b"new".to_vec()));
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }
}
