//! A keeper's signals. A terminal's are left to the daemon; the end of a child wakes the loop through a pipe.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
use nix::unistd::{pipe, read};

static WAKE: AtomicI32 = AtomicI32::new(-1);

/// Readable after the end of a child.
pub(super) struct ChildEnds {
    read: OwnedFd,
    _write: OwnedFd,
}

impl ChildEnds {
    /// Sets the handlers. Handlers, not `SIG_IGN`: that would be inherited by the agent.
    pub(super) fn watch() -> io::Result<Self> {
        let (reading, writing) = pipe()?;
        for end in [&reading, &writing] {
            fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        WAKE.store(writing.as_raw_fd(), Ordering::Relaxed);
        handle(Signal::SIGCHLD, wake)?;
        for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGQUIT] {
            handle(signal, pass)?;
        }
        Ok(Self { read: reading, _write: writing })
    }

    pub(super) fn descriptor(&self) -> &OwnedFd {
        &self.read
    }

    pub(super) fn drain(&self) {
        let mut bytes = [0; 64];
        while read(&self.read, &mut bytes).is_ok_and(|count| count == bytes.len()) {}
    }
}

fn handle(signal: Signal, with: extern "C" fn(libc::c_int)) -> nix::Result<()> {
    let action = SigAction::new(SigHandler::Handler(with), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: the handlers do nothing that is not allowed in a signal handler.
    unsafe { sigaction(signal, &action) }.map(drop)
}

extern "C" fn pass(_: libc::c_int) {}

extern "C" fn wake(_: libc::c_int) {
    // SAFETY: write is allowed in a handler; a full pipe wakes as well. The interrupted code must find its errno.
    unsafe {
        let errno = nix::errno::Errno::last_raw();
        libc::write(WAKE.load(Ordering::Relaxed), [0_u8].as_ptr().cast(), 1);
        nix::errno::Errno::set_raw(errno);
    }
}
