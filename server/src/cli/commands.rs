//! `serve`, `open` and `status`.

use std::process::ExitCode;

use serde_json::json;

use super::client::Client;
use super::output::{complain, say};
use super::{CliError, Serve, show, start};
use crate::daemon::{self, Options, Outcome};
use crate::pair::Launch;
use crate::process::data_dir::DataDir;
use crate::process::info::DaemonInfo;
use crate::state::AppState;

/// What `status` answers where no daemon runs, as init scripts expect it.
const NOT_RUNNING: u8 = 3;

pub(super) fn serve(dir: DataDir, serve: &Serve) -> Result<ExitCode, CliError> {
    let options = Options { dir, port: serve.port, background: serve.background };
    let open = !serve.no_open;
    let outcome = daemon::run(&options, |app, info| {
        if let Err(error) = greet(app, info, open) {
            complain(error);
        }
    })?;
    if let Outcome::AlreadyRunning(info) = outcome {
        say(format_args!("Drover is already running at {}", info.url))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn greet(app: &AppState, info: &DaemonInfo, open: bool) -> Result<(), CliError> {
    say(format_args!("Drover is at {}", info.url))?;
    if open {
        let code = app.pairing.code(Launch::default(), app.now())?;
        show::open(&app.dir, &format!("{}/launch#{code}", info.url), info.port)?;
    }
    Ok(())
}

pub(super) fn open(dir: &DataDir, print: bool) -> Result<ExitCode, CliError> {
    let client = start::running(dir)?;
    let link = show::launch_link(&client)?;
    if print {
        say(link)?;
    } else {
        show::open(dir, &link, client.info.port)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn status(dir: &DataDir, json: bool) -> Result<ExitCode, CliError> {
    let Some(client) = Client::find(dir)? else {
        say(if json { json!({"running": false}).to_string() } else { "Drover is not running.".to_owned() })?;
        return Ok(ExitCode::from(NOT_RUNNING));
    };
    let (status, info) = (client.get("/status")?, &client.info);
    if json {
        let all = json!({"running": true, "pid": info.pid, "port": info.port, "url": info.url, "status": status});
        say(all)?;
        return Ok(ExitCode::SUCCESS);
    }
    say(format_args!("Drover {} is at {}", info.version, info.url))?;
    say(format_args!("process   {}", info.pid))?;
    say(format_args!("started   {}", info.started_at))?;
    say(format_args!("data      {}", dir.path().display()))?;
    Ok(ExitCode::SUCCESS)
}
