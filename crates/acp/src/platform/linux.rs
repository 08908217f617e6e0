//! Linux: `/proc`, and `PR_SET_CHILD_SUBREAPER`.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use nix::unistd::{SysconfVar, sysconf};

use super::{Entry, Platform};
use crate::ProcessInfo;

pub(super) struct Linux;

impl Platform for Linux {
    const SUBREAPER: bool = true;

    fn become_subreaper() -> nix::Result<()> {
        nix::sys::prctl::set_child_subreaper(true)
    }

    fn processes() -> Vec<Entry> {
        let Ok(directory) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        let pids = directory.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter_map(Self::look_up).collect()
    }

    fn now() -> u64 {
        let text = fs::read_to_string("/proc/uptime").unwrap_or_default();
        parse_uptime(&text).unwrap_or(0).saturating_mul(per_second()) / 100
    }

    fn look_up(pid: u32) -> Option<Entry> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        parse_stat(pid, &stat)
    }

    fn variable_of(pid: u32, name: &str) -> Option<String> {
        let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
        let value = environment
            .split(|byte| *byte == 0)
            .find_map(|variable| variable.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
        String::from_utf8(value.to_vec()).ok()
    }

    fn describe(entry: &Entry) -> ProcessInfo {
        let pid = entry.pid;
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<_> = command.split(|byte| *byte == 0).map(String::from_utf8_lossy).collect();
        let mut command = words.join(" ").trim_end().to_owned();
        if command.is_empty() {
            command = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default().trim_end().to_owned();
        }
        ProcessInfo { pid, command, started_at: boot_time() + ticks(entry.started) }
    }

    fn resident(pid: u32) -> Option<u64> {
        let statm = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
        let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten()?;
        Some(pages * u64::try_from(page).ok()?)
    }

    fn own_binary() -> Option<&'static str> {
        Some("/proc/self/exe")
    }
}

/// `pid (name) state parent …`; the name may hold anything, so the fields count from its last `)`. See proc(5).
fn parse_stat(pid: u32, stat: &str) -> Option<Entry> {
    let mut fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let started = fields.nth(17)?.parse().ok()?;
    Some(Entry { pid, parent, started, zombie: matches!(state, "Z" | "X") })
}

/// Hundredths of a second since the start. See proc(5).
fn parse_uptime(text: &str) -> Option<u64> {
    let (seconds, hundredths) = text.split_ascii_whitespace().next()?.split_once('.')?;
    Some(seconds.parse::<u64>().ok()? * 100 + hundredths.parse::<u64>().ok()?)
}

fn ticks(count: u64) -> Duration {
    Duration::from_millis(count.saturating_mul(1000) / per_second())
}

fn per_second() -> u64 {
    static PER_SECOND: OnceLock<u64> = OnceLock::new();
    *PER_SECOND.get_or_init(|| {
        let asked = sysconf(SysconfVar::CLK_TCK).ok().flatten();
        asked.and_then(|ticks| u64::try_from(ticks).ok()).filter(|ticks| *ticks > 0).unwrap_or(100)
    })
}

fn boot_time() -> SystemTime {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let seconds = stat.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok());
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let tail = "S 7 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 1000";
        let entry = parse_stat(5, &format!("5 (a) b (c) {tail}")).unwrap();
        assert_eq!(entry, Entry { pid: 5, parent: 7, started: 4711, zombie: false });
        assert!(parse_stat(5, &format!("5 (x) {}", tail.replacen('S', "Z", 1))).unwrap().zombie);
        assert_eq!(parse_stat(5, "5 (x"), None);
    }

    #[test]
    fn the_uptime_is_read_to_the_hundredth() {
        assert_eq!(parse_uptime("14647.08 6353.70\n"), Some(1_464_708));
        assert_eq!(parse_uptime(""), None);
    }
}
