//! What the test binary does when it is not the test.

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::thread::park;

use nix::sys::signal::{SigHandler, Signal, signal};
use nix::unistd::setsid;

use crate::stage;

pub fn play(words: &[String]) -> Option<ExitCode> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["keeper"] => return Some(drover_acp::keeper_main()),
        ["stubborn"] => stubborn(),
        ["agent", "tree", manner] => tree(manner),
        ["agent", "descriptors"] => descriptors(),
        ["agent", "deaf"] => deaf(),
        ["daemon", owner, run] => daemon(owner, run),
        _ => return None,
    }
    Some(ExitCode::SUCCESS)
}

fn ignore_polite_signals() {
    for ignored in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        // SAFETY: ignoring installs no handler.
        unsafe { signal(ignored, SigHandler::SigIgn) }.unwrap();
    }
}

fn sleep_for_ever() -> ! {
    loop {
        park();
    }
}

/// A command as agents start them: in a session of its own, and not to be ended kindly.
fn stubborn() {
    ignore_polite_signals();
    setsid().unwrap();
    println!("ready");
    io::stdout().flush().unwrap();
    sleep_for_ever();
}

/// Starts a stubborn process and waits until it is one; `detached` ones lose their parent at once.
fn leave_behind(detached: bool, with_environment: bool) -> u32 {
    let mut command = match detached {
        false => Command::new(stage::me()),
        true => {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", r#""$0" "$1" & echo $!"#]).arg(stage::me());
            shell
        }
    };
    if !with_environment {
        command.env_clear();
    }
    let mut child = command.arg("stubborn").stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = io::BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said: Vec<String> = lines.by_ref().take(if detached { 2 } else { 1 }).map(Result::unwrap).collect();
    said.retain(|line| line != "ready");
    match said.first() {
        None => child.id(),
        Some(pid) => {
            child.wait().unwrap();
            pid.parse().unwrap()
        }
    }
}

/// An agent with commands of every kind. Says all process numbers on one line, the last that of a command without
/// environment or parent. `polite` ends with its stdin, `crash` at once with status 143, `stay` never.
fn tree(manner: &str) {
    if manner == "stay" {
        ignore_polite_signals();
    }
    let mut pids = vec![std::process::id()];
    for (detached, with_environment) in [(false, true), (false, false), (true, true), (true, false)] {
        pids.push(leave_behind(detached, with_environment));
    }
    println!("{}", serde_json::to_string(&pids).unwrap());
    io::stdout().flush().unwrap();
    match manner {
        "crash" => {
            eprintln!("fatal: no credits left");
            std::process::exit(143);
        }
        "polite" => drop(io::stdin().read_to_end(&mut Vec::new())),
        _ => sleep_for_ever(),
    }
}

/// Says which descriptors are open.
fn descriptors() {
    let listed: Vec<i32> = fs::read_dir("/dev/fd")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok())
        .collect();
    // SAFETY: asks for flags only.
    let open: Vec<i32> = listed.into_iter().filter(|fd| unsafe { libc::fcntl(*fd, libc::F_GETFD) } >= 0).collect();
    println!("{}", serde_json::to_string(&open).unwrap());
}

/// Reads nothing and says much.
fn deaf() {
    ignore_polite_signals();
    let line = format!("{}\n", serde_json::json!({"method": "flood", "params": "x".repeat(1000)}));
    for _ in 0..20_000 {
        io::stdout().write_all(line.as_bytes()).unwrap();
    }
    sleep_for_ever();
}

/// A daemon with one agent; says its keeper's number and the tree's, then waits to be killed.
fn daemon(owner: &str, run: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut agent = stage::start_for(owner, run, &["agent", "tree", "stay"]).await;
        let mut pids = vec![agent.process.keeper_pid()];
        pids.extend(agent.pids().await);
        println!("{}", serde_json::to_string(&pids).unwrap());
        std::future::pending::<()>().await;
    });
}
