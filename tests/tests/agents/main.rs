//! Claude Code and Codex as they are published, against the fake model: what `docs/agents.md` says of them holds.
//!
//! They take most of a gigabyte to install, so they run only when asked for: `./test.sh agents`. Then nothing is skipped: an
//! agent that cannot be installed is a failure.
#![expect(clippy::expect_used, reason = "a panic is how a test fails")]

use std::{
    process::ExitCode,
    sync::{Arc, LazyLock},
};

use drover_tests::real::{
    CHECKS, Check, Lab, Profile, Runner, handed_over, pin_of, profile,
    table::{self, HELD, Table},
};
use libtest_mimic::{Arguments, Trial};
use tokio::{runtime::Runtime, sync::Mutex};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let asked_for = arguments.ignored || arguments.include_ignored;
    // What it would say is told with the check that failed.
    std::panic::set_hook(Box::new(|_| {}));
    let lab = Lab::in_cache();
    if asked_for && !arguments.list {
        HELD.into_iter().for_each(|id| lab.install(pin_of(id)));
    }
    let expected = Arc::new(table::read().expect("docs/agents.md"));
    let runners = HELD.map(|id| (profile(id), Arc::new(Mutex::new(Some(Runner::new(&lab, profile(id)))))));
    // One of each in turn, so that two threads drive two agents.
    let mut trials: Vec<Trial> = CHECKS
        .iter()
        .flat_map(|check| {
            runners.iter().map(|(agent, runner)| trial(check, agent, runner, &expected)).collect::<Vec<_>>()
        })
        .collect();
    trials.push(Trial::test("handed_over", move || Ok(RUNTIME.block_on(handed_over(&lab, &HELD.map(profile)))?)));
    let trials = trials.into_iter().map(|trial| trial.with_ignored_flag(true)).collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    for (_, runner) in runners {
        let runner = RUNTIME.block_on(async { runner.lock().await.take() });
        if let Some(runner) = runner {
            RUNTIME.block_on(runner.close());
        }
    }
    conclusion.exit_code()
}

type Shared = Arc<Mutex<Option<Runner>>>;

fn trial(check: &'static Check, agent: &'static Profile, runner: &Shared, expected: &Arc<Table>) -> Trial {
    let (runner, expected) = (Arc::clone(runner), Arc::clone(expected));
    Trial::test(format!("{}::{}", agent.id, check.id), move || {
        let seen = RUNTIME.block_on(async {
            let mut runner = runner.lock().await;
            runner.as_mut().expect("it is closed when all is over").look(check).await
        })?;
        let written = expected.get(agent.id).and_then(|column| column.cells.get(check.title));
        match written {
            Some(written) if *written == seen => Ok(()),
            written => Err(format!("seen: {seen:?}; docs/agents.md says {written:?}").into()),
        }
    })
}
