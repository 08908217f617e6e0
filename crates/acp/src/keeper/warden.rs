//! The daemon's task beside each keeper: passes orders, hears reports, and does the keeper's work if that is killed.

use std::time::Duration;

use tokio::io::{AsyncWriteExt, BufReader, Lines};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::Child;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use super::StdinGate;
use super::tree::Tree;
use super::wire::{self, Report};
use crate::platform::Entry;
use crate::process::Order;
use crate::{Exit, ExitWatch, Process};

/// A keeper that has not finished the ladder by now hangs (the ladder takes 8 s).
const STOP_PATIENCE: Duration = Duration::from_secs(10);
/// The same for a kill.
const KILL_PATIENCE: Duration = Duration::from_secs(3);

pub(super) struct Warden {
    pub(super) keeper: Child,
    pub(super) reports: Lines<BufReader<OwnedReadHalf>>,
    pub(super) control: OwnedWriteHalf,
    /// The agent as the process table showed it at its start; `None` if it had ended by then.
    pub(super) agent: Option<Entry>,
    pub(super) mark: String,
}

struct Ends {
    exit: watch::Sender<Option<Exit>>,
    gone: watch::Sender<bool>,
}

pub(super) fn start(warden: Warden, agent_pid: u32, stdin: StdinGate) -> Process {
    let keeper_pid = warden.keeper.id().unwrap_or_default();
    let mark = warden.mark.clone();
    let (exit_sender, exit) = ExitWatch::channel();
    let (gone_sender, gone) = watch::channel(false);
    let (orders, given) = mpsc::unbounded_channel();
    tokio::spawn(warden.run(given, Ends { exit: exit_sender, gone: gone_sender }));
    Process { agent_pid, keeper_pid, mark, exit, gone, orders, stdin }
}

impl Warden {
    async fn run(mut self, orders: mpsc::UnboundedReceiver<Order>, ends: Ends) {
        let all_gone = self.attend(orders, &ends.exit).await;
        if let Err(error) = self.keeper.wait().await {
            tracing::warn!(%error, "a keeper could not be reaped");
        }
        if !all_gone {
            tracing::warn!(mark = self.mark, "a keeper was killed; its agent is ended from here");
            self.sweep().await;
        }
        ends.exit.send_if_modified(|exit| exit.is_none() && exit.replace(Exit::UNSEEN).is_none());
        ends.gone.send_replace(true);
    }

    /// Until the keeper's socket closes; whether it said before that all is gone.
    async fn attend(&mut self, mut orders: mpsc::UnboundedReceiver<Order>, exit: &watch::Sender<Option<Exit>>) -> bool {
        let mut all_gone = false;
        let mut dropped = false;
        let mut patience: Option<Instant> = None;
        loop {
            tokio::select! {
                line = self.reports.next_line() => {
                    let Ok(Some(line)) = line else { return all_gone };
                    match serde_json::from_str(&line) {
                        Ok(Report::Exited(how)) => drop(exit.send_replace(Some(how))),
                        Ok(Report::Gone { left }) => {
                            all_gone = true;
                            if left > 0 {
                                tracing::warn!(left, "processes of an agent cannot be killed");
                            }
                        }
                        other => tracing::debug!(?other, "an unexpected report of a keeper"),
                    }
                }
                order = orders.recv(), if !dropped => {
                    dropped = order.is_none();
                    let order = order.unwrap_or(Order::Stop);
                    let until = Instant::now() + if order == Order::Kill { KILL_PATIENCE } else { STOP_PATIENCE };
                    patience = Some(patience.map_or(until, |sooner| sooner.min(until)));
                    self.pass_on(order).await;
                }
                () = until(patience) => {
                    patience = None;
                    // Its end closes the socket, which ends this loop.
                    let _ = self.keeper.start_kill();
                }
            }
        }
    }

    async fn pass_on(&mut self, order: Order) {
        if let Ok(line) = wire::line(&order)
            && let Err(error) = self.control.write_all(&line).await
        {
            tracing::debug!(%error, "a keeper takes no orders any more");
        }
    }

    async fn sweep(&mut self) {
        let tree = Tree::new(self.agent.take(), std::mem::take(&mut self.mark));
        match tokio::task::spawn_blocking(move || tree.kill()).await {
            Ok(0) => {}
            Ok(left) => tracing::warn!(left, "processes of an agent cannot be killed"),
            Err(error) => tracing::error!(%error, "sweeping after a keeper failed"),
        }
    }
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
