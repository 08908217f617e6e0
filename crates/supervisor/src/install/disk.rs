//! What is installed, as it stands on the disk:
//!
//! ```text
//! agents/<id>/<version>/         one installation: npm's files, and installed.json once it was verified
//! agents/<id>/current.json       which version is used, and which before it
//! agents/<id>/wanted.json        the installation that goes on, so that it is taken up again after a crash
//! agents/<id>/.partial/          what it has so far
//! agents/node/…                  the same for Node.js and npm
//! ```
//!
//! A directory gets its name only when it is whole, and `current.json` is replaced in one step: at every moment the
//! last good installation can be started.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::recipe::{Start, Version, is_exact};

/// The place of the Node.js that is installed beside agents. No agent has this id.
pub(crate) const NODE: &str = "node";

const CURRENT: &str = "current.json";
const WANTED: &str = "wanted.json";
/// How the name of a file ends that is not written to its end yet.
const DRAFT: &str = ".new";
const INSTALLED: &str = "installed.json";
const PARTIAL: &str = ".partial";

/// The directory of all installations.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    root: PathBuf,
}

/// An installation that was verified.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Installed {
    pub(crate) package: String,
    pub(crate) version: String,
    pub(crate) start: Start,
    /// Directories below its own that belong on its search path.
    pub(crate) path: Vec<String>,
    pub(crate) bytes: u64,
    /// What it answered to `initialize`.
    pub(crate) initialize: Value,
    /// Where it is.
    #[serde(skip)]
    pub(crate) dir: PathBuf,
}

/// Which version is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Current {
    pub(crate) version: String,
    pub(crate) previous: Option<String>,
}

/// An installation that was asked for and is not over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub(crate) version: String,
    /// How often it was begun.
    pub(crate) tries: u32,
}

impl Disk {
    /// Below a data directory.
    pub(crate) fn of(data_dir: &Path) -> Self {
        Self { root: data_dir.join("agents") }
    }

    pub(crate) fn dir(&self, id: &str) -> PathBuf {
        self.root.join(id)
    }

    pub(crate) fn version_dir(&self, id: &str, version: &str) -> PathBuf {
        self.dir(id).join(version)
    }

    /// The installation that is used, if it is still there.
    pub(crate) fn current(&self, id: &str) -> Option<Installed> {
        let current = self.pointer(id)?;
        self.installed(id, &current.version)
    }

    pub(crate) fn pointer(&self, id: &str) -> Option<Current> {
        read(&self.dir(id).join(CURRENT))
    }

    /// One installation, if it is whole.
    pub(crate) fn installed(&self, id: &str, version: &str) -> Option<Installed> {
        if !is_exact(version) {
            return None;
        }
        let dir = self.version_dir(id, version);
        let installed: Installed = read(&dir.join(INSTALLED))?;
        let whole = dir.join(installed.start.file()).is_file();
        whole.then_some(Installed { dir, ..installed })
    }

    /// All installations that are whole, newest first.
    pub(crate) fn versions(&self, id: &str) -> Vec<Installed> {
        let names = fs::read_dir(self.dir(id)).into_iter().flatten().flatten();
        let mut found: Vec<_> = names.filter_map(|entry| self.installed(id, entry.file_name().to_str()?)).collect();
        found.sort_by_key(|installed| std::cmp::Reverse(Version::read(&installed.version)));
        found
    }

    /// An empty directory for an installation that begins.
    pub(crate) fn begin(&self, id: &str) -> io::Result<PathBuf> {
        let partial = self.dir(id).join(PARTIAL);
        remove(&partial)?;
        fs::create_dir_all(&partial)?;
        Ok(partial)
    }

    /// Takes away what an installation that did not end left. Of Node.js nothing: whose it is says whose turn it is.
    pub(crate) fn abandon(&self, id: &str) -> io::Result<()> {
        if id == NODE { Ok(()) } else { remove(&self.dir(id).join(PARTIAL)) }
    }

    /// The same of Node.js, for the installation whose turn it is.
    pub(crate) fn abandon_node(&self) -> io::Result<()> {
        remove(&self.dir(NODE).join(PARTIAL))
    }

    /// Gives a whole installation its name. One of the same version that is there already goes.
    pub(crate) fn finish(&self, id: &str, partial: &Path, installed: &Installed) -> io::Result<()> {
        write(&partial.join(INSTALLED), installed)?;
        self.place(id, partial, &installed.version)
    }

    /// Gives a directory the name of its version.
    pub(crate) fn place(&self, id: &str, partial: &Path, version: &str) -> io::Result<()> {
        self.discard(id, version)?;
        fs::rename(partial, self.version_dir(id, version))?;
        sync(&self.dir(id))
    }

    /// From now on this version is the one that is started.
    pub(crate) fn switch(&self, id: &str, version: &str) -> io::Result<()> {
        let before = self.pointer(id);
        let previous = match before {
            Some(before) if before.version == version => before.previous,
            before => before.map(|before| before.version),
        };
        write(&self.dir(id).join(CURRENT), &Current { version: version.to_owned(), previous })
    }

    /// No version is used any more.
    pub(crate) fn unset(&self, id: &str) -> io::Result<()> {
        gone(fs::remove_file(self.dir(id).join(CURRENT)))
    }

    /// Removes an installation. Where that is cut short, the rest goes with the next [`tidy`](Self::tidy).
    pub(crate) fn discard(&self, id: &str, version: &str) -> io::Result<()> {
        let (dir, trash) = (self.version_dir(id, version), self.dir(id).join(format!(".trash-{version}")));
        remove(&trash)?;
        gone(fs::rename(&dir, &trash))?;
        remove(&trash)
    }

    pub(crate) fn wanted(&self, id: &str) -> Option<Wanted> {
        read(&self.dir(id).join(WANTED))
    }

    pub(crate) fn want(&self, id: &str, wanted: &Wanted) -> io::Result<()> {
        fs::create_dir_all(self.dir(id))?;
        write(&self.dir(id).join(WANTED), wanted)
    }

    pub(crate) fn want_no_more(&self, id: &str) -> io::Result<()> {
        gone(fs::remove_file(self.dir(id).join(WANTED)))
    }

    /// Takes away what a daemon that was killed left unfinished, but for drafts of small files: one may be being
    /// written just now, and the next one takes its place.
    pub(crate) fn tidy(&self) {
        for agent in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            for entry in fs::read_dir(agent.path()).into_iter().flatten().flatten() {
                let unfinished =
                    entry.file_name().to_str().is_some_and(|name| name.starts_with('.') && !name.ends_with(DRAFT));
                if unfinished && let Err(error) = remove(&entry.path()) {
                    tracing::warn!(path = %entry.path().display(), %error, "an unfinished installation cannot be removed");
                }
            }
        }
    }
}

/// Bytes of all files below a directory. What changes meanwhile is counted as it is found.
pub(crate) fn bytes_below(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(seen) if seen.is_dir() => bytes_below(&entry.path()),
            Ok(seen) => seen.len(),
            Err(_) => 0,
        })
        .sum()
}

/// The `version` of an installed package.
pub(crate) fn version_of(dir: &Path, package: &str) -> Option<String> {
    let found: Value = read(&dir.join("node_modules").join(package).join("package.json"))?;
    found["version"].as_str().map(str::to_owned)
}

pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Replaces a file in one step.
pub(crate) fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let draft = dir.join(format!(".{}{DRAFT}", name.display()));
    let mut file = File::create(&draft)?;
    file.write_all(&serde_json::to_vec(value)?)?;
    file.sync_all()?;
    fs::rename(draft, path)?;
    sync(dir)
}

fn sync(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(seen) if seen.is_dir() => gone(fs::remove_dir_all(path)),
        Ok(_) => gone(fs::remove_file(path)),
        Err(_) => Ok(()),
    }
}

/// What is not there need not go.
fn gone(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn disk(&self) -> Disk {
            Disk::of(self.0.path())
        }

        fn install(&self, version: &str) {
            let disk = self.disk();
            let partial = disk.begin("a").unwrap();
            fs::write(partial.join("x.js"), version).unwrap();
            let installed = Installed {
                package: "p".into(),
                version: version.into(),
                start: Start::Script("x.js".into()),
                path: Vec::new(),
                bytes: 1,
                initialize: Value::Null,
                dir: PathBuf::new(),
            };
            disk.finish("a", &partial, &installed).unwrap();
        }
    }

    fn place() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    #[test]
    fn a_switch_keeps_the_version_before_it() {
        let place = place();
        let disk = place.disk();
        assert_eq!(disk.current("a"), None);
        for version in ["0.9.0", "0.10.0"] {
            place.install(version);
            disk.switch("a", version).unwrap();
        }
        disk.switch("a", "0.10.0").unwrap();
        assert_eq!(disk.pointer("a").unwrap(), Current { version: "0.10.0".into(), previous: Some("0.9.0".into()) });
        let found: Vec<_> = disk.versions("a").into_iter().map(|installed| installed.version).collect();
        assert_eq!(found, ["0.10.0", "0.9.0"]);
        disk.discard("a", "0.10.0").unwrap();
        assert_eq!(disk.current("a"), None, "a pointer to nothing is nothing");
    }

    #[test]
    fn what_is_not_whole_is_no_installation() {
        let place = place();
        let disk = place.disk();
        let partial = disk.begin("a").unwrap();
        fs::write(partial.join("half"), "").unwrap();
        fs::create_dir_all(disk.version_dir("a", "1.0.0")).unwrap();
        assert_eq!(disk.versions("a"), []);
        place.install("2.0.0");
        fs::remove_file(disk.version_dir("a", "2.0.0").join("x.js")).unwrap();
        assert_eq!(disk.versions("a"), [], "a file that was taken away");
        assert_eq!(disk.installed("a", "../a/2.0.0"), None);
        fs::create_dir_all(disk.dir("a").join(".trash-1.0.0/deep")).unwrap();
        disk.begin("a").unwrap();
        disk.tidy();
        let left: Vec<_> = fs::read_dir(disk.dir("a")).unwrap().flatten().map(|entry| entry.file_name()).collect();
        assert!(left.iter().all(|name| !name.to_str().unwrap().starts_with('.')), "{left:?}");
    }
}
