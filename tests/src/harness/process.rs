//! What the process table says (Linux: `/proc`), and signals.

use std::{
    fs,
    time::{Duration, Instant},
};

/// One row of the process table.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// Its parent's id.
    pub parent: u32,
    /// `R`, `S`, …; `Z` is a process that ended and was not reaped.
    pub state: char,
}

impl Process {
    fn read(pid: u32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        Some(Self { pid, state: fields.next()?.chars().next()?, parent: fields.next()?.parse().ok()? })
    }
}

/// All processes of the machine.
pub fn table() -> Vec<Process> {
    let entries = fs::read_dir("/proc").expect("/proc is there");
    entries.flatten().filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?)).collect()
}

/// True while the process runs; one that ended and was not reaped does not.
pub fn alive(pid: u32) -> bool {
    Process::read(pid).is_some_and(|process| process.state != 'Z')
}

/// The command line, words separated by blanks; empty when there is no such process.
pub fn command_line(pid: u32) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default()).replace('\0', " ")
}

/// The processes below this one, at any depth.
pub fn descendants(pid: u32) -> Vec<Process> {
    let table = table();
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![pid];
    while let Some(parent) = parents.pop() {
        for child in table.iter().filter(|process| process.parent == parent) {
            parents.push(child.pid);
            found.push(child.clone());
        }
    }
    found
}

/// The processes below this one that ended and were not reaped.
pub fn zombies(pid: u32) -> Vec<Process> {
    descendants(pid).into_iter().filter(|process| process.state == 'Z').collect()
}

/// Processes whose environment holds this text.
pub fn with_environment(text: &str) -> Vec<u32> {
    let has = |pid: u32| fs::read(format!("/proc/{pid}/environ")).is_ok_and(|env| contains(&env, text.as_bytes()));
    table().into_iter().filter(|process| process.state != 'Z' && has(process.pid)).map(|process| process.pid).collect()
}

/// The session a process is in; 0 when there is no such process.
pub fn session(pid: u32) -> i32 {
    // SAFETY: no memory is involved.
    unsafe { libc::getsid(pid.try_into().expect("a process id")) }.max(0)
}

/// The process's resident memory in bytes.
pub fn resident(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a running process has memory");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).expect("a number of kB") * 1024
}

/// The descriptors a process holds.
pub fn descriptors(pid: u32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).expect("the process runs and is ours");
    let mut all: Vec<u32> = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    all.sort_unstable();
    all
}

/// Waits until none of the processes runs.
///
/// # Panics
///
/// When one still does after `within`, naming it.
pub async fn all_gone(pids: &[u32], within: Duration) {
    let living = || pids.iter().copied().filter(|pid| alive(*pid)).collect::<Vec<_>>();
    let start = Instant::now();
    while !living().is_empty() {
        if start.elapsed() > within {
            let named: Vec<String> = living().iter().map(|pid| format!("{pid} {}", command_line(*pid))).collect();
            panic!("still there after {within:?}: {named:?}");
        }
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
}

/// Sends a signal; a process that is gone is no error.
pub fn signal(pid: u32, signal: i32) {
    let pid = i32::try_from(pid).expect("a process id");
    // SAFETY: no memory is involved.
    unsafe { libc::kill(pid, signal) };
}

/// Sets the largest file that a running process may write, in bytes; none lifts the limit.
pub fn limit_file_size(pid: u32, bytes: Option<u64>) {
    let pid = i32::try_from(pid).expect("a process id");
    let limit = libc::rlimit { rlim_cur: bytes.unwrap_or(libc::RLIM_INFINITY), rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the new limit is read from a live reference and no old one is asked for.
    let result = unsafe { libc::prlimit(pid, libc::RLIMIT_FSIZE, &raw const limit, std::ptr::null_mut()) };
    assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
