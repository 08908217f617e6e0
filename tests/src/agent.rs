//! A scripted ACP agent: it does what the prompt tells it, to the byte.
//!
//! An implementation of the agent's side of its own, on threads and the standard library, so that a misreading of the protocol in
//! the product is not repeated here. Strict where the protocol is: `initialize` first, `mcpServers` (a list) and an absolute
//! `cwd` at every set-up, one prompt at a time, no form for a client that takes none.
//!
//! The last text block of a prompt holds directives, one a line, `!verb args`; without any it answers
//! `<name> got: <whole prompt>`. In verbs that write raw text `$SID` is the session, `$ID` the prompt's request id and `$PREV`
//! that of the prompt before it. The verbs are documented where they are carried out: [`verbs`].
//!
//! | variable | means |
//! | --- | --- |
//! | `AGENT_NAME` | the name it goes by; default `agent` |
//! | `AGENT_LOG` | a file that gets every line received, as JSON, under a lock |
//! | `AGENT_CAPS` | comma list of `load`, `resume`, `image`, `queueing`; default `load,image` |
//! | `AGENT_STATE` | a folder that keeps sessions across processes |
//! | `AGENT_OPTS` | set: two session options are offered |
//! | `AGENT_OPTIONS` | JSON: the options offered in their place |
//! | `AGENT_LOAD` | `replay` (default), `ok` (silent), `fail`, `fresh` (replay under new message ids), `tail` (the replay's end comes 200 ms after the answer), `forget` (a success, and the next prompt knows no such session) |
//! | `AGENT_SETFAIL` | set: every option change is refused |
//! | `AGENT_DELAY` | JSON `{method: ms}`: how long an answer takes; `-1` is for ever |
//! | `AGENT_ANSWERS` | JSON `{method: {"result": …} or {"error": …}}`: the answer, verbatim |
//! | `AGENT_ON` | JSON `{when: directives}`: what to do at `start`, `before <method>` and after `<method>` is answered |
//! | `AGENT_IGNORE` | comma list of `eof`, `term`: what does not end it |
//! | `AGENT_AUTH` | a file: while there is none, sessions and prompts are refused for want of a login; `authenticate` makes it, `logout` removes it |
//! | `AGENT_CRLF` | set: lines end in `\r\n` |
//!
//! As `scripted-agent login` it asks for a word on its terminal and makes the file of `AGENT_AUTH` if that is `open`.
//! As `scripted-agent linger` it is a process that ignores TERM, HUP and INT, and stays.

mod event;
mod journal;
mod knobs;
mod login;
mod os;
mod requests;
mod serve;
mod sessions;
mod turn;
pub mod verbs;
mod wire;

use std::{io, process::ExitCode, sync::Arc};

/// Runs the agent on this process's stdin and stdout until stdin ends.
pub fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("linger") => os::linger(),
        Some("login") => login::log_in(),
        Some("orphan") => match os::leave_orphan(args.collect::<Vec<_>>().as_slice()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        _ => match run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("scripted-agent: {error}");
                ExitCode::FAILURE
            }
        },
    }
}

fn run() -> io::Result<()> {
    let agent = Arc::new(serve::Agent::from_env()?);
    eprintln!("{} starting", agent.knobs.name);
    agent.started();
    agent.serve()?;
    if agent.knobs.ignores("eof") {
        loop {
            std::thread::park();
        }
    }
    Ok(())
}
