//! The daemon as a process: its directory, its lock, its files, its sockets, its log.

pub(crate) mod browser;
pub(crate) mod data_dir;
pub(crate) mod info;
pub(crate) mod listen;
pub(crate) mod lock;
pub(crate) mod log;
pub(crate) mod platform;
pub(crate) mod private;
pub(crate) mod signals;
pub(crate) mod spawn;
pub(crate) mod token;
