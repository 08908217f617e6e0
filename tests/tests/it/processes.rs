//! Agents as processes: their death, their children, their end.

use std::time::Duration;

use drover_tests::harness::{Drover, LONG, PATIENCE, Sent, Setup, agent, message_text, process, scripted_agent, until};
use serde_json::json;

/// A launcher of launchers around an agent that heeds neither the end of its input nor TERM.
async fn wrapped() -> Drover {
    let mut drover = Drover::prepared(Setup::default());
    let inner = drover.script("inner.sh", &format!("#!/bin/sh\n{} ; :\n", scripted_agent().display()));
    let outer = format!("sh {} ; :", inner.display());
    let alpha = agent("alpha").command("/bin/sh", &["-c", &outer]).env("AGENT_IGNORE", "eof,term");
    drover.setup.agents = vec![alpha, agent("beta")];
    drover.write_agents(&drover.setup.agents);
    drover.restart().await;
    drover
}

/// A child that only ancestry leads to: it has neither the environment, nor the session, nor the parent of its agent.
const HIDDEN: &str = "!child own deaf orphan bare\n";

/// Starts a turn that leaves children, and gives every process below the daemon that is not `beta`'s.
async fn with_children(drover: &Drover, task: &str, more: &str, end: &str) -> (Sent, Vec<u32>) {
    let script = format!("!child own deaf\n!child deaf\n!child own deaf orphan\n{more}!text up\n{end}");
    let sent = drover.send(task, &script).await;
    drover.says(task, &sent, "up").await;
    let children = drover.journal("alpha").into_iter().filter(|entry| entry.kind == "child");
    let mut all: Vec<u32> = children.filter_map(|entry| u32::try_from(entry.msg["pid"].as_u64()?).ok()).collect();
    let agent = *drover.starts("alpha").last().expect("an agent");
    let mut above = agent;
    while above != drover.pid() && above > 1 {
        all.push(above);
        above = process::table().iter().find(|process| process.pid == above).expect("a parent").parent;
    }
    assert_eq!(above, drover.pid(), "the keeper is a child of the daemon");
    assert!(all.len() >= 7 && all.iter().all(|pid| process::alive(*pid)), "children, launchers, keeper: {all:?}");
    (sent, all)
}

#[tokio::test]
async fn an_agent_that_dies_in_a_turn_fails_it_with_the_reason_and_the_next_message_starts_another() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let script =
        "!text working\n!pendingtool t1\n!permit 5\n!stderrtext fatal: no credits left\\n\n!child own\n!crash 143";
    let message = drover.turn_ending(&task, script, "interrupted").await;
    assert!(message_text(&message).starts_with("working"), "{message}");
    let parts = message["parts"].as_array().expect("parts");
    let tool = parts.iter().find(|part| part["type"] == "tool_call").expect("a tool call");
    assert_eq!(tool["unknown_outcome"], true);
    let error = parts.iter().find(|part| part["type"] == "error").expect("an error").to_string();
    assert!(error.contains("143") && error.contains("fatal: no credits left"), "{error}");
    assert_eq!(drover.chat(&task).await["requests"], json!([]));
    let leftover = drover
        .journal("alpha")
        .iter()
        .filter(|entry| entry.kind == "child")
        .filter_map(|entry| u32::try_from(entry.msg["pid"].as_u64()?).ok())
        .collect::<Vec<_>>();
    process::all_gone(&leftover, PATIENCE).await;
    assert!(process::zombies(drover.pid()).is_empty());
    assert_eq!(message_text(&drover.turn(&task, "!text back").await), "back");
    for signal in [9, 11, 15] {
        let message = drover.turn_ending(&task, &format!("!text half\n!signal {signal}"), "interrupted").await;
        assert!(
            message_text(&message) == "half" && message["parts"].to_string().contains(&signal.to_string()),
            "{message}"
        );
    }
    drover.turn_ending(&task, "!text half\n!crash 0", "interrupted").await;
    drover.turn(&task, "!text back").await;
}

#[tokio::test]
async fn stopping_a_deaf_turn_and_deleting_its_task_ends_launchers_and_children_and_nobody_else() {
    let drover = wrapped().await;
    let (task, other) = (drover.task().await, drover.task().await);
    let bystander = drover.send_to(&other, "beta", "!text there\n!hang").await;
    drover.says(&other, &bystander, "there").await;
    let (sent, all) = with_children(&drover, &task, HIDDEN, "!deaf").await;
    drover.cancel(&sent).await.ok();
    assert_eq!(drover.ended_within(&task, &sent.assistant_message_id, LONG).await["status"], "cancelled");
    drover.delete(&format!("/tasks/{task}")).await.ok();
    process::all_gone(&all, PATIENCE).await;
    assert!(process::zombies(drover.pid()).is_empty());
    assert!(process::alive(drover.starts("beta")[0]), "another task's agent is untouched");
    assert_eq!(drover.message(&other, &bystander.assistant_message_id).await["status"], "streaming");
}

#[tokio::test]
async fn a_stop_of_the_daemon_ends_launchers_and_children_within_ten_seconds() {
    for signal in [libc::SIGTERM, libc::SIGINT] {
        let mut drover = wrapped().await;
        let task = drover.task().await;
        let (_, all) = with_children(&drover, &task, HIDDEN, "!hang").await;
        let asked = std::time::Instant::now();
        let status = drover.end_with(signal).await;
        assert!(status.success() && asked.elapsed() < Duration::from_secs(10), "{status} after {:?}", asked.elapsed());
        process::all_gone(&all, Duration::from_secs(1)).await;
    }
}

#[tokio::test]
async fn a_second_signal_ends_the_daemon_at_once_and_its_agents_soon() {
    let mut drover = wrapped().await;
    let task = drover.task().await;
    let (_, all) = with_children(&drover, &task, HIDDEN, "!hang").await;
    let asked = std::time::Instant::now();
    process::signal(drover.pid(), libc::SIGTERM);
    until("the stop begun", PATIENCE, async || {
        drover.try_call(drover_tests::harness::Call::new("GET", "/status")).await.is_err().then_some(())
    })
    .await;
    drover.end_with(libc::SIGTERM).await;
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
    process::all_gone(&all, PATIENCE).await;
}

#[tokio::test]
async fn killing_the_daemon_ends_launchers_and_children_even_if_it_is_never_started_again() {
    let mut drover = wrapped().await;
    let task = drover.task().await;
    let (_, all) = with_children(&drover, &task, HIDDEN, "!hang").await;
    drover.kill_nine().await;
    process::all_gone(&all, PATIENCE).await;
}

#[tokio::test]
async fn killing_the_keeper_fails_the_turn_and_the_daemon_ends_what_it_kept() {
    let drover = wrapped().await;
    let task = drover.task().await;
    let (sent, all) = with_children(&drover, &task, "", "!hang").await;
    let keeper = *all.last().expect("the keeper is the topmost");
    process::signal(keeper, libc::SIGKILL);
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    assert_eq!(message["status"], "interrupted", "{message}");
    process::all_gone(&all, PATIENCE).await;
    assert!(process::zombies(drover.pid()).is_empty());
}

#[tokio::test]
async fn killing_daemon_and_keeper_together_leaves_what_the_next_start_sweeps_and_another_directorys_agents_alone() {
    let mut drover = wrapped().await;
    let neighbour = Drover::start().await;
    let theirs = neighbour.task().await;
    let running = neighbour.send(&theirs, "!text there\n!hang").await;
    neighbour.says(&theirs, &running, "there").await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!child own deaf\n!text up\n!hang").await;
    drover.says(&task, &sent, "up").await;
    let child = drover.child_of(&task, &sent).await;
    let keepers: Vec<u32> =
        process::table().iter().filter(|process| process.parent == drover.pid()).map(|process| process.pid).collect();
    let agents = drover.starts("alpha");
    for keeper in &keepers {
        process::signal(*keeper, libc::SIGSTOP);
    }
    drover.kill_nine().await;
    for keeper in &keepers {
        process::signal(*keeper, libc::SIGKILL);
    }
    drover.restart().await;
    process::all_gone(&agents, PATIENCE).await;
    process::all_gone(&[child], PATIENCE).await;
    assert!(process::alive(neighbour.starts("alpha")[0]), "the other directory's agent is untouched");
}

#[tokio::test]
async fn an_agent_holds_its_three_descriptors_and_no_other() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!text up\n!hang").await;
    drover.says(&task, &sent, "up").await;
    let open: Vec<u32> = process::descriptors(drover.starts("alpha")[0]).into_iter().collect();
    let agents_own_pipe = 2;
    assert_eq!((&open[..3], open.len()), (&[0, 1, 2][..], 3 + agents_own_pipe), "{open:?}");
}

#[tokio::test]
async fn a_task_that_is_connected_from_two_tabs_has_one_process_and_one_session() {
    let drover = Drover::with_agents([agent("alpha").delays(&json!({"initialize": 300}))]).await;
    let task = drover.task().await;
    let tabs: Vec<_> = (0..8)
        .map(|_| {
            let (api, task) = ((*drover).clone(), task.clone());
            tokio::spawn(async move { api.post(&format!("/tasks/{task}/links/alpha/connect"), &json!({})).await.ok() })
        })
        .collect();
    for tab in tabs {
        tab.await.expect("an answer");
    }
    drover.turn(&task, "!text x").await;
    assert_eq!((drover.starts("alpha").len(), drover.received("alpha", "session/new").len()), (1, 1));
    drover.post(&format!("/tasks/{task}/links/alpha/disconnect"), &json!({})).await.ok();
    process::all_gone(&drover.starts("alpha"), PATIENCE).await;
    drover.turn(&task, "!text y").await;
    assert_eq!(drover.received("alpha", "session/load").len(), 1, "it comes back to its session");
}

#[tokio::test]
async fn what_an_agent_left_running_after_a_stop_is_named_and_ended_when_asked() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let before = drover.send(&task, "!child own quiet").await;
    let earlier = drover.child_of(&task, &before).await;
    drover.ended(&task, &before.assistant_message_id).await;
    let sent = drover.send(&task, "!child own deaf orphan\n!hang").await;
    let child = drover.child_of(&task, &sent).await;
    drover.cancel(&sent).await.ok();
    assert_eq!(drover.ended(&task, &sent.assistant_message_id).await["status"], "cancelled");
    let run = format!("/runs/{}", sent.run_id);
    let processes = until("what was left running", PATIENCE, async || {
        let run = drover.get(&run).await.is(200);
        run["processes"].as_array().filter(|left| !left.is_empty()).cloned()
    })
    .await;
    let pids: Vec<_> = processes.iter().map(|left| left["pid"].clone()).collect();
    assert_eq!(pids, [json!(child)], "{processes:?}");
    assert!(processes[0]["command"].as_str().is_some_and(|command| command.contains("linger")), "{processes:?}");
    assert!(processes[0]["started_at"].is_string());
    assert!(process::alive(child) && process::alive(earlier), "nothing is ended by itself");
    assert_eq!(drover.delete(&format!("{run}/processes")).await.is(202)["id"], sent.run_id);
    until("its end", PATIENCE, async || (drover.get(&run).await.is(200)["processes"] == json!([])).then_some(())).await;
    assert!(!process::alive(child) && process::alive(earlier), "what an earlier turn started is another matter");
    assert_eq!(drover.delete(&format!("{run}/processes")).await.is(202)["processes"], json!([]));
    drover.delete("/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV/processes").await.problem(404);
}

#[tokio::test]
async fn what_was_left_running_and_ends_by_itself_is_named_no_more() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!child\n!hang").await;
    let child = drover.child_of(&task, &sent).await;
    drover.cancel(&sent).await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    let named = async |some: bool| {
        until("the list", PATIENCE, async || {
            let run = drover.get(&format!("/runs/{}", sent.run_id)).await.is(200);
            (run["processes"].as_array().is_some_and(|left| left.is_empty() != some)).then_some(())
        })
        .await;
    };
    named(true).await;
    process::signal(child, libc::SIGKILL);
    named(false).await;
}
