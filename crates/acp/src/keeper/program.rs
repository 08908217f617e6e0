//! The keeper's own program: single-threaded, without a runtime, asleep until something ends.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, chdir, dup2_stderr, dup2_stdin, dup2_stdout, setsid};

use super::signals::ChildEnds;
use super::tree::Tree;
use super::wire::{self, CONTROL_VARIABLE, Report, Spec};
use crate::process::Order;
use crate::{Exit, platform};

/// How long an agent and its tree have after its stdin was closed. Real agents take up to 4.4 s to save.
const AFTER_CLOSE: Duration = Duration::from_secs(5);
/// How long its tree has after the agent ended by itself. Helpers of real agents take up to 2.1 s.
const AFTER_EXIT: Duration = Duration::from_millis(2500);
/// How long what is left has after TERM.
const AFTER_TERM: Duration = Duration::from_secs(2);
/// How long killed children may take to become reapable.
const AFTER_KILL: Duration = Duration::from_millis(500);
/// Between two looks at the process table where no signal tells of changes.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Runs a keeper to its end: what `drover keeper` does. Call it first thing in `main`, before any thread exists.
/// Takes its order from the socket that [`crate::launch`] gave it.
pub fn keeper_main() -> ExitCode {
    match keep() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("keeper: {error}");
            ExitCode::FAILURE
        }
    }
}

fn keep() -> io::Result<()> {
    let mut control = Control::take()?;
    // Fails only for a leader of a group, which has a session's worth of distance from the daemon already.
    let _ = setsid();
    let child_ends = ChildEnds::watch()?;
    platform::become_subreaper()?;
    close_all_on_exec()?;
    let Some(spec) = control.spec()? else { return Ok(()) };
    let mark = spec.mark.clone();
    let agent = match spawn(spec) {
        Ok(pid) => pid,
        Err(error) => {
            control.report(&Report::Failed { errno: error.raw_os_error(), message: error.to_string() });
            return Ok(());
        }
    };
    let_go_of_streams()?;
    control.report(&Report::Started(agent));
    control.stream.set_nonblocking(true)?;
    let tree = Tree::new(platform::look_up(std::process::id()), mark);
    Keeper { control, child_ends, tree, agent, phase: Phase::Running, childless: false }.run()
}

/// The agent gets 0, 1 and 2 and nothing else, whatever the daemon had open.
fn close_all_on_exec() -> io::Result<()> {
    let open: Vec<RawFd> = fs::read_dir("/dev/fd")?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|descriptor| *descriptor > 2)
        .collect();
    for descriptor in open {
        // SAFETY: nothing is read or written through it; one that is closed by now is an error of the call.
        let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
        // The directory that was listed is closed again.
        let _ = fcntl(descriptor, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC));
    }
    Ok(())
}

fn spawn(spec: Spec) -> io::Result<u32> {
    let child = Command::new(OsString::from(spec.command))
        .args(spec.args.into_iter().map(OsString::from))
        .env_clear()
        .envs(spec.env.into_iter().map(|(name, value)| (OsString::from(name), OsString::from(value))))
        .current_dir(OsString::from(spec.cwd))
        .process_group(0)
        .spawn()?;
    Ok(child.id())
}

/// A keeper that held the agent's pipes would hide from the daemon that the agent closed them.
fn let_go_of_streams() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    chdir("/")?;
    Ok(())
}

/// The socket to the daemon.
struct Control {
    stream: UnixStream,
    inbox: Vec<u8>,
    open: bool,
}

impl Control {
    fn take() -> io::Result<Self> {
        let missing = || io::Error::other("started by hand: a keeper is started by the daemon");
        let number = std::env::var(CONTROL_VARIABLE).ok().and_then(|number| number.parse::<RawFd>().ok());
        let number = number.filter(|number| *number > 2).ok_or_else(missing)?;
        // SAFETY: borrowed for one call, which says whether it is open.
        fcntl(unsafe { BorrowedFd::borrow_raw(number) }, FcntlArg::F_GETFD).map_err(|_| missing())?;
        // SAFETY: the daemon opened it for us, and nothing else in this process knows it.
        let stream = unsafe { UnixStream::from_raw_fd(number) };
        stream.peer_addr().map_err(|_| missing())?;
        Ok(Self { stream, inbox: Vec::new(), open: true })
    }

    /// Waits for the order; `None` if the daemon is gone.
    fn spec(&mut self) -> io::Result<Option<Spec>> {
        loop {
            if let Some(line) = self.next_line() {
                return Ok(Some(serde_json::from_slice(&line)?));
            }
            if !self.open {
                return Ok(None);
            }
            self.read();
        }
    }

    fn orders(&mut self) -> Vec<Order> {
        self.read();
        let mut orders = Vec::new();
        while let Some(line) = self.next_line() {
            orders.extend(serde_json::from_slice::<Order>(&line));
        }
        orders
    }

    fn next_line(&mut self) -> Option<Vec<u8>> {
        let end = memchr::memchr(b'\n', &self.inbox)?;
        Some(self.inbox.drain(..=end).collect())
    }

    fn read(&mut self) {
        let mut bytes = [0; 4096];
        match self.stream.read(&mut bytes) {
            Ok(0) => self.open = false,
            Ok(count) => self.inbox.extend_from_slice(&bytes[..count]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => self.open = false,
        }
    }

    fn report(&mut self, report: &Report) {
        // A daemon that is gone is noticed by reading.
        let _ = wire::line(report).map_err(io::Error::from).and_then(|line| self.stream.write_all(&line));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// The agent was asked to end, or ended; its tree has until then.
    Closing(Instant),
    Terminated(Instant),
    Killing,
}

struct Keeper {
    control: Control,
    child_ends: ChildEnds,
    tree: Tree,
    agent: u32,
    phase: Phase,
    /// No child is left. Where there is a subreaper that means: no descendant.
    childless: bool,
}

impl Keeper {
    fn run(mut self) -> io::Result<()> {
        loop {
            self.reap();
            if let Some(left) = self.finished() {
                self.control.report(&Report::Gone { left });
                return Ok(());
            }
            self.sleep()?;
            self.child_ends.drain();
            if self.control.open {
                self.obey();
            }
        }
    }

    /// Moves down the ladder as far as it is time to; at its end, how many processes would not die.
    fn finished(&mut self) -> Option<usize> {
        if self.phase == Phase::Running {
            return None;
        }
        if self.phase != Phase::Killing && self.all_gone() {
            return Some(0);
        }
        let now = Instant::now();
        match self.phase {
            Phase::Closing(until) if until <= now => {
                self.tree.terminate();
                self.phase = Phase::Terminated(now + AFTER_TERM);
                None
            }
            Phase::Terminated(until) if until <= now => Some(self.kill()),
            Phase::Killing => Some(self.kill()),
            _ => None,
        }
    }

    fn kill(&mut self) -> usize {
        let left = self.tree.kill();
        let until = Instant::now() + AFTER_KILL;
        self.reap();
        while !self.childless && Instant::now() < until {
            sleep(Duration::from_millis(5));
            self.reap();
        }
        left
    }

    fn all_gone(&self) -> bool {
        (self.childless || !platform::SUBREAPER) && self.tree.survey().is_empty()
    }

    fn obey(&mut self) {
        let orders = self.control.orders();
        if orders.contains(&Order::Kill) {
            self.phase = Phase::Killing;
        } else if orders.contains(&Order::Stop) || !self.control.open {
            self.close(AFTER_CLOSE);
        }
    }

    fn close(&mut self, patience: Duration) {
        if self.phase == Phase::Running {
            self.phase = Phase::Closing(Instant::now() + patience);
        }
    }

    fn reap(&mut self) {
        loop {
            let (pid, exit) = match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) => (pid, Exit { code: Some(code), signal: None }),
                Ok(WaitStatus::Signaled(pid, signal, _)) => (pid, Exit { code: None, signal: Some(signal as i32) }),
                Err(Errno::EINTR) => continue,
                Ok(_) => return self.childless = false,
                Err(_) => return self.childless = true,
            };
            if Ok(pid) == i32::try_from(self.agent).map(Pid::from_raw) {
                self.control.report(&Report::Exited(exit));
                self.close(AFTER_EXIT);
            }
        }
    }

    /// Until a child ends, the daemon says something, or it is time for the next step.
    fn sleep(&self) -> io::Result<()> {
        let timeout = match self.phase {
            Phase::Running => PollTimeout::NONE,
            Phase::Killing => PollTimeout::ZERO,
            Phase::Closing(until) | Phase::Terminated(until) => {
                let mut left = until.saturating_duration_since(Instant::now());
                if self.childless || !platform::SUBREAPER {
                    left = left.min(LOOK_AGAIN);
                }
                // Rounded up, so that the loop does not spin through the last millisecond.
                PollTimeout::try_from(left + Duration::from_millis(1)).unwrap_or(PollTimeout::MAX)
            }
        };
        let child_ends = PollFd::new(self.child_ends.descriptor().as_fd(), PollFlags::POLLIN);
        let control = PollFd::new(self.control.stream.as_fd(), PollFlags::POLLIN);
        let mut all = [child_ends, control];
        let watched = if self.control.open { &mut all[..] } else { &mut all[..1] };
        match poll(watched, timeout) {
            Ok(_) | Err(Errno::EINTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
