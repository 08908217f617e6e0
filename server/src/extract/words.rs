//! What serde says of a field, in words for those who call the API.

/// The cause without the words of Rust. What is not known here stays as it is.
pub(super) fn plain(cause: &str) -> String {
    if cause.starts_with("missing field ") {
        return "is missing".to_owned();
    }
    if cause.starts_with("duplicate field ") {
        return "stands twice".to_owned();
    }
    if let Some((_, known)) = cause.strip_prefix("unknown field ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("is not known; known: {}", list(known.trim_start_matches("one of ")));
    }
    if let Some((_, known)) = cause.strip_prefix("unknown variant ").and_then(|rest| rest.split_once(", expected ")) {
        return format!("must be {}", list(known));
    }
    if cause.starts_with("unknown field ") {
        return "is not known".to_owned();
    }
    if let Some((_, wanted)) = cause.strip_prefix("invalid value: ").and_then(|rest| rest.rsplit_once(", expected ")) {
        return match kind(wanted) {
            "a whole number" => "is too small or too large".to_owned(),
            wanted => format!("must be {wanted}"),
        };
    }
    let wrong = ["invalid type: ", "invalid length "].iter().find_map(|start| cause.strip_prefix(start));
    if let Some((found, wanted)) = wrong.and_then(|rest| rest.rsplit_once(", expected ")) {
        return format!(
            "must be {}, not {}",
            kind(wanted),
            kind(found.split_once(" `").map_or(found, |(kind, _)| kind))
        );
    }
    if cause.starts_with("invalid digit")
        || cause.starts_with("number too")
        || cause.starts_with("cannot parse integer")
    {
        return "must be a whole number".to_owned();
    }
    if cause.starts_with("provided string was not") {
        return "must be true or false".to_owned();
    }
    cause.to_owned()
}

/// `one of `a`, `b`` without the quotes.
fn list(known: &str) -> String {
    known.replace('`', "")
}

/// A type, as JSON calls it.
fn kind(rust: &str) -> &str {
    match rust.split(' ').next().unwrap_or(rust) {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" | "integer" => "a whole number",
        "f32" | "f64" | "floating" => "a number",
        "map" | "struct" | "internally" => "an object",
        "sequence" => "a list",
        "boolean" | "bool" => "true or false",
        "string" | "borrowed" => "a string",
        "null" | "unit" | "Option" => "null",
        _ => match rust {
            "a map" => "an object",
            "a sequence" => "a list",
            "a boolean" => "true or false",
            other => other,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_does_not_show() {
        for (cause, told) in [
            ("missing field `name`", "is missing"),
            ("duplicate field `name`", "stands twice"),
            ("unknown field `surprise`, expected `name` or `list`", "is not known; known: name or list"),
            ("unknown field `x`, expected one of `a`, `b`, `c`", "is not known; known: a, b, c"),
            ("unknown field `surprise`, there are no fields", "is not known"),
            ("unknown variant `x`, expected one of `keep`, `delete`, `ask`", "must be one of keep, delete, ask"),
            ("invalid type: integer `5`, expected a string", "must be a string, not a whole number"),
            ("invalid type: string \"x, expected y\", expected u32", "must be a whole number, not a string"),
            ("invalid type: map, expected a sequence", "must be a list, not an object"),
            ("invalid type: null, expected struct Sample", "must be an object, not null"),
            ("invalid type: floating point `1.5`, expected i64", "must be a whole number, not a number"),
            ("invalid value: integer `999`, expected u8", "is too small or too large"),
            ("invalid digit found in string", "must be a whole number"),
            ("provided string was not `true` or `false`", "must be true or false"),
            ("must be at least 1", "must be at least 1"),
        ] {
            assert_eq!(plain(cause), told, "{cause}");
        }
    }
}
