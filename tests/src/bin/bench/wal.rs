//! Commits, counted in the write-ahead log itself (<https://sqlite.org/fileformat2.html#the_write_ahead_log>).

use std::{fs, io, path::Path};

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// What a write-ahead log holds since its last start from the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wal {
    /// Frames, one a page that was written.
    pub(crate) frames: u64,
    /// Frames that end a transaction.
    pub(crate) commits: u64,
}

impl Wal {
    /// Reads the log beside a database file. A frame counts when it carries the log's present salt.
    pub(crate) fn read(database: &Path) -> io::Result<Self> {
        let mut path = database.as_os_str().to_owned();
        path.push("-wal");
        Ok(Self::parse(&fs::read(path)?))
    }

    fn parse(log: &[u8]) -> Self {
        let number = |at: usize| {
            log.get(at..at + 4).map_or(0, |bytes| bytes.iter().fold(0_u32, |all, byte| all << 8 | u32::from(*byte)))
        };
        let page = number(8) as usize;
        let mut found = Self { frames: 0, commits: 0 };
        let mut at = HEADER;
        while page > 0 && log.len() >= at + FRAME_HEADER + page && log[at + 8..at + 16] == log[16..24] {
            found.frames += 1;
            found.commits += u64::from(number(at + 4) != 0);
            at += FRAME_HEADER + page;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Wal;

    #[test]
    fn only_whole_frames_of_the_present_generation_count() {
        let mut log = vec![0_u8; 32];
        log[8..12].copy_from_slice(&512_u32.to_be_bytes());
        log[16..24].copy_from_slice(b"saltsalt");
        let frame = |salt: &[u8], size_after: u32| {
            [&1_u32.to_be_bytes()[..], &size_after.to_be_bytes(), salt, &[0; 8], &[0; 512]].concat()
        };
        for (salt, size_after) in [(b"saltsalt", 0), (b"saltsalt", 2), (b"saltsalt", 3), (b"old-salt", 4)] {
            log.extend(frame(salt, size_after));
        }
        assert_eq!(Wal::parse(&log), Wal { frames: 3, commits: 2 });
        assert_eq!(Wal::parse(&log[..32 + 700]), Wal { frames: 1, commits: 0 });
        assert_eq!(Wal::parse(&[]), Wal { frames: 0, commits: 0 });
    }
}
