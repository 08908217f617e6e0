//! A store with much in it, written by SQL: through the API it would take hours.

use std::path::Path;

use sqlx::{ConnectOptions, Connection, Executor, SqliteConnection, sqlite::SqliteConnectOptions};

/// The tasks with a long and a short chat.
pub(crate) struct Seeded {
    pub(crate) long: String,
    pub(crate) short: String,
}

/// Messages of the long chat.
pub(crate) const LONG: u64 = 10_000;
const TASKS: u64 = 1_000;
const MESSAGES: u64 = 20_000;

/// Writes 1,000 tasks and 20,000 messages into the database of a daemon that does not run: one chat of 10,000, all others of ten
/// or eleven.
pub(crate) async fn seed(data: &Path) -> Seeded {
    let path = data.join("drover.db");
    let mut connection =
        SqliteConnectOptions::new().filename(path).connect().await.expect("the daemon made a database");
    connection.execute("begin immediate").await.expect("a transaction");
    let mut left = MESSAGES - LONG;
    for task in 0..TASKS {
        let rest = TASKS - task;
        let count = if task == 0 { LONG } else { left / rest / 2 * 2 };
        if task > 0 {
            left -= count;
        }
        insert_task(&mut connection, data, task).await;
        for ordinal in 1..=count {
            insert_message(&mut connection, task, ordinal).await;
        }
    }
    connection.execute("commit").await.expect("a commit");
    connection.execute("pragma wal_checkpoint(truncate)").await.expect("a checkpoint");
    connection.close().await.expect("closed");
    Seeded { long: id(1, 0, 0), short: id(1, 1, 0) }
}

/// An id that no clock gives: the kind of row, the task, the ordinal.
fn id(kind: u64, task: u64, ordinal: u64) -> String {
    format!("0{kind}{task:012}{ordinal:012}")
}

async fn insert_task(connection: &mut SqliteConnection, data: &Path, task: u64) {
    let at = time_of(task, 0);
    let insert = sqlx::query(
        "insert into tasks (id, title, title_source, cwd, created_at, updated_at, last_message_at, activity_at) \
         values (?1, ?2, 'prompt', ?3, ?4, ?4, ?4, ?4)",
    );
    let title = format!("Task {task} of the benchmark");
    let cwd = data.display().to_string();
    insert.bind(id(1, task, 0)).bind(title).bind(cwd).bind(at).execute(connection).await.expect("a task");
}

async fn insert_message(connection: &mut SqliteConnection, task: u64, ordinal: u64) {
    let is_user = ordinal % 2 == 1;
    let (role, origin, agent) = if is_user { ("user", "user", None) } else { ("assistant", "run", Some("alpha")) };
    let pair = ordinal.div_ceil(2);
    let (message, run) = (id(2, task, ordinal), id(3, task, pair));
    let at = time_of(task, ordinal);
    if is_user {
        let insert = sqlx::query(
            "insert into runs (id, task_id, agent, state, user_message_id, assistant_message_id, place, queued_at, started_at, ended_at, fence, sent) \
             values (?1, ?2, 'alpha', 'done', ?3, ?4, 0, ?5, ?5, ?5, ?6, 2)",
        );
        let insert = insert.bind(run.clone()).bind(id(1, task, 0)).bind(message.clone()).bind(id(2, task, ordinal + 1));
        insert.bind(at).bind(i64::try_from(pair).expect("small")).execute(&mut *connection).await.expect("a run");
    }
    let insert = sqlx::query(
        "insert into messages (id, task_id, ordinal, role, origin, agent, status, run_id, created_at, duration_ms, stop_reason) \
         values (?1, ?2, ?3, ?4, ?5, ?6, 'done', ?7, ?8, ?9, ?10)",
    );
    let insert = insert.bind(message.clone()).bind(id(1, task, 0)).bind(i64::try_from(ordinal).expect("small"));
    let insert = insert.bind(role).bind(origin).bind(agent).bind(run).bind(at);
    let ended = (!is_user).then_some(("end_turn", 1200_i64));
    let insert = insert.bind(ended.map(|(_, ms)| ms)).bind(ended.map(|(reason, _)| reason));
    insert.execute(&mut *connection).await.expect("a message");
    let text =
        format!("Message {ordinal}: {}", "some words of an ordinary length ".repeat(if is_user { 2 } else { 20 }));
    let insert = sqlx::query("insert into parts (message_id, idx, kind, body) values (?1, 0, 'text', ?2)");
    insert.bind(message).bind(text).execute(connection).await.expect("a part");
}

/// Milliseconds since 1970: a minute a message, an hour a task, from a fixed day.
fn time_of(task: u64, ordinal: u64) -> i64 {
    const FIRST_DAY: i64 = 1_750_000_000_000;
    FIRST_DAY + i64::try_from(task * 3_600_000 + ordinal * 60_000).expect("within this century")
}
