//! Changing keys of config.toml and leaving the rest of it as the user wrote it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use toml_edit::DocumentMut;

use super::keys::{BadValue, Config, ConfigPatch, Key};
use super::{ConfigError, read_text};

/// Why settings were not changed. The file is then as it was.
#[derive(Debug, thiserror::Error)]
pub enum PatchError {
    /// Values that cannot be.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Values(Vec<BadValue>),
    /// The file as it is cannot be read: it wants the user's hand first.
    #[error(transparent)]
    File(#[from] ConfigError),
    /// The file could not be written.
    #[error("{path}: cannot be written: {source}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// One change at a time, so that none is lost between reading and writing.
static CHANGING: Mutex<()> = Mutex::new(());

/// Sets the keys that `change` names in the file at `path` and returns the settings as they are then. Comments, order and
/// blanks stay; a new key comes with its meaning as a comment. The file is replaced as a whole (write, fsync, rename),
/// through a symbolic link where it is one.
///
/// # Errors
///
/// See [`PatchError`].
pub fn patch(path: &Path, change: &ConfigPatch) -> Result<Config, PatchError> {
    let bad = change.bad_values();
    if !bad.is_empty() {
        return Err(PatchError::Values(bad));
    }
    let _one_at_a_time = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = read_text(path)?;
    Config::parse(path, &before)?;
    let mut document = document_of(path, &before)?;
    for (key, value) in change.values() {
        set(&mut document, key, value);
    }
    let after = document.to_string();
    let config = Config::parse(path, &after)?;
    write_change(path, &before, &after)?;
    Ok(config)
}

/// Changes the document in the file at `path`; what `change` does not touch stays as the user wrote it. `None` of it
/// says that the file holds something of another form there.
///
/// # Errors
///
/// See [`PatchError`].
pub(crate) fn edit(path: &Path, change: impl FnOnce(&mut DocumentMut) -> Option<()>) -> Result<(), PatchError> {
    let _one_at_a_time = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
    let before = read_text(path)?;
    let mut document = document_of(path, &before)?;
    change(&mut document).ok_or_else(|| {
        ConfigError::at(
            path,
            &before,
            0..0,
            "has something of another form where this belongs: correct the file".to_owned(),
        )
    })?;
    write_change(path, &before, &document.to_string())
}

fn document_of(path: &Path, text: &str) -> Result<DocumentMut, ConfigError> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        ConfigError::at(path, text, error.span().unwrap_or(0..0), error.message().to_owned())
    })
}

fn write_change(path: &Path, before: &str, after: &str) -> Result<(), PatchError> {
    if after == before {
        return Ok(());
    }
    replace(path, after.as_bytes()).map_err(|source| PatchError::Write { path: path.to_owned(), source })
}

fn set(document: &mut DocumentMut, key: Key, mut value: toml_edit::Value) {
    if let Some(old) = document.get_mut(key.name).and_then(toml_edit::Item::as_value_mut) {
        // What stands around the value, a comment behind it above all, belongs to the user.
        *value.decor_mut() = old.decor().clone();
        *old = value;
        return;
    }
    let space = if document.is_empty() { "" } else { "\n" };
    let comment: String = key.doc.lines().map(|line| format!("# {}\n", line.trim())).collect();
    document.insert(key.name, toml_edit::value(value));
    if let Some(mut key) = document.key_mut(key.name) {
        key.leaf_decor_mut().set_prefix(format!("{space}{comment}"));
    }
}

/// Puts `bytes` in the place of the file at `path`: after a crash it is the old one or the new one, whole.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let temporary = target.with_extension("toml.new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    if let Ok(old) = fs::metadata(&target) {
        file.set_permissions(old.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, &target)?;
    match target.parent() {
        Some(directory) => File::open(directory)?.sync_all(),
        None => Ok(()),
    }
}
