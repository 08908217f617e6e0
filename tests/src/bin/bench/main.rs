//! The product's figures, measured on the real binary with the scripted agent.
//!
//! `bench` measures all and checks every limit; build it and `drover` with `--release`. `bench --short` is for CI: fewer turns, and
//! only ratios and counts are checked, since times and memory depend on the machine and the profile. `--write` puts the table with
//! the day and the machine into `docs/performance.md`.
//!
//! `bench --seed DIR` measures nothing: it fills the store in that data directory, whose daemon does not run, and prints the ids of
//! the long chat and of a short one. The page's benchmark (`web/bench`) begins with that.
#![expect(clippy::expect_used, reason = "a measurement that cannot be made ends the program")]

mod figures;
mod report;
mod seed;
mod wal;

use std::{path::Path, process::ExitCode};

use report::Figure;

/// How much is measured.
#[derive(Clone, Copy)]
struct Scale {
    short: bool,
    /// Starts that are timed.
    starts: usize,
    /// Turns that are streamed before the memory is looked at.
    turns: usize,
    /// Reads of a page that are timed.
    reads: usize,
    /// Seconds in which commits are counted.
    commit_seconds: u64,
}

const FULL: Scale = Scale { short: false, starts: 9, turns: 10_000, reads: 300, commit_seconds: 10 };
const SHORT: Scale = Scale { short: true, starts: 3, turns: 120, reads: 60, commit_seconds: 4 };

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, data] = args.as_slice()
        && flag == "--seed"
    {
        let seeded = seed::seed(Path::new(data)).await;
        println!("{} {}", seeded.long, seeded.short);
        return ExitCode::SUCCESS;
    }
    if let Some(unknown) = args.iter().find(|arg| !["--short", "--write"].contains(&arg.as_str())) {
        eprintln!("unknown argument {unknown}; known are --short, --write and --seed DIR");
        return ExitCode::FAILURE;
    }
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let figures = measure(if has("--short") { SHORT } else { FULL }).await;
    let table = report::table(&figures);
    print!("{table}");
    if has("--write")
        && let Err(error) = report::write(&table)
    {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    let over: Vec<&Figure> = figures.iter().filter(|figure| figure.is_over()).collect();
    for figure in &over {
        eprintln!("over its limit: {}", figure.what);
    }
    if over.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn measure(scale: Scale) -> Vec<Figure> {
    let mut all = vec![figures::initial_script().await];
    all.extend(figures::of_one_answer().await);
    all.push(figures::commits(scale).await);
    all.extend(figures::of_a_full_store(scale).await);
    all
}
