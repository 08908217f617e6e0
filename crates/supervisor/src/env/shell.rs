//! Which shell the user has, and how it is asked to run a command as a login shell that thinks it is interactive.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use nix::unistd::{Uid, User};

use super::Vars;
use super::path::is_executable;

/// Accounts that must not log in have one of these.
const NOT_SHELLS: &[&str] = &["false", "true", "nologin"];

/// The user's shell: `SHELL`, else the one of the password database; `None` where neither can be run.
pub(super) fn of_user(vars: &Vars) -> Option<PathBuf> {
    let named = vars.get(OsStr::new("SHELL")).map(PathBuf::from);
    named.into_iter().chain(account().map(|user| user.shell)).find(|shell| is_usable(shell))
}

/// This user's entry of the password database.
pub(super) fn account() -> Option<User> {
    User::from_uid(Uid::current()).ok().flatten()
}

fn is_usable(shell: &Path) -> bool {
    let refused = NOT_SHELLS.iter().any(|name| shell.file_name() == Some(OsStr::new(name)));
    shell.is_absolute() && !refused && shell.is_file() && is_executable(shell)
}

/// How one kind of shell is called.
pub(super) struct Call {
    /// The zeroth argument, where it must be another than the shell's path.
    pub(super) arg0: Option<OsString>,
    /// The arguments.
    pub(super) args: Vec<OsString>,
}

/// The call that makes `shell` read its start-up files and run `command`, in which only single quotes are special.
pub(super) fn call(shell: &Path, command: &str) -> Call {
    let name = shell.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let (arg0, args): (Option<String>, &[&str]) = match name {
        // These take `-l` only as their sole argument, and are login shells when their name begins with a dash.
        "csh" | "tcsh" => (Some(format!("-{name}")), &["-i", "-c"]),
        "pwsh" => (None, &["-Login", "-Command"]),
        _ => (None, &["-l", "-i", "-c"]),
    };
    let command = if name == "nu" { format!("^{command}") } else { command.to_owned() };
    let args = args.iter().map(OsString::from).chain([command.into()]).collect();
    Call { arg0: arg0.map(OsString::from), args }
}
