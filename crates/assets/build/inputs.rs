//! What the page is built from, and the hash that says whether it was built from just that.

use std::path::{Path, PathBuf};
use std::{fs, io};

use sha2::{Digest, Sha256};

/// Files and folders of `web/` whose content decides the page.
pub(crate) const INPUTS: [&str; 7] =
    ["src", "public", "index.html", "package.json", "package-lock.json", "vite.config.ts", "tsconfig.json"];

/// SHA-256, in hex, over the sorted relative paths and the bytes of every input. Times play no part: a checkout changes them.
///
/// # Errors
///
/// Whatever reading the inputs gives. An input that does not exist is no error.
pub(crate) fn stamp(web: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for name in INPUTS {
        collect(&web.join(name), name, &mut files)?;
    }
    files.sort();

    let mut hash = Sha256::new();
    for (name, path) in files {
        let bytes = fs::read(path)?;
        // Lengths keep "ab" + "c" and "a" + "bc" apart.
        for field in [name.as_bytes(), &bytes] {
            hash.update((field.len() as u64).to_le_bytes());
            hash.update(field);
        }
    }
    Ok(hex(hash))
}

/// SHA-256, in hex, of one file; the empty file where there is none.
pub(crate) fn file_hash(path: &Path) -> io::Result<String> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read?,
    };
    Ok(hex(Sha256::new_with_prefix(bytes)))
}

fn collect(path: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let below = format!("{name}/{}", entry.file_name().to_string_lossy());
            collect(&entry.path(), &below, files)?;
        }
    } else if path.is_file() {
        files.push((name.to_owned(), path.to_owned()));
    }
    Ok(())
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
