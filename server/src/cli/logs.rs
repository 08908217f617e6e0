//! `logs`: the end of the log, and what is added to it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use super::CliError;
use crate::process::data_dir::DataDir;
use crate::process::log;

/// How much of the newest file is shown.
const TAIL_BYTES: u64 = 64 << 10;
const LOOK: Duration = Duration::from_millis(200);

pub(super) fn logs(dir: &DataDir, follow: bool) -> Result<ExitCode, CliError> {
    let folder = dir.log();
    let mut path = log::newest(&folder).ok_or_else(|| CliError::NoLog(folder.clone()))?;
    let mut file = tail(&path)?;
    copy(&mut file)?;
    if !follow {
        return Ok(ExitCode::SUCCESS);
    }
    loop {
        thread::sleep(LOOK);
        copy(&mut file)?;
        if let Some(newer) = log::newest(&folder).filter(|newer| *newer != path) {
            copy(&mut file)?;
            file = File::open(&newer)?;
            path = newer;
        }
    }
}

/// A file, read up to where its last whole lines begin.
fn tail(path: &Path) -> io::Result<File> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    if size > TAIL_BYTES {
        file.seek(SeekFrom::Start(size - TAIL_BYTES))?;
        let mut byte = [0];
        while byte != *b"\n" && file.read(&mut byte)? == 1 {}
    }
    Ok(file)
}

fn copy(file: &mut File) -> io::Result<()> {
    let mut out = io::stdout().lock();
    io::copy(file, &mut out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_file_begins_with_a_whole_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let line = format!("{}\n", "x".repeat(99));
        std::fs::write(&path, line.repeat(2000)).unwrap();
        let mut text = String::new();
        tail(&path).unwrap().read_to_string(&mut text).unwrap();
        assert!(text.len() < 70_000 && text.len().is_multiple_of(100), "{}", text.len());
        std::fs::write(&path, "short\n").unwrap();
        let mut text = String::new();
        tail(&path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "short\n");
    }
}
