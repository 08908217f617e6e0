//! What the user's own git says of a directory. It reads and writes nothing: no lock, no index refresh, no hook, no file
//! system monitor. Every call has an end in time and in size.

mod command;
mod since;
mod status;

pub use command::GitError;
pub use since::{Commit, Since, since};
pub use status::{Change, ChangeKind};
