use serde_json::json;

use super::*;

/// A paired browser: its cookie and its key.
async fn paired(daemon: &Daemon) -> (String, String) {
    let body = json!({"code": daemon.code().await}).to_string();
    let answer = daemon.bare("POST", "/api/v1/pair", &[("content-type", "application/json")], &body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let cookie = answer.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("drover_7717=") && cookie.contains("HttpOnly; SameSite=Strict; Path=/"), "{cookie}");
    let key = answer.json()["key"].as_str().unwrap().to_owned();
    (cookie.split(';').next().unwrap().to_owned(), key)
}

async fn status(daemon: &Daemon, method: &str, path: &str, headers: &[(&str, &str)]) -> u16 {
    daemon.bare(method, path, headers, "").await.status.as_u16()
}

#[tokio::test]
async fn a_browser_needs_both_its_cookie_and_its_key() {
    let daemon = Daemon::start().await;
    let (cookie, key) = paired(&daemon).await;
    let (other_cookie, other_key) = paired(&daemon).await;
    let at = "/api/v1/projects";
    let call = |cookie: String, key: Option<String>| {
        let daemon = &daemon;
        async move {
            let mut headers = vec![("cookie", cookie.as_str())];
            headers.extend(key.as_deref().map(|key| ("drover-key", key)));
            status(daemon, "GET", at, &headers).await
        }
    };
    assert_eq!(call(cookie.clone(), Some(key.clone())).await, 200);
    assert_eq!(call(format!("drover_7717=stolen; {cookie}"), Some(key.clone())).await, 200);
    assert_eq!(call(other_cookie, Some(other_key.clone())).await, 200);
    assert_eq!(call(cookie.clone(), None).await, 401);
    assert_eq!(call(cookie.clone(), Some(other_key)).await, 401);
    assert_eq!(call("a=b".into(), Some(key.clone())).await, 401);
    assert_eq!(call(cookie.replace("7717", "7718"), Some(key)).await, 401);
}

#[tokio::test]
async fn the_cookie_alone_opens_pictures_and_blobs_only() {
    let daemon = Daemon::start().await;
    let (cookie, _) = paired(&daemon).await;
    let cookie = [("cookie", cookie.as_str())];
    let blob = format!("/api/v1/blobs/{}", "0".repeat(64));
    assert_eq!(status(&daemon, "GET", &format!("/api/v1/attachments/{NO_ID}"), &cookie).await, 404);
    assert_eq!(status(&daemon, "GET", &blob, &cookie).await, 404);
    assert_eq!(status(&daemon, "POST", "/api/v1/attachments", &cookie).await, 401);
    assert_eq!(status(&daemon, "GET", "/api/v1/events", &cookie).await, 401);
}

#[tokio::test]
async fn a_code_is_used_once_and_tries_are_counted() {
    let daemon = Daemon::start().await;
    let json_type = [("content-type", "application/json")];
    let body = json!({"code": daemon.code().await}).to_string();
    assert_eq!(daemon.bare("POST", "/api/v1/pair", &json_type, &body).await.status, StatusCode::OK);
    for _ in 0..9 {
        let again = daemon.bare("POST", "/api/v1/pair", &json_type, &body).await;
        assert_eq!(again.problem(), (403, "wrong-code".into()));
    }
    let next = daemon.bare("POST", "/api/v1/pair", &json_type, &body).await;
    assert_eq!(next.problem(), (429, "too-many-tries".into()));
    daemon.pass(60_000);
    paired(&daemon).await;
}

#[tokio::test]
async fn a_pairing_ends_after_90_days_or_when_it_is_revoked() {
    let daemon = Daemon::start().await;
    let (cookie, key) = paired(&daemon).await;
    let proof = [("cookie", cookie.as_str()), ("drover-key", key.as_str())];
    let listed = daemon.bare("GET", "/api/v1/browsers", &proof, "").await.json();
    assert_eq!(listed["browsers"].as_array().unwrap().len(), 1);
    assert_eq!(listed["browsers"][0]["current"], true);
    daemon.pass(90 * 86_400_000 - 1);
    assert_eq!(status(&daemon, "GET", "/api/v1/status", &proof).await, 200);
    daemon.pass(1);
    assert_eq!(status(&daemon, "GET", "/api/v1/status", &proof).await, 401);

    let (cookie, key) = paired(&daemon).await;
    let proof = [("cookie", cookie.as_str()), ("drover-key", key.as_str())];
    let listed = daemon.get("/browsers").await.json();
    let id = listed["browsers"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(daemon.call("DELETE", &format!("/browsers/{id}"), Value::Null).await.status, StatusCode::NO_CONTENT);
    assert_eq!(status(&daemon, "GET", "/api/v1/status", &proof).await, 401);
    assert_eq!(daemon.call("DELETE", &format!("/browsers/{id}"), Value::Null).await.problem().0, 404);
}

#[tokio::test]
async fn a_browser_that_pairs_again_is_still_one() {
    let daemon = Daemon::start().await;
    let (cookie, _) = paired(&daemon).await;
    let body = json!({"code": daemon.code().await}).to_string();
    let headers = [("content-type", "application/json"), ("cookie", cookie.as_str())];
    assert_eq!(daemon.bare("POST", "/api/v1/pair", &headers, &body).await.status, StatusCode::OK);
    assert_eq!(daemon.get("/browsers").await.json()["browsers"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn only_the_token_makes_launch_links_and_the_directory_comes_along() {
    let daemon = Daemon::start().await;
    let (cookie, key) = paired(&daemon).await;
    let proof = [("content-type", "application/json"), ("cookie", cookie.as_str()), ("drover-key", key.as_str())];
    let refused = daemon.bare("POST", "/api/v1/launch", &proof, "{}").await;
    assert_eq!(refused.problem(), (403, "forbidden".into()));

    let link = daemon.call("POST", "/launch", json!({"directory": "/srv/x"})).await.json();
    let code = link["url"].as_str().unwrap().strip_prefix("http://localhost:7717/launch#").unwrap().to_owned();
    let body = json!({ "code": code }).to_string();
    let answer = daemon.bare("POST", "/api/v1/pair", &[("content-type", "application/json")], &body).await;
    assert_eq!(answer.json()["directory"], "/srv/x");
}
