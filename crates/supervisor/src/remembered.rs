//! Which option values a session starts with (lifecycle rule 27).

use drover_domain::options::{Remembered, defaults_for_new_task};
use drover_domain::{AgentId, ProjectId, TaskId};
use drover_store::{RememberedOption, Store, StoreError};

/// The values of an agent in a new task.
pub(crate) async fn for_new_task(
    store: &Store,
    agent: &AgentId,
    project: Option<ProjectId>,
) -> Result<Vec<Remembered>, StoreError> {
    let (here, elsewhere) = store.option_defaults(agent, project).await?;
    let remembered = |values: Vec<RememberedOption>| values.into_iter().map(read).collect::<Vec<_>>();
    Ok(defaults_for_new_task(&remembered(here), &remembered(elsewhere)))
}

/// The values of an agent that is started in a task for the first time: those chosen for it, and for other options those
/// of a new task.
pub(crate) async fn for_first_start(
    store: &Store,
    task: TaskId,
    agent: &AgentId,
    project: Option<ProjectId>,
) -> Result<Vec<Remembered>, StoreError> {
    let mut values = for_session(store, task, agent).await?;
    for value in for_new_task(store, agent, project).await? {
        if values.iter().all(|chosen| chosen.option_id != value.option_id) {
            values.push(value);
        }
    }
    Ok(values)
}

/// The values of an agent that was started in a task before: what other tasks chose since is none of its business.
pub(crate) async fn for_session(store: &Store, task: TaskId, agent: &AgentId) -> Result<Vec<Remembered>, StoreError> {
    Ok(store.link_options(task, agent).await?.into_iter().map(read).collect())
}

/// As it is stored.
pub(crate) fn to_store(value: &Remembered) -> RememberedOption {
    let Remembered { option_id, value, category } = value.clone();
    RememberedOption { option_id, value, category }
}

fn read(option: RememberedOption) -> Remembered {
    Remembered { option_id: option.option_id, value: option.value, category: option.category }
}
