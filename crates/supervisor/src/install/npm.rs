//! npm, told to install exact versions into a directory and nothing else.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tokio::sync::watch;

use super::failure::Failure;
use super::node::{ManagedNode, Runtime};
use super::process::{self, End, Halt, Order};
use super::recipe::Spec;
use crate::context::Context;
use crate::env::Environment;

/// An npm that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Npm {
    command: PathBuf,
    first: Vec<OsString>,
}

impl From<ManagedNode> for Npm {
    fn from(node: ManagedNode) -> Self {
        Self { command: node.program, first: vec![node.npm.into()] }
    }
}

impl From<&Runtime<'_>> for Npm {
    fn from(runtime: &Runtime<'_>) -> Self {
        match runtime {
            Runtime::Machine { npm } | Runtime::Bring { npm, .. } => Self { command: npm.clone(), first: Vec::new() },
            Runtime::Managed(node) => node.clone().into(),
        }
    }
}

/// What npm is told besides what to install and where. Said each time, so that nothing a user has set for projects of
/// their own changes what comes of it; where and how to download (registry, credentials, proxies, certificates) is theirs.
const OPTIONS: &[&str] = &[
    "--ignore-scripts",
    // The agents' own binaries are optional packages, one for each platform.
    "--include=optional",
    "--omit=dev",
    "--save-exact",
    "--package-lock=true",
    "--global=false",
    "--workspaces=false",
    "--install-strategy=hoisted",
    "--install-links=false",
    "--bin-links=true",
    "--dry-run=false",
    "--engine-strict=false",
    "--audit=false",
    "--fund=false",
    "--update-notifier=false",
    "--progress=false",
    "--loglevel=error",
    // A registry that is away shall be known in seconds.
    "--fetch-retries=2",
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=5000",
];

/// What is run, as a line for people.
pub(crate) fn line(specs: &[Spec]) -> String {
    let specs: Vec<_> = specs.iter().map(Spec::to_string).collect();
    format!("npm install --ignore-scripts --save-exact {}", specs.join(" "))
}

/// Installs packages into a directory that is there and empty.
pub(crate) async fn install(
    context: &Context,
    npm: &Npm,
    environment: &Environment,
    dir: &Path,
    specs: &[Spec],
    halt: &mut watch::Receiver<Halt>,
) -> Result<(), End> {
    let io = |error| Failure::of_io(error, dir);
    std::fs::write(dir.join("package.json"), r#"{"private":true}"#).map_err(io)?;
    let mut prefix = OsString::from("--prefix=");
    prefix.push(dir);
    let mut args = npm.first.clone();
    args.extend(["install".into(), prefix]);
    args.extend(OPTIONS.iter().map(OsString::from));
    args.extend(specs.iter().map(|spec| spec.to_string().into()));
    let env = environment.vars().iter().chain(environment.npm_vars());
    let env = env.map(|(name, value)| (name.clone(), value.clone())).collect();
    let order = Order { command: npm.command.clone(), args, env, cwd: dir.to_owned() };
    let started = process::start(context, order).await;
    let mut running = started.map_err(|error| Failure::NpmNotStarted(error.to_string()))?;
    while running.next(halt).await?.is_some() {}
    let exit = running.exit(halt).await?;
    if exit.code == Some(0) {
        return Ok(());
    }
    let said = running.said();
    tracing::warn!(%exit, said, "npm failed");
    let specs: Vec<_> = specs.iter().map(Spec::to_string).collect();
    Err(Failure::of_npm(&specs.join(" or "), said).into())
}
