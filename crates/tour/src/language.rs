//! Which language the user reads.

use serde::{Deserialize, Serialize};

/// A language that the tour speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Language {
    English,
    Chinese,
}

impl Language {
    /// The language of a locale as `LANG` names it, for instance `zh_CN.UTF-8`.
    pub(crate) fn of_locale(locale: &str) -> Self {
        if locale.starts_with("zh") { Self::Chinese } else { Self::English }
    }

    /// The language that a text is written in; `None` where it has no words, as a command alone.
    ///
    /// A Chinese sentence may be full of names in Latin letters, so one character weighs as much as four letters.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let words = text.split_whitespace().filter(|word| !word.starts_with('/'));
        let (mut han, mut latin) = (0_usize, 0_usize);
        for char in words.flat_map(str::chars) {
            match char {
                '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => han += 1,
                'a'..='z' | 'A'..='Z' => latin += 1,
                _ => {}
            }
        }
        match (han, latin) {
            (0, 0) => None,
            _ if han * 4 >= latin => Some(Self::Chinese),
            _ => Some(Self::English),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_in_the_language_of_its_words() {
        assert_eq!(Language::of_text("Show me around"), Some(Language::English));
        assert_eq!(Language::of_text("带我看看 Drover"), Some(Language::Chinese));
        assert_eq!(Language::of_text("what does 你 mean in the sentence above?"), Some(Language::English));
        assert_eq!(Language::of_text("/tools"), None);
        assert_eq!(Language::of_text("/tools 请用中文"), Some(Language::Chinese));
        assert_eq!(Language::of_text("?!"), None);
    }

    #[test]
    fn a_locale_names_a_language() {
        assert_eq!(Language::of_locale("zh_CN.UTF-8"), Language::Chinese);
        assert_eq!(Language::of_locale("C.UTF-8"), Language::English);
        assert_eq!(Language::of_locale(""), Language::English);
    }
}
