//! Who may call, by which name, from where.

use std::os::unix::fs::PermissionsExt;

use drover_tests::harness::{Answer, Call, Drover, raw};
use insta::assert_json_snapshot;
use serde_json::{Value, json};

/// Paths that need no login.
const PUBLIC: [&str; 1] = ["/pair"];
const SOME_ID: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// Every (method, path) that the daemon's own document names, with ids filled in.
async fn routes(drover: &Drover) -> Vec<(String, String)> {
    let document = drover.get("/openapi.json").await.is(200);
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let path = path.strip_prefix("/api/v1").unwrap_or(path);
        let filled: Vec<&str> =
            path.split('/').map(|segment| if segment.starts_with('{') { SOME_ID } else { segment }).collect();
        for method in ["get", "post", "put", "patch", "delete"] {
            if item.get(method).is_some() {
                routes.push((method.to_uppercase(), filled.join("/")));
            }
        }
    }
    assert!(routes.len() > 30, "the document names the API: {} routes", routes.len());
    routes
}

fn plain(method: &str, path: &str) -> Call {
    let call = Call::new(method, path).without_token();
    if matches!(method, "POST" | "PUT" | "PATCH") { call.json(&json!({})) } else { call }
}

#[tokio::test]
async fn no_route_answers_without_the_proof() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let wrong: String = drover.token.chars().rev().collect();
    let forwarded = |call: Call| call.header("x-forwarded-for", "127.0.0.1").header("x-forwarded-host", "localhost");
    for (method, path) in routes(&drover).await {
        if PUBLIC.contains(&path.as_str()) || path == "/healthz" {
            continue;
        }
        let bearer = |token: &str| plain(&method, &path).header("authorization", format!("Bearer {token}"));
        let tries = [
            plain(&method, &path),
            forwarded(plain(&method, &path)),
            bearer(&wrong),
            bearer(""),
            bearer(&drover.token[..drover.token.len() - 1]),
            plain(&method, &path).header("authorization", drover.token.clone()),
            plain(&method, &path)
                .header("drover-key", drover.token.clone())
                .header("cookie", format!("drover_{}={}", drover.port, drover.token)),
        ];
        for (index, call) in tries.into_iter().enumerate() {
            let answer = drover.call(call).await;
            assert_eq!(answer.status, 401, "try {index}: {answer}");
            answer.problem(401);
            assert!(!String::from_utf8_lossy(&answer.body).contains(&drover.token), "{answer}");
        }
    }
    drover.get(&format!("/tasks/{task}")).await.is(200);
    let problem = drover.call(plain("GET", "/tasks")).await.problem(401);
    assert_json_snapshot!("no_proof", problem);
}

#[tokio::test]
async fn only_the_names_of_loopback_with_the_right_port_are_served() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let port = drover.port;
    let foreign = [
        format!("evil.example:{port}"),
        "evil.example".into(),
        format!("127.0.0.1.evil.example:{port}"),
        "localhost.evil.example".into(),
        format!("localhost:{}", port + 1),
        format!("127.0.0.1:{port}0"),
        format!("0.0.0.0:{port}"),
        format!("127.0.0.2:{port}"),
        format!("[::2]:{port}"),
        format!("user@localhost:{port}"),
    ];
    for host in foreign {
        let with = |call: Call| call.header("host", host.clone());
        let send = json!({"nonce": "n", "agent": "alpha", "text": "x"});
        let calls = [
            with(Call::root("GET", "/")),
            with(Call::root("GET", "/healthz")),
            with(Call::new("GET", "/tasks")),
            with(Call::new("GET", "/events")),
            with(Call::new("GET", &format!("/attachments/{SOME_ID}"))),
            with(Call::new("POST", &format!("/tasks/{task}/messages")).json(&send)),
        ];
        for call in calls {
            let answer = drover.call(call).await;
            assert_eq!(answer.status, 421, "{host}: {answer}");
            assert!(answer.headers.get("set-cookie").is_none());
        }
    }
    assert_eq!(drover.chat(&task).await["messages"], json!([]), "nothing was stored");
    for host in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("LOCALHOST:{port}"),
        format!("localhost.:{port}"),
        format!("[::1]:{port}"),
    ] {
        for call in [Call::new("GET", "/status"), Call::new("POST", "/tasks").json(&json!({}))] {
            let answer = drover.call(call.header("host", host.clone())).await;
            assert!(matches!(answer.status, 200 | 201), "{host}: {answer}");
        }
    }
}

#[tokio::test]
async fn requests_that_name_no_host_two_or_a_whole_address_are_refused_or_served_but_never_crash() {
    let drover = Drover::start().await;
    let (port, bearer) = (drover.port, format!("Authorization: Bearer {}\r\nConnection: close\r\n", drover.token));
    let mut told = Vec::new();
    for (name, request) in [
        ("an empty host", format!("GET /api/v1/status HTTP/1.1\r\nHost: \r\n{bearer}\r\n")),
        ("no host", format!("GET /api/v1/status HTTP/1.1\r\n{bearer}\r\n")),
        (
            "two hosts",
            format!("GET /api/v1/status HTTP/1.1\r\nHost: localhost:{port}\r\nHost: evil.example\r\n{bearer}\r\n"),
        ),
        (
            "two hosts, ours last",
            format!("GET /api/v1/status HTTP/1.1\r\nHost: evil.example\r\nHost: localhost:{port}\r\n{bearer}\r\n"),
        ),
        ("a host without a port", format!("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n{bearer}\r\n")),
        ("HTTP/1.0 without a host", format!("GET /api/v1/status HTTP/1.0\r\n{bearer}\r\n")),
        (
            "a foreign whole address",
            format!("GET http://evil.example/api/v1/status HTTP/1.1\r\nHost: evil.example\r\n{bearer}\r\n"),
        ),
        ("TRACE", format!("TRACE /api/v1/status HTTP/1.1\r\nHost: localhost:{port}\r\n{bearer}\r\n")),
    ] {
        let answer = raw::exchange(port, &request).await;
        assert!((400..500).contains(&raw::status(&answer)), "{name}: {answer}");
        assert!(!answer.to_lowercase().contains("access-control-allow"), "{name}: {answer}");
        told.push((name, raw::status(&answer)));
    }
    assert_json_snapshot!(told);
    let whole = format!("GET http://localhost:{port}/api/v1/status HTTP/1.1\r\nHost: localhost:{port}\r\n{bearer}\r\n");
    let answer = raw::exchange(port, &whole).await;
    assert!(raw::status(&answer) == 200 || (400..500).contains(&raw::status(&answer)), "{answer}");
}

#[tokio::test]
async fn a_foreign_page_is_refused_on_every_kind_of_call() {
    let drover = Drover::start().await;
    let port = drover.port;
    let foreign = [
        "https://evil.example".into(),
        "null".into(),
        format!("https://127.0.0.1:{port}"),
        format!("http://localhost:{}", port + 1),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{port}.evil.example"),
        "http://127.0.0.1".into(),
    ];
    let calls = || {
        [
            Call::new("GET", "/tasks"),
            Call::new("GET", "/events"),
            Call::new("POST", "/tasks").json(&json!({})),
            Call::new("POST", "/pair").json(&json!({"code": "x"})),
        ]
    };
    for origin in foreign {
        for call in calls() {
            let answer = drover.call(call.header("origin", origin.clone())).await;
            answer.problem(403);
            assert!(
                answer.headers.keys().all(|name| !name.as_str().starts_with("access-control-")),
                "{origin}: {answer}"
            );
        }
    }
    for site in ["cross-site", "same-site", "nonsense"] {
        for call in calls() {
            drover.call(call.header("sec-fetch-site", site)).await.problem(403);
        }
    }
    for site in ["same-origin", "none"] {
        let own = Call::new("POST", "/tasks")
            .json(&json!({}))
            .header("origin", format!("http://127.0.0.1:{port}"))
            .header("sec-fetch-site", site);
        drover.call(own).await.is(201);
    }
}

#[tokio::test]
async fn a_preflight_gets_no_permission() {
    let drover = Drover::start().await;
    for path in ["/tasks", "/events", "/status"] {
        for origin in ["https://evil.example".to_owned(), format!("http://127.0.0.1:{}", drover.port)] {
            let preflight = Call::new("OPTIONS", path)
                .without_token()
                .header("origin", origin)
                .header("access-control-request-method", "POST");
            let answer = drover.call(preflight).await;
            assert!(answer.status >= 400, "{answer}");
            assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control-")), "{answer}");
        }
    }
}

#[tokio::test]
async fn bodies_are_json_and_unknown_paths_ids_and_fields_are_told_as_problems() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let messages = format!("/tasks/{task}/messages");
    let send = |extra: Value| {
        let mut body = json!({"nonce": "n", "agent": "alpha", "text": "x"});
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        Call::new("POST", &messages).json(&body)
    };
    let cases = [
        ("no JSON", 400, Call::new("POST", &messages).body("application/json", "{nope")),
        ("a form", 415, Call::new("POST", "/tasks").body("application/x-www-form-urlencoded", "a=b")),
        ("text", 415, Call::new("POST", "/tasks").body("text/plain", "{}")),
        ("an unknown field", 422, send(json!({"surprise": 1}))),
        ("a mistyped field", 422, send(json!({"text": 1}))),
        ("a missing field", 422, Call::new("POST", &messages).json(&json!({"nonce": "n"}))),
        ("an unknown agent", 422, send(json!({"agent": "nobody"}))),
        ("no messages at all", 422, Call::new("GET", &format!("/tasks/{task}/chat?limit=0"))),
        ("a word for a number", 422, Call::new("GET", "/tasks?limit=many")),
        ("a cursor of nobody", 422, Call::new("GET", "/tasks?cursor=abc")),
        ("an unknown parameter", 422, Call::new("GET", "/tasks?sort=name")),
        ("blanks for a message", 422, send(json!({"text": " \n\t "}))),
        ("an unknown attachment", 422, send(json!({"attachments": [SOME_ID]}))),
        ("an unknown id", 404, Call::new("GET", &format!("/tasks/{SOME_ID}"))),
        ("a malformed id", 404, Call::new("GET", "/tasks/not-an-id")),
        ("an unknown path", 404, Call::new("GET", "/nothing/here")),
        ("an unknown version", 404, Call::root("GET", "/api/v2/tasks")),
        ("another method", 405, Call::new("DELETE", "/status")),
        ("a relative project", 422, Call::new("POST", "/projects").json(&json!({"path": "relative"}))),
    ];
    let mut told = Vec::new();
    for (name, status, call) in cases {
        let answer: Answer = drover.call(call).await;
        assert_eq!(answer.status, status, "{name}: {answer}");
        told.push((name, answer.problem(status)));
    }
    assert_json_snapshot!(told);
}

#[tokio::test]
async fn the_daemon_listens_on_loopback_only_and_its_files_are_its_owners() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    drover.turn(&task, "!text x").await;
    let listening = |table: &str| {
        let rows = std::fs::read_to_string(table).unwrap_or_default();
        let port = format!(":{:04X}", drover.port);
        rows.lines()
            .filter_map(|row| {
                let mut fields = row.split_whitespace().skip(1);
                let (local, state) = (fields.next()?.to_owned(), fields.nth(1)?);
                (state == "0A" && local.ends_with(&port)).then_some(local)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(listening("/proc/net/tcp"), [format!("0100007F:{:04X}", drover.port)]);
    for local in listening("/proc/net/tcp6") {
        assert!(local.starts_with("00000000000000000000000001000000:"), "{local}");
    }
    let mode = |path: &std::path::Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&drover.data()), 0o700);
    assert_eq!(mode(&drover.data().join("token")), 0o600);
    let mut databases = 0;
    for entry in drover.data().read_dir().expect("the data directory").flatten() {
        if entry.file_name().to_string_lossy().starts_with("drover.db") {
            assert_eq!(mode(&entry.path()), 0o600, "{}", entry.path().display());
            databases += 1;
        }
    }
    assert!(databases >= 1);
    let log = std::fs::read_to_string(drover.log_path()).expect("the log");
    assert!(!log.contains(&drover.token), "the token is in the log");
}

#[tokio::test]
async fn the_shell_is_strict_and_what_is_not_there_is_not_the_shell() {
    let drover = Drover::start().await;
    let page = |path: &str| {
        Call::root("GET", path)
            .without_token()
            .header("host", format!("localhost:{}", drover.port))
            .header("accept", "text/html")
    };
    for path in ["/", "/t/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/p/x/t/y", "/settings/agents", "/launch"] {
        let answer = drover.call(page(path)).await;
        assert!(answer.status == 200 && answer.header("content-type").starts_with("text/html"), "{answer}");
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-eval"), "{policy}");
        let scripts =
            policy.split(';').find(|rule| rule.trim_start().starts_with("script-src")).expect("a rule for scripts");
        assert!(!scripts.contains("'unsafe-inline'"), "{scripts}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
        assert!(
            answer.header("cache-control").contains("no-"),
            "{path} is not kept: {}",
            answer.header("cache-control")
        );
        assert!(!String::from_utf8_lossy(&answer.body).contains(&drover.token));
    }
    for path in ["/assets/app-00000000.js", "/assets/x.css"] {
        let answer = drover.call(page(path)).await;
        assert!(answer.status == 404 && !answer.header("content-type").starts_with("text/html"), "{answer}");
    }
    for host in ["127.0.0.1", "[::1]"] {
        let navigation = Call::root("GET", "/p/x?a=b")
            .without_token()
            .header("host", format!("{host}:{}", drover.port))
            .header("accept", "text/html")
            .header("sec-fetch-mode", "navigate");
        let answer = drover.call(navigation).await;
        assert_eq!(
            (answer.status, answer.header("location").to_owned()),
            (308, format!("http://localhost:{}/p/x?a=b", drover.port)),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn what_was_attached_comes_back_as_a_download_that_runs_nothing() {
    let drover = Drover::start().await;
    let script = "<script>alert(1)</script>";
    let upload = Call::new("POST", "/attachments?name=..%2F..%2Fx%3Cy%3E.html").body("text/html", script);
    let attachment = drover.call(upload).await.is(201);
    assert!(!attachment["name"].as_str().expect("a name").contains('/') && attachment["size"] == 25, "{attachment}");
    let answer = drover.get(&format!("/attachments/{}", attachment["id"].as_str().expect("an id"))).await;
    assert_eq!(answer.body, script);
    assert!(answer.header("content-disposition").starts_with("attachment"), "{answer}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert!(answer.header("content-security-policy").contains("sandbox"));
    let large = Call::new("POST", "/attachments?name=big").body("application/octet-stream", vec![0; (25 << 20) + 1]);
    drover.call(large).await.problem(413);
}
