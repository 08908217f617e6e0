//! Everything that the tour says, in each language.

mod chinese;
mod english;

use crate::language::Language;
use crate::topic::Topic;

/// The words of a language. In braces stands what [`fill`] puts in.
#[derive(Debug)]
pub(crate) struct Words {
    /// The title of a walk's task.
    pub(crate) title: &'static str,
    /// What joins names in a list.
    pub(crate) comma: &'static str,
    /// What each command does, in the order of [`Topic::ALL`].
    pub(crate) commands: [&'static str; Topic::ALL.len()],

    pub(crate) mode: &'static str,
    /// Name and description.
    pub(crate) mode_ask: [&'static str; 2],
    pub(crate) mode_act: [&'static str; 2],
    pub(crate) pace: &'static str,
    pub(crate) paces: [&'static str; 3],
    pub(crate) thoughts: &'static str,

    /// `{asked}`: what was asked, quoted.
    pub(crate) echo: &'static str,
    pub(crate) thought: &'static str,
    pub(crate) hello: &'static str,
    pub(crate) farewell: &'static str,
    pub(crate) plan: [&'static str; 4],

    /// `{names}`.
    pub(crate) attached: &'static str,
    /// `{turns}`, `{bytes}`.
    pub(crate) handed: &'static str,
    /// `{agents}`.
    pub(crate) handed_by: &'static str,
    /// `{turns}`.
    pub(crate) left_out: &'static str,
    /// `{command}`.
    pub(crate) closest: &'static str,
    pub(crate) no_model: &'static str,

    pub(crate) markdown: [&'static str; 6],
    pub(crate) picture: &'static str,

    pub(crate) beside: &'static str,
    /// Title and description of each.
    pub(crate) notices: [[&'static str; 2]; 2],
    /// What is left of a memory that was shortened.
    pub(crate) summary: &'static str,
    pub(crate) after_beside: &'static str,
    pub(crate) nothing_beside: &'static str,

    pub(crate) tools: &'static str,
    /// `{path}`.
    pub(crate) after_tools: &'static str,
    pub(crate) chapters: [&'static str; 3],
    /// `{chapter}`.
    pub(crate) read: &'static str,
    pub(crate) chapter_read: &'static str,
    /// `{file}`.
    pub(crate) edit: &'static str,
    /// A file before and after its edit.
    pub(crate) notes: [&'static str; 2],
    pub(crate) command: &'static str,
    /// Lines with the colours of a terminal.
    pub(crate) output: [&'static str; 6],

    pub(crate) asking: &'static str,
    pub(crate) unasked: &'static str,
    pub(crate) greeting: &'static str,
    /// Once, always, no.
    pub(crate) answers: [&'static str; 3],
    /// `{path}`.
    pub(crate) written: &'static str,
    pub(crate) nowhere: &'static str,
    pub(crate) always: &'static str,
    pub(crate) refused: &'static str,

    pub(crate) form: &'static str,
    pub(crate) form_message: &'static str,
    pub(crate) fields: [&'static str; 5],
    pub(crate) uses: [&'static str; 3],
    /// `{answers}`: a list.
    pub(crate) form_accepted: &'static str,
    pub(crate) form_declined: &'static str,
    pub(crate) form_dismissed: &'static str,
    /// `{why}`.
    pub(crate) form_failed: &'static str,
    pub(crate) no_forms: &'static str,

    pub(crate) planning: &'static str,
    pub(crate) planned: &'static str,
    pub(crate) agents: &'static str,
    pub(crate) install: &'static str,
    pub(crate) long: &'static str,
    /// `{number}`, `{all}`.
    pub(crate) paragraph: &'static str,
    pub(crate) fail: &'static str,
    /// Why `/fail` fails.
    pub(crate) failure: &'static str,
    pub(crate) who: &'static str,
    pub(crate) help: &'static str,
}

impl Words {
    pub(crate) const fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &english::WORDS,
            Language::Chinese => &chinese::WORDS,
        }
    }
}

/// A text with each `{name}` replaced; what is put in is not looked at again.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, after))
        });
        match value {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_filled_and_nothing_else() {
        assert_eq!(fill("{a} and {b} {c", &[("a", "{b}"), ("b", "2")]), "{b} and 2 {c");
        assert_eq!(fill("fn main() { x }", &[("x", "1")]), "fn main() { x }");
        assert_eq!(fill("", &[]), "");
    }
}
