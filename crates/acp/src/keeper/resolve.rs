//! Finds the program before anything is started, so that each way to be wrong has its own words.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use super::LaunchError;

/// The interpreter line the kernel looks at is no longer than this.
const LONGEST_SHEBANG: u64 = 256;

/// The file to execute. A bare name is looked up in the PATH of `env`; a relative path with a slash starts at `cwd`.
pub(super) fn resolve(command: &Path, cwd: &Path, env: &[(OsString, OsString)]) -> Result<PathBuf, LaunchError> {
    check_cwd(cwd)?;
    let path = variable(env, "PATH");
    let file = match command.as_os_str().as_bytes().contains(&b'/') {
        true => named(&below(cwd, command))?,
        false => searched(command, cwd, path)?,
    };
    check_interpreter(&file, cwd, path)?;
    Ok(file)
}

/// Without `.` parts, which would only puzzle in messages.
fn below(cwd: &Path, path: &Path) -> PathBuf {
    cwd.join(path).components().collect()
}

fn variable<'a>(env: &'a [(OsString, OsString)], name: &str) -> &'a OsStr {
    let value = env.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| value.as_os_str());
    value.unwrap_or_default()
}

fn check_cwd(cwd: &Path) -> Result<(), LaunchError> {
    let path = || cwd.to_owned();
    let metadata = match fs::metadata(cwd) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(LaunchError::CwdMissing { path: path() });
        }
        Err(_) => return Err(LaunchError::CwdUnreadable { path: path() }),
    };
    if !metadata.is_dir() {
        return Err(LaunchError::CwdNotADirectory { path: path() });
    }
    access(cwd, AccessFlags::R_OK | AccessFlags::X_OK).map_err(|_| LaunchError::CwdUnreadable { path: path() })
}

fn named(file: &Path) -> Result<PathBuf, LaunchError> {
    let path = || file.to_owned();
    match fs::metadata(file) {
        Err(_) => Err(LaunchError::NotFound { command: path(), searched: None }),
        Ok(metadata) if metadata.is_dir() => Err(LaunchError::IsDirectory { path: path() }),
        Ok(_) if !is_executable(file) => Err(LaunchError::NotExecutable { path: path() }),
        Ok(_) => Ok(path()),
    }
}

/// The first that can be executed counts; one that cannot is only reported if there is no other.
fn searched(command: &Path, cwd: &Path, path: &OsStr) -> Result<PathBuf, LaunchError> {
    let mut failure = None;
    for directory in std::env::split_paths(path) {
        match named(&cwd.join(directory).join(command)) {
            Ok(file) => return Ok(file),
            Err(error @ LaunchError::NotExecutable { .. }) => drop(failure.get_or_insert(error)),
            Err(_) => {}
        }
    }
    let not_found = LaunchError::NotFound { command: command.to_owned(), searched: Some(path.to_owned()) };
    Err(failure.unwrap_or(not_found))
}

fn is_executable(file: &Path) -> bool {
    access(file, AccessFlags::X_OK).is_ok()
}

/// Without this, a script whose interpreter is missing fails as if the script were.
fn check_interpreter(script: &Path, cwd: &Path, path: &OsStr) -> Result<(), LaunchError> {
    let Some(line) = shebang(script) else { return Ok(()) };
    let missing = |interpreter: &str| LaunchError::MissingInterpreter {
        script: script.to_owned(),
        interpreter: interpreter.to_owned(),
    };
    let mut words = line.split_ascii_whitespace();
    let Some(interpreter) = words.next() else { return Ok(()) };
    named(&cwd.join(interpreter)).map_err(|_| missing(interpreter))?;
    if !interpreter.ends_with("/env") {
        return Ok(());
    }
    let program = words.find(|word| !word.starts_with('-') && !word.contains('='));
    let Some(program) = program.filter(|program| !program.contains('/')) else { return Ok(()) };
    searched(Path::new(program), cwd, path).map(drop).map_err(|_| missing(program))
}

fn shebang(script: &Path) -> Option<String> {
    let mut start = Vec::new();
    File::open(script).ok()?.take(LONGEST_SHEBANG).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    String::from_utf8(line.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new() -> Self {
            let place = Self(tempfile::tempdir().unwrap());
            place.file("my agent", "#!/bin/sh\n", 0o755);
            place.file("plain", "text", 0o644);
            place.file("no-interp", "#!/nowhere/python3 -u\n", 0o755);
            place.file("no-env-interp", "#!/usr/bin/env -S missing-interp --flag\n", 0o755);
            fs::create_dir(place.path().join("folder")).unwrap();
            place
        }

        fn path(&self) -> &Path {
            self.0.path()
        }

        fn file(&self, name: &str, text: &str, mode: u32) {
            fs::write(self.path().join(name), text).unwrap();
            fs::set_permissions(self.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
        }

        /// What is found, or the words of the failure, with this place's path left out.
        fn try_to_find(&self, command: &str) -> String {
            let path = std::env::join_paths([Path::new("/usr/bin"), Path::new("/bin"), self.path()]).unwrap();
            let env = [("PATH".into(), "/overridden".into()), ("PATH".into(), path)];
            let found = resolve(Path::new(command), self.path(), &env);
            let words = found.map_or_else(|error| error.to_string(), |file| file.display().to_string());
            words.replace(self.path().to_str().unwrap(), "<here>")
        }
    }

    #[test]
    fn programs_are_found() {
        let place = Place::new();
        assert_eq!(place.try_to_find("my agent"), "<here>/my agent");
        assert_eq!(place.try_to_find("./my agent"), "<here>/my agent");
        assert_eq!(place.try_to_find("/bin/sh"), "/bin/sh");
    }

    #[test]
    fn each_failure_has_its_own_words() {
        let place = Place::new();
        let words: Vec<_> = ["missing", "./missing", "plain", "./folder", "no-interp", "no-env-interp"]
            .map(|command| place.try_to_find(command))
            .into();
        let expected = [
            "missing was not found in PATH (/usr/bin:/bin:<here>)",
            "<here>/missing was not found",
            "<here>/plain is not executable",
            "<here>/folder is a directory, not a program",
            "<here>/no-interp needs /nowhere/python3, which was not found",
            "<here>/no-env-interp needs missing-interp, which was not found",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn the_directory_is_checked_first() {
        let place = Place::new();
        let words = |cwd: &str| {
            let cwd = place.path().join(cwd);
            let error = resolve(Path::new("/bin/sh"), &cwd, &[]).unwrap_err().to_string();
            error.replace(place.path().to_str().unwrap(), "<here>")
        };
        assert_eq!(words("gone"), "the directory <here>/gone does not exist");
        assert_eq!(words("plain"), "<here>/plain is not a directory");
    }
}
