use serde_json::json;

use super::*;

#[tokio::test]
async fn a_project_is_one_directory_once() {
    let daemon = Daemon::start().await;
    let top = daemon.folder.path().canonicalize().unwrap();
    let made = daemon.call("POST", "/projects", json!({"path": top.join("a ü"), "create": true})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    let project = made.json();
    assert_eq!((project["name"].as_str(), project["path"].as_str()), (Some("a ü"), top.join("a ü").to_str()));
    let again = daemon.call("POST", "/projects", json!({"path": top.join("data/../a ü")})).await;
    assert_eq!(again.problem(), (409, "project-exists".into()));
    assert_eq!(again.json()["project_id"], project["id"]);
    for path in ["relative/x", "", "/no/such/place"] {
        let refused = daemon.call("POST", "/projects", json!({ "path": path })).await;
        assert_eq!(refused.problem().0, 422, "{path}");
        assert_eq!(refused.json()["errors"][0]["field"], "path");
    }
    let at = format!("/projects/{}", project["id"].as_str().unwrap());
    assert_eq!(daemon.call("PATCH", &at, json!({"name": " Renamed 名 "})).await.json()["name"], "Renamed 名");
    assert_eq!(daemon.call("PATCH", &at, json!({"name": "  "})).await.problem().0, 422);
    std::fs::remove_dir(top.join("a ü")).unwrap();
    assert_eq!(daemon.get("/projects").await.json()["projects"][0]["missing"], true);
    assert_eq!(daemon.call("DELETE", &format!("{at}?tasks=some"), Value::Null).await.problem().0, 422);
    assert_eq!(daemon.call("DELETE", &at, Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(daemon.call("DELETE", &at, Value::Null).await.problem().0, 404);
}

#[tokio::test]
async fn tasks_of_a_deleted_project_stay_or_go() {
    let daemon = Daemon::start().await;
    for (how, stays) in [("", true), ("?tasks=keep", true), ("?tasks=delete", false)] {
        let path = daemon.folder.path().join("p");
        let project = daemon.call("POST", "/projects", json!({"path": path, "create": true})).await.json();
        let project = project["id"].as_str().unwrap();
        let task = daemon.call("POST", "/tasks", json!({ "project_id": project })).await.json();
        let at = format!("/tasks/{}", task["id"].as_str().unwrap());
        daemon.call("DELETE", &format!("/projects/{project}{how}"), Value::Null).await;
        let after = daemon.get(&at).await;
        assert_eq!(after.status == StatusCode::OK, stays, "{how}");
        if stays {
            assert_eq!((&after.json()["project_id"], &after.json()["cwd"]), (&Value::Null, &task["cwd"]));
        }
    }
}

#[tokio::test]
async fn the_same_key_makes_one_task() {
    let daemon = Daemon::start().await;
    let bearer = format!("Bearer {}", daemon.token);
    let make = |key: &'static str, body: &'static str| {
        let (daemon, bearer) = (&daemon, bearer.as_str());
        async move {
            let headers = [("authorization", bearer), ("content-type", "application/json"), ("idempotency-key", key)];
            daemon.bare("POST", "/api/v1/tasks", &headers, body).await
        }
    };
    let (first, second) = tokio::join!(make("one", "{}"), make("one", "{}"));
    assert_eq!((first.status, first.json()), (StatusCode::CREATED, second.json()));
    assert_ne!(make("two", "{}").await.json()["id"], first.json()["id"]);
    assert_eq!(make("one", "{\"title\": \"x\"}").await.problem(), (409, "key-reused".into()));
    assert_eq!(daemon.get("/tasks").await.json()["tasks"].as_array().unwrap().len(), 2);
    daemon.pass(86_400_000);
    assert_ne!(make("one", "{}").await.json()["id"], first.json()["id"]);
}

#[tokio::test]
async fn ids_that_are_malformed_or_unknown_are_not_found() {
    let daemon = Daemon::start().await;
    for id in ["not-an-id", NO_ID, "01arz3ndektsv4rrffq69g5fav", "%ff", "..", "%00"] {
        for path in [
            "/tasks/{}",
            "/tasks/{}/chat",
            "/runs/{}",
            "/runs/{}/prompt",
            "/attachments/{}",
            "/blobs/{}",
            "/tasks/{}/links/alpha",
        ] {
            let answer = daemon.get(&path.replace("{}", id)).await;
            assert_eq!(answer.problem(), (404, "not-found".into()), "{path} {id}");
        }
    }
    let task = daemon.task().await;
    assert_eq!(daemon.get(&format!("/tasks/{task}/links/alpha")).await.json()["state"], "off");
    assert_eq!(daemon.get(&format!("/tasks/{task}/links/nobody")).await.problem().0, 404);
    assert_eq!(daemon.get(&format!("/tasks?project_id={NO_ID}")).await.problem().0, 404);
    assert_eq!(daemon.get("/tasks?limit=x").await.problem().0, 422);
    assert_eq!(daemon.get("/tasks?surprise=x").await.problem().0, 422);
}

#[tokio::test]
async fn a_send_is_recorded_once_for_its_nonce() {
    let daemon = Daemon::start().await;
    let at = format!("/tasks/{}/messages", daemon.task().await);
    let body = json!({"nonce": "n1", "agent": "alpha", "text": "hi"});
    let first = daemon.call("POST", &at, body.clone()).await;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{}", first.text());
    let again = daemon.call("POST", &at, body).await;
    assert_eq!((again.status, again.json()), (StatusCode::OK, first.json()));
    let other = daemon.call("POST", &at, json!({"nonce": "n1", "agent": "alpha", "text": "ho"})).await;
    assert_eq!(other.problem(), (409, "nonce-reused".into()));
    for (body, field) in [
        (json!({"nonce": "n2", "agent": "nobody", "text": "x"}), "agent"),
        (json!({"nonce": "n2", "agent": "../x", "text": "x"}), "agent"),
        (json!({"nonce": "n2", "agent": "alpha", "text": " \n"}), "text"),
        (json!({"nonce": "", "agent": "alpha", "text": "x"}), "nonce"),
        (json!({"agent": "alpha", "text": "x"}), "nonce"),
        (json!({"nonce": "n2", "agent": "alpha", "text": "x", "mentions": ["no/such"]}), "mentions[0]"),
        (json!({"nonce": "n2", "agent": "alpha", "text": "x", "attachments": [NO_ID]}), "attachments"),
        (json!({"nonce": "n2", "agent": "alpha", "text": "x", "attachments": ["x"]}), "attachments[0]"),
    ] {
        let refused = daemon.call("POST", &at, body.clone()).await;
        assert_eq!(refused.problem(), (422, "invalid".into()), "{body}");
        assert_eq!(refused.json()["errors"][0]["field"], field, "{body}");
    }
}

#[tokio::test]
async fn settings_are_those_of_the_file_and_change_it() {
    let daemon = Daemon::with("# mine\nhandoff_bytes = 4096 # small\n").await;
    assert_eq!(daemon.get("/settings").await.json()["settings"]["handoff_bytes"], 4096);
    let changed = daemon.call("PATCH", "/settings", json!({"handoff_bytes": 8192})).await;
    assert_eq!(changed.json()["settings"]["handoff_bytes"], 8192, "{}", changed.text());
    let path = daemon.app.dir.config();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "# mine\nhandoff_bytes = 8192 # small\n");
    let refused = daemon.call("PATCH", "/settings", json!({"handoff_bytes": 1})).await;
    assert_eq!(refused.json()["errors"][0]["field"], "handoff_bytes");
    assert_eq!(daemon.call("PATCH", "/settings", json!({"surprise": 1})).await.problem().0, 422);
    std::fs::write(&path, "handoff_bytes = \n").unwrap();
    let refused = daemon.call("PATCH", "/settings", json!({"handoff_bytes": 4096})).await;
    assert_eq!(refused.problem(), (409, "settings-broken".into()));
}
