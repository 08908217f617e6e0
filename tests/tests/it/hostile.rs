//! Agents that do not behave, on the wire.

use drover_tests::harness::{Drover, LONG, PATIENCE, agent, message_text};
use serde_json::{Value, json};

fn parts_of(message: &Value, kind: &str) -> Vec<Value> {
    message["parts"].as_array().expect("parts").iter().filter(|part| part["type"] == kind).cloned().collect()
}

#[tokio::test]
async fn lines_that_are_no_protocol_are_skipped_and_never_answered() {
    let noise: String = (0..50).map(|index| format!("!raw [log] line {index}\n")).collect();
    let start = "!bytes 0 0 [agent] ready\\n\\xef\\xbb\\xbf";
    let agents = [agent("alpha").on(&json!({"start": start})).env("AGENT_CRLF", "1"), agent("beta")];
    let drover = Drover::with_agents(agents).await;
    let task = drover.task().await;
    let script =
        format!("{noise}!noise\n!raw \"text\"\n!raw {{\"level\":\"info\",\"msg\":\"hi\"}}\n!raw    \n!text ok");
    assert_eq!(message_text(&drover.turn(&task, &script).await), "still hereok");
    assert_eq!(drover.answers("alpha"), Vec::<Value>::new(), "noise was answered");
    let last =
        "!text ok\n!bytes 0 0 {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"stopReason\":\"end_turn\"}}\n!crash 0";
    let message = drover.turn(&task, last).await;
    assert_eq!((message_text(&message).as_str(), &message["stop_reason"]), ("ok", &json!("end_turn")));
}

#[tokio::test]
async fn letters_cut_into_bytes_and_escapes_come_out_whole() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let line = |text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"$SID","update":{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"{text}"}}}}}}}}"#
        )
    };
    let message = drover
        .turn(&task, &format!("!utf8\n!bytes 7 1 {}\\n\n!chunk \"{}\"", line(r"\\ud83d\\ude00"), "你".repeat(50_000)))
        .await;
    assert_eq!(message_text(&message), format!("合并 👩‍💻 é ≤😀{}", "你".repeat(50_000)));
    let message = drover.turn(&task, &format!("!raw {}\n!text after", line(r"lone \ud800 end"))).await;
    assert!(message_text(&message).ends_with("after"), "{message}");
    let message = drover.turn(&task, &format!("!bytes 0 0 {}\\n\n!text after", line(r"broken \xff\xfe end"))).await;
    assert!(message_text(&message).ends_with("after"), "{message}");
}

#[tokio::test]
async fn unknown_kinds_are_kept_and_harm_nothing() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let message = drover.turn(&task, "!text a\n!unknown\n!update {\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"hologram\",\"data\":1}}").await;
    assert!(message_text(&message).contains("after unknown"), "{message}");
    let unknown = json!(parts_of(&message, "unknown")).to_string();
    assert!(unknown.contains("something_from_2031") && unknown.contains("hologram"), "{message}");
    let odd = json!({"sessionUpdate": "tool_call", "toolCallId": "o", "title": "Odd", "kind": "teleport", "status": "paused"});
    let message = drover.turn(&task, &format!("!update {odd}\n!reason odd_end\n!text x")).await;
    assert_eq!((&message["parts"][0]["kind"], &message["stop_reason"]), (&json!("teleport"), &json!("odd_end")));
}

#[tokio::test]
async fn updates_for_a_session_that_the_link_does_not_own_go_nowhere() {
    let drover = Drover::start().await;
    let (task, other) = (drover.task().await, drover.task().await);
    let foreign = json!({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "stray"}});
    let message = drover.turn(&task, &format!("!text mine\n!foreign {foreign}\n!text too")).await;
    assert_eq!(message_text(&message), "minetoo");
    drover.turn(&other, "!text x").await;
    for task in [task, other] {
        assert!(!drover.chat(&task).await["messages"].to_string().replace("\\\"stray\\\"", "").contains("\"stray\""));
    }
}

#[tokio::test]
async fn a_line_of_eight_mebibytes_is_taken_and_one_beyond_the_limit_skipped() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!big 8192\n!text tail").await;
    let text = message_text(&drover.ended_within(&task, &sent.assistant_message_id, LONG).await);
    assert_eq!((text.len(), text.ends_with("tail")), (8192 * 1024 + 4, true));
    let other = drover.task().await;
    let sent = drover.send(&other, "!big 66000\n!text tail").await;
    let message = drover.ended_within(&other, &sent.assistant_message_id, LONG).await;
    assert!(message_text(&message).ends_with("tail") && message_text(&message).len() < 100, "the next line works");
}

#[tokio::test]
async fn a_thousand_levels_of_nesting_are_noise() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let nested = format!("{}{}", "{\"a\":".repeat(1000), "}".repeat(1000).replacen('}', "1}", 1));
    assert_eq!(message_text(&drover.turn(&task, &format!("!raw {nested}\n!text ok")).await), "ok");
}

#[tokio::test]
async fn ids_are_echoed_to_the_digit_and_equal_numbers_are_not_confused() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let asks = ["$ID", "\"$ID\"", "0", "\"a-b\"", "9007199254740993"];
    let permits: String = asks.iter().map(|id| format!("!permit {id}\n")).collect();
    let rest = "!request \"u1\" foo/bar {}\n!raw {\"jsonrpc\":\"2.0\",\"method\":\"foo/baz\",\"params\":{}}\n!raw {\"jsonrpc\":\"2.0\",\"id\":77777,\"result\":{}}\n!await \"u1\"\n";
    let waits: String = asks.iter().map(|id| format!("!await {id}\n")).collect();
    let sent = drover.send(&task, &format!("{permits}{rest}{waits}!text end")).await;
    for request in drover.open_requests(&task, 5).await {
        drover.choose(&request, "no").await.ok();
    }
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert_eq!(message["status"], "done", "{message}");
    let prompt = &drover.received("alpha", "session/prompt")[0]["id"];
    let answers = drover.answers("alpha");
    let answer = |id: &Value| answers.iter().filter(|answer| answer["id"] == *id).cloned().collect::<Vec<_>>();
    for id in [
        prompt.clone(),
        json!(prompt.to_string().trim_matches('"')),
        json!(0),
        json!("a-b"),
        json!(9_007_199_254_740_993_u64),
    ] {
        let found = answer(&id);
        assert!(found.len() == 1 && found[0]["result"]["outcome"]["optionId"] == "no", "{id}: {answers:?}");
    }
    let refused = answer(&json!("u1"));
    assert!(refused.len() == 1 && refused[0]["error"]["code"] == -32601, "{answers:?}");
    assert_eq!(answers.len(), 6, "the notification and the stray response are not answered: {answers:?}");
}

#[tokio::test]
async fn a_flood_on_stderr_blocks_nothing_and_its_end_is_shown_with_a_failure() {
    let alpha = agent("alpha").on(&json!({"start": "!stderr 10000000"}));
    let drover = Drover::with_agents([alpha, agent("beta")]).await;
    let task = drover.task().await;
    assert_eq!(message_text(&drover.turn(&task, "!stderrlines 200000\n!text ok").await), "ok");
    let message = drover
        .turn_ending(&task, "!stderrtext \\x1b[31mred\\x1b[0m \\xff words at the end\\n\n!crash 1", "interrupted")
        .await;
    let error = json!(parts_of(&message, "error")).to_string();
    assert!(error.contains("words at the end") && !error.contains("\\u001b[31m"), "{error}");
    assert!(error.len() < 64 * 1024, "the tail is bounded: {}", error.len());
}

#[tokio::test]
async fn a_burst_of_a_hundred_thousand_chunks_is_kept_whole() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let sent = drover.send(&task, "!burst 100000 10\n!text end").await;
    let message = drover.ended_within(&task, &sent.assistant_message_id, LONG).await;
    let want: String = (0..100_000).map(|index| format!("{index:09} ")).collect();
    assert!(message_text(&message) == want + "end", "a burst of a million bytes");
    stream.until_done_within(&sent.assistant_message_id, PATIENCE).await;
    assert!(json!(stream.rebuilt(&sent.assistant_message_id)) == message["parts"]);
}

#[tokio::test]
async fn sparse_answers_are_enough() {
    let sparse = json!({"initialize": {"result": {"protocolVersion": 1}}, "session/new": {"result": {"sessionId": "s1", "configOptions": null, "modes": null, "surprise": [1]}}});
    let agents = [
        agent("alpha").answers(&sparse),
        agent("beta").answers(&json!({"session/load": {"result": null}})),
        agent("text").answers(
            &json!({"initialize": {"result": {"protocolVersion": "1", "agentCapabilities": {"loadSession": true}}}}),
        ),
    ];
    let mut drover = Drover::with_agents(agents).await;
    let tasks = [("alpha", drover.task().await), ("beta", drover.task().await), ("text", drover.task().await)];
    for round in ["one", "two"] {
        for (agent, task) in &tasks {
            let sent = drover.send_to(task, agent, &format!("!text {round}")).await;
            let message = drover.ended(task, &sent.assistant_message_id).await;
            assert_eq!(
                (message_text(&message).as_str(), &message["status"]),
                (round, &json!("done")),
                "{agent}: {message}"
            );
        }
        if round == "one" {
            drover.stop().await;
            drover.restart().await;
        }
    }
}

#[tokio::test]
async fn another_version_of_the_protocol_is_told_with_both_versions_and_the_process_ended() {
    let agents = [
        agent("alpha").answers(&json!({"initialize": {"result": {"protocolVersion": 2}}})),
        agent("beta").answers(&json!({"initialize": {"error": {"code": -32600, "message": "unsupported"}}})),
    ];
    let drover = Drover::with_agents(agents).await;
    let task = drover.task().await;
    let message = drover.turn_ending(&task, "hi", "error").await;
    let error = json!(parts_of(&message, "error")).to_string();
    assert!(error.contains('1') && error.contains('2') && error.contains("version"), "{error}");
    drover_tests::harness::process::all_gone(&drover.starts("alpha"), PATIENCE).await;
    let sent = drover.send_to(&task, "beta", "hi").await;
    let message = drover.ended(&task, &sent.assistant_message_id).await;
    assert!(
        message["status"] == "error" && json!(parts_of(&message, "error")).to_string().contains("unsupported"),
        "{message}"
    );
}

#[tokio::test]
async fn tool_output_sent_whole_again_and_again_is_not_stored_again_and_again() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let stream = drover.follow_now().await;
    let mut script = "!pendingtool g\n".to_owned();
    let mut output = String::new();
    for index in 0..400 {
        output += &format!("line {index} of the output\n");
        script += &format!(
            "!update {}\n",
            json!({"sessionUpdate": "tool_call_update", "toolCallId": "g", "rawOutput": {"out": output}})
        );
    }
    let before = stream.bytes();
    let sent = drover.send(&task, &script).await;
    stream.until_done(&sent.assistant_message_id).await;
    let sent_whole = 400 * output.len() / 2;
    let grown = usize::try_from(stream.bytes() - before).expect("a size").saturating_sub(2 * script.len());
    assert!(grown < sent_whole / 4, "{grown} bytes of events for {} of output, sent as {sent_whole}", output.len());
}

#[tokio::test]
async fn answers_that_are_no_answers_and_answers_twice_end_nothing() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let script = [
        r#"!raw {"jsonrpc":"2.0","id":$ID}"#,
        r#"!raw {"jsonrpc":"2.0","id":null,"result":{}}"#,
        r#"!raw {"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":"x"}}"#,
        "!text whole",
        "!end",
        r#"!raw {"jsonrpc":"2.0","id":$ID,"result":{"stopReason":"refusal"}}"#,
        r#"!raw {"jsonrpc":"2.0","id":$ID,"error":{"code":-1,"message":"late"}}"#,
    ];
    let message = drover.turn(&task, &script.join("\n")).await;
    assert_eq!((message_text(&message).as_str(), &message["stop_reason"]), ("whole", &json!("end_turn")));
    assert_eq!(message_text(&drover.turn(&task, "!text next").await), "next");
    let first = drover.message(&task, message["id"].as_str().expect("an id")).await;
    assert_eq!((&first["status"], &first["stop_reason"]), (&json!("done"), &json!("end_turn")));
}

#[tokio::test]
async fn what_comes_before_the_session_has_an_answer_is_applied_after_it() {
    let answers = json!({"session/new": {"result": {"sessionId": "s1"}}});
    let early = r#"!raw {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"early","description":"E"}]}}}"#;
    let drover =
        Drover::with_agents([agent("alpha").answers(&answers).on(&json!({"before session/new": early}))]).await;
    let task = drover.task().await;
    drover.turn(&task, "!text x").await;
    let link = drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200);
    assert_eq!(link["commands"][0]["name"], "early", "{link}");
}

#[tokio::test]
async fn files_and_terminals_are_not_offered_and_asking_all_the_same_is_refused_at_once() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let written = drover.dir.path().join("written");
    let calls = [
        ("fs/write_text_file", json!({"sessionId": "$SID", "path": written, "content": "x"})),
        ("fs/read_text_file", json!({"sessionId": "$SID", "path": drover.dir.path().join("agents.toml")})),
        ("terminal/create", json!({"sessionId": "$SID", "command": "touch", "args": [written]})),
        ("terminal/release", json!({"sessionId": "$SID", "terminalId": "none"})),
    ];
    let ask = |(id, (method, params)): (usize, &(&str, Value))| format!("!request {id} {method} {params}\n!await {id}");
    let script: Vec<String> = calls.iter().enumerate().map(ask).collect();
    drover.turn(&task, &script.join("\n")).await;
    let answers = drover.answers("alpha");
    assert!(answers.len() == 4 && answers.iter().all(|answer| answer["error"]["code"] == -32601), "{answers:?}");
    assert!(!written.exists());
}
