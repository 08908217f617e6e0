//! What handlers take from a request, with refusals as problems.

use std::str::FromStr;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

mod words;

use self::words::plain;
use crate::problem::{Kind, Problem};

/// The longest JSON body, in bytes: a long text with all its escapes.
const JSON_BYTES: usize = 16 << 20;
/// How much of a body that is too large is read and thrown away, so that the client gets to read the refusal.
const DRAIN_BYTES: usize = 128 << 20;

/// The parameters of the path. One that is malformed is one that does not exist.
pub(crate) struct At<T>(pub(crate) T);

/// Parameters of a path, in order.
pub(crate) trait Segments: Sized {
    fn parse<'a>(segments: impl Iterator<Item = &'a str>) -> Option<Self>;
}

macro_rules! segments {
    ($($name:ident),+) => {
        impl<$($name: FromStr),+> Segments for ($($name,)+) {
            fn parse<'a>(mut segments: impl Iterator<Item = &'a str>) -> Option<Self> {
                Some(($(segments.next()?.parse::<$name>().ok()?,)+))
            }
        }
    };
}

segments!(A);
segments!(A, B);
segments!(A, B, C);

impl<S: Send + Sync, T: Segments> FromRequestParts<S> for At<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let missing = || Problem::not_found("object");
        let params = RawPathParams::from_request_parts(parts, state).await;
        let params = params.map_err(|_| missing())?;
        T::parse(params.iter().map(|(_, value)| value)).map(Self).ok_or_else(missing)
    }
}

/// The query. Unknown and mistyped parameters are refused.
pub(crate) struct Params<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(params)) => Ok(Self(params)),
            Err(rejection) => {
                let text = rejection.body_text();
                let text = text.split_once(": ").map_or(text.as_str(), |(_, cause)| cause);
                let (path, cause) = text.split_once(": ").unwrap_or(("", text));
                Err(Problem::invalid(field_of(path, cause), plain(cause)))
            }
        }
    }
}

/// How many of something, at least one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit(i64);

impl Limit {
    /// What was asked for, or the usual, and at most so many.
    pub(crate) fn or(asked: Option<Self>, usual: i64, most: i64) -> i64 {
        asked.map_or(usual, |limit| limit.0).min(most)
    }
}

impl<'de> serde::Deserialize<'de> for Limit {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match i64::deserialize(deserializer)? {
            limit @ 1.. => Ok(Self(limit)),
            _ => Err(serde::de::Error::custom("must be at least 1")),
        }
    }
}

/// A body as JSON. In requests unknown, missing and mistyped fields are refused.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        let bytes = read(request.into_body(), JSON_BYTES).await?;
        parse(&bytes).map(Self)
    }
}

/// No body, or an empty object: a call that needs no more than its address.
pub(crate) struct Nothing;

impl<S: Send + Sync> FromRequest<S> for Nothing {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<Self, Problem> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Empty {}

        let bytes = read(request.into_body(), JSON_BYTES).await?;
        if !bytes.is_empty() {
            parse::<Empty>(&bytes)?;
        }
        Ok(Self)
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // An array of values in the order of the fields would do for serde.
    if bytes.trim_ascii_start().starts_with(b"[") {
        serde_json::from_slice::<IgnoredAny>(bytes).map_err(|error| refusal("", &error))?;
        return Err(Problem::invalid("", "must be an object"));
    }
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        refusal(&path, error.inner())
    })?;
    json.end().map_err(|error| refusal("", &error))?;
    Ok(value)
}

fn refusal(path: &str, error: &serde_json::Error) -> Problem {
    if !error.is_data() {
        return Problem::new(Kind::InvalidJson).because(error.to_string());
    }
    let text = error.to_string();
    let cause = text.rsplit_once(" at line ").map_or(text.as_str(), |(cause, _)| cause);
    Problem::invalid(field_of(path, cause), plain(cause))
}

/// The field that an error is about: where the path ends, or what a missing or unknown field is called.
fn field_of<'a>(path: &'a str, cause: &'a str) -> &'a str {
    let named =
        ["missing field `", "unknown field `"].iter().find_map(|start| cause.strip_prefix(start)?.split('`').next());
    match (path, named) {
        ("" | "." | "?", Some(named)) => named,
        ("." | "?", None) => "",
        (path, _) => path,
    }
}

/// A whole body of at most `limit` bytes.
pub(crate) async fn read(body: Body, limit: usize) -> Result<Bytes, Problem> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = stream.next().await {
        let piece = piece.map_err(|_| cut_off())?;
        if bytes.len() + piece.len() > limit {
            drain(stream, DRAIN_BYTES).await;
            return Err(too_large(limit as u64));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.into())
}

/// Reads on and forgets: a connection that is closed on a client that still writes loses the answer.
pub(crate) async fn drain(mut stream: axum::body::BodyDataStream, most: usize) {
    let mut read = 0;
    while let Some(Ok(piece)) = stream.next().await {
        read += piece.len();
        if read > most {
            break;
        }
    }
}

pub(crate) fn too_large(limit: u64) -> Problem {
    Problem::new(Kind::TooLarge).because(format!("At most {limit} bytes.")).with("limit", limit)
}

pub(crate) fn cut_off() -> Problem {
    Problem::new(Kind::InvalidJson).because("The body ended too early.")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read from JSON")]
    struct Sample {
        name: String,
        list: Option<Vec<u8>>,
    }

    fn told(json: &str) -> (u16, String) {
        let problem = parse::<Sample>(json.as_bytes()).unwrap_err();
        let status = problem.kind().status().as_u16();
        let text = format!("{problem:?}");
        let field = text.split("\"field\": String(\"").nth(1);
        (status, field.and_then(|f| f.split('"').next()).unwrap_or("-").to_owned())
    }

    #[test]
    fn what_is_not_json_is_told_apart_from_fields_that_cannot_be() {
        for (json, status, field) in [
            ("", 400, "-"),
            ("{nope", 400, "-"),
            ("{\"name\": \"x\"} x", 400, "-"),
            ("{\"name\": \"\\ud800\"}", 400, "-"),
            ("{}", 422, "name"),
            ("{\"name\": 5}", 422, "name"),
            ("{\"name\": null}", 422, "name"),
            ("{\"name\": \"x\", \"surprise\": 1}", 422, "surprise"),
            ("{\"name\": \"x\", \"list\": [1, 999]}", 422, "list[1]"),
            ("[]", 422, ""),
            ("[\"x\", null]", 422, ""),
            ("[", 400, "-"),
            ("5", 422, ""),
        ] {
            assert_eq!(told(json), (status, field.to_owned()), "{json}");
        }
        assert!(parse::<Sample>(b"{\"name\": \"x\", \"list\": null}").is_ok());
    }

    #[test]
    fn path_parameters_are_parsed_in_order() {
        assert_eq!(<(u8, String)>::parse(["7", "x"].into_iter()), Some((7, "x".into())));
        assert_eq!(<(u8, String)>::parse(["x", "7"].into_iter()), None);
        assert_eq!(<(u8, u8)>::parse(["7"].into_iter()), None);
    }

    #[tokio::test]
    async fn a_body_over_the_limit_is_refused_with_the_limit() {
        let problem = read(Body::from(vec![b'x'; 11]), 10).await.unwrap_err();
        assert_eq!(problem, too_large(10));
        assert_eq!(read(Body::from("1234567890"), 10).await.unwrap(), "1234567890");
    }
}
