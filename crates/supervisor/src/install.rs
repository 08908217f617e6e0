//! Installing agents, where the user says so: by npm, into the data directory, a directory for each version.
//!
//! An installation is a [`job::Job`] of its own, one at a time. It ends with a switch in one step, after the agent has
//! answered; until then the version before it is the one that is started, and processes that run keep theirs in any
//! case, because they were started by a path with the version in it. What is on the disk is all that is known:
//! [`disk::Disk`].

mod disk;
mod failure;
mod job;
mod node;
mod npm;
mod process;
mod recipe;
mod verify;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use drover_domain::install::{Install, InstallFailure, InstallStep, NodeNeed, StepKind};
use drover_domain::{Agent, AgentId, AgentState};
use tokio::sync::watch;

pub(crate) use disk::{Disk, Installed};
use disk::{NODE, Wanted};
use failure::Failure;
use job::{Job, blocking};
pub(crate) use node::ManagedNode;
use node::{Machine, Probe, Runtime};
use process::{End, Halt};
pub use recipe::{NodePackage, NodeRelease, Recipe, Spec, Start, Version};
pub(crate) use recipe::{Written, is_exact};

use crate::catalogue::Entry;
use crate::context::Context;
use crate::env::Environment;

/// How often an installation is begun before it is given up, where each time the daemon dies with it.
const TRIES: u32 = 3;
/// How long installations may take to end when the daemon stops.
const STOP: Duration = Duration::from_secs(6);

/// Why something about installations is not done.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// There is no such agent.
    #[error("there is no such agent")]
    NoAgent,
    /// Drover does not install this one.
    #[error("Drover does not install this agent: it is built in, or its program is named in agents.toml")]
    NotManaged,
    /// It is installed and used already.
    #[error("version {0} is installed already")]
    Already(String),
    /// It cannot be begun; the sentence says what to do.
    #[error("{0}")]
    Blocked(String),
    /// No such version is installed.
    #[error("there is no such version")]
    NoVersion,
    /// A process runs this version.
    #[error("version {0} is running; stop its processes first")]
    InUse(String),
    /// An installation of this agent goes on.
    #[error("an installation of this agent goes on")]
    Busy,
    /// The system refused.
    #[error("{0}")]
    Failed(String),
}

/// The installations of a daemon.
#[derive(Debug)]
pub(crate) struct Installs {
    state: Mutex<State>,
    /// One at a time.
    turn: tokio::sync::Mutex<()>,
    probe: Probe,
    node: NodeRelease,
    /// True once nothing of an earlier daemon is left.
    tidied: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct State {
    jobs: HashMap<AgentId, Going>,
    failures: HashMap<AgentId, InstallFailure>,
    stopped: bool,
}

/// An installation that goes on.
#[derive(Debug)]
struct Going {
    step: InstallStep,
    halt: watch::Sender<Halt>,
    over: watch::Receiver<bool>,
}

impl Installs {
    pub(crate) fn new(node: NodeRelease) -> Self {
        Self {
            state: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            probe: Probe::default(),
            node,
            tidied: watch::Sender::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_step(&self, agent: &AgentId, step: InstallStep) {
        if let Some(going) = self.lock().jobs.get_mut(agent) {
            going.step = step;
        }
    }

    /// Looks which Node.js and npm the machine has, so that [`describe`](Self::describe) can tell.
    pub(crate) async fn look(&self, environment: &Environment) {
        self.probe.look(environment).await;
    }

    /// Adds to what is known of an agent how it is installed, and what is.
    pub(crate) fn describe(&self, agent: &mut Agent, entry: &Entry, environment: &Environment) {
        let Some(recipe) = &entry.recipe else { return };
        let disk = entry.disk();
        let versions: Vec<_> = disk.versions(agent.id.as_str()).into_iter().map(|one| one.version).collect();
        let current = disk.current(agent.id.as_str()).map(|one| one.version);
        let newer = |current: &String| Version::read(current) < Version::read(&recipe.package.version);
        let (node, blocked) = self.outlook(recipe, &disk, environment);
        let state = self.lock();
        let running = state.jobs.get(&agent.id).map(|going| going.step.clone());
        if let Some(step) = &running {
            agent.progress = Some(fraction(step, recipe));
            if agent.found.is_none() {
                agent.state = AgentState::Installing;
            }
        }
        agent.install = Some(Box::new(Install {
            package: recipe.package.name.clone(),
            version: recipe.package.version.clone(),
            publisher: recipe.publisher.clone(),
            license: recipe.license.clone(),
            bytes: recipe.bytes,
            command: npm::line(&recipe.specs()),
            node,
            blocked,
            update: current.as_ref().is_some_and(newer),
            versions,
            current,
            running,
            failure: state.failures.get(&agent.id).cloned(),
        }));
    }

    /// What an installation would bring besides, and what stands in its way, as far as the machine was looked at.
    fn outlook(&self, recipe: &Recipe, disk: &Disk, environment: &Environment) -> (Option<NodeNeed>, Option<String>) {
        let Some(machine) = self.probe.last(environment) else { return (None, None) };
        match Runtime::choose(recipe, &machine, ManagedNode::of(disk), &self.node) {
            Ok(Runtime::Bring { package, .. }) => (Some(self.need(recipe, &machine, package)), None),
            Ok(_) => (None, None),
            Err(failure) => (None, Some(failure.to_string())),
        }
    }

    fn need(&self, recipe: &Recipe, machine: &Machine, package: &NodePackage) -> NodeNeed {
        NodeNeed {
            floor: recipe.node.to_string(),
            have: machine.node.map(|node| node.to_string()),
            packages: self.node.specs(package).iter().map(Spec::to_string).collect(),
            bytes: package.bytes,
        }
    }

    /// Ends all installations; the next daemon takes them up again.
    pub(crate) async fn stop(&self) {
        let ends: Vec<_> = {
            let mut state = self.lock();
            state.stopped = true;
            state.jobs.values().map(|going| (going.halt.clone(), going.over.clone())).collect()
        };
        for (halt, _) in &ends {
            halt.send_replace(Halt::Shutdown);
        }
        let all = async {
            for (_, mut over) in ends {
                let _ = over.wait_for(|over| *over).await;
            }
        };
        let _ = tokio::time::timeout(STOP, all).await;
    }
}

/// How far an installation is, from 0 to 1. Checking is quick where all goes well.
fn fraction(step: &InstallStep, recipe: &Recipe) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "shown as percent")]
    let part = |bytes: u64, whole: u64| if whole == 0 { 0.0 } else { (bytes as f64 / whole as f64).min(1.0) };
    let here = part(step.bytes, step.expected);
    // Of three steps the first brings Node.js, about half as much as an agent.
    match (step.doing, step.of) {
        (StepKind::Waiting, _) => 0.0,
        (StepKind::Node, _) => 0.3 * here,
        (StepKind::Package, 3) => 0.3 + 0.65 * part(step.bytes, recipe.bytes),
        (StepKind::Package, _) => 0.95 * here,
        (StepKind::Verify, _) => 0.95,
    }
}

/// Begins the installation of an agent. One that goes on already goes on.
pub(crate) async fn begin(context: &Arc<Context>, id: &AgentId) -> Result<(), InstallError> {
    let (entry, recipe) = recipe_of(context, id)?;
    let (disk, version) = (entry.disk(), &recipe.package.version);
    if disk.current(id.as_str()).is_some_and(|current| current.version == *version) {
        return Err(InstallError::Already(version.clone()));
    }
    let environment = context.environments.ready().await;
    let machine = context.installs.probe.look(&environment).await;
    if let Err(failure) = Runtime::choose(&recipe, &machine, ManagedNode::of(&disk), &context.installs.node) {
        return Err(InstallError::Blocked(failure.to_string()));
    }
    spawn(context, entry, recipe, 1)
}

/// Takes up what an earlier daemon did not end, before anybody can ask. It goes on once [`tidy`] is through.
pub(crate) fn resume(context: &Arc<Context>) {
    let disk = Disk::of(context.catalogue.data_dir());
    for entry in context.catalogue.entries() {
        let id = entry.id.clone();
        let (Some(recipe), Some(wanted)) = (entry.recipe.clone(), disk.wanted(id.as_str())) else { continue };
        if wanted.version == recipe.package.version && wanted.tries < TRIES {
            tracing::info!(agent = %id, version = wanted.version, "an installation is taken up again");
            let _ = spawn(context, entry, recipe, wanted.tries + 1);
            continue;
        }
        let _ = disk.want_no_more(id.as_str());
        if wanted.tries >= TRIES {
            context.installs.lock().failures.insert(id, Failure::Interrupted.told());
        }
    }
}

/// Takes away what an earlier daemon left half installed. Nothing of that daemon may run any more.
pub(crate) async fn tidy(context: &Arc<Context>) {
    let disk = Disk::of(context.catalogue.data_dir());
    let _ = tokio::task::spawn_blocking(move || disk.tidy()).await;
    context.installs.tidied.send_replace(true);
}

fn spawn(context: &Arc<Context>, entry: Entry, recipe: Recipe, tries: u32) -> Result<(), InstallError> {
    let (halt, halted) = watch::channel(Halt::No);
    let (over, ends) = watch::channel(false);
    let (id, disk) = (entry.id.clone(), entry.disk());
    {
        let mut state = context.installs.lock();
        if state.stopped {
            return Err(InstallError::Busy);
        }
        if state.jobs.contains_key(&id) {
            return Ok(());
        }
        let wanted = Wanted { version: recipe.package.version.clone(), tries };
        disk.want(id.as_str(), &wanted)
            .map_err(|error| InstallError::Failed(Failure::of_io(error, disk.dir(id.as_str())).to_string()))?;
        let step = InstallStep { step: 1, of: 2, doing: StepKind::Waiting, bytes: 0, expected: 0 };
        state.failures.remove(&id);
        state.jobs.insert(id.clone(), Going { step, halt, over: ends });
    }
    let context = Arc::clone(context);
    let job = Job { context: Arc::clone(&context), entry, recipe, halt: halted.clone() };
    tokio::spawn(async move {
        let done = tokio::spawn(job.run()).await.unwrap_or_else(|_| Err(Failure::Internal.into()));
        let shutdown = *halted.borrow() == Halt::Shutdown;
        if !shutdown {
            settle(&disk, &id).await;
        }
        {
            let mut state = context.installs.lock();
            state.jobs.remove(&id);
            if let Err(End::Failed(failure)) = &done
                && !shutdown
            {
                tracing::warn!(agent = %id, %failure, "an installation failed");
                state.failures.insert(id.clone(), failure.told());
            }
        }
        context.tell_agent(&id).await;
        over.send_replace(true);
    });
    Ok(())
}

/// Leaves nothing of an installation that is over but what it installed.
async fn settle(disk: &Disk, id: &AgentId) {
    let (disk, id) = (disk.clone(), id.clone());
    let _ = tokio::task::spawn_blocking(move || {
        for result in [disk.want_no_more(id.as_str()), disk.abandon(id.as_str()), disk.abandon(NODE)] {
            if let Err(error) = result {
                tracing::warn!(agent = %id, %error, "what is left of an installation cannot be removed");
            }
        }
    })
    .await;
}

/// Ends an installation, and waits until it is over. Without one nothing happens.
pub(crate) async fn cancel(context: &Arc<Context>, id: &AgentId) -> Result<(), InstallError> {
    recipe_of(context, id)?;
    let going = {
        let state = context.installs.lock();
        state.jobs.get(id).map(|going| (going.halt.clone(), going.over.clone()))
    };
    if let Some((halt, mut over)) = going {
        halt.send_replace(Halt::Cancel);
        let _ = over.wait_for(|over| *over).await;
    }
    context.installs.lock().failures.remove(id);
    context.tell_agent(id).await;
    Ok(())
}

/// From now on another version that is installed is the one that is started.
pub(crate) async fn choose(context: &Arc<Context>, id: &AgentId, version: &str) -> Result<(), InstallError> {
    let (entry, _) = idle(context, id)?;
    let disk = entry.disk();
    let installed = disk.installed(id.as_str(), version).ok_or(InstallError::NoVersion)?;
    let (place, name, to) = (disk.dir(id.as_str()), id.clone(), version.to_owned());
    blocking(place, move || disk.switch(name.as_str(), &to)).await.map_err(said)?;
    context.see_installed(id, &installed);
    context.tell_agent(id).await;
    Ok(())
}

/// Removes a version. Without the one that is used, the agent is what it was without Drover.
pub(crate) async fn remove(context: &Arc<Context>, id: &AgentId, version: &str) -> Result<(), InstallError> {
    let (entry, _) = idle(context, id)?;
    let disk = entry.disk();
    let installed = disk.installed(id.as_str(), version).ok_or(InstallError::NoVersion)?;
    if context.running.uses(id, version) {
        return Err(InstallError::InUse(installed.version));
    }
    let (place, name) = (disk.dir(id.as_str()), id.clone());
    let removing = move || {
        if disk.pointer(name.as_str()).is_some_and(|current| current.version == installed.version) {
            disk.unset(name.as_str())?;
        }
        disk.discard(name.as_str(), &installed.version)
    };
    blocking(place, removing).await.map_err(said)?;
    context.forget_seen(id);
    context.tell_agent(id).await;
    Ok(())
}

fn recipe_of(context: &Context, id: &AgentId) -> Result<(Entry, Recipe), InstallError> {
    let entry = context.catalogue.get(id).ok_or(InstallError::NoAgent)?;
    let recipe = entry.recipe.clone().ok_or(InstallError::NotManaged)?;
    Ok((entry, recipe))
}

fn idle(context: &Context, id: &AgentId) -> Result<(Entry, Recipe), InstallError> {
    let found = recipe_of(context, id)?;
    if context.installs.lock().jobs.contains_key(id) { Err(InstallError::Busy) } else { Ok(found) }
}

fn said(end: End) -> InstallError {
    match end {
        End::Failed(failure) => InstallError::Failed(failure.to_string()),
        End::Halted => InstallError::Busy,
    }
}
