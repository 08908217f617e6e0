//! The frames log of a link: every line in both directions, for looking into what an agent really said.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use drover_acp::{Dir, FrameSink};
use drover_domain::{AgentId, TaskId};

use crate::config::Config;

/// A file that is replaced by an empty one when it is half of what a link may keep; the full one stays beside it.
pub(crate) struct FrameLog {
    path: PathBuf,
    file: BufWriter<File>,
    size: u64,
    half: u64,
}

impl FrameLog {
    /// Opens `frames/<task>/<agent>.ndjson`; without it an agent works all the same.
    pub(crate) fn open(data_dir: &Path, task: TaskId, agent: &AgentId, config: &Config) -> Option<Box<dyn FrameSink>> {
        if config.frames_link_bytes == 0 {
            return None;
        }
        let dir = data_dir.join("frames").join(task.to_string());
        let path = dir.join(format!("{agent}.ndjson"));
        let opened = std::fs::create_dir_all(&dir).and_then(|()| open(&path));
        match opened.and_then(|file| Ok((file.metadata()?.len(), file))) {
            Ok((size, file)) => {
                let half = (config.frames_link_bytes / 2).max(1);
                Some(Box::new(Self { path, file: BufWriter::with_capacity(16 * 1024, file), size, half }))
            }
            Err(error) => {
                tracing::warn!(%error, path = %path.display(), "frames are not logged");
                None
            }
        }
    }

    fn write(&mut self, dir: Dir, at: SystemTime, raw: &[u8]) -> std::io::Result<()> {
        let at = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let word = if dir == Dir::ToAgent { "to" } else { "from" };
        let text = serde_json::to_string(&String::from_utf8_lossy(raw)).map_err(std::io::Error::other)?;
        let line = format!("{{\"at\":{at},\"dir\":\"{word}\",\"line\":{text}}}\n");
        self.file.write_all(line.as_bytes())?;
        self.size += line.len() as u64;
        if self.size > self.half {
            self.file.flush()?;
            std::fs::rename(&self.path, self.path.with_extension("1.ndjson"))?;
            self.file = BufWriter::with_capacity(16 * 1024, open(&self.path)?);
            self.size = 0;
        }
        Ok(())
    }
}

/// Deletes the oldest files until all take no more than `cap` bytes.
pub(crate) fn prune(data_dir: &Path, cap: u64) -> std::io::Result<()> {
    let mut files = Vec::new();
    for dir in std::fs::read_dir(data_dir.join("frames"))?.flatten() {
        for file in std::fs::read_dir(dir.path())?.flatten() {
            let meta = file.metadata()?;
            files.push((meta.modified()?, meta.len(), file.path()));
        }
    }
    files.sort();
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    for (_, size, path) in files {
        if total <= cap {
            break;
        }
        std::fs::remove_file(&path)?;
        total -= size;
        if let Some(dir) = path.parent() {
            // Only an empty one goes.
            let _ = std::fs::remove_dir(dir);
        }
    }
    Ok(())
}

/// Deletes the frames of a task.
pub(crate) fn forget(data_dir: &Path, task: TaskId) {
    if let Err(error) = std::fs::remove_dir_all(data_dir.join("frames").join(task.to_string()))
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(%task, %error, "the frames of a deleted task stay on the disk");
    }
}

impl FrameSink for FrameLog {
    fn frame(&mut self, dir: Dir, at: SystemTime, raw: &[u8]) {
        if let Err(error) = self.write(dir, at, raw) {
            tracing::debug!(%error, "a frame was not logged");
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_frames_go_first() {
        let data = tempfile::tempdir().unwrap();
        for (n, name) in ["old", "new"].into_iter().enumerate() {
            let dir = data.path().join("frames").join(name);
            std::fs::create_dir_all(&dir).unwrap();
            let file = File::create(dir.join("a.ndjson")).unwrap();
            file.set_len(100).unwrap();
            file.set_modified(UNIX_EPOCH + std::time::Duration::from_secs(n as u64 + 1)).unwrap();
        }
        prune(data.path(), 150).unwrap();
        assert!(!data.path().join("frames/old").exists());
        assert!(data.path().join("frames/new/a.ndjson").exists());
    }
}
