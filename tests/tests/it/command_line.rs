//! The commands around the daemon.

use std::{fs, process::Output};

use drover_tests::harness::{Drover, PATIENCE, Setup, process};
use serde_json::Value;

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A data directory whose daemon would take a free port, not the usual one, which may be in use.
fn quiet() -> Drover {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
    Drover::prepared(Setup { config: Some(format!("port = {free}\n")), ..Setup::default() })
}

fn status(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[tokio::test]
async fn drover_alone_starts_a_daemon_of_its_own_session_and_the_next_call_finds_it() {
    let mut drover = quiet();
    drover.setup.env =
        vec![("SSH_CONNECTION".into(), "10.0.0.2 5000 10.0.0.1 22".into()), ("USER".into(), "someone".into())];
    let first = said(&drover.run(&[]).await);
    let port = status(&drover.run(&["status", "--json"]).await)["port"].as_u64().expect("a port");
    assert!(
        first.contains(&format!("http://localhost:{port}/launch#")),
        "the link is printed without a browser: {first}"
    );
    assert!(first.contains(&format!("ssh -L {port}:localhost:{port}")), "and how to reach it: {first}");
    let before = status(&drover.run(&["status", "--json"]).await);
    said(&drover.run(&[]).await);
    let after = status(&drover.run(&["status", "--json"]).await);
    assert_eq!(before["pid"], after["pid"], "the one that runs is found");
    let pid = u32::try_from(before["pid"].as_u64().expect("a pid")).expect("a pid");
    assert_ne!(process::session(pid), process::session(std::process::id()), "a closed terminal does not end it");
    assert!(said(&drover.run(&["logs"]).await).lines().count() > 0);
    said(&drover.run(&["restart"]).await);
    let again = status(&drover.run(&["status", "--json"]).await);
    assert_eq!((&again["port"], again["pid"] == before["pid"]), (&before["port"], false), "bookmarks stay good");
    said(&drover.run(&["stop"]).await);
    process::all_gone(&[pid, u32::try_from(again["pid"].as_u64().expect("a pid")).expect("a pid")], PATIENCE).await;
    assert!(!drover.data().join("daemon.json").exists());
}

#[tokio::test]
async fn what_has_no_daemon_says_so() {
    let drover = quiet();
    assert!(said(&drover.run(&["stop"]).await).contains("not running"));
    let told = drover.run(&["status", "--json"]).await;
    assert!(!told.status.success() && status(&told)["running"] == false, "{told:?}");
    let version =
        tokio::process::Command::new(drover_tests::harness::binary()).arg("--version").output().await.expect("it runs");
    assert!(said(&version).starts_with("drover 0."), "{version:?}");
}

#[tokio::test]
async fn a_daemon_json_of_a_dead_process_misleads_nobody() {
    let mut drover = Drover::start().await;
    drover.kill_nine().await;
    assert!(drover.data().join("daemon.json").exists(), "a killed daemon leaves it");
    let told = drover.run(&["status", "--json"]).await;
    assert!(status(&told)["running"] == false, "{told:?}");
    let info = fs::read_to_string(drover.data().join("daemon.json")).expect("the file");
    let mut stranger = tokio::process::Command::new("sleep").arg("600").kill_on_drop(true).spawn().expect("a process");
    let theirs = stranger.id().expect("it runs");
    let reused = info.replace(&drover.pid().to_string(), &theirs.to_string());
    fs::write(drover.data().join("daemon.json"), reused).expect("the file");
    assert!(said(&drover.run(&["stop"]).await).contains("not running"));
    assert!(process::alive(theirs), "another's process is not ended");
    stranger.kill().await.expect("it is ours");
    drover.restart().await;
}

#[tokio::test]
async fn the_doctor_reads_only() {
    let mut drover = Drover::start().await;
    drover.turn(&drover.task().await, "!text x").await;
    drover.kill_nine().await;
    let files = |drover: &Drover| {
        let mut files: Vec<_> = drover
            .data()
            .read_dir()
            .expect("the data directory")
            .flatten()
            .filter(|entry| entry.path().is_file())
            .map(|entry| (entry.file_name(), fs::read(entry.path()).expect("a file")))
            .collect();
        files.sort();
        files
    };
    let before = files(&drover);
    let output = drover.run(&["doctor", "--json"]).await;
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(told["checks"].as_array().is_some_and(|checks| checks.len() > 5), "{told}");
    assert!(before == files(&drover), "doctor changed a file");
    let empty = quiet();
    fs::remove_dir_all(empty.data()).expect("the directory");
    let output = empty.run(&["doctor", "--json"]).await;
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok(), "{output:?}");
    assert!(!empty.data().exists(), "doctor made a data directory");
}
