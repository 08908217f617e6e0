//! The log: one file a day in `log/`, seven kept, 50 MB in all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use drover_domain::Timestamp;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::private;

const FILES: usize = 7;
/// Bytes in one file, so that all together stay below 50 MB.
const FILE_BYTES: u64 = 7 << 20;

/// Tells the time of a line, for the name of its file.
pub(crate) type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// Begins to log: into the directory, and to stderr too where `echo` says so.
pub(crate) fn start(dir: &Path, level: LevelFilter, echo: bool, now: Now) {
    let files = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(LogFiles::new(dir, now));
    let stderr = echo.then(|| tracing_subscriber::fmt::layer().with_ansi(false).with_writer(io::stderr));
    // Libraries tell of their own work only where something is wrong.
    let filter = Targets::new().with_default(LevelFilter::WARN.min(level)).with_target("drover", level);
    // There is one already only in tests, where the first one stays.
    let _ = tracing_subscriber::registry().with(filter).with(files).with(stderr).try_init();
}

/// The newest file of the log.
pub(crate) fn newest(dir: &Path) -> Option<PathBuf> {
    names(dir).pop().map(|name| dir.join(name))
}

/// Names of the log's files, oldest first.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.starts_with("drover-") && name.ends_with(".log"))
        .collect();
    names.sort();
    names
}

#[derive(Clone)]
struct LogFiles(Arc<Shared>);

struct Shared {
    dir: PathBuf,
    now: Now,
    open: Mutex<Option<Open>>,
}

struct Open {
    file: File,
    day: String,
    part: u32,
    bytes: u64,
}

impl LogFiles {
    fn new(dir: &Path, now: Now) -> Self {
        Self(Arc::new(Shared { dir: dir.to_owned(), now, open: Mutex::new(None) }))
    }
}

impl Shared {
    /// The file for a line written now.
    fn current<'a>(&self, open: &'a mut Option<Open>) -> io::Result<&'a mut Open> {
        let day: String = (self.now)().to_string().chars().take(10).collect();
        let next = match open {
            Some(open) if open.day == day && open.bytes < FILE_BYTES => None,
            Some(open) if open.day == day => Some(open.part + 1),
            _ => Some(last_part(&self.dir, &day)),
        };
        if let Some(part) = next {
            let path = self.dir.join(format!("drover-{day}.{part:03}.log"));
            let file = private::append(&path)?;
            let bytes = file.metadata()?.len();
            *open = Some(Open { file, day, part, bytes });
            self.prune();
        }
        open.as_mut().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn prune(&self) {
        let names = names(&self.dir);
        for name in &names[..names.len().saturating_sub(FILES)] {
            // One that cannot be removed now is tried again at the next change of files.
            let _ = fs::remove_file(self.dir.join(name));
        }
    }
}

/// The number of a day's newest file: a daemon that is started again goes on with it.
fn last_part(dir: &Path, day: &str) -> u32 {
    let prefix = format!("drover-{day}.");
    let parts = names(dir).into_iter().filter_map(|name| {
        let part = name.strip_prefix(&prefix)?.strip_suffix(".log")?;
        part.parse().ok()
    });
    parts.max().unwrap_or(0)
}

impl Write for &LogFiles {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.0.current(&mut open)?;
        current.file.write_all(line)?;
        current.bytes += line.len() as u64;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogFiles {
    type Writer = &'a Self;

    fn make_writer(&'a self) -> Self::Writer {
        self
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    const DAY: i64 = 86_400_000;

    #[test]
    fn a_day_has_its_file_and_seven_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(AtomicI64::new(0));
        let told = Arc::clone(&clock);
        let now: Now = Arc::new(move || Timestamp::from_millis(told.load(Ordering::Relaxed)));
        let files = LogFiles::new(dir.path(), now);
        for day in 0..10 {
            clock.store(day * DAY, Ordering::Relaxed);
            (&files).write_all(b"a line\n").unwrap();
            (&files).write_all(b"another\n").unwrap();
        }
        let names = names(dir.path());
        assert_eq!(names.first().unwrap(), "drover-1970-01-04.000.log");
        assert_eq!(names.last().unwrap(), "drover-1970-01-10.000.log");
        assert_eq!(names.len(), FILES);
        let newest = fs::read_to_string(newest(dir.path()).unwrap()).unwrap();
        assert_eq!(newest, "a line\nanother\n");
    }

    #[test]
    fn a_full_file_is_followed_by_another_one() {
        let dir = tempfile::tempdir().unwrap();
        let now: Now = Arc::new(|| Timestamp::from_millis(0));
        let line = vec![b'x'; 1 << 20];
        for _ in 0..2 {
            // A second daemon goes on where the first was.
            let files = LogFiles::new(dir.path(), Arc::clone(&now));
            for _ in 0..5 {
                (&files).write_all(&line).unwrap();
            }
        }
        assert_eq!(names(dir.path()), ["drover-1970-01-01.000.log", "drover-1970-01-01.001.log"]);
    }
}
