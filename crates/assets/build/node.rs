//! Node.js and npm, as far as the page's build needs them.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Node.js, as (major, minor), that builds the page.
pub(crate) const NEEDED: (u32, u32) = (20, 19);

/// Why the page could not be built.
#[derive(Debug)]
pub(crate) enum Failure {
    /// No `node` or no `npm` on the PATH.
    Missing,
    /// What `node --version` printed, which is older than [`NEEDED`] or no version at all.
    TooOld { found: String },
    /// npm ended badly; `output` is all it wrote.
    Npm { command: String, output: String },
    /// `npm run build` ended well without writing the page.
    NoPage,
    /// A file could not be read or written.
    File { path: PathBuf, error: io::Error },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = NEEDED;
        match self {
            Self::Missing => write!(
                f,
                "web UI: web/dist is missing or stale and Node.js was not found on PATH. Fix one of: \
                 1. install Node.js {major}.{minor} or newer, then run cargo again; \
                 2. unpack a release's web-dist archive into web/dist; \
                 3. WEB_BUILD=skip cargo run (API only; the page says that it has no UI)"
            ),
            Self::TooOld { found } => write!(
                f,
                "web UI: web/dist is missing or stale and Node.js is too old: found {found}, needed {major}.{minor} or newer"
            ),
            Self::Npm { command, output } => write!(f, "web UI: {command} failed:\n{output}"),
            Self::NoPage => write!(f, "web UI: npm run build wrote no web/dist/index.html"),
            Self::File { path, error } => write!(f, "web UI: {}: {error}", path.display()),
        }
    }
}

/// Checks that a Node.js of the needed age is on `tools`, a PATH.
pub(crate) fn check(tools: &OsStr) -> Result<(), Failure> {
    let output = run(tools, "node", &["--version"], None)?;
    let found = output.trim().to_owned();
    match parse(&found) {
        Some(version) if version >= NEEDED => Ok(()),
        _ => Err(Failure::TooOld { found }),
    }
}

/// Runs npm in `web` and answers with all that it wrote.
pub(crate) fn npm(tools: &OsStr, web: &Path, arguments: &[&str]) -> Result<String, Failure> {
    run(tools, "npm", arguments, Some(web))
}

/// `v20.20.2` → (20, 20).
pub(crate) fn parse(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.strip_prefix('v').unwrap_or(version).split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    }
}

fn run(tools: &OsStr, program: &str, arguments: &[&str], directory: Option<&Path>) -> Result<String, Failure> {
    let path = find(tools, program).ok_or(Failure::Missing)?;
    let mut command = Command::new(&path);
    command.args(arguments).env("PATH", tools);
    if let Some(directory) = directory {
        command.current_dir(directory);
    }
    let output = command.output().map_err(|error| Failure::File { path, error })?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if output.status.success() {
        Ok(text)
    } else {
        Err(Failure::Npm {
            command: format!("{program} {}", arguments.join(" ")),
            output: format!("{text}\n({})", output.status),
        })
    }
}

/// The first file of that name on a PATH. Looked up here because a command's own search uses the PATH of this process.
fn find(tools: &OsStr, program: &str) -> Option<PathBuf> {
    std::env::split_paths(tools).map(|folder| folder.join(program)).find(|path| path.is_file())
}
