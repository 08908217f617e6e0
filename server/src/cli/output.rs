//! What is said on the terminal.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// A line on stdout.
pub(super) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{line}")
}

/// What went wrong, on stderr.
pub(super) fn complain(error: impl Display) {
    // Nobody is left to be told.
    let _ = writeln!(io::stderr().lock(), "drover: {error}");
}

/// Asks a person; without one the answer is no. An empty answer is `default`.
pub(super) fn agrees(question: &str, default: bool) -> io::Result<bool> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Ok(false);
    }
    write!(io::stdout().lock(), "{question} {} ", if default { "[Y/n]" } else { "[y/N]" })?;
    io::stdout().flush()?;
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer)?;
    Ok(match answer.trim() {
        "" => read > 0 && default,
        answer => matches!(answer, "y" | "Y" | "yes"),
    })
}
