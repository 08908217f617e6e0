//! The cases. Each name is a sentence.

use std::future::Future;
use std::io::BufRead;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use drover_acp::{
    Body, CloseReason, Config, Exit, Launch, ProcessInfo, WriterState, descendants, launch, sweep_leftovers,
};
use nix::sys::signal::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::stage::{
    Agent, all_gone, assert_all_alive, exists, failure, me, order, send, start, start_for, start_shell, still_there,
};

type Case = fn() -> Pin<Box<dyn Future<Output = ()>>>;

macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        pub const ALL: &[(&str, Case)] = &[$((stringify!($name), || Box::pin($name()))),*];
    };
}

cases! {
    an_agent_ends_with_its_stdin,
    it_gets_exactly_its_environment_and_directory,
    it_holds_only_three_descriptors,
    each_failure_to_start_is_told_and_leaves_nothing,
    a_stubborn_tree_is_gone_after_stop,
    a_stubborn_tree_is_gone_after_kill,
    a_dropped_handle_ends_the_agent,
    a_crash_is_told_at_once_and_its_leftovers_go,
    a_terminals_signals_do_not_reach_the_agent,
    the_daemon_killed_takes_everything_with_it,
    the_keeper_killed_takes_everything_with_it,
    daemon_and_keeper_killed_are_swept_at_the_next_start,
    wrappers_leave_nothing_behind,
    an_output_held_open_does_not_delay_the_end,
    a_deaf_agent_that_floods_blocks_nothing,
    a_closed_stdin_ends_the_connection,
    a_closed_stdout_ends_the_connection,
    descendants_are_listed,
}

const SOON: Duration = Duration::from_secs(3);

async fn an_agent_ends_with_its_stdin() {
    let mut agent = start_shell("cat; echo bye").await;
    let (pid, keeper) = (agent.process.agent_pid(), agent.process.keeper_pid());
    agent.stdin.as_mut().unwrap().write_all(b"hello\n").await.unwrap();
    assert_eq!(agent.line().await, "hello\n");
    let asked = Instant::now();
    let exit = agent.process.clone().stop().await;
    assert_eq!(exit, Exit { code: Some(0), signal: None });
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(agent.all_output().await, "bye\n");
    assert!(!exists(pid) && !exists(keeper));
}

async fn it_gets_exactly_its_environment_and_directory() {
    let mut agent = start_shell("env -0 | sort -z | tr '\\0' '\\n'; pwd; tr '\\0' ' ' </proc/$PPID/cmdline").await;
    let owner = format!("test-{}", std::process::id());
    let output = agent.all_output().await;
    let lines: Vec<&str> = output.lines().filter(|line| !line.starts_with("_=")).collect();
    let [test, mark, path, pwd, cwd, keeper] = lines[..] else { panic!("{output}") };
    assert_eq!((test, path), ("AGENT_TEST=yes", "PATH=/usr/bin:/bin"));
    assert!(mark.starts_with(&format!("DROVER_AGENT_MARK={owner}:run:")), "{mark}");
    assert_eq!(pwd, format!("PWD={cwd}"));
    assert_eq!(Path::new(cwd), std::env::temp_dir());
    assert_eq!(keeper.trim_end(), "drover-keeper keeper", "others can read a command line");
}

async fn it_holds_only_three_descriptors() {
    let file = std::fs::File::open("/dev/null").unwrap();
    // SAFETY: makes a descriptor that, unlike the standard library's, is inherited.
    let inherited = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD, 20) };
    assert!(inherited >= 20);
    let mut agent = start(&["agent", "descriptors"]).await;
    assert_eq!(agent.line().await, "[0,1,2]\n");
}

async fn each_failure_to_start_is_told_and_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let here = |name: &str| place.path().join(name);
    std::fs::write(here("plain"), "text").unwrap();
    std::fs::write(here("no-interp"), "#!/usr/bin/env no-such-interpreter\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(here("no-interp"), mode).unwrap();
    let orders = [
        order(Path::new("no-such-agent"), &[]),
        order(&here("plain"), &[]),
        order(place.path(), &[]),
        order(&here("no-interp"), &[]),
        Launch { cwd: here("gone"), ..order(Path::new("sh"), &[]) },
        Launch { cwd: here("plain"), ..order(Path::new("sh"), &[]) },
        Launch { keeper: PathBuf::from("/no/such/keeper"), ..order(Path::new("sh"), &[]) },
        Launch { keeper: PathBuf::from("/bin/true"), ..order(Path::new("sh"), &[]) },
    ];
    let mut words = Vec::new();
    for order in orders {
        let asked = Instant::now();
        words.push(failure(order).await.to_string().replace(place.path().to_str().unwrap(), "<here>"));
        assert!(asked.elapsed() < Duration::from_secs(2), "{words:?}");
    }
    let keeper_ended = words.pop().unwrap();
    assert!(keeper_ended.starts_with("the keeper did not start the agent: "), "{keeper_ended}");
    let expected = [
        "no-such-agent was not found in PATH (/usr/bin:/bin)",
        "<here>/plain is not executable",
        "<here> is a directory, not a program",
        "<here>/no-interp needs no-such-interpreter, which was not found",
        "the directory <here>/gone does not exist",
        "<here>/plain is not a directory",
        "cannot start the keeper: No such file or directory (os error 2)",
    ];
    assert_eq!(words, expected);
}

async fn a_stubborn_tree_is_gone_after_stop() {
    let mut agent = start(&["agent", "tree", "stay"]).await;
    let mut pids = agent.pids().await;
    pids.push(agent.process.keeper_pid());
    assert_all_alive(&pids);
    let asked = Instant::now();
    let exit = agent.process.clone().stop().await;
    assert_eq!(still_there(&pids), [""; 0]);
    assert_eq!(exit.signal, Some(9));
    let took = asked.elapsed();
    assert!(took > Duration::from_secs(6) && took < Duration::from_secs(9), "{took:?}");
}

async fn a_stubborn_tree_is_gone_after_kill() {
    let mut agent = start(&["agent", "tree", "stay"]).await;
    let mut pids = agent.pids().await;
    pids.push(agent.process.keeper_pid());
    let asked = Instant::now();
    agent.process.kill();
    agent.process.gone().await;
    assert_eq!(still_there(&pids), [""; 0]);
    assert_eq!(agent.process.wait().await.to_string(), "killed by signal 9 (SIGKILL)");
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
}

async fn a_dropped_handle_ends_the_agent() {
    let mut agent = start(&["agent", "tree", "polite"]).await;
    let pids = agent.pids().await;
    drop(agent);
    all_gone(&pids, Duration::from_secs(10)).await;
}

async fn a_crash_is_told_at_once_and_its_leftovers_go() {
    let mut agent = start(&["agent", "tree", "crash"]).await;
    let pids = agent.pids().await;
    let exit = tokio::time::timeout(SOON, agent.process.wait()).await.unwrap();
    assert_eq!(exit.to_string(), "exit status 143");
    let mut stderr = String::new();
    tokio::time::timeout(Duration::from_secs(8), agent.process.gone()).await.unwrap();
    assert_eq!(still_there(&pids), [""; 0]);
    agent.stderr.read_to_string(&mut stderr).await.unwrap();
    assert_eq!(stderr, "fatal: no credits left\n");
}

async fn a_terminals_signals_do_not_reach_the_agent() {
    let mut agent = start_shell("read line; echo got $line").await;
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT] {
        send(agent.process.keeper_pid(), signal);
    }
    agent.stdin.as_mut().unwrap().write_all(b"it\n").await.unwrap();
    assert_eq!(agent.line().await, "got it\n");
    // A keeper's handlers are not inherited either.
    let mut agent = start_shell("kill -TERM $$; echo survived").await;
    assert_eq!(agent.process.wait().await.signal, Some(15));
}

/// A daemon in a process of its own, with an agent that has to be killed. The keeper's number comes first.
fn start_daemon(owner: &str) -> (std::process::Child, Vec<u32>) {
    let mut daemon =
        Command::new(me()).args(["daemon", owner, "old"]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (daemon, serde_json::from_str(&line).unwrap())
}

async fn the_daemon_killed_takes_everything_with_it() {
    let (mut daemon, pids) = start_daemon(&format!("killed-{}", std::process::id()));
    assert_all_alive(&pids);
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    all_gone(&pids, Duration::from_secs(10)).await;
}

async fn the_keeper_killed_takes_everything_with_it() {
    let mut agent = start(&["agent", "tree", "stay"]).await;
    let mut pids = agent.pids().await;
    // Neither parent nor mark: only the keeper could have known it.
    let untraceable = pids.pop().unwrap();
    send(agent.process.keeper_pid(), Signal::SIGKILL);
    tokio::time::timeout(SOON, agent.process.gone()).await.unwrap();
    all_gone(&pids, SOON).await;
    assert_eq!(agent.process.wait().await, Exit::UNSEEN);
    send(untraceable, Signal::SIGKILL);
}

async fn daemon_and_keeper_killed_are_swept_at_the_next_start() {
    let owner = format!("swept-{}", std::process::id());
    let (mut daemon, mut pids) = start_daemon(&owner);
    let untraceable = pids.pop().unwrap();
    let keeper = pids.remove(0);
    daemon.kill().unwrap();
    send(keeper, Signal::SIGKILL);
    daemon.wait().unwrap();
    let mut stranger = start_for(&format!("{owner}x"), "old", &["agent", "tree", "stay"]).await;
    let mut current = start_for(&owner, "new", &["agent", "tree", "stay"]).await;
    let (strangers, currents) = (stranger.pids().await, current.pids().await);
    assert_all_alive(&pids);

    let swept = tokio::task::spawn_blocking({
        let owner = owner.clone();
        move || sweep_leftovers(&owner, "new")
    });
    let swept = swept.await.unwrap();

    assert!(swept.count >= pids.len() && swept.left == 0, "{swept:?} of {pids:?}");
    all_gone(&pids, SOON).await;
    assert_all_alive(&strangers);
    assert_all_alive(&currents);
    assert_eq!(sweep_leftovers(&owner, "new").count, 0);
    send(untraceable, Signal::SIGKILL);
    for agent in [stranger, current] {
        agent.process.kill();
        agent.process.clone().gone().await;
    }
}

async fn wrappers_leave_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    let inner = place.path().join("inner.sh");
    let script = format!("echo $$; '{}' agent tree stay", me().display());
    std::fs::write(&inner, script).unwrap();
    let mut agent = start_shell(&format!("sh {} ; :", inner.display())).await;
    let mut pids = vec![agent.process.agent_pid(), agent.line().await.trim().parse().unwrap()];
    pids.extend(agent.pids().await);
    assert_all_alive(&pids);
    agent.process.clone().stop().await;
    assert_eq!(still_there(&pids), [""; 0]);
}

async fn an_output_held_open_does_not_delay_the_end() {
    let order = order(Path::new("sh"), &["-c", r#"echo '{"method":"m"}'; sleep 100 & exit 3"#]);
    let started = Instant::now();
    let (_connection, mut incoming, process) = launch(order).await.unwrap().connect(Config::default());
    let first = incoming.next().await.unwrap();
    assert!(matches!(&first.body, Body::Notification { method, .. } if method == "m"), "{first:?}");
    let last = incoming.next().await.unwrap();
    let Body::Closed { reason } = last.body else { panic!("{last:?}") };
    assert_eq!(reason, CloseReason::Exited(Exit { code: Some(3), signal: None }));
    assert!(incoming.next().await.is_none());
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    process.stop().await;
}

async fn a_deaf_agent_that_floods_blocks_nothing() {
    let config = Config { write_timeout: Duration::from_millis(200), ..Config::default() };
    let (connection, mut incoming, process) = launch(order(&me(), &["agent", "deaf"])).await.unwrap().connect(config);
    let big = "y".repeat(1_000_000);
    for _ in 0..50 {
        connection.request("session/prompt", &big).unwrap();
    }
    for _ in 0..20_000 {
        let frame = incoming.next().await.unwrap();
        assert!(matches!(frame.body, Body::Notification { .. }), "{frame:?}");
    }
    let stuck = async { connection.writer().wait_for(|state| *state == WriterState::Stuck).await.map(drop) };
    tokio::time::timeout(SOON, stuck).await.unwrap().unwrap();
    assert!(!connection.is_writable());
    process.kill();
    let mut failed = 0;
    while let Some(frame) = incoming.next().await {
        failed += usize::from(matches!(frame.body, Body::Response { outcome: Err(_), .. }));
    }
    assert_eq!(failed, 50);
}

async fn closed_because(script: &str) -> CloseReason {
    let order = order(Path::new("sh"), &["-c", script]);
    let (connection, mut incoming, process) = launch(order).await.unwrap().connect(Config::default());
    let told = async {
        while let Some(frame) = incoming.next().await {
            match frame.body {
                Body::Closed { reason } => return reason,
                // The agent's input is closed by now.
                Body::Notification { .. } => drop(connection.request("session/prompt", &"x")),
                other => assert!(matches!(other, Body::Response { outcome: Err(_), .. }), "{other:?}"),
            }
        }
        panic!("no end was told");
    };
    let reason = tokio::time::timeout(Duration::from_secs(5), told).await.unwrap();
    process.kill();
    reason
}

async fn a_closed_stdin_ends_the_connection() {
    let reason = closed_because(r#"exec <&-; echo '{"method":"now"}'; exec sleep 100"#).await;
    assert!(matches!(reason, CloseReason::StdinClosed(_)), "{reason:?}");
}

async fn a_closed_stdout_ends_the_connection() {
    let reason = closed_because("exec >&-; exec sleep 100").await;
    assert_eq!(reason, CloseReason::StdoutClosed);
}

async fn descendants_are_listed() {
    let mut agent = start_shell("sleep 1000 & echo ready; wait").await;
    agent.line().await;
    let commands = |below: &[ProcessInfo]| below.iter().map(|process| process.command.clone()).collect::<Vec<_>>();
    let expected = ["/usr/bin/sh -c sleep 1000 & echo ready; wait", "sleep 1000"];
    let until = Instant::now() + SOON;
    let mut below = descendants(agent.process.keeper_pid());
    // The shell's child is a copy of the shell for a moment.
    while commands(&below) != expected {
        assert!(Instant::now() < until, "{below:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
        below = descendants(agent.process.keeper_pid());
    }
    assert_eq!(below[0].pid, agent.process.agent_pid());
    assert!(below.iter().all(|process| process.started_at.elapsed().is_ok_and(|age| age < Duration::from_secs(60))));
    let Agent { process, .. } = agent;
    process.kill();
}
