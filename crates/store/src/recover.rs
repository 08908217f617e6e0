//! What a start finds of the daemon before it (lifecycle rules 6 and 28).

use drover_domain::run::RunEvent;
use drover_domain::{MessageId, Outcome, Part, RunId, TaskId, Timestamp};

use crate::link::{self, LinkPatch};
use crate::run::{self, Finish};
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, message, part, request, text};

/// What was found and put right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Runs that were cut off.
    pub runs: usize,
    /// Texts that were put together.
    pub texts: usize,
    /// Requests that nobody waits for any more.
    pub requests: usize,
}

impl Store {
    /// Puts right what a daemon that did not stop cleanly left: texts are put together, active runs are interrupted (failed, where
    /// their prompt cannot have been sent), queues held, requests void, links off. Call it once, before anything else runs.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn recover(&self, now: Timestamp) -> Result<Recovered, StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let texts = fold_texts(&mut tx).await?;
        // A run ended when the daemon did, not when the next one looks: its last sign of life is the newest entry of the feed.
        tx.now = last_sign(&mut tx).await?.map_or(now, |last| last.min(now));
        let runs = end_runs(&mut tx).await?;
        tx.now = now;
        let recovered = Recovered { texts, runs, requests: void_requests(&mut tx).await? };
        settle_messages(&mut tx).await?;
        leave_the_future(&mut tx).await?;
        forget_processes(&mut tx).await?;
        links_off(&mut tx).await?;
        hold_queues(&mut tx).await?;
        tx.commit().await?;
        Ok(recovered)
    }
}

async fn last_sign(tx: &mut Tx<'_>) -> Result<Option<Timestamp>, StoreError> {
    let newest = sqlx::query_scalar!("select at from feed order by seq desc limit 1");
    Ok(newest.fetch_optional(tx.conn()).await?.map(Timestamp::from_millis))
}

/// Tasks that were used while the clock was ahead would stand above all others until it gets there.
async fn leave_the_future(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let now = tx.now.as_millis();
    sqlx::query!("update tasks set activity_at = ?1 where activity_at > ?1", now).execute(tx.conn()).await?;
    Ok(())
}

async fn fold_texts(tx: &mut Tx<'_>) -> Result<usize, StoreError> {
    let open = sqlx::query!(
        r#"select id as "id!", message_id, idx, open_seq as "open_seq!: i64",
             (select coalesce(max(n) + 1, 0) from part_pieces where part_id = parts.id) as "piece!: i64"
           from parts where open_seq is not null"#
    );
    let open = open.fetch_all(tx.conn()).await?;
    for row in &open {
        let tail = part::appended(tx.conn(), row.message_id.parse()?, row.idx, row.open_seq).await?;
        text::add_piece(tx.conn(), row.id, row.piece, &tail).await?;
        sqlx::query!("update parts set open_seq = null where id = ?", row.id).execute(tx.conn()).await?;
    }
    Ok(open.len())
}

async fn end_runs(tx: &mut Tx<'_>) -> Result<usize, StoreError> {
    let cut = sqlx::query!(
        "select id, task_id, state, sent, assistant_message_id from runs where state in ('starting', 'running', 'waiting', 'background')"
    );
    let cut = cut.fetch_all(tx.conn()).await?;
    for row in &cut {
        let (run_id, task): (RunId, TaskId) = (row.id.parse()?, row.task_id.parse()?);
        let answer: MessageId = row.assistant_message_id.parse()?;
        stop_tools(tx, task, answer).await?;
        if row.state == "starting" && row.sent == 0 {
            let part = Part::Error {
                code: "not_sent".into(),
                message: "Drover stopped before this message was sent. Nothing reached the agent; send it again."
                    .into(),
                detail: None,
            };
            let index = part::count(tx.conn(), answer).await?;
            part::put(tx, task, (answer, index), part, false).await?;
            run::finish(tx, run_id, Finish { outcome: Outcome::Error, stop_reason: None, usage: None }).await?;
        } else {
            interrupt(tx, run_id).await?;
        }
    }
    Ok(cut.len())
}

/// A prompt that was being written may have reached the agent: the run counts as sent, its cursor stays (lifecycle rule 6).
async fn interrupt(tx: &mut Tx<'_>, run_id: RunId) -> Result<(), StoreError> {
    run::step(tx, run_id, RunEvent::Sent).await?;
    run::finish(tx, run_id, Finish { outcome: Outcome::Interrupted, stop_reason: None, usage: None }).await?;
    Ok(())
}

/// Tool calls that were open may have happened or not (lifecycle rule 17).
async fn stop_tools(tx: &mut Tx<'_>, task_id: TaskId, message_id: MessageId) -> Result<(), StoreError> {
    let parts = part::of_message(tx.conn(), message_id).await?;
    for (index, part) in (0..).zip(parts) {
        if let Part::ToolCall(mut call) = part
            && call.is_open()
        {
            call.unknown_outcome = true;
            part::put(tx, task_id, (message_id, index), Part::ToolCall(call), false).await?;
        }
    }
    Ok(())
}

async fn void_requests(tx: &mut Tx<'_>) -> Result<usize, StoreError> {
    let open = sqlx::query_scalar!("select id from requests where state = 'open'").fetch_all(tx.conn()).await?;
    for id in &open {
        if let Some(found) = request::find(tx.conn(), id.parse()?).await? {
            request::close(tx, found, drover_domain::RequestState::Void, None).await?;
        }
    }
    Ok(open.len())
}

/// Messages without a run that were still being written.
async fn settle_messages(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let open = sqlx::query!("select id, task_id from messages where status = 'streaming'");
    for row in open.fetch_all(tx.conn()).await? {
        stop_tools(tx, row.task_id.parse()?, row.id.parse()?).await?;
        let id = row.id;
        sqlx::query!("update messages set status = 'interrupted' where id = ?", id).execute(tx.conn()).await?;
        message::tell(tx, id.parse()?).await?;
    }
    Ok(())
}

/// What agents left running was ended with them.
async fn forget_processes(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    for id in sqlx::query_scalar!("select id from runs where processes <> '[]'").fetch_all(tx.conn()).await? {
        sqlx::query!("update runs set processes = '[]' where id = ?", id).execute(tx.conn()).await?;
        run::tell(tx, id.parse()?).await?;
    }
    Ok(())
}

async fn links_off(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let on = sqlx::query!("select task_id, agent from links where state in ('starting', 'ready', 'busy')")
        .fetch_all(tx.conn())
        .await?;
    for row in on {
        let patch = LinkPatch { state: Some((drover_domain::LinkState::Off, None)), ..LinkPatch::default() };
        link::patch(tx, row.task_id.parse()?, &row.agent.parse()?, patch).await?;
    }
    Ok(())
}

async fn hold_queues(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let waiting =
        sqlx::query_scalar!("select distinct task_id from runs where state = 'queued'").fetch_all(tx.conn()).await?;
    for task in waiting {
        run::hold(tx, task.parse()?, Some(true)).await?;
    }
    Ok(())
}
