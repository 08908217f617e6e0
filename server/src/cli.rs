//! The command line.

mod agents;
pub(crate) mod client;
mod commands;
mod doctor;
mod logs;
mod output;
mod show;
mod start;
mod stop;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::process::data_dir::{DataDir, DataDirError};
use crate::process::spawn::SpawnError;

/// One local web server for every coding agent.
///
/// Without a command: starts Drover, if it is not running, and opens its page.
#[derive(Debug, Parser)]
#[command(name = "drover", version)]
struct Cli {
    /// Where the data is, instead of the usual place.
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run in the foreground.
    Serve(Serve),
    /// End the daemon; runs at work are interrupted.
    Stop,
    /// End the daemon and start it again.
    Restart,
    /// Show the log.
    Logs {
        /// Go on with what is added.
        #[arg(short, long)]
        follow: bool,
    },
    /// Pair a browser and open the page in it; starts the daemon where none runs.
    Open {
        /// Only print the link; it can be used once, for 5 minutes.
        #[arg(long)]
        print: bool,
    },
    /// Say whether the daemon runs, and where.
    Status {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// List the agents; install, change and remove those that Drover installs.
    Agents {
        /// As JSON.
        #[arg(long)]
        json: bool,
        #[command(subcommand)]
        command: Option<agents::Agents>,
    },
    /// Look at everything that Drover needs; changes nothing.
    Doctor {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Be the agent that is built in: it speaks the Agent Client Protocol on stdin and stdout.
    Tour,
}

#[derive(Debug, clap::Args)]
struct Serve {
    /// The port, instead of the one in config.toml; 0 takes any free one.
    #[arg(long)]
    port: Option<u16>,
    /// Do not open a browser.
    #[arg(long)]
    no_open: bool,
    /// Log into files only.
    #[arg(long, hide = true)]
    background: bool,
}

/// Why a command did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
enum CliError {
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    #[error(transparent)]
    Serve(#[from] crate::daemon::ServeError),
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    #[error(transparent)]
    Config(#[from] drover_supervisor::config::ConfigError),
    #[error(transparent)]
    Client(#[from] client::ClientError),
    #[error("Drover is not running. Start it with `drover`")]
    NotRunning,
    #[error("the daemon (process {0}) has not ended. End it by hand, or look at `drover logs`")]
    DoesNotEnd(u32),
    #[error("there is no log yet in {0}")]
    NoLog(PathBuf),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Reads the arguments and does it.
pub(crate) fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        // The reader of our output has gone: nothing is wrong.
        Err(CliError::Io(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<ExitCode, CliError> {
    let dir = DataDir::choose(cli.data_dir.as_deref())?;
    match cli.command {
        None => start::start_and_open(&dir),
        Some(Command::Serve(serve)) => commands::serve(dir, &serve),
        Some(Command::Stop) => stop::stop(&dir),
        Some(Command::Restart) => stop::restart(&dir),
        Some(Command::Logs { follow }) => logs::logs(&dir, follow),
        Some(Command::Open { print }) => commands::open(&dir, print),
        Some(Command::Status { json }) => commands::status(&dir, json),
        Some(Command::Agents { json, command }) => agents::agents(&dir, command.as_ref(), json),
        Some(Command::Doctor { json }) => doctor::doctor(&dir, json),
        Some(Command::Tour) => Ok(drover_tour::main()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_takes_a_data_directory_behind_it() {
        for command in ["serve", "stop", "restart", "logs", "open", "status", "agents", "doctor"] {
            let cli = Cli::try_parse_from(["drover", command, "--data-dir", "/x"]).unwrap();
            assert_eq!(cli.data_dir.unwrap(), PathBuf::from("/x"), "{command}");
        }
        assert!(Cli::try_parse_from(["drover", "--data-dir", "/x"]).unwrap().command.is_none());
        assert!(Cli::try_parse_from(["drover", "serve", "--port", "70000"]).is_err());
    }
}
