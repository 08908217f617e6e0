//! Sending a message: one transaction, once a nonce (lifecycle rules 1 and 2).

use drover_domain::message::FilePart;
use drover_domain::{
    AgentId, AttachmentId, MessageHead, MessageId, MessageStatus, Origin, Part, Role, RunId, TaskId, Timestamp,
    TitleSource,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::intent::Intent;
use crate::task::{self, Changed};
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, link, message, option, part, queue, run};

/// What to send.
#[derive(Debug, Clone)]
pub struct SendMessage {
    /// Where.
    pub task_id: TaskId,
    /// The client's own name for this send; unique in the task.
    pub nonce: String,
    /// Who is to answer.
    pub agent: AgentId,
    /// What the user wrote.
    pub text: String,
    /// Attachments, in order.
    pub attachments: Vec<AttachmentId>,
    /// Mentioned files, in order.
    pub mentions: Vec<MentionedFile>,
    /// Option values, by the option's id, that the agent is to start with.
    pub options: Vec<(String, Value)>,
    /// Ids for what this makes.
    pub user_message_id: MessageId,
    /// Ids for what this makes.
    pub assistant_message_id: MessageId,
    /// Ids for what this makes.
    pub run_id: RunId,
    /// Now.
    pub now: Timestamp,
}

/// A file of the project that a message mentions.
#[derive(Debug, Clone, Serialize)]
pub struct MentionedFile {
    /// Its absolute path.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Its type, where known.
    pub mime_type: Option<String>,
    /// Its size in bytes, where known.
    pub size: Option<i64>,
}

/// What a send made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// The user's message.
    pub user_message_id: MessageId,
    /// The message that the agent fills.
    pub assistant_message_id: MessageId,
    /// The run.
    pub run_id: RunId,
    /// Whether this nonce had done it before.
    #[serde(skip)]
    pub again: bool,
}

/// Why a message cannot be sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// There is no such task.
    #[error("no such task")]
    NoTask,
    /// The nonce was used for another message.
    #[error("this nonce was used for another message")]
    NonceReused,
    /// There is no such attachment.
    #[error("no such attachment: {0}")]
    NoAttachment(AttachmentId),
    /// The agent has been started in this task: what is to be set then is set there.
    #[error("the agent has been started in this task")]
    Started,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SendMessage {
    /// What makes two sends the same.
    fn digest(&self) -> String {
        let paths: Vec<&str> = self.mentions.iter().map(|file| file.path.as_str()).collect();
        let body = serde_json::json!(["send", self.agent, self.text, self.attachments, paths, self.options]);
        Sha256::digest(body.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Store {
    /// Stores a message and the run that answers it, behind those that wait; lets a held queue go on.
    ///
    /// # Errors
    /// See [`SendError`].
    pub async fn send_message(&self, send: SendMessage) -> Result<Sent, SendError> {
        let mut tx = self.begin(Durability::Full, send.now).await?;
        if task::find(tx.conn(), send.task_id).await?.is_none() {
            return Err(SendError::NoTask);
        }
        let digest = send.digest();
        if let Some(sent) = before(&mut tx, send.task_id, &send.nonce, &digest).await? {
            return Ok(sent);
        }
        if !send.options.is_empty() {
            if link::find(tx.conn(), send.task_id, &send.agent).await?.was_started() {
                return Err(SendError::Started);
            }
            option::choose(&mut tx, send.task_id, &send.agent, &send.options).await?;
        }
        let files = files(&mut tx, &send).await?;
        insert_run(&mut tx, &send, false).await?;
        insert_messages(&mut tx, &send, files).await?;
        queue::renumber(&mut tx, send.task_id).await?;
        run::tell(&mut tx, send.run_id).await?;
        run::hold(&mut tx, send.task_id, Some(false)).await?;
        task::retitle(&mut tx, send.task_id, &send.text, TitleSource::Prompt).await?;
        task::refresh(&mut tx, send.task_id, Changed { message: true, ..Changed::default() }).await?;
        let sent = Sent {
            user_message_id: send.user_message_id,
            assistant_message_id: send.assistant_message_id,
            run_id: send.run_id,
            again: false,
        };
        note_nonce(&mut tx, send.task_id, &send.nonce, &digest, &sent).await?;
        tx.intend(send.task_id, &Intent::Start).await?;
        tx.commit().await?;
        Ok(sent)
    }
}

impl Store {
    /// Whether a nonce did something in a task before: then what it asks for need not be there any more.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn knows_nonce(&self, task: TaskId, nonce: &str) -> Result<bool, StoreError> {
        let task = task.to_string();
        let known = sqlx::query_scalar!(
            r#"select exists (select 1 from nonces where task_id = ? and nonce = ?) as "known!: bool""#,
            task,
            nonce
        );
        Ok(known.fetch_one(&self.inner.readers).await?)
    }

    /// Whether a nonce did something in the task of a message before, whether that is in the chat or was cut.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn knows_nonce_beside(&self, message: MessageId, nonce: &str) -> Result<bool, StoreError> {
        let message = message.to_string();
        let known = sqlx::query_scalar!(
            r#"select exists (select 1 from nonces join messages on messages.task_id = nonces.task_id
               where messages.id = ? and nonces.nonce = ?) as "known!: bool""#,
            message,
            nonce
        );
        Ok(known.fetch_one(&self.inner.readers).await?)
    }
}

/// What this nonce did before, if it did.
pub(crate) async fn before(
    tx: &mut Tx<'_>,
    task: TaskId,
    nonce: &str,
    digest: &str,
) -> Result<Option<Sent>, SendError> {
    let task = task.to_string();
    let row = sqlx::query!("select digest, answer from nonces where task_id = ? and nonce = ?", task, nonce);
    match row.fetch_optional(tx.conn()).await.map_err(StoreError::from)? {
        None => Ok(None),
        Some(row) if row.digest == digest => {
            let sent: Sent = serde_json::from_str(&row.answer).map_err(StoreError::from)?;
            Ok(Some(Sent { again: true, ..sent }))
        }
        Some(_) => Err(SendError::NonceReused),
    }
}

/// Remembers what a nonce did.
pub(crate) async fn note_nonce(
    tx: &mut Tx<'_>,
    task: TaskId,
    nonce: &str,
    digest: &str,
    sent: &Sent,
) -> Result<(), StoreError> {
    let (task, answer, at) = (task.to_string(), serde_json::to_string(sent)?, tx.now.as_millis());
    sqlx::query!(
        "insert into nonces (task_id, nonce, digest, answer, created_at) values (?, ?, ?, ?, ?)",
        task,
        nonce,
        digest,
        answer,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

pub(crate) async fn files(tx: &mut Tx<'_>, send: &SendMessage) -> Result<Vec<Part>, SendError> {
    let mut parts = Vec::new();
    for id in &send.attachments {
        let text = id.to_string();
        let row = sqlx::query!("select name, mime_type, size from attachments where id = ?", text);
        let row = row.fetch_optional(tx.conn()).await.map_err(StoreError::from)?.ok_or(SendError::NoAttachment(*id))?;
        let image = row.mime_type.starts_with("image/");
        let file = FilePart {
            attachment_id: Some(*id),
            path: None,
            name: row.name,
            mime_type: Some(row.mime_type),
            size: Some(row.size),
        };
        parts.push(if image { Part::Image(file) } else { Part::File(file) });
    }
    for mention in &send.mentions {
        parts.push(Part::File(FilePart {
            attachment_id: None,
            path: Some(mention.path.clone()),
            name: mention.name.clone(),
            mime_type: mention.mime_type.clone(),
            size: mention.size,
        }));
    }
    Ok(parts)
}

/// Puts a run behind those that wait; one that starts `at_once` before them.
pub(crate) async fn insert_run(tx: &mut Tx<'_>, send: &SendMessage, at_once: bool) -> Result<(), StoreError> {
    let (id, task, agent) = (send.run_id.to_string(), send.task_id.to_string(), send.agent.as_str());
    let (user, assistant) = (send.user_message_id.to_string(), send.assistant_message_id.to_string());
    let at = send.now.as_millis();
    sqlx::query!(
        "insert into runs (id, task_id, agent, state, waiting_for, user_message_id, assistant_message_id, at_once, place, queued_at)
         values (?1, ?2, ?3, 'queued', 'task', ?4, ?5, ?6,
             case when ?6 then (select coalesce(min(place), 0) - 1 from runs where task_id = ?2 and state = 'queued')
                  else (select coalesce(max(place), 0) + 1 from runs where task_id = ?2 and state = 'queued') end, ?7)",
        id,
        task,
        agent,
        user,
        assistant,
        at_once,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// One of the two messages of a send that waits for its turn.
pub(crate) fn head(send: &SendMessage, role: Role, ordinal: i64) -> MessageHead {
    let (id, origin) = match role {
        Role::User => (send.user_message_id, Origin::User),
        Role::Assistant => (send.assistant_message_id, Origin::Run),
    };
    MessageHead {
        id,
        task_id: send.task_id,
        ordinal,
        role,
        origin,
        agent: Some(send.agent.clone()),
        status: MessageStatus::Queued,
        run_id: Some(send.run_id),
        late: false,
        created_at: send.now,
        duration_ms: None,
        stop_reason: None,
        usage: None,
        handoff: None,
        model: None,
    }
}

pub(crate) async fn insert_messages(tx: &mut Tx<'_>, send: &SendMessage, files: Vec<Part>) -> Result<(), StoreError> {
    let ahead = queue::of_task(tx.conn(), send.task_id).await?.len() as i64;
    let last = message::last_settled(tx.conn(), send.task_id).await? + 2 * (ahead - 1);
    let user = head(send, Role::User, last + 1);
    message::insert(tx, &user).await?;
    let text = (!send.text.trim().is_empty()).then(|| Part::Text { text: send.text.clone() });
    for (index, part) in (0..).zip(text.into_iter().chain(files)) {
        part::put(tx, send.task_id, (send.user_message_id, index), part, false).await?;
    }
    message::insert(tx, &head(send, Role::Assistant, last + 2)).await
}
