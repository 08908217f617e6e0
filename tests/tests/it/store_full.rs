//! A store that cannot write: it says so, reading goes on, and nothing acknowledged is lost.

use std::{
    fs::File,
    io::Write,
    time::{Duration, Instant},
};

use drover_tests::harness::{Answer, Call, Drover, LONG, Mount, PATIENCE, Setup, message_text, nonce, process, until};
use serde_json::json;

/// Sends until the store refuses; gives the refusal, and the answers that were given before.
async fn until_refused(drover: &Drover, task: &str) -> (Answer, Vec<String>) {
    let mut acknowledged = Vec::new();
    let refusal = until("a refusal", PATIENCE, async || {
        let answer = drover.try_send(task, "alpha", &format!("!text {}", "y".repeat(20_000)), &nonce()).await;
        if answer.status == 202 {
            acknowledged.push(answer.json()["user_message_id"].as_str().expect("an id").to_owned());
            return None;
        }
        Some(answer)
    })
    .await;
    (refusal, acknowledged)
}

async fn all_are_there(drover: &Drover, task: &str, ids: &[String]) {
    let mut found = Vec::new();
    let mut before = String::new();
    loop {
        let page = drover.get(&format!("/tasks/{task}/chat?limit=200{before}")).await.is(200);
        let messages = page["messages"].as_array().expect("messages");
        found.extend(messages.iter().filter_map(|message| message["id"].as_str().map(str::to_owned)));
        if page["has_more"] == false {
            break;
        }
        before = format!("&before={}", messages[0]["ordinal"]);
    }
    for id in ids {
        assert!(found.contains(id), "an acknowledged message is lost");
    }
}

#[tokio::test]
async fn when_writes_fail_sends_are_refused_reading_goes_on_and_work_resumes() {
    let mut drover = Drover::start().await;
    let (task, other) = (drover.task().await, drover.task().await);
    let first = drover.turn(&other, "!text before").await;
    let stream = drover.follow_now().await;
    let sent = drover.send(&task, "!say 1500 3").await;
    drover.says(&task, &sent, "w5 ").await;
    process::limit_file_size(drover.pid(), Some(0));
    let (refusal, acknowledged) = until_refused(&drover, &other).await;
    assert!(matches!(refusal.status, 503 | 507), "{refusal}");
    let problem = refusal.problem(refusal.status);
    assert!(problem["type"].as_str().is_some_and(|slug| slug.contains("store")), "{problem}");
    for path in [format!("/tasks/{other}/chat"), "/tasks".into(), "/agents".into(), "/status".into()] {
        let asked = Instant::now();
        drover.get(&path).await.is(200);
        assert!(asked.elapsed() < Duration::from_secs(1), "{path} takes {:?}", asked.elapsed());
    }
    assert_eq!(drover.message(&other, first["id"].as_str().expect("an id")).await["parts"], first["parts"]);
    process::limit_file_size(drover.pid(), None);
    let again = until("a send that is taken", PATIENCE, async || {
        let answer = drover.try_send(&other, "alpha", "!text after", &nonce()).await;
        (answer.status == 202).then(|| answer.json())
    })
    .await;
    let message = drover.ended_within(&other, again["assistant_message_id"].as_str().expect("an id"), LONG).await;
    assert_eq!(message_text(&message), "after");
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    let whole: String = (0..1500).map(|index| format!("w{index} ")).collect();
    assert!(message["status"] == "done" && message_text(&message) == whole, "{}", message["status"]);
    stream.until_done(&sent.assistant_message_id).await;
    assert_eq!(json!(stream.rebuilt(&sent.assistant_message_id)), message["parts"]);
    drover.kill_nine().await;
    drover.restart().await;
    all_are_there(&drover, &other, &acknowledged).await;
}

#[tokio::test]
async fn a_full_disk_is_told_as_such_and_work_resumes_when_there_is_room() {
    let mut drover = Drover::prepared(Setup::default());
    let Some(mount) = Mount::limited(&drover.data(), 24 << 20) else {
        eprintln!("not run: mounting needs root");
        return;
    };
    drover.write_agents(&drover.setup.agents);
    drover.restart().await;
    let task = drover.task().await;
    drover.turn(&task, "!text before").await;
    let ballast = drover.data().join("ballast");
    let mut file = File::create(&ballast).expect("a file");
    while file.write_all(&[0; 4096]).is_ok() {}
    let (refusal, acknowledged) = until_refused(&drover, &task).await;
    refusal.problem(507);
    let attachment = Call::new("POST", "/attachments?name=a.bin").body("application/octet-stream", vec![1; 1 << 20]);
    drover.call(attachment).await.problem(507);
    drover.get(&format!("/tasks/{task}/chat")).await.is(200);
    drop(file);
    std::fs::remove_file(ballast).expect("the ballast");
    let again = until("a send that is taken", PATIENCE, async || {
        let answer = drover.try_send(&task, "alpha", "!text after", &nonce()).await;
        (answer.status == 202).then(|| answer.json())
    })
    .await;
    drover.post(&format!("/tasks/{task}/queue/resume"), &json!({})).await;
    let message = drover.ended_within(&task, again["assistant_message_id"].as_str().expect("an id"), LONG).await;
    assert_eq!(message_text(&message), "after");
    drover.kill_nine().await;
    drover.restart().await;
    all_are_there(&drover, &task, &acknowledged).await;
    drover.stop().await;
    drop(mount);
}
