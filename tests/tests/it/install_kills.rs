//! The daemon killed in each step of an installation that brings a Node.js of its own first: the next one goes on from there.

use std::fs;

use drover_tests::harness::{Drover, LONG, PATIENCE, Registry, process, until};
use serde_json::{Value, json};

use crate::install::{
    claude_and_a_newer_node, gemini, install, machine, names, newer_node, place, settled, with_an_old_node,
};

const VERSION: &str = "0.101.0";

/// Waits until this part of an installation is reached, kills the daemon in it, and starts the next.
async fn killed(drover: &mut Drover, what: &str, reached: impl AsyncFn(&Drover) -> bool) {
    until(what, LONG, async || reached(drover).await.then_some(())).await;
    let below: Vec<_> = process::descendants(drover.pid()).iter().map(|process| process.pid).collect();
    drover.kill_nine().await;
    assert!(!place(drover, "claude").join("current.json").exists(), "{what}: it is not used before it is whole");
    drover.restart().await;
    process::all_gone(&below, PATIENCE).await;
}

/// Whether a tarball of this package was asked for so many times.
fn asked_for(registry: &Registry, package: &str, times: usize) -> bool {
    let tarball = format!("{package}/-/");
    registry.asked().iter().filter(|path| path.starts_with(&tarball)).count() >= times
}

/// The agent is there as if nothing had happened, and so is the Node.js.
async fn goes_on(drover: &Drover) {
    let after = settled(drover, "claude").await;
    assert_eq!((&after["state"], &after["install"]["failure"]), (&json!("ready"), &Value::Null), "{after}");
    assert_eq!(names(place(drover, "claude")), [VERSION, "current.json"]);
    assert_eq!(names(place(drover, "node")), ["26.12.1", "runtime.json"]);
}

async fn begin(drover: &Drover, agent: &str) {
    drover.post(&format!("/agents/{agent}/install"), &json!({})).await.is(202);
}

#[tokio::test]
async fn a_kill_while_node_its_npm_or_the_agent_is_downloaded_is_gone_on_from() {
    let node = format!("node-{}", machine());
    for package in [node.as_str(), "npm", "@agentclientprotocol/claude-agent-acp"] {
        let registry = Registry::start(claude_and_a_newer_node()).await;
        let mut drover = with_an_old_node(&registry).await;
        registry.hold(Some(package));
        begin(&drover, "claude").await;
        killed(&mut drover, package, async |_| asked_for(&registry, package, 1)).await;
        until("another try", LONG, async || asked_for(&registry, package, 2).then_some(())).await;
        let told = drover.get("/agents/claude").await.is(200)["install"]["running"].clone();
        let doing = if package.starts_with('@') { "package" } else { "node" };
        assert_eq!(told["doing"], doing, "{package}: {told}");
        registry.hold(None);
        goes_on(&drover).await;
    }
}

#[tokio::test]
async fn a_kill_while_the_new_node_says_its_version_is_gone_on_from() {
    let registry = Registry::start(claude_and_a_newer_node()).await;
    let mut drover = with_an_old_node(&registry).await;
    let (started, gate) = (drover.dir.path().join("started"), drover.dir.path().join("gate"));
    let first = format!("touch {:?}; until [ -e {:?} ]; do sleep 0.05; done", started, gate);
    registry.publish(newer_node(&first));
    begin(&drover, "claude").await;
    killed(&mut drover, "a Node.js that does not answer yet", async |_| started.exists()).await;
    fs::write(gate, "").expect("a file");
    goes_on(&drover).await;
}

#[tokio::test]
async fn a_kill_between_two_steps_is_gone_on_from() {
    let registry = Registry::start(claude_and_a_newer_node()).await;
    let mut drover = with_an_old_node(&registry).await;
    install(&drover, "claude").await;
    let wanted = format!(r#"{{"version":"{VERSION}","tries":1}}"#);
    // In the place of Node.js, but not known as it yet; known, and the agent not begun; half of the agent there.
    for lost in [&["node/runtime.json", "claude"][..], &["claude"], &["claude/current.json"]] {
        drover.kill_nine().await;
        for each in lost {
            let path = drover.data().join("agents").join(each);
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("it was there");
        }
        let place = place(&drover, "claude");
        fs::create_dir_all(place.join(".partial/half")).expect("a directory");
        fs::write(place.join("wanted.json"), &wanted).expect("a file");
        drover.restart().await;
        let ready = async || (drover.get("/agents/claude").await.is(200)["state"] == "ready").then_some(());
        until("an agent that is there", LONG, ready).await;
        goes_on(&drover).await;
    }
}

#[tokio::test]
async fn a_kill_while_one_installation_waits_for_another_is_gone_on_from() {
    let registry = Registry::start(claude_and_a_newer_node()).await;
    registry.publish(gemini("0.61.0"));
    let mut drover = with_an_old_node(&registry).await;
    registry.hold(Some("@google/gemini-cli"));
    begin(&drover, "gemini").await;
    until("the first", LONG, async || asked_for(&registry, "@google/gemini-cli", 1).then_some(())).await;
    begin(&drover, "claude").await;
    let waits =
        async |drover: &Drover| drover.get("/agents/claude").await.is(200)["install"]["running"]["doing"] == "waiting";
    killed(&mut drover, "one that waits", waits).await;
    registry.hold(None);
    goes_on(&drover).await;
    assert_eq!(settled(&drover, "gemini").await["state"], "ready");
}

#[tokio::test]
async fn a_node_that_is_not_what_was_asked_for_is_not_kept_and_the_agent_not_begun() {
    let registry = Registry::start(claude_and_a_newer_node()).await;
    let drover = with_an_old_node(&registry).await;
    for (package, code) in [
        (newer_node(":").broken(), "integrity"),
        (newer_node(":").inside("26.12.2"), "wrong_version"),
        (newer_node("exit 1"), "does_not_start"),
    ] {
        registry.publish(package);
        let _ = fs::remove_dir_all(drover.dir.path().join("home/.npm"));
        let failure = install(&drover, "claude").await["install"]["failure"].clone();
        assert_eq!(failure["code"], code, "{failure}");
        assert_eq!((names(place(&drover, "node")), names(place(&drover, "claude"))), (vec![], vec![]), "{code}");
    }
    registry.publish(newer_node(":"));
    let _ = fs::remove_dir_all(drover.dir.path().join("home/.npm"));
    install(&drover, "claude").await;
    goes_on(&drover).await;
}
