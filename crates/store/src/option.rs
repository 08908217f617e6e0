//! Session options: what agents offer to a new session, and the values that were chosen (lifecycle rule 27).

use drover_domain::{AgentId, ProjectId, TaskId, options};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{Store, StoreError, task};

/// A value that was chosen for an option.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedOption {
    /// The option.
    pub option_id: String,
    /// The value.
    pub value: Value,
    /// The option's category, where the agent gave one.
    pub category: Option<String>,
}

/// What an agent offered when it last started a session that had seen nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Its options as it sent them, with the values that the session began with; empty where it has none or never started.
    pub options: Value,
    /// Its commands as it sent them.
    pub commands: Value,
}

/// Keeps a value for a link alone.
async fn keep(tx: &mut Tx<'_>, task: TaskId, agent: &AgentId, option: &RememberedOption) -> Result<(), StoreError> {
    let (task, agent, value, at) = (task.to_string(), agent.as_str(), option.value.to_string(), tx.now.as_millis());
    sqlx::query!(
        "insert into link_options (task_id, agent, option_id, value, category, set_at) values (?, ?, ?, ?, ?, ?)
         on conflict (task_id, agent, option_id) do update set value = excluded.value, category = excluded.category, set_at = excluded.set_at",
        task,
        agent,
        option.option_id,
        value,
        option.category,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Keeps a value for the tasks to come of a project, or of none.
async fn keep_default(
    tx: &mut Tx<'_>,
    project: Option<ProjectId>,
    agent: &AgentId,
    option: &RememberedOption,
) -> Result<(), StoreError> {
    let (scope, agent, value, at) = (scope(project), agent.as_str(), option.value.to_string(), tx.now.as_millis());
    sqlx::query!(
        "insert into option_defaults (agent, scope, option_id, value, category, set_at) values (?, ?, ?, ?, ?, ?)
         on conflict (agent, scope, option_id) do update set value = excluded.value, category = excluded.category, set_at = excluded.set_at",
        agent,
        scope,
        option.option_id,
        value,
        option.category,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(())
}

/// Remembers a value that an agent accepted, for the link and for tasks to come. `false`: there is no such task.
pub(crate) async fn accepted(
    tx: &mut Tx<'_>,
    task: TaskId,
    agent: &AgentId,
    option: &RememberedOption,
) -> Result<bool, StoreError> {
    let Some(found) = task::find(tx.conn(), task).await? else { return Ok(false) };
    keep(tx, task, agent, option).await?;
    keep_default(tx, found.project_id, agent, option).await?;
    Ok(true)
}

/// Keeps the values that a link starts with, so that they stay its own whatever other tasks choose. `false`: there is no
/// such task.
pub(crate) async fn start_with(
    tx: &mut Tx<'_>,
    task: TaskId,
    agent: &AgentId,
    values: &[RememberedOption],
) -> Result<bool, StoreError> {
    if task::find(tx.conn(), task).await?.is_none() {
        return Ok(false);
    }
    for option in values {
        keep(tx, task, agent, option).await?;
    }
    Ok(true)
}

/// Keeps values that the user chose before the agent was started: for the link, and what the agent is known to offer also
/// for tasks to come.
pub(crate) async fn choose(
    tx: &mut Tx<'_>,
    task: TaskId,
    agent: &AgentId,
    values: &[(String, Value)],
) -> Result<(), StoreError> {
    let Some(found) = task::find(tx.conn(), task).await? else { return Ok(()) };
    let known = offer(tx.conn(), agent, found.project_id).await?.options;
    for (option_id, value) in values {
        let category = options::category(&known, option_id).map(str::to_owned);
        let option = RememberedOption { option_id: option_id.clone(), value: value.clone(), category };
        keep(tx, task, agent, &option).await?;
        if options::set_call(&known, option_id, value).is_ok() {
            keep_default(tx, found.project_id, agent, &option).await?;
        }
    }
    Ok(())
}

/// Keeps what an agent offered to a new session of a task. `false`: there is no such task.
pub(crate) async fn offered(
    tx: &mut Tx<'_>,
    task: TaskId,
    agent: &AgentId,
    options: Option<&Value>,
    commands: Option<&Value>,
) -> Result<bool, StoreError> {
    let Some(found) = task::find(tx.conn(), task).await? else { return Ok(false) };
    let (agent, scope, at) = (agent.as_str(), scope(found.project_id), tx.now.as_millis());
    let (options, commands) = (options.map(Value::to_string), commands.map(Value::to_string));
    sqlx::query!(
        "insert into offers (agent, scope, options, commands, offered_at)
         values (?1, ?2, coalesce(?3, '[]'), coalesce(?4, '[]'), ?5)
         on conflict (agent, scope) do update set options = coalesce(?3, options), commands = coalesce(?4, commands),
             offered_at = excluded.offered_at",
        agent,
        scope,
        options,
        commands,
        at
    )
    .execute(tx.conn())
    .await?;
    Ok(true)
}

/// What an agent last offered in a project, or, where it was never started there, anywhere.
async fn offer(conn: &mut SqliteConnection, agent: &AgentId, project: Option<ProjectId>) -> Result<Offer, StoreError> {
    let (agent, scope) = (agent.as_str(), scope(project));
    let found = sqlx::query!(
        "select options, commands from offers where agent = ? order by scope = ? desc, offered_at desc limit 1",
        agent,
        scope
    );
    Ok(match found.fetch_optional(conn).await? {
        Some(row) => {
            Offer { options: serde_json::from_str(&row.options)?, commands: serde_json::from_str(&row.commands)? }
        }
        None => Offer { options: json!([]), commands: json!([]) },
    })
}

/// What is remembered for the tasks of a project stands under its id, for those without one under nothing.
fn scope(project: Option<ProjectId>) -> String {
    project.map(|project| project.to_string()).unwrap_or_default()
}

fn remembered(option_id: String, value: &str, category: Option<String>) -> Result<RememberedOption, StoreError> {
    Ok(RememberedOption { option_id, value: serde_json::from_str(value)?, category })
}

impl Store {
    /// What an agent last offered to a new session in a project (or in tasks without one), or elsewhere where it was
    /// never started there.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn offer(&self, agent: &AgentId, project: Option<ProjectId>) -> Result<Offer, StoreError> {
        let mut conn = self.inner.readers.acquire().await?;
        offer(&mut conn, agent, project).await
    }

    /// The values that were accepted in a link, oldest first.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn link_options(&self, task: TaskId, agent: &AgentId) -> Result<Vec<RememberedOption>, StoreError> {
        let (task, agent) = (task.to_string(), agent.as_str());
        let found = sqlx::query!(
            "select option_id, value, category from link_options where task_id = ? and agent = ? order by set_at",
            task,
            agent
        );
        let found = found.fetch_all(&self.inner.readers).await?;
        found.into_iter().map(|row| remembered(row.option_id, &row.value, row.category)).collect()
    }

    /// The last values accepted by an agent in a project (or in tasks without one), and in all others, newest last.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn option_defaults(
        &self,
        agent: &AgentId,
        project: Option<ProjectId>,
    ) -> Result<(Vec<RememberedOption>, Vec<RememberedOption>), StoreError> {
        let (agent, scope) = (agent.as_str(), scope(project));
        let found = sqlx::query!(
            "select scope, option_id, value, category from option_defaults where agent = ? order by set_at",
            agent
        );
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        for row in found.fetch_all(&self.inner.readers).await? {
            let list = if row.scope == scope { &mut here } else { &mut elsewhere };
            list.push(remembered(row.option_id, &row.value, row.category)?);
        }
        Ok((here, elsewhere))
    }
}
