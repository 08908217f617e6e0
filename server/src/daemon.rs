//! The daemon: from a data directory to an address that answers, and back.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use axum::serve::ListenerExt;
use drover_store::{OpenError, OpenOptions, Store, StoreError};
use drover_supervisor::catalogue::Catalogue;
use drover_supervisor::config::{Config, ConfigError, LogLevel, Watched};
use drover_supervisor::env::Environments;
use drover_supervisor::{Clock, Ids, RandomIds, Setup, Supervisor, SystemClock};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::level_filters::LevelFilter;

use crate::cli::client;
use crate::process::data_dir::{DataDir, DataDirError};
use crate::process::info::DaemonInfo;
use crate::process::listen::{self, ListenError};
use crate::process::lock::DirLock;
use crate::process::{browser, log, platform, signals, token};
use crate::state::{AppState, Inner};
use crate::{guard, routes, secret, shell};

/// How long another daemon of the same directory may take to get ready, or to end.
const OTHER: Duration = Duration::from_secs(30);
/// How often it is looked whether it did.
const LOOK: Duration = Duration::from_millis(20);
/// How long open connections may take to end once the daemon stops.
const DRAIN: Duration = Duration::from_secs(3);
/// How often what is of no use any more is cleared away.
const UPKEEP: Duration = Duration::from_secs(300);

/// How to run.
#[derive(Debug)]
pub(crate) struct Options {
    /// Where the data is.
    pub(crate) dir: DataDir,
    /// The port; else the one in config.toml.
    pub(crate) port: Option<u16>,
    /// Whether stderr is a terminal's, or nobody reads it.
    pub(crate) background: bool,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It ran, and was stopped cleanly.
    Stopped,
    /// Another one runs on this directory.
    AlreadyRunning(DaemonInfo),
}

/// Why there is no daemon.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    #[error("{0}. Correct the file, or move it away to start with the defaults")]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database cannot be used: {0}. See `drover doctor`")]
    Store(#[from] StoreError),
    #[error("another daemon holds {0} but does not answer. End it, then start again: see `drover status`")]
    Deaf(String),
    #[error("the daemon cannot run: {0}")]
    Io(#[from] io::Error),
}

/// Runs until it is told to stop. `ready` is called once, when the address answers.
pub(crate) fn run(options: &Options, ready: impl FnOnce(&AppState, &DaemonInfo)) -> Result<Outcome, ServeError> {
    let dir = options.dir.prepare()?;
    let _lock = match take_lock(&dir)? {
        Lock::Ours(lock) => lock,
        Lock::Others(info) => return Ok(Outcome::AlreadyRunning(info)),
    };
    let config = Watched::new(dir.config(), Config::load)?;
    let settings = config.get();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let now = Arc::clone(&clock);
    log::start(&dir.log(), level(settings.log_level), !options.background, Arc::new(move || now.now()));
    let listeners = listen::bind(options.port.unwrap_or(settings.port))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(serve(dir, Arc::new(config), clock, listeners, ready))?;
    // Nothing waits for threads that still look at a slow disk.
    runtime.shutdown_background();
    Ok(Outcome::Stopped)
}

/// Who has the lock of the directory.
enum Lock {
    Ours(DirLock),
    Others(DaemonInfo),
}

/// Takes the lock, or finds who has it. One that is just starting or ending is waited for.
fn take_lock(dir: &DataDir) -> Result<Lock, ServeError> {
    let deadline = Instant::now() + OTHER;
    loop {
        if let Some(lock) = DirLock::take(&dir.lock())? {
            return Ok(Lock::Ours(lock));
        }
        let other = DaemonInfo::read(&dir.info());
        if let Some(info) = other.filter(|info| client::is_alive(info.port)) {
            return Ok(Lock::Others(info));
        }
        if Instant::now() > deadline {
            return Err(ServeError::Deaf(dir.path().display().to_string()));
        }
        thread::sleep(LOOK);
    }
}

async fn serve(
    dir: DataDir,
    config: Arc<Watched<Config>>,
    clock: Arc<dyn Clock>,
    listeners: Vec<TcpListener>,
    ready: impl FnOnce(&AppState, &DaemonInfo),
) -> Result<(), ServeError> {
    let stop = CancellationToken::new();
    signals::watch(stop.clone())?;
    let port = listeners.first().map_or(Ok(0), listen::port_of)?;
    let app = assemble(&dir, config, clock, port, stop.clone()).await?;
    let servers = TaskTracker::new();
    for listener in listeners {
        let listener = tokio::net::TcpListener::from_std(listener)?.tap_io(|stream| {
            // Events are small and must not wait for one another.
            let _ = stream.set_nodelay(true);
        });
        let server = axum::serve(listener, router(&app)).with_graceful_shutdown(stop.clone().cancelled_owned());
        servers.spawn(server.into_future());
    }
    servers.close();
    let info = info(&app);
    info.write(&dir.info())?;
    tracing::info!(url = info.url, data_dir = %dir.path().display(), "ready");
    ready(&app, &info);
    tokio::spawn(upkeep(app.clone()));
    stop.cancelled().await;
    let drained = async { tokio::time::timeout(DRAIN, servers.wait()).await.is_ok() };
    let (drained, ()) = tokio::join!(drained, app.supervisor.stop());
    tracing::info!(drained, "stopped");
    browser::forget(dir.path());
    let closed = app.store.close().await;
    info.remove(&dir.info())?;
    Ok(closed?)
}

async fn assemble(
    dir: &DataDir,
    config: Arc<Watched<Config>>,
    clock: Arc<dyn Clock>,
    port: u16,
    stop: CancellationToken,
) -> Result<AppState, ServeError> {
    let ids: Arc<dyn Ids> = Arc::new(RandomIds::default());
    let (settings, now) = (config.get(), clock.now());
    let store = Store::open(OpenOptions {
        data_dir: dir.path().to_owned(),
        fresh_instance_id: ids.fresh().to_string(),
        now,
        feed_days: settings.feed_days,
        feed_entries: settings.feed_entries,
        feed_bytes: settings.feed_bytes,
    })
    .await?;
    store.cap_blobs(settings.blob_bytes);
    let recovered = store.recover(now).await?;
    tracing::debug!(?recovered, "the store is open");
    let environments = Environments::of_this_process();
    let home = environments.home().to_owned();
    let watched = Arc::clone(&config);
    let supervisor = Supervisor::start(Setup {
        store: store.clone(),
        config: Arc::new(move || watched.get()),
        catalogue: Catalogue::new(dir.path(), &home, &platform::own_binary()?),
        environments,
        keeper: platform::own_binary()?,
        clock: Arc::clone(&clock),
        ids: Arc::clone(&ids),
    });
    let token_hash = secret::hash(&token::load_or_make(&dir.token())?);
    Ok(AppState::new(Inner {
        store,
        supervisor,
        config,
        clock,
        ids,
        dir: dir.clone(),
        home,
        gate: guard::Gate { port, token_hash },
        pairing: crate::pair::Pairing::default(),
        connections: crate::events::Connections::default(),
        creating: tokio::sync::Mutex::default(),
        started_at: now,
        stop,
    }))
}

/// All addresses. The guard stands in front of every one of the API.
pub(crate) fn router(app: &AppState) -> Router {
    let api = routes::api()
        .layer(from_fn(routes::to_the_end))
        .layer(from_fn_with_state(app.clone(), guard::api))
        .layer(from_fn(guard::headers));
    Router::new()
        .route("/healthz", get(async || "ok"))
        .fallback(shell::serve)
        .merge(api)
        .layer(from_fn_with_state(app.clone(), guard::host))
        .with_state(app.clone())
}

fn info(app: &AppState) -> DaemonInfo {
    DaemonInfo {
        pid: std::process::id(),
        port: app.gate.port,
        url: app.gate.url(),
        instance_id: app.store.instance_id().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: app.started_at,
    }
}

const fn level(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}

/// Clears away what is of no use any more, now and then.
async fn upkeep(app: AppState) {
    loop {
        tokio::select! {
            () = app.stop.cancelled() => return,
            () = tokio::time::sleep(UPKEEP) => {}
        }
        if !app.pairing.is_waiting(app.now()) {
            browser::forget(app.data_dir());
        }
        if let Err(problem) = routes::sweep(&app).await {
            tracing::warn!(?problem, "attachments were not swept");
        }
    }
}

#[cfg(test)]
mod tests;
