//! Vite's manifest, as far as the shell needs it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// What the shell names in its head. Paths are relative to the root of the page, without a leading slash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The module that starts the page.
    pub script: String,
    /// Style sheets of the entry and of all that it imports statically, in order.
    pub css: Vec<String>,
    /// What the entry imports statically, to be preloaded; the entry itself is not among them.
    pub modulepreloads: Vec<String>,
}

/// One chunk in `.vite/manifest.json`, <https://vite.dev/guide/backend-integration>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    file: String,
    #[serde(default)]
    is_entry: bool,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    css: Vec<String>,
}

impl Manifest {
    /// Reads Vite's manifest. `None` where it is none or has no entry.
    pub(crate) fn parse(json: &[u8]) -> Option<Self> {
        let chunks: BTreeMap<String, Chunk> = serde_json::from_slice(json).ok()?;
        let (key, entry) = chunks.iter().find(|(_, chunk)| chunk.is_entry)?;
        let mut manifest = Self { script: entry.file.clone(), ..Self::default() };
        manifest.add(&chunks, key, &mut BTreeSet::new());
        Some(manifest)
    }

    /// Adds the chunk of that key after what it imports, as Vite orders style sheets.
    fn add<'a>(&mut self, chunks: &'a BTreeMap<String, Chunk>, key: &'a str, seen: &mut BTreeSet<&'a str>) {
        let Some(chunk) = chunks.get(key).filter(|_| seen.insert(key)) else {
            return;
        };
        for import in &chunk.imports {
            self.add(chunks, import, seen);
        }
        for css in &chunk.css {
            if !self.css.contains(css) {
                self.css.push(css.clone());
            }
        }
        if chunk.file != self.script {
            self.modulepreloads.push(chunk.file.clone());
        }
    }
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
                "imports": ["_shared-1.js", "_vendor-2.js"], "dynamicImports": ["src/lazy.ts"],
                "css": ["assets/index-3.css", "assets/shared-1.css"]},
            "src/lazy.ts": {"file": "assets/lazy-4.js", "isDynamicEntry": true, "css": ["assets/lazy-4.css"]}
        }"#;
        assert_eq!(
            Manifest::parse(json),
            Some(Manifest {
                script: "assets/index-3.js".into(),
                css: vec!["assets/shared-1.css".into(), "assets/index-3.css".into()],
                modulepreloads: vec!["assets/vendor-2.js".into(), "assets/shared-1.js".into()],
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
