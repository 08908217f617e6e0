//! Many tasks at once.

use std::time::{Duration, Instant};

use drover_tests::harness::{Api, Drover, LONG, PATIENCE, Setup, agent, message_text, nonce, process, until};
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

#[tokio::test]
async fn a_crowd_that_is_changed_and_deleted_under_way_leaves_what_was_said_and_nothing_else() {
    let slow = agent("slow").delays(&json!({"initialize": 400}));
    let agents = vec![agent("alpha"), agent("beta"), slow];
    let config = Some("max_active_runs = 30\n".into());
    let drover = Drover::start_with(Setup { agents, config, ..Setup::default() }).await;
    let readers = [drover.follow_now().await, drover.follow_now().await];
    let descriptors = process::descriptors(drover.pid()).len();
    let crowd: Vec<_> = (0..10)
        .map(|index| tokio::spawn(group((*drover).clone(), drover.subdir(&format!("p{index}")), index)))
        .collect();
    let mut asked = Vec::new();
    while !crowd.iter().all(tokio::task::JoinHandle::is_finished) {
        let start = Instant::now();
        drover.get("/status").await.is(200);
        asked.push(start.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await; // the pace of the measure
    }
    let mut kept = Vec::new();
    for member in crowd {
        kept.extend(member.await.expect("the group's work"));
    }
    asked.sort_unstable();
    let nearly_all = asked[asked.len() * 99 / 100];
    assert!(nearly_all < Duration::from_secs(1), "99 of 100 small requests took up to {nearly_all:?}");
    let listed = drover.get("/tasks?limit=100").await.is(200);
    assert_eq!(listed["tasks"].as_array().map(Vec::len), Some(kept.len()), "late updates of deleted tasks make none");
    for (task, said) in &kept {
        let messages = drover.chat(task).await["messages"].clone();
        let answers = messages.as_array().expect("messages").iter().filter(|message| message["role"] == "assistant");
        assert_eq!(answers.map(message_text).collect::<Vec<_>>(), *said);
        drover.delete(&format!("/tasks/{task}")).await.ok();
    }
    let all: Vec<u32> = ["alpha", "beta", "slow"].iter().flat_map(|agent| drover.starts(agent)).collect();
    process::all_gone(&all, PATIENCE).await;
    assert!(process::zombies(drover.pid()).is_empty());
    until("descriptors as few as before", PATIENCE, async || {
        (process::descriptors(drover.pid()).len() <= descriptors + 8).then_some(())
    })
    .await;
    drop(readers);
    let checked = drover.run(&["doctor"]).await;
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

/// Three tasks of one project: one is stopped, edited and goes on with another agent, one is deleted in its turn, one just answers.
/// Every third project is deleted with all. Gives the tasks that stay and what their agents said.
async fn group(api: Api, place: std::path::PathBuf, index: usize) -> Vec<(String, Vec<String>)> {
    let project = api.project_at(&place).await;
    let tasks = [api.task_in(&project).await, api.task_in(&project).await, api.task_in(&project).await];
    let stopped = api.send(&tasks[0], "!text up \n!say 100000 1").await;
    api.says(&tasks[0], &stopped, "w5 ").await;
    let doomed = api.send(&tasks[1], "!text up\n!permit 1\n!hang").await;
    api.says(&tasks[1], &doomed, "up").await;
    let answered = api.send_to(&tasks[2], "slow", &format!("!say 50 1\n!text end-{index}")).await;
    api.cancel(&stopped).await.ok();
    api.ended(&tasks[0], &stopped.assistant_message_id).await;
    let edit = json!({"nonce": nonce(), "text": format!("!text edited-{index}"), "agent": "beta"});
    let edited = api.post(&format!("/messages/{}/edit", stopped.user_message_id), &edit).await.is(202);
    api.ended(&tasks[0], edited["assistant_message_id"].as_str().expect("an id")).await;
    let back = api.send(&tasks[0], &format!("!text back-{index}")).await;
    api.patch(&format!("/tasks/{}", tasks[0]), &json!({"title": format!("renamed {index}")})).await.ok();
    api.delete(&format!("/tasks/{}", tasks[1])).await.problem(409);
    api.cancel(&doomed).await.ok();
    api.ended(&tasks[1], &doomed.assistant_message_id).await;
    api.delete(&format!("/tasks/{}", tasks[1])).await.ok();
    api.ended(&tasks[0], &back.assistant_message_id).await;
    api.ended(&tasks[2], &answered.assistant_message_id).await;
    if index.is_multiple_of(3) {
        api.delete(&format!("/projects/{project}?tasks=delete")).await.ok();
        return Vec::new();
    }
    let whole: String = (0..50).map(|word| format!("w{word} ")).collect();
    let [first, _, third] = tasks;
    vec![
        (first, vec![format!("edited-{index}"), format!("back-{index}")]),
        (third, vec![format!("{whole}end-{index}")]),
    ]
}
