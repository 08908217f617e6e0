//! The rule of the page's build, with a Node.js and an npm that only note what they were asked.

#![expect(clippy::unwrap_used, reason = "a helper that cannot set up its test fails it")]

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

#[path = "../build/inputs.rs"]
mod inputs;
#[path = "../build/node.rs"]
mod node;
#[path = "../build/rule.rs"]
mod rule;

use node::Failure;
use rule::Outcome;

/// A `web/` folder beside a `bin/` with the two programs; npm writes its arguments to `calls`.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        project.write("src/main.tsx", "start()");
        for name in ["index.html", "package.json", "package-lock.json"] {
            project.write(name, name);
        }
        project.program("node", "echo v20.19.1");
        project.program("npm", "mkdir -p dist && echo page > dist/index.html");
        project
    }

    fn web(&self) -> PathBuf {
        self.folder.path().join("web")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.web().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.web().join(name)).unwrap()
    }

    fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    fn program(&self, name: &str, script: &str) {
        fs::create_dir_all(self.bin()).unwrap();
        let calls = self.folder.path().join("calls");
        let text = format!("#!/bin/sh\necho {name} \"$@\" >> '{}'\n{script}\n", calls.display());
        let path = self.bin().join(name);
        // Written by a process of its own: a program that another test starts at the same moment inherits no file that is
        // open for writing, and running this one does not fail as busy.
        let mut writing = Command::new("/bin/sh");
        writing.args(["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", &text]).arg(&path);
        assert!(writing.status().unwrap().success());
    }

    fn run(&self, skip: bool) -> Result<Outcome, Failure> {
        let mut tools = self.bin().into_os_string();
        tools.push(":/usr/bin:/bin");
        rule::bring_up_to_date(&self.web(), &tools, skip)
    }

    fn run_without_node(&self) -> Result<Outcome, Failure> {
        rule::bring_up_to_date(&self.web(), &OsString::from("/nowhere"), false)
    }

    /// What npm was asked since the last call of this.
    fn npm_calls(&self) -> Vec<String> {
        let calls = self.folder.path().join("calls");
        let lines = fs::read_to_string(&calls).unwrap_or_default();
        fs::write(calls, "").unwrap();
        let npm = lines.lines().filter(|line| line.starts_with("npm "));
        npm.map(str::to_owned).collect()
    }
}

const CI: &str = "npm ci --no-audit --no-fund --ignore-scripts";
const BUILD: &str = "npm run build";

#[test]
fn a_fresh_checkout_is_installed_and_built_once() {
    let project = Project::new();
    assert_eq!(project.run(false).unwrap(), Outcome::Built);
    assert_eq!(project.npm_calls(), [CI, BUILD]);
    assert_eq!(project.run(false).unwrap(), Outcome::Fresh);
    assert_eq!(project.npm_calls(), Vec::<String>::new());
}

#[test]
fn cargo_finds_nothing_newer_than_its_run() {
    let project = Project::new();
    project.run(false).unwrap();
    for name in rule::DATED {
        let file = project.web().join("dist").join(name);
        let modified = fs::metadata(file).unwrap().modified().unwrap();
        assert_eq!(modified, SystemTime::UNIX_EPOCH, "{name}");
    }
}

#[test]
fn content_counts_and_not_time() {
    let project = Project::new();
    project.run(false).unwrap();
    project.write("src/main.tsx", "start()");
    assert_eq!(project.run(false).unwrap(), Outcome::Fresh);
    project.npm_calls();
    project.write("src/main.tsx", "begin()");
    assert_eq!(project.run(false).unwrap(), Outcome::Built);
    assert_eq!(project.npm_calls(), [BUILD], "the same lock file");
}

#[test]
fn every_input_counts_and_nothing_else() {
    let project = Project::new();
    let mut before = inputs::stamp(&project.web()).unwrap();
    for name in [
        "src/deep/er/file.ts",
        "public/icon.svg",
        "index.html",
        "package.json",
        "package-lock.json",
        "vite.config.ts",
        "tsconfig.json",
    ] {
        project.write(name, "other");
        let after = inputs::stamp(&project.web()).unwrap();
        assert_ne!(after, before, "{name}");
        before = after;
    }
    for name in ["README.md", "dist/index.html", "node_modules/a/index.js"] {
        project.write(name, "other");
    }
    assert_eq!(inputs::stamp(&project.web()).unwrap(), before);
}

#[test]
fn a_file_that_moves_counts() {
    let project = Project::new();
    project.write("src/a", "bc");
    let before = inputs::stamp(&project.web()).unwrap();
    fs::remove_file(project.web().join("src/a")).unwrap();
    project.write("src/ab", "c");
    assert_ne!(inputs::stamp(&project.web()).unwrap(), before);
}

#[test]
fn another_lock_file_is_installed() {
    let project = Project::new();
    project.run(false).unwrap();
    project.npm_calls();
    project.write("package-lock.json", "another version");
    project.run(false).unwrap();
    assert_eq!(project.npm_calls(), [CI, BUILD]);
}

#[test]
fn a_missing_page_is_built_again() {
    let project = Project::new();
    project.run(false).unwrap();
    fs::remove_file(project.web().join("dist/index.html")).unwrap();
    assert_eq!(project.run(false).unwrap(), Outcome::Built);
}

#[test]
fn without_node_a_fresh_page_serves_and_a_stale_one_says_what_to_do() {
    let project = Project::new();
    let failure = project.run_without_node().unwrap_err().to_string();
    assert_eq!(
        failure,
        "web UI: web/dist is missing or stale and Node.js was not found on PATH. Fix one of: 1. install Node.js 20.19 or \
         newer, then run cargo again; 2. unpack a release's web-dist archive into web/dist; 3. WEB_BUILD=skip cargo run (API \
         only; the page says that it has no UI)"
    );
    project.run(false).unwrap();
    assert_eq!(project.run_without_node().unwrap(), Outcome::Fresh);
}

#[test]
fn an_old_node_is_named_with_the_version_that_is_needed() {
    let project = Project::new();
    project.program("node", "echo v20.18.9");
    assert_eq!(
        project.run(false).unwrap_err().to_string(),
        "web UI: web/dist is missing or stale and Node.js is too old: found v20.18.9, needed 20.19 or newer"
    );
}

#[test]
fn versions_compare_as_numbers() {
    for (version, parsed) in [
        ("v20.19.0", Some((20, 19))),
        ("v9.11.2", Some((9, 11))),
        ("26.1.0-nightly", Some((26, 1))),
        ("v20", None),
        ("node", None),
    ] {
        assert_eq!(node::parse(version), parsed, "{version}");
    }
    assert!(node::parse("v9.99.0") < Some(node::NEEDED));
}

#[test]
fn when_npm_fails_all_it_wrote_is_told_and_the_next_build_tries_again() {
    let project = Project::new();
    project.program("npm", "echo to stdout; echo to stderr >&2; exit 3");
    assert_eq!(
        project.run(false).unwrap_err().to_string(),
        "web UI: npm ci --no-audit --no-fund --ignore-scripts failed:\nto stdout\nto stderr\n\n(exit status: 3)"
    );
    project.program("npm", "true");
    assert!(matches!(project.run(false), Err(Failure::NoPage)));
    project.program("npm", "mkdir -p dist && echo page > dist/index.html");
    assert_eq!(project.run(false).unwrap(), Outcome::Built);
}

#[test]
fn skipping_puts_a_page_that_says_so_in_place_of_a_stale_one_until_the_next_build() {
    let project = Project::new();
    project.run(false).unwrap();
    assert_eq!(project.run(true).unwrap(), Outcome::Fresh);
    assert_eq!(project.read("dist/index.html"), "page\n");

    project.write("src/main.tsx", "begin()");
    assert_eq!(project.run(true).unwrap(), Outcome::Skipped);
    assert!(project.read("dist/index.html").contains("without its page"));
    assert!(Outcome::Skipped.warning().is_some());
    assert!(!project.web().join("dist/.stamp").exists());

    assert_eq!(project.run(false).unwrap(), Outcome::Built);
    assert_eq!(project.read("dist/index.html"), "page\n");
}

#[test]
fn builds_at_the_same_time_build_once() {
    let project = Project::new();
    project.program("npm", "[ \"$1\" = ci ] || { mkdir dist && echo page > dist/index.html; }");
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..4).map(|_| scope.spawn(|| project.run(false))).collect();
        for build in builds {
            build.join().unwrap().unwrap();
        }
    });
    assert_eq!(project.npm_calls(), [CI, BUILD]);
}

#[test]
fn the_version_file_of_the_repository_fits() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.node-version");
    let version = fs::read_to_string(file).unwrap();
    assert!(node::parse(version.trim()) >= Some(node::NEEDED));
}
