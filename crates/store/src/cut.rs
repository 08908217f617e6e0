//! Retry, edit, continue: what is cut leaves the chat as a branch, and the links that saw it start new sessions
//! (lifecycle rules 18 to 20 and 29).

use drover_domain::event::ChatTruncated;
use drover_domain::{
    AgentId, BranchId, Event, MessageHead, MessageId, MessageStatus, Part, Role, RunId, TaskId, Timestamp,
};
use sha2::{Digest, Sha256};

use crate::link::{self, LinkPatch};
use crate::send::{self, MentionedFile, SendError, SendMessage, Sent};
use crate::task::{self, Changed};
use crate::writer::{Durability, Tx};
use crate::{Intent, Store, StoreError, message, part, queue, run, text};

/// The user's words of a continuation.
pub const CONTINUE: &str = "You were cut off. Please continue where you stopped.";

/// What is to be done to a message.
#[derive(Debug, Clone)]
pub enum Change {
    /// Run the prompt of an assistant message again.
    Retry,
    /// Send other words in place of a user message.
    Edit {
        /// The words.
        text: String,
        /// Attachments; `None`: those it has.
        attachments: Option<Vec<drover_domain::AttachmentId>>,
    },
    /// Go on after an interrupted answer.
    Continue,
}

/// A change to a message, with ids for what it makes.
#[derive(Debug, Clone)]
pub struct ChangeMessage {
    /// Which message.
    pub message_id: MessageId,
    /// The client's own name for this; it shares one space with sends.
    pub nonce: String,
    /// What to do.
    pub change: Change,
    /// Who is to answer; `None`: who answered before.
    pub agent: Option<AgentId>,
    /// Ids for what this makes.
    pub user_message_id: MessageId,
    /// Ids for what this makes.
    pub assistant_message_id: MessageId,
    /// Ids for what this makes.
    pub run_id: RunId,
    /// Ids for what this makes.
    pub branch_id: BranchId,
    /// Now.
    pub now: Timestamp,
}

/// Why a message cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// There is no such message in a chat.
    #[error("no such message")]
    NotFound,
    /// A run of the task is active.
    #[error("a run of the task is active")]
    Active,
    /// The message is of a kind, or in a state, that this is not for.
    #[error("{0}")]
    NotApplicable(&'static str),
    /// There would be nothing to send.
    #[error("the message is empty")]
    Empty,
    /// As for a send.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ChangeMessage {
    fn digest(&self) -> String {
        let what = match &self.change {
            Change::Retry => serde_json::json!(["retry", self.message_id, self.agent]),
            Change::Edit { text, attachments } => {
                serde_json::json!(["edit", self.message_id, self.agent, text, attachments])
            }
            Change::Continue => serde_json::json!(["continue", self.message_id]),
        };
        Sha256::digest(what.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Store {
    /// Retries, edits or continues. The run starts at once, before what is queued, which stays held behind it.
    ///
    /// # Errors
    /// See [`ChangeError`].
    pub async fn change_message(&self, change: ChangeMessage) -> Result<Sent, ChangeError> {
        let mut tx = self.begin(Durability::Full, change.now).await?;
        let task_id = task_of(&mut tx, change.message_id).await?.ok_or(ChangeError::NotFound)?;
        let digest = change.digest();
        if let Some(sent) = send::before(&mut tx, task_id, &change.nonce, &digest).await? {
            return Ok(sent);
        }
        let target = message::find(tx.conn(), change.message_id).await?.ok_or(ChangeError::NotFound)?;
        refuse_active(&mut tx, task_id).await?;
        let sent = match &change.change {
            Change::Retry => retry(&mut tx, &change, &target).await?,
            Change::Edit { text, attachments } => {
                edit(&mut tx, &change, &target, text.clone(), attachments.clone()).await?
            }
            Change::Continue => go_on(&mut tx, &change, &target).await?,
        };
        hold_the_rest(&mut tx, task_id).await?;
        send::note_nonce(&mut tx, task_id, &change.nonce, &digest, &sent).await?;
        tx.intend(task_id, &Intent::Start).await?;
        tx.commit().await?;
        Ok(sent)
    }
}

/// The task of a message, whether it is in the chat or was cut.
async fn task_of(tx: &mut Tx<'_>, id: MessageId) -> Result<Option<TaskId>, StoreError> {
    let id = id.to_string();
    let task = sqlx::query_scalar!("select task_id from messages where id = ?", id).fetch_optional(tx.conn()).await?;
    Ok(task.map(|task| task.parse()).transpose()?)
}

/// Refuses while a run is active; one that was asked to start at once counts, although it may still wait for its turn.
pub(crate) async fn refuse_active(tx: &mut Tx<'_>, task: TaskId) -> Result<(), ChangeError> {
    let id = task.to_string();
    let starting = sqlx::query_scalar!(
        r#"select exists (select 1 from runs where task_id = ? and state = 'queued' and at_once) as "at_once!: bool""#,
        id
    );
    let starting = starting.fetch_one(tx.conn()).await.map_err(StoreError::from)?;
    if starting || task::is_active(tx.conn(), &id).await? { Err(ChangeError::Active) } else { Ok(()) }
}

async fn retry(tx: &mut Tx<'_>, change: &ChangeMessage, target: &MessageHead) -> Result<Sent, ChangeError> {
    let (Role::Assistant, Some(old)) = (target.role, target.run_id) else {
        return Err(ChangeError::NotApplicable("only the answer to a message can be retried"));
    };
    let old = run::find(tx.conn(), old).await?.ok_or(ChangeError::NotFound)?;
    let Some(user) = message::find(tx.conn(), old.user_message_id).await? else { return Err(ChangeError::NotFound) };
    // An answer may go on in further messages: all of it goes.
    cut(tx, target.task_id, (user.ordinal + 1, "retry"), change.branch_id).await?;
    let agent = change.agent.clone().unwrap_or(old.agent);
    let send = shell(change, target.task_id, agent.clone(), String::new());
    let send = SendMessage { user_message_id: user.id, ..send };
    send::insert_run(tx, &send, true).await?;
    let (id, run, agent) = (user.id.to_string(), change.run_id.to_string(), agent.to_string());
    sqlx::query!("update messages set run_id = ?, agent = ? where id = ?", run, agent, id)
        .execute(tx.conn())
        .await
        .map_err(StoreError::from)?;
    message::tell(tx, user.id).await?;
    message::insert(tx, &send::head(&send, Role::Assistant, user.ordinal + 1)).await?;
    finish_insert(tx, &send).await
}

async fn edit(
    tx: &mut Tx<'_>,
    change: &ChangeMessage,
    target: &MessageHead,
    text: String,
    attachments: Option<Vec<drover_domain::AttachmentId>>,
) -> Result<Sent, ChangeError> {
    if target.role != Role::User || target.status == MessageStatus::Queued {
        return Err(ChangeError::NotApplicable("only a message of yours that was sent can be edited"));
    }
    let agent = change.agent.clone().or(target.agent.clone()).ok_or(ChangeError::NotFound)?;
    let (kept, mentions) = files_of(tx, target.id).await?;
    let attachments = attachments.unwrap_or(kept);
    if text.trim().is_empty() && attachments.is_empty() {
        return Err(ChangeError::Empty);
    }
    cut(tx, target.task_id, (target.ordinal, "edit"), change.branch_id).await?;
    let send = SendMessage { attachments, mentions, ..shell(change, target.task_id, agent, text) };
    send::insert_run(tx, &send, true).await?;
    let files = send::files(tx, &send).await?;
    send::insert_messages(tx, &send, files).await?;
    finish_insert(tx, &send).await
}

async fn go_on(tx: &mut Tx<'_>, change: &ChangeMessage, target: &MessageHead) -> Result<Sent, ChangeError> {
    if target.status != MessageStatus::Interrupted || target.role != Role::Assistant {
        return Err(ChangeError::NotApplicable("only an interrupted answer can be continued"));
    }
    if message::last_settled(tx.conn(), target.task_id).await? != target.ordinal {
        return Err(ChangeError::NotApplicable("only the last answer of the chat can be continued"));
    }
    let agent = target.agent.clone().ok_or(ChangeError::NotFound)?;
    let send = shell(change, target.task_id, agent, CONTINUE.to_owned());
    send::insert_run(tx, &send, true).await?;
    send::insert_messages(tx, &send, Vec::new()).await?;
    finish_insert(tx, &send).await
}

async fn finish_insert(tx: &mut Tx<'_>, send: &SendMessage) -> Result<Sent, ChangeError> {
    queue::renumber(tx, send.task_id).await?;
    run::tell(tx, send.run_id).await?;
    task::refresh(tx, send.task_id, Changed { message: true, ..Changed::default() }).await?;
    Ok(Sent {
        user_message_id: send.user_message_id,
        assistant_message_id: send.assistant_message_id,
        run_id: send.run_id,
        again: false,
    })
}

/// What is queued waits until the user goes on.
async fn hold_the_rest(tx: &mut Tx<'_>, task: TaskId) -> Result<(), StoreError> {
    let queued = queue::of_task(tx.conn(), task).await?;
    if queued.len() > 1 { run::hold(tx, task, Some(true)).await } else { Ok(()) }
}

fn shell(change: &ChangeMessage, task_id: TaskId, agent: AgentId, text: String) -> SendMessage {
    SendMessage {
        task_id,
        nonce: change.nonce.clone(),
        agent,
        text,
        attachments: Vec::new(),
        mentions: Vec::new(),
        options: Vec::new(),
        user_message_id: change.user_message_id,
        assistant_message_id: change.assistant_message_id,
        run_id: change.run_id,
        now: change.now,
    }
}

/// The attachments and mentions that a message has.
async fn files_of(
    tx: &mut Tx<'_>,
    id: MessageId,
) -> Result<(Vec<drover_domain::AttachmentId>, Vec<MentionedFile>), StoreError> {
    let (mut attachments, mut mentions) = (Vec::new(), Vec::new());
    for part in part::of_message(tx.conn(), id).await? {
        let (Part::Image(file) | Part::File(file)) = part else { continue };
        match (file.attachment_id, file.path) {
            (Some(id), _) => attachments.push(id),
            (None, Some(path)) => {
                mentions.push(MentionedFile { path, name: file.name, mime_type: file.mime_type, size: file.size });
            }
            (None, None) => {}
        }
    }
    Ok((attachments, mentions))
}

/// Takes the messages from an ordinal on out of the chat as a branch; queued ones stay. Every link that saw one of them, and every
/// one that made one of them, starts a new session. `false`: there were none.
pub(crate) async fn cut(
    tx: &mut Tx<'_>,
    task_id: TaskId,
    (from_ordinal, reason): (i64, &str),
    branch: BranchId,
) -> Result<bool, StoreError> {
    let (task, now) = (task_id.to_string(), tx.now.as_millis());
    let rows = sqlx::query!(
        "select id, agent, role, run_id from messages
         where task_id = ? and branch_id is null and ordinal >= ? and status <> 'queued'",
        task,
        from_ordinal
    );
    let rows = rows.fetch_all(tx.conn()).await?;
    if rows.is_empty() {
        return Ok(false);
    }
    let id = branch.to_string();
    sqlx::query!(
        "insert into branches (id, task_id, from_ordinal, reason, created_at) values (?, ?, ?, ?, ?)",
        id,
        task,
        from_ordinal,
        reason,
        now
    )
    .execute(tx.conn())
    .await?;
    let mut makers: Vec<AgentId> = Vec::new();
    for row in &rows {
        text::close_all(tx, row.id.parse()?).await?;
        sqlx::query!("update messages set branch_id = ? where id = ?", id, row.id).execute(tx.conn()).await?;
        if let (Some(agent), "assistant") = (&row.agent, row.role.as_str()) {
            makers.push(agent.parse()?);
        }
        if let Some(run_id) = &row.run_id {
            end_background(tx, task_id, run_id.parse()?).await?;
        }
    }
    renew_links(tx, task_id, from_ordinal, &makers).await?;
    tx.emit(&Event::ChatTruncated(ChatTruncated { task_id, from_ordinal })).await?;
    tell_queued(tx, task_id).await?;
    Ok(true)
}

/// A cut run that goes on in the background is stopped: it was cancelled for good.
async fn end_background(tx: &mut Tx<'_>, task: TaskId, run_id: RunId) -> Result<(), StoreError> {
    if run::find(tx.conn(), run_id).await?.is_some_and(|run| !run.state.is_ended()) {
        crate::request::cancel_of_run(tx, run_id).await?;
        tx.intend(task, &Intent::Cancel { run_id }).await?;
    }
    Ok(())
}

async fn renew_links(tx: &mut Tx<'_>, task: TaskId, from: i64, makers: &[AgentId]) -> Result<(), StoreError> {
    for row in link::of_task(tx.conn(), task).await? {
        if row.link.seen_ordinal >= from || makers.contains(&row.link.agent) {
            let agent = row.link.agent;
            let patch = LinkPatch { session: Some(None), seen_ordinal: Some(0), ..LinkPatch::default() };
            link::patch(tx, task, &agent, patch).await?;
            tx.intend(task, &Intent::Renew { agent }).await?;
        }
    }
    Ok(())
}

/// Readers dropped all from the cut on, the queued ones too: they are told of them anew.
async fn tell_queued(tx: &mut Tx<'_>, task_id: TaskId) -> Result<(), StoreError> {
    let task = task_id.to_string();
    let queued = sqlx::query_scalar!(
        "select id from messages where task_id = ? and branch_id is null and status = 'queued' order by ordinal",
        task
    );
    for id in queued.fetch_all(tx.conn()).await? {
        tell_whole(tx, task_id, id.parse()?).await?;
    }
    Ok(())
}

/// Tells of a message and all its parts.
pub(crate) async fn tell_whole(tx: &mut Tx<'_>, task_id: TaskId, message_id: MessageId) -> Result<(), StoreError> {
    message::tell(tx, message_id).await?;
    for (index, part) in (0..).zip(part::of_message(tx.conn(), message_id).await?) {
        let upsert = drover_domain::event::PartUpsert { task_id, message_id, index, part };
        tx.emit(&Event::PartUpsert(upsert)).await?;
    }
    Ok(())
}
