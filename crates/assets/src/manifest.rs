//! Vite's manifest, as far as the shell needs it.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use serde::Deserialize;

/// What the shell names in its head. Paths are relative to the root of the page, without a leading slash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The module that starts the page.
    pub script: String,
    /// Style sheets of the entry and of all that it imports, in order.
    pub css: Vec<String>,
    /// What the entry imports, be it once it runs, to be preloaded; the entry itself is not among them.
    pub modulepreloads: Vec<String>,
    /// What each module that is loaded later needs beside that, by the path of its source.
    pub views: BTreeMap<String, Vec<String>>,
}

/// One chunk in `.vite/manifest.json`, <https://vite.dev/guide/backend-integration>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    file: String,
    #[serde(default)]
    is_entry: bool,
    #[serde(default)]
    is_dynamic_entry: bool,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    dynamic_imports: Vec<String>,
    #[serde(default)]
    css: Vec<String>,
}

impl Manifest {
    /// Reads Vite's manifest. `None` where it is none or has no entry.
    pub(crate) fn parse(json: &[u8]) -> Option<Self> {
        let chunks: BTreeMap<String, Chunk> = serde_json::from_slice(json).ok()?;
        let (key, entry) = chunks.iter().find(|(_, chunk)| chunk.is_entry)?;
        let mut manifest = Self { script: entry.file.clone(), ..Self::default() };
        let mut initial = BTreeSet::new();
        let rest: Vec<&str> = entry.dynamic_imports.iter().map(String::as_str).collect();
        for chunk in iter::once(key.as_str()).chain(rest).flat_map(|key| with_imports(&chunks, key, &mut initial)) {
            for css in &chunk.css {
                if !manifest.css.contains(css) {
                    manifest.css.push(css.clone());
                }
            }
            if chunk.file != manifest.script {
                manifest.modulepreloads.push(chunk.file.clone());
            }
        }
        for (key, _) in chunks.iter().filter(|(_, chunk)| chunk.is_dynamic_entry) {
            let needed = with_imports(&chunks, key, &mut initial.clone());
            manifest.views.insert(key.clone(), needed.iter().map(|chunk| chunk.file.clone()).collect());
        }
        Some(manifest)
    }
}

/// The chunk of that key after what it imports, as Vite orders style sheets; without those `seen` before.
fn with_imports<'a>(chunks: &'a BTreeMap<String, Chunk>, key: &'a str, seen: &mut BTreeSet<&'a str>) -> Vec<&'a Chunk> {
    let Some(chunk) = chunks.get(key).filter(|_| seen.insert(key)) else {
        return Vec::new();
    };
    let mut found: Vec<&Chunk> = Vec::new();
    for import in &chunk.imports {
        found.extend(with_imports(chunks, import, seen));
    }
    found.push(chunk);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_its_script_its_styles_and_what_it_imports() {
        let json = br#"{
            "_shared-1.js": {"file": "assets/shared-1.js", "css": ["assets/shared-1.css"], "imports": ["_vendor-2.js"]},
            "_vendor-2.js": {"file": "assets/vendor-2.js", "imports": ["_shared-1.js"]},
            "index.html": {"file": "assets/index-3.js", "src": "index.html", "isEntry": true,
                "imports": ["_shared-1.js", "_vendor-2.js"], "dynamicImports": ["src/rest.ts"],
                "css": ["assets/index-3.css", "assets/shared-1.css"]},
            "src/rest.ts": {"file": "assets/rest-5.js", "isDynamicEntry": true, "imports": ["_vendor-2.js"],
                "dynamicImports": ["src/lazy.ts"], "css": ["assets/rest-5.css"]},
            "src/lazy.ts": {"file": "assets/lazy-4.js", "isDynamicEntry": true, "css": ["assets/lazy-4.css"],
                "imports": ["_shared-1.js", "_part-6.js"]},
            "_part-6.js": {"file": "assets/part-6.js"}
        }"#;
        assert_eq!(
            Manifest::parse(json),
            Some(Manifest {
                script: "assets/index-3.js".into(),
                css: vec!["assets/shared-1.css".into(), "assets/index-3.css".into(), "assets/rest-5.css".into()],
                modulepreloads: vec![
                    "assets/vendor-2.js".into(),
                    "assets/shared-1.js".into(),
                    "assets/rest-5.js".into()
                ],
                views: [
                    ("src/lazy.ts".to_owned(), vec!["assets/part-6.js".to_owned(), "assets/lazy-4.js".to_owned()]),
                    ("src/rest.ts".to_owned(), vec![]),
                ]
                .into(),
            })
        );
    }

    #[test]
    fn what_is_no_manifest_is_no_page() {
        for json in ["", "[]", "{}", r#"{"a": {"file": "a.js"}}"#] {
            assert_eq!(Manifest::parse(json.as_bytes()), None, "{json}");
        }
    }
}
