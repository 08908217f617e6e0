//! Logging in and out: only when asked, and then the same message works.

use drover_tests::harness::{Drover, PATIENCE, Sent, Setup, agent, message_text, process::all_gone, until};
use serde_json::{Value, json};

pub(crate) async fn locked() -> Drover {
    let dir = tempfile::tempdir().expect("a directory").keep();
    Drover::with_agents([agent("alpha").env("AGENT_AUTH", dir.join("account").display().to_string()), agent("beta")])
        .await
}

/// Waits until a run waits for a login.
pub(crate) async fn waits(drover: &Drover, sent: &Sent) {
    until("a run that waits for a login", PATIENCE, async || {
        let run = drover.get(&format!("/runs/{}", sent.run_id)).await.is(200);
        (run["state"] == "starting" && run["waiting_for"] == "login").then_some(())
    })
    .await;
}

pub(crate) async fn alpha(drover: &Drover) -> Value {
    let agents = drover.get("/agents").await.is(200);
    agents["agents"].as_array().expect("agents").iter().find(|agent| agent["id"] == "alpha").expect("alpha").clone()
}

/// Waits until the login is over and gives it.
pub(crate) async fn over(drover: &Drover) -> Value {
    until("the end of the login", PATIENCE, async || {
        let login = alpha(drover).await["login"].clone();
        (login["state"] != "running").then_some(login)
    })
    .await
}

/// Waits until the terminal has shown this.
async fn shown(drover: &Drover, text: &str) -> String {
    until(text, PATIENCE, async || {
        let shown = drover.first_bytes("/agents/alpha/login/output").await?;
        shown.contains(text).then_some(shown)
    })
    .await
}

/// The number of the login's program, as it says it.
fn pid_in(shown: &str) -> u32 {
    let rest = shown.split("pid: ").nth(1).expect("it says its number");
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

async fn gone(pid: u32) {
    all_gone(&[pid], PATIENCE).await;
}

pub(crate) fn calls(drover: &Drover, method: &str) -> usize {
    drover.received("alpha", method).len()
}

#[tokio::test]
async fn nothing_is_asked_of_an_agent_until_somebody_does_and_then_the_same_message_works() {
    let drover = locked().await;
    assert_eq!(
        (&alpha(&drover).await["state"], &alpha(&drover).await["auth_methods"]),
        (&json!("ready"), &Value::Null)
    );
    let task = drover.task().await;
    let sent = drover.send(&task, "!text hello").await;
    waits(&drover, &sent).await;
    let told = alpha(&drover).await;
    assert_eq!((&told["state"], &told["can_log_out"]), (&json!("needs_login"), &json!(true)));
    let kinds: Vec<&Value> =
        told["auth_methods"].as_array().expect("methods").iter().map(|method| &method["kind"]).collect();
    assert_eq!(kinds, ["agent", "terminal", "env_var", "unsupported", "agent"]);
    assert_eq!(calls(&drover, "authenticate"), 0, "never by itself");

    for method in ["env", "odd", "never heard of"] {
        drover.post("/agents/alpha/login", &json!({"method_id": method})).await.problem(422);
    }
    drover.post("/agents/alpha/login", &json!({"method_id": "key"})).await.is(202);
    assert_eq!(over(&drover).await["state"], "succeeded");
    assert_eq!(message_text(&drover.ended(&task, &sent.assistant_message_id).await), "hello");
    assert_eq!((calls(&drover, "authenticate"), calls(&drover, "session/prompt")), (1, 1));
    assert_eq!(alpha(&drover).await["state"], "ready");
}

#[tokio::test]
async fn a_terminal_is_a_real_one_that_shows_what_is_typed_and_outlives_the_tab() {
    let drover = locked().await;
    drover.post("/agents/alpha/login", &json!({"method_id": "tty"})).await.is(202);
    let first = shown(&drover, "the word?").await;
    assert!(first.contains("terminal: true, word: a b"), "{first}");
    drover.post("/agents/alpha/login", &json!({"method_id": "key"})).await.problem(409);
    drover.put("/agents/alpha/login/size", &json!({"rows": 30, "cols": 100})).await.is(204);
    drover.put("/agents/alpha/login/size", &json!({"rows": 0, "cols": 100})).await.problem(422);
    drover.post("/agents/alpha/login/input", &json!({"data": "op"})).await.is(204);
    shown(&drover, "the word? op").await;
    drover.post("/agents/alpha/login/input", &json!({"data": "en\r"})).await.is(204);
    assert_eq!(over(&drover).await["state"], "succeeded");
    assert_eq!(calls(&drover, "authenticate"), 0, "a terminal's method is never called");
    drover.get("/agents/alpha/login/output").await.problem(404);
    assert_eq!(message_text(&drover.turn(&drover.task().await, "!text in").await), "in");
}

#[tokio::test]
async fn a_terminal_that_fails_tells_its_end_and_one_that_is_ended_leaves_no_process() {
    let drover = locked().await;
    drover.post("/agents/alpha/login", &json!({"method_id": "tty"})).await.is(202);
    shown(&drover, "the word?").await;
    drover.post("/agents/alpha/login/input", &json!({"data": "sesame\r"})).await.is(204);
    let failed = over(&drover).await;
    assert_eq!(failed["state"], "failed");
    let detail = failed["detail"].as_str().expect("a detail");
    assert!(
        detail.contains("exit status 1") && detail.contains("that is not the word") && !detail.contains('\u{1b}'),
        "{detail}"
    );

    drover.post("/agents/alpha/login", &json!({"method_id": "tty"})).await.is(202);
    let pid = pid_in(&shown(&drover, "pid: ").await);
    drover.delete("/agents/alpha/login").await.is(204);
    assert_eq!(over(&drover).await["state"], "cancelled");
    gone(pid).await;
    drover.delete("/agents/alpha/login").await.problem(404);
}

#[tokio::test]
async fn logging_out_ends_idle_processes_and_a_login_elsewhere_needs_no_restart() {
    let dir = tempfile::tempdir().expect("a directory").keep();
    let account = dir.join("account");
    std::fs::write(&account, "before").expect("a file");
    let drover = Drover::with_agents([agent("alpha").env("AGENT_AUTH", account.display().to_string())]).await;
    let task = drover.task().await;
    drover.turn(&task, "!text one").await;
    drover.post("/agents/alpha/logout", &json!({})).await.is(200);
    assert_eq!(alpha(&drover).await["state"], "needs_login");
    until("the end of the idle process", PATIENCE, async || {
        (drover.get(&format!("/tasks/{task}/links/alpha")).await.is(200)["state"] == "off").then_some(())
    })
    .await;
    let sent = drover.send(&task, "!text two").await;
    waits(&drover, &sent).await;
    std::fs::write(&account, "elsewhere").expect("a file");
    drover.post(&format!("/runs/{}/send_now", sent.run_id), &json!({})).await.is(202);
    assert_eq!(message_text(&drover.ended(&task, &sent.assistant_message_id).await), "two");
    assert_eq!(alpha(&drover).await["state"], "ready");
}

#[tokio::test]
async fn a_login_that_takes_for_ever_can_be_ended_and_disturbs_nobody() {
    let dir = tempfile::tempdir().expect("a directory").keep();
    let alpha_agent = agent("alpha")
        .env("AGENT_AUTH", dir.join("account").display().to_string())
        .delays(&json!({"authenticate": -1}));
    let drover = Drover::with_agents([alpha_agent, agent("beta")]).await;
    drover.post("/agents/alpha/login", &json!({"method_id": "key"})).await.is(202);
    until("the call", PATIENCE, async || (calls(&drover, "authenticate") == 1).then_some(())).await;
    let task = drover.task().await;
    let sent = drover.send_to(&task, "beta", "!text others go on").await;
    assert_eq!(message_text(&drover.ended(&task, &sent.assistant_message_id).await), "others go on");
    assert_eq!(alpha(&drover).await["login"]["state"], "running");
    drover.delete("/agents/alpha/login").await.is(204);
    assert_eq!(over(&drover).await["state"], "cancelled");
}

#[tokio::test]
async fn a_terminal_that_nobody_looks_at_is_ended_and_one_that_somebody_watches_goes_on() {
    let dir = tempfile::tempdir().expect("a directory").keep();
    let wants = |id: &str| agent(id).env("AGENT_AUTH", dir.join(id).display().to_string());
    let setup = Setup {
        agents: vec![wants("alpha"), wants("beta")],
        config: Some("login_seconds = 1\n".into()),
        ..Setup::default()
    };
    let drover = Drover::start_with(setup).await;
    drover.post("/agents/beta/login", &json!({"method_id": "tty"})).await.is(202);
    let watched =
        until("the watched terminal", PATIENCE, async || drover.watch("/agents/beta/login/output").await).await;
    drover.post("/agents/alpha/login", &json!({"method_id": "tty"})).await.is(202);
    let pid = pid_in(&shown(&drover, "the word?").await);
    assert_eq!(over(&drover).await["state"], "cancelled");
    gone(pid).await;
    drover.get("/agents/alpha/login/output").await.problem(404);
    let state = async || drover.get("/agents/beta").await.is(200)["login"]["state"].clone();
    assert_eq!(state().await, "running", "it began earlier, and is being looked at");
    drop(watched);
    until("the end of the other", PATIENCE, async || (state().await == "cancelled").then_some(())).await;
}
