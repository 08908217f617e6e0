//! A program of an installation, run like an agent: under a keeper, so that it never outlives the daemon.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use drover_acp::{Body, Config, Connection, Exit, Frame, Incoming, Launch, LaunchError, Process};
use tokio::sync::watch;

use super::failure::Failure;
use crate::context::Context;

/// In this time a killed program and all it started are gone.
const KILLED: Duration = Duration::from_secs(5);
/// How much of what it said is kept for a failure.
const SAID: usize = 4 * 1024;

/// Whether an installation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It does.
    No,
    /// The user does not want it any more.
    Cancel,
    /// The daemon stops; the next one takes it up again.
    Shutdown,
}

/// How an installation ended, if not well.
#[derive(Debug)]
pub(crate) enum End {
    Failed(Failure),
    Halted,
}

impl From<Failure> for End {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Waits until the installation is to end.
pub(crate) async fn halted(halt: &mut watch::Receiver<Halt>) {
    if halt.wait_for(|halt| *halt != Halt::No).await.is_err() {
        // Nobody can end it any more.
        std::future::pending::<()>().await;
    }
}

/// What is started.
pub(crate) struct Order {
    pub(crate) command: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) env: Vec<(OsString, OsString)>,
    pub(crate) cwd: PathBuf,
}

/// A program that runs.
pub(crate) struct Running {
    pub(crate) connection: Connection,
    incoming: Incoming,
    process: Process,
}

/// Starts a program.
pub(crate) async fn start(context: &Context, order: Order) -> Result<Running, LaunchError> {
    let launch = Launch {
        keeper: context.keeper.clone(),
        keeper_args: vec!["keeper".into()],
        command: order.command,
        args: order.args,
        env: order.env,
        cwd: order.cwd,
        mark: context.mark.clone(),
    };
    let transport = drover_acp::launch(launch).await?;
    let (connection, incoming, process) = transport.connect(Config::default());
    Ok(Running { connection, incoming, process })
}

impl Running {
    /// The next of what it says; `None` once it has ended. An installation that is to end ends it.
    pub(crate) async fn next(&mut self, halt: &mut watch::Receiver<Halt>) -> Result<Option<Frame>, End> {
        tokio::select! {
            biased;
            () = halted(halt) => {
                self.kill().await;
                Err(End::Halted)
            }
            frame = self.incoming.next() => Ok(frame.filter(|frame| !matches!(frame.body, Body::Closed { .. }))),
        }
    }

    /// How it ended.
    pub(crate) async fn exit(&mut self, halt: &mut watch::Receiver<Halt>) -> Result<Exit, End> {
        let exit = tokio::select! {
            biased;
            () = halted(halt) => None,
            exit = self.process.wait() => Some(exit),
        };
        match exit {
            Some(exit) => Ok(exit),
            None => {
                self.kill().await;
                Err(End::Halted)
            }
        }
    }

    /// The end of what it wrote to stderr, without secrets.
    pub(crate) fn said(&self) -> String {
        self.connection.stderr_tail(SAID)
    }

    /// Ends it and all it started, at once.
    pub(crate) async fn kill(&mut self) {
        self.process.kill();
        // What hangs in the kernel is left to the next sweep.
        let _ = tokio::time::timeout(KILLED, self.process.gone()).await;
    }

    /// Ends it as agents are ended.
    pub(crate) async fn stop(self) {
        let Self { incoming, process, connection } = self;
        drop((incoming, connection));
        process.stop().await;
    }
}
