//! Where the files come from: the binary or, while developing, a folder.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};

use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::{Asset, Manifest, mime};

/// Vite's manifest, below the root of the page.
const MANIFEST: &str = ".vite/manifest.json";

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
#[exclude = "*.gz"]
#[exclude = "*.map"]
#[exclude = ".stamp"]
struct Embedded;

/// A set of files with paths relative to the root of the page.
#[derive(Debug)]
pub(crate) enum Source {
    /// Compiled in.
    Embedded,
    /// Read anew at each call.
    Folder(PathBuf),
}

struct Content {
    bytes: Cow<'static, [u8]>,
    sha256: String,
}

impl Source {
    /// The folder in `DROVER_WEB_DIST` in a debug build, else what is compiled in.
    pub(crate) fn current() -> Self {
        match env::var_os("DROVER_WEB_DIST").filter(|_| cfg!(debug_assertions)) {
            Some(folder) => Self::Folder(folder.into()),
            None => Self::Embedded,
        }
    }

    pub(crate) fn asset(&self, path: &str) -> Option<Asset> {
        if !is_public(path) {
            return None;
        }
        let Content { bytes, sha256 } = self.read(path)?;
        Some(Asset {
            bytes,
            brotli: self.read(&format!("{path}.br")).map(|content| content.bytes),
            sha256,
            mime: mime::of(path),
        })
    }

    pub(crate) fn manifest(&self) -> Option<Manifest> {
        static EMBEDDED: OnceLock<Option<Manifest>> = OnceLock::new();
        let parse = || Manifest::parse(&self.read(MANIFEST)?.bytes);
        match self {
            Self::Embedded => EMBEDDED.get_or_init(parse).clone(),
            Self::Folder(_) => parse(),
        }
    }

    pub(crate) fn build_hash(&self) -> String {
        static EMBEDDED: OnceLock<String> = OnceLock::new();
        match self {
            Self::Embedded => EMBEDDED.get_or_init(|| self.hash()).clone(),
            Self::Folder(_) => self.hash(),
        }
    }

    fn hash(&self) -> String {
        let mut paths = self.paths();
        paths.sort();
        let mut hash = Sha256::new();
        for path in paths {
            let sha256 = self.read(&path).map(|content| content.sha256);
            hash.update(format!("{path} {}\n", sha256.unwrap_or_default()));
        }
        let mut hash = hex(&hash.finalize());
        hash.truncate(16);
        hash
    }

    fn paths(&self) -> Vec<String> {
        match self {
            Self::Embedded => Embedded::iter().map(Cow::into_owned).collect(),
            Self::Folder(folder) => {
                let mut paths = Vec::new();
                walk(folder, "", &mut paths);
                paths
            }
        }
    }

    fn read(&self, path: &str) -> Option<Content> {
        match self {
            Self::Embedded => {
                Embedded::get(path).map(|file| Content { bytes: file.data, sha256: hex(&file.metadata.sha256_hash()) })
            }
            Self::Folder(folder) => {
                let bytes = fs::read(folder.join(path)).ok()?;
                Some(Content { sha256: hex(&Sha256::digest(&bytes)), bytes: bytes.into() })
            }
        }
    }
}

/// Whether a path may be asked for from outside.
fn is_public(path: &str) -> bool {
    let plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains('\\');
    path.split('/').all(plain) && !path.ends_with(".br") && !path.contains('\0')
}

/// A folder that cannot be read is an empty one.
fn walk(folder: &Path, prefix: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &format!("{path}/"), paths);
        } else {
            paths.push(path);
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> (tempfile::TempDir, Source) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [
            ("assets/index-1.js", "start()"),
            ("assets/index-1.js.br", "compressed"),
            ("favicon.svg", "<svg/>"),
            (".stamp", "a stamp"),
            (MANIFEST, r#"{"index.html": {"file": "assets/index-1.js", "isEntry": true}}"#),
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let source = Source::Folder(folder.path().to_owned());
        (folder, source)
    }

    #[test]
    fn a_file_comes_with_its_compressed_form_its_hash_and_its_type() {
        let (_folder, page) = page();
        let script = page.asset("assets/index-1.js").unwrap();
        assert_eq!(
            script,
            Asset {
                bytes: b"start()".into(),
                brotli: Some(b"compressed".into()),
                sha256: hex(&Sha256::digest("start()")),
                mime: "text/javascript; charset=utf-8",
            }
        );
        assert_eq!(page.asset("favicon.svg").unwrap().brotli, None);
    }

    #[test]
    fn only_files_of_the_page_can_be_asked_for() {
        let (folder, page) = page();
        fs::write(folder.path().parent().unwrap().join("secret"), "").unwrap();
        for path in [
            "",
            "assets",
            "assets/",
            "/assets/index-1.js",
            "assets//index-1.js",
            "assets/index-1.js.br",
            "assets/missing.js",
            ".stamp",
            MANIFEST,
            "../secret",
            "assets/../favicon.svg",
            "assets\\index-1.js",
            "favicon.svg\0",
        ] {
            assert_eq!(page.asset(path), None, "{path:?}");
        }
    }

    #[test]
    fn the_hash_of_the_page_changes_with_any_file() {
        let (folder, page) = page();
        let before = page.build_hash();
        assert_eq!(before.len(), 16);
        assert_eq!(page.build_hash(), before);
        fs::write(folder.path().join("favicon.svg"), "<svg></svg>").unwrap();
        assert_ne!(page.build_hash(), before);
    }

    #[test]
    fn a_page_without_a_manifest_is_none() {
        let (folder, page) = page();
        assert_eq!(page.manifest().unwrap().script, "assets/index-1.js");
        fs::remove_file(folder.path().join(MANIFEST)).unwrap();
        assert_eq!(page.manifest(), None);
    }
}
