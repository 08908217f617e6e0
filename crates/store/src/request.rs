//! Requests: stored before they are shown, answered once.

use drover_domain::request::option_ids;
use drover_domain::run::RunEvent;
use drover_domain::{AgentId, Answer, Event, Request, RequestId, RequestKind, RequestState, RunId, TaskId, Timestamp};
use sqlx::SqliteConnection;
use ulid::Ulid;

use crate::intent::Intent;
use crate::task::{self, Changed};
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, rows, run};

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// There is no such request.
    #[error("no such request")]
    NotFound,
    /// It was answered before.
    #[error("the request was answered before")]
    Answered(Option<Answer>),
    /// Nobody waits for an answer any more.
    #[error("nobody waits for an answer to this request any more")]
    Void,
    /// It offers no such option.
    #[error("the request offers no such option")]
    NotOffered,
    /// The answer is for another kind of request.
    #[error("the answer is for another kind of request")]
    WrongKind,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

struct Row {
    id: String,
    task_id: String,
    run_id: Option<String>,
    agent: String,
    kind: String,
    payload: String,
    state: String,
    answer: Option<String>,
    created_at: i64,
    completed_at: Option<i64>,
}

impl TryFrom<Row> for Request {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.parse()?,
            task_id: row.task_id.parse()?,
            run_id: row.run_id.map(|run| run.parse()).transpose()?,
            agent: row.agent.parse()?,
            kind: rows::enumeration(row.kind)?,
            payload: serde_json::from_str(&row.payload)?,
            state: rows::enumeration(row.state)?,
            answer: rows::json(row.answer.as_deref())?,
            created_at: rows::time(row.created_at),
            completed_at: row.completed_at.map(rows::time),
        })
    }
}

pub(crate) async fn find(conn: &mut SqliteConnection, id: RequestId) -> Result<Option<Request>, StoreError> {
    let id = id.to_string();
    let row = sqlx::query_as!(
        Row,
        "select id, task_id, run_id, agent, kind, payload, state, answer, created_at, completed_at from requests where id = ?",
        id
    );
    row.fetch_optional(conn).await?.map(Request::try_from).transpose()
}

/// The open requests of a task, oldest first.
pub(crate) async fn open_of_task(conn: &mut SqliteConnection, task: TaskId) -> Result<Vec<Request>, StoreError> {
    let task = task.to_string();
    let open = sqlx::query_as!(
        Row,
        "select id, task_id, run_id, agent, kind, payload, state, answer, created_at, completed_at from requests
         where task_id = ? and state = 'open' order by created_at, id",
        task
    );
    open.fetch_all(conn).await?.into_iter().map(Request::try_from).collect()
}

async fn open_of_run(conn: &mut SqliteConnection, run: RunId) -> Result<Vec<Request>, StoreError> {
    let run = run.to_string();
    let open = sqlx::query_as!(
        Row,
        "select id, task_id, run_id, agent, kind, payload, state, answer, created_at, completed_at from requests
         where run_id = ? and state = 'open' order by created_at, id",
        run
    );
    open.fetch_all(conn).await?.into_iter().map(Request::try_from).collect()
}

/// Stores a question, tells of it, and makes its run wait. `false`: its task is gone or its run over, and nobody could answer it.
pub(crate) async fn open(tx: &mut Tx<'_>, request: &Request) -> Result<bool, StoreError> {
    if task::find(tx.conn(), request.task_id).await?.is_none() {
        return Ok(false);
    }
    if let Some(run_id) = request.run_id
        && run::find(tx.conn(), run_id).await?.is_none_or(|run| run.state.is_ended())
    {
        return Ok(false);
    }
    let (id, task, run_id) =
        (request.id.to_string(), request.task_id.to_string(), request.run_id.map(|run| run.to_string()));
    let (kind, payload, at) =
        (rows::word(&request.kind)?, serde_json::to_string(&request.payload)?, request.created_at.as_millis());
    let agent = request.agent.as_str();
    sqlx::query!(
        "insert into requests (id, task_id, run_id, agent, kind, payload, state, created_at) values (?, ?, ?, ?, ?, ?, 'open', ?)",
        id,
        task,
        run_id,
        agent,
        kind,
        payload,
        at
    )
    .execute(tx.conn())
    .await?;
    tx.emit(&Event::RequestUpsert(request.clone())).await?;
    if let Some(run_id) = request.run_id
        && run::step(tx, run_id, RunEvent::Asked).await?.is_some()
    {
        run::tell(tx, run_id).await?;
    }
    task::refresh(tx, request.task_id, Changed { unread: true, ..Changed::default() }).await?;
    Ok(true)
}

/// Ends a request in a state and tells; its run goes on once none is open.
pub(crate) async fn close(
    tx: &mut Tx<'_>,
    mut request: Request,
    state: RequestState,
    answer: Option<Answer>,
) -> Result<Request, StoreError> {
    let (id, word) = (request.id.to_string(), rows::word(&state)?);
    let text = answer.as_ref().map(serde_json::to_string).transpose()?;
    sqlx::query!("update requests set state = ?, answer = ? where id = ?", word, text, id).execute(tx.conn()).await?;
    request.state = state;
    request.answer = answer;
    tx.emit(&Event::RequestUpsert(request.clone())).await?;
    if let Some(run_id) = request.run_id
        && open_of_run(tx.conn(), run_id).await?.is_empty()
        && run::step(tx, run_id, RunEvent::Answered).await?.is_some()
    {
        run::tell(tx, run_id).await?;
    }
    task::refresh(tx, request.task_id, Changed::default()).await?;
    Ok(request)
}

/// The agent said that what was to be done on a page is done. `false`: it asked for no such page, or said so before.
pub(crate) async fn complete(
    tx: &mut Tx<'_>,
    task: TaskId,
    agent: &AgentId,
    elicitation: &str,
) -> Result<bool, StoreError> {
    let (text, name, now) = (task.to_string(), agent.as_str(), tx.now.as_millis());
    let id = sqlx::query_scalar!(
        "select id from requests where task_id = ? and agent = ? and kind = 'elicitation' and state <> 'void'
           and json_extract(payload, '$.elicitationId') = ? order by created_at desc, id desc limit 1",
        text,
        name,
        elicitation
    );
    let Some(id) = id.fetch_optional(tx.conn()).await? else { return Ok(false) };
    let changed = sqlx::query!("update requests set completed_at = ? where id = ? and completed_at is null", now, id);
    if changed.execute(tx.conn()).await?.rows_affected() == 0 {
        return Ok(false);
    }
    if let Some(request) = find(tx.conn(), id.parse()?).await? {
        tx.emit(&Event::RequestUpsert(request)).await?;
    }
    Ok(true)
}

/// The run ended: nobody waits for answers any more (lifecycle rule 24).
pub(crate) async fn void_of_run(tx: &mut Tx<'_>, run: RunId) -> Result<(), StoreError> {
    for request in open_of_run(tx.conn(), run).await? {
        close(tx, request, RequestState::Void, None).await?;
    }
    Ok(())
}

/// The run is being stopped: its questions are answered as cancelled (lifecycle rule 16).
pub(crate) async fn cancel_of_run(tx: &mut Tx<'_>, run: RunId) -> Result<(), StoreError> {
    for request in open_of_run(tx.conn(), run).await? {
        let answer = request.kind.cancelled();
        let (task, request_id) = (request.task_id, request.id);
        close(tx, request, RequestState::Answered, Some(answer)).await?;
        tx.intend(task, &Intent::Answer { request_id, held: None }).await?;
    }
    Ok(())
}

impl Store {
    /// A request by its id.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn request(&self, id: RequestId) -> Result<Option<Request>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        find(&mut conn, id).await
    }

    /// Answers a request; the first answer wins. The supervisor gives it to the agent, with what it holds in memory under `held`:
    /// what a form was filled in with is not stored (lifecycle rule 25).
    ///
    /// # Errors
    /// See [`AnswerError`].
    pub async fn answer_request(
        &self,
        id: RequestId,
        answer: Answer,
        held: Option<Ulid>,
        now: Timestamp,
    ) -> Result<Request, AnswerError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let request = find(tx.conn(), id).await?.ok_or(AnswerError::NotFound)?;
        match request.state {
            RequestState::Open => {}
            RequestState::Answered => return Err(AnswerError::Answered(request.answer)),
            RequestState::Void => return Err(AnswerError::Void),
        }
        match (&answer, request.kind) {
            (Answer::Option { option_id: Some(option) }, RequestKind::Permission) => {
                if !option_ids(&request.payload).contains(&option.as_str()) {
                    return Err(AnswerError::NotOffered);
                }
            }
            (Answer::Option { option_id: None }, RequestKind::Permission)
            | (Answer::Action { .. }, RequestKind::Elicitation) => {}
            _ => return Err(AnswerError::WrongKind),
        }
        let request = close(&mut tx, request, RequestState::Answered, Some(answer)).await?;
        tx.intend(request.task_id, &Intent::Answer { request_id: id, held }).await?;
        tx.commit().await?;
        Ok(request)
    }
}
