//! Starts agents and looks at processes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use drover_acp::{Launch, LaunchError, Mark, Process, Transport, launch};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, BufReader};

pub fn me() -> PathBuf {
    std::env::current_exe().unwrap()
}

pub struct Agent {
    pub stdin: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    pub stdout: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    pub stderr: Box<dyn AsyncRead + Send + Unpin>,
    pub process: Process,
}

impl Agent {
    pub fn of(transport: Transport) -> Self {
        let Transport { stdin, stdout, stderr, process } = transport;
        Self { stdin: Some(stdin), stdout: BufReader::new(stdout), stderr, process }
    }

    pub async fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).await.unwrap();
        line
    }

    /// The process numbers that the agent says.
    pub async fn pids(&mut self) -> Vec<u32> {
        let line = self.line().await;
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    pub async fn all_output(&mut self) -> String {
        let mut output = String::new();
        self.stdout.read_to_string(&mut output).await.unwrap();
        output
    }
}

pub fn order(command: &Path, args: &[&str]) -> Launch {
    let env = [("PATH", "/usr/bin:/bin"), ("AGENT_TEST", "yes")];
    Launch {
        keeper: Launch::own_binary().unwrap(),
        keeper_args: vec!["keeper".into()],
        command: command.to_owned(),
        args: args.iter().map(OsString::from).collect(),
        env: env.map(|(name, value)| (name.into(), value.into())).to_vec(),
        cwd: std::env::temp_dir(),
        mark: Mark { owner: format!("test-{}", std::process::id()), run: "run".to_owned() },
    }
}

/// The test binary in another role, as an agent.
pub async fn start(words: &[&str]) -> Agent {
    Agent::of(launch(order(&me(), words)).await.unwrap())
}

pub async fn start_for(owner: &str, run: &str, words: &[&str]) -> Agent {
    let mark = Mark { owner: owner.to_owned(), run: run.to_owned() };
    Agent::of(launch(Launch { mark, ..order(&me(), words) }).await.unwrap())
}

pub async fn start_shell(script: &str) -> Agent {
    Agent::of(launch(order(Path::new("sh"), &["-c", script])).await.unwrap())
}

pub async fn failure(launch_order: Launch) -> LaunchError {
    launch(launch_order).await.unwrap_err()
}

/// Whether the process is in the table at all, if only as a zombie.
pub fn exists(pid: u32) -> bool {
    kill(Pid::from_raw(pid.try_into().unwrap()), None).is_ok()
}

pub fn send(pid: u32, signal: Signal) {
    kill(Pid::from_raw(pid.try_into().unwrap()), signal).unwrap();
}

pub fn still_there(pids: &[u32]) -> Vec<String> {
    let describe = |pid: &u32| {
        let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        format!("{pid} {}", command.replace('\0', " "))
    };
    pids.iter().filter(|pid| exists(**pid)).map(describe).collect()
}

/// Waits until none of the processes is left, zombies included.
pub async fn all_gone(pids: &[u32], within: Duration) {
    let until = Instant::now() + within;
    while !still_there(pids).is_empty() {
        assert!(Instant::now() < until, "left after {within:?}: {:?}", still_there(pids));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub fn assert_all_alive(pids: &[u32]) {
    assert_eq!(still_there(pids).len(), pids.len(), "{pids:?}");
}
