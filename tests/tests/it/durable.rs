//! Crashes, stops and restarts: nothing acknowledged or seen is lost.

use std::time::Duration;

use drover_tests::harness::{Drover, PATIENCE, message_text, process, rebuilt};
use serde_json::json;

#[tokio::test]
async fn what_was_seen_before_a_kill_is_there_after_it_and_a_tab_with_its_cursor_gets_the_rest() {
    let mut drover = Drover::start().await;
    let task = drover.task_in(&drover.project("proj").await).await;
    for round in 0..3 {
        let stream = drover.follow_now().await;
        let sent = drover.send(&task, "!child own\n!pendingtool z\n!say 5000 2").await;
        let id = sent.assistant_message_id.as_str();
        let queued = drover.send(&task, "!text queued-one").await;
        let enough = format!("w{} ", 60 + 7 * round);
        stream
            .until("some text", |event| {
                event.kind == "part.append" && event.data["text"].as_str().is_some_and(|text| text.contains(&enough))
            })
            .await;
        let child = drover.child_of(&task, &sent).await;
        let agents = drover.starts("alpha");
        drover.kill_nine().await;
        stream.until_closed().await;
        let seen = stream.rebuilt(id);
        drover.restart().await;
        let message = drover.message(&task, id).await;
        assert_eq!(message["status"], "interrupted", "{message}");
        let (kept, seen_text) =
            (message["parts"][2]["text"].as_str().expect("a text"), seen[2]["text"].as_str().expect("a text"));
        assert!(kept.starts_with(seen_text), "seen {} bytes, kept {}", seen_text.len(), kept.len());
        assert_eq!(message["parts"][1]["unknown_outcome"], true);
        let rest = drover.follow(stream.events().iter().filter_map(|event| event.seq).max().expect("numbers")).await;
        rest.until_done(id).await;
        let all: Vec<_> = stream.events().into_iter().chain(rest.events()).collect();
        assert_eq!(json!(rebuilt(&all, id, &[])), message["parts"]);
        process::all_gone(&[agents[agents.len() - 1], child], PATIENCE).await;
        assert_eq!(drover.get(&format!("/tasks/{task}")).await.is(200)["queue_held"], true);
        assert_eq!(drover.cancel(&sent).await.is(200)["state"], "interrupted", "stopping it leaves no state");
        assert_eq!(drover.message(&task, &queued.assistant_message_id).await["status"], "queued");
        drover.post(&format!("/tasks/{task}/queue/resume"), &json!({})).await.ok();
        assert_eq!(message_text(&drover.ended(&task, &queued.assistant_message_id).await), "queued-one");
    }
    assert_eq!(drover.prompts("alpha").len(), 6, "every prompt was sent once");
}

#[tokio::test]
async fn a_stop_ends_streams_runs_and_agents_and_exits_with_zero() {
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let mut drover = Drover::start().await;
        let task = drover.task().await;
        let sent = drover.send(&task, "!child own\n!hang").await;
        let child = drover.child_of(&task, &sent).await;
        let below: Vec<u32> = process::descendants(drover.pid()).iter().map(|process| process.pid).collect();
        assert!(below.len() >= 2, "a keeper and an agent: {below:?}");
        let stream = drover.follow_now().await;
        let status = drover.end_with(signal).await;
        assert!(status.success(), "{status}: {}", drover.log_tail());
        stream.until_closed().await;
        process::all_gone(&below, Duration::from_secs(2)).await;
        process::all_gone(&[child], Duration::from_secs(2)).await;
        assert!(!drover.data().join("daemon.json").exists());
        drover.restart().await;
        let message = drover.message(&task, &sent.assistant_message_id).await;
        assert_eq!(message["status"], "interrupted");
        drover.turn(&task, "!text on").await;
    }
}

#[tokio::test]
async fn one_directory_has_one_daemon_and_a_second_start_prints_its_address() {
    let drover = Drover::start().await;
    let second = drover.run(&["serve", "--port", "0", "--no-open"]).await;
    assert!(second.status.success(), "{second:?}");
    let printed = String::from_utf8_lossy(&second.stdout);
    assert!(printed.contains(&format!(":{}", drover.port)), "{printed}");
    drover.get("/status").await.is(200);
}

#[tokio::test]
async fn a_daemon_killed_in_its_first_moments_starts_again() {
    let mut drover = Drover::prepared(drover_tests::harness::Setup::default());
    for moment in [1, 5, 15, 30, 60] {
        let mut child = drover.command().spawn().expect("the binary starts");
        tokio::time::sleep(Duration::from_millis(moment)).await; // the moment of the kill is the case
        child.kill().await.expect("it is ours");
    }
    drover.restart().await;
    let task = drover.task().await;
    drover.turn(&task, "!text fine").await;
}

#[tokio::test]
async fn identity_survives_a_restart_and_numbers_only_grow() {
    let mut drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "!text x").await;
    let before = drover.get("/status").await.is(200);
    drover.kill_nine().await;
    drover.restart().await;
    let after = drover.get("/status").await.is(200);
    assert_eq!((&before["instance_id"], &before["data_dir"]), (&after["instance_id"], &after["data_dir"]));
    let fresh = drover.task().await;
    assert!(
        drover.seq().await > before["seq"].as_u64().expect("a number") + (1 << 20),
        "a gap that no old cursor can fall into unseen"
    );
    drover.turn(&fresh, "!text y").await;
}

#[tokio::test]
async fn what_was_open_stays_usable_after_many_clean_restarts() {
    let mut drover = Drover::start().await;
    let project = drover.project("proj").await;
    let task = drover.task_in(&project).await;
    for round in 0..4 {
        assert_eq!(message_text(&drover.turn(&task, &format!("!text {round}")).await), round.to_string());
        drover.stop().await;
        drover.restart().await;
    }
    let chat = drover.chat(&task).await;
    let texts: Vec<String> = chat["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter(|message| message["role"] == "assistant")
        .map(message_text)
        .collect();
    assert_eq!(texts, ["0", "1", "2", "3"]);
    let sessions: Vec<String> = drover.prompts("alpha").into_iter().map(|(_, session)| session).collect();
    assert!(sessions.iter().all(|session| *session == sessions[0]), "the session is brought back: {sessions:?}");
}

#[tokio::test]
async fn another_database_in_the_same_place_resets_every_cursor() {
    let mut drover = Drover::start().await;
    drover.turn(&drover.task().await, "!text x").await;
    let before = drover.get("/status").await.is(200);
    drover.stop().await;
    for name in ["drover.db", "drover.db-wal", "drover.db-shm"] {
        let path = drover.data().join(name);
        if path.exists() {
            std::fs::remove_file(path).expect("the file is ours");
        }
    }
    drover.restart().await;
    let after = drover.get("/status").await.is(200);
    assert_ne!(before["instance_id"], after["instance_id"]);
    let cursor = before["seq"].as_u64().expect("a number").max(after["seq"].as_u64().expect("a number") + 1);
    let stream = drover.follow(cursor).await;
    stream.until("a reset", |event| event.kind == "reset").await;
}
