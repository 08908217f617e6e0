//! Writing facts into a transaction.

use std::collections::HashMap;

use drover_domain::options::model_name;
use drover_domain::run::{Fence, LeftProcess, RunEvent};
use drover_domain::{
    AgentId, Event, HandedOver, MessageHead, MessageId, Part, RequestId, RequestState, RunId, TaskId, TitleSource,
    WaitingFor,
};

use super::{End, Fact, Record, Refused, Reply, Started};
use crate::link::{self, LinkPatch};
use crate::run::{self, Finish};
use crate::task::{self, Changed};
use crate::text::Place;
use crate::writer::Tx;
use crate::{StoreError, blob, message, option, part, queue, request, rows, text};

/// A transaction that facts are being written into.
pub(super) struct Writing<'a, 'b> {
    tx: &'a mut Tx<'b>,
    /// Text that waits to be written as one append for each part.
    waiting: Vec<Waiting>,
    /// Which attempts are known to be, or not to be, the newest of their runs.
    held: HashMap<(RunId, Fence), bool>,
}

struct Waiting {
    task_id: TaskId,
    at: Place,
    text: String,
}

impl<'a, 'b> Writing<'a, 'b> {
    pub(super) fn new(tx: &'a mut Tx<'b>) -> Self {
        Self { tx, waiting: Vec::new(), held: HashMap::new() }
    }

    /// Writes a record, all of it or nothing.
    pub(super) async fn record(&mut self, record: &Record) -> Result<Result<Reply, Refused>, StoreError> {
        let alone = record.facts.len() == 1;
        if !(alone && record.is_text()) {
            self.flush().await?;
            self.held.clear();
        }
        if record.now.as_millis() > 0 {
            self.tx.now = record.now;
        }
        if !self.holds(record).await? {
            return Ok(Err(Refused::Fenced));
        }
        let point = if alone { None } else { Some(self.tx.save().await?) };
        let reply = self.facts(record).await?;
        match (&reply, point) {
            (_, None) => {}
            (Some(_), Some(_)) => {
                self.flush().await?;
                self.tx.release().await?;
            }
            (None, Some(point)) => {
                self.waiting.clear();
                self.tx.back_to(point).await?;
            }
        }
        Ok(reply.ok_or(Refused::Fenced))
    }

    /// Writes what waits.
    pub(super) async fn finish(&mut self) -> Result<(), StoreError> {
        self.flush().await?;
        text::fold_distant(self.tx).await
    }

    async fn facts(&mut self, record: &Record) -> Result<Option<Reply>, StoreError> {
        let mut reply = Reply::Written;
        for fact in &record.facts {
            match self.fact(record, fact).await? {
                Some(Reply::Written) => {}
                Some(other) => reply = other,
                None => return Ok(None),
            }
        }
        Ok(Some(reply))
    }

    /// Whether the attempt that the facts belong to is the newest of its run.
    async fn holds(&mut self, record: &Record) -> Result<bool, StoreError> {
        let Some((run, fence)) = record.under else { return Ok(true) };
        if let Some(held) = self.held.get(&(run, fence)) {
            return Ok(*held);
        }
        let id = run.to_string();
        let newest =
            sqlx::query_scalar!("select fence from runs where id = ?", id).fetch_optional(self.tx.conn()).await?;
        let held = newest.flatten() == Some(fence);
        self.held.insert((run, fence), held);
        Ok(held)
    }

    async fn flush(&mut self) -> Result<(), StoreError> {
        for waiting in std::mem::take(&mut self.waiting) {
            text::append(self.tx, waiting.task_id, waiting.at, waiting.text).await?;
        }
        Ok(())
    }

    /// Writes one fact. `None`: what it is about is not there any more.
    async fn fact(&mut self, record: &Record, fact: &Fact) -> Result<Option<Reply>, StoreError> {
        let task = record.task_id;
        if let Fact::TextAppended { message_id, index, text } = fact {
            return Ok(self.append(task, (*message_id, *index), text).await?.then_some(Reply::Written));
        }
        // Facts have an order: what was said before stands before.
        self.flush().await?;
        let tx = &mut *self.tx;
        let written = match fact {
            Fact::Start { run_id } => return Ok(start(tx, *run_id).await?.map(Reply::Started)),
            Fact::TextAppended { .. } | Fact::Flush => true,
            Fact::PartOpened { message_id, index, part, grows } => {
                put_part(tx, task, (*message_id, *index), part, *grows).await?
            }
            Fact::PartReplaced { message_id, index, part } => {
                put_part(tx, task, (*message_id, *index), part, false).await?
            }
            Fact::PartClosed { message_id, index } => {
                text::close(tx, (*message_id, *index)).await?;
                true
            }
            Fact::MessageOpened(head) => open_message(tx, head).await?,
            Fact::MessageSettled { message_id } => settle_message(tx, *message_id).await?,
            Fact::MessageLate { message_id } => mark_late(tx, *message_id).await?,
            Fact::Sending { blocks, handoff } => sending(tx, record, blocks, *handoff).await?,
            Fact::OnWire => on_wire(tx, record).await?,
            Fact::Stepped { event } => stepped(tx, record, *event).await?,
            Fact::Ended(end) => ended(tx, record, end).await?,
            Fact::Waits { run_id, reason } => waits(tx, *run_id, *reason).await?,
            Fact::WantsLogin => wants_login(tx, record).await?,
            Fact::Asked(request) => request::open(tx, request).await?,
            Fact::Withdrawn { request_id } => withdraw(tx, *request_id).await?,
            Fact::PageDone { agent, elicitation_id } => request::complete(tx, task, agent, elicitation_id).await?,
            Fact::Link { agent, patch } => patch_link(tx, task, agent, patch).await?,
            Fact::OptionAccepted { agent, option } => option::accepted(tx, task, agent, option).await?,
            Fact::StartsWith { agent, options } => option::start_with(tx, task, agent, options).await?,
            Fact::Offered { agent, options, commands } => {
                option::offered(tx, task, agent, options.as_ref(), commands.as_ref()).await?
            }
            Fact::Titled { title } => titled(tx, task, title).await?,
            Fact::Processes { run_id, processes } => set_processes(tx, *run_id, processes).await?,
            Fact::AgentChanged(agent) => {
                tx.emit(&Event::AgentUpsert((**agent).clone())).await?;
                true
            }
        };
        Ok(written.then_some(Reply::Written))
    }

    /// Text waits for the end of the batch, so that a message that grew has one append a tick.
    /// Text for a part that was closed opens it again: content may come after the prompt was answered.
    async fn append(&mut self, task_id: TaskId, at: Place, text: &str) -> Result<bool, StoreError> {
        if !self.tx.texts().is_open(at) && !text::reopen(self.tx, task_id, at).await? {
            return Ok(false);
        }
        match self.waiting.iter_mut().find(|waiting| waiting.at == at) {
            Some(waiting) => waiting.text.push_str(text),
            None => self.waiting.push(Waiting { task_id, at, text: text.to_owned() }),
        }
        Ok(true)
    }
}

async fn put_part(tx: &mut Tx<'_>, task: TaskId, at: Place, part: &Part, grows: bool) -> Result<bool, StoreError> {
    if message::find(tx.conn(), at.0).await?.is_none() {
        return Ok(false);
    }
    tx.texts().forget(at);
    let (part_id, seq) = part::put(tx, task, at, part.clone(), grows).await?;
    if let Some(text) = part.streamed().filter(|_| grows) {
        tx.texts().begin(task, at, part_id, text, seq);
    }
    Ok(true)
}

async fn patch_link(tx: &mut Tx<'_>, task: TaskId, agent: &AgentId, patch: &LinkPatch) -> Result<bool, StoreError> {
    if task::find(tx.conn(), task).await?.is_none() {
        return Ok(false);
    }
    link::patch(tx, task, agent, patch.clone()).await?;
    Ok(true)
}

async fn titled(tx: &mut Tx<'_>, task: TaskId, title: &str) -> Result<bool, StoreError> {
    if task::retitle(tx, task, title, TitleSource::Agent).await? {
        task::tell(tx, task).await?;
    }
    Ok(true)
}

async fn set_processes(tx: &mut Tx<'_>, run_id: RunId, processes: &[LeftProcess]) -> Result<bool, StoreError> {
    let (id, list) = (run_id.to_string(), serde_json::to_string(processes)?);
    sqlx::query!("update runs set processes = ? where id = ?", list, id).execute(tx.conn()).await?;
    run::tell(tx, run_id).await?;
    Ok(true)
}

async fn ended(tx: &mut Tx<'_>, record: &Record, end: &End) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    let Some(found) = run::find(tx.conn(), run_id).await? else { return Ok(false) };
    text::close_all(tx, found.assistant_message_id).await?;
    let finish = Finish { outcome: end.outcome, stop_reason: end.stop_reason.as_deref(), usage: end.usage.as_deref() };
    if !run::finish(tx, run_id, finish).await? {
        return Ok(false);
    }
    if end.seen
        && let Some(answer) = message::find(tx.conn(), found.assistant_message_id).await?
    {
        see(tx, record.task_id, &found.agent, answer.ordinal).await?;
    }
    Ok(true)
}

/// Moves a cursor forward.
async fn see(tx: &mut Tx<'_>, task: TaskId, agent: &AgentId, ordinal: i64) -> Result<(), StoreError> {
    let seen = link::find(tx.conn(), task, agent).await?.link.seen_ordinal;
    let patch = LinkPatch { seen_ordinal: Some(ordinal.max(seen)), ..LinkPatch::default() };
    link::patch(tx, task, agent, patch).await?;
    Ok(())
}

async fn start(tx: &mut Tx<'_>, run_id: RunId) -> Result<Option<Started>, StoreError> {
    let Some(found) = run::find(tx.conn(), run_id).await? else { return Ok(None) };
    if task::is_active(tx.conn(), &found.task_id.to_string()).await? {
        return Ok(None);
    }
    if run::step(tx, run_id, RunEvent::Start).await?.is_none() {
        return Ok(None);
    }
    let (id, task, now) = (run_id.to_string(), found.task_id.to_string(), tx.now.as_millis());
    let fence = sqlx::query_scalar!(
        r#"update tasks set fence = fence + 1 where id = ? returning fence as "fence!: i64""#,
        task
    )
    .fetch_one(tx.conn())
    .await?;
    sqlx::query!(
        "update runs set fence = ?1, started_at = coalesce(started_at, ?2), sent = 0 where id = ?3",
        fence,
        now,
        id
    )
    .execute(tx.conn())
    .await?;
    sqlx::query!("insert into attempts (run_id, fence, started_at) values (?, ?, ?)", id, fence, now)
        .execute(tx.conn())
        .await?;
    run::take_place(tx, &found).await?;
    run::settle_user_message(tx, found.user_message_id).await?;
    let assistant = found.assistant_message_id.to_string();
    sqlx::query!("update messages set status = 'streaming' where id = ?", assistant).execute(tx.conn()).await?;
    message::tell(tx, found.assistant_message_id).await?;
    queue::renumber(tx, found.task_id).await?;
    run::tell(tx, run_id).await?;
    task::refresh(tx, found.task_id, Changed::default()).await?;
    let user = message::find(tx.conn(), found.user_message_id).await?;
    Ok(user.map(|user| Started { fence, ordinal: user.ordinal }))
}

async fn sending(
    tx: &mut Tx<'_>,
    record: &Record,
    blocks: &str,
    handoff: Option<HandedOver>,
) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    let (id, blocks) = (run_id.to_string(), blob::deflate(blocks.as_bytes())?);
    let update = sqlx::query!("update runs set sent = 1 where id = ? and state = 'starting'", id);
    if update.execute(tx.conn()).await?.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!(
        "insert into prompts (run_id, blocks) values (?, ?) on conflict (run_id) do update set blocks = excluded.blocks",
        id,
        blocks
    )
    .execute(tx.conn())
    .await?;
    let handoff = handoff.map(|handoff| serde_json::to_string(&handoff)).transpose()?;
    let options = sqlx::query_scalar!(
        "select l.options from runs r join links l on l.task_id = r.task_id and l.agent = r.agent where r.id = ?",
        id
    );
    let options = options.fetch_optional(tx.conn()).await?.map(|text| serde_json::from_str(&text)).transpose()?;
    let model = options.as_ref().and_then(model_name);
    let answer = sqlx::query_scalar!(
        r#"update messages set handoff = ?1, model = ?3 where id = (select assistant_message_id from runs where id = ?2)
           and (handoff is not ?1 or model is not ?3) returning id as "id!""#,
        handoff,
        id,
        model
    );
    if let Some(answer) = answer.fetch_optional(tx.conn()).await? {
        message::tell(tx, answer.parse()?).await?;
    }
    Ok(true)
}

async fn on_wire(tx: &mut Tx<'_>, record: &Record) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    let Some(found) = run::find(tx.conn(), run_id).await? else { return Ok(false) };
    if !stepped(tx, record, RunEvent::Sent).await? {
        return Ok(false);
    }
    let id = run_id.to_string();
    sqlx::query!("update runs set sent = 2 where id = ?", id).execute(tx.conn()).await?;
    if let Some(user) = message::find(tx.conn(), found.user_message_id).await? {
        see(tx, record.task_id, &found.agent, user.ordinal).await?;
    }
    Ok(true)
}

async fn stepped(tx: &mut Tx<'_>, record: &Record, event: RunEvent) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    if run::step(tx, run_id, event).await?.is_none() {
        return Ok(false);
    }
    run::tell(tx, run_id).await?;
    task::refresh(tx, record.task_id, Changed { unread: event == RunEvent::Quieted, ..Changed::default() }).await?;
    Ok(true)
}

async fn waits(tx: &mut Tx<'_>, run_id: RunId, reason: Option<WaitingFor>) -> Result<bool, StoreError> {
    let (id, word) = (run_id.to_string(), reason.as_ref().map(rows::word).transpose()?);
    let update = sqlx::query!(
        "update runs set waiting_for = ?1 where id = ?2 and state in ('queued', 'starting') and waiting_for is not ?1",
        word,
        id
    );
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        run::tell(tx, run_id).await?;
        let Some(found) = run::find(tx.conn(), run_id).await? else { return Ok(false) };
        task::refresh(tx, found.task_id, Changed::default()).await?;
    }
    Ok(true)
}

async fn wants_login(tx: &mut Tx<'_>, record: &Record) -> Result<bool, StoreError> {
    let Some((run_id, _)) = record.under else { return Ok(false) };
    run::step(tx, run_id, RunEvent::Refused).await?;
    let (id, word) = (run_id.to_string(), rows::word(&WaitingFor::Login)?);
    let update =
        sqlx::query!("update runs set waiting_for = ?1, sent = 0 where id = ?2 and state = 'starting'", word, id);
    if update.execute(tx.conn()).await?.rows_affected() == 0 {
        return Ok(false);
    }
    run::tell(tx, run_id).await?;
    task::refresh(tx, record.task_id, Changed::default()).await?;
    Ok(true)
}

async fn withdraw(tx: &mut Tx<'_>, id: RequestId) -> Result<bool, StoreError> {
    match request::find(tx.conn(), id).await? {
        Some(request) if request.state == RequestState::Open => {
            request::close(tx, request, RequestState::Void, None).await?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

async fn open_message(tx: &mut Tx<'_>, head: &MessageHead) -> Result<bool, StoreError> {
    if task::find(tx.conn(), head.task_id).await?.is_none() {
        return Ok(false);
    }
    let ordinal = message::last_settled(tx.conn(), head.task_id).await? + 1;
    message::insert(tx, &MessageHead { ordinal, ..head.clone() }).await?;
    queue::renumber(tx, head.task_id).await?;
    task::refresh(tx, head.task_id, Changed { unread: true, message: true, held: None }).await?;
    Ok(true)
}

async fn settle_message(tx: &mut Tx<'_>, id: MessageId) -> Result<bool, StoreError> {
    text::close_all(tx, id).await?;
    let text = id.to_string();
    let update = sqlx::query!("update messages set status = 'done' where id = ? and status = 'streaming'", text);
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        message::tell(tx, id).await?;
    }
    Ok(true)
}

async fn mark_late(tx: &mut Tx<'_>, id: MessageId) -> Result<bool, StoreError> {
    let text = id.to_string();
    let update = sqlx::query!("update messages set late = 1 where id = ? and late = 0", text);
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        message::tell(tx, id).await?;
    }
    Ok(true)
}
