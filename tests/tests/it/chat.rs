//! Sending, streaming, and the record that stays.

use drover_tests::harness::{Drover, PATIENCE, message_text, nonce, rebuilt, redacted, until};
use insta::assert_json_snapshot;
use serde_json::{Value, json};

#[tokio::test]
async fn a_turn_streams_and_is_kept_and_its_events_alone_rebuild_it() {
    let drover = Drover::start().await;
    let task = drover.task_in(&drover.project("proj").await).await;
    let stream = drover.follow_now().await;
    let sent = drover.send(&task, "!think hmm\n!say 20 5\n!tool t1\n!text end").await;
    let done = stream.until_done(&sent.assistant_message_id).await;
    let mut chat = until("a link at rest", PATIENCE, async || {
        let chat = drover.chat(&task).await;
        (chat["links"][0]["state"] == "ready").then_some(chat)
    })
    .await;
    let answer = drover.message(&task, &sent.assistant_message_id).await;
    assert_eq!(stream.rebuilt(&sent.assistant_message_id), answer["parts"].as_array().expect("parts").clone());
    let numbers: Vec<u64> = stream.events().iter().filter_map(|event| event.seq).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "event numbers grow: {numbers:?}");
    assert!(done.seq <= chat["seq"].as_u64(), "a snapshot holds what its number says");
    chat["links"][0]["options"] = "[as the agent sent them]".into();
    assert_json_snapshot!(redacted(&chat, &drover.dir_text()));
    let run = drover.get(&format!("/runs/{}", sent.run_id)).await.is(200);
    assert_json_snapshot!("a_finished_run", redacted(&run, &drover.dir_text()));
}

#[tokio::test]
async fn a_send_is_answered_before_any_agent_is_contacted_and_the_same_nonce_again_sends_nothing() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let key = nonce();
    let first = drover.try_send(&task, "alpha", "!text x", &key).await.is(202);
    let again = drover.try_send(&task, "alpha", "!text x", &key).await.is(200);
    assert_eq!(first, again);
    let problem = drover.try_send(&task, "alpha", "!text y", &key).await.problem(409);
    assert_json_snapshot!("a_nonce_used_for_another_message", problem);
    let other = drover.task().await;
    drover.try_send(&other, "alpha", "!text y", &key).await.is(202);
    drover.ended(&task, first["assistant_message_id"].as_str().expect("an id")).await;
    assert_eq!(drover.chat(&task).await["messages"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn twenty_racing_copies_of_a_send_make_one_turn() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let key = nonce();
    let copies: Vec<_> = (0..20)
        .map(|_| {
            let (api, task, key) = ((*drover).clone(), task.clone(), key.clone());
            tokio::spawn(async move { api.try_send(&task, "alpha", "!text x", &key).await })
        })
        .collect();
    let mut answers = Vec::new();
    for copy in copies {
        answers.push(copy.await.expect("a copy is answered"));
    }
    assert_eq!(answers.iter().filter(|answer| answer.status == 202).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 19);
    let id = answers[0].json()["assistant_message_id"].clone();
    assert!(answers.iter().all(|answer| answer.json()["assistant_message_id"] == id));
    drover.ended(&task, id.as_str().expect("an id")).await;
    assert_eq!(drover.prompts("alpha").len(), 1);
}

#[tokio::test]
async fn two_tasks_have_two_processes_and_stay_apart() {
    let drover = Drover::start().await;
    let (one, two) = (drover.task().await, drover.task().await);
    let long = drover.send(&one, "!say 150 2").await;
    let short = drover.send(&two, "!sleep 150\n!text x\n!sleep 50\n!text y").await;
    assert_eq!(message_text(&drover.ended(&two, &short.assistant_message_id).await), "xy");
    let words: String = (0..150).map(|index| format!("w{index} ")).collect();
    assert_eq!(message_text(&drover.ended(&one, &long.assistant_message_id).await), words);
    let starts = drover.starts("alpha");
    assert!(starts.len() == 2 && starts[0] != starts[1], "{starts:?}");
}

#[tokio::test]
async fn sends_to_a_busy_task_wait_their_turn_in_order() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let first = drover.send(&task, "!text up\n!hang").await;
    let second = drover.send_to(&task, "beta", "!text B").await;
    let third = drover.send(&task, "!text C").await;
    for queued in [&second, &third] {
        assert_eq!(drover.message(&task, &queued.assistant_message_id).await["status"], "queued");
        assert_eq!(drover.get(&format!("/runs/{}", queued.run_id)).await.is(200)["waiting_for"], "task");
    }
    drover.says(&task, &first, "up").await;
    drover.cancel(&first).await.ok();
    drover.ended(&task, &first.assistant_message_id).await;
    assert_eq!(drover.get(&format!("/tasks/{task}")).await.is(200)["queue_held"], true);
    drover.post(&format!("/tasks/{task}/queue/resume"), &json!({})).await.ok();
    drover.ended(&task, &third.assistant_message_id).await;
    let chat = drover.chat(&task).await;
    let answers: Vec<String> = chat["messages"].as_array().expect("messages").iter().map(message_text).collect();
    assert_eq!(answers, ["!text up\n!hang", "up", "!text B", "B", "!text C", "C"]);
    let ordinals: Vec<u64> = chat["messages"]
        .as_array()
        .expect("messages")
        .iter()
        .filter_map(|message| message["ordinal"].as_u64())
        .collect();
    assert!(ordinals.len() == 6 && ordinals.is_sorted_by(|a, b| a < b), "{ordinals:?}");
}

#[tokio::test]
async fn at_most_so_many_runs_are_active_as_the_configuration_says() {
    let drover = Drover::start_with(drover_tests::harness::Setup {
        config: Some("max_active_runs = 2\n".into()),
        ..Default::default()
    })
    .await;
    let mut running = Vec::new();
    for _ in 0..2 {
        let task = drover.task().await;
        let sent = drover.send(&task, "!text up\n!hang").await;
        drover.says(&task, &sent, "up").await;
        running.push((task, sent));
    }
    let task = drover.task().await;
    let third = drover.send(&task, "!text third").await;
    until("a run that waits for the limit", PATIENCE, async || {
        let run = drover.get(&format!("/runs/{}", third.run_id)).await.is(200);
        (run["state"] == "queued" && run["waiting_for"] == "limit").then_some(())
    })
    .await;
    drover.cancel(&running[0].1).await.ok();
    assert_eq!(message_text(&drover.ended(&task, &third.assistant_message_id).await), "third");
}

#[tokio::test]
async fn a_snapshot_and_the_events_after_it_are_the_whole() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!say 300 3\n!permit 1\n!await 1\n!tool a\n!say 50 2").await;
    let mut looks = Vec::new();
    for word in ["w3 ", "w40 ", "w80 ", "w120 ", "w160 ", "w299 "] {
        drover.says(&task, &sent, word).await;
        let chat = drover.chat(&task).await;
        let answer = chat["messages"].as_array().expect("messages").last().expect("an answer").clone();
        looks.push((
            answer["parts"].as_array().expect("parts").clone(),
            drover.follow(chat["seq"].as_u64().expect("a number")).await,
        ));
    }
    drover.choose(&drover.open_requests(&task, 1).await[0], "yes").await.ok();
    let end = drover.ended(&task, &sent.assistant_message_id).await;
    for (parts, stream) in looks {
        stream.until_done(&sent.assistant_message_id).await;
        assert_eq!(json!(rebuilt(&stream.events(), &sent.assistant_message_id, &parts)), end["parts"]);
    }
}

#[tokio::test]
async fn a_large_output_is_a_blob_beside_the_message() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let message = drover.turn(&task, "!bigtool 300").await;
    stream.until_done(message["id"].as_str().expect("an id")).await;
    let blob = &message["parts"][0]["raw_output"]["out"]["$blob"];
    assert_eq!(blob["size"], 300 * 1024);
    assert!(message.to_string().len() < 20_000 && stream.bytes() < 60_000, "{} bytes of events", stream.bytes());
    let body = drover.get(&format!("/blobs/{}", blob["sha256"].as_str().expect("a hash"))).await;
    assert!(body.status == 200 && body.body.len() == 300 * 1024 && body.body.iter().all(|byte| *byte == b'y'));
}

#[tokio::test]
async fn what_the_agent_says_of_its_session_is_shown_and_the_users_title_wins() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "!commands\n!usage\n!title Nice title").await;
    let link = drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200);
    assert_eq!(link["commands"], json!([{"name": "review", "description": "Review"}]));
    assert_eq!(link["usage"]["used"], 1200);
    let title = async || drover.get(&format!("/tasks/{task}")).await.is(200)["title"].clone();
    assert_eq!(title().await, "Nice title");
    drover.patch(&format!("/tasks/{task}"), &json!({"title": "Mine"})).await.ok();
    drover.turn(&task, "!title Theirs").await;
    assert_eq!(title().await, "Mine");
}

#[tokio::test]
async fn the_directory_is_the_projects_or_one_of_the_tasks_own() {
    let drover = Drover::start().await;
    let project = drover.project("work dir ü").await;
    let path = drover.subdir("work dir ü").canonicalize().expect("a path").display().to_string();
    let answer = drover.turn(&drover.task_in(&project).await, "!cwd").await;
    assert_eq!(message_text(&answer), format!("{path} {path}"));
    let answer = message_text(&drover.turn(&drover.task().await, "!cwd").await);
    let (real, told) = answer.split_once(' ').expect("two paths");
    let data = drover.data().canonicalize().expect("a path").display().to_string();
    assert!(real == told && real.starts_with(&data), "{answer}");
}

#[tokio::test]
async fn pages_go_back_to_the_first_message() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    for index in 0..4 {
        drover.turn(&task, &format!("!text a{index}")).await;
    }
    let mut seen: Vec<Value> = Vec::new();
    let mut before = String::new();
    loop {
        let page = drover.get(&format!("/tasks/{task}/chat?limit=3{before}")).await.is(200);
        let mut messages = page["messages"].as_array().expect("messages").clone();
        messages.append(&mut seen);
        seen = messages;
        if page["has_more"] == false {
            break;
        }
        before = format!("&before={}", seen[0]["ordinal"]);
    }
    let texts: Vec<String> = seen.iter().filter(|message| message["role"] == "assistant").map(message_text).collect();
    assert_eq!((texts, seen.len()), (["a0", "a1", "a2", "a3"].map(String::from).to_vec(), 8));
}

#[tokio::test]
async fn an_idempotency_key_makes_one_of_many_tries_to_create() {
    use drover_tests::harness::Call;
    let drover = Drover::start().await;
    let create =
        |title: &str| Call::new("POST", "/tasks").json(&json!({"title": title})).header("idempotency-key", "k-1");
    let first = drover.call(create("one")).await.is(201);
    let again = drover.call(create("one")).await.ok();
    assert_eq!(first["id"], again["id"]);
    assert!(drover.call(create("two")).await.status >= 400, "the key is taken by another body");
    assert_eq!(drover.get("/tasks").await.is(200)["tasks"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn projects_and_tasks_are_made_changed_listed_and_removed() {
    let drover = Drover::start().await;
    let project = drover.post("/projects", &json!({"path": drover.subdir("one"), "name": "Named"})).await.is(201);
    assert_json_snapshot!("a_project", redacted(&project, &drover.dir_text()));
    let id = project["id"].as_str().expect("an id");
    let task = drover.post("/tasks", &json!({"project_id": id, "title": "First"})).await.is(201);
    assert_json_snapshot!("a_task", redacted(&task, &drover.dir_text()));
    let task_id = task["id"].as_str().expect("an id");
    let path = format!("/tasks/{task_id}");
    let changed =
        drover.patch(&path, &json!({"title": "Second", "pinned": true, "archived": true, "read": true})).await.is(200);
    assert_eq!(
        (&changed["title"], &changed["pinned"], &changed["archived"]),
        (&json!("Second"), &json!(true), &json!(true))
    );
    let count =
        async |query: &str| drover.get(&format!("/tasks{query}")).await.is(200)["tasks"].as_array().map(Vec::len);
    assert_eq!(
        (count("").await, count("?archived=true").await, count(&format!("?archived=true&project_id={id}")).await),
        (Some(0), Some(1), Some(1))
    );
    assert_eq!((count("?archived=true&q=seco").await, count("?archived=true&q=first").await), (Some(1), Some(0)));
    let stream = drover.follow_now().await;
    drover.delete(&format!("/projects/{id}")).await.is(204);
    stream.until("the project gone", |event| event.kind == "project.deleted" && event.data["id"] == id).await;
    let kept = drover.get(&path).await.is(200);
    assert_eq!((&kept["project_id"], &kept["cwd"]), (&Value::Null, &task["cwd"]), "its tasks are kept");
    assert!(drover.subdir("one").is_dir(), "nothing on disk is touched");
    drover.delete(&path).await.is(204);
    stream.until("the task gone", |event| event.kind == "task.deleted" && event.data["id"] == task_id).await;
    drover.get(&path).await.problem(404);
}

#[tokio::test]
async fn tasks_come_in_pages_newest_activity_first() {
    let drover = Drover::start().await;
    let mut made = Vec::new();
    for _ in 0..7 {
        made.push(drover.task().await);
    }
    drover.turn(&made[2], "!text newest").await;
    made.reverse();
    let newest = made.remove(4);
    made.insert(0, newest);
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = drover.get(&format!("/tasks?limit=3{cursor}")).await.is(200);
        listed.extend(
            page["tasks"].as_array().expect("tasks").iter().filter_map(|task| task["id"].as_str().map(str::to_owned)),
        );
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(listed, made);
}
