//! Many tasks at once.

use std::time::{Duration, Instant};

use drover_tests::harness::{Drover, LONG, PATIENCE, Setup, agent, message_text, process, until};
use serde_json::json;

#[tokio::test]
async fn equal_session_tool_and_request_ids_of_two_processes_are_not_confused() {
    let drover =
        Drover::with_agents([agent("alpha").answers(&json!({"session/new": {"result": {"sessionId": "s1"}}}))]).await;
    let (one, two) = (drover.task().await, drover.task().await);
    let script = |name: &str| format!("!tool t1\n!text {name}-start;\n!permit 1\n!await 1\n!text {name}-end\n!hang");
    let (x, y) = (drover.send(&one, &script("X")).await, drover.send(&two, &script("Y")).await);
    let (ask_x, ask_y) = (drover.open_requests(&one, 1).await.remove(0), drover.open_requests(&two, 1).await.remove(0));
    drover.choose(&ask_y, "no").await.ok();
    drover.choose(&ask_x, "yes").await.ok();
    let said_x = message_text(&drover.says(&one, &x, "X-end").await);
    let said_y = message_text(&drover.says(&two, &y, "Y-end").await);
    assert!(said_x.contains("\"yes\"") && !said_x.contains('Y'), "{said_x}");
    assert!(said_y.contains("\"no\"") && !said_y.contains('X'), "{said_y}");
    drover.cancel(&x).await.ok();
    assert_eq!(drover.ended(&one, &x.assistant_message_id).await["status"], "cancelled");
    assert_eq!(drover.message(&two, &y.assistant_message_id).await["status"], "streaming");
}

#[tokio::test]
async fn everything_at_once_leaves_every_answer_whole_and_no_process_behind() {
    let slow = agent("slow").delays(&json!({"initialize": 500}));
    let setup =
        Setup { agents: vec![agent("alpha"), slow], config: Some("max_active_runs = 12\n".into()), ..Setup::default() };
    let mut drover = Drover::start_with(setup).await;
    let streams = [drover.follow_now().await, drover.follow_now().await];
    let mut turns = Vec::new();
    for index in 0..24 {
        let task = drover.task().await;
        let (agent, script) = match index % 4 {
            0 => ("alpha", format!("!say 200 1\n!text end-{index}")),
            1 => ("alpha", format!("!tool t\n!ask p\n!text end-{index}")),
            2 => ("alpha", format!("!child own\n!text half-{index}\n!crash 9")),
            _ => ("slow", format!("!text end-{index}")),
        };
        let sent = drover.send_to(&task, agent, &script).await;
        turns.push((index, task, sent));
    }
    let mut slowest = Duration::ZERO;
    until("an end of all", LONG, async || {
        let mut ended = 0;
        for (index, task, sent) in &turns {
            let asked = Instant::now();
            let chat = drover.chat(task).await;
            slowest = slowest.max(asked.elapsed());
            for request in chat["requests"].as_array()? {
                drover.choose(request, if index % 2 == 0 { "no" } else { "yes" }).await;
            }
            let answer = chat["messages"]
                .as_array()?
                .iter()
                .find(|message| message["id"] == sent.assistant_message_id.as_str())?;
            ended += usize::from(!matches!(answer["status"].as_str(), Some("queued" | "streaming")));
        }
        (ended == turns.len()).then_some(())
    })
    .await;
    assert!(slowest < Duration::from_secs(3), "a snapshot took {slowest:?}");
    for (index, task, sent) in &turns {
        let message = drover.message(task, &sent.assistant_message_id).await;
        let want =
            if index % 4 == 2 { ("interrupted", format!("half-{index}")) } else { ("done", format!("end-{index}")) };
        assert!(message["status"] == want.0 && message_text(&message).ends_with(&want.1), "{index}: {message}");
        for stream in &streams {
            stream.until_done(&sent.assistant_message_id).await;
            assert_eq!(json!(stream.rebuilt(&sent.assistant_message_id)), message["parts"], "{index}");
        }
    }
    for (_, task, _) in &turns {
        drover.delete(&format!("/tasks/{task}")).await.ok();
    }
    let mut all = drover.starts("alpha");
    all.extend(drover.starts("slow"));
    process::all_gone(&all, PATIENCE).await;
    assert!(process::zombies(drover.pid()).is_empty());
    drover.stop().await;
}
