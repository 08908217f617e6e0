//! Projects.

use drover_domain::event::ProjectGone;
use drover_domain::{Event, Project, ProjectId, TaskId, Timestamp};
use sqlx::SqliteConnection;

use crate::rows::time;
use crate::writer::{Durability, Tx};
use crate::{Store, StoreError, task};

/// How to add a project.
#[derive(Debug, Clone)]
pub struct AddProject {
    /// Its id.
    pub id: ProjectId,
    /// The directory: absolute and canonical.
    pub path: String,
    /// What the user calls it.
    pub name: String,
    /// Whether the directory is in a git work tree.
    pub is_git: bool,
    /// Now.
    pub now: Timestamp,
}

/// Why a project cannot be added.
#[derive(Debug, thiserror::Error)]
pub enum AddProjectError {
    /// The directory is one already.
    #[error("the directory is a project already: {0}")]
    Exists(ProjectId),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What happens to the tasks of a project that is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TasksOfProject {
    /// They stay, in no project, and keep their directory.
    Keep,
    /// They are deleted too.
    Delete,
}

/// Why a project cannot be deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeleteProjectError {
    /// There is no such project.
    #[error("no such project")]
    NotFound,
    /// One of its runs is active.
    #[error("a run of one of the project's tasks is active")]
    Active,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

struct Row {
    id: String,
    path: String,
    name: String,
    is_git: i64,
    missing: i64,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<Row> for Project {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.parse()?,
            path: row.path,
            name: row.name,
            is_git: row.is_git != 0,
            missing: row.missing != 0,
            created_at: time(row.created_at),
            updated_at: time(row.updated_at),
        })
    }
}

async fn find(conn: &mut SqliteConnection, id: ProjectId) -> Result<Option<Project>, StoreError> {
    let id = id.to_string();
    let row = sqlx::query_as!(
        Row,
        "select id, path, name, is_git, missing, created_at, updated_at from projects where id = ?",
        id
    )
    .fetch_optional(conn)
    .await?;
    row.map(Project::try_from).transpose()
}

/// Tells of a project as it is now, if it is there.
async fn tell(tx: &mut Tx<'_>, id: ProjectId) -> Result<Option<Project>, StoreError> {
    let project = find(tx.conn(), id).await?;
    if let Some(project) = &project {
        tx.emit(&Event::ProjectUpsert(project.clone())).await?;
    }
    Ok(project)
}

async fn insert(tx: &mut Tx<'_>, new: &AddProject) -> Result<(), StoreError> {
    let (id, now) = (new.id.to_string(), new.now.as_millis());
    sqlx::query!(
        "insert into projects (id, path, name, is_git, created_at, updated_at) values (?1, ?2, ?3, ?4, ?5, ?5)",
        id,
        new.path,
        new.name,
        new.is_git,
        now
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// The project that a directory is, if it is one.
async fn at_path(conn: &mut SqliteConnection, path: &str) -> Result<Option<ProjectId>, StoreError> {
    let id = sqlx::query_scalar!("select id from projects where path = ?", path).fetch_optional(conn).await?;
    Ok(id.map(|id| id.parse()).transpose()?)
}

async fn tasks_of(conn: &mut SqliteConnection, id: ProjectId) -> Result<Vec<TaskId>, StoreError> {
    let id = id.to_string();
    let tasks =
        sqlx::query_scalar!("select id from tasks where project_id = ? order by id", id).fetch_all(conn).await?;
    tasks.into_iter().map(|task| Ok(task.parse()?)).collect()
}

/// Deletes the row, which takes its tasks out of the project, and what was remembered for it.
async fn remove(tx: &mut Tx<'_>, id: ProjectId) -> Result<(), StoreError> {
    let (text, now) = (id.to_string(), tx.now.as_millis());
    sqlx::query!("update tasks set updated_at = ? where project_id = ?", now, text).execute(tx.conn()).await?;
    sqlx::query!("delete from option_defaults where scope = ?", text).execute(tx.conn()).await?;
    sqlx::query!("delete from offers where scope = ?", text).execute(tx.conn()).await?;
    sqlx::query!("delete from projects where id = ?", text).execute(tx.conn()).await?;
    tx.emit(&Event::ProjectDeleted(ProjectGone { id })).await?;
    Ok(())
}

impl Store {
    /// All projects, by name.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        let rows = sqlx::query_as!(
            Row,
            "select id, path, name, is_git, missing, created_at, updated_at
             from projects order by name collate nocase, id"
        )
        .fetch_all(&self.inner.readers)
        .await?;
        rows.into_iter().map(Project::try_from).collect()
    }

    /// A project by its id.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn project(&self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        find(&mut conn, id).await
    }

    /// Adds a project.
    ///
    /// # Errors
    /// See [`AddProjectError`].
    pub async fn add_project(&self, new: AddProject) -> Result<Project, AddProjectError> {
        let mut tx = self.begin(Durability::Full, new.now).await?;
        if let Some(id) = at_path(tx.conn(), &new.path).await? {
            return Err(AddProjectError::Exists(id));
        }
        insert(&mut tx, &new).await?;
        let project = tell(&mut tx, new.id).await?;
        tx.commit().await?;
        project.ok_or_else(|| StoreError::Corrupt("a project vanished while it was made".into()).into())
    }

    /// Renames a project. `None`: there is no such project.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn rename_project(
        &self,
        id: ProjectId,
        name: &str,
        now: Timestamp,
    ) -> Result<Option<Project>, StoreError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        let (text, at) = (id.to_string(), now.as_millis());
        let update =
            sqlx::query!("update projects set name = ?1, updated_at = ?2 where id = ?3 and name <> ?1", name, at, text);
        let project = if update.execute(tx.conn()).await?.rows_affected() > 0 {
            tell(&mut tx, id).await?
        } else {
            find(tx.conn(), id).await?
        };
        tx.commit().await?;
        Ok(project)
    }

    /// Notes what was seen of a project's directory; tells of it only where that changed.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn observe_project(
        &self,
        id: ProjectId,
        is_git: bool,
        missing: bool,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let seen = self.project(id).await?;
        if seen.is_none_or(|seen| (seen.is_git, seen.missing) == (is_git, missing)) {
            return Ok(());
        }
        let mut tx = self.begin(Durability::Normal, now).await?;
        let (text, at) = (id.to_string(), now.as_millis());
        sqlx::query!(
            "update projects set is_git = ?, missing = ?, updated_at = ? where id = ?",
            is_git,
            missing,
            at,
            text
        )
        .execute(tx.conn())
        .await?;
        tell(&mut tx, id).await?;
        tx.commit().await
    }

    /// Deletes a project that has no active run. Touches no file in its directory.
    ///
    /// # Errors
    /// See [`DeleteProjectError`].
    pub async fn delete_project(
        &self,
        id: ProjectId,
        tasks: TasksOfProject,
        now: Timestamp,
    ) -> Result<(), DeleteProjectError> {
        let mut tx = self.begin(Durability::Full, now).await?;
        if find(tx.conn(), id).await?.is_none() {
            return Err(DeleteProjectError::NotFound);
        }
        let of_project = tasks_of(tx.conn(), id).await?;
        for task in &of_project {
            if task::is_active(tx.conn(), &task.to_string()).await? {
                return Err(DeleteProjectError::Active);
            }
        }
        if tasks == TasksOfProject::Delete {
            for task in &of_project {
                task::remove(&mut tx, *task).await?;
            }
        }
        remove(&mut tx, id).await?;
        if tasks == TasksOfProject::Keep {
            for task in of_project {
                task::tell(&mut tx, task).await?;
            }
        }
        Ok(tx.commit().await?)
    }
}
