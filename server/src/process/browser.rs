//! Showing the page in the user's browser.
//!
//! A launch link holds a code, and arguments of processes can be read by everybody on the machine: the browser is given the name
//! of a file that only the user can read and that forwards to the link.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{platform, private};

/// Whether a browser on this screen makes sense.
pub(crate) fn is_here() -> bool {
    env::var_os("SSH_CONNECTION").is_none() && (platform::has_display() || env::var_os("BROWSER").is_some())
}

/// Opens a link, without waiting for the browser.
///
/// # Errors
/// Where the file cannot be written or no browser can be started.
pub(crate) fn open(link: &str, dir: &Path) -> io::Result<()> {
    let file = forwarding_file(link, dir)?;
    for program in programs() {
        let mut command = Command::new(&program);
        command.arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.spawn() {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::NotFound.into())
}

/// The programs to try, in order: those in `$BROWSER`, then the system's.
fn programs() -> Vec<OsString> {
    let own = env::var_os("BROWSER").unwrap_or_default();
    let own = own.to_string_lossy();
    let mut programs: Vec<OsString> = own
        .split(':')
        // One with arguments of its own wants a shell, which is not asked to see a link.
        .filter(|program| !program.is_empty() && !program.contains([' ', '%']))
        .map(OsString::from)
        .collect();
    programs.push(platform::OPENER.into());
    programs
}

/// One file for all launches: a later one replaces an earlier, whose code is used up or will be forgotten.
fn forwarding_file(link: &str, dir: &Path) -> io::Result<PathBuf> {
    let path = dir.join("open.html");
    private::replace(&path, forwarding_page(link).as_bytes())?;
    Ok(path)
}

/// Links are ours: an address with a code in hexadecimal.
fn forwarding_page(link: &str) -> String {
    format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0;url={link}\">\n<title>Drover</title>\n<a href=\"{link}\">Drover</a>\n"
    )
}

/// Removes the forwarding file once its code is of no use any more.
pub(crate) fn forget(dir: &Path) {
    // Mostly there is none.
    let _ = std::fs::remove_file(dir.join("open.html"));
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_file_forwards_and_is_private() {
        let dir = tempfile::tempdir().unwrap();
        let path = forwarding_file("http://localhost:7717/launch#abc", dir.path()).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(page.contains("content=\"0;url=http://localhost:7717/launch#abc\""), "{page}");
        forget(dir.path());
        assert!(!path.exists());
    }
}
