//! What changed on disk since a run began, where the task is in a git repository.

use std::process::Command;

use drover_tests::harness::Drover;
use serde_json::json;

fn git(at: &std::path::Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"];
    let output = Command::new("git").arg("-C").arg(at).args(identity).args(arguments).output().expect("git");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn what_changed_since_a_run_began_is_told_and_what_changed_before_is_not() {
    let mut drover = Drover::start().await;
    let repository = drover.subdir("repository");
    git(&repository, &["init", "-q"]);
    std::fs::write(repository.join("before"), "1").expect("a file");
    let hour = std::time::Duration::from_secs(3600);
    let file = std::fs::File::open(repository.join("before")).expect("the file");
    let earlier = file.metadata().and_then(|data| data.modified()).expect("a time") - hour;
    file.set_modified(earlier).expect("an earlier time");
    let project = drover.project_at(&repository).await;
    let task = drover.task_in(&project).await;
    let sent = drover.send(&task, "!text on\n!pendingtool z\n!hang").await;
    drover.says(&task, &sent, "on").await;
    std::fs::write(repository.join("Grüße.txt"), "1").expect("a file");
    drover.kill_nine().await;
    drover.restart().await;
    let evidence = drover.get(&format!("/runs/{}/evidence", sent.run_id)).await.is(200);
    let changes: Vec<_> =
        evidence["changes"].as_array().expect("changes").iter().map(|each| (&each["path"], &each["kind"])).collect();
    assert_eq!(changes, [(&json!("Grüße.txt"), &json!("untracked"))], "{evidence}");
    assert_eq!(
        (&evidence["detail"], &evidence["more"], &evidence["commits"]),
        (&json!(null), &json!(false), &json!([]))
    );
}

#[tokio::test]
async fn a_task_in_no_repository_has_none_and_says_why() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let sent = drover.send(&task, "!text on\n!hang").await;
    drover.says(&task, &sent, "on").await;
    let evidence = drover.get(&format!("/runs/{}/evidence", sent.run_id)).await.is(200);
    assert_eq!((&evidence["root"], &evidence["changes"]), (&json!(null), &json!([])));
    assert_eq!(evidence["detail"], "the directory is in no git repository");
    let queued = drover.send(&task, "!text later").await;
    drover.get(&format!("/runs/{}/evidence", queued.run_id)).await.problem(404);
}
