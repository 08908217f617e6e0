//! One installation, from the machine as it is to a version that is used.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use drover_domain::install::{InstallStep, StepKind};
use serde_json::Value;
use tokio::sync::watch;

use super::disk::{self, Disk, Installed, NODE};
use super::failure::Failure;
use super::node::{self, ManagedNode, Runtime};
use super::npm::{self, Npm};
use super::process::{End, Halt, halted};
use super::recipe::{NodePackage, Recipe, Spec, Version};
use super::verify::verify;
use crate::catalogue::Entry;
use crate::context::Context;
use crate::env::Environment;

/// How often it is told how far an installation is.
const TELL: Duration = Duration::from_millis(500);
/// Room on the disk beyond what an installation is expected to take, in percent: npm's cache keeps a copy, compressed.
const SPARE: u64 = 50;

/// What an installation needs.
pub(crate) struct Job {
    pub(crate) context: Arc<Context>,
    pub(crate) entry: Entry,
    pub(crate) recipe: Recipe,
    pub(crate) halt: watch::Receiver<Halt>,
}

impl Job {
    /// Installs, verifies and switches. What it leaves where it does not end well is not started by anybody.
    pub(crate) async fn run(mut self) -> Result<(), End> {
        let context = Arc::clone(&self.context);
        self.tell(InstallStep { step: 1, of: 2, doing: StepKind::Waiting, bytes: 0, expected: 0 }).await;
        let mut tidied = context.installs.tidied.subscribe();
        let _turn = tokio::select! {
            biased;
            () = halted(&mut self.halt) => return Err(End::Halted),
            turn = async {
                // Closed means that the daemon is going down.
                let _ = tidied.wait_for(|tidied| *tidied).await;
                context.installs.turn.lock().await
            } => turn,
        };
        let environment = context.environments.ready().await;
        let (id, version) = (self.entry.id.as_str().to_owned(), self.recipe.package.version.clone());
        let disk = self.entry.disk();
        if let Some(installed) = disk.installed(&id, &version) {
            let step = InstallStep { step: 1, of: 1, doing: StepKind::Verify, bytes: 0, expected: 0 };
            self.tell(step).await;
            verify(&context, &self.entry, &installed, &environment, &mut self.halt).await?;
            return self.switch(disk, id, installed).await;
        }
        let (npm, steps) = self.runtime(&environment).await?;
        let installed = self.package(&disk, &id, &npm, &environment, steps).await?;
        self.switch(disk, id, installed).await
    }

    /// npm, which is installed first where the machine's does not do; and how many steps there are in all.
    async fn runtime(&mut self, environment: &Environment) -> Result<(Npm, u32), End> {
        let context = Arc::clone(&self.context);
        let machine = context.installs.probe.look(environment).await;
        let disk = self.entry.disk();
        let managed = ManagedNode::of(&disk);
        let runtime = Runtime::choose(&self.recipe, &machine, managed, &context.installs.node)?;
        let brought = if let Runtime::Bring { package, .. } = &runtime { package.bytes } else { 0 };
        self.check_space(&disk, self.recipe.bytes + brought)?;
        match &runtime {
            Runtime::Bring { package, .. } => {
                let npm = Npm::from(&runtime);
                let brought = self.bring_node(&disk, &npm, package, environment).await;
                if brought.is_err() {
                    // While it is this one's turn: the next may begin with the same.
                    let (disk, place) = (disk.clone(), disk.dir(NODE));
                    blocking(place, move || disk.abandon_node()).await?;
                }
                brought?;
                let node = ManagedNode::of(&disk).ok_or(Failure::Internal)?;
                Ok((node.into(), 3))
            }
            other => Ok((other.into(), 2)),
        }
    }

    fn check_space(&self, disk: &Disk, expected: u64) -> Result<(), Failure> {
        let dir = disk.dir(self.entry.id.as_str());
        let need = expected + expected / 100 * SPARE;
        match crate::platform::free_bytes(&dir) {
            Some(free) if free < need => Err(Failure::NoSpace { dir, need: need / 1_000_000, free: free / 1_000_000 }),
            _ => Ok(()),
        }
    }

    async fn bring_node(
        &mut self,
        disk: &Disk,
        npm: &Npm,
        package: &NodePackage,
        environment: &Environment,
    ) -> Result<(), End> {
        let step = InstallStep { step: 1, of: 3, doing: StepKind::Node, bytes: 0, expected: package.bytes };
        let dir = self.begin(disk, NODE).await?;
        let specs = self.context.installs.node.specs(package);
        self.install(npm, environment, &dir, &specs, step).await?;
        let [program, _] = ManagedNode::programs(package);
        let said = node::installed_version(&self.context, &dir, &program, environment, &mut self.halt).await?;
        if said != Version::read(&package.version) {
            let why =
                format!("the Node.js {} that was installed for it cannot be run on this machine.", package.version);
            return Err(Failure::DoesNotStart { why, said: None }.into());
        }
        let (disk, package) = (disk.clone(), package.clone());
        let place = disk.dir(NODE);
        blocking(place, move || {
            disk.place(NODE, &dir, &package.version)?;
            ManagedNode::keep(&disk, &package, &package.version)
        })
        .await
    }

    async fn package(
        &mut self,
        disk: &Disk,
        id: &str,
        npm: &Npm,
        environment: &Environment,
        steps: u32,
    ) -> Result<Installed, End> {
        let dir = self.begin(disk, id).await?;
        let (doing, expected) = (StepKind::Package, self.recipe.bytes);
        let step = InstallStep { step: steps - 1, of: steps, doing, bytes: 0, expected };
        let specs = self.recipe.specs();
        self.install(npm, environment, &dir, &specs, step).await?;
        self.check_parts(&dir)?;
        self.tell(InstallStep { step: steps, of: steps, doing: StepKind::Verify, bytes: 0, expected: 0 }).await;
        let mut installed = Installed {
            package: self.recipe.package.name.clone(),
            version: self.recipe.package.version.clone(),
            start: self.recipe.start.clone(),
            path: self.recipe.path.clone(),
            bytes: measured(&dir).await,
            initialize: Value::Null,
            dir: dir.clone(),
        };
        let context = Arc::clone(&self.context);
        installed.initialize = verify(&context, &self.entry, &installed, environment, &mut self.halt).await?;
        let (disk, id, place) = (disk.clone(), id.to_owned(), disk.dir(id));
        blocking(place, move || {
            disk.finish(&id, &dir, &installed)?;
            Ok(Installed { dir: disk.version_dir(&id, &installed.version), ..installed })
        })
        .await
    }

    /// What npm leaves out in silence.
    fn check_parts(&self, dir: &Path) -> Result<(), Failure> {
        if let Some(platform) = &self.recipe.platform {
            // The other C library's package does as well.
            let there = [platform.clone(), format!("{platform}-musl")].iter().any(|part| dir.join(part).is_dir());
            if !there {
                let missing = platform.trim_start_matches("node_modules/").to_owned();
                return Err(Failure::PlatformMissing { missing });
            }
        }
        if !dir.join(self.recipe.start.file()).is_file() {
            let why = format!("it has no {}.", self.recipe.start.file());
            return Err(Failure::DoesNotStart { why, said: None });
        }
        Ok(())
    }

    async fn begin(&self, disk: &Disk, id: &str) -> Result<PathBuf, End> {
        let (disk, id, place) = (disk.clone(), id.to_owned(), disk.dir(id));
        blocking(place, move || disk.begin(&id)).await
    }

    /// Runs npm, tells how far it is meanwhile, and reads back which versions came.
    async fn install(
        &mut self,
        npm: &Npm,
        environment: &Environment,
        dir: &Path,
        specs: &[Spec],
        step: InstallStep,
    ) -> Result<(), End> {
        self.tell(step.clone()).await;
        let context = Arc::clone(&self.context);
        let mut halt = self.halt.clone();
        let installing = npm::install(&context, npm, environment, dir, specs, &mut halt);
        tokio::select! {
            done = installing => done?,
            never = self.measure(dir, step) => match never {},
        }
        for spec in specs {
            let found = disk::version_of(dir, &spec.name).unwrap_or_else(|| "none".to_owned());
            if found != spec.version {
                let (package, wanted) = (spec.name.clone(), spec.version.clone());
                return Err(Failure::WrongVersion { package, found, wanted }.into());
            }
        }
        Ok(())
    }

    async fn measure(&self, dir: &Path, mut step: InstallStep) -> std::convert::Infallible {
        loop {
            tokio::time::sleep(TELL).await;
            let bytes = measured(dir).await;
            if bytes != step.bytes {
                step.bytes = bytes;
                self.tell(step.clone()).await;
            }
        }
    }

    async fn switch(&self, disk: Disk, id: String, installed: Installed) -> Result<(), End> {
        let (place, version) = (disk.dir(&id), installed.version.clone());
        let switching = (disk.clone(), id.clone());
        blocking(place, move || switching.0.switch(&switching.1, &version)).await?;
        self.context.see_installed(&self.entry.id, &installed);
        tracing::info!(agent = id, version = installed.version, bytes = installed.bytes, "installed");
        let kept = disk.pointer(&id);
        let keep = |version: &str| {
            kept.as_ref().is_some_and(|kept| kept.version == version || kept.previous.as_deref() == Some(version))
                || self.context.running.uses(&self.entry.id, version)
        };
        for old in disk.versions(&id).into_iter().filter(|old| !keep(&old.version)) {
            let (disk, id, place) = (disk.clone(), id.clone(), disk.dir(&id));
            // It is of no use any more, but does no harm either.
            if let Err(End::Failed(failure)) = blocking(place, move || disk.discard(&id, &old.version)).await {
                tracing::warn!(%failure, "an old version cannot be removed");
            }
        }
        Ok(())
    }

    async fn tell(&self, step: InstallStep) {
        self.context.installs.set_step(&self.entry.id, step);
        self.context.tell_agent(&self.entry.id).await;
    }
}

async fn measured(dir: &Path) -> u64 {
    let dir = dir.to_owned();
    tokio::task::spawn_blocking(move || disk::bytes_below(&dir)).await.unwrap_or(0)
}

/// Works on files below `place` without holding up others.
pub(crate) async fn blocking<T: Send + 'static>(
    place: PathBuf,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, End> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done.map_err(|error| Failure::of_io(error, place))?),
        Err(_) => Err(Failure::Internal.into()),
    }
}
