//! Messages without their parts.

use drover_domain::{Event, MessageHead, MessageId, TaskId};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{StoreError, rows};

pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) task_id: String,
    pub(crate) ordinal: i64,
    pub(crate) role: String,
    pub(crate) origin: String,
    pub(crate) agent: Option<String>,
    pub(crate) status: String,
    pub(crate) run_id: Option<String>,
    pub(crate) late: i64,
    pub(crate) created_at: i64,
    pub(crate) duration_ms: Option<i64>,
    pub(crate) stop_reason: Option<String>,
    pub(crate) usage: Option<String>,
    pub(crate) handoff: Option<String>,
    pub(crate) model: Option<String>,
}

impl TryFrom<Row> for MessageHead {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.parse()?,
            task_id: row.task_id.parse()?,
            ordinal: row.ordinal,
            role: rows::enumeration(row.role)?,
            origin: rows::enumeration(row.origin)?,
            agent: row.agent.map(|agent| agent.parse()).transpose()?,
            status: rows::enumeration(row.status)?,
            run_id: row.run_id.map(|run| run.parse()).transpose()?,
            late: row.late != 0,
            created_at: rows::time(row.created_at),
            duration_ms: row.duration_ms,
            stop_reason: row.stop_reason,
            usage: rows::json(row.usage.as_deref())?,
            handoff: rows::json(row.handoff.as_deref())?,
            model: row.model,
        })
    }
}

/// A message that is in a chat.
pub(crate) async fn find(conn: &mut SqliteConnection, id: MessageId) -> Result<Option<MessageHead>, StoreError> {
    let id = id.to_string();
    let row = sqlx::query_as!(
        Row,
        "select id, task_id, ordinal, role, origin, agent, status, run_id, late, created_at, duration_ms, stop_reason, usage,
         handoff, model
         from messages where id = ? and branch_id is null",
        id
    );
    row.fetch_optional(conn).await?.map(MessageHead::try_from).transpose()
}

/// Adds a message to its chat and tells of it.
pub(crate) async fn insert(tx: &mut Tx<'_>, head: &MessageHead) -> Result<(), StoreError> {
    let (id, task, run) = (head.id.to_string(), head.task_id.to_string(), head.run_id.map(|run| run.to_string()));
    let (role, origin, status) = (rows::word(&head.role)?, rows::word(&head.origin)?, rows::word(&head.status)?);
    let (agent, created) = (head.agent.as_ref().map(|agent| agent.as_str()), head.created_at.as_millis());
    sqlx::query!(
        "insert into messages (id, task_id, ordinal, role, origin, agent, status, run_id, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        id,
        task,
        head.ordinal,
        role,
        origin,
        agent,
        status,
        run,
        created
    )
    .execute(tx.conn())
    .await?;
    tx.emit(&Event::MessageUpsert(head.clone())).await?;
    Ok(())
}

/// Tells of a message as it is now, if it is in a chat.
pub(crate) async fn tell(tx: &mut Tx<'_>, id: MessageId) -> Result<(), StoreError> {
    if let Some(head) = find(tx.conn(), id).await? {
        tx.emit(&Event::MessageUpsert(head)).await?;
    }
    Ok(())
}

/// The greatest ordinal among the messages of a chat that are not queued; 0 for none.
pub(crate) async fn last_settled(conn: &mut SqliteConnection, task: TaskId) -> Result<i64, StoreError> {
    let task = task.to_string();
    let last = sqlx::query_scalar!(
        r#"select coalesce(max(ordinal), 0) as "last!: i64" from messages
           where task_id = ? and branch_id is null and status <> 'queued'"#,
        task
    );
    Ok(last.fetch_one(conn).await?)
}
