//! Which Node.js and npm there are: the machine's, and those that Drover installed beside its agents.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use drover_acp::Body;
use serde::{Deserialize, Serialize};
use tokio::process::Command;
use tokio::sync::watch;

use super::disk::{self, Disk, NODE};
use super::failure::Failure;
use super::process::{self, End, Halt, Order};
use super::recipe::{NodePackage, NodeRelease, Recipe, Version};
use crate::context::Context;
use crate::env::{Environment, Lookup};

/// How long a program may take to say which version it is; a version manager may first have to look for it.
const PATIENCE: Duration = Duration::from_secs(20);
/// What says where the installed Node.js is.
const RUNTIME: &str = "runtime.json";

/// What the machine has of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    /// The version of the Node.js on the search path.
    pub(crate) node: Option<Version>,
    /// The npm on the search path; `None` also where there is no Node.js to run it.
    pub(crate) npm: Option<PathBuf>,
}

/// Looks at the machine. The version of a file is asked for once, until the file is another one.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    seen: Mutex<Option<Seen>>,
}

#[derive(Debug, Clone)]
struct Seen {
    node: PathBuf,
    changed: Option<SystemTime>,
    version: Option<Version>,
}

impl Probe {
    /// What there is now.
    pub(crate) async fn look(&self, environment: &Environment) -> Machine {
        let Some(node) = found(environment, "node") else { return Machine::default() };
        let version = match self.known(&node) {
            Some(seen) => seen.version,
            None => {
                let version = ask(&node, environment).await;
                let seen = Seen { changed: changed(&node), node, version };
                self.seen.lock().unwrap_or_else(PoisonError::into_inner).replace(seen);
                version
            }
        };
        Machine { node: version, npm: version.and_then(|_| found(environment, "npm")) }
    }

    /// What there is, as far as it was looked at before; starts nothing.
    pub(crate) fn last(&self, environment: &Environment) -> Option<Machine> {
        let Some(node) = found(environment, "node") else { return Some(Machine::default()) };
        let version = self.known(&node)?.version;
        Some(Machine { node: version, npm: version.and_then(|_| found(environment, "npm")) })
    }

    fn known(&self, node: &Path) -> Option<Seen> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        (seen.node == node && seen.changed == changed(node)).then_some(seen)
    }
}

fn found(environment: &Environment, program: &str) -> Option<PathBuf> {
    match environment.search().find(program) {
        Lookup::Found(file) => Some(file),
        Lookup::NotExecutable(_) | Lookup::Missing => None,
    }
}

fn changed(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|seen| seen.modified()).ok()
}

/// What the machine's Node.js says to `--version`; `None` where it cannot be run.
async fn ask(node: &Path, environment: &Environment) -> Option<Version> {
    let vars = environment.vars().clone().into_iter();
    let mut command = Command::new(node);
    command.arg("--version").env_clear().envs(vars).current_dir(environment.home());
    command.stdin(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, command.output()).await.ok()?.ok()?;
    Version::read(std::str::from_utf8(&output.stdout).ok()?)
}

/// What a Node.js that was just installed below `dir` says to `--version`; `None` where it cannot be run.
pub(crate) async fn installed_version(
    context: &Context,
    dir: &Path,
    program: &str,
    environment: &Environment,
    halt: &mut watch::Receiver<Halt>,
) -> Result<Option<Version>, End> {
    let env = environment.vars().iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let order = Order { command: dir.join(program), args: vec!["--version".into()], env, cwd: dir.to_owned() };
    let Ok(mut running) = process::start(context, order).await else { return Ok(None) };
    let said = tokio::time::timeout(PATIENCE, async {
        let mut said = None;
        while let Some(frame) = running.next(halt).await? {
            if let Body::Noise { text, .. } = frame.body {
                said = said.or_else(|| Version::read(&text));
            }
        }
        Ok(said)
    });
    match said.await {
        Ok(said) => said,
        Err(_) => {
            running.kill().await;
            Ok(None)
        }
    }
}

/// The Node.js and npm that Drover installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ManagedNode {
    pub(crate) version: Version,
    /// `node`.
    pub(crate) program: PathBuf,
    /// What `node` is started with to be npm.
    pub(crate) npm: PathBuf,
}

/// [`ManagedNode`] as it is kept; paths below the place of Node.js.
#[derive(Serialize, Deserialize)]
struct Kept {
    version: String,
    program: String,
    npm: String,
}

impl ManagedNode {
    /// The one that is there.
    pub(crate) fn of(disk: &Disk) -> Option<Self> {
        let place = disk.dir(NODE);
        let kept: Kept = disk::read(&place.join(RUNTIME))?;
        let (program, npm) = (place.join(kept.program), place.join(kept.npm));
        let whole = program.is_file() && npm.is_file();
        whole.then_some(Self { version: Version::read(&kept.version)?, program, npm })
    }

    /// Where the programs are below the directory of an installation.
    pub(crate) fn programs(package: &NodePackage) -> [String; 2] {
        [format!("node_modules/{}/bin/node", package.package), "node_modules/npm/bin/npm-cli.js".to_owned()]
    }

    /// From now on the Node.js of this directory, which is below the place of Node.js, is the one.
    pub(crate) fn keep(disk: &Disk, package: &NodePackage, dir: &str) -> std::io::Result<()> {
        let [program, npm] = Self::programs(package).map(|file| format!("{dir}/{file}"));
        disk::write(&disk.dir(NODE).join(RUNTIME), &Kept { version: package.version.clone(), program, npm })
    }
}

/// With what an agent is installed, and started afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Runtime<'a> {
    /// The machine's own.
    Machine { npm: PathBuf },
    /// What is there beside other agents already.
    Managed(ManagedNode),
    /// What is installed first, by this npm of the machine.
    Bring { npm: PathBuf, package: &'a NodePackage },
}

impl<'a> Runtime<'a> {
    /// The runtime for an agent.
    pub(crate) fn choose(
        recipe: &Recipe,
        machine: &Machine,
        managed: Option<ManagedNode>,
        release: &'a NodeRelease,
    ) -> Result<Self, Failure> {
        if let Some(node) = managed.filter(|node| node.version >= recipe.node) {
            return Ok(Self::Managed(node));
        }
        let Some(npm) = machine.npm.clone() else {
            return Err(Failure::NpmMissing { node: machine.node, floor: recipe.node });
        };
        if machine.node.is_some_and(|node| node >= recipe.node) {
            return Ok(Self::Machine { npm });
        }
        match release.here() {
            Some(package) if Version::read(&package.version).is_some_and(|version| version >= recipe.node) => {
                Ok(Self::Bring { npm, package })
            }
            _ => Err(Failure::NodeTooOld { have: machine.node, floor: recipe.node }),
        }
    }
}
