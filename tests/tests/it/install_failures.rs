//! Installations that go wrong: each says so with what to do, leaves nothing, and takes nothing away.

use std::{fs, io::Write};

use drover_tests::harness::{Drover, LONG, Mount, PATIENCE, Package, Registry, process, until};
use serde_json::{Value, json};

use crate::install::{drover_with, gemini, install, names, place, prepared, settled, speaks};

const PINNED: &str = "0.61.0";

/// The failure of an installation, once it left nothing but what was there before.
async fn fails(drover: &Drover, agent: &str) -> Value {
    let before = names(place(drover, agent));
    let after = install(drover, agent).await;
    let failure = after["install"]["failure"].clone();
    assert!(failure["message"].as_str().is_some_and(|message| message.len() > 40), "{after}");
    assert_eq!(names(place(drover, agent)), before, "{failure}");
    failure
}

#[tokio::test]
async fn what_the_registry_gives_is_not_taken_unless_it_is_what_was_asked_for() {
    let registry = Registry::start([gemini("0.60.0")]).await;
    let drover = drover_with(&registry, "[agents.gemini]\nversion = '0.60.0'\n").await;
    install(&drover, "gemini").await;
    drover.write_agents_toml("");
    let failure = fails(&drover, "gemini").await;
    assert_eq!(failure["code"], "not_in_registry", "{failure}");
    assert!(
        failure["message"].as_str().is_some_and(|message| message.contains("@google/gemini-cli@0.61.0")),
        "{failure}"
    );
    registry.publish(gemini(PINNED).broken());
    assert_eq!(fails(&drover, "gemini").await["code"], "integrity");
    registry.publish(gemini(PINNED).inside("0.61.1"));
    let failure = fails(&drover, "gemini").await;
    assert_eq!(failure["code"], "wrong_version", "{failure}");
    assert!(
        failure["message"].as_str().is_some_and(|message| message.contains("0.61.1 instead of 0.61.0")),
        "{failure}"
    );
    let deaf = Package::new("@google/gemini-cli", PINNED);
    registry.publish(deaf.clone().file("bundle/gemini.js", "console.error('no licence'); process.exit(3)"));
    clean_cache(&drover);
    let failure = fails(&drover, "gemini").await;
    assert_eq!((&failure["code"], &failure["detail"]), (&json!("does_not_start"), &json!("no licence")), "{failure}");
    assert!(failure["message"].as_str().is_some_and(|message| message.contains("exit status 3")), "{failure}");
    registry.publish(deaf);
    clean_cache(&drover);
    assert_eq!(fails(&drover, "gemini").await["code"], "does_not_start");
    let told = drover.get("/agents/gemini").await.is(200);
    assert_eq!((&told["state"], &told["version"]), (&json!("ready"), &json!("0.60.0")), "what was there is still used");
    assert_eq!(drover.delete("/agents/gemini/install").await.is(200)["install"]["failure"], Value::Null, "put aside");
}

/// npm keeps what it was told before.
fn clean_cache(drover: &Drover) {
    let _ = fs::remove_dir_all(drover.dir.path().join("home/.npm"));
}

#[tokio::test]
async fn a_part_for_this_platform_that_is_missing_is_noticed() {
    let codex = Package::new("@agentclientprotocol/codex-acp", "2.6.0").file("dist/index.js", speaks()).with(
        "optionalDependencies",
        json!({"@openai/codex-linux-x64": "1.0.0", "@openai/codex-linux-arm64": "1.0.0"}),
    );
    let registry = Registry::start([codex]).await;
    let drover = drover_with(&registry, "").await;
    let failure = fails(&drover, "codex").await;
    assert_eq!(failure["code"], "platform_missing", "{failure}");
    assert!(failure["message"].as_str().is_some_and(|message| message.contains("@openai/codex-linux-")), "{failure}");
    for platform in ["x64", "arm64"] {
        registry.publish(Package::new(&format!("@openai/codex-linux-{platform}"), "1.0.0"));
    }
    let after = install(&drover, "codex").await;
    assert_eq!((&after["state"], &after["install"]["failure"]), (&json!("ready"), &Value::Null), "{after}");
}

#[tokio::test]
async fn a_registry_that_is_away_is_told_in_seconds_with_what_to_look_at() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let drover = drover_with(&registry, "").await;
    let port = registry.port;
    drop(registry);
    let failure = fails(&drover, "gemini").await;
    assert_eq!(failure["code"], "registry_away", "{failure}");
    assert!(failure["message"].as_str().is_some_and(|message| message.contains(".npmrc")), "{failure}");
    assert!(failure["detail"].as_str().is_some_and(|detail| detail.contains(&port.to_string())), "{failure}");
}

#[tokio::test]
async fn a_disk_without_room_is_told_before_and_one_that_fills_up_is_told_after() {
    let filler: Vec<u8> = (0..1_000_000_u32).map(|index| index.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    let registry = Registry::start([gemini(PINNED).file("filler", filler)]).await;
    let drover = drover_with(&registry, "").await;
    let dir = drover.subdir("data/agents/gemini");
    let Some(small) = Mount::limited(&dir, 24 << 20) else {
        eprintln!("not run: mounting needs root");
        return;
    };
    let failure = fails(&drover, "gemini").await;
    assert_eq!(failure["code"], "no_space", "{failure}");
    assert!(failure["message"].as_str().is_some_and(|message| message.contains("153 MB are needed")), "{failure}");
    assert_eq!(registry.asked(), [""; 0], "nothing was begun");
    drop(small);
    let fills = Mount::limited(&dir, 160 << 20).expect("it was possible before");
    registry.hold(Some("@google/gemini-cli"));
    drover.post("/agents/gemini/install", &json!({})).await.is(202);
    let downloading = async || registry.asked().iter().any(|path| path.ends_with(".tgz")).then_some(());
    until("a download that hangs", LONG, downloading).await;
    let mut ballast = fs::File::create(dir.join("ballast")).expect("a file");
    while ballast.write_all(&[0; 1 << 16]).is_ok() || ballast.write_all(&[0; 256]).is_ok() {}
    registry.hold(None);
    let failure = settled(&drover, "gemini").await["install"]["failure"].clone();
    assert_eq!(failure["code"], "no_space", "{failure}");
    assert_eq!(names(place(&drover, "gemini")), ["ballast"]);
    drop(ballast);
    fs::remove_file(dir.join("ballast")).expect("the ballast");
    assert_eq!(install(&drover, "gemini").await["state"], "ready");
    drover.delete(&format!("/agents/gemini/versions/{PINNED}")).await.is(200);
    drop(fills);
}

#[tokio::test]
async fn without_npm_it_is_said_what_to_install() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let mut drover = prepared(&registry, "");
    let bin = drover.subdir("home/tools");
    fs::write(drover.dir.path().join("home/.profile"), format!("PATH={}:$PATH\n", bin.display())).expect("a profile");
    drover.script("home/tools/node", "#!/bin/sh\nexit 1\n");
    drover.restart().await;
    let blocked = drover.get("/agents").await.is(200)["agents"][2]["install"]["blocked"].clone();
    assert!(blocked.as_str().is_some_and(|blocked| blocked.contains("Install Node.js 20.0.0 or newer")), "{blocked}");
    let problem = drover.post("/agents/gemini/install", &json!({})).await.problem(409);
    assert_eq!((&problem["type"], &problem["detail"]), (&json!("/problems/install-blocked"), &blocked));
    let doctor = drover.run(&["doctor", "--json"]).await;
    let told: Value = serde_json::from_slice(&doctor.stdout).expect("JSON");
    assert!(
        told["checks"].as_array().is_some_and(|checks| checks.iter().any(|check| check["name"] == "npm")),
        "{told}"
    );
    assert_eq!(registry.asked(), [""; 0]);
}

/// Kills the daemon in the middle of an installation, and waits for what the next one makes of it.
async fn killed(drover: &mut Drover, what: &str, mut there: impl AsyncFnMut(&Drover) -> bool) {
    drover.post("/agents/gemini/install", &json!({})).await.is(202);
    until(what, LONG, async || there(drover).await.then_some(())).await;
    let below: Vec<_> = process::descendants(drover.pid()).iter().map(|process| process.pid).collect();
    drover.kill_nine().await;
    let current = place(drover, "gemini").join("current.json");
    assert!(!current.exists(), "{what}: it is not used before it is whole");
    drover.restart().await;
    process::all_gone(&below, PATIENCE).await;
}

#[tokio::test]
async fn a_daemon_that_is_killed_takes_the_installation_up_again() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let mut drover = drover_with(&registry, "").await;
    registry.hold(Some("@google/gemini-cli"));
    killed(&mut drover, "a download that hangs", async |_| registry.asked().iter().any(|path| path.ends_with(".tgz")))
        .await;
    registry.hold(None);
    let after = settled(&drover, "gemini").await;
    assert_eq!((&after["state"], &after["install"]["failure"]), (&json!("ready"), &Value::Null), "{after}");
    assert_eq!(names(place(&drover, "gemini")), [PINNED, "current.json"]);

    drover.delete(&format!("/agents/gemini/versions/{PINNED}")).await.is(200);
    let gate = drover.dir.path().join("gate");
    let waits = format!(
        "const fs = require('fs');\nfs.writeFileSync({:?}, '');\nconst timer = setInterval(() => {{\n\
         if (!fs.existsSync({:?})) return;\nclearInterval(timer);\n{}}}, 10);\n",
        drover.dir.path().join("started"),
        gate,
        speaks()
    );
    registry.publish(Package::new("@google/gemini-cli", PINNED).file("bundle/gemini.js", waits));
    clean_cache(&drover);
    let started = drover.dir.path().join("started");
    killed(&mut drover, "an agent that does not answer yet", async |_| started.exists()).await;
    fs::write(gate, "").expect("a file");
    assert_eq!(settled(&drover, "gemini").await["state"], "ready");
    assert_eq!(names(place(&drover, "gemini")), [PINNED, "current.json"]);

    // The last step: whole, but not yet the one that is used.
    drover.kill_nine().await;
    fs::remove_file(place(&drover, "gemini").join("current.json")).expect("the pointer");
    fs::write(place(&drover, "gemini").join("wanted.json"), r#"{"version":"0.61.0","tries":1}"#).expect("a file");
    let asked = registry.asked().len();
    drover.restart().await;
    let ready = async || (drover.get("/agents/gemini").await.is(200)["state"] == "ready").then_some(());
    until("the switch", LONG, ready).await;
    settled(&drover, "gemini").await;
    assert_eq!(
        (registry.asked().len(), names(place(&drover, "gemini"))),
        (asked, vec![PINNED.into(), "current.json".into()])
    );
}

#[tokio::test]
async fn an_installation_that_takes_the_daemon_along_again_and_again_is_given_up() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let mut drover = prepared(&registry, "");
    fs::create_dir_all(place(&drover, "gemini").join(".partial/half")).expect("a directory");
    fs::write(place(&drover, "gemini").join("wanted.json"), r#"{"version":"0.61.0","tries":3}"#).expect("a file");
    drover.restart().await;
    let failure = until("a failure", PATIENCE, async || {
        let told = drover.get("/agents/gemini").await.is(200)["install"]["failure"].clone();
        told.is_object().then_some(told)
    })
    .await;
    assert_eq!(failure["code"], "interrupted", "{failure}");
    assert_eq!(names(place(&drover, "gemini")), [""; 0]);
    assert_eq!(install(&drover, "gemini").await["state"], "ready", "the user can try again");
}

#[tokio::test]
async fn a_stop_of_the_daemon_ends_an_installation_at_once_and_the_next_start_goes_on() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let mut drover = drover_with(&registry, "").await;
    registry.hold(Some("@google/gemini-cli"));
    drover.post("/agents/gemini/install", &json!({})).await.is(202);
    let downloading = async || registry.asked().iter().any(|path| path.ends_with(".tgz")).then_some(());
    until("a download that hangs", LONG, downloading).await;
    let below: Vec<_> = process::descendants(drover.pid()).iter().map(|process| process.pid).collect();
    drover.stop().await;
    process::all_gone(&below, PATIENCE).await;
    registry.hold(None);
    drover.restart().await;
    let ready = async || (drover.get("/agents/gemini").await.is(200)["state"] == "ready").then_some(());
    until("an installation that went on", LONG, ready).await;
}
