//! The data directory and the names in it.

use std::path::{Path, PathBuf};
use std::{env, io};

use nix::unistd::AccessFlags;

use super::{platform, private};

/// Why there is no data directory to use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataDirError {
    /// Nothing says where the user's home is.
    #[error("neither HOME nor XDG_DATA_HOME is set, so there is no place for the data. Name one with --data-dir")]
    NoHome,
    /// It cannot be made or used.
    #[error(
        "the data directory {path} cannot be used: {error}. Give yourself the right to write there, or choose another one with --data-dir"
    )]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}

/// A data directory (docs/api.md, "The process").
#[derive(Debug, Clone)]
pub(crate) struct DataDir(PathBuf);

impl DataDir {
    /// The one that was asked for, else `$XDG_DATA_HOME/drover` or the platform's equivalent. Touches nothing.
    pub(crate) fn choose(asked: Option<&Path>) -> Result<Self, DataDirError> {
        let path = match asked {
            Some(path) => path.to_owned(),
            None => default_dir()?,
        };
        let absolute = std::path::absolute(&path);
        absolute.map(Self).map_err(|error| DataDirError::Unusable { path, error })
    }

    /// Makes it ready: there, canonical, 0700.
    pub(crate) fn prepare(&self) -> Result<Self, DataDirError> {
        let unusable = |error| DataDirError::Unusable { path: self.0.clone(), error };
        if self.0.is_file() {
            return Err(unusable(io::Error::new(io::ErrorKind::NotADirectory, "it is a file")));
        }
        private::make_dir(&self.0).map_err(unusable)?;
        let path = self.0.canonicalize().map_err(unusable)?;
        let in_use = [path.clone(), path.join("attachments"), path.join("log")];
        for place in in_use {
            private::make_dir(&place).map_err(unusable)?;
            let may = nix::unistd::access(&place, AccessFlags::W_OK | AccessFlags::X_OK);
            may.map_err(|errno| DataDirError::Unusable { path: place, error: errno.into() })?;
        }
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.0.join("lock")
    }

    pub(crate) fn token(&self) -> PathBuf {
        self.0.join("token")
    }

    pub(crate) fn info(&self) -> PathBuf {
        self.0.join("daemon.json")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.0.join("config.toml")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.join("drover.db")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    pub(crate) fn attachments(&self) -> PathBuf {
        self.0.join("attachments")
    }

    pub(crate) fn tasks(&self) -> PathBuf {
        self.0.join("tasks")
    }
}

fn default_dir() -> Result<PathBuf, DataDirError> {
    // The XDG base directory specification says to ignore a relative path.
    let xdg = env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    if let Some(home) = xdg.filter(|path| path.is_absolute()) {
        return Ok(home.join("drover"));
    }
    let home = env::home_dir().filter(|home| home.is_absolute());
    let home = home.ok_or(DataDirError::NoHome)?;
    Ok(platform::data_home(&home).join("drover"))
}
