//! `doctor`: looks at everything that Drover needs. Opens nothing for writing and migrates nothing.

mod checks;

use std::process::ExitCode;

use serde::Serialize;

use super::CliError;
use super::output::say;
use crate::process::data_dir::DataDir;

/// What was looked at and how it is.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    detail: String,
    /// What to do about it.
    hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Ok,
    /// Something is missing that not everybody needs.
    Warning,
    /// Drover does not work so.
    Failed,
}

impl Check {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: State::Ok, detail: detail.into(), hint: None }
    }

    fn warning(name: &'static str, detail: impl Into<String>, hint: &str) -> Self {
        Self { name, state: State::Warning, detail: detail.into(), hint: Some(hint.to_owned()) }
    }

    fn failed(name: &'static str, detail: impl Into<String>, hint: &str) -> Self {
        Self { name, state: State::Failed, detail: detail.into(), hint: Some(hint.to_owned()) }
    }
}

pub(super) fn doctor(dir: &DataDir, json: bool) -> Result<ExitCode, CliError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let checks = runtime.block_on(checks::all(dir));
    runtime.shutdown_background();
    let failed = checks.iter().any(|check| check.state == State::Failed);
    if json {
        let told = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "data_dir": dir.path(),
            "checks": checks,
        });
        say(told)?;
    } else {
        for check in &checks {
            say(line(check))?;
        }
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn line(check: &Check) -> String {
    let mark = match check.state {
        State::Ok => "ok     ",
        State::Warning => "note   ",
        State::Failed => "FAILED ",
    };
    let mut line = format!("{mark}  {:<14}  {}", check.name, check.detail);
    for hint in check.hint.iter().flat_map(|hint| hint.lines()) {
        line.push_str(&format!("\n{:27}{hint}", ""));
    }
    line
}
