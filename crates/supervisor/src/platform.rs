//! What differs between systems.

use std::path::Path;

/// The operating system as npm's platform packages call it.
#[cfg(target_os = "macos")]
pub(crate) const NPM_OS: &str = "darwin";

/// The operating system as npm's platform packages call it.
#[cfg(not(target_os = "macos"))]
pub(crate) const NPM_OS: &str = "linux";

/// The processor as npm's platform packages call it.
pub(crate) const NPM_ARCH: &str = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };

/// Bytes that this user may still write where `path` is, or will be.
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|above| above.exists())?;
    let seen = nix::sys::statvfs::statvfs(there).ok()?;
    #[expect(clippy::useless_conversion, reason = "the types of statvfs differ between systems")]
    let free = u64::from(seen.blocks_available()).saturating_mul(u64::from(seen.fragment_size()));
    Some(free)
}
