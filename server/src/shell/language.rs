//! The language of what the server itself says to a person.

use axum::http::{HeaderMap, header};

use crate::guard::cookies;

/// The page's languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

impl Language {
    /// The one that the page was set to, else the one that the browser likes better.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        match cookies(headers, "drover_lang").next() {
            Some("en") => return Self::English,
            Some("zh-CN" | "zh") => return Self::Chinese,
            _ => {}
        }
        let liked = headers.get(header::ACCEPT_LANGUAGE).and_then(|liked| liked.to_str().ok());
        liked.map_or(Self::English, Self::liked)
    }

    /// RFC 9110, 12.5.4: the first of the greatest weight that we have.
    fn liked(list: &str) -> Self {
        let mut best = (0.0, Self::English);
        for range in list.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let tag = parts.next().unwrap_or_default().to_ascii_lowercase();
            let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
            let weight = weight.unwrap_or(1.0);
            let language = match tag.split('-').next() {
                Some("en") => Self::English,
                Some("zh") => Self::Chinese,
                _ => continue,
            };
            if weight > best.0 {
                best = (weight, language);
            }
        }
        best.1
    }

    /// For `lang`.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    pub(crate) const fn no_page(self) -> &'static str {
        match self {
            Self::English => {
                "This Drover was built without its page (WEB_BUILD=skip). The API works. Build it again with Node.js installed to get the page."
            }
            Self::Chinese => {
                "此 Drover 构建时未包含网页(WEB_BUILD=skip)。API 可以使用。请安装 Node.js 后重新构建以获得网页。"
            }
        }
    }

    pub(crate) const fn not_paired(self) -> &'static str {
        match self {
            Self::English => "This browser is not paired with Drover",
            Self::Chinese => "此浏览器尚未与 Drover 配对",
        }
    }

    pub(crate) const fn how_to_pair(self) -> &'static str {
        match self {
            Self::English => "Run this command in a terminal; it opens this page again:",
            Self::Chinese => "请在终端中运行此命令,它会重新打开此页面:",
        }
    }

    pub(crate) const fn needs_script(self) -> &'static str {
        match self {
            Self::English => "Drover's page needs JavaScript.",
            Self::Chinese => "Drover 的网页需要 JavaScript。",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_goes_before_what_the_browser_likes() {
        for (cookie, liked, expected) in [
            (None, None, Language::English),
            (None, Some("zh-CN,zh;q=0.9,en;q=0.8"), Language::Chinese),
            (None, Some("en-GB,en;q=0.9,zh;q=0.8"), Language::English),
            (None, Some("de-DE,zh-TW;q=0.5,en;q=0.4"), Language::Chinese),
            (None, Some("fr"), Language::English),
            (None, Some("zh;q=0"), Language::English),
            (None, Some("*;q=x,,;"), Language::English),
            (Some("drover_lang=en"), Some("zh"), Language::English),
            (Some("a=b; drover_lang=zh-CN"), Some("en"), Language::Chinese),
            (Some("drover_lang=tlh"), Some("zh"), Language::Chinese),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(cookie) = cookie {
                headers.insert(header::COOKIE, cookie.parse().unwrap());
            }
            if let Some(liked) = liked {
                headers.insert(header::ACCEPT_LANGUAGE, liked.parse().unwrap());
            }
            assert_eq!(Language::of(&headers), expected, "{cookie:?} {liked:?}");
        }
    }
}
