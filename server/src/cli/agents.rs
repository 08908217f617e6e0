//! `agents`: the list, and installing, changing and removing what Drover installs. Everything goes through the daemon.

use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Subcommand;
use drover_domain::AgentId;
use serde_json::{Value, json};

use super::client::Client;
use super::output::{agrees, say};
use super::{CliError, start};
use crate::process::data_dir::DataDir;

/// How often the daemon is asked how far an installation is.
const LOOK: Duration = Duration::from_millis(500);

/// What to do about agents.
#[derive(Debug, Subcommand)]
pub(super) enum Agents {
    /// Install an agent, or a newer version of it.
    Install {
        /// The agent, as `drover agents` names it.
        agent: AgentId,
        /// Do not ask.
        #[arg(short, long)]
        yes: bool,
    },
    /// Use another installed version.
    Use {
        /// The agent.
        agent: AgentId,
        /// The version.
        version: String,
    },
    /// Remove an installed version.
    Remove {
        /// The agent.
        agent: AgentId,
        /// The version, instead of the one that is used.
        version: Option<String>,
    },
}

pub(super) fn agents(dir: &DataDir, command: Option<&Agents>, as_json: bool) -> Result<ExitCode, CliError> {
    let client = start::running(dir)?;
    match command {
        None => list(&client, as_json),
        Some(Agents::Install { agent, yes }) => install(&client, agent, *yes),
        Some(Agents::Use { agent, version }) => {
            let told = client.put(&format!("/agents/{agent}/version"), &json!({ "version": version }))?;
            say(line(&told))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Agents::Remove { agent, version }) => remove(&client, agent, version.as_deref()),
    }
}

fn list(client: &Client, as_json: bool) -> Result<ExitCode, CliError> {
    let told = client.get("/agents")?;
    if as_json {
        say(told)?;
        return Ok(ExitCode::SUCCESS);
    }
    for agent in told["agents"].as_array().into_iter().flatten() {
        say(line(agent))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Id, state, version and where it is, in columns.
fn line(agent: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut version = text(&agent["version"]);
    if agent["install"]["update"] == true {
        version.push_str(&format!(" ({} can be installed)", text(&agent["install"]["version"])));
    }
    let (id, state) = (text(&agent["id"]), text(&agent["state"]));
    format!("{id:<10} {state:<14} {version:<10} {}", text(&agent["found"]["path"])).trim_end().to_owned()
}

fn install(client: &Client, agent: &AgentId, yes: bool) -> Result<ExitCode, CliError> {
    let before = client.get(&format!("/agents/{agent}"))?;
    let plan = &before["install"];
    if plan.is_object() && !yes {
        for told in announcement(plan) {
            say(told)?;
        }
        if !agrees("Install it?", false)? {
            say("Nothing was installed. Without a terminal to answer on: --yes")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    client.post(&format!("/agents/{agent}/install"), &json!({}))?;
    follow(client, agent)
}

/// What would be run, by whom it is published, under which terms, and how much comes.
fn announcement(plan: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = vec![
        format!("runs        {}", text(&plan["command"])),
        format!("publisher   {}", text(&plan["publisher"])),
        format!("licence     {}", text(&plan["license"])),
        format!("size        about {}", megabytes(&plan["bytes"])),
    ];
    if plan["node"].is_object() {
        let packages: Vec<_> = plan["node"]["packages"].as_array().into_iter().flatten().map(text).collect();
        let size = megabytes(&plan["node"]["bytes"]);
        lines.push(format!(
            "before it   {} (about {size}), because it needs Node.js {}",
            packages.join(" and "),
            text(&plan["node"]["floor"])
        ));
    }
    lines
}

/// Tells how far it is until it is over.
fn follow(client: &Client, agent: &AgentId) -> Result<ExitCode, CliError> {
    let mut last = String::new();
    loop {
        let now = client.get(&format!("/agents/{agent}"))?;
        let (running, failure) = (&now["install"]["running"], &now["install"]["failure"]);
        if running.is_object() {
            let told = progress(running);
            if told != last {
                say(&told)?;
                last = told;
            }
            thread::sleep(LOOK);
            continue;
        }
        if let Some(message) = failure["message"].as_str() {
            say(message)?;
            if let Some(detail) = failure["detail"].as_str() {
                say(detail)?;
            }
            return Ok(ExitCode::FAILURE);
        }
        say(line(&now))?;
        // Somebody else may have cancelled it.
        let installed = now["install"]["current"] == now["install"]["version"];
        return Ok(if installed { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
}

fn progress(running: &Value) -> String {
    let doing = match running["doing"].as_str() {
        Some("waiting") => "waiting for another installation",
        Some("node") => "Node.js and npm",
        Some("package") => "the agent",
        _ => "starting it once",
    };
    let mut told = format!("step {} of {}: {doing}", running["step"], running["of"]);
    if running["expected"].as_u64().is_some_and(|expected| expected > 0) {
        told.push_str(&format!(", {} of about {}", megabytes(&running["bytes"]), megabytes(&running["expected"])));
    }
    told
}

fn remove(client: &Client, agent: &AgentId, version: Option<&str>) -> Result<ExitCode, CliError> {
    let before = client.get(&format!("/agents/{agent}"))?;
    let Some(version) = version.or(before["install"]["current"].as_str()) else {
        say("Nothing of it is installed by Drover.")?;
        return Ok(ExitCode::FAILURE);
    };
    let told = client.delete(&format!("/agents/{agent}/versions/{version}"))?;
    say(line(&told))?;
    Ok(ExitCode::SUCCESS)
}

fn megabytes(bytes: &Value) -> String {
    format!("{} MB", bytes.as_u64().unwrap_or(0) / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_announced_in_full() {
        let plan = json!({
            "command": "npm install x@1.2.3", "publisher": "Somebody", "license": "MIT", "bytes": 402_000_000,
            "node": {"floor": "22.0.0", "have": "20.0.0", "packages": ["n@26.0.0", "npm@12.0.0"], "bytes": 230_000_000}
        });
        let told = announcement(&plan).join("\n");
        for part in
            ["npm install x@1.2.3", "Somebody", "MIT", "402 MB", "n@26.0.0 and npm@12.0.0 (about 230 MB)", "22.0.0"]
        {
            assert!(told.contains(part), "{part}: {told}");
        }
    }

    #[test]
    fn a_line_says_what_is_used_and_what_is_newer() {
        let agent = json!({
            "id": "claude", "state": "ready", "version": "0.100.0", "found": {"path": "/x/index.js"},
            "install": {"update": true, "version": "0.101.0"}
        });
        assert_eq!(line(&agent), "claude     ready          0.100.0 (0.101.0 can be installed) /x/index.js");
        assert_eq!(line(&json!({"id": "mine", "state": "broken"})), "mine       broken");
    }
}
