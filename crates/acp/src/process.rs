//! A running agent, seen from the daemon: when it ends, and how to end it.

use std::fmt;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

use crate::family::Family;
use crate::keeper::StdinGate;
use crate::platform;

/// How a process ended. Neither field is set where nobody could see it, because its keeper was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Exit {
    /// The exit status, if it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl Exit {
    /// Nobody saw the end.
    pub const UNSEEN: Self = Self { code: None, signal: None };
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit status {code}"),
            (None, Some(signal)) => match platform::signal_name(signal) {
                Some(name) => write!(f, "killed by signal {signal} ({name})"),
                None => write!(f, "killed by signal {signal}"),
            },
            (None, None) => f.write_str("exit status unknown"),
        }
    }
}

/// Tells when a process ends. Clones watch the same process.
#[derive(Debug, Clone)]
pub struct ExitWatch(watch::Receiver<Option<Exit>>);

impl ExitWatch {
    /// A watch, and the sender that ends it with `Some(exit)`: for transports that are no process of this machine.
    pub fn channel() -> (watch::Sender<Option<Exit>>, Self) {
        let (sender, receiver) = watch::channel(None);
        (sender, Self(receiver))
    }

    /// Waits for the end; `None` if whoever could tell it is gone.
    pub async fn exited(&mut self) -> Option<Exit> {
        loop {
            if let Some(exit) = *self.0.borrow_and_update() {
                return Some(exit);
            }
            self.0.changed().await.ok()?;
        }
    }
}

/// What the daemon asks of a keeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Order {
    /// The ladder: the agent's stdin is closed already; 5 s, TERM, 2 s, KILL.
    Stop,
    /// KILL at once.
    Kill,
}

/// A handle on an agent's process and everything it started. Clones share it. When the last clone is dropped, the
/// ladder of [`Process::stop`] runs.
#[derive(Debug, Clone)]
#[must_use = "the agent ends with the last handle on it"]
pub struct Process {
    pub(crate) agent_pid: u32,
    pub(crate) keeper_pid: u32,
    pub(crate) mark: String,
    pub(crate) exit: ExitWatch,
    pub(crate) gone: watch::Receiver<bool>,
    pub(crate) orders: mpsc::UnboundedSender<Order>,
    pub(crate) stdin: StdinGate,
}

impl Process {
    /// The agent's process, also the id of its process group.
    pub fn agent_pid(&self) -> u32 {
        self.agent_pid
    }

    /// The keeper that is its parent.
    pub fn keeper_pid(&self) -> u32 {
        self.keeper_pid
    }

    /// Where what it starts is found.
    pub fn family(&self) -> Family {
        Family { keeper_pid: self.keeper_pid, agent_pid: self.agent_pid, mark: self.mark.clone() }
    }

    /// Tells when the agent's process ends.
    pub fn exit_watch(&self) -> ExitWatch {
        self.exit.clone()
    }

    /// Waits for the end of the agent's process. What it started may live a little longer: see [`Process::gone`].
    pub async fn wait(&mut self) -> Exit {
        self.exit.exited().await.unwrap_or(Exit::UNSEEN)
    }

    /// Waits until the agent, everything it started and its keeper are gone.
    pub async fn gone(&mut self) {
        while !*self.gone.borrow_and_update() {
            if self.gone.changed().await.is_err() {
                return;
            }
        }
    }

    /// Ends the agent: its stdin is closed; what is left of it and its descendants after 5 s gets TERM, after 2 s
    /// more KILL. Returns when all is gone, 8 s at the latest.
    pub async fn stop(mut self) -> Exit {
        self.order(Order::Stop);
        self.gone().await;
        self.wait().await
    }

    /// Kills the agent and all its descendants at once. Does not wait: see [`Process::gone`].
    pub fn kill(&self) {
        self.order(Order::Kill);
    }

    fn order(&self, order: Order) {
        self.stdin.close();
        // Without a receiver everything is gone already.
        let _ = self.orders.send(order);
    }
}

/// A process as the system's table shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessInfo {
    /// Its number. Numbers are used again: it is the same process only if `started_at` is the same too.
    pub pid: u32,
    /// Its command line; for one that cannot be read, its name.
    pub command: String,
    /// When it started, to the system's tick.
    pub started_at: SystemTime,
}

/// The processes below `pid`, as far as the process table shows it, parents before children.
pub fn descendants(pid: u32) -> Vec<ProcessInfo> {
    let table = platform::processes();
    let below = crate::sweep::closure(&table, &[pid]);
    below.iter().filter(|entry| entry.pid != pid).map(platform::describe).collect()
}

/// A process with what the whole tree below it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// The process.
    pub process: ProcessInfo,
    /// Bytes of memory that it and all below it hold; what several share is counted for each.
    pub resident_bytes: u64,
}

/// What a process and those below it take now; `None` where there is no such process.
pub fn usage(pid: u32) -> Option<Usage> {
    let table = platform::processes();
    let tree = crate::sweep::closure(&table, &[pid]);
    let process = tree.iter().find(|entry| entry.pid == pid && !entry.zombie).map(platform::describe)?;
    Some(Usage { process, resident_bytes: tree.iter().filter_map(|entry| platform::resident(entry.pid)).sum() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_in_words() {
        assert_eq!(Exit { code: Some(143), signal: None }.to_string(), "exit status 143");
        assert_eq!(Exit { code: None, signal: Some(9) }.to_string(), "killed by signal 9 (SIGKILL)");
        assert_eq!(Exit { code: None, signal: Some(99) }.to_string(), "killed by signal 99");
        assert_eq!(Exit::UNSEEN.to_string(), "exit status unknown");
    }
}
