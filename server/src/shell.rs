//! What is not the API: the page's shell, its files, and pages that say what is wrong.

mod files;
mod language;

use std::mem;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::guard::{is_api, is_paired};
use crate::problem::{Kind, Problem};
use crate::secret;
use crate::state::AppState;
pub(crate) use language::Language;

/// What scripts, styles and all else may come from: this origin alone. Nothing inline, no HTML made from strings.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
     connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types app-worker";

/// The page: it names its scripts and styles, and holds what a browser that is not paired sees until they run.
#[derive(Template)]
#[template(path = "shell.html")]
struct Shell {
    language: Language,
    theme: &'static str,
    /// The hash of the page, so that a tab knows a newer daemon from its own.
    build: String,
    manifest: drover_assets::Manifest,
    /// The modules that the page and its present view are made of.
    preloads: Vec<String>,
    icon: bool,
    paired: bool,
}

/// A page that says one thing.
#[derive(Template)]
#[template(path = "notice.html")]
struct Notice {
    language: Language,
    title: &'static str,
    text: String,
}

/// Answers for every address that is not of the API.
pub(crate) async fn serve(State(app): State<AppState>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let path = parts.uri.path();
    if is_api(path) {
        return Problem::not_found("path").into_response();
    }
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        return Problem::new(Kind::MethodNotAllowed).into_response();
    }
    if let Some(answer) = files::answer(path, &parts.headers) {
        return answer;
    }
    let page = shell(&app, path, &parts.headers).await;
    page.unwrap_or_else(|error| Problem::internal(error).into_response())
}

/// Refuses a request: in words for a person, as a problem for a program.
pub(crate) fn refuse(problem: Problem, headers: &HeaderMap) -> Response {
    let wants_page = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    if !wants_page {
        return problem.into_response();
    }
    let (title, text) = (problem.kind().title(), problem.detail().unwrap_or_default().to_owned());
    let notice = Notice { language: Language::of(headers), title, text };
    match notice.render() {
        Ok(html) => page(problem.kind().status(), html),
        Err(_) => problem.into_response(),
    }
}

async fn shell(app: &AppState, path: &str, headers: &HeaderMap) -> Result<Response, askama::Error> {
    let language = Language::of(headers);
    if !drover_assets::has_page() {
        let text = language.no_page().to_owned();
        let notice = Notice { language, title: "Drover", text };
        return Ok(page(StatusCode::OK, notice.render()?));
    }
    let mut manifest = drover_assets::manifest();
    // A launch link is about to pair this browser.
    let paired = path == "/launch" || is_paired(app, headers).await;
    let shell = Shell {
        language,
        preloads: preloads(&mut manifest, view_of(path, paired)),
        theme: theme(headers),
        build: drover_assets::build_hash(),
        manifest,
        icon: drover_assets::get("favicon.svg").is_some(),
        paired,
    };
    Ok(unless_known(headers, page(StatusCode::OK, String::new()), shell.render()?))
}

/// The source of the view that the page shows first at an address.
fn view_of(path: &str, paired: bool) -> &'static str {
    let mut parts = path.split('/').skip(1);
    match (parts.next(), parts.next(), parts.next()) {
        _ if !paired => "src/features/pairing/pairing-screen.tsx",
        (Some("t"), Some(_), None) | (Some("p"), Some(_), Some("t")) => "src/features/task/task-page.tsx",
        (Some("p"), Some(_), None) | (Some("new"), None, _) => "src/features/project/project-page.tsx",
        (Some("settings"), Some("agents"), Some(_)) => "src/features/agents/agent-page.tsx",
        (Some("settings"), ..) => "src/features/settings/settings.tsx",
        (Some("add"), None, _) => "src/features/first-run/first-run.tsx",
        (Some("launch"), None, _) => "src/features/pairing/launch-screen.tsx",
        _ => "src/features/inbox/inbox.tsx",
    }
}

/// What is fetched beside the page's first module, so that nothing is asked for only when something else has come.
fn preloads(manifest: &mut drover_assets::Manifest, view: &str) -> Vec<String> {
    let mut preloads = mem::take(&mut manifest.modulepreloads);
    preloads.append(&mut manifest.views.remove(view).unwrap_or_default());
    preloads
}

/// The page with its tag, or only that it has not changed.
fn unless_known(headers: &HeaderMap, mut answer: Response, html: String) -> Response {
    let tag = format!("\"{}\"", secret::hash(&html));
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.headers_mut().insert(header::ETAG, tag);
    }
    if known {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *answer.body_mut() = html.into();
    }
    answer
}

fn page(status: StatusCode, html: String) -> Response {
    let fixed = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "Cookie, Accept-Language"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    let mut response = (status, fixed, html).into_response();
    harden(response.headers_mut());
    response
}

/// The theme that the page was last set to; it follows the system where none was.
fn theme(headers: &HeaderMap) -> &'static str {
    match crate::guard::cookies(headers, "drover_theme").next() {
        Some("light") => "light",
        Some("dark") => "dark",
        Some("contrast") => "contrast",
        _ => "system",
    }
}

/// Headers for every answer whatever it is: no guessing of types, no use by other sites, no address told to others.
pub(crate) fn harden(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(language: Language, paired: bool) -> String {
        let mut manifest = drover_assets::Manifest {
            script: "assets/index-1.js".into(),
            css: vec!["assets/index-1.css".into()],
            modulepreloads: vec!["assets/shared-1.js".into()],
            views: [("src/features/task/task-page.tsx".to_owned(), vec!["assets/task-1.js".to_owned()])].into(),
        };
        let preloads = preloads(&mut manifest, view_of("/t/1", paired));
        Shell { language, theme: "dark", build: "b1".into(), manifest, preloads, icon: true, paired }.render().unwrap()
    }

    #[test]
    fn the_shell_names_its_files_language_and_theme_and_has_nothing_inline() {
        let html = shell(Language::Chinese, true);
        assert!(html.contains("<html lang=\"zh-CN\" data-theme=\"dark\">"), "{html}");
        assert!(html.contains("<script type=\"module\" src=\"/assets/index-1.js\"></script>"));
        assert!(html.contains("<link rel=\"stylesheet\" href=\"/assets/index-1.css\">"));
        assert!(html.contains("<link rel=\"modulepreload\" href=\"/assets/shared-1.js\">"));
        assert!(html.contains("<link rel=\"modulepreload\" href=\"/assets/task-1.js\">"));
        assert!(html.contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">"));
        assert!(html.contains("<div id=\"root\">"));
        assert!(!html.contains("<style") && !html.contains("style=") && !html.contains("onload"));
    }

    #[test]
    fn each_address_brings_the_modules_of_its_view() {
        for (path, view) in [
            ("/", "inbox/inbox"),
            ("/nowhere", "inbox/inbox"),
            ("/new", "project/project-page"),
            ("/p/1", "project/project-page"),
            ("/p/1/t/2", "task/task-page"),
            ("/t/2", "task/task-page"),
            ("/add", "first-run/first-run"),
            ("/settings", "settings/settings"),
            ("/settings/about", "settings/settings"),
            ("/settings/agents/codex", "agents/agent-page"),
            ("/launch", "pairing/launch-screen"),
        ] {
            assert_eq!(view_of(path, true), format!("src/features/{view}.tsx"), "{path}");
        }
        assert_eq!(view_of("/t/2", false), "src/features/pairing/pairing-screen.tsx");
    }

    #[test]
    fn a_browser_that_is_not_paired_is_told_what_to_do() {
        assert!(shell(Language::English, false).contains("drover open"));
        let root = "<div id=\"root\"></div>";
        assert!(shell(Language::English, true).contains(root));
    }

    #[test]
    fn a_page_that_is_known_is_not_sent_again() {
        let first = unless_known(&HeaderMap::new(), page(StatusCode::OK, String::new()), "<p>".into());
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, first.headers()[header::ETAG].clone());
        let again = unless_known(&headers, page(StatusCode::OK, String::new()), "<p>".into());
        assert_eq!((first.status(), again.status()), (StatusCode::OK, StatusCode::NOT_MODIFIED));
        let other = unless_known(&headers, page(StatusCode::OK, String::new()), "<b>".into());
        assert_eq!(other.status(), StatusCode::OK);
    }

    #[test]
    fn the_policy_allows_nothing_inline_and_no_frame() {
        assert!(!POLICY.contains("unsafe") && POLICY.contains("frame-ancestors 'none'"));
        assert!(POLICY.contains("script-src 'self';") && POLICY.contains("trusted-types app-worker"));
        HeaderValue::from_static(POLICY);
    }

    #[tokio::test]
    async fn a_person_gets_words_and_a_program_gets_a_problem() {
        let problem = || Problem::new(Kind::WrongHost).because("Use <that>.");
        let mut headers = HeaderMap::new();
        let answer = refuse(problem(), &headers);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/html,*/*"));
        let answer = refuse(problem(), &headers);
        assert_eq!(answer.status(), StatusCode::MISDIRECTED_REQUEST);
        let body = axum::body::to_bytes(answer.into_body(), 65_536).await.unwrap();
        assert!(String::from_utf8(body.to_vec()).unwrap().contains("Use &#60;that&#62;."));
    }
}
