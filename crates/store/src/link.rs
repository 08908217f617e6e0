//! Links.

use drover_domain::{AgentId, Event, Link, LinkState, SkippedOption, TaskId, Timestamp};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use crate::intent::Intent;
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, rows, task};

/// A link with what no client sees.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRow {
    /// What clients see.
    pub link: Link,
    /// The agent's name for its session.
    pub session_id: Option<String>,
    /// When that session was made.
    pub session_created_at: Option<Timestamp>,
}

impl LinkRow {
    /// Whether the agent ever had a session here, or is being started.
    pub fn was_started(&self) -> bool {
        let Link { state, options, has_session, .. } = &self.link;
        let lives = matches!(state, LinkState::Starting | LinkState::Ready | LinkState::Busy);
        lives || *has_session || options.as_array().is_some_and(|options| !options.is_empty())
    }
}

/// What to change in a link; `None` keeps.
#[derive(Debug, Clone, Default)]
pub struct LinkPatch {
    /// Whether the agent is there, with a sentence about it.
    pub state: Option<(LinkState, Option<String>)>,
    /// The options as the agent sent them.
    pub options: Option<Value>,
    /// The commands as the agent sent them.
    pub commands: Option<Value>,
    /// The usage as the agent sent it.
    pub usage: Option<Value>,
    /// The agent's name for its session, `None` for none; the cursor starts anew with a new one.
    pub session: Option<Option<String>>,
    /// The cursor.
    pub seen_ordinal: Option<i64>,
    /// What could not be set again.
    pub skipped_options: Option<Vec<SkippedOption>>,
    /// Since when a prompt has had no sign of the agent; any new state ends it.
    pub silent_since: Option<Option<Timestamp>>,
}

struct Row {
    task_id: String,
    agent: String,
    state: String,
    detail: Option<String>,
    options: String,
    commands: String,
    usage: Option<String>,
    session_id: Option<String>,
    session_created_at: Option<i64>,
    seen_ordinal: i64,
    skipped_options: String,
    silent_since: Option<i64>,
}

impl TryFrom<Row> for LinkRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let link = Link {
            task_id: row.task_id.parse()?,
            agent: row.agent.parse()?,
            state: rows::enumeration(row.state)?,
            detail: row.detail,
            options: serde_json::from_str(&row.options)?,
            commands: serde_json::from_str(&row.commands)?,
            usage: rows::json(row.usage.as_deref())?,
            has_session: row.session_id.is_some(),
            seen_ordinal: row.seen_ordinal,
            skipped_options: serde_json::from_str(&row.skipped_options)?,
            silent_since: row.silent_since.map(rows::time),
        };
        let session_created_at = row.session_created_at.map(rows::time);
        Ok(Self { link, session_id: row.session_id, session_created_at })
    }
}

/// A link that was never used.
fn unused(task_id: TaskId, agent: AgentId) -> LinkRow {
    let link = Link {
        task_id,
        agent,
        state: LinkState::Off,
        detail: None,
        options: json!([]),
        commands: json!([]),
        usage: None,
        has_session: false,
        seen_ordinal: 0,
        skipped_options: Vec::new(),
        silent_since: None,
    };
    LinkRow { link, session_id: None, session_created_at: None }
}

/// The links of a task that were ever used.
pub(crate) async fn of_task(conn: &mut SqliteConnection, task: TaskId) -> Result<Vec<LinkRow>, StoreError> {
    let task = task.to_string();
    let found = sqlx::query_as!(
        Row,
        "select task_id, agent, state, detail, options, commands, usage, session_id, session_created_at, seen_ordinal, skipped_options, silent_since
         from links where task_id = ? order by agent",
        task
    );
    found.fetch_all(conn).await?.into_iter().map(LinkRow::try_from).collect()
}

/// A link, an unused one where there is none yet.
pub(crate) async fn find(conn: &mut SqliteConnection, task: TaskId, agent: &AgentId) -> Result<LinkRow, StoreError> {
    Ok(stored(conn, task, agent).await?.unwrap_or_else(|| unused(task, agent.clone())))
}

async fn stored(conn: &mut SqliteConnection, task: TaskId, agent: &AgentId) -> Result<Option<LinkRow>, StoreError> {
    let (task, agent) = (task.to_string(), agent.as_str());
    let found = sqlx::query_as!(
        Row,
        "select task_id, agent, state, detail, options, commands, usage, session_id, session_created_at, seen_ordinal, skipped_options, silent_since
         from links where task_id = ? and agent = ?",
        task,
        agent
    );
    found.fetch_optional(conn).await?.map(LinkRow::try_from).transpose()
}

/// Tells of a link as it is now, if its task is there.
pub(crate) async fn tell(tx: &mut Tx<'_>, task: TaskId, agent: &AgentId) -> Result<(), StoreError> {
    if let Some(row) = of_task(tx.conn(), task).await?.into_iter().find(|row| row.link.agent == *agent) {
        tx.emit(&Event::LinkUpsert(row.link)).await?;
    }
    Ok(())
}

/// Changes a link; the transaction tells of it once, at its end, because a link carries all its options and commands.
pub(crate) async fn patch(
    tx: &mut Tx<'_>,
    task: TaskId,
    agent: &AgentId,
    patch: LinkPatch,
) -> Result<Link, StoreError> {
    let before = stored(tx.conn(), task, agent).await?;
    let mut row = before.clone().unwrap_or_else(|| unused(task, agent.clone()));
    if let Some((state, detail)) = patch.state {
        (row.link.state, row.link.detail) = (state, detail);
        row.link.silent_since = None;
    }
    if let Some(session) = patch.session {
        if session != row.session_id {
            row.session_created_at = session.is_some().then_some(tx.now);
            row.link.seen_ordinal = 0;
        }
        row.link.has_session = session.is_some();
        row.session_id = session;
    }
    row.link.options = patch.options.unwrap_or(row.link.options);
    row.link.commands = patch.commands.unwrap_or(row.link.commands);
    row.link.usage = patch.usage.or(row.link.usage);
    row.link.seen_ordinal = patch.seen_ordinal.unwrap_or(row.link.seen_ordinal);
    row.link.skipped_options = patch.skipped_options.unwrap_or(row.link.skipped_options);
    row.link.silent_since = patch.silent_since.unwrap_or(row.link.silent_since);
    if before.as_ref() != Some(&row) {
        write(tx, &row).await?;
        tx.note_link(task, agent);
    }
    Ok(row.link)
}

async fn write(tx: &mut Tx<'_>, row: &LinkRow) -> Result<(), StoreError> {
    let (task, agent, state) = (row.link.task_id.to_string(), row.link.agent.as_str(), rows::word(&row.link.state)?);
    let (options, commands) = (row.link.options.to_string(), row.link.commands.to_string());
    let usage = row.link.usage.as_ref().map(Value::to_string);
    let created = row.session_created_at.map(Timestamp::as_millis);
    let skipped = serde_json::to_string(&row.link.skipped_options)?;
    let silent_since = row.link.silent_since.map(Timestamp::as_millis);
    sqlx::query!(
        "insert into links (task_id, agent, state, detail, options, commands, usage, session_id, session_created_at, seen_ordinal, skipped_options, silent_since)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         on conflict (task_id, agent) do update set state = excluded.state, detail = excluded.detail, options = excluded.options,
             commands = excluded.commands, usage = excluded.usage, session_id = excluded.session_id,
             session_created_at = excluded.session_created_at, seen_ordinal = excluded.seen_ordinal,
             skipped_options = excluded.skipped_options, silent_since = excluded.silent_since",
        task,
        agent,
        state,
        row.link.detail,
        options,
        commands,
        usage,
        row.session_id,
        created,
        row.link.seen_ordinal,
        skipped,
        silent_since
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

impl Store {
    /// A link as clients see it. `None`: there is no such task.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn link(&self, task: TaskId, agent: &AgentId) -> Result<Option<Link>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        match task::find(&mut conn, task).await? {
            Some(_) => Ok(Some(find(&mut conn, task, agent).await?.link)),
            None => Ok(None),
        }
    }

    /// A link with what no client sees.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn link_row(&self, task: TaskId, agent: &AgentId) -> Result<LinkRow, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        find(&mut conn, task, agent).await
    }

    /// The greatest cursor among the links of a task other than `agent`'s.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn others_seen(&self, task: TaskId, agent: &AgentId) -> Result<i64, StoreError> {
        let (task, agent) = (task.to_string(), agent.as_str());
        let seen = sqlx::query_scalar!(
            r#"select coalesce(max(seen_ordinal), 0) as "seen!: i64" from links where task_id = ? and agent <> ?"#,
            task,
            agent
        );
        Ok(seen.fetch_one(&self.inner.readers).await?)
    }

    /// Asks to start an agent before there is a prompt for it. `None`: there is no such task.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn connect(&self, task: TaskId, agent: &AgentId, now: Timestamp) -> Result<Option<Link>, StoreError> {
        self.ask_link(task, agent, Intent::Connect { agent: agent.clone() }, now).await
    }

    /// Asks to end an agent's process. `None`: there is no such task.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn disconnect(&self, task: TaskId, agent: &AgentId, now: Timestamp) -> Result<Option<Link>, StoreError> {
        self.ask_link(task, agent, Intent::Disconnect { agent: agent.clone() }, now).await
    }

    async fn ask_link(
        &self,
        task: TaskId,
        agent: &AgentId,
        intent: Intent,
        now: Timestamp,
    ) -> Result<Option<Link>, StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        if task::find(tx.conn(), task).await?.is_none() {
            return Ok(None);
        }
        let link = find(tx.conn(), task, agent).await?.link;
        tx.intend(task, &intent).await?;
        tx.commit().await?;
        Ok(Some(link))
    }
}
