use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use super::*;

mod shells;

fn vars(pairs: &[(&str, &str)]) -> Vars {
    pairs.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))).collect()
}

fn value<'a>(environment: &'a Environment, name: &str) -> Option<&'a str> {
    environment.vars().get(OsStr::new(name)).map(|value| value.to_str().unwrap())
}

/// A file with this mode; its directories are made.
fn file(path: &Path, text: &str, mode: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A script that can be run at once. Another process writes it: a child that a test beside this one forks would hold our
/// descriptor for an instant, and what is open for writing cannot be run.
fn script(path: &Path, text: &str) {
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
}

#[test]
fn marks_and_injections_are_removed_and_configuration_passes() {
    let removed = [
        "CLAUDECODE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CODEX_SANDBOX",
        "DROVER_TOKEN",
        "DYLD_INSERT_LIBRARIES",
        "ELECTRON_RUN_AS_NODE",
        "GEMINI_CLI",
        "GIT_DIR",
        "GIT_SSH_COMMAND",
        "LD_PRELOAD",
        "NODE_INSPECT_RESUME_ON_START",
        "NODE_OPTIONS",
        "PWD",
        "SHLVL",
        "npm_config_prefix",
        "npm_lifecycle_event",
    ];
    let passed = [
        "ANTHROPIC_API_KEY",
        "CLAUDE_CODE_EXECUTABLE",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "CODEX_PATH",
        "GITHUB_TOKEN",
        "HTTPS_PROXY",
        "KEEP_ME",
        "LANG",
        "LD_LIBRARY_PATH",
        "NODE_EXTRA_CA_CERTS",
        "NO_BROWSER",
        "NPM_TOKEN",
        "SSH_AUTH_SOCK",
    ];
    let all: Vars = removed.iter().chain(&passed).map(|name| (OsString::from(name), "x".into())).collect();
    for environment in [
        Environment::new(&all, None, Path::new("/home/u")),
        Environment::new(&Vars::new(), Some(&all), Path::new("/home/u")),
    ] {
        let left: Vec<_> = environment.vars().keys().filter_map(|name| name.to_str()).collect();
        let mut expected: Vec<_> = passed.iter().copied().chain(["HOME", "PATH"]).collect();
        expected.sort_unstable();
        assert_eq!(left, expected);
    }
}

#[test]
fn the_shell_wins_but_for_the_home_and_what_only_the_daemon_has_stays() {
    let daemon = vars(&[("HOME", "/home/u"), ("LANG", "C"), ("ONLY_DAEMON", "1"), ("PATH", "/usr/bin:/daemon:rel:")]);
    let shell = vars(&[
        ("HOME", "/elsewhere"),
        ("LANG", "de_DE.UTF-8"),
        ("ONLY_SHELL", "1"),
        ("PATH", "/shell:/usr/bin:/shell"),
    ]);
    let environment = Environment::new(&daemon, Some(&shell), Path::new("/home/u"));
    assert_eq!(value(&environment, "HOME"), Some("/home/u"));
    assert_eq!(value(&environment, "LANG"), Some("de_DE.UTF-8"));
    assert_eq!((value(&environment, "ONLY_DAEMON"), value(&environment, "ONLY_SHELL")), (Some("1"), Some("1")));
    let path = value(&environment, "PATH").unwrap();
    assert!(path.starts_with("/shell:/usr/bin:/daemon:"), "{path}");
    assert_eq!(path, environment.search().to_string());
    assert!(!path.split(':').any(|directory| directory == "rel" || directory.is_empty()), "{path}");
}

#[test]
fn well_known_directories_follow_when_they_exist() {
    let home = tempfile::tempdir().unwrap();
    let at = |path: &str| home.path().join(path);
    for directory in [".cargo/bin", ".local/bin", ".nvm/versions/node/v9.11.2/bin", ".nvm/versions/node/v22.4.0/bin"] {
        fs::create_dir_all(at(directory)).unwrap();
    }
    fs::create_dir_all(at(".nvm/versions/node/system/bin")).unwrap();
    let daemon = Vars::from([("PATH".into(), at(".cargo/bin").into())]);
    let environment = Environment::new(&daemon, None, home.path());
    let ours: Vec<_> = environment.search().directories().iter().filter(|dir| dir.starts_with(home.path())).collect();
    assert_eq!(ours, [&at(".cargo/bin"), &at(".local/bin"), &at(".nvm/versions/node/v22.4.0/bin")]);
}

#[test]
fn a_program_is_found_by_name_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join(path);
    file(&at("a/tool"), "", 0o644);
    file(&at("b/tool"), "", 0o755);
    file(&at("c/tool"), "", 0o755);
    file(&at("a/plain"), "", 0o644);
    fs::create_dir_all(at("a/folder")).unwrap();
    let joined = std::env::join_paths([at("a"), at("b"), at("c")]).unwrap();
    let search = SearchPath::parse(&joined);
    assert_eq!(search.find("tool"), Lookup::Found(at("b/tool")));
    assert_eq!(search.find("plain"), Lookup::NotExecutable(at("a/plain")));
    assert_eq!(search.find("folder"), Lookup::Missing);
    assert_eq!(search.find("nothing"), Lookup::Missing);
}

#[test]
fn no_value_is_printed() {
    let environment = Environment::new(&vars(&[("KEY", "secret")]), None, Path::new("/home/u"));
    let shown = format!("{environment:?}");
    assert!(shown.contains("KEY") && !shown.contains("secret"), "{shown}");
}
