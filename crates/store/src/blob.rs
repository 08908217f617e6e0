//! Blobs: large values of tool calls, kept once, counted, deleted with their last user.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use drover_domain::Part;
use drover_domain::blob::NewBlob;
use drover_domain::message::ToolCall;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{Store, StoreError};

/// Up to this many bytes a blob is a compressed row; above, a file.
const ROW: usize = 1 << 20;
/// Of a value of more bytes than this the beginning is kept, where nothing else was said: what an agent can send in one line.
pub(crate) const CAP: usize = 64 << 20;

/// Cuts what is large out of a call, and of what is over `cap` bytes keeps the beginning, with a mark at its end.
pub(crate) fn cut(call: &ToolCall, cap: usize) -> (ToolCall, Vec<NewBlob>) {
    let (mut call, mut blobs) = drover_domain::blob::cut(call);
    for blob in blobs.iter_mut().filter(|blob| blob.bytes.len() > cap) {
        let whole = std::mem::replace(blob, shortened(&blob.bytes, cap));
        for value in [Some(&mut call.content), call.raw_input.as_mut(), call.raw_output.as_mut()].into_iter().flatten()
        {
            rename(value, &whole.sha256, blob);
        }
    }
    (call, blobs)
}

fn shortened(whole: &[u8], cap: usize) -> NewBlob {
    let text = String::from_utf8_lossy(whole);
    let kept = &text[..text.floor_char_boundary(cap)];
    let text = format!("{kept}\n[Drover kept the first {} of {} bytes]\n", kept.len(), whole.len());
    let sha256 = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    NewBlob { sha256, bytes: text.into_bytes() }
}

/// Lets what names a blob name another.
fn rename(value: &mut Value, from: &str, to: &NewBlob) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, from, to)),
        Value::Object(members) => match members.get_mut("$blob") {
            Some(blob) if blob["sha256"] == from => {
                blob["sha256"] = to.sha256.clone().into();
                blob["size"] = to.bytes.len().into();
            }
            Some(_) => {}
            None => members.values_mut().for_each(|member| rename(member, from, to)),
        },
        _ => {}
    }
}

/// Keeps new blobs and counts exactly those that a part names now.
pub(crate) async fn replace(tx: &mut Tx<'_>, part_id: i64, part: &Part, new: Vec<NewBlob>) -> Result<(), StoreError> {
    if !matches!(part, Part::ToolCall(_)) {
        return Ok(());
    }
    for blob in new {
        keep(tx, blob).await?;
    }
    let named: HashSet<String> = drover_domain::blob::blob_refs(part).into_iter().collect();
    let counted =
        sqlx::query_scalar!("select sha256 from blob_uses where part_id = ?", part_id).fetch_all(tx.conn()).await?;
    let counted: HashSet<String> = counted.into_iter().collect();
    for sha256 in named.difference(&counted) {
        sqlx::query!(
            "insert into blob_uses (part_id, sha256) select ?, sha256 from blobs where sha256 = ?",
            part_id,
            sha256
        )
        .execute(tx.conn())
        .await?;
    }
    for sha256 in counted.difference(&named) {
        sqlx::query!("delete from blob_uses where part_id = ? and sha256 = ?", part_id, sha256)
            .execute(tx.conn())
            .await?;
    }
    let left: Vec<String> = counted.difference(&named).cloned().collect();
    sweep(tx, &left).await
}

/// The blobs that the messages of a task use.
pub(crate) async fn of_task(conn: &mut SqliteConnection, task: &str) -> Result<Vec<String>, StoreError> {
    let used = sqlx::query_scalar!(
        "select distinct u.sha256 from messages m join parts p on p.message_id = m.id join blob_uses u on u.part_id = p.id
         where m.task_id = ?",
        task
    );
    Ok(used.fetch_all(conn).await?)
}

async fn keep(tx: &mut Tx<'_>, blob: NewBlob) -> Result<(), StoreError> {
    let known = sqlx::query_scalar!(r#"select 1 as "one!: i64" from blobs where sha256 = ?"#, blob.sha256);
    if known.fetch_optional(tx.conn()).await?.is_some() {
        return Ok(());
    }
    let size = blob.bytes.len() as i64;
    let data = if blob.bytes.len() <= ROW {
        Some(deflate(&blob.bytes)?)
    } else {
        let dir = tx.store_dir().join("blobs");
        let (sha256, bytes) = (blob.sha256.clone(), blob.bytes);
        // Writing and syncing many megabytes would hold up everything else on this thread.
        let written = tokio::task::spawn_blocking(move || write_file(&dir, &sha256, &bytes)).await;
        written.map_err(|error| StoreError::Io(error.to_string()))??;
        None
    };
    sqlx::query!("insert into blobs (sha256, size, data) values (?, ?, ?)", blob.sha256, size, data)
        .execute(tx.conn())
        .await?;
    Ok(())
}

/// Deletes the rows of those of these blobs that nothing uses; their files go at the next upkeep, when the rows are surely gone.
pub(crate) async fn sweep(tx: &mut Tx<'_>, blobs: &[String]) -> Result<(), StoreError> {
    for sha256 in blobs {
        sqlx::query!(
            "delete from blobs where sha256 = ?1 and not exists (select 1 from blob_uses where sha256 = ?1)",
            sha256
        )
        .execute(tx.conn())
        .await?;
    }
    Ok(())
}

pub(crate) fn deflate(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

pub(crate) fn inflate(bytes: &[u8]) -> Result<Vec<u8>, StoreError> {
    let mut plain = Vec::new();
    DeflateDecoder::new(bytes).read_to_end(&mut plain)?;
    Ok(plain)
}

/// The file is on the disk before the row that names it.
fn write_file(dir: &Path, sha256: &str, bytes: &[u8]) -> Result<(), StoreError> {
    std::fs::create_dir_all(dir)?;
    let half = dir.join(format!("{sha256}.part"));
    let mut file = std::fs::File::create(&half)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&half, dir.join(sha256))?;
    std::fs::File::open(dir)?.sync_all()?;
    Ok(())
}

impl Store {
    /// Keeps of values that come from now on at most about this many bytes each: the beginning, with a mark at its end.
    pub fn cap_blobs(&self, bytes: u64) {
        self.inner.blob_cap.store(usize::try_from(bytes).unwrap_or(usize::MAX), Ordering::Relaxed);
    }

    /// The bytes of a blob, if there is one of that hash.
    ///
    /// # Errors
    /// Where the database or the blob's file cannot be read.
    pub async fn blob(&self, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let row =
            sqlx::query!("select data from blobs where sha256 = ?", sha256).fetch_optional(&self.inner.readers).await?;
        match row {
            None => Ok(None),
            Some(row) => match row.data {
                Some(data) => inflate(&data).map(Some),
                // The name is a hash from a row, never what a client sent.
                None => Ok(Some(tokio::fs::read(self.inner.data_dir.join("blobs").join(sha256)).await?)),
            },
        }
    }

    /// Deletes files in `blobs/` that no row names.
    pub(crate) async fn sweep_blob_files(&self) -> Result<(), StoreError> {
        let Ok(entries) = std::fs::read_dir(self.inner.data_dir.join("blobs")) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // On the writer's connection and in its turn, so that no file is swept between its making and its row.
            let mut writer = self.inner.writer.lock().await;
            let known = sqlx::query_scalar!(r#"select 1 as "one!: i64" from blobs where sha256 = ?"#, name);
            if known.fetch_optional(&mut writer.conn).await?.is_none() {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        Ok(())
    }
}
