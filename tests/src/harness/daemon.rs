//! The real binary on a directory of its own.

use std::{
    ffi::OsString,
    fs::{self, File},
    ops::Deref,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Output, Stdio},
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::{
    agents::{Agent, agent},
    api::{Api, Call},
    journal, process,
    wait::{PATIENCE, until},
};

/// A daemon under test. Its API is called on it directly; dropping it kills it and what its agents left.
pub struct Drover {
    /// The directory around the data, projects, logs and the agents' state.
    pub dir: TempDir,
    /// How it was set up; used at every start.
    pub setup: Setup,
    /// What `daemon.json` says.
    pub info: Value,
    api: Api,
    child: Option<Child>,
}

/// How a daemon is started.
#[derive(Clone)]
pub struct Setup {
    /// What `agents.toml` holds.
    pub agents: Vec<Agent>,
    /// What `config.toml` holds.
    pub config: Option<String>,
    /// Variables beside PATH, HOME, LANG and SHELL.
    pub env: Vec<(OsString, OsString)>,
    /// The port; 0 is any free one.
    pub port: u16,
    /// The data directory, where it is not below [`Drover::dir`].
    pub data: Option<PathBuf>,
    /// A program in front, as a tracer, with its arguments.
    pub wrapper: Vec<OsString>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            agents: vec![agent("alpha"), agent("beta")],
            config: None,
            env: Vec::new(),
            port: 0,
            data: None,
            wrapper: Vec::new(),
        }
    }
}

impl Deref for Drover {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}

/// The binary under test: `DROVER_BIN`, or `drover` beside this program's own target.
///
/// # Panics
///
/// When there is none.
pub fn binary() -> PathBuf {
    let path = std::env::var_os("DROVER_BIN").map_or_else(|| beside_tests("drover"), PathBuf::from);
    assert!(path.is_file(), "{} is missing: `cargo build -p drover` first, or set DROVER_BIN", path.display());
    path
}

/// The scripted agent's program.
///
/// # Panics
///
/// When it was not built.
pub fn scripted_agent() -> PathBuf {
    let path = beside_tests("scripted-agent");
    assert!(path.is_file(), "{} is missing: `cargo build -p drover-tests` first", path.display());
    path
}

/// A program in the target directory: tests run from its `deps`, programs from itself.
fn beside_tests(name: &str) -> PathBuf {
    let me = std::env::current_exe().expect("this program has a path");
    let dir = me.parent().expect("a program is in a directory");
    let dir = if dir.ends_with("deps") { dir.parent().expect("deps has a parent") } else { dir };
    dir.join(name)
}

impl Drover {
    /// A daemon with agents `alpha` and `beta`.
    pub async fn start() -> Self {
        Self::start_with(Setup::default()).await
    }

    /// A daemon with these agents.
    pub async fn with_agents(agents: impl Into<Vec<Agent>>) -> Self {
        Self::start_with(Setup { agents: agents.into(), ..Setup::default() }).await
    }

    /// A daemon set up so.
    pub async fn start_with(setup: Setup) -> Self {
        let mut drover = Self::prepared(setup);
        drover.restart().await;
        drover
    }

    /// The directories and files of a daemon that was not started yet.
    ///
    /// # Panics
    ///
    /// When they cannot be made.
    pub fn prepared(setup: Setup) -> Self {
        let dir = tempfile::Builder::new().prefix("drover-it-").tempdir().expect("a temporary directory");
        let api = Api { port: 0, token: String::new() };
        let drover = Self { dir, setup, info: Value::Null, api, child: None };
        for name in ["home", "logs"] {
            fs::create_dir_all(drover.dir.path().join(name)).expect("a directory");
        }
        fs::create_dir_all(drover.data()).expect("a data directory");
        fs::set_permissions(drover.data(), fs::Permissions::from_mode(0o700)).expect("a private directory");
        drover.write_agents(&drover.setup.agents);
        if let Some(config) = &drover.setup.config {
            fs::write(drover.data().join("config.toml"), config).expect("config.toml");
        }
        drover
    }

    /// The data directory.
    pub fn data(&self) -> PathBuf {
        self.setup.data.clone().unwrap_or_else(|| self.dir.path().join("data"))
    }

    /// Replaces `agents.toml` in one step.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn write_agents(&self, agents: &[Agent]) {
        let text: String = agents.iter().map(|agent| agent.to_toml(self.dir.path())).collect();
        self.write_agents_toml(&text);
    }

    /// Replaces `agents.toml` with any text.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn write_agents_toml(&self, text: &str) {
        let draft = self.data().join("agents.new");
        fs::write(&draft, text).expect("agents.new");
        fs::rename(draft, self.data().join("agents.toml")).expect("agents.toml");
    }

    /// The command that starts the daemon, its output in `daemon.log`.
    ///
    /// # Panics
    ///
    /// When the log cannot be opened.
    pub fn command(&self) -> Command {
        let mut words = self.setup.wrapper.clone();
        words.push(binary().into());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(["serve", "--no-open", "--data-dir"]).arg(self.data());
        command.args(["--port", &self.setup.port.to_string()]);
        self.clean(&mut command);
        let log = File::options().append(true).create(true).open(self.log_path()).expect("daemon.log");
        command.stdin(Stdio::null()).stdout(log.try_clone().expect("a second handle")).stderr(log).kill_on_drop(true);
        ignore_file_size_signal(&mut command);
        command
    }

    /// A command of the same binary on the same data; gives what it printed.
    ///
    /// # Panics
    ///
    /// When it cannot be started or does not end in time.
    pub async fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(binary());
        command.args(args).arg("--data-dir").arg(self.data());
        self.clean(&mut command);
        command.stdin(Stdio::null()).kill_on_drop(true);
        tokio::time::timeout(PATIENCE, command.output()).await.expect("the command ends").expect("the command starts")
    }

    fn clean(&self, command: &mut Command) {
        command.env_clear().current_dir(self.dir.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.dir.path().join("home")).env("LANG", "C.UTF-8").env("SHELL", "/bin/sh");
        command.envs(self.setup.env.iter().map(|(name, value)| (name, value)));
    }

    /// Starts the daemon on the data that is there and waits until it is ready.
    ///
    /// # Panics
    ///
    /// When it exits or is not ready in time.
    pub async fn restart(&mut self) {
        assert!(self.child.is_none(), "the daemon runs already");
        let mut child = self.command().spawn().expect("the binary starts");
        let started = child.id().expect("a process id");
        let traced = !self.setup.wrapper.is_empty();
        let (info, api) = until("a daemon that is ready", PATIENCE, async || {
            if let Some(status) = child.try_wait().expect("a status") {
                panic!("the daemon exited, {status}: {}", self.log_tail());
            }
            let info: Value = serde_json::from_slice(&fs::read(self.data().join("daemon.json")).ok()?).ok()?;
            if !traced && info["pid"] != started {
                return None;
            }
            let port = info["port"].as_u64()?.try_into().ok()?;
            let token = fs::read_to_string(self.data().join("token")).ok()?.trim().to_owned();
            let api = Api { port, token };
            let health = api.try_call(Call::root("GET", "/healthz").without_token()).await.ok()?;
            (health.status == 200).then_some((info, api))
        })
        .await;
        (self.info, self.api, self.child) = (info, api, Some(child));
    }

    /// The daemon's process.
    ///
    /// # Panics
    ///
    /// When it does not run.
    pub fn pid(&self) -> u32 {
        self.info["pid"].as_u64().and_then(|pid| pid.try_into().ok()).expect("a process id in daemon.json")
    }

    /// Kills the daemon with signal 9 and waits until it is gone.
    ///
    /// # Panics
    ///
    /// When it does not run.
    pub async fn kill_nine(&mut self) {
        let mut child = self.child.take().expect("the daemon runs");
        child.kill().await.expect("the daemon is ours");
    }

    /// Ends the daemon with a signal and gives its exit status.
    ///
    /// # Panics
    ///
    /// When it does not end within 20 s.
    pub async fn end_with(&mut self, signal: i32) -> ExitStatus {
        process::signal(self.pid(), signal);
        self.exit_status().await
    }

    /// Waits for the daemon's end.
    ///
    /// # Panics
    ///
    /// When it does not come within 20 s.
    pub async fn exit_status(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("the daemon runs");
        let status = tokio::time::timeout(Duration::from_secs(20), child.wait()).await;
        status.expect("an end within 20 s").expect("a status")
    }

    /// Ends the daemon with SIGTERM, which must succeed.
    ///
    /// # Panics
    ///
    /// When it exits with anything but 0.
    pub async fn stop(&mut self) {
        let status = self.end_with(libc::SIGTERM).await;
        assert!(status.success(), "{status}: {}", self.log_tail());
    }

    /// A new project in a directory of this name; gives its id.
    pub async fn project(&self, name: &str) -> String {
        self.project_at(&self.subdir(name)).await
    }

    /// A directory below the test's own.
    ///
    /// # Panics
    ///
    /// When it cannot be made.
    pub fn subdir(&self, name: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::create_dir_all(&path).expect("a directory");
        path
    }

    /// An executable script below the test's own directory.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable");
        path
    }

    /// Where the daemon's output goes.
    pub fn log_path(&self) -> PathBuf {
        self.dir.path().join("daemon.log")
    }

    /// The end of the daemon's output.
    pub fn log_tail(&self) -> String {
        let log = String::from_utf8_lossy(&fs::read(self.log_path()).unwrap_or_default()).into_owned();
        log.chars().skip(log.chars().count().saturating_sub(3000)).collect()
    }

    /// A daemon that was started on this data by a command and still runs.
    fn detached(&self) -> Option<u32> {
        let info: Value = serde_json::from_slice(&fs::read(self.data().join("daemon.json")).ok()?).ok()?;
        let pid = info["pid"].as_u64()?.try_into().ok()?;
        process::command_line(pid).contains(&self.data().display().to_string()).then_some(pid)
    }

    /// The directory as text, for redaction.
    pub fn dir_text(&self) -> String {
        canonical(self.dir.path()).display().to_string()
    }
}

impl Drop for Drover {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the daemon's output\n{}\n---", self.log_tail());
        }
        if let Some(mut child) = self.child.take() {
            if !self.setup.wrapper.is_empty() {
                process::signal(self.pid(), libc::SIGKILL);
            }
            drop(child.start_kill());
        }
        if let Some(pid) = self.detached() {
            process::signal(pid, libc::SIGKILL);
        }
        for pid in journal::processes(self.dir.path()) {
            let command = process::command_line(pid);
            if command.contains("scripted-agent") || command.starts_with("sleep 3600") {
                process::signal(pid, libc::SIGKILL);
            }
        }
    }
}

/// So that a limit set later with `process::limit_file_size` is an error of the write, and not the end of the daemon.
fn ignore_file_size_signal(command: &mut Command) {
    let ignore = || {
        // SAFETY: signal is async-signal-safe and SIG_IGN runs no code of ours.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        Ok(())
    };
    // SAFETY: the closure allocates nothing and calls only what is safe between fork and exec.
    unsafe { command.pre_exec(ignore) };
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
