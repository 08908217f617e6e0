//! The built page, embedded.
//!
//! `build.rs` brings `web/dist` up to date; this crate holds its files and answers for them by path. In a debug build the
//! environment variable `DROVER_WEB_DIST` names a folder to serve from instead, so that `vite build --watch` shows at once.

mod manifest;
mod mime;
mod source;

use std::borrow::Cow;

pub use manifest::Manifest;

use source::Source;

/// One file of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The file as it is.
    pub bytes: Cow<'static, [u8]>,
    /// The same, compressed with brotli, where the build wrote that.
    pub brotli: Option<Cow<'static, [u8]>>,
    /// SHA-256 of `bytes` in lower-case hex: 64 characters, fit for an `ETag`.
    pub sha256: String,
    /// Media type, with the charset for text.
    pub mime: &'static str,
}

/// The file at `path`, relative to the root of the page and without a leading slash: `assets/index-BZ1m9.js`.
///
/// `None` where there is none, for a compressed variant by its own name, and for whatever has a component that begins
/// with a dot: the manifest, the build's stamp, a way out of the folder.
#[must_use]
pub fn get(path: &str) -> Option<Asset> {
    Source::current().asset(path)
}

/// What the shell has to name; empty where the build has no page (see [`has_page`]).
#[must_use]
pub fn manifest() -> Manifest {
    Source::current().manifest().unwrap_or_default()
}

/// Whether there is a page to show. There is none after `WEB_BUILD=skip`.
#[must_use]
pub fn has_page() -> bool {
    Source::current().manifest().is_some()
}

/// A hash of the whole page: 16 characters of hex, another one whenever a file is. The `build` of the `hello` event.
#[must_use]
pub fn build_hash() -> String {
    Source::current().build_hash()
}
