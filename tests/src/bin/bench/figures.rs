//! How each figure is measured.

use std::{
    fs,
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use drover_tests::harness::{Call, Drover, Setup, Stream, agent, message_text, process, until};
use flate2::{Compression, write::GzEncoder};
use sqlx::{ConnectOptions, Connection, Executor, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{Scale, report::Figure, seed, wal::Wal};

const MEGABYTE: f64 = 1_000_000.0;
/// The answer of the figures: 200 KB in 4,000 chunks.
const ANSWER: usize = 200_000;
const PACED: &str = "!stream 4000 50 10000";
const BURST: &str = "!burst 4000 50";
const PATIENCE: Duration = Duration::from_secs(120);

/// Start, memory and pages, on 1,000 tasks and 20,000 messages.
pub(crate) async fn of_a_full_store(scale: Scale) -> Vec<Figure> {
    let mut drover = Drover::start().await;
    drover.stop().await;
    let seeded = seed::seed(&drover.data()).await;
    let mut starts = Vec::new();
    for _ in 0..scale.starts {
        starts.push(time_to_ready(&drover).await);
    }
    drover.restart().await;
    let idle = settled_memory(&drover).await;
    let (long, short) = pages(&drover, &seeded, scale.reads).await;
    turns(&drover, scale.turns).await;
    let after = settled_memory(&drover).await;
    drover.stop().await;
    vec![
        Figure::new("from exec to ready, 1,000 tasks and 20,000 messages stored (median)", median(starts), 60.0, "ms")
            .checked_if(!scale.short),
        Figure::new("resident memory idle on it", idle / MEGABYTE, 25.0, "MB").checked_if(!scale.short),
        Figure::new(format!("resident memory after {} streamed turns", scale.turns), after / MEGABYTE, 50.0, "MB")
            .checked_if(!scale.short),
        Figure::new(
            format!("newest ten messages of a chat of {} against a chat of ten (medians)", seed::LONG),
            long / short,
            2.0,
            "×",
        ),
    ]
}

/// Milliseconds from the start of the process until `daemon.json` is there, looked for twice a millisecond.
async fn time_to_ready(drover: &Drover) -> f64 {
    let file = drover.data().join("daemon.json");
    let mut command = drover.command();
    let begin = Instant::now();
    let mut child = command.spawn().expect("the binary starts");
    while !file.exists() {
        assert!(begin.elapsed() < PATIENCE, "the daemon is not ready");
        std::thread::sleep(Duration::from_micros(500));
    }
    let time = begin.elapsed().as_secs_f64() * 1000.0;
    process::signal(child.id().expect("it runs"), libc::SIGTERM);
    child.wait().await.expect("an end");
    time
}

/// The daemon's resident memory in bytes once it has stopped changing by more than 1 % in half a second.
async fn settled_memory(drover: &Drover) -> f64 {
    let mut last = 0.0;
    until("memory that stays", PATIENCE, async || {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = process::resident(drover.pid()) as f64;
        let settled = (now - last).abs() < now * 0.01;
        last = now;
        settled.then_some(now)
    })
    .await
}

/// Median microseconds for the newest ten messages of the long and of the short chat, asked for in turns.
async fn pages(drover: &Drover, seeded: &seed::Seeded, reads: usize) -> (f64, f64) {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..reads {
        for (task, times) in [&seeded.long, &seeded.short].into_iter().zip(&mut times) {
            let begin = Instant::now();
            let page = drover.get(&format!("/tasks/{task}/chat?limit=10")).await;
            times.push(begin.elapsed().as_secs_f64() * 1e6);
            assert!(page.status == 200 && page.body.len() > 2000, "{page}");
        }
    }
    let [long, short] = times;
    (median(long), median(short))
}

/// Streams so many turns, in six tasks at a time.
async fn turns(drover: &Drover, count: usize) {
    const AT_A_TIME: usize = 6;
    const BETWEEN_STREAMS: usize = 50;
    let workers: Vec<_> = (0..AT_A_TIME)
        .map(|_| {
            let api = (**drover).clone();
            tokio::spawn(async move {
                let task = api.task().await;
                let mut stream: Option<Stream> = None;
                for number in 0..count.div_ceil(AT_A_TIME) {
                    if number % BETWEEN_STREAMS == 0 || stream.is_none() {
                        let follow = drover_tests::harness::Follow { tasks: vec![task.clone()], ..Default::default() };
                        let fresh = api.follow_with(follow).await;
                        fresh.until("hello", |event| event.kind == "hello").await;
                        stream = Some(fresh);
                    }
                    let sent = api.send(&task, "!burst 20 40").await;
                    if let Some(stream) = &stream {
                        stream.until_done_within(&sent.assistant_message_id, PATIENCE).await;
                    }
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.expect("every turn ends");
    }
}

/// Bytes of events, and of database and log, for one answer.
pub(crate) async fn of_one_answer() -> Vec<Figure> {
    let (events, paced) = bytes_of(PACED).await;
    let (_, burst) = bytes_of(BURST).await;
    let text = ANSWER as f64;
    vec![
        Figure::new("event bytes for 200 KB in 4,000 chunks over 10 s", events / text, 1.5, "× the text"),
        Figure::new("database and WAL bytes for it, paced", paced / MEGABYTE, 4.0, "MB"),
        Figure::new("database and WAL bytes for it, in one burst", burst / text, 6.0, "× the text"),
    ]
}

/// Bytes of events after the send, and by how much the files grew on a fresh database. A reader's transaction keeps the log from
/// starting anew, so that all that was written is there to be counted.
async fn bytes_of(script: &str) -> (f64, f64) {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    let warm = drover.send(&task, "!text warm").await;
    drover.ended(&task, &warm.assistant_message_id).await;
    let database = drover.data().join("drover.db");
    let stream = drover.follow_now().await;
    stream.until("hello", |event| event.kind == "hello").await;
    let reader = held_open(&database).await;
    let (before, bytes_before) = (files(&database), stream.bytes());
    let sent = drover.send(&task, script).await;
    stream.until_done_within(&sent.assistant_message_id, PATIENCE).await;
    let grown = files(&database) - before;
    reader.close().await.expect("closed");
    let text = message_text(&drover.message(&task, &sent.assistant_message_id).await);
    assert_eq!(text.len(), ANSWER, "the answer is whole");
    let events = (stream.bytes() - bytes_before) as f64;
    drover.stop().await;
    (events, grown as f64)
}

/// A connection with a read transaction: what is written from now on stays in the log.
async fn held_open(database: &Path) -> SqliteConnection {
    let mut reader = SqliteConnectOptions::new().filename(database).connect().await.expect("the database opens");
    reader.execute("begin").await.expect("a transaction");
    reader.fetch_one("select count(*) from tasks").await.expect("a read");
    reader
}

fn files(database: &Path) -> u64 {
    let wal = database.with_extension("db-wal");
    [database, &wal].into_iter().filter_map(|path| Some(fs::metadata(path).ok()?.len())).sum()
}

/// Commits a second while text streams in a dozen tasks. A reader's transaction keeps the log from starting anew meanwhile.
pub(crate) async fn commits(scale: Scale) -> Figure {
    const TASKS: usize = 12;
    let setup = Setup {
        agents: vec![agent("alpha")],
        config: Some(format!("max_active_runs = {TASKS}\n")),
        ..Setup::default()
    };
    let mut drover = Drover::start_with(setup).await;
    let stream = drover.follow_now().await;
    for _ in 0..TASKS {
        let task = drover.task().await;
        let sent = drover.send(&task, "!stream 100000 20 300000").await;
        stream
            .until("text of it", |event| {
                event.kind == "part.append" && event.data["message_id"] == sent.assistant_message_id.as_str()
            })
            .await;
    }
    let database = drover.data().join("drover.db");
    let _reader = held_open(&database).await;
    let (begin, before) = (Instant::now(), Wal::read(&database).expect("a log"));
    tokio::time::sleep(Duration::from_secs(scale.commit_seconds)).await;
    let (after, seconds) = (Wal::read(&database).expect("a log"), begin.elapsed().as_secs_f64());
    assert!(after.frames > before.frames, "the log went on");
    drover.kill_nine().await;
    let value = (after.commits - before.commits) as f64 / seconds;
    Figure::new(format!("commits a second while text streams in {TASKS} tasks"), value, 31.0, "/s")
}

/// The scripts that the shell loads at once, compressed.
pub(crate) async fn initial_script() -> Figure {
    let drover = Drover::start().await;
    let host = format!("localhost:{}", drover.port);
    let get =
        async |path: &str| drover.call(Call::root("GET", path).without_token().header("host", host.clone())).await;
    let shell = String::from_utf8_lossy(&get("/").await.body).into_owned();
    let paths: Vec<&str> = shell.split('"').filter(|text| text.starts_with('/') && text.ends_with(".js")).collect();
    assert!(!paths.is_empty(), "the shell names no script: was the page built?");
    let mut bytes = 0;
    for path in paths {
        let script = get(path).await;
        assert_eq!(script.status, 200, "{script}");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&script.body).expect("memory");
        bytes += encoder.finish().expect("memory").len();
    }
    Figure::new("initial script of the page, gzip", bytes as f64 / 1000.0, 190.0, "KB")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
