//! File systems with a limit, and directories that cannot be written. Mounting needs root.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// A directory that is not as usual; dropping it makes it usual again.
pub struct Mount {
    path: PathBuf,
    mounted: bool,
}

impl Mount {
    /// A file system of so many bytes in memory; none without the right to mount.
    ///
    /// # Panics
    ///
    /// In CI, where that right is expected.
    pub fn limited(path: &Path, bytes: u64) -> Option<Self> {
        let mounted = mount(path, &format!("size={bytes},mode=700"));
        assert!(mounted || std::env::var_os("CI").is_none(), "CI must be allowed to mount");
        mounted.then(|| Self { path: path.into(), mounted })
    }

    /// A directory that nobody can write.
    ///
    /// # Panics
    ///
    /// When its mode cannot be changed.
    pub fn read_only(path: &Path) -> Self {
        let mounted = mount(path, "ro,mode=700");
        if !mounted {
            fs::set_permissions(path, fs::Permissions::from_mode(0o500)).expect("the directory is ours");
        }
        Self { path: path.into(), mounted }
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        if self.mounted {
            // Lazily: a daemon that is being killed may still hold a file of it.
            drop(Command::new("umount").arg("-l").arg(&self.path).status());
        } else {
            drop(fs::set_permissions(&self.path, fs::Permissions::from_mode(0o700)));
        }
    }
}

fn mount(path: &Path, options: &str) -> bool {
    let output = Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(path).output();
    output.is_ok_and(|output| output.status.success())
}
