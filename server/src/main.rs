//! Drover: one local web server for every coding agent. This crate is the HTTP edge and the command line.

mod agent_name;
mod blocking;
mod cli;
mod daemon;
mod download;
mod events;
mod extract;
mod finder;
mod guard;
mod idempotency;
mod pair;
mod places;
mod problem;
mod process;
mod routes;
mod secret;
mod shell;
mod sniff;
mod state;

use std::process::ExitCode;

fn main() -> ExitCode {
    // A keeper is this program under another name: small, and without anything that follows.
    if std::env::args_os().nth(1).is_some_and(|first| first == "keeper") {
        return drover_acp::keeper_main();
    }
    // And so is the terminal that a login runs in.
    if std::env::args_os().nth(1).is_some_and(|first| first == "pty") {
        return drover_acp::pty_main(std::env::args_os().skip(2));
    }
    cli::main()
}
