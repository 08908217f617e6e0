//! Sessions on disk: a JSON file each, so that the next process can go on.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::session::Session;

/// Files that are kept; the oldest go when a session is made.
const KEPT: usize = 500;

/// The directory of the tour's own, if it has one.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    dir: Option<PathBuf>,
}

impl Store {
    /// Keeps sessions in `dir`, which is made when it is needed.
    pub(crate) const fn new(dir: Option<PathBuf>) -> Self {
        Self { dir }
    }

    /// The session of this id; `None` where there is none that can be read.
    pub(crate) fn load(&self, id: &str) -> Option<Session> {
        let text = fs::read(self.session_file(id)?).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Replaces what is kept of a session, in one step.
    pub(crate) fn save(&self, session: &Session) -> io::Result<()> {
        let Some(file) = self.session_file(&session.id) else { return Ok(()) };
        replace(&file, &serde_json::to_vec(session)?)
    }

    /// Writes a file of the tour's own. `None` without a directory: nothing is written then.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<Option<PathBuf>> {
        let Some(file) = self.path(name) else { return Ok(None) };
        replace(&file, text.as_bytes())?;
        Ok(Some(file))
    }

    /// Where a file of this name is.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        Some(self.dir.as_ref()?.join(name))
    }

    /// Removes the oldest sessions where there are too many.
    pub(crate) fn prune(&self) -> io::Result<()> {
        let Some(dir) = self.dir.as_ref().map(|dir| dir.join("sessions")).filter(|dir| dir.exists()) else {
            return Ok(());
        };
        let mut files = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            files.push((entry.metadata()?.modified()?, entry.path()));
        }
        files.sort();
        let excess = files.len().saturating_sub(KEPT);
        for (_, file) in files.into_iter().take(excess) {
            fs::remove_file(file)?;
        }
        Ok(())
    }

    fn session_file(&self, id: &str) -> Option<PathBuf> {
        Session::is_id(id).then(|| self.path(&format!("sessions/{id}.json")))?
    }
}

/// Through a file beside it, so that a kill leaves the old one or the new one.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(dir) = file.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    }
    let draft = file.with_extension(format!("{}.new", std::process::id()));
    fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?.write_all(bytes)?;
    fs::rename(draft, file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::pace::Pace;

    fn session(id: &str) -> Session {
        Session::new(id.into(), "/work".into(), Language::Chinese, Pace::Leisurely)
    }

    #[test]
    fn what_is_saved_is_loaded_and_a_broken_file_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(Some(dir.path().join("made/later")));
        let kept = session("tour-0123456789abcdef");
        assert_eq!(store.load(&kept.id), None);
        store.save(&kept).unwrap();
        assert_eq!(store.load(&kept.id), Some(kept.clone()));
        fs::write(store.session_file(&kept.id).unwrap(), "{").unwrap();
        assert_eq!(store.load(&kept.id), None);
        assert_eq!(store.load("tour-../0123456789abc"), None);
    }

    #[test]
    fn without_a_directory_nothing_is_written() {
        let store = Store::new(None);
        store.save(&session("tour-0123456789abcdef")).unwrap();
        assert_eq!(store.write("greeting.txt", "hello").unwrap(), None);
        assert_eq!(store.load("tour-0123456789abcdef"), None);
        store.prune().unwrap();
    }

    #[test]
    fn the_oldest_sessions_go() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::new(Some(dir.path().to_owned()));
        for number in 0..KEPT + 3 {
            store.save(&session(&format!("tour-{number:016x}"))).unwrap();
        }
        store.prune().unwrap();
        assert_eq!(fs::read_dir(dir.path().join("sessions")).unwrap().count(), KEPT);
    }
}
