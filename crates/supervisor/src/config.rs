//! The user's settings: `config.toml` in the data directory, theirs to edit, changed by the page too.
//!
//! [`Config::load`] reads the file, [`patch`] changes keys of it and keeps its comments, [`Watched`] reads it again when
//! it changed. A missing file is the same as an empty one: every key has a default.

mod error;
mod keys;
mod patch;
mod watched;

use std::path::Path;

pub use error::ConfigError;
pub(crate) use error::{read_text, toml_error};
pub use keys::{BadValue, Config, ConfigPatch, KEYS, Key, LogLevel};
pub(crate) use patch::edit;
pub use patch::{PatchError, patch};
pub use watched::Watched;

impl Config {
    /// The file at `path`; the defaults where there is none.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is not TOML, a key is unknown, a value is of another type or out of its range. The
    /// error says where.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = read_text(path)?;
        Self::parse(path, &text)
    }

    /// The settings that `text` holds; `path` is for the error alone.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        keys::parse(text).map_err(|problem| match problem {
            keys::Problem::Toml(error) => toml_error(path, text, &error),
            keys::Problem::Value { at, bad } => ConfigError::at(path, text, at, bad.to_string()),
        })
    }
}

#[cfg(test)]
mod tests;
