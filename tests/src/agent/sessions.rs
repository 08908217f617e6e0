//! Sessions, kept in a folder where one is given, and the options offered in them.

use std::{
    collections::HashMap,
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{event::Event, knobs::Knobs};

/// One session: where it works, what was said, and what runs in it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Session {
    pub(super) cwd: String,
    pub(super) turns: Vec<TurnRecord>,
    /// The running prompt's request id and its stop flag.
    #[serde(skip)]
    pub(super) running: Option<(Value, Arc<Event>)>,
    /// The request id of the prompt before it.
    #[serde(skip)]
    pub(super) last: Value,
}

/// A finished turn, for a replay.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct TurnRecord {
    pub(super) user: String,
    pub(super) agent: String,
}

/// All sessions of this process.
pub(super) struct Sessions {
    live: Mutex<HashMap<String, Session>>,
    options: Mutex<Option<Vec<Value>>>,
    folder: Option<PathBuf>,
    agent: String,
}

impl Sessions {
    pub(super) fn new(knobs: &Knobs) -> Self {
        Self {
            live: Mutex::default(),
            options: Mutex::new(knobs.options.clone()),
            folder: knobs.state.clone(),
            agent: knobs.name.clone(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn open(&self, id: &str, cwd: &str) {
        self.lock().insert(id.to_owned(), Session { cwd: cwd.to_owned(), ..Session::default() });
    }

    /// Brings a session back from the folder.
    pub(super) fn bring_back(&self, id: &str) -> Option<Session> {
        let session: Session = serde_json::from_slice(&fs::read(self.path(id)?).ok()?).ok()?;
        self.lock().insert(id.to_owned(), session.clone());
        Some(session)
    }

    /// Notes a finished turn, on disk too where there is a folder.
    pub(super) fn remember(&self, id: &str, user: &str) -> io::Result<()> {
        let session = {
            let mut live = self.lock();
            let session = live.entry(id.to_owned()).or_default();
            session.turns.push(TurnRecord { user: user.to_owned(), agent: self.agent.clone() });
            session.clone()
        };
        let (Some(path), Some(folder)) = (self.path(id), &self.folder) else {
            return Ok(());
        };
        fs::create_dir_all(folder)?;
        let draft = path.with_extension(std::process::id().to_string());
        fs::write(&draft, serde_json::to_vec(&session)?)?;
        fs::rename(draft, path)
    }

    pub(super) fn options(&self) -> Option<Vec<Value>> {
        self.options.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets an option's value and gives the list as it is then.
    pub(super) fn set_option(&self, id: &Value, value: &Value) -> Vec<Value> {
        let mut options = self.options.lock().unwrap_or_else(PoisonError::into_inner);
        let options = options.get_or_insert_default();
        if let Some(option) = options.iter_mut().find(|option| option.get("id") == Some(id)) {
            option["currentValue"] = value.clone();
        }
        options.clone()
    }

    fn path(&self, id: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}-{id}.json", self.agent)))
    }
}
