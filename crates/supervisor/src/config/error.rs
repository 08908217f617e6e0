//! What is wrong with a file that the user edits, and where.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file of the user's that cannot be used as it is: config.toml or agents.toml.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// Line, from 1; `None` where the file could not be read at all.
    pub line: Option<usize>,
    /// Column in characters, from 1; there whenever `line` is.
    pub column: Option<usize>,
    /// What is wrong, as a sentence without the place.
    pub detail: String,
}

impl ConfigError {
    /// The problem of the bytes `at` of `text`.
    pub(crate) fn at(path: &Path, text: &str, at: Range<usize>, detail: String) -> Self {
        let start = text.floor_char_boundary(at.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            path: path.to_owned(),
            line: Some(before.matches('\n').count() + 1),
            column: Some(before[line_start..].chars().count() + 1),
            detail,
        }
    }

    /// The place, where there is one, and what is wrong: `line 3, column 1: …`.
    pub fn located_detail(&self) -> String {
        match (self.line, self.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}: {}", self.detail),
            _ => self.detail.clone(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.located_detail())
    }
}

impl std::error::Error for ConfigError {}

/// The text of the file at `path`, empty where there is no such file.
pub(crate) fn read_text(path: &Path) -> Result<String, ConfigError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => {
            let detail = match error.kind() {
                io::ErrorKind::InvalidData => "is not UTF-8".to_owned(),
                _ => format!("cannot be read: {error}"),
            };
            Err(ConfigError { path: path.to_owned(), line: None, column: None, detail })
        }
    }
}

/// What the TOML reader says about `text`, in the user's words.
pub(crate) fn toml_error(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let detail = error.message().replace("unknown field", "unknown key");
    ConfigError::at(path, text, error.span().unwrap_or(0..0), detail)
}
