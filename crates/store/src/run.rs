//! Runs and their attempts.

use drover_domain::event::MessageGone;
use drover_domain::run::RunEvent;
use drover_domain::{Attempt, Event, Fence, MessageId, Outcome, Run, RunId, RunState, Task, TaskId, Timestamp};
use sqlx::SqliteConnection;

use crate::intent::Intent;
use crate::task::{self, Changed};
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, blob, message, queue, request, rows};

/// Why a run cannot be stopped.
#[derive(Debug, thiserror::Error)]
pub enum CancelError {
    /// There is no such run.
    #[error("no such run")]
    NotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a queued run cannot be dropped.
#[derive(Debug, thiserror::Error)]
pub enum DropError {
    /// There is no such run.
    #[error("no such run")]
    NotFound,
    /// It has started.
    #[error("the run has started")]
    Started,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A run by its id, with its attempts.
pub(crate) async fn find(conn: &mut SqliteConnection, id: RunId) -> Result<Option<Run>, StoreError> {
    let text = id.to_string();
    let row = sqlx::query!(
        "select task_id, agent, state, waiting_for, user_message_id, assistant_message_id, queued_at, started_at, ended_at, processes
         from runs where id = ?",
        text
    );
    let Some(row) = row.fetch_optional(&mut *conn).await? else {
        return Ok(None);
    };
    let attempts =
        sqlx::query!("select fence, started_at, ended_at, outcome from attempts where run_id = ? order by fence", text);
    let attempts = attempts.fetch_all(conn).await?.into_iter().map(|attempt| {
        Ok(Attempt {
            fence: attempt.fence,
            started_at: rows::time(attempt.started_at),
            ended_at: attempt.ended_at.map(rows::time),
            outcome: attempt.outcome.map(rows::enumeration::<Outcome>).transpose()?,
        })
    });
    Ok(Some(Run {
        id,
        task_id: row.task_id.parse()?,
        agent: row.agent.parse()?,
        state: rows::enumeration(row.state)?,
        waiting_for: row.waiting_for.map(rows::enumeration).transpose()?,
        user_message_id: row.user_message_id.parse()?,
        assistant_message_id: row.assistant_message_id.parse()?,
        queued_at: rows::time(row.queued_at),
        started_at: row.started_at.map(rows::time),
        ended_at: row.ended_at.map(rows::time),
        attempts: attempts.collect::<Result<_, StoreError>>()?,
        processes: serde_json::from_str(&row.processes)?,
    }))
}

/// Tells of a run as it is now.
pub(crate) async fn tell(tx: &mut Tx<'_>, id: RunId) -> Result<(), StoreError> {
    if let Some(run) = find(tx.conn(), id).await? {
        tx.emit(&Event::RunUpsert(run)).await?;
    }
    Ok(())
}

/// Takes a run a step further where its state machine has that step. Returns the state it is in then, `None` where it did not move.
pub(crate) async fn step(tx: &mut Tx<'_>, id: RunId, event: RunEvent) -> Result<Option<RunState>, StoreError> {
    let text = id.to_string();
    let state = sqlx::query_scalar!("select state from runs where id = ?", text).fetch_optional(tx.conn()).await?;
    let Some(state) = state.map(rows::enumeration::<RunState>).transpose()? else {
        return Ok(None);
    };
    match state.after(event) {
        Ok(next) if next != state => {
            let word = rows::word(&next)?;
            sqlx::query!("update runs set state = ?, waiting_for = null where id = ?", word, text)
                .execute(tx.conn())
                .await?;
            Ok(Some(next))
        }
        Ok(_) | Err(_) => Ok(None),
    }
}

/// How a run ended, for [`finish`].
pub(crate) struct Finish<'a> {
    pub(crate) outcome: Outcome,
    pub(crate) stop_reason: Option<&'a str>,
    pub(crate) usage: Option<&'a str>,
}

/// Ends a run, its attempt, its requests and its messages, holds the queue where the rules say so, and tells. `false`: it had ended.
pub(crate) async fn finish(tx: &mut Tx<'_>, id: RunId, finish: Finish<'_>) -> Result<bool, StoreError> {
    let Some(before) = find(tx.conn(), id).await? else {
        return Ok(false);
    };
    if step(tx, id, RunEvent::End(finish.outcome)).await?.is_none() {
        return Ok(false);
    }
    let (text, now) = (id.to_string(), tx.now.as_millis());
    let outcome = rows::word(&finish.outcome)?;
    sqlx::query!("update runs set ended_at = ? where id = ?", now, text).execute(tx.conn()).await?;
    sqlx::query!(
        "update attempts set ended_at = ?, outcome = ? where run_id = ? and ended_at is null",
        now,
        outcome,
        text
    )
    .execute(tx.conn())
    .await?;
    request::void_of_run(tx, id).await?;
    settle_user_message(tx, before.user_message_id).await?;
    let status = rows::word(&finish.outcome.message_status())?;
    let duration = before.started_at.map(|at| tx.now.millis_since(at).max(1));
    let assistant = before.assistant_message_id.to_string();
    sqlx::query!(
        "update messages set status = ?, duration_ms = ?, stop_reason = ?, usage = coalesce(?, usage) where id = ?",
        status,
        duration,
        finish.stop_reason,
        finish.usage,
        assistant
    )
    .execute(tx.conn())
    .await?;
    message::tell(tx, before.assistant_message_id).await?;
    tell(tx, id).await?;
    let was_queued = before.state == RunState::Queued;
    let displaced = was_displaced(tx, id).await?;
    let held = (finish.outcome.holds_queue() && !was_queued && !displaced).then_some(true);
    hold(tx, before.task_id, held).await?;
    let unread = finish.outcome != Outcome::Cancelled;
    task::refresh(tx, before.task_id, Changed { held: None, unread, message: false }).await?;
    Ok(true)
}

/// Whether "send now" on another message ended a run.
async fn was_displaced(tx: &mut Tx<'_>, id: RunId) -> Result<bool, StoreError> {
    let id = id.to_string();
    let displaced = sqlx::query_scalar!(r#"select displaced as "displaced!: bool" from runs where id = ?"#, id);
    Ok(displaced.fetch_one(tx.conn()).await?)
}

/// Holds the queue of a task, or lets it go. An empty queue is never held: there is nothing that could go on.
pub(crate) async fn hold(tx: &mut Tx<'_>, task: TaskId, held: Option<bool>) -> Result<(), StoreError> {
    let queued = queue::of_task(tx.conn(), task).await?;
    let held = if queued.is_empty() { Some(false) } else { held };
    task::refresh(tx, task, Changed { held, ..Changed::default() }).await?;
    let Some(held) = held else { return Ok(()) };
    let reason = rows::word(&if held { drover_domain::WaitingFor::Held } else { drover_domain::WaitingFor::Task })?;
    for run in queued {
        let id = run.to_string();
        let update = sqlx::query!(
            "update runs set waiting_for = ?1 where id = ?2 and waiting_for is not ?1 and not at_once",
            reason,
            id
        );
        if update.execute(tx.conn()).await?.rows_affected() > 0 {
            tell(tx, run).await?;
        }
    }
    Ok(())
}

/// A user's message whose turn has come has its place.
pub(crate) async fn settle_user_message(tx: &mut Tx<'_>, id: MessageId) -> Result<(), StoreError> {
    let text = id.to_string();
    let update = sqlx::query!("update messages set status = 'done' where id = ? and status = 'queued'", text);
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        message::tell(tx, id).await?;
    }
    Ok(())
}

/// Gives the messages of a queued run the next settled places.
pub(crate) async fn take_place(tx: &mut Tx<'_>, run: &Run) -> Result<(), StoreError> {
    let mut last = message::last_settled(tx.conn(), run.task_id).await?;
    let user = message::find(tx.conn(), run.user_message_id).await?;
    // The user message of a retry has its place already.
    let moves_user = user.is_some_and(|user| !user.status.is_settled());
    for id in [moves_user.then_some(run.user_message_id), Some(run.assistant_message_id)].into_iter().flatten() {
        last += 1;
        let id = id.to_string();
        sqlx::query!("update messages set ordinal = ? where id = ?", last, id).execute(tx.conn()).await?;
    }
    Ok(())
}

impl Store {
    /// Has the supervisor end what a run's agent left running. Nothing happens where it left nothing.
    ///
    /// # Errors
    /// See [`CancelError`].
    pub async fn end_processes(&self, id: RunId, now: Timestamp) -> Result<Run, CancelError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let run = find(tx.conn(), id).await?.ok_or(CancelError::NotFound)?;
        if !run.processes.is_empty() {
            tx.intend(run.task_id, &Intent::EndProcesses { run_id: id }).await?;
        }
        tx.commit().await?;
        Ok(run)
    }

    /// A run by its id.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn run(&self, id: RunId) -> Result<Option<Run>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        find(&mut conn, id).await
    }

    /// The runs of a task that have started and not ended, with their fences and the messages they fill.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn active_runs(&self, task: TaskId) -> Result<Vec<(RunId, Fence, MessageId)>, StoreError> {
        let task = task.to_string();
        let rows = sqlx::query!(
            r#"select id, fence as "fence!: i64", assistant_message_id from runs
               where task_id = ? and state in ('starting', 'running', 'waiting', 'background') and fence is not null"#,
            task
        );
        let rows = rows.fetch_all(&self.inner.readers).await?;
        rows.into_iter().map(|row| Ok((row.id.parse()?, row.fence, row.assistant_message_id.parse()?))).collect()
    }

    /// The exact content blocks that were sent for a run: a JSON array. `None`: none were sent yet.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn prompt(&self, id: RunId) -> Result<Option<String>, StoreError> {
        let id = id.to_string();
        let blocks = sqlx::query_scalar!("select blocks from prompts where run_id = ?", id);
        let Some(blocks) = blocks.fetch_optional(&self.inner.readers).await? else {
            return Ok(None);
        };
        String::from_utf8(blob::inflate(&blocks)?).map(Some).map_err(|error| StoreError::Corrupt(error.to_string()))
    }

    /// Asks to stop a run. A queued one ends at once; an active one answers its open requests as cancelled and ends when its agent
    /// does (lifecycle rule 16); on an ended one nothing happens. The flag tells whether there was anything to stop.
    ///
    /// # Errors
    /// See [`CancelError`].
    pub async fn cancel_run(&self, id: RunId, now: Timestamp) -> Result<(Run, bool), CancelError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let run = find(tx.conn(), id).await?.ok_or(CancelError::NotFound)?;
        if run.state.is_ended() {
            return Ok((run, false));
        }
        if run.state == RunState::Queued {
            take_place(&mut tx, &run).await?;
            finish(&mut tx, id, Finish { outcome: Outcome::Cancelled, stop_reason: None, usage: None }).await?;
            queue::renumber(&mut tx, run.task_id).await?;
        } else {
            request::cancel_of_run(&mut tx, id).await?;
        }
        tx.intend(run.task_id, &Intent::Cancel { run_id: id }).await?;
        let run = find(tx.conn(), id).await?.ok_or(CancelError::NotFound)?;
        tx.commit().await?;
        Ok((run, true))
    }

    /// Drops a queued run and its two messages.
    ///
    /// # Errors
    /// See [`DropError`].
    pub async fn drop_run(&self, id: RunId, now: Timestamp) -> Result<(), DropError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let run = find(tx.conn(), id).await?.ok_or(DropError::NotFound)?;
        if run.state != RunState::Queued {
            return Err(DropError::Started);
        }
        for message in [run.user_message_id, run.assistant_message_id] {
            let text = message.to_string();
            sqlx::query!("delete from messages where id = ?", text)
                .execute(tx.conn())
                .await
                .map_err(StoreError::from)?;
            tx.emit(&Event::MessageDeleted(MessageGone { task_id: run.task_id, id: message })).await?;
        }
        let text = id.to_string();
        sqlx::query!("delete from runs where id = ?", text).execute(tx.conn()).await.map_err(StoreError::from)?;
        queue::renumber(&mut tx, run.task_id).await?;
        hold(&mut tx, run.task_id, None).await?;
        tx.intend(run.task_id, &Intent::Start).await?;
        Ok(tx.commit().await?)
    }

    /// Lets a held queue go on. `None`: there is no such task.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn resume_queue(&self, id: TaskId, now: Timestamp) -> Result<Option<Task>, StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        if task::find(tx.conn(), id).await?.is_none() {
            return Ok(None);
        }
        hold(&mut tx, id, Some(false)).await?;
        tx.intend(id, &Intent::Start).await?;
        let task = task::find(tx.conn(), id).await?;
        tx.commit().await?;
        Ok(task)
    }
}
