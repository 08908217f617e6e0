//! The event stream: straight from the feed by its numbers. Live, late, resumed and restarted readers are one code path.

mod connections;
mod cursor;
mod frame;
mod reader;

pub(crate) use connections::{Connections, Filter};
pub(crate) use cursor::Start;
#[cfg(test)]
pub(crate) use reader::Pace;
pub(crate) use reader::{PACE, stream};
