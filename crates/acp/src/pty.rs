//! A program in a terminal of its own, spoken to over pipes.
//!
//! Run as an agent is, under a keeper, so that whatever is left of it is swept like an agent's: the program's output comes on
//! stdout as the terminal gives it, and what is typed goes in on stdin, a JSON object on a line. Ends as the program ends; an end
//! of stdin hangs the terminal up.

use std::ffi::OsString;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use serde::{Deserialize, Serialize};

/// After its program has ended a terminal that something still holds open is read for so long.
const GRACE: Duration = Duration::from_millis(500);
/// What a terminal begins with until somebody says how large it is.
const SIZE: PtySize = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };

/// A line on the helper's stdin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PtyInput {
    /// What was typed, as a terminal sends it.
    Typed(String),
    /// The terminal has this size now.
    Size {
        /// Lines.
        rows: u16,
        /// Columns.
        cols: u16,
    },
}

/// The main function of a process that runs `args` (the program, then its arguments) in a terminal.
pub fn pty_main(args: impl Iterator<Item = OsString>) -> ExitCode {
    match run(args.collect()) {
        Ok(status) => ExitCode::from(u8::try_from(status.exit_code()).unwrap_or(u8::MAX)),
        Err(error) => {
            eprintln!("the terminal cannot be used: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(argv: Vec<OsString>) -> io::Result<ExitStatus> {
    let pty = native_pty_system().openpty(SIZE).map_err(io::Error::other)?;
    let mut command = CommandBuilder::from_argv(argv);
    command.cwd(std::env::current_dir()?);
    let mut child = pty.slave.spawn_command(command).map_err(io::Error::other)?;
    drop(pty.slave);
    let reader = pty.master.try_clone_reader().map_err(io::Error::other)?;
    let (done, read) = mpsc::channel();
    thread::spawn(move || {
        show(reader);
        let _ = done.send(());
    });
    let typed = pty.master.take_writer().map_err(io::Error::other)?;
    let killer = child.clone_killer();
    thread::spawn(move || type_in(pty.master.as_ref(), typed, killer));
    let status = wait(child.as_mut())?;
    let _ = read.recv_timeout(GRACE);
    Ok(status)
}

fn wait(child: &mut (dyn Child + Send + Sync)) -> io::Result<ExitStatus> {
    child.wait()
}

/// Passes on what the terminal shows until nobody holds it open any more.
fn show(mut terminal: impl Read) {
    let mut bytes = vec![0; 16 * 1024];
    let mut out = io::stdout().lock();
    while let Ok(count @ 1..) = terminal.read(&mut bytes) {
        if out.write_all(&bytes[..count]).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn type_in(
    terminal: &dyn MasterPty,
    mut keys: impl Write,
    mut killer: Box<dyn portable_pty::ChildKiller + Send + Sync>,
) {
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        // Nobody but ourselves writes these lines; one that cannot be read is of a newer version.
        match serde_json::from_str(&line) {
            Ok(PtyInput::Typed(text)) => {
                if keys.write_all(text.as_bytes()).and_then(|()| keys.flush()).is_err() {
                    break;
                }
            }
            Ok(PtyInput::Size { rows, cols }) => {
                let _ = terminal.resize(PtySize { rows, cols, ..SIZE });
            }
            Err(_) => {}
        }
    }
    let _ = killer.kill();
}
