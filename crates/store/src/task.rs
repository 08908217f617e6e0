//! Tasks.

mod cursor;

use std::path::PathBuf;

use drover_domain::event::TaskGone;
use drover_domain::task::{TaskFacts, title_of};
use drover_domain::{Event, ProjectId, RunState, Task, TaskId, TaskState, Timestamp, TitleSource};
use sqlx::{FromRow, QueryBuilder, Sqlite, SqliteConnection};

pub use self::cursor::{NotACursor, TaskCursor};
use crate::intent::Intent;
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, attachment, blob, rows};

/// How to make a task.
#[derive(Debug, Clone)]
pub struct CreateTask {
    /// Its id.
    pub id: TaskId,
    /// The project it belongs to; without one it gets a directory of its own below `tasks_dir`.
    pub project_id: Option<ProjectId>,
    /// What the user calls it.
    pub title: Option<String>,
    /// Where directories of tasks without a project are.
    pub tasks_dir: PathBuf,
    /// Now.
    pub now: Timestamp,
}

/// Why a task cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum CreateTaskError {
    /// There is no such project.
    #[error("no such project")]
    NoProject,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a task cannot be deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeleteTaskError {
    /// There is no such task.
    #[error("no such task")]
    NotFound,
    /// One of its runs is active.
    #[error("a run of the task is active")]
    Active,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Which tasks to list.
#[derive(Debug, Clone, Default)]
pub struct TaskFilter {
    /// Only those of this project.
    pub project_id: Option<ProjectId>,
    /// Only those whose title or present text holds this.
    pub q: Option<String>,
    /// Only those put away, instead of only those not put away.
    pub archived: bool,
    /// At most this many.
    pub limit: i64,
    /// What [`TaskPage::next`] said.
    pub cursor: Option<TaskCursor>,
}

/// A page of tasks, newest activity first.
#[derive(Debug, Clone)]
pub struct TaskPage {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The cursor of the next page, if there is one.
    pub next: Option<TaskCursor>,
}

/// What to change in a task.
#[derive(Debug, Clone, Default)]
pub struct TaskPatch {
    /// A title of the user's.
    pub title: Option<String>,
    /// Put away or take out again.
    pub archived: Option<bool>,
    /// Keep at the top or not.
    pub pinned: Option<bool>,
    /// Seen, or to be seen again.
    pub read: Option<bool>,
}

const COLUMNS: &str = "id, project_id, title, title_source, cwd, state, queue_held, archived, pinned, unread, \
                       created_at, updated_at, last_message_at, activity_at";

#[derive(FromRow)]
struct Row {
    id: String,
    project_id: Option<String>,
    title: String,
    title_source: String,
    cwd: String,
    state: String,
    queue_held: bool,
    archived: bool,
    pinned: bool,
    unread: bool,
    created_at: i64,
    updated_at: i64,
    last_message_at: Option<i64>,
    activity_at: i64,
}

impl TryFrom<Row> for Task {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.parse()?,
            project_id: row.project_id.map(|id| id.parse()).transpose()?,
            title: row.title,
            title_source: rows::enumeration(row.title_source)?,
            cwd: row.cwd,
            state: rows::enumeration(row.state)?,
            queue_held: row.queue_held,
            archived: row.archived,
            pinned: row.pinned,
            unread: row.unread,
            created_at: rows::time(row.created_at),
            updated_at: rows::time(row.updated_at),
            last_message_at: row.last_message_at.map(rows::time),
        })
    }
}

/// A task by its id.
pub(crate) async fn find(conn: &mut SqliteConnection, id: TaskId) -> Result<Option<Task>, StoreError> {
    let id = id.to_string();
    let row = sqlx::query_as!(
        Row,
        r#"select id, project_id, title, title_source, cwd, state, queue_held as "queue_held: bool", archived as "archived: bool",
             pinned as "pinned: bool", unread as "unread: bool", created_at, updated_at, last_message_at, activity_at
           from tasks where id = ?"#,
        id
    );
    row.fetch_optional(conn).await?.map(Task::try_from).transpose()
}

/// Tells of a task as it is now, if it is there.
pub(crate) async fn tell(tx: &mut Tx<'_>, id: TaskId) -> Result<Option<Task>, StoreError> {
    let task = find(tx.conn(), id).await?;
    if let Some(task) = &task {
        tx.emit(&Event::TaskUpsert(task.clone())).await?;
    }
    Ok(task)
}

/// What may change in a task when one of its runs does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Changed {
    /// Hold the queue, or let it go.
    pub(crate) held: Option<bool>,
    /// Something happened that the user has not seen.
    pub(crate) unread: bool,
    /// A message was made.
    pub(crate) message: bool,
}

/// Works out the state from the runs and tells of the task where anything changed.
pub(crate) async fn refresh(tx: &mut Tx<'_>, id: TaskId, changed: Changed) -> Result<(), StoreError> {
    let text = id.to_string();
    let (state, now) = (rows::word(&TaskState::of(facts(tx.conn(), &text).await?))?, tx.now.as_millis());
    let touched = changed.message.then_some(now);
    let (held, unread) = (changed.held, changed.unread);
    let update = sqlx::query!(
        "update tasks set state = ?1, queue_held = coalesce(?2, queue_held), unread = unread or ?3,
             last_message_at = max(coalesce(?4, last_message_at), coalesce(last_message_at, ?4)),
             activity_at = max(coalesce(?4, activity_at), activity_at), updated_at = ?5
         where id = ?6 and (state <> ?1 or queue_held <> coalesce(?2, queue_held) or (?3 and not unread) or ?4 is not null)",
        state,
        held,
        unread,
        touched,
        now,
        text
    );
    if update.execute(tx.conn()).await?.rows_affected() > 0 {
        tell(tx, id).await?;
    }
    Ok(())
}

async fn facts(conn: &mut SqliteConnection, task: &str) -> Result<TaskFacts, StoreError> {
    let row = sqlx::query!(
        r#"select
            exists (select 1 from requests where task_id = ?1 and state = 'open')
              or exists (select 1 from runs where task_id = ?1 and state = 'starting' and waiting_for = 'login') as "waiting!: bool",
            exists (select 1 from runs where task_id = ?1 and state in ('starting', 'running')) as "running!: bool",
            exists (select 1 from runs where task_id = ?1 and state = 'background') as "background!: bool",
            exists (select 1 from runs where task_id = ?1 and state = 'queued') as "queued!: bool",
            (select runs.state from messages join runs on runs.id = messages.run_id
             where messages.task_id = ?1 and messages.branch_id is null and messages.role = 'assistant' and messages.status <> 'queued'
             order by messages.ordinal desc limit 1) as last"#,
        task
    )
    .fetch_one(conn)
    .await?;
    Ok(TaskFacts {
        waiting: row.waiting,
        running: row.running,
        background: row.background,
        queued: row.queued,
        last: row.last.map(rows::enumeration::<RunState>).transpose()?,
    })
}

/// Whether a run of the task is active (not only in the background).
pub(crate) async fn is_active(conn: &mut SqliteConnection, task: &str) -> Result<bool, StoreError> {
    let active = sqlx::query_scalar!(
        r#"select exists (select 1 from runs where task_id = ? and state in ('starting', 'running', 'waiting')) as "active!: bool""#,
        task
    );
    Ok(active.fetch_one(conn).await?)
}

/// Deletes a task with all that only it uses, and tells.
pub(crate) async fn remove(tx: &mut Tx<'_>, id: TaskId) -> Result<(), StoreError> {
    let text = id.to_string();
    attachment::remove_of_task(tx, id).await?;
    let blobs = blob::of_task(tx.conn(), &text).await?;
    tx.texts().forget_task(id);
    sqlx::query!("delete from tasks where id = ?", text).execute(tx.conn()).await?;
    blob::sweep(tx, &blobs).await?;
    tx.intend(id, &Intent::Deleted).await?;
    tx.emit(&Event::TaskDeleted(TaskGone { id })).await?;
    Ok(())
}

/// Gives a task a title from `source` where that may replace the one it has (docs/api.md, "Task").
pub(crate) async fn retitle(tx: &mut Tx<'_>, id: TaskId, title: &str, source: TitleSource) -> Result<bool, StoreError> {
    let (Some(title), Some(task)) = (title_of(title), find(tx.conn(), id).await?) else {
        return Ok(false);
    };
    let first_prompt = source == TitleSource::Prompt && !task.title.is_empty();
    if first_prompt || source < task.title_source || (title == task.title && source == task.title_source) {
        return Ok(false);
    }
    let (text, source, now) = (id.to_string(), rows::word(&source)?, tx.now.as_millis());
    sqlx::query!("update tasks set title = ?, title_source = ?, updated_at = ? where id = ?", title, source, now, text)
        .execute(tx.conn())
        .await?;
    Ok(true)
}

impl Store {
    /// A task by its id.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn task(&self, id: TaskId) -> Result<Option<Task>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        find(&mut conn, id).await
    }

    /// A page of tasks, pinned ones not set apart.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn tasks(&self, filter: TaskFilter) -> Result<TaskPage, StoreError> {
        let limit = filter.limit.clamp(1, 500);
        let mut query = QueryBuilder::<Sqlite>::new(format!("select {COLUMNS} from tasks where archived = "));
        query.push_bind(filter.archived);
        if let Some(project) = filter.project_id {
            query.push(" and project_id = ").push_bind(project.to_string());
        }
        if let Some(q) = filter.q.as_deref().map(str::trim).filter(|q| !q.is_empty()) {
            let like = format!("%{}%", q.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
            query.push(" and (title like ").push_bind(like.clone()).push(" escape '\\' or exists (select 1 from messages m join parts p on p.message_id = m.id left join part_pieces pp on pp.part_id = p.id where m.task_id = tasks.id and m.branch_id is null and p.kind = 'text' and (p.body like ");
            query.push_bind(like.clone()).push(" escape '\\' or pp.text like ").push_bind(like).push(" escape '\\')))");
        }
        if let Some(TaskCursor { at, id }) = filter.cursor {
            query.push(" and (activity_at, id) < (").push_bind(at).push(", ").push_bind(id.to_string()).push(")");
        }
        query.push(" order by activity_at desc, id desc limit ").push_bind(limit + 1);
        let mut found: Vec<Row> = query.build_query_as().fetch_all(&self.inner.readers).await?;
        let more = found.len() as i64 > limit;
        found.truncate(limit as usize);
        let at = found.last().filter(|_| more).map(|row| row.activity_at);
        let tasks = found.into_iter().map(Task::try_from).collect::<Result<Vec<_>, _>>()?;
        let next = at.zip(tasks.last()).map(|(at, task)| TaskCursor { at, id: task.id });
        Ok(TaskPage { tasks, next })
    }

    /// Makes a task.
    ///
    /// # Errors
    /// See [`CreateTaskError`].
    pub async fn create_task(&self, new: CreateTask) -> Result<Task, CreateTaskError> {
        let mut tx = self.begin(Durability::Full, new.now).await?;
        let (id, project) = (new.id.to_string(), new.project_id.map(|project| project.to_string()));
        let cwd = match &project {
            Some(project) => sqlx::query_scalar!("select path from projects where id = ?", project)
                .fetch_optional(tx.conn())
                .await
                .map_err(StoreError::from)?
                .ok_or(CreateTaskError::NoProject)?,
            None => new.tasks_dir.join(&id).to_string_lossy().into_owned(),
        };
        let title = new.title.as_deref().and_then(title_of);
        let source = rows::word(&if title.is_some() { TitleSource::User } else { TitleSource::Prompt })?;
        let (title, now) = (title.unwrap_or_default(), new.now.as_millis());
        sqlx::query!(
            "insert into tasks (id, project_id, title, title_source, cwd, created_at, updated_at, activity_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6)",
            id,
            project,
            title,
            source,
            cwd,
            now
        )
        .execute(tx.conn())
        .await
        .map_err(StoreError::from)?;
        let task = tell(&mut tx, new.id)
            .await?
            .ok_or_else(|| StoreError::Corrupt("a task vanished while it was made".into()))?;
        tx.commit().await?;
        Ok(task)
    }

    /// Changes a task. `None`: there is no such task.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn patch_task(&self, id: TaskId, patch: TaskPatch, now: Timestamp) -> Result<Option<Task>, StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let retitled = match &patch.title {
            Some(title) => retitle(&mut tx, id, title, TitleSource::User).await?,
            None => false,
        };
        let (text, at, unread) = (id.to_string(), now.as_millis(), patch.read.map(|read| !read));
        let update = sqlx::query!(
            "update tasks set archived = coalesce(?1, archived), pinned = coalesce(?2, pinned), unread = coalesce(?3, unread), updated_at = ?4
             where id = ?5 and (archived <> coalesce(?1, archived) or pinned <> coalesce(?2, pinned) or unread <> coalesce(?3, unread))",
            patch.archived,
            patch.pinned,
            unread,
            at,
            text
        );
        let changed = update.execute(tx.conn()).await?.rows_affected() > 0;
        if !changed && !retitled {
            return find(tx.conn(), id).await;
        }
        let task = tell(&mut tx, id).await?;
        tx.commit().await?;
        Ok(task)
    }

    /// Deletes a task that has no active run, its messages, and blobs that nothing else uses.
    ///
    /// # Errors
    /// See [`DeleteTaskError`].
    pub async fn delete_task(&self, id: TaskId, now: Timestamp) -> Result<(), DeleteTaskError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        if find(tx.conn(), id).await?.is_none() {
            return Err(DeleteTaskError::NotFound);
        }
        if is_active(tx.conn(), &id.to_string()).await? {
            return Err(DeleteTaskError::Active);
        }
        remove(&mut tx, id).await?;
        Ok(tx.commit().await?)
    }
}
