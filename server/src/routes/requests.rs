//! Answers to agents' questions.

use axum::extract::State;
use drover_domain::request::Action;
use drover_domain::{Answer, Request, RequestId};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{At, Json};
use crate::problem::{Problem, Problems};
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(answer_request))
}

/// An answer: `option_id` to a permission, `action` to an elicitation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AnswerRequest {
    /// One of the options that were offered; null: cancelled.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    option_id: Option<Option<String>>,
    /// What to do with a form or a page.
    action: Option<Action>,
    /// What the form was filled in with. It goes to the agent and is kept nowhere; with `decline` and `cancel` it goes nowhere.
    #[schema(value_type = Option<Object>)]
    content: Option<Value>,
}

/// Tells a null that was sent from a field that was not.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Answers a request; the first answer wins.
#[utoipa::path(post, path = "/requests/{request_id}", tag = "requests", request_body = AnswerRequest,
    params(("request_id" = RequestId, Path, description = "The request")),
    responses((status = 200, body = Request, description = "The answer is stored and goes to the agent"), Problems))]
async fn answer_request(
    State(app): State<AppState>,
    At((id,)): At<(RequestId,)>,
    Json(body): Json<AnswerRequest>,
) -> Result<Json<Request>, Problem> {
    let (answer, content) = body.answer()?;
    Ok(Json(app.supervisor.answer(id, answer, content).await?))
}

impl AnswerRequest {
    fn answer(self) -> Result<(Answer, Option<Value>), Problem> {
        match (self.option_id, self.action) {
            (Some(_), None) if self.content.is_some() => Err(Problem::invalid("content", "goes with an action only")),
            (Some(option_id), None) => Ok((Answer::Option { option_id }, None)),
            (None, Some(action)) => Ok((Answer::Action { action }, self.content)),
            _ => Err(Problem::invalid("option_id", "either option_id or action is needed")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_is_an_answer_and_nothing_is_none() {
        let read =
            |json: &str| serde_json::from_str::<AnswerRequest>(json).unwrap().answer().ok().map(|(answer, _)| answer);
        assert_eq!(read("{\"option_id\": null}"), Some(Answer::Option { option_id: None }));
        assert_eq!(read("{\"option_id\": \"a\"}"), Some(Answer::Option { option_id: Some("a".into()) }));
        assert_eq!(read("{\"action\": \"decline\"}"), Some(Answer::Action { action: Action::Decline }));
        assert_eq!(read("{}"), None);
        assert_eq!(read("{\"option_id\": \"a\", \"content\": {}}"), None);
        assert_eq!(read("{\"option_id\": \"a\", \"action\": \"accept\"}"), None);
    }
}
