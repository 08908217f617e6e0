//! What differs between systems.

use std::io;
use std::path::{Path, PathBuf};

/// Where data directories are by default, below the home directory.
#[cfg(not(target_os = "macos"))]
pub(crate) fn data_home(home: &Path) -> PathBuf {
    home.join(".local/share")
}

/// Where data directories are by default, below the home directory.
#[cfg(target_os = "macos")]
pub(crate) fn data_home(home: &Path) -> PathBuf {
    home.join("Library/Application Support")
}

/// The program that shows a file in the user's browser.
#[cfg(not(target_os = "macos"))]
pub(crate) const OPENER: &str = "xdg-open";

/// The program that shows a file in the user's browser.
#[cfg(target_os = "macos")]
pub(crate) const OPENER: &str = "open";

/// Whether this session can show windows.
#[cfg(not(target_os = "macos"))]
pub(crate) fn has_display() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Whether this session can show windows.
#[cfg(target_os = "macos")]
pub(crate) fn has_display() -> bool {
    true
}

/// This very program, even after its file was replaced by another version.
#[cfg(target_os = "linux")]
pub(crate) fn own_binary() -> io::Result<PathBuf> {
    let own = Path::new("/proc/self/exe");
    if own.exists() { Ok(own.to_owned()) } else { std::env::current_exe() }
}

/// This program's file.
#[cfg(not(target_os = "linux"))]
pub(crate) fn own_binary() -> io::Result<PathBuf> {
    std::env::current_exe()
}
