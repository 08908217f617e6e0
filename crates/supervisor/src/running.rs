//! Which agents' processes run, for whom, and from which installed version.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use drover_domain::agent::AgentProcess;
use drover_domain::{AgentId, TaskId, Timestamp};

/// Every running link's process.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    next: u64,
    rows: BTreeMap<u64, Row>,
}

/// A process, or one that is about to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) agent: AgentId,
    pub(crate) task: TaskId,
    /// Which installed version it runs; `None`: the user's own program.
    pub(crate) version: Option<String>,
    /// Its number, once it has started.
    pub(crate) pid: Option<u32>,
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a process that is about to start; forgotten with what is given back.
    pub(crate) fn enter(self: &Arc<Self>, row: Row) -> Lease {
        let mut state = self.lock();
        let key = state.next;
        state.next += 1;
        state.rows.insert(key, row);
        Lease { running: Arc::clone(self), key }
    }

    /// The processes of an agent.
    pub(crate) fn of(&self, agent: &AgentId) -> Vec<Row> {
        self.lock().rows.values().filter(|row| row.agent == *agent).cloned().collect()
    }

    /// Whether a process runs an installed version.
    pub(crate) fn uses(&self, agent: &AgentId, version: &str) -> bool {
        self.of(agent).iter().any(|row| row.version.as_deref() == Some(version))
    }
}

/// Keeps an installed version from being removed while a process runs it.
#[derive(Debug)]
pub(crate) struct Lease {
    running: Arc<Running>,
    key: u64,
}

impl Lease {
    /// It has started.
    pub(crate) fn started(&self, pid: u32) {
        if let Some(row) = self.running.lock().rows.get_mut(&self.key) {
            row.pid = Some(pid);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.running.lock().rows.remove(&self.key);
    }
}

/// A process as the system shows it now; `None` where it has not started, or has ended.
pub(crate) fn look(row: Row) -> Option<AgentProcess> {
    let usage = drover_acp::usage(row.pid?)?;
    let since = usage.process.started_at.duration_since(UNIX_EPOCH).unwrap_or_default();
    Some(AgentProcess {
        task_id: row.task,
        pid: usage.process.pid,
        command: usage.process.command,
        rss_bytes: usage.resident_bytes,
        started_at: Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
        version: row.version,
    })
}
