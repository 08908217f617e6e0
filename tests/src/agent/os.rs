//! What needs the operating system: descriptors, signals, children.

use std::{
    fs::File,
    io,
    os::{
        fd::{AsRawFd, RawFd},
        unix::process::CommandExt,
    },
    process::{Command, ExitCode, Stdio},
};

/// Takes the file's exclusive lock; closing the file gives it back.
pub(super) fn lock(file: &File) -> io::Result<()> {
    // SAFETY: the descriptor is open as long as `file` is borrowed.
    checked(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX) })
}

/// Closes a descriptor of this process.
pub(super) fn close(descriptor: RawFd) {
    // SAFETY: only 0 and 1 are passed, which no Rust value owns here.
    unsafe { libc::close(descriptor) };
}

/// What woke a wait for input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    Input,
    Wake,
}

/// Waits until stdin or the wake descriptor can be read, the latter first.
pub(super) fn wait_for_input(wake: RawFd) -> io::Result<Ready> {
    let mut fds = [wake, 0].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    loop {
        // SAFETY: the array lives through the call and its length is passed.
        match checked(unsafe { libc::poll(fds.as_mut_ptr(), 2, -1) }) {
            Ok(()) if fds[0].revents != 0 => return Ok(Ready::Wake),
            Ok(()) => return Ok(Ready::Input),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Lets a signal of this process have no effect.
pub(super) fn ignore(signal: i32) {
    // SAFETY: setting a disposition to SIG_IGN runs no code of ours.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// Ends this process by a signal, whatever the runtime would do about it.
pub(super) fn die_of(signal: i32) {
    // SAFETY: the default disposition runs no code of ours, and no memory is involved.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Starts a process that outlives a careless host and gives its id.
///
/// `own`: in a session of its own; `deaf`: ignoring TERM, HUP and INT; `bare`: with an empty environment; `orphan`: with a
/// parent that has ended.
pub(super) fn leave_child(how: &[&str]) -> io::Result<u32> {
    let me = std::env::current_exe()?;
    if how.contains(&"orphan") {
        let rest = how.iter().filter(|word| **word != "orphan");
        let output =
            Command::new(me).arg("orphan").args(rest).stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
        return String::from_utf8_lossy(&output.stdout).trim().parse().map_err(io::Error::other);
    }
    let mut command = if how.contains(&"deaf") {
        let mut command = Command::new(me);
        command.arg("linger");
        command
    } else {
        let mut command = Command::new("sleep");
        command.arg("3600");
        command
    };
    if how.contains(&"bare") {
        command.env_clear();
    }
    if how.contains(&"quiet") {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    }
    if how.contains(&"own") {
        // SAFETY: setsid is async-signal-safe and touches no memory.
        unsafe { command.pre_exec(|| checked(libc::setsid())) };
    }
    Ok(command.spawn()?.id())
}

/// The process in between: starts the child, tells its id on stdout, and ends.
pub(super) fn leave_orphan(how: &[String]) -> io::Result<()> {
    let mut how: Vec<&str> = how.iter().map(String::as_str).collect();
    how.push("quiet");
    println!("{}", leave_child(&how)?);
    Ok(())
}

/// A process that ends by KILL only.
pub(super) fn linger() -> ExitCode {
    for signal in [libc::SIGTERM, libc::SIGHUP, libc::SIGINT] {
        ignore(signal);
    }
    loop {
        std::thread::park();
    }
}

fn checked(result: i32) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
