//! Text that still grows: it lives in its feed appends and is folded into its part in pieces, so that nothing that grows is rewritten.

use std::collections::HashMap;

use drover_domain::event::PartAppend;
use drover_domain::{Event, MessageId, Part, TaskId};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{StoreError, message, part};

/// Appended text is folded into a piece of its own once there is this much of it …
const PIECE: usize = 64 * 1024;
/// … or once the feed has grown by this many entries, which bounds what a snapshot has to read.
const PIECE_ENTRIES: i64 = 4096;

/// The parts that still grow, by message and index.
#[derive(Default)]
pub(crate) struct OpenTexts {
    open: HashMap<(MessageId, i64), OpenText>,
}

#[derive(Debug, Clone)]
struct OpenText {
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

/// The length of a text in UTF-16 units: what a browser calls its length.
pub(crate) fn utf16_len(text: &str) -> i64 {
    text.chars().map(|c| c.len_utf16() as i64).sum()
}

impl OpenTexts {
    /// Begins to follow a part that was just written with its first text.
    pub(crate) fn begin(&mut self, message: MessageId, index: i64, part_id: i64, text: &str, open_seq: i64) {
        let open = OpenText { part_id, units: utf16_len(text), tail: String::new(), open_seq, piece: 0 };
        self.open.insert((message, index), open);
    }

    /// Whether a part still grows.
    pub(crate) fn is_open(&self, message: MessageId, index: i64) -> bool {
        self.open.contains_key(&(message, index))
    }

    /// Begins to follow a text or thought part of a message in a chat again. `false`: there is none.
    pub(crate) async fn reopen(&mut self, tx: &mut Tx<'_>, at: (MessageId, i64)) -> Result<bool, StoreError> {
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
        let open =
            OpenText { part_id: row.id, units: utf16_len(whole), tail: String::new(), open_seq, piece: row.piece };
        self.open.insert(at, open);
        Ok(true)
    }

    /// Adds text at the end of a part: one feed row.
    pub(crate) async fn append(
        &mut self,
        tx: &mut Tx<'_>,
        task_id: TaskId,
        (message_id, index): (MessageId, i64),
        text: String,
    ) -> Result<(), StoreError> {
        let Some(open) = self.open.get_mut(&(message_id, index)) else {
            return Ok(());
        };
        let at = open.units;
        open.units += utf16_len(&text);
        open.tail.push_str(&text);
        let head = tx.emit(&Event::PartAppend(PartAppend { task_id, message_id, index, at, text })).await?;
        if open.tail.len() >= PIECE || head - open.open_seq > PIECE_ENTRIES {
            fold(tx, open, Some(head)).await?;
        }
        Ok(())
    }

    /// Ends the growth of a part.
    pub(crate) async fn close(&mut self, tx: &mut Tx<'_>, message: MessageId, index: i64) -> Result<(), StoreError> {
        match self.open.get_mut(&(message, index)) {
            Some(open) => {
                fold(tx, open, None).await?;
                self.open.remove(&(message, index));
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Ends the growth of every part of a message.
    pub(crate) async fn close_all(&mut self, tx: &mut Tx<'_>, message: MessageId) -> Result<(), StoreError> {
        let indexes: Vec<i64> = self.open.keys().filter(|(id, _)| *id == message).map(|(_, index)| *index).collect();
        for index in indexes {
            self.close(tx, message, index).await?;
        }
        Ok(())
    }

    /// A copy to go back to when a transaction fails.
    pub(crate) fn save(&self) -> Self {
        Self { open: self.open.clone() }
    }
}

/// Writes the tail as a piece. `open_seq` is where the part goes on growing; `None`: it does not.
async fn fold(tx: &mut Tx<'_>, open: &mut OpenText, open_seq: Option<i64>) -> Result<(), StoreError> {
    add_piece(tx.conn(), open.part_id, open.piece, &open.tail).await?;
    sqlx::query!("update parts set open_seq = ? where id = ?", open_seq, open.part_id).execute(tx.conn()).await?;
    open.piece += i64::from(!open.tail.is_empty());
    open.tail = String::new();
    open.open_seq = open_seq.unwrap_or(open.open_seq);
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
