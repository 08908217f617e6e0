//! Where programs are looked for.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

/// Where tools install themselves, below the home directory. Only those that exist are searched.
const IN_HOME: &[&str] = &[
    ".local/bin",
    "bin",
    ".npm-global/bin",
    ".local/share/pnpm",
    "Library/pnpm",
    ".bun/bin",
    ".volta/bin",
    ".local/share/mise/shims",
    ".asdf/shims",
    ".local/share/fnm/aliases/default/bin",
    ".nodenv/shims",
    ".deno/bin",
    ".yarn/bin",
    ".cargo/bin",
    "go/bin",
    ".opencode/bin",
    ".nix-profile/bin",
];

/// The same, for the whole machine.
const ON_MACHINE: &[&str] = &[
    "/opt/homebrew/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/usr/local/bin",
    "/opt/local/bin",
    "/nix/var/nix/profiles/default/bin",
    "/run/current-system/sw/bin",
    "/snap/bin",
    "/usr/bin",
    "/bin",
];

/// nvm has no directory of the default version, only one for each.
const NVM_VERSIONS: &str = ".nvm/versions/node";

/// An ordered list of absolute directories, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchPath(Vec<PathBuf>);

/// What looking for a program gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The first file of that name that can be executed.
    Found(PathBuf),
    /// There is a file of that name, but none that can be executed.
    NotExecutable(PathBuf),
    /// There is none.
    Missing,
}

impl SearchPath {
    /// The directories of a `PATH` variable. Empty and relative ones are left out: they mean another place in every
    /// directory, and an agent works in the user's.
    pub fn parse(path: &OsStr) -> Self {
        Self::of(std::env::split_paths(path))
    }

    /// The shell's directories, then the daemon's, then the well-known ones that exist.
    pub(super) fn merged(shell: Option<&OsString>, daemon: Option<&OsString>, home: &Path) -> Self {
        let told = shell.into_iter().chain(daemon).flat_map(|path| std::env::split_paths(path));
        Self::of(told.chain(well_known(home)))
    }

    fn of(directories: impl Iterator<Item = PathBuf>) -> Self {
        let mut seen = HashSet::new();
        Self(directories.filter(|dir| dir.is_absolute() && seen.insert(dir.clone())).collect())
    }

    /// The directories in order.
    pub fn directories(&self) -> &[PathBuf] {
        &self.0
    }

    /// Looks for a program by its bare name, as `execvp` does.
    pub fn find(&self, name: impl AsRef<OsStr>) -> Lookup {
        let mut refused = None;
        for directory in &self.0 {
            let file = directory.join(name.as_ref());
            if !file.is_file() {
                continue;
            }
            if is_executable(&file) {
                return Lookup::Found(file);
            }
            refused.get_or_insert(file);
        }
        refused.map_or(Lookup::Missing, Lookup::NotExecutable)
    }

    /// The value for a `PATH` variable.
    pub fn to_os_string(&self) -> OsString {
        self.0.iter().map(|directory| directory.as_os_str()).collect::<Vec<_>>().join(OsStr::new(":"))
    }
}

impl fmt::Display for SearchPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_os_string().display().fmt(f)
    }
}

/// Whether this user may execute the file.
pub(crate) fn is_executable(file: &Path) -> bool {
    access(file, AccessFlags::X_OK).is_ok()
}

fn well_known(home: &Path) -> Vec<PathBuf> {
    let in_home = IN_HOME.iter().map(|directory| home.join(directory));
    let on_machine = ON_MACHINE.iter().map(PathBuf::from);
    in_home.chain(newest_of_nvm(home)).chain(on_machine).filter(|directory| directory.is_dir()).collect()
}

fn newest_of_nvm(home: &Path) -> Option<PathBuf> {
    let versions = std::fs::read_dir(home.join(NVM_VERSIONS)).ok()?;
    versions
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let numbers: Option<Vec<u32>> = name.strip_prefix('v')?.split('.').map(|part| part.parse().ok()).collect();
            Some((numbers?, entry.path().join("bin")))
        })
        .max()
        .map(|(_, directory)| directory)
}
