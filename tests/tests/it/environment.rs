//! What an agent's process inherits.

use std::{fs, os::unix::fs::PermissionsExt};

use drover_tests::harness::{Drover, PATIENCE, Setup, agent, message_text, process, scripted_agent, until};
use serde_json::{Value, json};

fn env(name: &str, value: &str) -> (std::ffi::OsString, std::ffi::OsString) {
    (name.into(), value.into())
}

#[tokio::test]
async fn marks_of_a_surrounding_agent_do_not_get_through_and_what_the_user_sets_does() {
    let dirty = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "GIT_DIR", "NODE_OPTIONS", "npm_config_x", "LD_PRELOAD"];
    let mut setup = Setup {
        agents: vec![agent("alpha"), agent("beta").env("FOO", "bar").env("CLAUDECODE", "keep")],
        ..Setup::default()
    };
    setup.env = dirty.iter().filter(|name| **name != "LD_PRELOAD").map(|name| env(name, "1")).collect();
    setup.env.extend([env("KEEP_ME", "yes"), env("CLAUDE_CONFIG_DIR", "/c"), env("HTTP_PROXY", "http://proxy")]);
    let drover = Drover::start_with(setup).await;
    let told = async |agent: &str, names: &str| -> Value {
        let task = drover.task().await;
        let sent = drover.send_to(&task, agent, &format!("!env {names}")).await;
        serde_json::from_str(&message_text(&drover.ended(&task, &sent.assistant_message_id).await)).expect("JSON")
    };
    for name in dirty {
        assert_eq!(told("alpha", name).await, json!({name: null}));
    }
    assert_eq!(
        told("alpha", "KEEP_ME CLAUDE_CONFIG_DIR HTTP_PROXY").await,
        json!({"KEEP_ME": "yes", "CLAUDE_CONFIG_DIR": "/c", "HTTP_PROXY": "http://proxy"})
    );
    assert_eq!(told("beta", "FOO CLAUDECODE").await, json!({"FOO": "bar", "CLAUDECODE": "keep"}));
    let home = drover.dir.path().join("home").display().to_string();
    assert_eq!(told("alpha", "HOME LANG").await, json!({"HOME": home, "LANG": "C.UTF-8"}));
    let secrets = std::fs::read(format!("/proc/{}/environ", drover.starts("alpha")[0])).expect("it is ours");
    assert!(!String::from_utf8_lossy(&secrets).contains(&drover.token));
}

#[tokio::test]
async fn a_key_is_kept_from_an_agent_by_name_from_its_next_start_on_and_never_told() {
    let setup = Setup {
        env: vec![env("SOME_API_KEY", "sk-very-secret"), env("DISPLAY", ":7"), env("EDITOR", "vi")],
        agents: vec![agent("alpha").env("MINE", "1"), agent("beta")],
        ..Setup::default()
    };
    let drover = Drover::start_with(setup).await;
    let told = async |agent: &str| -> Value {
        let task = drover.task().await;
        let sent = drover.send_to(&task, agent, "!env SOME_API_KEY DISPLAY MINE").await;
        serde_json::from_str(&message_text(&drover.ended(&task, &sent.assistant_message_id).await)).expect("JSON")
    };
    let variable = |name: &str, kind: &str, policy: &str, present: bool| json!({"name": name, "kind": kind, "policy": policy, "present": present});
    let all = drover.get("/agents/alpha").await;
    assert!(!all.body.windows(14).any(|window| window == b"sk-very-secret"), "{all}");
    let variables = all.is(200)["variables"].clone();
    let listed = variables.as_array().expect("a list");
    assert!(listed.contains(&variable("SOME_API_KEY", "key", "pass", true)), "{variables}");
    assert!(listed.contains(&variable("DISPLAY", "surroundings", "pass", true)), "{variables}");
    assert!(listed.contains(&variable("MINE", "set", "pass", true)), "{variables}");
    assert!(!listed.iter().any(|variable| variable["name"] == "EDITOR"), "{variables}");
    assert_eq!(told("alpha").await, json!({"SOME_API_KEY": "sk-very-secret", "DISPLAY": ":7", "MINE": "1"}));

    let put = async |name: &str, policy: &str| {
        drover.put(&format!("/agents/alpha/variables/{name}"), &json!({"policy": policy})).await
    };
    let after = put("SOME_API_KEY", "block").await.is(200)["variables"].clone();
    assert_eq!(after[0], variable("SOME_API_KEY", "key", "block", true));
    put("DISPLAY", "block").await.is(200);
    assert_eq!(told("alpha").await, json!({"SOME_API_KEY": null, "DISPLAY": null, "MINE": "1"}));
    assert_eq!(told("beta").await["SOME_API_KEY"], "sk-very-secret", "each agent has its own choice");
    let file = fs::read_to_string(drover.data().join("agents.toml")).expect("agents.toml");
    assert!(file.contains("SOME_API_KEY") && !file.contains("sk-very-secret"), "{file}");
    put("SOME_API_KEY", "pass").await.is(200);
    assert_eq!(told("alpha").await["SOME_API_KEY"], "sk-very-secret");

    assert_eq!(put("MINE", "block").await.problem(422)["errors"][0]["field"], "name");
    assert_eq!(put("SOME_API_KEY", "ask").await.problem(422)["errors"][0]["field"], "policy");
    drover.put("/agents/nobody/variables/A", &json!({"policy": "block"})).await.problem(404);
    let doctor = drover.run(&["doctor"]).await;
    let text = String::from_utf8_lossy(&doctor.stdout);
    assert!(text.contains("SOME_API_KEY") && !text.contains("sk-very-secret"), "{text}");
}

#[tokio::test]
async fn an_agent_is_found_on_the_login_shells_path_whatever_its_start_up_file_prints() {
    let mut drover = Drover::prepared(Setup::default());
    let bin = drover.subdir("home/tools");
    fs::copy(scripted_agent(), bin.join("my-agent")).expect("a copy");
    let profile =
        format!("echo a banner; echo PATH=/nowhere\nPATH={}:$PATH\nexport PATH FROM_PROFILE=yes\n", bin.display());
    fs::write(drover.dir.path().join("home/.profile"), profile).expect("a profile");
    drover.setup.agents = vec![agent("alpha").command("my-agent", &[])];
    drover.write_agents(&drover.setup.agents);
    drover.restart().await;
    let told = message_text(&drover.turn(&drover.task().await, "!env PATH FROM_PROFILE").await);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["FROM_PROFILE"], "yes");
    assert!(
        told["PATH"].as_str().is_some_and(|path| path.contains("home/tools") && !path.contains("banner")),
        "{told}"
    );
}

#[tokio::test]
async fn a_login_shell_that_never_ends_delays_by_seconds_only() {
    let mut drover = Drover::prepared(Setup::default());
    let shell = drover.script("shell", "#!/bin/sh\nsleep 600\n");
    fs::set_permissions(&shell, fs::Permissions::from_mode(0o755)).expect("a mode");
    drover.setup.env = vec![env("SHELL", &shell.display().to_string())];
    drover.restart().await;
    let sent_at = std::time::Instant::now();
    drover.turn(&drover.task().await, "!text fine").await;
    assert!(sent_at.elapsed() < std::time::Duration::from_secs(15), "{:?}", sent_at.elapsed());
    drover.stop().await;
    let path = shell.display().to_string();
    until("the end of the shell", PATIENCE, async || {
        let left = process::table().into_iter().any(|other| process::command_line(other.pid).contains(&path));
        (!left).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_login_shell_that_hangs_while_the_daemon_is_killed_is_ended_by_the_next_one() {
    let mut drover = Drover::prepared(Setup::default());
    let hang = drover.dir.path().join("hang");
    fs::write(&hang, "").expect("a file");
    let shell = drover.script(
        "shell",
        &format!(
            "#!/bin/sh\n[ -e '{}' ] || exec /bin/sh \"$@\"\ntrap '' TERM HUP\nsetsid sleep 600 &\nsleep 601\n",
            hang.display()
        ),
    );
    drover.setup.env = vec![env("SHELL", &shell.display().to_string())];
    drover.restart().await;
    // Whoever asks for the agents makes the daemon ask the shell.
    drover.get("/agents").await.is(200);
    let below = until("a shell that hangs, with what it started", PATIENCE, async || {
        let below = process::descendants(drover.pid());
        let sleeps = |seconds| below.iter().any(|process| process::command_line(process.pid).contains(seconds));
        let pids: Vec<_> = below.iter().map(|process| process.pid).collect();
        (sleeps("600") && sleeps("601")).then_some(pids)
    })
    .await;
    drover.kill_nine().await;
    fs::remove_file(&hang).expect("the file");
    drover.restart().await;
    process::all_gone(&below, PATIENCE).await;
    drover.turn(&drover.task().await, "!text fine").await;
}

#[tokio::test]
async fn nothing_in_a_path_or_a_prompt_is_read_by_a_shell() {
    let drover = Drover::start().await;
    let odd = [
        "it's \"x\"",
        "a#b?c",
        "100%",
        "$(touch pwned)",
        "-dash",
        "日本語",
        "cafe\u{301}",
        "a:b",
        "line\nbreak",
        ";touch pwned;",
    ];
    for name in odd {
        let project = drover.project(name).await;
        let path = drover.subdir(name).canonicalize().expect("a path").display().to_string();
        let task = drover.task_in(&project).await;
        let message = drover.turn(&task, "!cwd\n!text $(touch pwned)").await;
        assert!(message_text(&message).starts_with(&format!("{path} {path}")), "{name}: {message}");
        let sent = &drover.received("alpha", "session/new").pop().expect("a session")["params"]["cwd"];
        assert_eq!(*sent, json!(path), "{name}: the path is byte-exact");
    }
    assert!(!drover.dir.path().join("pwned").exists());
}
