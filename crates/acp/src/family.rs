//! What an agent started during a turn and left running when it ended.

use std::collections::HashSet;

use nix::sys::signal::Signal;

use crate::ProcessInfo;
use crate::platform::{self, Entry};
use crate::sweep::{AFTER_KILL, AFTER_TERM, closure, end_all, living, marked};

/// A point in time as the process table counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

impl Moment {
    /// Now, to the system's tick.
    pub fn now() -> Self {
        Self(platform::now())
    }
}

/// Where an agent's processes are found. It keeps none of them alive.
#[derive(Debug, Clone)]
pub struct Family {
    pub(crate) keeper_pid: u32,
    pub(crate) agent_pid: u32,
    pub(crate) mark: String,
}

/// A process that was left running.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    entry: Entry,
    /// The process as people want to see it.
    pub info: ProcessInfo,
}

impl Family {
    /// What lives of the processes that were started at `moment` or later, oldest first. Looks at the whole process table: it blocks.
    pub fn started_since(&self, moment: Moment) -> Vec<Left> {
        let table = platform::processes();
        let mut found = living(closure(&table, &[self.keeper_pid]), std::process::id());
        if !platform::SUBREAPER {
            found.extend(marked(&table, |mark| mark == self.mark));
        }
        let mut listed = HashSet::from([self.keeper_pid, self.agent_pid]);
        found.retain(|entry| entry.started >= moment.0 && listed.insert(entry.pid));
        found.sort_by_key(|entry| (entry.started, entry.pid));
        found.into_iter().map(|entry| Left { info: platform::describe(&entry), entry }).collect()
    }
}

/// Those that still live. Blocks for an instant.
pub fn still_running(left: Vec<Left>) -> Vec<Left> {
    let lives = |left: &Left| {
        platform::look_up(left.entry.pid).is_some_and(|now| now.started == left.entry.started && !now.zombie)
    };
    left.into_iter().filter(lives).collect()
}

/// Ends them with all below them: TERM, 2 s, KILL. Blocks for as long; gives those that would not die.
pub fn end_left(left: Vec<Left>) -> Vec<Left> {
    let survey = || {
        let table = platform::processes();
        let known =
            |entry: &&Entry| left.iter().any(|left| left.entry.pid == entry.pid && left.entry.started == entry.started);
        let roots: Vec<u32> = table.iter().filter(known).map(|entry| entry.pid).collect();
        living(closure(&table, &roots), std::process::id())
    };
    let mut seen = HashSet::new();
    end_all(&mut seen, Signal::SIGTERM, AFTER_TERM, survey);
    end_all(&mut seen, Signal::SIGKILL, AFTER_KILL, survey);
    still_running(left)
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};

    use super::*;

    /// This process as the keeper of what it starts.
    fn family() -> Family {
        Family { keeper_pid: std::process::id(), agent_pid: 0, mark: String::new() }
    }

    fn sleep(seconds: &str) -> Child {
        Command::new("sleep").arg(seconds).spawn().unwrap()
    }

    /// Waits for the next tick, so that what follows is later than what was.
    fn next_tick() -> Moment {
        let before = Moment::now();
        while Moment::now() == before {
            std::thread::yield_now();
        }
        Moment::now()
    }

    #[test]
    fn only_what_was_started_since_is_found_and_ended_with_all_below_it() {
        let mut before = sleep("3601");
        let moment = next_tick();
        let mut after = Command::new("sh").args(["-c", "sleep 3602 & wait"]).spawn().unwrap();
        let of = |seconds: &str, left: &[Left]| left.iter().any(|left| left.info.command.contains(seconds));
        let found = loop {
            let found = family().started_since(moment);
            if of("sleep 3602", &found) {
                break found;
            }
        };
        assert!(!of("3601", &found), "{found:?}");
        let mine = found.into_iter().filter(|left| left.info.command.contains("3602")).collect::<Vec<_>>();
        assert_eq!(still_running(mine.clone()), mine);
        assert_eq!(end_left(mine.clone()), []);
        assert!(!after.wait().unwrap().success());
        assert!(before.try_wait().unwrap().is_none(), "the older one lives");
        before.kill().unwrap();
        before.wait().unwrap();
    }
}
