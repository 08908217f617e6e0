//! The processes of a login: the agent over the protocol, and its program in a terminal.

use std::ffi::OsString;
use std::path::PathBuf;

use drover_acp::views::{InitializeView, view_elicitation};
use drover_acp::{Body, Config, Connection, Exit, Incoming, Launch, Process, PtyInput, RpcError, messages};
use drover_domain::AgentId;
use drover_domain::agent::LoginPage;
use serde::Serialize;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use super::methods::Run;
use super::screen::Screen;
use super::{LoginError, read};
use crate::catalogue::{Entry, LaunchPlan};
use crate::context::Context;

/// What to start.
struct Order {
    command: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    cwd: PathBuf,
}

/// An agent that was started for a login and has no session.
pub(super) struct Fresh {
    connection: Connection,
    incoming: Incoming,
    process: Process,
}

impl Fresh {
    /// Starts the agent and asks what it can do.
    pub(super) async fn start(context: &Context, agent: &AgentId) -> Result<(Self, InitializeView), LoginError> {
        let entry = context.catalogue.get(agent).ok_or(LoginError::NoAgent)?;
        let plan = plan(context, &entry).await?;
        let cwd = context.environments.home().to_owned();
        let transport = launch(context, Order { command: plan.command, args: plan.args, env: plan.env, cwd }).await?;
        let (connection, incoming, process) = transport.connect(Config::default());
        let mut fresh = Self { connection, incoming, process };
        let params = messages::initialize(env!("CARGO_PKG_VERSION"));
        let answer = fresh.answer("initialize", &params, &mut |_| ()).await;
        match answer {
            Ok(raw) => {
                let view = read(&raw);
                Ok((fresh, view))
            }
            Err(error) => {
                fresh.end();
                Err(error)
            }
        }
    }

    /// Calls a method and waits for its answer, whatever that holds.
    pub(super) async fn call(
        &mut self,
        method: &str,
        params: &impl Serialize,
        show: &mut (impl FnMut(LoginPage) + Send),
    ) -> Result<(), LoginError> {
        self.answer(method, params, show).await.map(drop)
    }

    /// Ends the agent behind the caller's back.
    pub(super) fn end(self) {
        tokio::spawn(self.process.stop());
    }

    async fn answer(
        &mut self,
        method: &str,
        params: &impl Serialize,
        show: &mut (impl FnMut(LoginPage) + Send),
    ) -> Result<Box<serde_json::value::RawValue>, LoginError> {
        let gone = |message: String| LoginError::CannotStart { message };
        let sent = self.connection.request(method, params).map_err(|error| gone(error.to_string()))?;
        while let Some(frame) = self.incoming.next().await {
            match frame.body {
                Body::Response { id, outcome, .. } if id == sent => {
                    return outcome.map_err(|error| self.refused(error));
                }
                Body::Request { id, method, params } if method == messages::methods::ELICITATION_CREATE => {
                    // A page to open is shown, and opened by whoever reads it; a form has nobody here to fill it in.
                    let view = view_elicitation(&params);
                    let answer = match view.url {
                        Some(url) => {
                            show(LoginPage { message: view.message, url });
                            json!({ "action": "accept" })
                        }
                        None => json!({ "action": "cancel" }),
                    };
                    let _ = self.connection.respond(&id, &answer);
                }
                Body::Request { id, method, .. } => {
                    let text = format!("Drover does not offer {method}");
                    let _ = self.connection.respond_error(&id, drover_acp::METHOD_NOT_FOUND, &text, None);
                }
                Body::Closed { reason } => return Err(gone(self.with_stderr(reason.to_string()))),
                _ => {}
            }
        }
        Err(gone(self.with_stderr("the agent ended".into())))
    }

    fn refused(&self, error: RpcError) -> LoginError {
        if error.origin == drover_acp::ErrorOrigin::Agent {
            return LoginError::Refused { code: error.code, message: error.message, data: error.data };
        }
        LoginError::CannotStart { message: self.with_stderr(error.to_string()) }
    }

    fn with_stderr(&self, message: String) -> String {
        let tail = self.connection.stderr_tail(super::TOLD);
        if tail.trim().is_empty() { message } else { format!("{message}\n{tail}") }
    }
}

async fn plan(context: &Context, entry: &Entry) -> Result<LaunchPlan, LoginError> {
    let mut swept = context.swept.clone();
    // Closed means that the daemon is going down.
    let _ = swept.wait_for(|swept| *swept).await;
    let environment = context.environments.ready().await;
    entry.launch(&environment).map_err(|problem| LoginError::CannotStart { message: problem.to_string() })
}

async fn launch(context: &Context, plan: Order) -> Result<drover_acp::Transport, LoginError> {
    let launch = Launch {
        keeper: context.keeper.clone(),
        keeper_args: vec!["keeper".into()],
        command: plan.command,
        args: plan.args,
        env: plan.env,
        cwd: plan.cwd,
        mark: context.mark.clone(),
    };
    drover_acp::launch(launch).await.map_err(|error| LoginError::CannotStart { message: error.to_string() })
}

/// Runs a login's program in a terminal until it ends. Dropped, the terminal hangs up and all that it started is ended.
pub(super) async fn run_terminal(
    context: &Context,
    entry: &Entry,
    run: Run,
    screen: &Screen,
    mut typed: mpsc::Receiver<PtyInput>,
) -> Result<Exit, LoginError> {
    let own = plan(context, entry).await?;
    let (program, before) = match run.command {
        Some(command) => (PathBuf::from(command), Vec::new()),
        None => (own.command, own.args),
    };
    let mut env: Vec<_> = own.env.into_iter().filter(|(name, _)| name != "TERM").collect();
    env.push(("TERM".into(), "xterm-256color".into()));
    for (name, value) in run.env {
        env.retain(|(known, _)| *known != *name);
        env.push((name.into(), value.into()));
    }
    // Some ask whether the directory they start in is trusted, and keep the answer: not the whole home.
    let cwd = context.catalogue.data_dir().join("login");
    std::fs::create_dir_all(&cwd)
        .map_err(|error| LoginError::CannotStart { message: format!("{} cannot be made: {error}", cwd.display()) })?;
    let mut args: Vec<OsString> = vec!["pty".into(), program.into()];
    args.extend(before);
    args.extend(run.args.into_iter().map(OsString::from));
    let mut terminal = launch(context, Order { command: context.keeper.clone(), args, env, cwd }).await?;
    let mut exit = terminal.process.exit_watch();
    let mut bytes = vec![0; 16 * 1024];
    loop {
        tokio::select! {
            read = terminal.stdout.read(&mut bytes) => match read {
                Ok(count @ 1..) => screen.show(&bytes[..count]),
                _ => break,
            },
            Some(input) = typed.recv() => {
                let mut line = serde_json::to_vec(&input).unwrap_or_default();
                line.push(b'\n');
                if terminal.stdin.write_all(&line).await.and(terminal.stdin.flush().await).is_err() {
                    break;
                }
            }
        }
    }
    Ok(exit.exited().await.unwrap_or(Exit::UNSEEN))
}
