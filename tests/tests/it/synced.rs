//! What is acknowledged is on disk: seen from outside, by a trace of the system calls.

use drover_tests::harness::{Drover, Setup, process};

/// The trace's calls, whole: an interrupted call stands where it returned.
fn calls(trace: &str) -> Vec<String> {
    let mut open = std::collections::HashMap::new();
    let mut calls = Vec::new();
    for line in trace.lines() {
        let Some((pid, call)) = line.split_once(' ') else { continue };
        let call = call.trim_start();
        if let Some(begun) = call.strip_suffix(" <unfinished ...>") {
            open.insert(pid.to_owned(), begun.to_owned());
        } else if call.starts_with("<... ") {
            let rest = call.split_once('>').map_or("", |(_, rest)| rest);
            calls.push(open.remove(pid).unwrap_or_default() + rest);
        } else {
            calls.push(call.to_owned());
        }
    }
    calls
}

/// Asserts a synced write-ahead log between the first read from a socket that holds `from` and the first call after it that holds `to`.
/// `from` stands in a body: a server may read the first line of a request in pieces.
fn synced_between(calls: &[String], from: &str, to: &str) {
    let begin = calls
        .iter()
        .position(|call| call.starts_with("recv") && call.contains(from))
        .unwrap_or_else(|| panic!("no call with {from}"));
    let length = calls[begin..]
        .iter()
        .position(|call| call.contains(to))
        .unwrap_or_else(|| panic!("no call with {to} after {from}"));
    let between = &calls[begin..begin + length];
    let is_sync = |call: &&String| {
        (call.starts_with("fdatasync") || call.starts_with("fsync"))
            && call.contains("drover.db-wal")
            && call.ends_with("= 0")
    };
    assert!(between.iter().any(|call| is_sync(&call)), "nothing was synced between {from} and {to}: {between:#?}");
}

#[tokio::test]
async fn a_send_is_synced_before_its_202_and_an_answer_before_the_agent_gets_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let trace = dir.path().join("trace");
    let calls_of_interest = "trace=read,readv,recvfrom,write,writev,sendto,sendmsg,fsync,fdatasync";
    let wrapper = ["strace", "-f", "-y", "-s", "4000", "-o"].map(Into::into).into_iter();
    let wrapper = wrapper.chain([trace.clone().into(), "-e".into(), calls_of_interest.into()]).collect();
    let mut drover = Drover::start_with(Setup { wrapper, ..Setup::default() }).await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!permit 7\n!await 7").await;
    let request = drover.open_requests(&task, 1).await.remove(0);
    drover.choose(&request, "yes").await.ok();
    drover.ended(&task, &sent.assistant_message_id).await;
    process::signal(drover.pid(), libc::SIGTERM);
    drover.exit_status().await;
    let calls = calls(&String::from_utf8_lossy(&std::fs::read(trace).expect("a trace")));
    synced_between(&calls, "!permit 7", "HTTP/1.1 202 Accepted");
    let answer = r#"\"option_id\":\"yes\""#;
    synced_between(&calls, answer, "HTTP/1.1 200 OK");
    synced_between(&calls, answer, r#"\"outcome\":\"selected\""#);
}
