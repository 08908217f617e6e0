//! Bytes that somebody else made, served so that they can do nothing: never as a page, never guessed at.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use crate::shell;

/// Pictures that a browser draws without running anything in them.
const SAFE_RASTER: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

/// What is served.
pub(crate) struct Download<'a> {
    /// The name to save it under.
    pub(crate) name: &'a str,
    /// What it was found to be.
    pub(crate) mime_type: &'a str,
    /// The SHA-256 of its bytes: they never change.
    pub(crate) sha256: &'a str,
    /// Its size in bytes.
    pub(crate) size: u64,
}

impl Download<'_> {
    /// The answer with these bytes.
    pub(crate) fn answer(&self, body: Body) -> Response {
        let mut response = Response::new(body);
        let headers = response.headers_mut();
        let known = SAFE_RASTER.contains(&self.mime_type) || self.mime_type.starts_with("text/plain");
        let mime_type = if known { self.mime_type } else { "application/octet-stream" };
        set(headers, header::CONTENT_TYPE, mime_type);
        set(headers, header::CONTENT_LENGTH, &self.size.to_string());
        set(headers, header::CONTENT_DISPOSITION, &self.disposition());
        set(headers, header::ETAG, &format!("\"{}\"", self.sha256));
        set(headers, header::CACHE_CONTROL, "private, max-age=31536000, immutable");
        set(headers, header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox");
        shell::harden(headers);
        response
    }

    /// RFC 6266: the name in UTF-8 for all browsers of today, without it for others.
    fn disposition(&self) -> String {
        let kind = if SAFE_RASTER.contains(&self.mime_type) { "inline" } else { "attachment" };
        format!("{kind}; filename*=UTF-8''{}", percent_encoded(self.name))
    }
}

/// RFC 8187, `attr-char`: everything else is escaped.
fn percent_encoded(text: &str) -> String {
    use std::fmt::Write;

    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

fn set(headers: &mut HeaderMap, name: header::HeaderName, value: &str) {
    // What cannot stand in a header was escaped above.
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &str, mime_type: &str) -> HeaderMap {
        let download = Download { name, mime_type, sha256: "ab", size: 3 };
        download.answer(Body::from("abc")).headers().clone()
    }

    #[test]
    fn only_safe_pictures_are_shown_and_all_is_sandboxed() {
        let page = headers("x<y>\".html", "text/html");
        assert_eq!(page[header::CONTENT_TYPE], "application/octet-stream");
        assert_eq!(page[header::CONTENT_DISPOSITION], "attachment; filename*=UTF-8''x%3Cy%3E%22.html");
        assert_eq!(page[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert!(page[header::CONTENT_SECURITY_POLICY].to_str().unwrap().contains("sandbox"));
        let picture = headers("名.png", "image/png");
        assert_eq!(picture[header::CONTENT_TYPE], "image/png");
        assert_eq!(picture[header::CONTENT_DISPOSITION], "inline; filename*=UTF-8''%E5%90%8D.png");
        assert_eq!(headers("x", "image/svg+xml")[header::CONTENT_TYPE], "application/octet-stream");
    }
}
