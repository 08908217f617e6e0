//! Stops, each at another moment.

use std::time::Instant;

use super::{
    stage::Stage,
    turns::{has_words, parts},
};
use crate::harness::{LONG, Sent, message_text, process, until};

/// Presses stop, and gives the seconds until the end.
async fn stop(stage: &Stage, task: &str, sent: &Sent) -> u64 {
    let start = Instant::now();
    stage.drover.cancel(sent).await.ok();
    let message = stage.drover.ended_within(task, &sent.assistant_message_id, LONG).await;
    assert_eq!(message["status"], "cancelled", "{message}");
    start.elapsed().as_secs()
}

/// How the stop went, after a turn that shows that the session goes on.
async fn afterwards(stage: &Stage, task: &str, seconds: u64) -> String {
    let next = stage.turn(task, "!say 10").await;
    assert!(next["status"] == "done" && has_words(&message_text(&next), 10), "{next}");
    if seconds < 8 { "yes" } else { "only by ending it" }.into()
}

pub(super) async fn in_text(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let sent = stage.send(&task, "!slow 50\n!say 400").await;
    let begun = |message: &serde_json::Value| message_text(message).len() > 20;
    stage.drover.until_message(&task, &sent.assistant_message_id, "some text", LONG, begun).await;
    let seconds = stop(stage, &task, &sent).await;
    let seen = afterwards(stage, &task, seconds).await;
    stage.done(&task).await;
    seen
}

pub(super) async fn in_command(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    // A number that no other command line has.
    let mark = format!("{}.5", 3_000_000 + std::process::id());
    let sent = stage.send(&task, &format!("!shell tail -s {mark} -f /dev/null")).await;
    let running = || process::table().into_iter().filter(|row| is_tail(row.pid, &mark)).map(|row| row.pid).collect();
    let pids = until("a command that runs", LONG, async || {
        if let Some((request, option)) = stage.question(&task, &["allow_once"]).await {
            stage.drover.choose(&request, option).await;
        }
        Some(running()).filter(|pids: &Vec<u32>| !pids.is_empty())
    })
    .await;
    let seconds = stop(stage, &task, &sent).await;
    let message = stage.drover.message(&task, &sent.assistant_message_id).await;
    let open = parts(&message, "tool_call")
        .any(|call| ["pending", "in_progress"].contains(&call["status"].as_str().unwrap_or_default()));
    assert!(!open, "no call stays open: {message}");
    let seen = afterwards(stage, &task, seconds).await;
    stage.done(&task).await;
    // Some agents leave it running; with the agent it ends.
    process::all_gone(&pids, LONG).await;
    seen
}

fn is_tail(pid: u32, mark: &str) -> bool {
    let line = process::command_line(pid);
    line.starts_with("tail ") && line.contains(mark)
}

pub(super) async fn in_question(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    let script = format!("{} touch {}", stage.agent().asked_command, stage.dir.join("held.txt").display());
    let sent = stage.send(&task, &script).await;
    let Some((request, _)) = stage.asked(&task, &sent, &["allow_once"]).await else {
        stage.done(&task).await;
        return "never asks".into();
    };
    let seconds = stop(stage, &task, &sent).await;
    assert!(!stage.dir.join("held.txt").exists());
    stage.drover.choose(&request, "too late").await.problem(409);
    let seen = afterwards(stage, &task, seconds).await;
    stage.done(&task).await;
    seen
}
