//! What differs between systems.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Makes sure that a file exists, that it can be written, and that only its owner can read and write it (0600).
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    let file: File = OpenOptions::new().create(true).append(true).mode(0o600).open(path)?;
    if file.metadata()?.permissions().mode() & 0o777 != 0o600 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(())
}

/// The name of the network file system that a directory is on, if it is on one.
#[cfg(target_os = "linux")]
pub(crate) fn network_file_system(dir: &Path) -> Option<&'static str> {
    #[expect(clippy::unnecessary_cast, reason = "its type differs between C libraries")]
    network_kind(statfs(dir)?.f_type as i64 & 0xffff_ffff)
}

/// The network file system with this magic number of statfs(2).
#[cfg(target_os = "linux")]
const fn network_kind(magic: i64) -> Option<&'static str> {
    match magic {
        0x6969 => Some("NFS"),
        0x517b => Some("SMB"),
        0xff53_4d42 => Some("CIFS"),
        0xfe53_4d42 => Some("SMB2"),
        0x5346_414f | 0x6b41_4653 => Some("AFS"),
        0x00c3_6400 => Some("Ceph"),
        0x0102_1997 => Some("9P"),
        0x7375_7245 => Some("Coda"),
        0x564c => Some("NCP"),
        0x0bd0_0bd0 => Some("Lustre"),
        0x4750_4653 => Some("GPFS"),
        0x7461_636f => Some("OCFS2"),
        0x0116_1970 => Some("GFS2"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn network_file_systems_are_told_from_local_ones() {
        for (magic, name) in [(0x6969, "NFS"), (0xff53_4d42, "CIFS"), (0xfe53_4d42, "SMB2"), (0x0102_1997, "9P")] {
            assert_eq!(network_kind(magic), Some(name));
        }
        // ext4, tmpfs, btrfs, xfs, overlayfs
        for magic in [0xef53, 0x0102_1994, 0x9123_683e, 0x5846_5342, 0x794c_7630] {
            assert_eq!(network_kind(magic), None);
        }
    }

    #[test]
    fn a_local_directory_is_one_and_a_missing_one_is_no_network() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(network_file_system(dir.path()), None);
        assert_eq!(network_file_system(&dir.path().join("missing")), None);
    }

    #[test]
    fn a_file_is_made_private_and_keeps_what_it_holds() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, "kept").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        make_private(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept");
    }
}
