use super::*;

/// Every method and path of the document, with ids filled in.
async fn calls(daemon: &Daemon) -> Vec<(String, String)> {
    let document = daemon.get("/openapi.json").await.json();
    let mut calls = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let filled = path.replace("{agent}", "alpha").replace("{sha256}", &"0".repeat(64));
        let filled: String = filled
            .split('/')
            .map(|part| if part.starts_with('{') { NO_ID } else { part })
            .collect::<Vec<_>>()
            .join("/");
        for method in methods.as_object().unwrap().keys() {
            calls.push((method.to_uppercase(), filled.clone()));
        }
    }
    assert!(calls.len() > 30, "{calls:?}");
    calls
}

#[tokio::test]
async fn every_call_wants_a_proof_its_own_host_and_its_own_origin() {
    let daemon = Daemon::start().await;
    let bearer = format!("Bearer {}", daemon.token);
    let wrong = format!("Bearer {}", "0".repeat(64));
    let json = ("content-type", "application/json");
    for (method, path) in calls(&daemon).await {
        let is_pair = path == "/api/v1/pair";
        let told = |answer: Answer| answer.problem().0;
        if !is_pair {
            assert_eq!(told(daemon.bare(&method, &path, &[json], "{}").await), 401, "{method} {path}");
            let headers = [json, ("authorization", wrong.as_str())];
            assert_eq!(told(daemon.bare(&method, &path, &headers, "{}").await), 401, "{method} {path}");
            let cookie = [json, ("cookie", "drover_7717=abc"), ("drover-key", "abc")];
            assert_eq!(told(daemon.bare(&method, &path, &cookie, "{}").await), 401, "{method} {path}");
        }
        let foreign = [json, ("authorization", bearer.as_str()), ("origin", "http://evil.example")];
        assert_eq!(told(daemon.bare(&method, &path, &foreign, "{}").await), 403, "{method} {path}");
        let rebound = [json, ("authorization", bearer.as_str()), ("host", "evil.example:7717")];
        assert_eq!(told(daemon.bare(&method, &path, &rebound, "{}").await), 421, "{method} {path}");
    }
}

#[tokio::test]
async fn what_is_no_call_is_a_problem_and_only_for_who_may_call() {
    let daemon = Daemon::start().await;
    for path in ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2/tasks", "/api/v1/tasks/"] {
        assert_eq!(daemon.bare("GET", path, &[], "").await.problem().0, 401, "{path}");
        let bearer = format!("Bearer {}", daemon.token);
        let answer = daemon.bare("GET", path, &[("authorization", &bearer)], "").await;
        assert_eq!(answer.problem(), (404, "not-found".into()), "{path}");
    }
    let answer = daemon.call("PATCH", "/tasks", serde_json::json!({})).await;
    assert_eq!(answer.problem(), (405, "method-not-allowed".into()));
    assert_eq!(answer.headers["allow"], "GET,HEAD,POST");
    for method in ["TRACE", "OPTIONS"] {
        let answer = daemon.call(method, "/tasks", Value::Null).await;
        assert_eq!(answer.problem().0, 405, "{method}");
        assert!(!answer.headers.contains_key("access-control-allow-origin"));
    }
    assert_eq!(daemon.bare("GET", "/healthz", &[], "").await.text(), "ok");
}

#[tokio::test]
async fn answers_are_not_kept_nor_guessed_at() {
    let daemon = Daemon::start().await;
    for answer in
        [daemon.get("/status").await, daemon.get("/nothing").await, daemon.bare("GET", "/api/v1/status", &[], "").await]
    {
        assert_eq!(answer.headers["cache-control"], "no-store");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["cross-origin-resource-policy"], "same-origin");
    }
}

#[tokio::test]
async fn bodies_are_json_and_say_so() {
    let daemon = Daemon::start().await;
    let bearer = format!("Bearer {}", daemon.token);
    let with = |kind: &'static str| [("authorization", bearer.clone()), ("content-type", kind.to_owned())];
    for (kind, body, status) in [
        ("text/plain", "{}", 415),
        ("application/json", "{nope", 400),
        ("application/json", "", 400),
        ("application/json", "{\"surprise\": 1}", 422),
        ("application/json; charset=utf-8", "{}", 201),
    ] {
        let headers = with(kind);
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = daemon.bare("POST", "/api/v1/tasks", &headers, body).await;
        assert_eq!(answer.status.as_u16(), status, "{kind} {body}: {}", answer.text());
    }
}
