//! What handlers can touch.

use std::path::Path;
use std::sync::Arc;

use drover_domain::Timestamp;
use drover_store::Store;
use drover_supervisor::config::{Config, Watched};
use drover_supervisor::{Clock, Ids, Supervisor};
use tokio_util::sync::CancellationToken;
use ulid::Ulid;

use crate::events::Connections;
use crate::guard::Gate;
use crate::pair::Pairing;
use crate::process::data_dir::DataDir;

/// The state of the daemon's HTTP side; cheap to clone.
#[derive(Clone)]
pub(crate) struct AppState(Arc<Inner>);

/// What an [`AppState`] is made of.
pub(crate) struct Inner {
    /// What is remembered.
    pub(crate) store: Store,
    /// Who acts.
    pub(crate) supervisor: Supervisor,
    /// config.toml.
    pub(crate) config: Arc<Watched<Config>>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// New ids.
    pub(crate) ids: Arc<dyn Ids>,
    /// Where files are.
    pub(crate) dir: DataDir,
    /// The user's home directory: where a picker begins.
    pub(crate) home: std::path::PathBuf,
    /// Who may call.
    pub(crate) gate: Gate,
    /// Launch codes.
    pub(crate) pairing: Pairing,
    /// Open event streams.
    pub(crate) connections: Connections,
    /// One creation under an idempotency key at a time.
    pub(crate) creating: tokio::sync::Mutex<()>,
    /// When the daemon was started.
    pub(crate) started_at: Timestamp,
    /// Cancelled when the daemon is to stop.
    pub(crate) stop: CancellationToken,
}

impl AppState {
    pub(crate) fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A new id of any kind.
    pub(crate) fn fresh<T: From<FreshId>>(&self) -> T {
        FreshId(self.ids.fresh()).into()
    }

    /// The settings as they are in config.toml now; the last good ones while that is broken.
    pub(crate) fn config(&self) -> Arc<Config> {
        self.config.get()
    }

    pub(crate) fn attachments(&self) -> std::path::PathBuf {
        self.dir.attachments()
    }

    pub(crate) fn data_dir(&self) -> &Path {
        self.dir.path()
    }
}

impl std::ops::Deref for AppState {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// A ULID that nothing else has, on its way to becoming an id of some kind.
pub(crate) struct FreshId(Ulid);

macro_rules! from_fresh {
    ($($name:ident),*) => {$(
        impl From<FreshId> for drover_domain::$name {
            fn from(id: FreshId) -> Self {
                Self::from_ulid(id.0)
            }
        }
    )*};
}

from_fresh!(AttachmentId, BranchId, BrowserId, MessageId, ProjectId, RunId, TaskId);
