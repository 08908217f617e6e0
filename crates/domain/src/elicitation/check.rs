//! Whether what was filled in fits what was asked for. What is said of it never repeats what was filled in: it may be a secret.

use regex::RegexBuilder;
use serde_json::{Map, Value};
use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{Date, OffsetDateTime};
use url::Url;

use super::{Ask, Field, Form, Format, Kind, may_open, read};
use crate::request::Action;

/// How large the machine of a pattern may become, in bytes: it is the agent's, and not to be trusted.
const PATTERN: usize = 1024 * 1024;

/// A field and why it cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The property; empty where it is about all of it.
    pub field: String,
    /// What is wrong, as the end of a sentence.
    pub detail: String,
}

impl FieldError {
    fn new(field: &str, detail: impl Into<String>) -> Self {
        Self { field: field.to_owned(), detail: detail.into() }
    }
}

/// Whether an elicitation (`payload`: its parameters) can be answered so. To decline and to cancel is always possible.
///
/// # Errors
/// Every field that does not fit.
pub fn check(payload: &Value, action: Action, content: Option<&Value>) -> Result<(), Vec<FieldError>> {
    if action != Action::Accept {
        return Ok(());
    }
    let errors = match (read(payload), content) {
        (Ask::Form(form), Some(Value::Object(content))) => form_errors(&form, content),
        (Ask::Form(_), _) => vec![FieldError::new("", "a form takes an object with its fields")],
        (Ask::Url(url), None) if may_open(&url) => Vec::new(),
        (Ask::Url(_), None) => vec![FieldError::new("", "only pages of http and https can be opened")],
        (Ask::Url(_), Some(_)) => vec![FieldError::new("", "a page takes no content")],
        (Ask::Unknown { .. }, _) => vec![FieldError::new("", "this cannot be accepted here")],
    };
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn form_errors(form: &Form, content: &Map<String, Value>) -> Vec<FieldError> {
    let known = |name: &String| form.fields.iter().any(|field| field.name == *name);
    let strange =
        content.keys().filter(|name| !known(name)).map(|name| FieldError::new(name, "the form has no such field"));
    let wrong = form.fields.iter().filter_map(|field| {
        let problem = match content.get(&field.name) {
            Some(value) => problem(field, value),
            None => field.required.then(|| "is required".to_owned()),
        };
        problem.map(|detail| FieldError::new(&field.name, detail))
    });
    wrong.chain(strange).collect()
}

/// What is wrong with a value, if anything.
fn problem(field: &Field, value: &Value) -> Option<String> {
    match (&field.kind, value) {
        (Kind::Text { min, max, pattern, format }, Value::String(text)) => {
            count_problem(text.chars().count(), *min, *max, "characters")
                .or_else(|| pattern.as_deref().and_then(|pattern| pattern_problem(pattern, text)))
                .or_else(|| format.and_then(|format| format_problem(format, text)))
        }
        (Kind::Choice(values), Value::String(text)) => {
            (!values.contains(text)).then(|| "is none of the values that are offered".to_owned())
        }
        (Kind::Many { values, min, max }, Value::Array(chosen)) => many_problem(values, *min, *max, chosen),
        (Kind::Number { whole, min, max }, Value::Number(number)) => {
            let number = number.as_f64()?;
            if *whole && number.fract() != 0.0 {
                return Some("must be a whole number".to_owned());
            }
            match (min, max) {
                (Some(min), _) if number < *min => Some(format!("must be at least {min}")),
                (_, Some(max)) if number > *max => Some(format!("must be at most {max}")),
                _ => None,
            }
        }
        (Kind::Boolean, Value::Bool(_)) => None,
        (Kind::Unknown, _) => Some("is of a type that cannot be filled in here".to_owned()),
        (kind, _) => Some(format!("must be {}", wanted(kind))),
    }
}

const fn wanted(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text { .. } => "a text",
        Kind::Choice(_) => "one of the values that are offered",
        Kind::Many { .. } => "a list of values that are offered",
        Kind::Number { whole: true, .. } => "a whole number",
        Kind::Number { whole: false, .. } => "a number",
        Kind::Boolean => "true or false",
        Kind::Unknown => "something else",
    }
}

fn count_problem(count: usize, min: Option<u64>, max: Option<u64>, of: &str) -> Option<String> {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    match (min, max) {
        (Some(min), _) if count < min => Some(format!("must have at least {min} {of}")),
        (_, Some(max)) if count > max => Some(format!("must have at most {max} {of}")),
        _ => None,
    }
}

fn many_problem(values: &[String], min: Option<u64>, max: Option<u64>, chosen: &[Value]) -> Option<String> {
    let offered = |value: &Value| value.as_str().is_some_and(|value| values.iter().any(|offered| offered == value));
    if !chosen.iter().all(offered) {
        return Some("has a value that is not offered".to_owned());
    }
    let twice = chosen.iter().enumerate().any(|(at, value)| chosen[..at].contains(value));
    if twice {
        return Some("has a value twice".to_owned());
    }
    count_problem(chosen.len(), min, max, "values")
}

/// A pattern that cannot be read here (it looks ahead, or back) is left to the agent.
fn pattern_problem(pattern: &str, text: &str) -> Option<String> {
    let pattern_of = RegexBuilder::new(pattern).size_limit(PATTERN).build().ok()?;
    (!pattern_of.is_match(text)).then(|| format!("must match {pattern}"))
}

fn format_problem(format: Format, text: &str) -> Option<String> {
    let (fits, wanted) = match format {
        Format::Email => (is_email(text), "must be an email address"),
        Format::Uri => (Url::parse(text).is_ok(), "must be a whole address, such as https://example.org/"),
        Format::Date => {
            (Date::parse(text, &Iso8601::DATE).is_ok() && text.len() == 10, "must be a date, such as 2026-11-30")
        }
        Format::DateTime => {
            (OffsetDateTime::parse(text, &Rfc3339).is_ok(), "must be a date with a time, such as 2026-11-30T12:00:00Z")
        }
    };
    (!fits).then(|| wanted.to_owned())
}

/// As loosely as mail itself: something before the last `@`, a host behind it, no blanks.
fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    let blank = text.chars().any(|letter| letter.is_whitespace() || letter.is_control());
    !name.is_empty() && !host.is_empty() && !host.starts_with('.') && !host.ends_with('.') && !blank
}
