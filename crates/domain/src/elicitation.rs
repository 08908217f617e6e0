//! Elicitations: forms and pages that an agent asks the user for (lifecycle rule 25; ACP v1, `elicitation/create`).
//!
//! A form's schema is a flat object. What of it this version knows is read into [`Field`]s; a property of another type stays in the
//! list as [`Kind::Unknown`], so that nobody takes it for something else, and a form that requires one can only be declined.

mod check;

use serde_json::{Map, Value};
use url::Url;

pub use check::{FieldError, check};

/// What an elicitation asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// Fields to fill in.
    Form(Form),
    /// A page to open, with its address as the agent sent it.
    Url(String),
    /// Something that this version cannot show: it is answered as cancelled.
    Unknown {
        /// The agent's name for it.
        mode: String,
    },
}

/// A form.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Its fields, in the agent's order.
    pub fields: Vec<Field>,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name of the property.
    pub name: String,
    /// Whether an accepted form must have it.
    pub required: bool,
    /// What it takes.
    pub kind: Kind,
}

/// What a field takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Text.
    Text {
        /// The fewest characters.
        min: Option<u64>,
        /// The most characters.
        max: Option<u64>,
        /// A regular expression that is found in it.
        pattern: Option<String>,
        /// What it has to be.
        format: Option<Format>,
    },
    /// One of these values.
    Choice(Vec<String>),
    /// Some of these values.
    Many {
        /// The values.
        values: Vec<String>,
        /// The fewest.
        min: Option<u64>,
        /// The most.
        max: Option<u64>,
    },
    /// A number.
    Number {
        /// Without a fraction.
        whole: bool,
        /// The smallest.
        min: Option<f64>,
        /// The greatest.
        max: Option<f64>,
    },
    /// Yes or no.
    Boolean,
    /// Of a type that this version does not know.
    Unknown,
}

/// What a text has to be. A format of another name asks for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `name@host`.
    Email,
    /// An address with a scheme.
    Uri,
    /// `2026-11-30`.
    Date,
    /// RFC 3339.
    DateTime,
}

/// Reads the parameters of `elicitation/create`. `mode` may be left out where there is a schema.
pub fn read(payload: &Value) -> Ask {
    let schema = payload.get("requestedSchema").and_then(Value::as_object);
    let mode =
        text(payload.get("mode")).unwrap_or_else(|| if schema.is_some() { "form".into() } else { String::new() });
    match (mode.as_str(), schema, text(payload.get("url"))) {
        ("form", Some(schema), _) => Ask::Form(form(schema)),
        ("url", _, Some(url)) => Ask::Url(url),
        _ => Ask::Unknown { mode },
    }
}

/// Whether a page may be opened: only those of the web, and only a whole address.
pub fn may_open(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn form(schema: &Map<String, Value>) -> Form {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut fields: Vec<Field> = properties
        .into_iter()
        .flatten()
        .map(|(name, property)| Field {
            name: name.clone(),
            required: required.contains(&name.as_str()),
            kind: kind(property),
        })
        .collect();
    // Required, but described nowhere: nobody can know what to fill in.
    for name in required {
        if !fields.iter().any(|field| field.name == name) {
            fields.push(Field { name: name.to_owned(), required: true, kind: Kind::Unknown });
        }
    }
    Form { fields }
}

fn kind(property: &Value) -> Kind {
    let count = |name: &str| property.get(name).and_then(Value::as_u64);
    let bound = |name: &str| property.get(name).and_then(Value::as_f64);
    match property.get("type").and_then(Value::as_str) {
        Some("string") => match values(property, "oneOf") {
            Some(values) => Kind::Choice(values),
            None => Kind::Text {
                min: count("minLength"),
                max: count("maxLength"),
                pattern: text(property.get("pattern")),
                format: property.get("format").and_then(Value::as_str).and_then(format),
            },
        },
        Some(number @ ("number" | "integer")) => {
            Kind::Number { whole: number == "integer", min: bound("minimum"), max: bound("maximum") }
        }
        Some("boolean") => Kind::Boolean,
        Some("array") => match property.get("items").and_then(|items| values(items, "anyOf")) {
            Some(values) => Kind::Many { values, min: count("minItems"), max: count("maxItems") },
            None => Kind::Unknown,
        },
        _ => Kind::Unknown,
    }
}

/// The values of an `enum`, or the `const`s of a titled list.
fn values(of: &Value, titled: &str) -> Option<Vec<String>> {
    let plain = of.get("enum").and_then(Value::as_array);
    let titled = of.get(titled).and_then(Value::as_array);
    let entries = plain.or(titled)?.iter();
    Some(entries.filter_map(|entry| text(Some(entry)).or_else(|| text(entry.get("const")))).collect())
}

fn format(name: &str) -> Option<Format> {
    Some(match name {
        "email" => Format::Email,
        "uri" => Format::Uri,
        "date" => Format::Date,
        "date-time" => Format::DateTime,
        _ => return None,
    })
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests;
