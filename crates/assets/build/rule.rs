//! The rule: `web/dist` is built again when the content of its inputs differs from what it was built from, and only then.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::inputs::{file_hash, stamp};
use crate::node::{self, Failure};

/// Files below `dist` that get a time of 1970, so that cargo does not find them newer than the run that wrote them.
pub(crate) const DATED: [&str; 2] = [".stamp", "index.html"];

/// The page of a build without a page.
const NO_UI: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Drover</title>\n\
    <h1>Drover was built without its page</h1>\n\
    <p>The API works. For the page, build again with Node.js on the PATH and without <code>WEB_BUILD=skip</code>.</p>\n";

/// What the rule did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// `dist` was up to date.
    Fresh,
    /// `dist` was built.
    Built,
    /// `WEB_BUILD=skip`: a page that says so stands in for the real one.
    Skipped,
}

impl Outcome {
    /// What the person who builds should know.
    pub(crate) fn warning(self) -> Option<&'static str> {
        match self {
            Self::Fresh | Self::Built => None,
            Self::Skipped => Some("WEB_BUILD=skip: this build has no web UI, only the API"),
        }
    }
}

/// Makes `web/dist` the page built from the present inputs. `tools` is the PATH that Node.js is looked for on; `skip` puts
/// a page that says so in place of a stale one, without a stamp, so that the next build repairs it.
///
/// # Errors
///
/// [`Failure`], whose text tells what to do.
pub(crate) fn bring_up_to_date(web: &Path, tools: &OsStr, skip: bool) -> Result<Outcome, Failure> {
    if is_fresh(web)? {
        return Ok(Outcome::Fresh);
    }
    if skip {
        let lock = lock(web)?;
        write_no_ui(web)?;
        drop(lock);
        return Ok(Outcome::Skipped);
    }

    node::check(tools)?;
    let lock = lock(web)?;
    // Another cargo, of another target folder, may have built while this one waited.
    if is_fresh(web)? {
        return Ok(Outcome::Fresh);
    }
    let stamp = at(web, stamp)?;
    install(web, tools)?;
    node::npm(tools, web, &["run", "build"])?;
    if !web.join("dist/index.html").is_file() {
        return Err(Failure::NoPage);
    }
    let file = web.join("dist/.stamp");
    write(&file, &stamp)?;
    for name in DATED {
        let path = web.join("dist").join(name);
        at(&path, |path| File::options().write(true).open(path)?.set_modified(SystemTime::UNIX_EPOCH))?;
    }
    drop(lock);
    Ok(Outcome::Built)
}

/// Whether `dist` holds a page that was built from the present inputs.
fn is_fresh(web: &Path) -> Result<bool, Failure> {
    let stored = fs::read_to_string(web.join("dist/.stamp")).unwrap_or_default();
    if stored.is_empty() || !web.join("dist/index.html").is_file() {
        return Ok(false);
    }
    Ok(stored == at(web, stamp)?)
}

/// `npm ci`, unless `node_modules` came from this very lock file.
fn install(web: &Path, tools: &OsStr) -> Result<(), Failure> {
    let wanted = at(&web.join("package-lock.json"), file_hash)?;
    let file = web.join("node_modules/.lock-stamp");
    if fs::read_to_string(&file).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let arguments = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
    node::npm(tools, web, &arguments)?;
    at(&web.join("node_modules"), |path| fs::create_dir_all(path))?;
    write(&file, &wanted)
}

fn write_no_ui(web: &Path) -> Result<(), Failure> {
    let dist = web.join("dist");
    at(&dist, |dist| {
        if dist.exists() {
            fs::remove_dir_all(dist)?;
        }
        fs::create_dir_all(dist)
    })?;
    write(&dist.join("index.html"), NO_UI)
}

/// Waits until no other build has it; released when dropped.
fn lock(web: &Path) -> Result<File, Failure> {
    at(&web.join(".build.lock"), |path| {
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        file.lock()?;
        Ok(file)
    })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    at(path, |path| fs::write(path, text))
}

/// Names the file that an I/O error is about.
fn at<T>(path: &Path, action: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, Failure> {
    action(path).map_err(|error| Failure::File { path: path.to_owned(), error })
}
