//! Installing agents: the real npm against a registry of the test's own.

use std::{fs, path::PathBuf, time::Duration};

use drover_tests::harness::{
    Drover, LONG, PATIENCE, Package, Registry, Setup, message_text, process, scripted_agent, until,
};
use serde_json::{Value, json};

/// Longer than npm takes on a busy machine.
pub(crate) const NPM: Duration = Duration::from_secs(120);

const GEMINI: &str = "@google/gemini-cli";
/// The version that this Drover installs of it.
const PINNED: &str = "0.61.0";

/// A script that becomes the scripted agent, whatever Node.js runs it.
pub(crate) fn speaks() -> String {
    format!(
        "const child = require('child_process').spawn({:?}, [], {{stdio: 'inherit'}});\n\
         for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => child.kill(name));\n\
         child.on('exit', (code) => process.exit(code ?? 1));\n",
        scripted_agent()
    )
}

/// A version of the Gemini CLI that is the scripted agent.
pub(crate) fn gemini(version: &str) -> Package {
    Package::new(GEMINI, version)
        .file("bundle/gemini.js", speaks())
        .with("bin", json!({"gemini": "bundle/gemini.js"}))
        .with("scripts", json!({"postinstall": "touch ran-a-script"}))
}

/// A daemon whose npm uses this registry; `toml` is its agents.toml.
pub(crate) async fn drover_with(registry: &Registry, toml: &str) -> Drover {
    let mut drover = prepared(registry, toml);
    drover.restart().await;
    drover
}

pub(crate) fn prepared(registry: &Registry, toml: &str) -> Drover {
    let drover = Drover::prepared(Setup { agents: Vec::new(), ..Setup::default() });
    fs::write(drover.dir.path().join("home/.npmrc"), registry.npmrc()).expect(".npmrc");
    drover.write_agents_toml(toml);
    drover
}

pub(crate) fn place(drover: &Drover, agent: &str) -> PathBuf {
    drover.data().join("agents").join(agent)
}

/// What is below a directory, without what is below that.
pub(crate) fn names(dir: PathBuf) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// Waits until no installation of the agent goes on; gives the agent.
pub(crate) async fn settled(drover: &Drover, agent: &str) -> Value {
    until("the end of an installation", NPM, async || {
        let told = drover.get(&format!("/agents/{agent}")).await.is(200);
        told["install"]["running"].is_null().then_some(told)
    })
    .await
}

pub(crate) async fn install(drover: &Drover, agent: &str) -> Value {
    drover.post(&format!("/agents/{agent}/install"), &json!({})).await.is(202);
    settled(drover, agent).await
}

#[tokio::test]
async fn an_agent_is_announced_installed_verified_and_used() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let drover = drover_with(&registry, "").await;
    let before = drover.get("/agents/gemini").await.is(200);
    let plan = &before["install"];
    assert_eq!(
        (&before["state"], &before["found"], &plan["current"]),
        (&json!("not_installed"), &Value::Null, &Value::Null)
    );
    assert_eq!((&plan["package"], &plan["version"], &plan["blocked"]), (&json!(GEMINI), &json!(PINNED), &Value::Null));
    assert!(
        plan["publisher"].is_string() && plan["license"].is_string() && plan["bytes"].as_u64() > Some(1 << 20),
        "{plan}"
    );
    assert!(
        plan["command"].as_str().is_some_and(|line| line.contains("--ignore-scripts") && line.contains(PINNED)),
        "{plan}"
    );
    assert_eq!(registry.asked(), [""; 0], "nothing is asked of a registry before the user wants it");

    let stream = drover.follow_now().await;
    let after = install(&drover, "gemini").await;
    assert_eq!(
        (&after["state"], &after["version"], &after["hint"]),
        (&json!("ready"), &json!(PINNED), &Value::Null),
        "{after}"
    );
    assert_eq!((&after["install"]["current"], &after["install"]["failure"]), (&json!(PINNED), &Value::Null));
    assert!(after["capabilities"]["agentCapabilities"].is_object(), "what it said of itself is known: {after}");
    let dir = place(&drover, "gemini").join(PINNED);
    assert_eq!(after["found"]["managed"], PINNED);
    assert!(after["found"]["path"].as_str().is_some_and(|path| PathBuf::from(path).starts_with(&dir)), "{after}");
    stream.until("its end", |event| event.kind == "agent.upsert" && event.data["install"]["current"] == PINNED).await;
    let steps: Vec<Value> = stream
        .events()
        .iter()
        .filter(|event| event.kind == "agent.upsert" && event.data["install"]["running"].is_object())
        .map(|event| {
            assert_eq!(event.data["state"], "installing");
            assert!(event.data["progress"].as_f64().is_some_and(|part| (0.0..=1.0).contains(&part)), "{}", event.data);
            event.data["install"]["running"]["doing"].clone()
        })
        .collect();
    assert!(steps.contains(&json!("package")) && steps.last() == Some(&json!("verify")), "{steps:?}");

    assert_eq!(names(place(&drover, "gemini")), [PINNED, "current.json"], "nothing is left over");
    assert!(!dir.join("node_modules").join(GEMINI).join("ran-a-script").exists(), "scripts of packages do not run");
    let home: Vec<_> = names(drover.dir.path().join("home")).into_iter().filter(|name| name != ".npm").collect();
    assert_eq!(home, [".npmrc"], "the user's home is as it was, npm's cache aside");
    drover.post("/agents/gemini/install", &json!({})).await.problem(409);

    let task = drover.task().await;
    let sent = drover.send_to(&task, "gemini", "!text hello").await;
    assert_eq!(message_text(&drover.ended(&task, &sent.assistant_message_id).await), "hello");
}

#[tokio::test]
async fn an_update_is_offered_kept_apart_from_what_runs_and_can_be_taken_back() {
    let registry = Registry::start([gemini("0.60.0"), gemini(PINNED)]).await;
    let drover = drover_with(&registry, "[agents.gemini]\nversion = '0.60.0'\n").await;
    let old = install(&drover, "gemini").await;
    assert_eq!((&old["version"], &old["install"]["update"]), (&json!("0.60.0"), &json!(false)), "{old}");
    let task = drover.task().await;
    let sent = drover.send_to(&task, "gemini", "!text one\n!hang").await;
    drover.says(&task, &sent, "one").await;

    let stream = drover.follow_now().await;
    drover.write_agents_toml("");
    let told = stream.until("the change of agents.toml", |event| event.kind == "agent.upsert").await;
    assert_eq!(
        (&told.data["install"]["update"], &told.data["version"]),
        (&json!(true), &json!("0.60.0")),
        "a badge, no more"
    );
    let new = install(&drover, "gemini").await;
    assert_eq!((&new["version"], &new["install"]["versions"]), (&json!(PINNED), &json!([PINNED, "0.60.0"])), "{new}");

    let processes = drover.get("/agents/gemini/processes").await.is(200)["processes"].clone();
    assert_eq!(
        (&processes[0]["version"], &processes[0]["task_id"]),
        (&json!("0.60.0"), &json!(task)),
        "it keeps its version"
    );
    assert!(processes[0]["rss_bytes"].as_u64() > Some(1 << 20), "{processes}");
    assert!(processes[0]["command"].as_str().is_some_and(|line| line.contains("/0.60.0/")), "{processes}");
    drover.delete("/agents/gemini/versions/0.60.0").await.problem(409);
    drover.put("/agents/gemini/version", &json!({"version": "0.59.0"})).await.problem(404);

    let back = drover.put("/agents/gemini/version", &json!({"version": "0.60.0"})).await.is(200);
    assert_eq!((&back["version"], &back["install"]["update"]), (&json!("0.60.0"), &json!(true)), "{back}");
    let forth = install(&drover, "gemini").await;
    assert_eq!(forth["version"], PINNED, "what is there is not downloaded again: {forth}");
    let tarballs = registry.asked().iter().filter(|path| path.ends_with("/0.61.0.tgz")).count();
    assert_eq!(tarballs, 1);

    let pid = processes[0]["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok()).expect("a pid");
    drover.delete(&format!("/agents/gemini/processes/{pid}")).await.is(202);
    process::all_gone(&[pid], PATIENCE).await;
    let gone = until("a removal", PATIENCE, async || {
        let answer = drover.delete("/agents/gemini/versions/0.60.0").await;
        (answer.status == 200).then(|| answer.json())
    })
    .await;
    assert_eq!(gone["install"]["versions"], json!([PINNED]));
    let gone = drover.delete(&format!("/agents/gemini/versions/{PINNED}")).await.is(200);
    assert_eq!((&gone["state"], &gone["found"]), (&json!("not_installed"), &Value::Null), "{gone}");
}

#[tokio::test]
async fn the_users_own_program_goes_first_and_a_command_in_agents_toml_is_not_touched() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let mut drover = prepared(&registry, "");
    let bin = drover.subdir("home/tools");
    fs::write(drover.dir.path().join("home/.profile"), format!("PATH={}:$PATH\n", bin.display())).expect("a profile");
    drover.restart().await;
    install(&drover, "gemini").await;
    let own = drover.script("home/tools/gemini", &format!("#!/bin/sh\nexec {}\n", scripted_agent().display()));
    let told = drover.get("/agents/gemini").await.is(200);
    assert_eq!(told["found"], json!({"path": own.display().to_string(), "managed": null}), "which is used is said");
    assert_eq!(told["install"]["current"], PINNED);
    drover.write_agents_toml("[agents.gemini]\ncommand = '/no/such/program'\n");
    let told = drover.get("/agents/gemini").await.is(200);
    assert_eq!((&told["state"], &told["install"]), (&json!("broken"), &Value::Null));
    let problem = drover.post("/agents/gemini/install", &json!({})).await.problem(409);
    assert_eq!(problem["type"], "/problems/not-installable");
    drover.post("/agents/nobody/install", &json!({})).await.problem(404);
}

/// A platform in the names of npm's packages.
pub(crate) fn machine() -> String {
    format!("linux-{}", if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" })
}

fn on_path(name: &str) -> PathBuf {
    let found = std::process::Command::new("/bin/sh").args(["-c", &format!("command -v {name}")]).output();
    PathBuf::from(String::from_utf8(found.expect("a shell").stdout).expect("a path").trim())
}

/// A Node.js that says it is this version, once a line of shell is done.
pub(crate) fn node_that_says(version: &str, first: &str) -> String {
    let node = on_path("node");
    format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ {first}\necho {version}; exit; }}\nexec {} \"$@\"\n",
        node.display()
    )
}

/// The Node.js that is installed where the machine's is too old.
pub(crate) fn newer_node(first: &str) -> Package {
    Package::new(&format!("node-{}", machine()), "26.12.1").file("bin/node", node_that_says("v26.12.1", first))
}

/// What an agent takes that a Node.js of 20.1.0 is too old for.
pub(crate) fn claude_and_a_newer_node() -> [Package; 4] {
    let npm = on_path("npm").canonicalize().expect("npm");
    let part = format!("@anthropic-ai/claude-agent-sdk-{}", machine());
    let adapter = Package::new("@agentclientprotocol/claude-agent-acp", "0.101.0")
        .file("dist/index.js", speaks())
        .with("optionalDependencies", json!({&part: "1.0.0"}));
    let npm = Package::new("npm", "12.2.2").file("bin/npm-cli.js", format!("require({npm:?})"));
    [adapter, Package::new(&part, "1.0.0"), newer_node(":"), npm]
}

/// A daemon on a machine whose Node.js is 20.1.0.
pub(crate) async fn with_an_old_node(registry: &Registry) -> Drover {
    let mut drover = prepared(registry, "");
    let bin = drover.subdir("home/tools");
    fs::write(drover.dir.path().join("home/.profile"), format!("PATH={}:$PATH\n", bin.display())).expect("a profile");
    drover.script("home/tools/node", &node_that_says("v20.1.0", ":"));
    drover.restart().await;
    drover
}

#[tokio::test]
async fn where_the_machines_node_is_too_old_one_is_installed_beside_it_first() {
    let registry = Registry::start(claude_and_a_newer_node()).await;
    let drover = with_an_old_node(&registry).await;
    let need = drover.get("/agents/claude").await.is(200)["install"]["node"].clone();
    assert_eq!((&need["floor"], &need["have"]), (&json!("22.0.0"), &json!("20.1.0")), "it is said before");
    assert_eq!(need["packages"], json!([format!("node-{}@26.12.1", machine()), "npm@12.2.2"]));

    let after = install(&drover, "claude").await;
    assert_eq!((&after["state"], &after["install"]["node"]), (&json!("ready"), &Value::Null), "{after}");
    let task = drover.task().await;
    let sent = drover.send_to(&task, "claude", "!text hello").await;
    drover.ended(&task, &sent.assistant_message_id).await;
    let started = drover.get("/agents/claude/processes").await.is(200)["processes"][0]["command"].clone();
    assert!(started.as_str().is_some_and(|line| line.contains("agents/claude/0.101.0/")), "{started}");
    assert_eq!(names(place(&drover, "node")), ["26.12.1", "runtime.json"]);
    registry.publish(Package::new("@qwen-code/qwen-code", "0.24.4").file("cli.js", speaks()));
    assert_eq!(install(&drover, "qwen").await["state"], "ready");
    let nodes = registry.asked().iter().filter(|path| path.contains("26.12.1.tgz")).count();
    assert_eq!(nodes, 1, "it is there for all");
}

#[tokio::test]
async fn the_command_line_installs_lists_and_removes() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let drover = drover_with(&registry, "").await;
    let said = async |args: &[&str], good: bool| {
        let output = drover.run(args).await;
        assert_eq!(output.status.success(), good, "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let asked = said(&["agents", "install", "gemini"], false).await;
    for part in ["npm install", GEMINI, "Google", "Apache-2.0", "102 MB", "--yes"] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
    assert_eq!(registry.asked(), [""; 0], "without a yes nothing happens");
    drover.post("/agents/gemini/install", &json!({})).await.is(202);
    settled(&drover, "gemini").await;
    drover.delete(&format!("/agents/gemini/versions/{PINNED}")).await.is(200);
    let installed = said(&["agents", "install", "gemini", "--yes"], true).await;
    assert!(installed.contains("step") && installed.contains(PINNED), "{installed}");
    let line = said(&["agents"], true).await;
    assert!(
        line.lines().any(|line| line.starts_with("gemini") && line.contains("ready") && line.contains(PINNED)),
        "{line}"
    );
    let listed: Value = serde_json::from_str(&said(&["agents", "--json"], true).await).expect("JSON");
    assert!(listed["agents"].as_array().is_some_and(|agents| agents.len() > 5), "{listed}");
    said(&["agents", "use", "gemini", "9.9.9"], false).await;
    said(&["agents", "remove", "gemini"], true).await;
    assert!(said(&["agents"], true).await.contains("not_installed"));
    let told = drover.run(&["agents", "install", "nobody", "--yes"]).await;
    assert!(!told.status.success() && String::from_utf8_lossy(&told.stderr).contains("no such agent"), "{told:?}");
}

#[tokio::test]
async fn an_installation_that_is_cancelled_leaves_nothing_and_can_be_tried_again() {
    let registry = Registry::start([gemini(PINNED)]).await;
    let drover = drover_with(&registry, "").await;
    registry.hold(Some(GEMINI));
    drover.post("/agents/gemini/install", &json!({})).await.is(202);
    let downloading = async || registry.asked().iter().any(|path| path.ends_with(".tgz")).then_some(());
    until("a download that hangs", LONG, downloading).await;
    drover.post("/agents/gemini/install", &json!({})).await.is(202);
    let removal = drover.delete("/agents/gemini/versions/1.0.0").await.problem(409);
    assert_eq!(removal["type"], "/problems/installing");
    let below = process::descendants(drover.pid());
    assert!(!below.is_empty(), "npm runs");
    let after = drover.delete("/agents/gemini/install").await.is(200);
    assert_eq!((&after["state"], &after["install"]["running"]), (&json!("not_installed"), &Value::Null), "{after}");
    assert_eq!(after["install"]["failure"], Value::Null, "a cancel is no failure");
    process::all_gone(&below.iter().map(|process| process.pid).collect::<Vec<_>>(), PATIENCE).await;
    assert_eq!(names(place(&drover, "gemini")), [""; 0]);
    drover.delete("/agents/gemini/install").await.is(200);
    registry.hold(None);
    assert_eq!(install(&drover, "gemini").await["state"], "ready");
}
