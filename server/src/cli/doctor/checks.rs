//! What is looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use drover_domain::agent::{VariableKind, VariablePolicy};
use drover_domain::{Agent, AgentState};
use drover_store::{Inspection, SCHEMA_VERSION, inspect};
use drover_supervisor::catalogue::Catalogue;
use drover_supervisor::config::Config;
use drover_supervisor::env::{Environment, Environments, Lookup};

use super::Check;
use crate::process::data_dir::DataDir;
use crate::process::info::DaemonInfo;
use crate::process::{lock, platform};

/// How long the database is looked through.
const LOOK_THROUGH: Duration = Duration::from_secs(10);
/// How long the login shell may take.
const SHELL: Duration = Duration::from_secs(10);
/// From here on a login shell is slow.
const SLOW: Duration = Duration::from_secs(2);
/// How long a program may take to say its version.
const PROGRAM: Duration = Duration::from_secs(5);
/// The first bubblewrap with `--argv0`.
const BWRAP: (u32, u32) = (0, 9);
/// Bytes below which the disk is nearly full.
const LITTLE: u64 = 500_000_000;

pub(super) async fn all(dir: &DataDir) -> Vec<Check> {
    let running = DaemonInfo::read(&dir.info()).filter(|_| lock::is_held(&dir.lock()));
    let mut checks = vec![
        data_dir(dir.path()),
        free_space(dir.path()),
        daemon(running.as_ref()),
        database(dir, running.is_some()).await,
        config(dir),
    ];
    let environments = Environments::of_this_process();
    let asked = Instant::now();
    let environment = environments.ready_within(SHELL).await;
    checks.push(shell(&environments, &environment, asked.elapsed()));
    checks.push(program(&environment, "node", "agents that are Node packages need it: install Node.js 20 or newer"));
    checks.push(program(
        &environment,
        "npm",
        "agents are installed with it: install Node.js 20 or newer, which brings it",
    ));
    checks.push(program(&environment, "git", "without it Drover shows no changes of files: install git"));
    checks.extend(bwrap(&environment).await);
    checks.extend(agents(dir.path(), &environments, &environment));
    checks
}

fn data_dir(path: &Path) -> Check {
    const NAME: &str = "data directory";
    let shown = path.display();
    let Ok(seen) = fs::metadata(path) else {
        return Check::ok(NAME, format!("{shown} (made at the first start)"));
    };
    if seen.uid() != nix::unistd::geteuid().as_raw() {
        return Check::failed(NAME, format!("{shown} belongs to another user"), "choose another one with --data-dir");
    }
    let mode = seen.permissions().mode() & 0o777;
    if mode & 0o700 != 0o700 {
        return Check::failed(
            NAME,
            format!("{shown} cannot be written (mode {mode:o})"),
            "give yourself the right: chmod u+rwx",
        );
    }
    if mode & 0o077 != 0 {
        return Check::warning(
            NAME,
            format!("{shown} can be read by others (mode {mode:o})"),
            "the next start takes that from them",
        );
    }
    Check::ok(NAME, shown.to_string())
}

fn free_space(path: &Path) -> Check {
    const NAME: &str = "free space";
    let there = path.ancestors().find(|above| above.exists()).unwrap_or(path);
    let Ok(seen) = nix::sys::statvfs::statvfs(there) else {
        return Check::warning(NAME, "cannot be told", "see df");
    };
    #[expect(clippy::useless_conversion, reason = "the types of statvfs differ between systems")]
    let free = u64::from(seen.blocks_available()).saturating_mul(u64::from(seen.fragment_size()));
    let told = format!("{} MB", free / 1_000_000);
    if free < LITTLE {
        return Check::failed(NAME, told, "make room on the disk");
    }
    Check::ok(NAME, told)
}

fn daemon(running: Option<&DaemonInfo>) -> Check {
    const NAME: &str = "daemon";
    match running {
        None => Check::ok(NAME, "not running"),
        Some(info) if info.version == env!("CARGO_PKG_VERSION") => {
            Check::ok(NAME, format!("process {} at {}", info.pid, info.url))
        }
        Some(info) => Check::warning(
            NAME,
            format!("version {} runs at {}; this is {}", info.version, info.url, env!("CARGO_PKG_VERSION")),
            "to change to this version: drover restart",
        ),
    }
}

async fn database(dir: &DataDir, in_use: bool) -> Check {
    const NAME: &str = "database";
    const RESTORE: &str = "move drover.db away and restore a copy";
    let path = dir.database();
    if !path.exists() {
        return Check::ok(NAME, "none yet");
    }
    // Its newest pages may still be in the log, which can only be read together with it by writing.
    let log = fs::metadata(path.with_extension("db-wal")).map_or(0, |seen| seen.len());
    let look_through = (!in_use && log == 0).then_some(LOOK_THROUGH);
    match inspect(&path, look_through).await {
        Err(error) => Check::failed(NAME, error.to_string(), RESTORE),
        Ok(Inspection { schema, .. }) if schema > SCHEMA_VERSION => Check::failed(
            NAME,
            format!("schema {schema}; this version knows up to {SCHEMA_VERSION}"),
            "start the newer Drover that wrote it",
        ),
        Ok(Inspection { faults: Some(faults), .. }) if !faults.is_empty() => {
            Check::failed(NAME, faults.join("; "), RESTORE)
        }
        Ok(Inspection { schema, faults }) => {
            let looked = if faults.is_some() { "sound" } else { "not looked through: in use or not stopped cleanly" };
            Check::ok(NAME, format!("schema {schema}, {looked}"))
        }
    }
}

fn config(dir: &DataDir) -> Check {
    const NAME: &str = "config.toml";
    match Config::load(&dir.config()) {
        Ok(_) if dir.config().exists() => Check::ok(NAME, "good"),
        Ok(_) => Check::ok(NAME, "none: all defaults"),
        Err(error) => Check::failed(NAME, error.to_string(), "correct the file"),
    }
}

fn shell(environments: &Environments, environment: &Environment, took: Duration) -> Check {
    const NAME: &str = "login shell";
    let name = environments.shell().map_or_else(|| "none".to_owned(), |shell| shell.display().to_string());
    match environment.warning() {
        None if took > SLOW => Check::warning(
            NAME,
            format!("{name}, answered in {:.1} s", took.as_secs_f64()),
            "the first agent after a start waits for it, 3 s at most: look at what it runs when it starts",
        ),
        None => Check::ok(NAME, format!("{name}, answered in {} ms", took.as_millis())),
        Some(warning) => Check::warning(NAME, format!("{name}: {warning}"), "look at what it runs when it starts"),
    }
}

fn program(environment: &Environment, name: &'static str, hint: &str) -> Check {
    match environment.search().find(name) {
        Lookup::Found(path) => Check::ok(name, path.display().to_string()),
        _ => Check::warning(name, "not found on the PATH of the login shell", hint),
    }
}

/// Codex takes the `bwrap` of the search path before its own, and one without `--argv0` fails with every command.
async fn bwrap(environment: &Environment) -> Option<Check> {
    const NAME: &str = "bwrap";
    let Lookup::Found(path) = environment.search().find(NAME) else { return None };
    let mut asking = tokio::process::Command::new(&path);
    asking.arg("--version").stdin(std::process::Stdio::null()).kill_on_drop(true);
    let told = tokio::time::timeout(PROGRAM, asking.output()).await.ok()?.ok()?;
    let told = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    let mut numbers = told.rsplit(' ').next()?.split('.').map(str::parse::<u32>);
    let version = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    let shown = format!("{}, {told}", path.display());
    Some(if version < BWRAP {
        Check::warning(
            NAME,
            format!("{shown}: too old for Codex"),
            "a Codex that Drover installed uses its own; one of your own fails with every command: take bwrap 0.9 or newer, or none",
        )
    } else {
        Check::ok(NAME, shown)
    })
}

fn agents(dir: &Path, environments: &Environments, environment: &Environment) -> Vec<Check> {
    let own = match platform::own_binary() {
        Ok(own) => own,
        Err(error) => return vec![Check::failed("agent", format!("Tour: {error}"), "see where drover is installed")],
    };
    let catalogue = Catalogue::new(dir, environments.home(), &own);
    let agents = catalogue.agents(environment);
    let mut checks: Vec<_> = agents.iter().map(agent).collect();
    checks.extend(keys(&agents));
    if let Some(problem) = catalogue.problem() {
        checks.push(Check::failed("agents.toml", problem.detail, "correct the file"));
    }
    checks
}

/// The keys that agents find in their environment, by name: they go before the account that an agent is logged in to.
fn keys(agents: &[Agent]) -> Option<Check> {
    let mut passed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut there: BTreeSet<&str> = BTreeSet::new();
    for agent in agents {
        for variable in agent.variables.iter().filter(|variable| variable.kind == VariableKind::Key && variable.present)
        {
            there.insert(&variable.name);
            if variable.policy == VariablePolicy::Pass {
                passed.entry(&variable.name).or_default().push(agent.id.as_str());
            }
        }
    }
    if there.is_empty() {
        return None;
    }
    let told = there.into_iter().map(|name| match passed.get(name) {
        Some(to) if to.len() == agents.len() => format!("{name} (all agents)"),
        Some(to) => format!("{name} ({})", to.join(", ")),
        None => format!("{name} (no agent)"),
    });
    let told = told.collect::<Vec<_>>().join(", ");
    Some(Check {
        hint: Some("an agent bills what it finds: keep one from it on its page in the settings".to_owned()),
        ..Check::ok("keys passed", told)
    })
}

fn agent(agent: &Agent) -> Check {
    let hint = agent.hint.as_deref().unwrap_or("see agents.toml");
    match agent.state {
        AgentState::Ready => Check::ok("agent", agent.name.clone()),
        AgentState::NotInstalled | AgentState::Installing => {
            let hint = format!("to have it installed: drover agents install {}\n{hint}", agent.id);
            Check::warning("agent", format!("{}: not installed", agent.name), &hint)
        }
        AgentState::NeedsLogin => Check::warning("agent", format!("{}: wants you to log in", agent.name), hint),
        AgentState::Broken => Check::failed("agent", format!("{}: cannot be used", agent.name), hint),
    }
}
