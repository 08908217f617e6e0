use super::*;

async fn upload(daemon: &Daemon, name: &str, bytes: &'static [u8]) -> Answer {
    let bearer = format!("Bearer {}", daemon.token);
    let headers = [("authorization", bearer.as_str()), ("content-type", "text/html")];
    let path = format!("/api/v1/attachments?name={name}");
    let mut request = request("POST", &path, &headers, "");
    request.headers_mut().remove("content-length");
    *request.body_mut() = Body::from(bytes);
    let (parts, body) = daemon.send(request).await.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap().to_vec();
    Answer { status: parts.status, headers: parts.headers, body }
}

fn files(daemon: &Daemon) -> usize {
    std::fs::read_dir(daemon.app.attachments()).unwrap().count()
}

#[tokio::test]
async fn a_file_comes_back_as_it_was_and_harmless() {
    let daemon = Daemon::start().await;
    let made = upload(&daemon, "..%2F..%2Fx%3Cy%3E.html", b"<script>alert(1)</script>").await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    let made = made.json();
    assert_eq!(
        (made["name"].as_str(), made["size"].as_i64(), made["mime_type"].as_str()),
        (Some("x<y>.html"), Some(25), Some("text/plain"))
    );
    let got = daemon.get(&format!("/attachments/{}", made["id"].as_str().unwrap())).await;
    assert_eq!(got.body, b"<script>alert(1)</script>");
    assert!(got.headers["content-disposition"].to_str().unwrap().starts_with("attachment;"));
    assert_eq!(got.headers["x-content-type-options"], "nosniff");
    assert_eq!(files(&daemon), 1);
}

#[tokio::test]
async fn a_file_over_the_limit_leaves_nothing() {
    let daemon = Daemon::with("attachment_bytes = 1024\n").await;
    assert_eq!(upload(&daemon, "x", &[b'x'; 1024]).await.status, StatusCode::CREATED);
    let refused = upload(&daemon, "x", &[b'x'; 1025]).await;
    assert_eq!(refused.problem(), (413, "too-large".into()));
    assert_eq!(refused.json()["limit"], 1024);
    assert_eq!(files(&daemon), 1);
}

#[tokio::test]
async fn what_is_not_sent_in_a_week_is_swept() {
    let daemon = Daemon::start().await;
    let made = upload(&daemon, "x", b"").await.json();
    let at = format!("/attachments/{}", made["id"].as_str().unwrap());
    daemon.pass(7 * 86_400_000);
    routes::sweep(&daemon.app).await.unwrap();
    assert_eq!(daemon.get(&at).await.status, StatusCode::OK);
    daemon.pass(1);
    routes::sweep(&daemon.app).await.unwrap();
    assert_eq!(daemon.get(&at).await.status, StatusCode::NOT_FOUND);
}
