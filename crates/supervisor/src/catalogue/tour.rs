//! The agent that is built in and needs nothing: this very program, as `drover tour`.

use std::collections::BTreeMap;
use std::path::Path;

use drover_domain::agent::Unasked;
use drover_domain::{AgentId, AgentSource};

use super::entry::{Entry, Places};
use super::file::custom;

const ID: &str = "tour";

/// Its entry. It keeps its sessions in `tour/` in the data directory.
#[expect(clippy::expect_used, reason = "the id is part of the program, and a test reads it")]
pub(super) fn entry(own: &Path, places: &Places) -> Entry {
    let dir = places.data_dir.join(ID);
    let id: AgentId = ID.parse().expect("an agent's id");
    Entry {
        name: "Tour".to_owned(),
        description: Some("Built in and needs no model: shows what Drover can show, and how to go on.".to_owned()),
        source: AgentSource::Builtin,
        args: vec![ID.to_owned()],
        env: BTreeMap::from([("DROVER_TOUR_DIR".to_owned(), dir.display().to_string())]),
        unasked: BTreeMap::from([("act".to_owned(), Unasked::Everything)]),
        ..custom(id, own.display().to_string(), places)
    }
}

/// The same agents with Tour at the end.
pub(super) fn last(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.sort_by_key(|entry| entry.id.as_str() == ID);
    entries
}
