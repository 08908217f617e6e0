//! `stop` and `restart`.

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use drover_supervisor::config::Config;

use super::CliError;
use super::output::say;
use crate::process::data_dir::DataDir;
use crate::process::info::DaemonInfo;
use crate::process::{lock, spawn};

/// How long a daemon may take to end: it gives agents 8 s.
const END: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(10);

pub(super) fn stop(dir: &DataDir) -> Result<ExitCode, CliError> {
    match end(dir)? {
        Some(_) => say("Drover has stopped.")?,
        None => say("Drover is not running.")?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn restart(dir: &DataDir) -> Result<ExitCode, CliError> {
    // A daemon that works is not ended for one that would not start.
    Config::load(&dir.config())?;
    // Open pages and bookmarks stay good: the same port, whatever it was chosen by.
    let port = end(dir)?.map(|before| before.port);
    let info = spawn::start(dir, port)?;
    say(format_args!("Drover is at {}", info.url))?;
    Ok(ExitCode::SUCCESS)
}

/// Ends the running daemon and says where it was.
fn end(dir: &DataDir) -> Result<Option<DaemonInfo>, CliError> {
    // Only while the lock is held is the process id surely the daemon's.
    let info = DaemonInfo::read(&dir.info()).filter(|_| lock::is_held(&dir.lock()));
    let Some(info) = info else { return Ok(None) };
    let pid = i32::try_from(info.pid).map_err(|_| CliError::DoesNotEnd(info.pid))?;
    kill(Pid::from_raw(pid), Signal::SIGTERM).map_err(std::io::Error::from)?;
    let deadline = Instant::now() + END;
    while lock::is_held(&dir.lock()) {
        if Instant::now() > deadline {
            return Err(CliError::DoesNotEnd(info.pid));
        }
        thread::sleep(LOOK);
    }
    Ok(Some(info))
}
