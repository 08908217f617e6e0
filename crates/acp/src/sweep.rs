//! Finds and ends what an agent left behind: by ancestry and by the mark in the environment.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::platform::{self, Entry};

/// The variable that marks an agent and everything it starts: `<owner>:<run>:<number>`.
pub(crate) const MARK_VARIABLE: &str = "DROVER_AGENT_MARK";

/// Between two looks at the process table while something is being ended.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How long processes have after TERM.
pub(crate) const AFTER_TERM: Duration = Duration::from_secs(2);
/// How long to try with KILL: what survives that hangs in the kernel.
pub(crate) const AFTER_KILL: Duration = Duration::from_secs(1);

/// What [`sweep_leftovers`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Processes that were there and had to be ended.
    pub count: usize,
    /// Processes that are still there: they hang in the kernel.
    pub left: usize,
}

/// Ends what carries `owner`'s mark of another run than `current_run`, with all below it: TERM, 2 s, KILL. For the
/// start of a daemon, after the last one was killed. Processes of other owners are not touched. Blocks: an instant
/// where nothing is left, up to 3 s otherwise.
pub fn sweep_leftovers(owner: &str, current_run: &str) -> Swept {
    let prefix = format!("{owner}:");
    let current = format!("{owner}:{current_run}:");
    let is_leftover = |mark: &str| mark.starts_with(&prefix) && !mark.starts_with(&current);
    let survey = || marked(&platform::processes(), is_leftover);
    let mut seen: HashSet<Entry> = survey().into_iter().collect();
    if seen.is_empty() {
        return Swept::default();
    }
    end_all(&mut seen, Signal::SIGTERM, AFTER_TERM, survey);
    let left = end_all(&mut seen, Signal::SIGKILL, AFTER_KILL, survey);
    Swept { count: seen.len(), left }
}

/// Signals what `survey` finds, again and again, until it finds nothing or the time is over; how many are left. TERM
/// goes to each process once, KILL as often as it takes.
pub(crate) fn end_all(
    seen: &mut HashSet<Entry>,
    signal: Signal,
    patience: Duration,
    survey: impl Fn() -> Vec<Entry>,
) -> usize {
    let until = Instant::now() + patience;
    let mut signalled = HashSet::new();
    loop {
        let found = survey();
        seen.extend(found.iter().cloned());
        for entry in &found {
            if signalled.insert(entry.clone()) || signal == Signal::SIGKILL {
                platform::signal(entry, signal);
            }
        }
        if found.is_empty() || Instant::now() >= until {
            return found.len();
        }
        sleep(LOOK_AGAIN);
    }
}

/// Kills what `survey` finds until nothing is left; how many would not die.
pub(crate) fn kill_all(survey: impl Fn() -> Vec<Entry>) -> usize {
    end_all(&mut HashSet::new(), Signal::SIGKILL, AFTER_KILL, survey)
}

/// The living processes whose mark fits, and all below them. Never this process itself.
pub(crate) fn marked(table: &[Entry], fits: impl Fn(&str) -> bool) -> Vec<Entry> {
    let me = std::process::id();
    let carries = |entry: &&Entry| entry.pid != me && platform::mark_of(entry).is_some_and(|mark| fits(&mark));
    let roots: Vec<u32> = table.iter().filter(carries).map(|entry| entry.pid).collect();
    living(closure(table, &roots), me)
}

/// Drops zombies (they only wait for their parent) and this process.
pub(crate) fn living(entries: Vec<Entry>, me: u32) -> Vec<Entry> {
    entries.into_iter().filter(|entry| entry.pid != me && !entry.zombie).collect()
}

/// The roots that exist and everything below them, parents before children.
pub(crate) fn closure(table: &[Entry], roots: &[u32]) -> Vec<Entry> {
    let mut known: HashSet<u32> = roots.iter().copied().collect();
    let mut found: Vec<Entry> = table.iter().filter(|entry| known.contains(&entry.pid)).cloned().collect();
    let mut next = 0;
    while let Some(parent) = found.get(next).map(|entry| entry.pid) {
        for child in table.iter().filter(|entry| entry.parent == parent) {
            if known.insert(child.pid) {
                found.push(child.clone());
            }
        }
        next += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(pid: u32, parent: u32) -> Entry {
        Entry { pid, parent, started: u64::from(pid), zombie: pid == 9 }
    }

    #[test]
    fn a_closure_is_everything_below() {
        let table = [entry(9, 4), entry(1, 0), entry(2, 1), entry(3, 2), entry(4, 3), entry(5, 1)];
        let pids = |entries: Vec<Entry>| entries.iter().map(|entry| entry.pid).collect::<Vec<_>>();
        assert_eq!(pids(closure(&table, &[2])), [2, 3, 4, 9]);
        assert_eq!(pids(living(closure(&table, &[2]), 3)), [2, 4]);
        assert_eq!(pids(closure(&table, &[77])), [0; 0]);
    }

    #[test]
    fn a_parent_loop_ends() {
        let table = [entry(2, 3), entry(3, 2)];
        assert_eq!(closure(&table, &[2]).len(), 2);
    }
}
