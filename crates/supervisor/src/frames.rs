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
