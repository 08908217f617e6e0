//! Finding a project's files by a few letters of their names. Blocks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;
use std::time::{Duration, Instant};

use ignore::WalkBuilder;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// How long a search goes on; what was found until then is answered.
const TIME: Duration = Duration::from_secs(2);

/// How good a find is: its score, then the shorter path, then the alphabet.
type Rank = (u32, Reverse<usize>, Reverse<String>);

/// Paths of files below `top`, relative to it, best first, at most `limit`. What git would ignore is left out, as are names that are
/// not UTF-8.
pub(crate) fn find(top: &Path, query: &str, limit: usize) -> Vec<String> {
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
    let deadline = Instant::now() + TIME;
    let mut best: BinaryHeap<Reverse<Rank>> = BinaryHeap::with_capacity(limit + 1);
    let mut letters = Vec::new();
    for path in files(top) {
        if let Some(score) = pattern.score(Utf32Str::new(&path, &mut letters), &mut matcher) {
            best.push(Reverse((score, Reverse(path.len()), Reverse(path))));
            if best.len() > limit {
                best.pop();
            }
        }
        if Instant::now() > deadline {
            break;
        }
    }
    let best = best.into_sorted_vec();
    best.into_iter().map(|Reverse((_, _, Reverse(path)))| path).collect()
}

fn files(top: &Path) -> impl Iterator<Item = String> {
    WalkBuilder::new(top)
        .hidden(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build()
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(move |entry| Some(entry.path().strip_prefix(top).ok()?.to_str()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_found_by_letters_and_ignored_ones_are_not() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["src/main.rs", "src/guard/host.rs", ".github/ci.yml", "target/main.rs", ".git/config", "häuser.md"]
        {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(dir.path().join(".gitignore"), "target/\n").unwrap();
        let found = |query, limit| find(dir.path(), query, limit);
        assert_eq!(found("mainrs", 10), ["src/main.rs"]);
        assert_eq!(found("ghost", 10), ["src/guard/host.rs"]);
        assert_eq!(found("hauser", 10), ["häuser.md"]);
        assert_eq!(found("config", 10), [""; 0]);
        assert_eq!(found("", 10), [".gitignore", "häuser.md", "src/main.rs", ".github/ci.yml", "src/guard/host.rs"]);
        assert_eq!(found("", 2).len(), 2);
    }
}
