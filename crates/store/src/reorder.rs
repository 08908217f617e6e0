//! Changing the queue: send now, other words, another place (lifecycle rule 21).

use drover_domain::event::PartUpsert;
use drover_domain::queue::BadMove;
use drover_domain::{Event, Part, Run, RunId, RunState, TaskId, Timestamp, WaitingFor};

use crate::task::{self, Changed};
use crate::writer::{Durability, Tx};
use crate::{Intent, Store, StoreError, message, queue, request, run};

/// What to change in a queued run.
#[derive(Debug, Clone, Default)]
pub struct RunPatch {
    /// Other words.
    pub text: Option<String>,
    /// Before which other queued run; `Some(None)`: at the end.
    pub before: Option<Option<RunId>>,
}

/// Why a queued run cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// There is no such run.
    #[error("no such run")]
    NotFound,
    /// It has started.
    #[error("the run has started")]
    Started,
    /// There is no such place in the queue.
    #[error("there is no such place in the queue")]
    NoSuchPlace,
    /// There would be nothing to send.
    #[error("the message is empty")]
    Empty,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Lets a queued run jump the queue: the active one is stopped, which holds nothing; so is the agent's own in the
    /// background where only that is waited for. In a held queue only this one starts.
    ///
    /// # Errors
    /// See [`QueueError`].
    pub async fn send_now(&self, id: RunId, now: Timestamp) -> Result<Run, QueueError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let locked = run::find(tx.conn(), id).await?.filter(Run::wants_login);
        if let Some(run) = locked {
            tx.intend(run.task_id, &Intent::GoOn { run_id: id }).await?;
            tx.commit().await?;
            return Ok(run);
        }
        let found = queued(&mut tx, id).await?;
        let before = queue::of_task(tx.conn(), found.task_id).await?;
        let order = drover_domain::queue::send_now(&before, id).map_err(bad_move)?;
        let text = id.to_string();
        sqlx::query!("update runs set at_once = 1 where id = ?", text)
            .execute(tx.conn())
            .await
            .map_err(StoreError::from)?;
        place(&mut tx, found.task_id, &order).await?;
        if !displace_active(&mut tx, found.task_id).await? && found.waiting_for == Some(WaitingFor::Task) {
            displace_background(&mut tx, &found).await?;
        }
        tx.intend(found.task_id, &Intent::Start).await?;
        let run = run::find(tx.conn(), id).await?.ok_or(QueueError::NotFound)?;
        tx.commit().await?;
        Ok(run)
    }

    /// Changes the words or the place of a queued run.
    ///
    /// # Errors
    /// See [`QueueError`].
    pub async fn patch_run(&self, id: RunId, patch: RunPatch, now: Timestamp) -> Result<Run, QueueError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let found = queued(&mut tx, id).await?;
        if let Some(text) = patch.text {
            reword(&mut tx, &found, text).await?;
        }
        if let Some(to) = patch.before {
            let before = queue::of_task(tx.conn(), found.task_id).await?;
            let order = drover_domain::queue::move_before(&before, id, to).map_err(bad_move)?;
            place(&mut tx, found.task_id, &order).await?;
        }
        run::tell(&mut tx, id).await?;
        let run = run::find(tx.conn(), id).await?.ok_or(QueueError::NotFound)?;
        tx.commit().await?;
        Ok(run)
    }
}

fn bad_move(error: BadMove) -> QueueError {
    match error {
        BadMove::NotQueued => QueueError::Started,
        BadMove::NoSuchPlace => QueueError::NoSuchPlace,
    }
}

async fn queued(tx: &mut Tx<'_>, id: RunId) -> Result<Run, QueueError> {
    let found = run::find(tx.conn(), id).await?.ok_or(QueueError::NotFound)?;
    if found.state == RunState::Queued { Ok(found) } else { Err(QueueError::Started) }
}

async fn place(tx: &mut Tx<'_>, task: TaskId, order: &[RunId]) -> Result<(), StoreError> {
    for (place, run) in (1..).zip(order) {
        let (place, run): (i64, String) = (place, run.to_string());
        sqlx::query!("update runs set place = ? where id = ?", place, run).execute(tx.conn()).await?;
    }
    queue::renumber(tx, task).await
}

/// The active run makes room. `false`: there is none.
async fn displace_active(tx: &mut Tx<'_>, task: TaskId) -> Result<bool, StoreError> {
    let id = task.to_string();
    let active = sqlx::query_scalar!(
        "update runs set displaced = 1 where task_id = ? and state in ('starting', 'running', 'waiting') returning id",
        id
    );
    let active = active.fetch_all(tx.conn()).await?;
    stop(tx, task, &active).await?;
    Ok(!active.is_empty())
}

/// What the run's own agent still does in the background makes room: it takes no other prompt before that is over.
async fn displace_background(tx: &mut Tx<'_>, waiting: &Run) -> Result<(), StoreError> {
    let (task, agent) = (waiting.task_id.to_string(), waiting.agent.as_str());
    let behind = sqlx::query_scalar!(
        "update runs set displaced = 1 where task_id = ? and agent = ? and state = 'background' returning id",
        task,
        agent
    );
    let behind = behind.fetch_all(tx.conn()).await?;
    stop(tx, waiting.task_id, &behind).await
}

async fn stop(tx: &mut Tx<'_>, task: TaskId, runs: &[String]) -> Result<(), StoreError> {
    for run in runs {
        let run_id: RunId = run.parse()?;
        request::cancel_of_run(tx, run_id).await?;
        tx.intend(task, &Intent::Cancel { run_id }).await?;
    }
    Ok(())
}

/// Replaces the text of a queued message; its files stay.
async fn reword(tx: &mut Tx<'_>, found: &Run, text: String) -> Result<(), QueueError> {
    let id = found.user_message_id.to_string();
    if message::find(tx.conn(), found.user_message_id).await?.is_none_or(|head| head.status.is_settled()) {
        return Err(QueueError::Started);
    }
    let row = sqlx::query!(r#"select id as "id!", kind from parts where message_id = ? and idx = 0"#, id)
        .fetch_optional(tx.conn())
        .await
        .map_err(StoreError::from)?;
    if text.trim().is_empty() {
        return Err(QueueError::Empty);
    }
    match row {
        Some(row) if row.kind == "text" => {
            sqlx::query!("update parts set body = ? where id = ?", text, row.id)
                .execute(tx.conn())
                .await
                .map_err(StoreError::from)?;
            sqlx::query!("delete from part_pieces where part_id = ?", row.id)
                .execute(tx.conn())
                .await
                .map_err(StoreError::from)?;
        }
        _ => return Err(QueueError::Empty),
    }
    let part = Part::Text { text };
    let upsert = PartUpsert { task_id: found.task_id, message_id: found.user_message_id, index: 0, part };
    tx.emit(&Event::PartUpsert(upsert)).await?;
    Ok(task::refresh(tx, found.task_id, Changed::default()).await?)
}
