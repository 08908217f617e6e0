//! An agent's processes: what stands below its root in the process table, and what carries its mark.

use std::cell::RefCell;
use std::collections::HashSet;

use nix::sys::signal::Signal;

use crate::platform::{self, Entry};
use crate::sweep::{closure, kill_all, living, marked};

/// Looks the processes up anew each time. Remembers what it saw, so that a branch whose upper end died is still
/// found.
pub(super) struct Tree {
    seen: RefCell<HashSet<Entry>>,
    mark: String,
}

impl Tree {
    pub(super) fn new(root: Option<Entry>, mark: String) -> Self {
        Self { seen: RefCell::new(root.into_iter().collect()), mark }
    }

    /// The living processes, without this one.
    pub(super) fn survey(&self) -> Vec<Entry> {
        let table = platform::processes();
        let mut seen = self.seen.borrow_mut();
        let is_known =
            |entry: &&Entry| seen.iter().any(|known| known.pid == entry.pid && known.started == entry.started);
        let roots: Vec<u32> = table.iter().filter(is_known).map(|entry| entry.pid).collect();
        let mut found = living(closure(&table, &roots), std::process::id());
        let others: Vec<Entry> = marked(&table, |mark| mark == self.mark);
        found.extend(others.into_iter().filter(|entry| !roots.contains(&entry.pid)));
        let mut listed = HashSet::new();
        found.retain(|entry| listed.insert(entry.pid));
        seen.extend(found.iter().cloned());
        found
    }

    pub(super) fn terminate(&self) {
        for entry in self.survey() {
            platform::signal(&entry, Signal::SIGTERM);
        }
    }

    /// Kills until nothing is left; how many would not die.
    pub(super) fn kill(&self) -> usize {
        kill_all(|| self.survey())
    }
}
