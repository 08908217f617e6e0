//! `Idempotency-Key`: the same creation asked for again gets the same answer and makes nothing, for a day.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use drover_store::Remembered;
use serde::Serialize;

use crate::problem::{Kind, Problem};
use crate::secret;
use crate::state::AppState;

const HEADER: &str = "idempotency-key";
const KEY_BYTES: usize = 255;

/// Makes something and answers 201 with it; under a key, once. `asked` is what must be the same for the key to be good again.
pub(crate) async fn once<T: Serialize>(
    app: &AppState,
    headers: &HeaderMap,
    what: &'static str,
    asked: &impl Serialize,
    make: impl Future<Output = Result<T, Problem>>,
) -> Result<Response, Problem> {
    let Some(key) = key(headers, what)? else {
        return created(&written(&make.await?)?);
    };
    let digest = secret::hash(&written(asked)?);
    // One at a time, so that two at once are not two firsts. Creations are rare and quick.
    let _turn = app.creating.lock().await;
    if let Some(before) = app.store.remembered(&key, app.now()).await? {
        return if before.digest == digest { created(&before.body) } else { Err(Problem::new(Kind::KeyReused)) };
    }
    let body = written(&make.await?)?;
    let answer = Remembered { digest, status: StatusCode::CREATED.as_u16(), body };
    app.store.remember(&key, &answer, app.now()).await?;
    created(&answer.body)
}

/// The key of a request, apart from the same key for other things.
fn key(headers: &HeaderMap, what: &str) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get(HEADER) else {
        return Ok(None);
    };
    match value.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= KEY_BYTES => Ok(Some(format!("{what} {key}"))),
        _ => Err(Problem::invalid("Idempotency-Key", "must be 1 to 255 visible ASCII characters")),
    }
}

fn written(value: &impl Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(Problem::internal)
}

fn created(body: &str) -> Result<Response, Problem> {
    let json = [(header::CONTENT_TYPE, "application/json")];
    Ok((StatusCode::CREATED, json, body.to_owned()).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_belongs_to_one_kind_of_thing_and_has_a_length() {
        let with = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HEADER, value.parse().unwrap());
            key(&headers, "tasks")
        };
        assert_eq!(with("abc").unwrap().unwrap(), "tasks abc");
        assert_eq!(key(&HeaderMap::new(), "tasks").unwrap(), None);
        assert!(with("").is_err() && with(&"x".repeat(256)).is_err());
    }
}
