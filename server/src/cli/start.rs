//! `drover` alone: the daemon behind the terminal, the page in front of it.

use std::process::ExitCode;

use super::client::Client;
use super::output::{agrees, say};
use super::{CliError, show, stop};
use crate::process::data_dir::DataDir;
use crate::process::spawn;

pub(super) fn start_and_open(dir: &DataDir) -> Result<ExitCode, CliError> {
    let client = running(dir)?;
    if client.info.version != env!("CARGO_PKG_VERSION") {
        return other_version(dir, client);
    }
    present(dir, &client)
}

/// The daemon, started if there is none.
pub(super) fn running(dir: &DataDir) -> Result<Client, CliError> {
    if let Some(client) = Client::find(dir)? {
        return Ok(client);
    }
    spawn::start(dir, None)?;
    Client::find(dir)?.ok_or(CliError::NotRunning)
}

fn present(dir: &DataDir, client: &Client) -> Result<ExitCode, CliError> {
    say(format_args!("Drover is at {}", client.info.url))?;
    let link = show::launch_link(client)?;
    show::open(dir, &link, client.info.port)?;
    Ok(ExitCode::SUCCESS)
}

fn other_version(dir: &DataDir, client: Client) -> Result<ExitCode, CliError> {
    let (running, this) = (&client.info.version, env!("CARGO_PKG_VERSION"));
    say(format_args!("The running Drover is version {running}; this is {this}."))?;
    if has_active_run(&client)? {
        say("An agent is at work, so it goes on. When it is done: drover restart")?;
    } else if agrees("Restart it now?", true)? {
        stop::restart(dir)?;
        return present(dir, &running_again(dir)?);
    } else {
        say("To change to this version: drover restart")?;
    }
    present(dir, &client)
}

fn running_again(dir: &DataDir) -> Result<Client, CliError> {
    Client::find(dir)?.ok_or(CliError::NotRunning)
}

fn has_active_run(client: &Client) -> Result<bool, CliError> {
    let mut next = None;
    loop {
        let page = client.get(&tasks_after(next.as_deref()))?;
        let active =
            |task: &serde_json::Value| matches!(task["state"].as_str(), Some("running" | "waiting" | "background"));
        if page["tasks"].as_array().is_some_and(|tasks| tasks.iter().any(active)) {
            return Ok(true);
        }
        match page["next"].as_str() {
            Some(cursor) => next = Some(cursor.to_owned()),
            None => return Ok(false),
        }
    }
}

/// Cursors are digits, a dash and an id: nothing to escape.
fn tasks_after(cursor: Option<&str>) -> String {
    let cursor = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    format!("/tasks?limit=200{cursor}")
}
