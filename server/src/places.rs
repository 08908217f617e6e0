//! Directories on this machine, as a person names and picks them. Everything here blocks.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Serialize;
use utoipa::ToSchema;

/// Why a path is no directory to use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaceError {
    #[error("must be an absolute path")]
    NotAbsolute,
    #[error("there is no such directory")]
    Missing,
    #[error("is not a directory")]
    NotADirectory,
    #[error("has a name that is not UTF-8, which cannot be kept")]
    NotUtf8,
    #[error("cannot be used: {0}")]
    Unusable(io::Error),
}

impl From<io::Error> for PlaceError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::NotADirectory => Self::NotADirectory,
            _ => Self::Unusable(error),
        }
    }
}

/// A directory, by its canonical path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) is_git: bool,
}

impl Place {
    /// The directory at an absolute path, made first where `create` says so.
    pub(crate) fn find(path: &str, create: bool) -> Result<Self, PlaceError> {
        let path = Path::new(path);
        if !path.is_absolute() {
            return Err(PlaceError::NotAbsolute);
        }
        if create {
            fs::create_dir_all(path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => PlaceError::NotADirectory,
                _ => error.into(),
            })?;
        }
        let path = path.canonicalize()?;
        if !path.is_dir() {
            return Err(PlaceError::NotADirectory);
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        let name = name.to_str().ok_or(PlaceError::NotUtf8)?.to_owned();
        let is_git = is_in_git(&path);
        let path = path.into_os_string().into_string();
        Ok(Self { path: path.map_err(|_| PlaceError::NotUtf8)?, name, is_git })
    }
}

/// Whether a directory is in a git work tree: `.git` is a directory there, or a file in linked work trees and submodules.
pub(crate) fn is_in_git(path: &Path) -> bool {
    path.ancestors().any(|above| above.join(".git").exists())
}

/// The directories below one, for the picker.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Directories {
    /// The directory: absolute and canonical.
    path: String,
    /// The one above; null at the root.
    parent: Option<String>,
    /// Those below, by name. Names that are not UTF-8 are left out.
    entries: Vec<DirectoryEntry>,
}

/// A directory in another one.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct DirectoryEntry {
    /// Its name.
    name: String,
    /// Its absolute path.
    path: String,
    /// Whether it is the top of a git work tree.
    is_git: bool,
}

impl Directories {
    pub(crate) fn below(path: &str) -> Result<Self, PlaceError> {
        let path = Place::find(path, false)?.path;
        let mut entries: Vec<_> =
            fs::read_dir(&path)?.flatten().filter_map(|entry| DirectoryEntry::of(entry.path())).collect();
        entries
            .sort_by_cached_key(|entry| (entry.name.starts_with('.'), entry.name.to_lowercase(), entry.name.clone()));
        let parent = Path::new(&path).parent().and_then(Path::to_str);
        Ok(Self { parent: parent.map(str::to_owned), path, entries })
    }
}

impl DirectoryEntry {
    fn of(path: PathBuf) -> Option<Self> {
        // A link to a directory is one.
        if !path.is_dir() {
            return None;
        }
        Some(Self {
            name: path.file_name()?.to_str()?.to_owned(),
            is_git: path.join(".git").exists(),
            path: path.to_str()?.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use super::*;

    fn told(path: &Path, create: bool) -> String {
        match Place::find(path.to_str().unwrap(), create) {
            Ok(place) => place.path,
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_place_is_canonical_and_what_is_none_says_why() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let real = top.join("my proj ü#%?");
        fs::create_dir(&real).unwrap();
        fs::write(top.join("file"), "x").unwrap();
        symlink(&real, top.join("link")).unwrap();
        let real = real.to_str().unwrap().to_owned();
        assert_eq!(told(&top.join("link/../link/."), false), real);
        assert_eq!(told(&top.join("file"), false), "is not a directory");
        assert_eq!(told(&top.join("file"), true), "is not a directory");
        assert_eq!(told(&top.join("file/below"), false), "is not a directory");
        assert_eq!(told(&top.join("nowhere"), false), "there is no such directory");
        assert_eq!(told(Path::new("relative/x"), true), "must be an absolute path");
        assert_eq!(told(Path::new(""), false), "must be an absolute path");
        let made = top.join("new/deep");
        assert_eq!(told(&made, true), made.to_str().unwrap());
        assert!(told(Path::new("/a\0b"), false).starts_with("cannot be used"));
        assert_eq!(Place::find("/", false).unwrap().name, "/");
    }

    #[test]
    fn git_is_seen_from_below_too() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("a/b");
        fs::create_dir_all(&below).unwrap();
        assert!(!is_in_git(&below));
        fs::write(dir.path().join("a/.git"), "gitdir: elsewhere").unwrap();
        assert!(is_in_git(&below));
    }

    #[test]
    fn the_picker_sees_directories_only_by_name_with_hidden_ones_last() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        for name in ["b ü", "A", ".hidden", "A/.git"] {
            fs::create_dir_all(top.join(name)).unwrap();
        }
        fs::create_dir(top.join(OsStr::from_bytes(b"bad\xff"))).unwrap();
        fs::write(top.join("file"), "x").unwrap();
        symlink(top.join("A"), top.join("c")).unwrap();
        symlink(top.join("nowhere"), top.join("d")).unwrap();
        let found = Directories::below(top.to_str().unwrap()).unwrap();
        let told: Vec<_> = found.entries.iter().map(|e| (e.name.as_str(), e.is_git)).collect();
        assert_eq!(told, [("A", true), ("b ü", false), ("c", true), (".hidden", false)]);
        assert_eq!(found.parent.as_deref(), top.parent().unwrap().to_str());
        assert_eq!(Directories::below("/").unwrap().parent, None);
    }

    #[test]
    fn a_place_that_is_not_utf8_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let odd = dir.path().join(OsStr::from_bytes(b"odd\xff"));
        fs::create_dir(&odd).unwrap();
        let link = dir.path().join("link");
        symlink(&odd, &link).unwrap();
        assert!(matches!(Place::find(link.to_str().unwrap(), false), Err(PlaceError::NotUtf8)));
    }
}
