//! `docs/agents.md`: what was seen of each agent at which version, and when. Generated; read back as what is expected.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    CHECKS,
    pins::{Pin, pins},
};

/// What was seen of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The version.
    pub version: String,
    /// The day, as `2026-11-30`.
    pub date: String,
    /// What each check saw, by its title.
    pub cells: BTreeMap<String, String>,
}

/// The columns by the agent's id.
pub type Table = BTreeMap<String, Column>;

/// A cell of what was not driven.
const UNSEEN: &str = "not looked at";

/// Agents that the tests hold to their columns.
pub const HELD: [&str; 2] = ["claude", "codex"];

/// Where the table is.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/agents.md")
}

/// The table as it is on disk.
///
/// # Errors
///
/// Where the file cannot be read.
pub fn read() -> io::Result<Table> {
    Ok(parse(&fs::read_to_string(path())?))
}

/// Reads a table back.
pub fn parse(text: &str) -> Table {
    let mut table = Table::new();
    for pin in pins() {
        let row = rows(text).find(|row| row.first() == Some(&pin.name.as_str()) && row.len() == 4);
        if let Some([_, _, version, date]) = row.as_deref() {
            let column = Column { version: (*version).into(), date: (*date).into(), cells: BTreeMap::new() };
            table.insert(pin.id.clone(), column);
        }
    }
    for check in CHECKS {
        let row = rows(text).find(|row| row.first() == Some(&check.title)).unwrap_or_default();
        for (pin, cell) in pins().iter().zip(row.iter().skip(1)) {
            if let Some(column) = table.get_mut(&pin.id) {
                column.cells.insert(check.title.into(), (*cell).into());
            }
        }
    }
    table
}

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let inner = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    inner.map(|inner| inner.split(" | ").map(str::trim).collect())
}

/// The document.
pub fn render(table: &Table) -> String {
    let mut text = HEAD.to_owned();
    let column = |pin: &Pin| table.get(&pin.id).cloned().unwrap_or_default();
    for pin in pins() {
        let Column { version, date, .. } = column(pin);
        writeln!(text, "| {} | `{}` | {version} | {date} |", pin.name, pin.package).expect("a string takes it");
    }
    text.push_str("\n## What was seen\n\n|  |");
    pins().iter().for_each(|pin| write!(text, " {} |", pin.name).expect("a string takes it"));
    text.push_str("\n| --- |");
    text.push_str(&" --- |".repeat(pins().len()));
    text.push('\n');
    for check in CHECKS {
        write!(text, "| {} |", check.title).expect("a string takes it");
        for pin in pins() {
            let seen = column(pin).cells.get(check.title).cloned().unwrap_or_else(|| UNSEEN.into());
            write!(text, " {seen} |").expect("a string takes it");
        }
        text.push('\n');
    }
    text.push_str("\n## What Drover does\n\n| | |\n| --- | --- |\n");
    for check in CHECKS {
        writeln!(text, "| {} | {} |", check.title, check.drover).expect("a string takes it");
    }
    text
}

const HEAD: &str = "\
# Agents, as they were seen

Each agent was installed at this version, started in an empty home without a network, and driven by the daemon over HTTP
while a model of the tests played the model's part. This text is written by a program; the command is in
[tests/README.md](../tests/README.md). For Claude Code and Codex every run of `./test.sh` holds the product to it.

## Versions

| agent | package | version | seen on |
| --- | --- | --- | --- |
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_agents_and_the_versions_that_are_installed_agree() {
        let text = fs::read_to_string(path()).expect("docs/agents.md");
        let table = parse(&text);
        for pin in pins() {
            let column = table.get(&pin.id).expect("a column for every agent");
            assert_eq!(column.version, pin.version(), "{}: drive it again", pin.name);
            assert!(column.cells.len() == CHECKS.len(), "{}: {} cells", pin.name, column.cells.len());
            assert!(!column.cells.values().any(|cell| cell == UNSEEN), "{}: {column:?}", pin.name);
        }
        assert_eq!(render(&table), text, "it was written by hand, or the program has changed since");
    }
}
