//! Starting the daemon behind the terminal, and waiting until it is ready.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::data_dir::{DataDir, DataDirError};
use super::info::DaemonInfo;
use super::private;

/// How long a daemon may take until it is ready: it may have a large database to migrate.
const READY: Duration = Duration::from_secs(60);
/// How often it is looked whether it is.
const LOOK: Duration = Duration::from_millis(5);

/// Why no daemon could be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SpawnError {
    /// The directory cannot be used.
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    /// The program cannot be started again.
    #[error("cannot start the daemon: {0}")]
    Io(#[from] io::Error),
    /// It ended at once; what it said.
    #[error("{0}")]
    Ended(String),
    /// It neither ended nor got ready.
    #[error("the daemon was started but is not ready after {} s. See `drover logs`", READY.as_secs())]
    NotReady,
}

/// Starts a daemon in a session of its own and waits until it is ready.
pub(crate) fn start(dir: &DataDir, port: Option<u16>) -> Result<DaemonInfo, SpawnError> {
    let dir = dir.prepare()?;
    let said = dir.log().join("start.txt");
    let output = private::create(&said)?;
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(arguments(&dir, port))
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(output);
    // SAFETY: setsid(2) is safe to call between fork and exec, and the closure calls nothing else.
    unsafe {
        command.pre_exec(|| nix::unistd::setsid().map(drop).map_err(io::Error::from));
    }
    wait_ready(command.spawn()?, &dir, &said)
}

fn arguments(dir: &DataDir, port: Option<u16>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> =
        vec!["serve".into(), "--background".into(), "--no-open".into(), "--data-dir".into(), dir.path().into()];
    if let Some(port) = port {
        arguments.extend(["--port".into(), port.to_string().into()]);
    }
    arguments
}

fn wait_ready(mut child: Child, dir: &DataDir, said: &PathBuf) -> Result<DaemonInfo, SpawnError> {
    let deadline = Instant::now() + READY;
    while Instant::now() < deadline {
        // The file is written when the daemon answers. It may be another's, whom this one found in its place.
        let ready = DaemonInfo::read(&dir.info()).filter(|_| super::lock::is_held(&dir.lock()));
        if let Some(info) = ready.filter(|info| info.pid == child.id()) {
            return Ok(info);
        }
        if let Some(status) = child.try_wait()? {
            if let Some(info) = DaemonInfo::read(&dir.info()).filter(|_| status.success()) {
                return Ok(info);
            }
            let text = std::fs::read_to_string(said).unwrap_or_default();
            let text = text.trim().trim_start_matches("drover: ");
            return Err(SpawnError::Ended(match text {
                "" => format!("the daemon ended at once ({status}). See `drover logs`"),
                text => text.to_owned(),
            }));
        }
        thread::sleep(LOOK);
    }
    Err(SpawnError::NotReady)
}
