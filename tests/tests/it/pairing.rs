//! Browsers: the launch link, the cookie and the key.

use drover_tests::harness::{Answer, Call, Drover};
use serde_json::json;

/// A fresh launch code, as `drover open --print` gives it.
async fn launch_code(drover: &Drover) -> String {
    let output = drover.run(&["open", "--print"]).await;
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let link = format!("http://localhost:{}/launch#", drover.port);
    let (_, code) = printed.split_once(&link).unwrap_or_else(|| panic!("no {link} in {printed}"));
    code.split_whitespace().next().expect("a code").to_owned()
}

async fn pair(drover: &Drover, code: &str) -> Answer {
    drover.call(Call::new("POST", "/pair").without_token().json(&json!({"code": code}))).await
}

struct Browser {
    cookie: String,
    key: String,
}

impl Browser {
    async fn paired(drover: &Drover) -> Self {
        let answer = pair(drover, &launch_code(drover).await).await;
        let key = answer.is(200)["key"].as_str().expect("a key").to_owned();
        let header = answer.header("set-cookie").to_owned();
        let mut attributes = header.split("; ");
        let cookie = attributes.next().expect("a cookie").to_owned();
        let attributes: Vec<String> = attributes.map(str::to_lowercase).collect();
        assert!(
            cookie.split('=').next().is_some_and(|name| name.contains(&drover.port.to_string())),
            "the name carries the port: {header}"
        );
        for wanted in ["httponly", "samesite=strict", "path=/", "max-age=7776000"] {
            assert!(attributes.iter().any(|attribute| attribute == wanted), "{wanted}: {header}");
        }
        assert!(!attributes.iter().any(|attribute| attribute.starts_with("domain")), "{header}");
        Self { cookie, key }
    }

    fn call(&self, call: Call) -> Call {
        call.without_token().header("cookie", self.cookie.clone()).header("drover-key", self.key.clone())
    }
}

#[tokio::test]
async fn a_launch_link_pairs_one_browser_once_and_cookie_and_key_together_open_the_api() {
    let mut drover = Drover::start().await;
    let code = launch_code(&drover).await;
    pair(&drover, "wrong").await.problem(403);
    pair(&drover, &code).await.is(200);
    pair(&drover, &code).await.problem(403);
    let browser = Browser::paired(&drover).await;
    drover.call(browser.call(Call::new("GET", "/tasks"))).await.is(200);
    let attachment = drover.call(Call::new("POST", "/attachments?name=a.txt").body("text/plain", "x")).await.is(201);
    let attachment = format!("/attachments/{}", attachment["id"].as_str().expect("an id"));
    let cookie_alone = |path: &str| Call::new("GET", path).without_token().header("cookie", browser.cookie.clone());
    for path in ["/tasks", "/status", "/events", "/openapi.json"] {
        drover.call(cookie_alone(path)).await.problem(401);
        drover
            .call(Call::new("GET", path).without_token().header("drover-key", browser.key.clone()))
            .await
            .problem(401);
    }
    assert_eq!(drover.call(cookie_alone(&attachment)).await.status, 200, "the cookie alone opens attachments");
    let other = Browser::paired(&drover).await;
    let mixed = Browser { cookie: browser.cookie.clone(), key: other.key.clone() };
    drover.call(mixed.call(Call::new("GET", "/tasks"))).await.problem(401);
    let foreign = browser.call(Call::new("GET", "/tasks")).header("origin", "https://evil.example");
    drover.call(foreign).await.problem(403);
    drover.stop().await;
    drover.setup.port = drover.port;
    drover.restart().await;
    drover.call(browser.call(Call::new("GET", "/tasks"))).await.is(200);
}

#[tokio::test]
async fn browsers_are_listed_and_can_be_shut_out_and_secrets_are_stored_hashed() {
    let mut drover = Drover::start().await;
    let (one, two) = (Browser::paired(&drover).await, Browser::paired(&drover).await);
    let browsers = drover.get("/browsers").await.is(200);
    let browsers = browsers["browsers"].as_array().expect("browsers").clone();
    assert_eq!(browsers.len(), 2, "{browsers:?}");
    for browser in &browsers {
        drover.delete(&format!("/browsers/{}", browser["id"].as_str().expect("an id"))).await.ok();
        if browser == &browsers[0] {
            let open = [
                drover.call(one.call(Call::new("GET", "/tasks"))).await.status,
                drover.call(two.call(Call::new("GET", "/tasks"))).await.status,
            ];
            assert!(open.contains(&200) && open.contains(&401), "{open:?}");
        }
    }
    for browser in [&one, &two] {
        drover.call(browser.call(Call::new("GET", "/tasks"))).await.problem(401);
    }
    drover.stop().await;
    let secrets = [&one.cookie, &two.cookie, &one.key, &two.key]
        .map(|secret| secret.rsplit('=').next().expect("a value").as_bytes().to_vec());
    for entry in drover.data().read_dir().expect("the data directory").flatten().filter(|entry| entry.path().is_file())
    {
        let bytes = std::fs::read(entry.path()).expect("a file");
        for secret in &secrets {
            assert!(
                !bytes.windows(secret.len()).any(|window| window == secret.as_slice()),
                "a secret is in {}",
                entry.path().display()
            );
        }
    }
}

#[tokio::test]
async fn guessing_codes_is_stopped_after_ten_tries() {
    let drover = Drover::start().await;
    let mut statuses = Vec::new();
    for index in 0..14 {
        statuses.push(pair(&drover, &format!("guess-{index}")).await.status);
    }
    assert_eq!(statuses[..10], [403; 10]);
    assert!(statuses[10..].iter().all(|status| *status == 429), "{statuses:?}");
    let code = launch_code(&drover).await;
    pair(&drover, &code).await.problem(429);
}
