//! The table, on the screen and in the documents.

use std::{fmt::Write, fs, io, path::Path, process::Command, time::SystemTime};

/// One measured value and what it may be at most.
pub(crate) struct Figure {
    pub(crate) what: String,
    pub(crate) value: f64,
    /// In the same unit; none where it depends on the machine and is only told.
    pub(crate) limit: Option<f64>,
    pub(crate) unit: &'static str,
}

impl Figure {
    pub(crate) fn new(what: impl Into<String>, value: f64, limit: f64, unit: &'static str) -> Self {
        Self { what: what.into(), value, limit: Some(limit), unit }
    }

    /// The figure without its limit where that does not hold for this build.
    pub(crate) fn checked_if(mut self, checked: bool) -> Self {
        if !checked {
            self.limit = None;
        }
        self
    }

    pub(crate) fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.value > limit)
    }
}

pub(crate) fn table(figures: &[Figure]) -> String {
    let mut table = "| what | measured | at most |\n| --- | --- | --- |\n".to_owned();
    for Figure { what, value, limit, unit } in figures {
        let limit = limit.map_or_else(|| "not checked here".into(), |limit| format!("{} {unit}", shown(limit)));
        // Writing to a string cannot fail.
        let _ = writeln!(table, "| {what} | {} {unit} | {limit} |", shown(*value));
    }
    table
}

fn shown(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}

/// What follows this heading in the document is the page's, and written by its own benchmark.
const PAGE: &str = "\n## The page\n";

/// Puts the table into `docs/performance.md`, with the day and the machine.
pub(crate) fn write(table: &str) -> io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/performance.md");
    let before = fs::read_to_string(&path).unwrap_or_default();
    let page = before.find(PAGE).map_or("", |at| &before[at..]);
    let text = format!(
        "# Performance\n\nMeasured on the real binary with the scripted agent by `cargo run --release -p drover-tests --bin bench -- --write` \
         (after `cargo build --release`). CI runs the short form, which checks ratios and counts.\n\n{}, on {}:\n\n{table}{page}",
        today(),
        machine()
    );
    fs::write(path, text)
}

#[expect(clippy::disallowed_methods, reason = "the table tells the day it was measured")]
fn today() -> String {
    let now = time::OffsetDateTime::from(SystemTime::now());
    format!("{}-{:02}-{:02}", now.year(), u8::from(now.month()), now.day())
}

/// The processor, its cores and the system, as far as they can be told.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = named.map_or("an unnamed processor", |(_, name)| name);
    let system = Command::new("uname").arg("-sr").output().map(|output| output.stdout).unwrap_or_default();
    format!("{cores} cores of {name}, {}", String::from_utf8_lossy(&system).trim())
}

#[cfg(test)]
mod tests {
    use super::{Figure, table};

    #[test]
    fn a_figure_is_over_its_limit_only_where_it_has_one() {
        let over = Figure::new("a", 3.0, 2.0, "x");
        assert!(over.is_over());
        assert_eq!(table(&[over.checked_if(false)]).lines().last(), Some("| a | 3 x | not checked here |"));
        assert!(!Figure::new("a", 2.0, 2.0, "x").is_over());
    }
}
