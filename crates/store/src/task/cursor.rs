//! Where a page of tasks ends.

use std::fmt;
use std::str::FromStr;

use drover_domain::TaskId;

/// The last task of a page: the next page begins behind it. As text `<milliseconds of its activity>-<its id>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskCursor {
    /// Milliseconds of its last activity.
    pub(super) at: i64,
    pub(super) id: TaskId,
}

impl fmt::Display for TaskCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at, self.id)
    }
}

impl FromStr for TaskCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        let (at, id) = text.split_once('-').ok_or(NotACursor)?;
        Ok(Self { at: at.parse().map_err(|_| NotACursor)?, id: id.parse().map_err(|_| NotACursor)? })
    }
}

/// A text that no page of tasks gave as its `next`.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not the `next` of a page")]
pub struct NotACursor;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_what_it_writes_and_nothing_else() {
        let text = "1796083200000-01JAZZZZZZZZZZZZZZZZZZZZZZ";
        assert_eq!(text.parse::<TaskCursor>().map(|cursor| cursor.to_string()), Ok(text.to_owned()));
        for text in ["", "abc", "5", "5-", "-01JAZZZZZZZZZZZZZZZZZZZZZZ", "x-01JAZZZZZZZZZZZZZZZZZZZZZZ", "5-x"] {
            assert_eq!(text.parse::<TaskCursor>(), Err(NotACursor), "{text}");
        }
    }
}
