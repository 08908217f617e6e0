//! The copies that are made before a migration.

use std::fs::File;
use std::io;
use std::path::Path;

use sqlx::SqliteConnection;

use super::OpenError;
use crate::platform;

/// A copy beside the database, and one of agents.toml, before the first step of a migration. There is one a version: it is replaced,
/// and one that was cut off is made anew.
pub(super) async fn make(conn: &mut SqliteConnection, dir: &Path, version: i64) -> Result<(), OpenError> {
    let failed = |detail: String| OpenError::Backup { detail };
    let half = dir.join("drover.db.bak.part");
    match std::fs::remove_file(&half) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error.to_string())),
        _ => {}
    }
    platform::make_private(&half).map_err(|error| failed(error.to_string()))?;
    let target = half.to_string_lossy().into_owned();
    let copied = sqlx::query("vacuum into ?").bind(target).execute(conn).await;
    let finished = match copied {
        Ok(_) => finish(dir, &half, version),
        Err(error) => Err(io::Error::other(error)),
    };
    finished.map_err(|error| {
        // What is left of it would only take room.
        let _ = std::fs::remove_file(&half);
        failed(error.to_string())
    })
}

fn finish(dir: &Path, half: &Path, version: i64) -> io::Result<()> {
    File::open(half)?.sync_all()?;
    let agents = dir.join("agents.toml");
    if agents.exists() {
        std::fs::copy(&agents, dir.join(format!("agents.toml.v{version}.bak")))?;
    }
    std::fs::rename(half, dir.join(format!("drover.db.v{version}.bak")))?;
    File::open(dir)?.sync_all()
}
