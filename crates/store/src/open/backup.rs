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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Executor};

    use super::*;

    async fn database(dir: &Path) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(dir.join("drover.db")).create_if_missing(true);
        let mut conn = options.connect().await.unwrap();
        conn.execute("create table if not exists t (a); insert into t values ('kept'); pragma user_version = 3")
            .await
            .unwrap();
        conn
    }

    #[tokio::test]
    async fn a_copy_is_whole_private_and_the_only_one_of_its_version() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("agents.toml"), "# mine").unwrap();
        std::fs::write(dir.path().join("drover.db.bak.part"), "of a start that was killed").unwrap();
        let mut conn = database(dir.path()).await;
        for _ in 0..2 {
            make(&mut conn, dir.path(), 3).await.unwrap();
        }
        let copy = dir.path().join("drover.db.v3.bak");
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
        let mut read = SqliteConnectOptions::new().filename(&copy).read_only(true).connect().await.unwrap();
        let kept: (String, i64) =
            sqlx::query_as("select a, user_version from t, pragma_user_version").fetch_one(&mut read).await.unwrap();
        assert_eq!(kept, ("kept".to_owned(), 3));
        assert_eq!(std::fs::read_to_string(dir.path().join("agents.toml.v3.bak")).unwrap(), "# mine");
        let mut names: Vec<_> =
            std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["agents.toml", "agents.toml.v3.bak", "drover.db", "drover.db.v3.bak"]);
    }

    #[tokio::test]
    async fn without_a_copy_there_is_an_error_and_no_half_of_one() {
        let dir = tempfile::tempdir().unwrap();
        let mut conn = database(dir.path()).await;
        // Where the copy is to stand there is a directory.
        std::fs::create_dir_all(dir.path().join("drover.db.v3.bak/full")).unwrap();
        assert!(matches!(make(&mut conn, dir.path(), 3).await, Err(OpenError::Backup { .. })));
        assert!(!dir.path().join("drover.db.bak.part").exists());
    }
}
