use axum::http::Request;

use super::*;

const PORT: u16 = 7717;

fn parts(method: &str, uri: &str, headers: &[(&str, &str)]) -> Parts {
    let mut request = Request::builder().method(method).uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap().into_parts().0
}

fn status(result: Result<impl Sized, Problem>) -> u16 {
    result.err().map_or(200, |problem| problem.kind().status().as_u16())
}

#[test]
fn every_proper_name_of_loopback_works_and_no_other() {
    for (host, found) in [
        ("localhost:7717", Some(Host::Localhost)),
        ("LOCALHOST:7717", Some(Host::Localhost)),
        ("localhost.:7717", Some(Host::Localhost)),
        ("127.0.0.1:7717", Some(Host::V4)),
        ("[::1]:7717", Some(Host::V6)),
        ("localhost", None),
        ("[::1]", None),
        ("localhost:7718", None),
        ("localhost:+7717", None),
        ("localhost:07717x", None),
        ("localhost:", None),
        ("", None),
        ("evil.example:7717", None),
        ("127.0.0.1.evil.example:7717", None),
        ("localhost.evil.example", None),
        ("evil.example:7717@localhost:7717", None),
        ("::1:7717", None),
        ("[::1%lo]:7717", None),
        ("127.1:7717", None),
        ("0.0.0.0:7717", None),
    ] {
        let found_now = Host::of(&parts("GET", "/", &[("host", host)]), PORT);
        assert_eq!(found_now.ok(), found, "{host}");
    }
    assert_eq!(Host::of(&parts("GET", "/", &[("host", "localhost")]), 80), Ok(Host::Localhost));
}

#[test]
fn two_hosts_none_or_another_one_in_the_address_are_refused() {
    let twice = [("host", "localhost:7717"), ("host", "localhost:7717")];
    assert_eq!(status(Host::of(&parts("GET", "/", &twice), PORT)), 421);
    assert_eq!(status(Host::of(&parts("GET", "/", &[]), PORT)), 421);
    let ours = [("host", "localhost:7717")];
    assert_eq!(status(Host::of(&parts("GET", "http://evil.example:7717/", &ours), PORT)), 421);
    assert_eq!(status(Host::of(&parts("GET", "http://localhost:7717/", &ours), PORT)), 200);
}

#[test]
fn only_our_own_page_calls() {
    let host = ("host", "localhost:7717");
    for (name, value, expected) in [
        ("origin", "http://localhost:7717", 200),
        ("origin", "http://LOCALHOST:7717", 200),
        ("origin", "https://localhost:7717", 403),
        ("origin", "http://127.0.0.1:7717", 403),
        ("origin", "http://localhost:7718", 403),
        ("origin", "http://localhost:7717.evil.example", 403),
        ("origin", "null", 403),
        ("origin", "", 403),
        ("sec-fetch-site", "same-origin", 200),
        ("sec-fetch-site", "none", 200),
        ("sec-fetch-site", "same-site", 403),
        ("sec-fetch-site", "cross-site", 403),
        ("x-forwarded-host", "evil.example", 200),
    ] {
        let headers = parts("POST", "/api/v1/tasks", &[host, (name, value)]).headers;
        assert_eq!(status(same_origin(&headers)), expected, "{name}: {value}");
    }
    let two = parts("GET", "/", &[host, ("origin", "http://localhost:7717"), ("origin", "null")]);
    assert_eq!(status(same_origin(&two.headers)), 403);
}

#[test]
fn a_body_says_that_it_is_json() {
    for (method, path, kind, length, expected) in [
        ("POST", "/api/v1/tasks", Some("application/json"), "2", 200),
        ("POST", "/api/v1/tasks", Some("Application/JSON; charset=utf-8"), "2", 200),
        ("POST", "/api/v1/tasks", Some("text/plain"), "2", 415),
        ("POST", "/api/v1/tasks", Some("application/jsonx"), "2", 415),
        ("POST", "/api/v1/tasks", None, "2", 415),
        ("POST", "/api/v1/runs/x/cancel", None, "0", 200),
        ("DELETE", "/api/v1/runs/x", Some("text/plain"), "2", 415),
        ("POST", "/api/v1/attachments", Some("text/html"), "2", 200),
        ("PUT", "/api/v1/attachments", Some("text/html"), "2", 415),
    ] {
        let mut headers = vec![("content-length", length)];
        headers.extend(kind.map(|kind| ("content-type", kind)));
        assert_eq!(status(is_json(&parts(method, path, &headers))), expected, "{method} {path} {kind:?}");
    }
    let chunked = [("transfer-encoding", "chunked")];
    assert_eq!(status(is_json(&parts("POST", "/api/v1/tasks", &chunked))), 415);
}

#[test]
fn a_navigation_is_told_from_a_call() {
    let page = ("accept", "text/html,application/xhtml+xml");
    assert!(is_navigation(&parts("GET", "/", &[page])));
    assert!(is_navigation(&parts("GET", "/", &[("sec-fetch-mode", "navigate")])));
    assert!(!is_navigation(&parts("GET", "/", &[page, ("sec-fetch-mode", "no-cors")])));
    assert!(!is_navigation(&parts("GET", "/", &[("accept", "*/*")])));
    assert!(!is_navigation(&parts("POST", "/", &[page])));
    assert!(is_api("/api") && is_api("/api/v1/x") && !is_api("/apis") && !is_api("/t/api/"));
}

#[test]
fn only_logging_in_needs_no_login() {
    assert!(is_open(&parts("POST", "/api/v1/pair", &[])));
    for (method, path) in
        [("GET", "/api/v1/pair"), ("POST", "/api/v1/pair/"), ("POST", "/api/v1/launch"), ("POST", "/api/v1/pair/x")]
    {
        assert!(!is_open(&parts(method, path, &[])), "{method} {path}");
    }
}

#[test]
fn a_cookie_is_found_among_those_of_other_servers() {
    let headers =
        parts("GET", "/", &[("cookie", "drover_7717=a; other=x;drover_77=b"), ("cookie", "drover_7717=c=d")]).headers;
    let found: Vec<_> = proof::cookies(&headers, "drover_7717").collect();
    assert_eq!(found, ["a", "c=d"]);
}
