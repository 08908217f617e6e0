//! What differs between systems: the process table, and being a subreaper. Nothing else in this crate knows the
//! operating system.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux::Linux as Os;

#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "macos")]
use macos::MacOs as Os;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::ProcessInfo;

/// One process. Two entries are the same process only if `started` is the same too.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    /// In the system's own unit; only to be compared.
    pub(crate) started: u64,
    pub(crate) zombie: bool,
}

/// What each system must offer.
trait Platform {
    /// Whether orphans below a process can be made its children, so that ancestry alone finds everything.
    const SUBREAPER: bool;

    /// Makes this process the parent of all orphans below it, where the system can.
    fn become_subreaper() -> nix::Result<()>;

    /// The processes, as far as this user may see them.
    fn processes() -> Vec<Entry>;

    /// This moment, in the unit of [`Entry::started`].
    fn now() -> u64;

    /// One process.
    fn look_up(pid: u32) -> Option<Entry>;

    /// The value of a variable in the environment a process was started with.
    fn variable_of(pid: u32, name: &str) -> Option<String>;

    /// The process as people want to see it.
    fn describe(entry: &Entry) -> ProcessInfo;

    /// Bytes of memory that a process holds now.
    fn resident(pid: u32) -> Option<u64>;

    /// What a keeper is started from: a file that stays the running binary when that is replaced on disk, if there
    /// is one.
    fn own_binary() -> Option<&'static str>;
}

pub(crate) const SUBREAPER: bool = Os::SUBREAPER;

pub(crate) fn become_subreaper() -> nix::Result<()> {
    Os::become_subreaper()
}

pub(crate) fn processes() -> Vec<Entry> {
    Os::processes()
}

pub(crate) fn now() -> u64 {
    Os::now()
}

pub(crate) fn look_up(pid: u32) -> Option<Entry> {
    Os::look_up(pid)
}

/// The mark of a process, as long as it is still the same process.
pub(crate) fn mark_of(entry: &Entry) -> Option<String> {
    Os::variable_of(entry.pid, crate::sweep::MARK_VARIABLE)
}

pub(crate) fn describe(entry: &Entry) -> ProcessInfo {
    Os::describe(entry)
}

pub(crate) fn resident(pid: u32) -> Option<u64> {
    Os::resident(pid)
}

pub(crate) fn own_binary() -> Option<&'static str> {
    Os::own_binary()
}

/// Signals the process unless its number has gone to another one since.
pub(crate) fn signal(entry: &Entry, signal: Signal) {
    let same = look_up(entry.pid).is_some_and(|now| now.started == entry.started);
    if let (true, Ok(pid)) = (same, i32::try_from(entry.pid)) {
        // It may end by itself between the look and the signal.
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

pub(crate) fn signal_name(number: i32) -> Option<&'static str> {
    Signal::try_from(number).ok().map(Signal::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_in_the_table() {
        let me = std::process::id();
        let entry = processes().into_iter().find(|entry| entry.pid == me).unwrap();
        assert_eq!(look_up(me), Some(entry.clone()));
        let info = describe(&entry);
        assert!(info.started_at.elapsed().unwrap().as_secs() < 3600, "{info:?}");
        assert!(info.command.contains("drover_acp"), "{info:?}");
        let resident = resident(me).unwrap();
        assert!((1 << 20..1 << 34).contains(&resident), "{resident} bytes");
    }

    #[test]
    fn a_number_used_again_is_not_signalled() {
        let mut child = std::process::Command::new("sleep").arg("100").spawn().unwrap();
        let entry = look_up(child.id()).unwrap();
        let stranger = Entry { started: entry.started.wrapping_sub(1), ..entry.clone() };
        signal(&stranger, Signal::SIGKILL);
        assert!(child.try_wait().unwrap().is_none());
        signal(&entry, Signal::SIGKILL);
        assert!(!child.wait().unwrap().success());
    }
}
