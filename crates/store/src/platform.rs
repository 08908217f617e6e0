//! What differs between systems.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes sure that a file exists and that only its owner can read and write it (0600).
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    let file: File = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))
}

/// The name of the network file system that a directory is on, if it is on one.
#[cfg(target_os = "linux")]
pub(crate) fn network_file_system(dir: &Path) -> Option<&'static str> {
    // Magic numbers of statfs(2).
    match statfs(dir)?.f_type as i64 & 0xffff_ffff {
        0x6969 => Some("NFS"),
        0x517b => Some("SMB"),
        0xff53_4d42 => Some("CIFS"),
        0xfe53_4d42 => Some("SMB2"),
        0x5346_414f => Some("AFS"),
        0x00c3_6400 => Some("Ceph"),
        0x0102_1997 => Some("9P"),
        _ => None,
    }
}

/// The name of the network file system that a directory is on, if it is on one.
#[cfg(target_os = "macos")]
pub(crate) fn network_file_system(dir: &Path) -> Option<&'static str> {
    let flags = statfs(dir)?.f_flags;
    (flags & libc::MNT_LOCAL as u32 == 0).then_some("a network volume")
}

fn statfs(dir: &Path) -> Option<libc::statfs> {
    use std::os::unix::ffi::OsStrExt;

    let path = std::ffi::CString::new(dir.as_os_str().as_bytes()).ok()?;
    // SAFETY: an all-zero statfs is a valid value, and it outlives the call that fills it.
    let mut stat: libc::statfs = unsafe { std::mem::zeroed() };
    // SAFETY: `path` ends in a NUL and `stat` is writable.
    (unsafe { libc::statfs(path.as_ptr(), &raw mut stat) } == 0).then_some(stat)
}
