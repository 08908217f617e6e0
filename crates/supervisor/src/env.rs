//! The environment that agents get: the daemon's own merged with the login shell's, cleaned, and one search path.
//!
//! A daemon that was started by a desktop or a service manager knows little of what the user's shell files set, so the
//! user's shell is asked: [`Environments`] runs it once, in the background, at the first need. [`Environment`] is what came
//! of it: a value, shared by everybody who looks for a program or starts one.
//!
//! A new login shell is the measure. Where it and the daemon disagree the shell's value holds, except for `HOME`; what
//! only the daemon has is kept. The search path is the shell's, then the daemon's, then the well-known directories of
//! tools that exist.

mod cleaning;
mod environments;
mod path;
mod probe;
mod shell;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use environments::Environments;
pub(crate) use path::is_executable;
pub use path::{Lookup, SearchPath};

/// Variables of an environment by name.
pub type Vars = BTreeMap<OsString, OsString>;

/// What every agent starts from. Cheap to clone; a later reading of the login shell is another value.
#[derive(Clone)]
pub struct Environment(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    vars: Vars,
    npm: Vars,
    search: SearchPath,
    home: PathBuf,
    read_at: Option<Instant>,
    warning: Option<String>,
}

impl Environment {
    /// The daemon's variables, merged with the login shell's where those are known, for the user whose home is `home`.
    pub fn new(daemon: &Vars, shell: Option<&Vars>, home: &Path) -> Self {
        let search = SearchPath::merged(
            shell.and_then(|vars| vars.get(OsStr::new("PATH"))),
            daemon.get(OsStr::new("PATH")),
            home,
        );
        let mut vars = daemon.clone();
        vars.extend(shell.into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())));
        let npm = vars.iter().filter(|(name, _)| cleaning::is_for_npm(name));
        let npm = npm.map(|(name, value)| (name.clone(), value.clone())).collect();
        vars.retain(|name, _| !cleaning::is_removed(name));
        vars.insert("HOME".into(), home.into());
        vars.insert("PATH".into(), search.to_os_string());
        Self(Arc::new(Inner { vars, npm, search, home: home.to_owned(), read_at: None, warning: None }))
    }

    /// Every variable, `PATH` and `HOME` among them.
    pub fn vars(&self) -> &Vars {
        &self.0.vars
    }

    /// What npm is told besides, when it installs an agent: where and how to download.
    pub fn npm_vars(&self) -> &Vars {
        &self.0.npm
    }

    /// Where programs are looked for.
    pub fn search(&self) -> &SearchPath {
        &self.0.search
    }

    /// The user's home directory.
    pub fn home(&self) -> &Path {
        &self.0.home
    }

    /// How long ago the login shell told what is in here; `None` where it has not.
    pub fn age(&self) -> Option<Duration> {
        self.0.read_at.map(|at| at.elapsed())
    }

    /// What the user should know: why the login shell's part is missing, or is an old one. A sentence.
    pub fn warning(&self) -> Option<&str> {
        self.0.warning.as_deref()
    }

    fn read_at(mut self, at: Instant) -> Self {
        let inner = Arc::make_mut(&mut self.0);
        inner.read_at = Some(at);
        inner.warning = None;
        self
    }

    fn warned(mut self, warning: String) -> Self {
        Arc::make_mut(&mut self.0).warning = Some(warning);
        self
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names alone: values are the user's secrets.
        f.debug_struct("Environment")
            .field("names", &self.0.vars.keys())
            .field("search", &self.0.search)
            .field("warning", &self.0.warning)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
