//! What the compiler does not check: which crate may know which, and the tidiness of the tree.

#![expect(clippy::unwrap_used, reason = "a helper that cannot read the tree fails its test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates of ours and those of ours that each may depend on, in tests and builds too.
const EDGES: [(&str, &[&str]); 9] = [
    (
        "drover",
        &[
            "drover-supervisor",
            "drover-store",
            "drover-domain",
            "drover-git",
            "drover-assets",
            "drover-acp",
            "drover-tour",
        ],
    ),
    ("drover-supervisor", &["drover-store", "drover-acp", "drover-domain"]),
    ("drover-store", &["drover-domain"]),
    ("drover-domain", &[]),
    ("drover-git", &[]),
    ("drover-acp", &[]),
    ("drover-assets", &[]),
    ("drover-tour", &[]),
    ("drover-tests", &[]),
];

/// Crates of others and the only ones of ours that may know them.
const KNOWN_BY: [(&str, &[&str]); 3] = [
    ("axum", &["drover"]),
    ("sqlx", &["drover-store", "drover-tests"]),
    ("tokio", &["drover", "drover-acp", "drover-git", "drover-store", "drover-supervisor", "drover-tests"]),
];

/// Files of more than [`LONGEST`] lines, each with the reason why it stays in one piece.
const LONG: [(&str, &str); 1] = [("web/src/api/schema.gen.ts", "generated")];
const LONGEST: usize = 500;

#[test]
fn no_crate_knows_more_of_ours_than_it_may() {
    for (name, dependencies) in crates() {
        let Some((_, allowed)) = EDGES.iter().find(|(known, _)| *known == name) else {
            panic!("{name} is new: say in EDGES what it may depend on");
        };
        let ours: Vec<_> = dependencies
            .iter()
            .filter(|dependency| dependency.starts_with("drover"))
            .filter(|dependency| !allowed.contains(&dependency.as_str()))
            .collect();
        assert!(ours.is_empty(), "{name} must not depend on {ours:?}");
    }
}

#[test]
fn the_edge_of_http_the_sql_and_the_runtime_stay_where_they_are() {
    for (name, dependencies) in crates() {
        for (dependency, allowed) in KNOWN_BY {
            assert!(
                !dependencies.contains(dependency) || allowed.contains(&name.as_str()),
                "{name} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn the_server_takes_nothing_but_its_other_mains_from_the_agent_layer() {
    for (path, text) in sources("server/src/", &["rs"]) {
        for line in text.lines().filter(|line| line.contains("drover_acp")) {
            assert!(line.contains("keeper_main") || line.contains("pty_main"), "{path}: {line}");
        }
    }
}

#[test]
fn code_for_one_platform_stands_in_one_module_of_a_crate() {
    for (path, text) in sources("", &["rs"]) {
        let in_source = path.starts_with("server/src/") || path.starts_with("crates/") && path.contains("/src/");
        if in_source && text.contains("target_os") {
            assert!(path.contains("platform"), "{path} asks for the platform");
        }
    }
}

#[test]
fn no_file_is_long_without_a_reason() {
    let reasons: BTreeMap<_, _> = LONG.into_iter().collect();
    for (path, text) in sources("", &["rs", "ts", "tsx", "mjs", "css", "sh", "sql"]) {
        let lines = text.lines().count();
        assert!(
            lines <= LONGEST || reasons.contains_key(path.as_str()),
            "{path} has {lines} lines: split it, or say in LONG why not"
        );
    }
}

#[test]
fn modules_have_names_that_say_something() {
    for path in files() {
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let source = [".rs", ".ts", ".tsx"].iter().any(|end| name.ends_with(end));
        assert!(!source || !["mod", "utils", "util", "common", "helpers", "misc"].contains(&stem), "{path}");
    }
}

#[test]
fn nothing_names_this_machine() {
    let root = root();
    let home = std::env::var("HOME").unwrap_or_default();
    // An absolute path begins after anything but a letter, a digit or what else a longer path would have there.
    let names = |text: &str, folder: &str| {
        text.match_indices(folder).any(|(at, _)| {
            let before = text[..at].chars().next_back().unwrap_or(' ');
            !(before.is_alphanumeric() || "._-~}$".contains(before))
        })
    };
    let checkout = root.to_str().unwrap();
    for (path, text) in sources("", &[]) {
        assert!(!names(&text, checkout), "{path} names {checkout}");
        let home = format!("{home}/");
        assert!(home.len() < 3 || !names(&text, &home), "{path} names {home}");
    }
}

#[test]
fn no_package_registry_is_named_outside_of_cargo_s_lock() {
    // In two parts, so that this file does not name one.
    let registries = [["npm", "js"], ["py", "pi"], ["crates", ".io"], ["deb", "ian"]];
    for (path, text) in sources("", &[]) {
        if path.ends_with("Cargo.lock") {
            continue;
        }
        for address in text.split("://").skip(1) {
            let host = address.split(['/', '"', ' ', '\n', ')']).next().unwrap_or_default();
            let named = registries.iter().any(|parts| host.contains(&parts.concat()));
            assert!(!named, "{path} names {host}");
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    for (path, text) in sources("", &["md"]) {
        for target in links(&text) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let linked =
                if file.is_empty() { root().join(&path) } else { root().join(&path).parent().unwrap().join(file) };
            assert!(linked.exists(), "{path} links to {target}");
            if !anchor.is_empty() && linked.extension().is_some_and(|end| end == "md") {
                let anchors: Vec<_> =
                    headings(&fs::read_to_string(&linked).unwrap()).map(|(_, title)| slug(title)).collect();
                assert!(anchors.contains(&anchor.to_owned()), "{path} links to {target}");
            }
        }
    }
}

#[test]
fn documents_that_comments_name_are_there() {
    for (path, text) in sources("", &["rs", "ts", "tsx"]) {
        // The benchmark writes one.
        if path.starts_with("tests/") {
            continue;
        }
        for name in text.split(|char: char| !(char.is_alphanumeric() || "/-_.".contains(char))) {
            let is_document = name.starts_with("docs/") && name.ends_with(".md");
            assert!(!is_document || root().join(name).exists(), "{path} names {name}");
        }
    }
}

#[test]
fn tests_that_documents_name_are_there() {
    let tests: String = sources("", &["rs", "ts", "tsx"]).into_iter().map(|(_, text)| text).collect();
    // Between two marks stands every second piece.
    fn marked(row: &str, mark: char) -> impl Iterator<Item = &str> {
        row.split(mark).skip(1).step_by(2)
    }
    for document in ["docs/checklist.md", "docs/cases.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        for row in text.lines().filter(|line| line.starts_with("| ")) {
            for name in marked(row, '`').filter(|name| name.matches('_').count() > 2) {
                assert!(tests.contains(&format!("fn {name}(")), "{document}: there is no test {name}");
            }
            for name in marked(row, '*') {
                assert!(tests.contains(&format!("(\"{name}\"")), "{document}: there is no test {name}");
            }
        }
    }
}

#[test]
fn every_document_can_be_reached_from_the_readme() {
    let mut reached = BTreeSet::new();
    let mut open = vec![root().join("README.md")];
    while let Some(document) = open.pop() {
        if !reached.insert(document.clone()) {
            continue;
        }
        for target in links(&fs::read_to_string(&document).unwrap()) {
            let file = target.split('#').next().unwrap_or_default();
            let linked = document.parent().unwrap().join(file).canonicalize();
            open.extend(linked.ok().filter(|path| path.extension().is_some_and(|end| end == "md")));
        }
    }
    for (path, _) in sources("docs/", &["md"]) {
        assert!(reached.contains(&root().join(&path)), "nothing leads to {path}");
    }
}

#[test]
fn the_guide_says_the_same_in_both_languages() {
    let pages = |language: &str| -> BTreeMap<String, Vec<usize>> {
        let folder = format!("docs/guide/{language}/");
        sources(&folder, &["md"])
            .into_iter()
            .map(|(path, text)| {
                let name = path.trim_start_matches(&folder).to_owned();
                (name, headings(&text).map(|(level, _)| level).collect())
            })
            .collect()
    };
    assert!(!pages("en").is_empty());
    assert_eq!(pages("en"), pages("zh"));
}

fn root() -> PathBuf {
    let server = Path::new(env!("CARGO_MANIFEST_DIR"));
    server.parent().unwrap().to_owned()
}

/// Every crate of the workspace with the names of all that it depends on directly.
fn crates() -> Vec<(String, BTreeSet<String>)> {
    let output = run(env!("CARGO"), &["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: serde_json::Value = serde_json::from_str(&output).unwrap();
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap().to_owned();
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap();
            (name(package), dependencies.iter().map(name).collect())
        })
        .collect()
}

/// Paths of all files that are or would be committed.
fn files() -> Vec<String> {
    let list = run("git", &["ls-files", "--cached", "--others", "--exclude-standard"]);
    list.lines().map(str::to_owned).collect()
}

/// Path and text of the files below a folder with one of these extensions; of all text files where none is given.
fn sources(folder: &str, extensions: &[&str]) -> Vec<(String, String)> {
    files()
        .into_iter()
        .filter(|path| path.starts_with(folder))
        .filter(|path| {
            let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
            extensions.is_empty() || extensions.contains(&extension)
        })
        // A file that is gone but still in the index, or that is no text, is none of ours.
        .filter_map(|path| {
            let text = fs::read_to_string(root().join(&path)).ok()?;
            Some((path, text))
        })
        .collect()
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Targets of Markdown links to other places in the tree.
fn links(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| {
        line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()).filter(|target| !target.contains(':'))
    })
}

/// Level and title of every heading.
fn headings(text: &str) -> impl Iterator<Item = (usize, &str)> {
    prose(text).filter_map(|line| {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        (level > 0 && title.starts_with(' ')).then(|| (level, title.trim()))
    })
}

/// Lines outside of fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The anchor that a heading gets.
fn slug(title: &str) -> String {
    title
        .to_lowercase()
        .chars()
        .filter(|char| char.is_alphanumeric() || " -_".contains(*char))
        .map(|char| if char == ' ' { '-' } else { char })
        .collect()
}
