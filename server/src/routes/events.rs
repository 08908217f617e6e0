//! The event stream.

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use drover_domain::{Event, TaskId};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::events::{Filter, PACE, Start, stream};
use crate::extract::{At, Json, Params};
use crate::guard::Caller;
use crate::problem::{Kind, Problem, Problems};
use crate::secret;
use crate::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get_events)).routes(routes!(narrow_events))
}

/// Whose content events a connection is to carry.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NarrowEvents {
    /// Those of these tasks; null: of all.
    tasks: Option<Vec<TaskId>>,
}

/// The one ordered stream of the daemon, as server-sent events: `id` is the feed's number, `event` the kind, `data` JSON.
#[utoipa::path(get, path = "/events", tag = "events",
    params(("after" = Option<i64>, Query, description = "Go on after this number"),
        ("task" = Option<Vec<TaskId>>, Query, description = "Only content events of these tasks; may be repeated"),
        ("Last-Event-ID" = Option<i64>, Header, description = "Goes before `after`")),
    responses((status = 200, content_type = "text/event-stream", body = Event, description = "Events, for as long as the connection is open"), Problems))]
async fn get_events(
    State(app): State<AppState>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Params(params): Params<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let wanted = Wanted::of(params)?;
    let start = Start::of(&headers, wanted.after.as_deref());
    // Who knows a connection's name can change it: it is not to be guessed.
    let name = secret::fresh().map_err(Problem::internal)?;
    let connection = app.connections.open(name, Filter::of(wanted.tasks), caller.browser());
    let events = stream(app.store.clone(), connection, start, app.stop.clone(), PACE);
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache, no-transform")];
    Ok((headers, Body::from_stream(events)).into_response())
}

/// Changes whose content events a connection carries. Those of an added task come from the moment this is answered.
#[utoipa::path(put, path = "/events/{connection}", tag = "events", request_body = NarrowEvents,
    params(("connection" = String, Path, description = "As `hello` named it")),
    responses((status = 204, description = "It holds from now on"), Problems))]
async fn narrow_events(
    State(app): State<AppState>,
    At((connection,)): At<(String,)>,
    Json(body): Json<NarrowEvents>,
) -> Result<StatusCode, Problem> {
    if app.connections.narrow(&connection, Filter::of(body.tasks)) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::new(Kind::ConnectionGone))
    }
}

/// The query: `task` may be repeated.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wanted {
    after: Option<String>,
    tasks: Option<Vec<TaskId>>,
}

impl Wanted {
    fn of(params: Vec<(String, String)>) -> Result<Self, Problem> {
        let mut wanted = Self::default();
        for (name, value) in params {
            match name.as_str() {
                "after" => wanted.after = Some(value),
                "task" => {
                    let id = value.parse().map_err(|_| Problem::invalid("task", "is not a task's id"))?;
                    wanted.tasks.get_or_insert_default().push(id);
                }
                _ => return Err(Problem::invalid(&name, "there is no such parameter")),
            }
        }
        Ok(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_may_be_repeated_and_others_are_refused() {
        let id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
        let of = |pairs: &[(&str, &str)]| {
            Wanted::of(pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect())
        };
        assert_eq!(of(&[]).unwrap(), Wanted::default());
        let wanted = of(&[("task", id), ("after", "5"), ("task", id)]).unwrap();
        assert_eq!(wanted.tasks.unwrap().len(), 2);
        assert_eq!(wanted.after.as_deref(), Some("5"));
        assert!(of(&[("task", "x")]).is_err() && of(&[("since", "5")]).is_err());
    }
}
