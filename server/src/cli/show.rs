//! Bringing a person to the page: in a browser here, or by a link and how to reach it from elsewhere.

use std::env;

use serde_json::json;

use super::CliError;
use super::client::{Client, ClientError};
use super::output::say;
use crate::process::browser;
use crate::process::data_dir::DataDir;

/// A link that pairs one browser.
pub(super) fn launch_link(client: &Client) -> Result<String, CliError> {
    let launch = client.post("/launch", &json!({"directory": directory()}))?;
    let link = launch["url"].as_str().map(str::to_owned);
    link.ok_or(CliError::Client(ClientError::Unreadable))
}

/// Opens the page, or says how to.
pub(super) fn open(dir: &DataDir, link: &str, port: u16) -> Result<(), CliError> {
    if browser::is_here() {
        match browser::open(link, dir.path()) {
            Ok(()) => return Ok(say("If no browser opens: drover open --print")?),
            Err(error) => say(format_args!("No browser could be opened ({error})."))?,
        }
    }
    Ok(say(how_to(link, port))?)
}

fn how_to(link: &str, port: u16) -> String {
    let mut text = format!("Open this link within 5 minutes; it can be used once:\n\n  {link}\n");
    if let Some(host) = ssh_host() {
        let user = env::var("USER").unwrap_or_else(|_| "you".into());
        text.push_str(&format!(
            "\nFrom another machine, first run there:\n\n  ssh -L {port}:localhost:{port} {user}@{host}\n"
        ));
    }
    text
}

/// The address that this machine is known by to whoever is connected.
fn ssh_host() -> Option<String> {
    let connection = env::var("SSH_CONNECTION").ok()?;
    connection.split(' ').nth(2).map(str::to_owned)
}

/// Where the user is, if that could be a project.
fn directory() -> Option<String> {
    let here = env::current_dir().ok()?;
    let home = env::home_dir();
    let is_place = here.parent().is_some() && home.is_none_or(|home| here != home);
    is_place.then(|| here.to_str().map(str::to_owned)).flatten()
}
