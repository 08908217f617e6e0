//! macOS: libproc and `KERN_PROCARGS2`. There is no subreaper, so the mark in the environment finds orphans.

use std::mem::{MaybeUninit, size_of};
use std::time::{Duration, SystemTime};

use super::{Entry, Platform};
use crate::ProcessInfo;

pub(super) struct MacOs;

impl Platform for MacOs {
    const SUBREAPER: bool = false;

    fn become_subreaper() -> nix::Result<()> {
        Ok(())
    }

    fn processes() -> Vec<Entry> {
        all_pids().into_iter().filter_map(Self::look_up).collect()
    }

    fn now() -> u64 {
        #[expect(
            clippy::disallowed_methods,
            reason = "compared with the starts in the process table, which are of this clock"
        )]
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
    }

    fn look_up(pid: u32) -> Option<Entry> {
        bsd_info(pid).map(|info| entry_of(&info))
    }

    fn variable_of(pid: u32, name: &str) -> Option<String> {
        let (_, environment) = arguments(pid)?;
        environment.iter().find_map(|variable| Some(variable.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
    }

    fn describe(entry: &Entry) -> ProcessInfo {
        let pid = entry.pid;
        let command = arguments(pid).map(|(words, _)| words.join(" ")).filter(|command| !command.is_empty());
        let command = command.or_else(|| bsd_info(pid).map(|info| name_of(&info))).unwrap_or_default();
        ProcessInfo { pid, command, started_at: SystemTime::UNIX_EPOCH + Duration::from_micros(entry.started) }
    }

    fn resident(pid: u32) -> Option<u64> {
        let pid = libc::c_int::try_from(pid).ok()?;
        let size = libc::c_int::try_from(size_of::<libc::proc_taskinfo>()).ok()?;
        let mut info = MaybeUninit::<libc::proc_taskinfo>::zeroed();
        // SAFETY: the buffer is a proc_taskinfo of the given size.
        let written = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTASKINFO, 0, info.as_mut_ptr().cast(), size) };
        // SAFETY: all fields are integers, and the call says that it filled the whole struct.
        (written == size).then(|| unsafe { info.assume_init() }.pti_resident_size)
    }

    fn own_binary() -> Option<&'static str> {
        None
    }
}

fn all_pids() -> Vec<u32> {
    let mut pids: Vec<libc::pid_t> = vec![0; 4096];
    loop {
        let bytes = libc::c_int::try_from(pids.len() * size_of::<libc::pid_t>()).unwrap_or(libc::c_int::MAX);
        // SAFETY: the buffer is valid for the given number of bytes.
        let count = unsafe { libc::proc_listallpids(pids.as_mut_ptr().cast(), bytes) };
        let count = usize::try_from(count).unwrap_or(0);
        if count < pids.len() {
            pids.truncate(count);
            return pids.into_iter().filter_map(|pid| u32::try_from(pid).ok()).collect();
        }
        pids.resize(pids.len() * 2, 0);
    }
}

fn bsd_info(pid: u32) -> Option<libc::proc_bsdinfo> {
    let pid = libc::c_int::try_from(pid).ok()?;
    let size = libc::c_int::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
    let mut info = MaybeUninit::<libc::proc_bsdinfo>::zeroed();
    // SAFETY: the buffer is a proc_bsdinfo of the given size.
    let written = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, 0, info.as_mut_ptr().cast(), size) };
    // SAFETY: all fields are integers, and the call says that it filled the whole struct.
    (written == size).then(|| unsafe { info.assume_init() })
}

fn entry_of(info: &libc::proc_bsdinfo) -> Entry {
    Entry {
        pid: info.pbi_pid,
        parent: info.pbi_ppid,
        started: info.pbi_start_tvsec * 1_000_000 + info.pbi_start_tvusec,
        zombie: info.pbi_status == libc::SZOMB,
    }
}

fn name_of(info: &libc::proc_bsdinfo) -> String {
    let name = info.pbi_comm.iter().map(|letter| letter.cast_unsigned()).take_while(|letter| *letter != 0);
    String::from_utf8_lossy(&name.collect::<Vec<u8>>()).into_owned()
}

/// Arguments and environment: `argc`, the path, zeros, then `argc` arguments and the environment, each ended by zero.
fn arguments(pid: u32) -> Option<(Vec<String>, Vec<String>)> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, libc::c_int::try_from(pid).ok()?];
    let mut buffer = vec![0_u8; 1024 * 1024];
    let mut length = buffer.len();
    // SAFETY: the name has three parts, the buffer the given length; nothing is set.
    let failed = unsafe {
        libc::sysctl(name.as_mut_ptr(), 3, buffer.as_mut_ptr().cast(), &raw mut length, std::ptr::null_mut(), 0)
    };
    if failed != 0 {
        return None;
    }
    let (count, rest) = buffer.get(..length)?.split_first_chunk()?;
    let count = usize::try_from(i32::from_ne_bytes(*count)).ok()?;
    let path = rest.iter().position(|byte| *byte == 0)?;
    let first = path + rest[path..].iter().position(|byte| *byte != 0)?;
    let mut texts = rest[first..].split(|byte| *byte == 0).map(|text| String::from_utf8_lossy(text).into_owned());
    let words = texts.by_ref().take(count).collect();
    Some((words, texts.take_while(|text| !text.is_empty()).collect()))
}
