//! What to call a browser in the list of paired ones.

use axum::http::{HeaderMap, header};

/// A name such as `Firefox on Linux`, from `User-Agent`. The list is a help to the eye: who is who is decided by the cookie.
pub(crate) fn of(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    name(agent.unwrap_or_default())
}

fn name(agent: &str) -> String {
    // Most say that they are others too: the rarer first.
    let browsers = [
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Vivaldi/", "Vivaldi"),
        ("Firefox/", "Firefox"),
        ("Chromium/", "Chromium"),
        ("HeadlessChrome/", "Chrome"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    let systems = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Mac OS X", "macOS"),
        ("Windows", "Windows"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ];
    let find =
        |table: &[(&str, &'static str)]| table.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    match (find(&browsers), find(&systems)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => "A browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_apart_although_they_claim_to_be_each_other() {
        for (agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
                "Chrome on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15",
                "Safari on macOS",
            ),
            ("curl/8.0", "A browser"),
            ("", "A browser"),
        ] {
            assert_eq!(name(agent), expected, "{agent}");
        }
    }
}
