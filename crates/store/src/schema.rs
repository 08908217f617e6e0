//! The schema and its migrations: forward only, one transaction a step, the version in `pragma user_version`.

use sqlx::{Connection, SqliteConnection};

use crate::StoreError;

/// Every step, oldest first; the first makes version 1. Never edited once released.
const STEPS: &[&str] = &[include_str!("../../../migrations/0001_init.sql")];

/// The version that this program knows.
pub const SCHEMA_VERSION: i64 = STEPS.len() as i64;

/// The version of an open database; 0 for an empty file. Reads the schema, so that a damaged one is told before anything is written.
pub(crate) async fn version(conn: &mut SqliteConnection) -> Result<i64, StoreError> {
    let _tables: i64 = sqlx::query_scalar("select count(*) from sqlite_schema").fetch_one(&mut *conn).await?;
    Ok(sqlx::query_scalar::<_, i64>("pragma user_version").fetch_one(conn).await?)
}

/// Takes the database from `from` to [`SCHEMA_VERSION`]. A step that is cut off leaves no trace.
pub(crate) async fn migrate(conn: &mut SqliteConnection, from: i64) -> Result<(), StoreError> {
    apply(conn, from, STEPS).await
}

async fn apply(conn: &mut SqliteConnection, from: i64, steps: &[&'static str]) -> Result<(), StoreError> {
    for (step, sql) in (1..).zip(steps).filter(|(step, _)| *step > from) {
        let mut tx = conn.begin_with("begin immediate").await?;
        sqlx::raw_sql(*sql).execute(&mut *tx).await?;
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("pragma user_version = {step}"))).execute(&mut *tx).await?;
        tx.commit().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
