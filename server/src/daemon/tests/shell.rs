use super::*;

const PAGE: (&str, &str) = ("accept", "text/html");

#[tokio::test]
async fn a_page_is_at_one_address_only() {
    let daemon = Daemon::start().await;
    for (host, moves) in
        [("127.0.0.1:7717", true), ("[::1]:7717", true), ("localhost:7717", false), ("LOCALHOST:7717", false)]
    {
        let answer = daemon.bare("GET", "/t/x?a=b", &[PAGE, ("host", host)], "").await;
        assert_eq!(answer.status == StatusCode::PERMANENT_REDIRECT, moves, "{host}");
        if moves {
            assert_eq!(answer.headers["location"], "http://localhost:7717/t/x?a=b");
        }
    }
    let script = daemon.bare("GET", "/t/x", &[("accept", "*/*"), ("host", "127.0.0.1:7717")], "").await;
    assert_eq!(script.status, StatusCode::OK);
    let call = daemon.bare("GET", "/api/v1/status", &[PAGE, ("host", "127.0.0.1:7717")], "").await;
    assert_eq!(call.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn every_other_address_is_the_page_with_hard_headers() {
    let daemon = Daemon::start().await;
    for path in ["/", "/t/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/p/x/t/y", "/settings/about", "/launch"] {
        for method in ["GET", "HEAD"] {
            let answer = daemon.bare(method, path, &[PAGE], "").await;
            assert_eq!(answer.status, StatusCode::OK, "{method} {path}");
            assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
            assert_eq!(answer.headers["cache-control"], "no-cache");
            assert_eq!(answer.headers["referrer-policy"], "no-referrer");
            let policy = answer.headers["content-security-policy"].to_str().unwrap();
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
        }
        assert_eq!(daemon.bare("POST", path, &[PAGE], "").await.problem().0, 405, "{path}");
    }
    let missing = daemon.bare("GET", "/assets/none.js", &[PAGE], "").await;
    assert_eq!((missing.status, missing.text()), (StatusCode::NOT_FOUND, "There is no such file.\n".into()));
}

#[tokio::test]
async fn a_person_who_comes_by_another_name_is_told_so_in_words() {
    let daemon = Daemon::start().await;
    let answer = daemon.bare("GET", "/", &[PAGE, ("host", "evil.example:7717")], "").await;
    assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST);
    assert!(answer.text().contains("http://localhost:7717"), "{}", answer.text());
}
