//! What is wrong with a machine, a file or an agent is told, with what to do, and loses nothing.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Output, time::Duration};

use drover_tests::harness::{Drover, Mount, PATIENCE, Setup, agent, message_text, until};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, Connection, Executor, Row, sqlite::SqliteConnectOptions};

async fn refused(drover: &Drover) -> String {
    let output = drover.run(&["serve", "--port", "0", "--no-open"]).await;
    told(&output, false)
}

fn told(output: &Output, success: bool) -> String {
    assert_eq!(output.status.success(), success, "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("panicked at"), "{text}");
    text
}

fn error_of(message: &Value) -> String {
    let parts = message["parts"].as_array().expect("parts");
    parts.iter().filter(|part| part["type"] == "error").map(Value::to_string).collect()
}

#[tokio::test]
async fn a_directory_that_is_gone_a_file_and_a_relative_path_are_no_project() {
    let drover = Drover::start().await;
    let file = drover.script("a-file", "x");
    for path in [drover.dir.path().join("nowhere"), file] {
        let problem = drover.post("/projects", &json!({"path": path})).await.problem(422);
        assert_eq!(problem["errors"][0]["field"], "path", "{problem}");
    }
    let id = drover.project("there").await;
    let again =
        drover.post("/projects", &json!({"path": drover.subdir("there").join("../there/.")})).await.problem(409);
    assert_eq!(again["project_id"], id.as_str(), "one directory is one project, however it is written");
}

#[tokio::test]
async fn a_project_whose_directory_vanishes_says_so_and_works_again_when_it_is_back() {
    let drover = Drover::start().await;
    let project = drover.project("there").await;
    let task = drover.task_in(&project).await;
    let (here, away) = (drover.dir.path().join("there"), drover.dir.path().join("away"));
    fs::rename(&here, &away).expect("a rename");
    let message = drover.turn_ending(&task, "hi", "error").await;
    assert!(
        error_of(&message).contains(&here.canonicalize().unwrap_or(here.clone()).display().to_string()),
        "{message}"
    );
    let projects = drover.get("/projects").await.is(200);
    assert_eq!(projects["projects"][0]["missing"], true);
    fs::rename(&away, &here).expect("a rename");
    assert_eq!(message_text(&drover.turn(&task, "!text back").await), "back");
}

#[tokio::test]
async fn an_agent_that_cannot_be_started_says_which_and_why_within_seconds() {
    let mut drover = Drover::prepared(Setup::default());
    let interpreter = drover.script("script", "#!/no/such/interpreter\n");
    let plain = drover.script("plain", "#!/bin/sh\nexit 0\n");
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o644)).expect("a mode");
    let blank = drover.subdir("with blank").join("my agent");
    fs::copy(drover_tests::harness::scripted_agent(), &blank).expect("a copy");
    let directory = drover.subdir("directory");
    drover.setup.agents = vec![
        agent("alpha"),
        agent("ghost").command("/no/such/program", &[]),
        agent("bare").command("no-such-agent-anywhere", &[]),
        agent("plain").command(&plain, &[]),
        agent("dir").command(&directory, &[]),
        agent("script").command(&interpreter, &[]),
        agent("dies").command("/bin/sh", &["-c", "echo out of luck >&2; exit 7"]),
        agent("garbage").command("/bin/sh", &["-c", "yes garbage | head -n 1000; exit 0"]),
        agent("blank").command(&blank, &[]),
    ];
    drover.write_agents(&drover.setup.agents);
    drover.restart().await;
    let cases = [
        ("ghost", "/no/such/program"),
        ("bare", "no-such-agent-anywhere"),
        ("plain", "executable"),
        ("dir", "directory"),
        ("script", "/no/such/interpreter"),
        ("dies", "out of luck"),
        ("garbage", "0"),
    ];
    let task = drover.task().await;
    for (name, words) in cases {
        let asked = std::time::Instant::now();
        let sent = drover.send_to(&task, name, "hi").await;
        let message = drover.ended(&task, &sent.assistant_message_id).await;
        assert!(asked.elapsed() < Duration::from_secs(5), "{name} takes {:?}", asked.elapsed());
        assert!(message["status"] == "error" && error_of(&message).contains(words), "{name}: {message}");
        let log = fs::read_to_string(drover.log_path()).expect("the log");
        let line = log.lines().find(|line| line.contains("an agent failed") && line.contains(name));
        assert!(line.is_some_and(|line| line.contains(words)), "{name}: {line:?}");
    }
    for name in ["blank", "alpha"] {
        let sent = drover.send_to(&task, name, "!text fine").await;
        assert_eq!(message_text(&drover.ended(&task, &sent.assistant_message_id).await), "fine", "{name}");
    }
}

#[tokio::test]
async fn an_agent_that_dies_at_every_start_is_started_once_each_time_somebody_asks_and_never_by_itself() {
    let mut drover = Drover::prepared(Setup::default());
    let starts = drover.dir.path().join("starts");
    let program = drover.script("dies", &format!("#!/bin/sh\necho start >> '{}'\nexit 7\n", starts.display()));
    drover.setup.agents = vec![agent("alpha"), agent("dies").command(&program, &[])];
    drover.write_agents(&drover.setup.agents);
    drover.restart().await;
    let count = || fs::read_to_string(&starts).unwrap_or_default().lines().count();
    let task = drover.task().await;
    let first = drover.send_to(&task, "dies", "one").await;
    let second = drover.send_to(&task, "dies", "two").await;
    let third = drover.send_to(&task, "dies", "three").await;
    assert_eq!(drover.ended(&task, &first.assistant_message_id).await["status"], "error");
    // A turn elsewhere takes longer than another start would.
    let other = drover.task().await;
    drover.turn(&other, "!text fine").await;
    assert_eq!((count(), drover.get(&format!("/tasks/{task}")).await.is(200)["queue_held"].clone()), (1, json!(true)));
    drover.kill_nine().await;
    drover.restart().await;
    drover.turn(&other, "!text still fine").await;
    assert_eq!(count(), 1, "a daemon that starts asks nothing of it");
    for (starts, sent) in [(2, second), (3, third)] {
        drover.post(&format!("/tasks/{task}/queue/resume"), &json!({})).await.ok();
        assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["status"], "error");
        assert_eq!(count(), starts, "one for each time the user goes on");
    }
}

#[tokio::test]
async fn a_port_in_use_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let drover = Drover::prepared(Setup::default());
    let text = told(&drover.run(&["serve", "--no-open", "--port", &port]).await, false);
    assert!(text.contains(&port) && text.contains("use"), "{text}");
    assert!(!drover.data().join("daemon.json").exists());
}

#[tokio::test]
async fn a_data_directory_that_cannot_be_written_is_named() {
    let drover = Drover::prepared(Setup::default());
    let _read_only = Mount::read_only(&drover.data());
    let text = refused(&drover).await;
    assert!(text.contains(&drover.data().display().to_string()), "{text}");
    assert!(text.contains("ead-only") || text.contains("ermission") || text.contains("writ"), "{text}");
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_with_both_versions_and_left_as_it_is() {
    let mut drover = Drover::start().await;
    drover.turn(&drover.task().await, "!text x").await;
    drover.stop().await;
    let database = drover.data().join("drover.db");
    let mark = raise_schema_mark(&database).await;
    let before = fs::read(&database).expect("the file");
    let text = refused(&drover).await;
    assert!(
        text.contains(&mark.to_string()) && text.contains(&(mark - 1).to_string()),
        "both versions are named: {text}"
    );
    assert!(before == fs::read(&database).expect("the file"), "the file is untouched");
}

/// Marks the schema as one version newer than it is and gives that version.
async fn raise_schema_mark(database: &Path) -> i64 {
    let mut connection = SqliteConnectOptions::new().filename(database).connect().await.expect("a database");
    let version: i64 = connection.fetch_one("pragma user_version").await.expect("a mark").get(0);
    let raise = format!("pragma user_version = {}", version + 1);
    connection.execute(sqlx::AssertSqlSafe(raise)).await.expect("a mark");
    connection.execute("pragma wal_checkpoint(truncate)").await.expect("a checkpoint");
    connection.close().await.expect("closed");
    version + 1
}

#[tokio::test]
async fn a_damaged_database_is_refused_and_not_overwritten_and_an_empty_file_is_new() {
    let drover = Drover::prepared(Setup::default());
    let database = drover.data().join("drover.db");
    let garbage: Vec<u8> = (0..100_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(&database, &garbage).expect("a file");
    let text = refused(&drover).await;
    assert!(text.contains("drover.db"), "{text}");
    assert_eq!(fs::read(&database).expect("the file"), garbage);
    fs::write(&database, b"").expect("a file");
    let mut drover = drover;
    drover.restart().await;
    drover.turn(&drover.task().await, "!text fine").await;
}

#[tokio::test]
async fn a_database_with_a_torn_page_is_refused_and_not_overwritten() {
    let mut drover = Drover::start().await;
    drover.turn(&drover.task().await, "!text x").await;
    drover.stop().await;
    let database = drover.data().join("drover.db");
    let mut bytes = fs::read(&database).expect("the file");
    for byte in &mut bytes[100..4096] {
        *byte ^= 0x5a;
    }
    fs::write(&database, &bytes).expect("a file");
    let text = refused(&drover).await;
    assert!(text.contains("drover.db"), "{text}");
    assert!(fs::read(&database).expect("the file") == bytes);
}

#[tokio::test]
async fn a_broken_config_is_refused_with_its_line() {
    let drover = Drover::prepared(Setup::default());
    for (text, line, word) in [
        ("port = 7717\nprot = 1\n", "2", "prot"),
        ("# a\n\nport = \"x\n", "3", "config.toml"),
        ("port = 99999999\n", "1", "99999999"),
    ] {
        fs::write(drover.data().join("config.toml"), text).expect("config.toml");
        let output = drover.run(&["serve", "--port", "0", "--no-open"]).await;
        let told = told(&output, false);
        assert!(told.contains(word) && told.contains("config.toml") && told.contains(line), "{text:?}: {told}");
        assert_eq!(fs::read_to_string(drover.data().join("config.toml")).expect("config.toml"), text);
    }
}

#[tokio::test]
async fn a_broken_agents_file_keeps_the_last_good_one_and_is_told() {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "!text x").await;
    drover.write_agents_toml("[agents.alpha\nname = ");
    let problem = until("the problem told", PATIENCE, async || {
        let agents = drover.get("/agents").await.is(200);
        agents["problem"].is_object().then_some(agents)
    })
    .await;
    assert!(problem["problem"]["file"].as_str().is_some_and(|file| file.ends_with("agents.toml")), "{problem}");
    assert!(problem["problem"]["detail"].as_str().is_some_and(|detail| detail.contains("line 1")), "{problem}");
    let other = drover.task().await;
    drover.turn(&other, "!text still").await;
    drover.write_agents(&[agent("alpha"), agent("gamma")]);
    until("the problem gone", PATIENCE, async || {
        let agents = drover.get("/agents").await.is(200);
        let ids: Vec<&str> = agents["agents"].as_array()?.iter().filter_map(|agent| agent["id"].as_str()).collect();
        (agents["problem"].is_null() && ids.contains(&"gamma")).then_some(())
    })
    .await;
    drover.stop().await;
    drover.write_agents_toml("[agents.alpha\nname = ");
    drover.restart().await;
    let agents = drover.get("/agents").await.is(200);
    assert!(agents["problem"].is_object(), "a daemon starts with a broken agents.toml and says so: {agents}");
    assert!(!drover.chat(&task).await["messages"].as_array().expect("messages").is_empty());
}
