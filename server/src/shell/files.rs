//! Files of the page.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use drover_assets::Asset;

use super::harden;

/// Endings of what a page loads: an address that ends so and has no file is missing, not a place in the page.
const ENDINGS: [&str; 20] = [
    "js",
    "mjs",
    "css",
    "map",
    "json",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "webp",
    "avif",
    "svg",
    "ico",
    "woff",
    "woff2",
    "txt",
    "html",
    "wasm",
    "webmanifest",
    "xml",
];

/// The file of that address, or that there is none; `None` where the address is a place in the page.
pub(super) fn answer(path: &str, headers: &HeaderMap) -> Option<Response> {
    let path = path.strip_prefix('/').unwrap_or(path);
    // What the page is made from; the shell takes its place.
    let asset = (path != "index.html").then(|| drover_assets::get(path)).flatten();
    match asset {
        Some(asset) => Some(file(path, asset, headers)),
        None if is_file_name(path) => Some(missing()),
        None => None,
    }
}

fn is_file_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    path.starts_with("assets/") || ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

fn missing() -> Response {
    let mut response =
        (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")], "There is no such file.\n").into_response();
    harden(response.headers_mut());
    response
}

fn file(path: &str, asset: Asset, headers: &HeaderMap) -> Response {
    let brotli = asset.brotli.filter(|_| takes_brotli(headers));
    let tag = format!("\"{}{}\"", asset.sha256, if brotli.is_some() { "-br" } else { "" });
    // Names below assets/ change with what is in them.
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| names(known, &tag));
    let mut response = Response::new(Body::empty());
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.mime));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    out.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        out.insert(header::ETAG, tag);
    }
    harden(out);
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    if brotli.is_some() {
        out.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    let bytes = brotli.unwrap_or(asset.bytes);
    *response.body_mut() = match bytes {
        std::borrow::Cow::Borrowed(bytes) => axum::body::Bytes::from_static(bytes).into(),
        std::borrow::Cow::Owned(bytes) => bytes.into(),
    };
    response
}

/// Whether `If-None-Match` names this tag (RFC 9110, 13.1.2: weakly compared).
fn names(known: &HeaderValue, tag: &str) -> bool {
    let known = known.to_str().unwrap_or_default();
    let mut tags = known.split(',').map(str::trim);
    tags.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

fn takes_brotli(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let refused = |weight: &str| weight.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()) == Some(0.0);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br")) && !parts.any(refused)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: header::HeaderName, value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        headers
    }

    fn script() -> Asset {
        Asset {
            bytes: b"start()".into(),
            brotli: Some(b"compressed".into()),
            sha256: "ab".into(),
            mime: "text/javascript; charset=utf-8",
        }
    }

    #[test]
    fn a_file_that_is_missing_is_never_the_page() {
        for (path, missing) in [
            ("/assets/app-00000000.js", true),
            ("/assets/x.css", true),
            ("/assets/", true),
            ("/logo-none.png", true),
            ("/LOGO.PNG", true),
            ("/", false),
            ("/projects/1/tasks/2", false),
            ("/projects/1/tasks/2.", false),
            ("/p/v1.2", false),
            ("/settings/about", false),
        ] {
            let status = answer(path, &HeaderMap::new()).map(|answer| answer.status());
            assert_eq!(status == Some(StatusCode::NOT_FOUND), missing, "{path}");
        }
    }

    #[test]
    fn who_takes_brotli_gets_it_and_both_forms_have_their_tag() {
        let plain = file("assets/index-1.js", script(), &headers(header::ACCEPT_ENCODING, "gzip, br;q=0"));
        assert_eq!(plain.headers()[header::ETAG], "\"ab\"");
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
        let small = file("assets/index-1.js", script(), &headers(header::ACCEPT_ENCODING, "gzip, deflate, br, zstd"));
        assert_eq!(small.headers()[header::ETAG], "\"ab-br\"");
        assert_eq!(small.headers()[header::CONTENT_ENCODING], "br");
        assert!(small.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        assert_eq!(file("favicon.svg", script(), &HeaderMap::new()).headers()[header::CACHE_CONTROL], "no-cache");
    }

    #[test]
    fn a_file_that_is_known_is_not_sent_again() {
        for (known, status) in
            [("\"ab\"", 304), ("W/\"ab\"", 304), ("\"x\", \"ab\"", 304), ("*", 304), ("\"ab-br\"", 200), ("ab", 200)]
        {
            let answer = file("favicon.svg", script(), &headers(header::IF_NONE_MATCH, known));
            assert_eq!(answer.status().as_u16(), status, "{known}");
        }
    }
}
