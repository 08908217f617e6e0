//! Drives real agents against the fake model and writes down what was seen: `agents (--all | AGENT…) [CHECK… | handed_over] [--write]`.

#![expect(clippy::expect_used, reason = "a panic is how it fails")]

use std::process::ExitCode;

use drover_tests::real::{
    CHECKS, Check, Lab, PROFILES, Profile, Runner, handed_over, pin_of, profile,
    table::{self, Column},
};
use time::OffsetDateTime;

/// Those that a task passes through, one after the other and back, unless others are named.
const CHAIN: [&str; 4] = ["claude", "codex", "opencode", "gemini"];

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    let chosen: Vec<&'static Profile> = PROFILES.iter().filter(|agent| has("--all") || has(agent.id)).collect();
    if chosen.is_empty() {
        eprintln!(
            "agents (--all | AGENT…) [CHECK… | handed_over] [--write]; agents: {}",
            PROFILES.map(|agent| agent.id).join(", ")
        );
        return ExitCode::from(2);
    }
    let some = has("handed_over") || CHECKS.iter().any(|check| has(check.id));
    let checks: Vec<&Check> = CHECKS.iter().filter(|check| !some || has(check.id)).collect();
    // What it would say is told with the check that failed.
    std::panic::set_hook(Box::new(|_| {}));
    let lab = Lab::in_cache();
    let mut columns = Vec::new();
    let mut failures = Vec::new();
    for agent in chosen.iter().copied() {
        let (column, failed) = drive(&lab, agent, &checks).await;
        // An agent of which something failed keeps what the table says of it.
        if failed.is_empty() {
            columns.push((agent.id, column));
        }
        failures.extend(failed);
    }
    if has("handed_over") || has("--all") && !some {
        let chain = if has("--all") || chosen.len() < 2 { CHAIN.map(profile).to_vec() } else { chosen };
        chain.iter().for_each(|agent| lab.install(pin_of(agent.id)));
        let handed = handed_over(&lab, &chain).await;
        let title = "a task through all and back";
        println!("{title:28} {}", handed.as_ref().map_or_else(|why| format!("FAILED: {why}"), |()| "yes".into()));
        failures.extend(handed.err().map(|_| title.to_owned()));
    }
    if has("--write") {
        write(columns);
    }
    failures.iter().for_each(|failure| eprintln!("failed: {failure}"));
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Puts what was seen into the table; what was not looked at again stays as it was.
fn write(columns: Vec<(&str, Column)>) {
    let mut table = table::read().unwrap_or_default();
    for (id, column) in columns {
        let kept = table.insert(id.into(), column).unwrap_or_default();
        let cells = &mut table.entry(id.into()).or_default().cells;
        for (title, cell) in kept.cells {
            cells.entry(title).or_insert(cell);
        }
    }
    std::fs::write(table::path(), table::render(&table)).expect("the table can be written");
}

#[expect(clippy::disallowed_methods, reason = "the day of the run is what is written down")]
fn today() -> String {
    OffsetDateTime::now_utc().date().to_string()
}

/// What every check saw of an agent, and those that failed.
async fn drive(lab: &Lab, agent: &'static Profile, checks: &[&Check]) -> (Column, Vec<String>) {
    let pin = pin_of(agent.id);
    println!("== {} {}", pin.name, pin.version());
    lab.install(pin);
    let mut column = Column { version: pin.version().into(), date: today(), ..Column::default() };
    let mut failed = Vec::new();
    let mut runner = Runner::new(lab, agent);
    for check in checks {
        match runner.look(check).await {
            Ok(seen) => {
                println!("{:28} {seen}", check.title);
                column.cells.insert(check.title.into(), seen);
            }
            Err(why) => {
                println!("{:28} FAILED: {why}", check.title);
                failed.push(format!("{}: {}", pin.name, check.title));
            }
        }
    }
    runner.close().await;
    (column, failed)
}
