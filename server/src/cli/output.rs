//! What is said on the terminal.

use std::fmt::Display;
use std::io::{self, Write};

/// A line on stdout.
pub(super) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{line}")
}

/// What went wrong, on stderr.
pub(super) fn complain(error: impl Display) {
    // Nobody is left to be told.
    let _ = writeln!(io::stderr().lock(), "drover: {error}");
}
