//! Open connections: what each one carries, and how to end it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use drover_domain::{BrowserId, TaskId};
use tokio_util::sync::CancellationToken;

/// Whose content events a connection carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Filter {
    /// Those of all tasks.
    All,
    /// Only those of these.
    Tasks(HashSet<String>),
}

impl Filter {
    /// Those of some tasks; of all, where none is named.
    pub(crate) fn of(tasks: Option<Vec<TaskId>>) -> Self {
        tasks.map_or(Self::All, |tasks| Self::Tasks(tasks.iter().map(ToString::to_string).collect()))
    }

    /// Whether an event of the feed passes: small state events always do.
    pub(crate) fn passes(&self, content_of: Option<&str>) -> bool {
        match (self, content_of) {
            (Self::All, _) | (_, None) => true,
            (Self::Tasks(tasks), Some(task)) => tasks.contains(task),
        }
    }
}

/// All open connections, by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connections(Arc<Mutex<HashMap<String, Entry>>>);

#[derive(Debug)]
struct Entry {
    filter: Arc<Mutex<Filter>>,
    browser: Option<BrowserId>,
    end: CancellationToken,
}

/// One open connection; leaves the list when it is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) name: String,
    filter: Arc<Mutex<Filter>>,
    pub(crate) end: CancellationToken,
    all: Connections,
}

impl Connections {
    pub(crate) fn open(&self, name: String, filter: Filter, browser: Option<BrowserId>) -> Connection {
        let filter = Arc::new(Mutex::new(filter));
        let end = CancellationToken::new();
        let entry = Entry { filter: Arc::clone(&filter), browser, end: end.clone() };
        self.lock().insert(name.clone(), entry);
        Connection { name, filter, end, all: self.clone() }
    }

    /// Changes what a connection carries; `false` where there is no such one.
    ///
    /// Every event that is committed after this returns passes or not by the new filter: a reader asks for the filter only after
    /// it has read events, so those that the old one judged were committed before.
    pub(crate) fn narrow(&self, name: &str, filter: Filter) -> bool {
        let all = self.lock();
        let Some(entry) = all.get(name) else {
            return false;
        };
        *entry.filter.lock().unwrap_or_else(PoisonError::into_inner) = filter;
        true
    }

    /// Ends the connections of a browser.
    pub(crate) fn end_of(&self, browser: BrowserId) {
        for entry in self.lock().values() {
            if entry.browser == Some(browser) {
                entry.end.cancel();
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// What it carries now. To be asked for after the events that it is to judge were read.
    pub(crate) fn filter(&self) -> Filter {
        let filter = self.filter.lock().unwrap_or_else(PoisonError::into_inner);
        filter.clone()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.lock().remove(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(text: &str) -> TaskId {
        text.parse().unwrap()
    }

    const ONE: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const TWO: &str = "01BX5ZZKBKACTAV9WEVGEMMVRZ";

    #[test]
    fn state_events_always_pass_and_content_by_its_task() {
        let filter = Filter::of(Some(vec![task(ONE)]));
        assert!(filter.passes(None) && filter.passes(Some(ONE)) && !filter.passes(Some(TWO)));
        assert!(Filter::of(None).passes(Some(TWO)));
        assert!(!Filter::of(Some(vec![])).passes(Some(ONE)));
    }

    #[test]
    fn a_connection_can_be_changed_until_it_is_dropped() {
        let all = Connections::default();
        let one = all.open("a".into(), Filter::All, None);
        assert!(all.narrow("a", Filter::of(Some(vec![task(TWO)]))));
        assert_eq!(one.filter(), Filter::of(Some(vec![task(TWO)])));
        drop(one);
        assert!(!all.narrow("a", Filter::All));
    }

    #[test]
    fn a_revoked_browser_loses_its_connections_only() {
        let all = Connections::default();
        let browser: BrowserId = ONE.parse().unwrap();
        let other: BrowserId = TWO.parse().unwrap();
        let mine = all.open("a".into(), Filter::All, Some(browser));
        let others = all.open("b".into(), Filter::All, Some(other));
        let program = all.open("c".into(), Filter::All, None);
        all.end_of(browser);
        assert!(mine.end.is_cancelled());
        assert!(!others.end.is_cancelled() && !program.end.is_cancelled());
    }
}
