use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, Instant};

use super::*;

fn refused(text: &str) -> ConfigError {
    Config::parse(Path::new("config.toml"), text).unwrap_err()
}

#[test]
fn a_missing_and_an_empty_file_are_the_defaults() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Config::load(&dir.path().join("config.toml")).unwrap(), Config::default());
    let empty = Config::parse(Path::new("config.toml"), "# nothing\n").unwrap();
    assert_eq!(empty, Config::default());
    assert_eq!((empty.port, empty.handoff_bytes, empty.max_active_runs), (7717, 98_304, 6));
    assert_eq!(empty.attachment_bytes, 26_214_400);
}

#[test]
fn keys_in_the_file_win() {
    let config = Config::parse(Path::new("c"), "port = 0\nlog_level = \"debug\"\nfeed_bytes = 2_000_000\n").unwrap();
    let expected = Config { port: 0, log_level: LogLevel::Debug, feed_bytes: 2_000_000, ..Config::default() };
    assert_eq!(config, expected);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let table = [
        (
            "port = 1\nprot = 2\n",
            2,
            1,
            "unknown key `prot`, expected one of `port`, `handoff_bytes`, `max_active_runs`",
        ),
        ("port = \"x\"\n", 1, 8, "invalid type: string \"x\", expected u16"),
        ("port = 70000\n", 1, 8, "invalid value: integer `70000`, expected u16"),
        ("\n\nfeed_days = -1\n", 3, 13, "invalid value: integer `-1`, expected u32"),
        ("# ü\n  max_active_runs = 0\n", 2, 21, "`max_active_runs` is 0, but must be between 1 and 64"),
        ("log_level = \"loud\"\n", 1, 13, "unknown variant `loud`, expected one of `error`, `warn`"),
        ("[feed]\ndays = 7\n", 1, 2, "unknown key `feed`, expected one of"),
        ("port = 1\nport = 2\n", 2, 1, "duplicate key"),
        ("port 1\n", 1, 6, ""),
        ("port = \n", 1, 8, ""),
    ];
    for (text, line, column, detail) in table {
        let error = refused(text);
        assert_eq!((error.line, error.column), (Some(line), Some(column)), "{text:?}: {error}");
        assert!(error.detail.starts_with(detail) && !error.detail.is_empty(), "{text:?}: {error}");
    }
    let shown = refused("port = 1\nprot = 2\n").to_string();
    assert!(shown.starts_with("config.toml: line 2, column 1: unknown key `prot`"), "{shown}");
}

#[test]
fn a_file_that_cannot_be_read_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    fs::write(&path, b"port = 1 # \xff\n").unwrap();
    assert_eq!(Config::load(&path).unwrap_err().detail, "is not UTF-8");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let error = Config::load(&path).unwrap_err();
    assert!(error.detail.starts_with("cannot be read: ") && error.line.is_none(), "{error}");
}

#[test]
fn every_key_is_documented_and_has_a_default_inside_its_range() {
    for key in KEYS {
        assert!(key.doc.trim().ends_with('.'), "{key:?}");
    }
    let shown = serde_json::to_value(Config::default()).unwrap();
    let names: Vec<_> = shown.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, KEYS.iter().map(|key| key.name).collect::<Vec<_>>());
    let all: ConfigPatch = serde_json::from_value(shown).unwrap();
    assert_eq!(all.bad_values(), []);
    assert_eq!(all.values().len(), KEYS.len());
}

#[test]
fn a_patch_keeps_what_the_user_wrote() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    fs::write(&path, "# mine\n\nport   =  8000   # the old one\n# end\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let change = ConfigPatch { port: Some(9000), log_level: Some(LogLevel::Warn), ..ConfigPatch::default() };
    let config = patch(&path, &change).unwrap();
    assert_eq!((config.port, config.log_level), (9000, LogLevel::Warn));
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "# mine\n\nport   =  9000   # the old one\n\n# How much the log tells: error, warn, info, debug or trace.\n\
         log_level = \"warn\"\n# end\n"
    );
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file stays");
    assert_eq!(Config::load(&path).unwrap(), config);
}

#[test]
fn a_patch_makes_a_missing_file_and_follows_a_link() {
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("dotfiles.toml"), dir.path().join("config.toml"));
    let change = ConfigPatch { max_active_runs: Some(2), ..ConfigPatch::default() };
    patch(&real, &change).unwrap();
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        fs::read_to_string(&real).unwrap(),
        "# Runs at work at the same time, in all tasks together; the rest waits.\nmax_active_runs = 2\n"
    );
    symlink(&real, &link).unwrap();
    patch(&link, &ConfigPatch { max_active_runs: Some(3), ..ConfigPatch::default() }).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(Config::load(&real).unwrap().max_active_runs, 3);
}

#[test]
fn a_patch_that_cannot_be_leaves_the_file_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    let zero = ConfigPatch { max_active_runs: Some(0), ..ConfigPatch::default() };
    assert!(matches!(patch(&path, &zero).unwrap_err(), PatchError::Values(bad) if bad[0].key == "max_active_runs"));
    assert!(!path.exists());

    fs::write(&path, "prot = 1\n").unwrap();
    let good = ConfigPatch { port: Some(1), ..ConfigPatch::default() };
    assert!(matches!(patch(&path, &good).unwrap_err(), PatchError::File(error) if error.line == Some(1)));
    assert_eq!(fs::read_to_string(&path).unwrap(), "prot = 1\n");

    let gone = dir.path().join("no/config.toml");
    assert!(matches!(patch(&gone, &good).unwrap_err(), PatchError::Write { .. }));
}

#[test]
fn a_watched_file_is_read_again_and_its_last_good_version_holds() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    let watched = Watched::new(path.clone(), Config::load).unwrap();
    assert_eq!(watched.get().port, 7717);

    fs::write(&path, "port = 1\n").unwrap();
    assert_eq!(watched.get().port, 1);
    assert_eq!(watched.problem(), None);

    fs::write(&path, "port = oops\n").unwrap();
    assert_eq!(watched.problem().unwrap().line, Some(1));
    assert_eq!(watched.get().port, 1);

    fs::write(dir.path().join("new"), "port = 2\n").unwrap();
    fs::rename(dir.path().join("new"), &path).unwrap();
    assert_eq!((watched.get().port, watched.problem()), (2, None));

    fs::remove_file(&path).unwrap();
    assert_eq!(watched.get().port, 7717);
}

#[test]
fn an_edit_that_leaves_no_trace_but_its_bytes_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    for round in 0..20 {
        fs::write(&path, "port = 1\n").unwrap();
        let watched = Watched::new(path.clone(), Config::load).unwrap();
        fs::write(&path, "port = 2\n").unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        while watched.get().port != 2 {
            assert!(Instant::now() < deadline, "round {round}");
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_broken_file_at_the_start_is_an_error_or_the_fallback() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("config.toml");
    fs::write(&path, "nonsense\n").unwrap();
    assert!(Watched::new(path.clone(), Config::load).is_err());
    let watched = Watched::or(path.clone(), Config::default(), Config::load);
    assert_eq!(*watched.get(), Config::default());
    assert!(watched.problem().is_some());
    fs::write(&path, "port = 5\n").unwrap();
    assert_eq!((watched.get().port, watched.problem()), (5, None));
}
