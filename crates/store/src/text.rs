//! Text that still grows: it lives in its feed appends and is folded into its part in pieces, so that nothing that grows is rewritten.

use std::collections::HashMap;
use std::mem;

use drover_domain::event::PartAppend;
use drover_domain::{Event, MessageId, Part, TaskId};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{StoreError, message, part};

/// Appended text is folded into a piece of its own once there is this much of it …
const PIECE: usize = 64 * 1024;
/// … or once the feed has grown by this many entries, which bounds what a snapshot has to read and lets the feed be pruned.
const PIECE_ENTRIES: i64 = 4096;

/// A message and the index of one of its parts.
pub(crate) type Place = (MessageId, i64);

/// The parts that still grow. What a transaction changes here is noted, so that it can be taken back with it.
#[derive(Default)]
pub(crate) struct OpenTexts {
    open: HashMap<Place, OpenText>,
    undo: Vec<Undo>,
}

#[derive(Debug, PartialEq)]
struct OpenText {
    task_id: TaskId,
    part_id: i64,
    /// The length so far in UTF-16 units.
    units: i64,
    /// What was appended since the last fold.
    tail: String,
    /// The feed number after which `tail` was appended.
    open_seq: i64,
    /// The number of the next piece.
    piece: i64,
}

/// One step back.
enum Undo {
    /// What stood at a place.
    Was(Place, Option<OpenText>),
    /// How long a text and its tail were.
    Grew(Place, i64, usize),
}

/// The length of a text in UTF-16 units: what a browser calls its length.
fn utf16_len(text: &str) -> i64 {
    text.chars().map(|c| c.len_utf16() as i64).sum()
}

impl OpenTexts {
    /// Whether a part still grows.
    pub(crate) fn is_open(&self, at: Place) -> bool {
        self.open.contains_key(&at)
    }

    /// Makes what was changed final.
    pub(crate) fn keep(&mut self) {
        self.undo.clear();
    }

    /// How much was changed so far: a point to go back to.
    pub(crate) fn changes(&self) -> usize {
        self.undo.len()
    }

    /// Takes back what was changed since a point.
    pub(crate) fn back_to(&mut self, changes: usize) {
        for step in self.undo.drain(changes..).rev() {
            match step {
                Undo::Was(at, Some(text)) => {
                    self.open.insert(at, text);
                }
                Undo::Was(at, None) => {
                    self.open.remove(&at);
                }
                Undo::Grew(at, units, tail) => {
                    if let Some(open) = self.open.get_mut(&at) {
                        open.units = units;
                        open.tail.truncate(tail);
                    }
                }
            }
        }
    }

    /// Adds to a text; its length before.
    fn grow(&mut self, at: Place, text: &str) -> Option<i64> {
        let open = self.open.get_mut(&at)?;
        let units = open.units;
        self.undo.push(Undo::Grew(at, units, open.tail.len()));
        open.units += utf16_len(text);
        open.tail.push_str(text);
        Some(units)
    }

    fn set(&mut self, at: Place, text: Option<OpenText>) {
        let before = match text {
            Some(text) => self.open.insert(at, text),
            None => self.open.remove(&at),
        };
        self.undo.push(Undo::Was(at, before));
    }

    fn places(&self, wanted: impl Fn(&Place, &OpenText) -> bool) -> Vec<Place> {
        self.open.iter().filter(|(at, open)| wanted(at, open)).map(|(at, _)| *at).collect()
    }

    /// Follows the texts of a task no more: it is gone.
    pub(crate) fn forget_task(&mut self, task: TaskId) {
        for at in self.places(|_, open| open.task_id == task) {
            self.set(at, None);
        }
    }

    /// Follows a part no more, if it did: it has another value.
    pub(crate) fn forget(&mut self, at: Place) {
        if self.is_open(at) {
            self.set(at, None);
        }
    }

    /// Begins to follow a part that was just written with its first text by the event `open_seq`.
    pub(crate) fn begin(&mut self, task_id: TaskId, at: Place, part_id: i64, text: &str, open_seq: i64) {
        let units = utf16_len(text);
        self.set(at, Some(OpenText { task_id, part_id, units, tail: String::new(), open_seq, piece: 0 }));
    }
}

/// Begins to follow a text or thought part of a message in a chat again. `false`: there is none.
pub(crate) async fn reopen(tx: &mut Tx<'_>, task_id: TaskId, at: Place) -> Result<bool, StoreError> {
    if message::find(tx.conn(), at.0).await?.is_none() {
        return Ok(false);
    }
    let parts = part::of_message(tx.conn(), at.0).await?;
    let whole = usize::try_from(at.1).ok().and_then(|index| parts.get(index)).and_then(Part::streamed);
    let Some(whole) = whole else { return Ok(false) };
    let (id, open_seq) = (at.0.to_string(), tx.head());
    let row = sqlx::query!(
        r#"update parts set open_seq = ?1 where message_id = ?2 and idx = ?3 returning id as "id!",
             (select coalesce(max(n) + 1, 0) from part_pieces where part_id = parts.id) as "piece!: i64""#,
        open_seq,
        id,
        at.1
    )
    .fetch_one(tx.conn())
    .await?;
    let (units, piece) = (utf16_len(whole), row.piece);
    tx.texts().set(at, Some(OpenText { task_id, part_id: row.id, units, tail: String::new(), open_seq, piece }));
    Ok(true)
}

/// Adds text at the end of a part that grows: one feed row.
pub(crate) async fn append(tx: &mut Tx<'_>, task_id: TaskId, at: Place, text: String) -> Result<(), StoreError> {
    let Some(units) = tx.texts().grow(at, &text) else { return Ok(()) };
    let (message_id, index) = at;
    let head = tx.emit(&Event::PartAppend(PartAppend { task_id, message_id, index, at: units, text })).await?;
    if tx.texts().open.get(&at).is_some_and(|open| open.tail.len() >= PIECE) {
        fold(tx, at, Some(head)).await?;
    }
    Ok(())
}

/// Ends the growth of a part.
pub(crate) async fn close(tx: &mut Tx<'_>, at: Place) -> Result<(), StoreError> {
    fold(tx, at, None).await
}

/// Ends the growth of every part of a message.
pub(crate) async fn close_all(tx: &mut Tx<'_>, message: MessageId) -> Result<(), StoreError> {
    for at in tx.texts().places(|at, _| at.0 == message) {
        close(tx, at).await?;
    }
    Ok(())
}

/// Folds the texts whose appends the feed has left far behind.
pub(crate) async fn fold_distant(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let head = tx.head();
    for at in tx.texts().places(|_, open| head - open.open_seq > PIECE_ENTRIES) {
        fold(tx, at, Some(head)).await?;
    }
    Ok(())
}

/// Writes the tail of a text as a piece. `open_seq` is where the part goes on growing; `None`: it does not.
async fn fold(tx: &mut Tx<'_>, at: Place, open_seq: Option<i64>) -> Result<(), StoreError> {
    let Some(open) = tx.texts().open.get_mut(&at) else { return Ok(()) };
    let tail = mem::take(&mut open.tail);
    let (part_id, n) = (open.part_id, open.piece);
    let written = write_piece(tx.conn(), part_id, n, &tail, open_seq).await;
    let texts = tx.texts();
    let grown = i64::from(!tail.is_empty());
    if let Some(open) = texts.open.get_mut(&at) {
        open.tail = tail;
    }
    // What stood there is noted whole, with its tail, also where the writing failed.
    let after = texts.open.get(&at).zip(open_seq).map(|(open, open_seq)| OpenText {
        tail: String::new(),
        open_seq,
        piece: open.piece + grown,
        ..*open
    });
    texts.set(at, after);
    written
}

async fn write_piece(
    conn: &mut SqliteConnection,
    part_id: i64,
    n: i64,
    text: &str,
    open_seq: Option<i64>,
) -> Result<(), StoreError> {
    add_piece(conn, part_id, n, text).await?;
    sqlx::query!("update parts set open_seq = ? where id = ?", open_seq, part_id).execute(conn).await?;
    Ok(())
}

/// Adds a piece behind the others of a part.
pub(crate) async fn add_piece(conn: &mut SqliteConnection, part_id: i64, n: i64, text: &str) -> Result<(), StoreError> {
    if !text.is_empty() {
        sqlx::query!("insert into part_pieces (part_id, n, text) values (?, ?, ?)", part_id, n, text)
            .execute(conn)
            .await?;
    }
    Ok(())
}
