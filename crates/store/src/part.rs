//! Parts: reading them whole, writing them as they change.

use drover_domain::event::{PartAppend, PartUpsert};
use drover_domain::{Event, MessageId, Part, TaskId};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{StoreError, blob};

/// A part's row before its text is put together.
struct Row {
    id: i64,
    idx: i64,
    kind: String,
    body: String,
    open_seq: Option<i64>,
}

/// The parts of a message as they are now, those that still grow included.
pub(crate) async fn of_message(conn: &mut SqliteConnection, message: MessageId) -> Result<Vec<Part>, StoreError> {
    let id = message.to_string();
    let rows = sqlx::query_as!(
        Row,
        r#"select id as "id!", idx, kind, body, open_seq from parts where message_id = ? order by idx"#,
        id
    )
    .fetch_all(&mut *conn)
    .await?;
    let mut parts = Vec::with_capacity(rows.len());
    for row in rows {
        parts.push(whole(conn, message, row).await?);
    }
    Ok(parts)
}

async fn whole(conn: &mut SqliteConnection, message: MessageId, row: Row) -> Result<Part, StoreError> {
    if !matches!(row.kind.as_str(), "text" | "thought") {
        return Ok(serde_json::from_str(&row.body)?);
    }
    let mut text = row.body;
    let pieces = sqlx::query_scalar!("select text from part_pieces where part_id = ? order by n", row.id)
        .fetch_all(&mut *conn)
        .await?;
    for piece in pieces {
        text.push_str(&piece);
    }
    if let Some(open_seq) = row.open_seq {
        text.push_str(&appended(conn, message, row.idx, open_seq).await?);
    }
    Ok(if row.kind == "thought" { Part::Thought { text } } else { Part::Text { text } })
}

/// What was appended to a part after a number of the feed.
pub(crate) async fn appended(
    conn: &mut SqliteConnection,
    message: MessageId,
    index: i64,
    after: i64,
) -> Result<String, StoreError> {
    let id = message.to_string();
    let rows = sqlx::query_scalar!(
        "select data from feed where seq > ? and kind = 'part.append'
         and task_id = (select task_id from messages where id = ?) order by seq",
        after,
        id
    )
    .fetch_all(conn)
    .await?;
    let mut text = String::new();
    for row in rows {
        let append: PartAppend = serde_json::from_str(&row)?;
        if append.message_id == message && append.index == index {
            text.push_str(&append.text);
        }
    }
    Ok(text)
}

/// Writes a part in its place, new or changed, with its blobs and its event. Returns its row's id and the event's number.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    task_id: TaskId,
    (message_id, index): (MessageId, i64),
    part: Part,
    grows: bool,
) -> Result<(i64, i64), StoreError> {
    let (part, new_blobs) = match part {
        Part::ToolCall(call) => {
            let (call, blobs) = drover_domain::blob::cut(&call);
            (Part::ToolCall(call), blobs)
        }
        other => (other, Vec::new()),
    };
    let id = message_id.to_string();
    let kind = kind(&part);
    let body = match part.streamed() {
        Some(text) => text.to_owned(),
        None => serde_json::to_string(&part)?,
    };
    // A growing part's appends begin behind the event that shows it.
    let open_seq = grows.then(|| tx.head() + 1);
    let part_id = sqlx::query_scalar!(
        r#"insert into parts (message_id, idx, kind, body, open_seq) values (?, ?, ?, ?, ?)
           on conflict (message_id, idx) do update set kind = excluded.kind, body = excluded.body, open_seq = excluded.open_seq
           returning id as "id!""#,
        id,
        index,
        kind,
        body,
        open_seq
    )
    .fetch_one(tx.conn())
    .await?;
    blob::replace(tx, part_id, &part, new_blobs).await?;
    let seq = tx.emit(&Event::PartUpsert(PartUpsert { task_id, message_id, index, part })).await?;
    Ok((part_id, seq))
}

/// How many parts a message has.
pub(crate) async fn count(conn: &mut SqliteConnection, message: MessageId) -> Result<i64, StoreError> {
    let id = message.to_string();
    let count =
        sqlx::query_scalar!(r#"select coalesce(max(idx) + 1, 0) as "n!: i64" from parts where message_id = ?"#, id);
    Ok(count.fetch_one(conn).await?)
}

const fn kind(part: &Part) -> &'static str {
    match part {
        Part::Text { .. } => "text",
        Part::Thought { .. } => "thought",
        Part::ToolCall(_) => "tool_call",
        Part::Plan { .. } => "plan",
        Part::Image(_) => "image",
        Part::File(_) => "file",
        Part::Error { .. } => "error",
        Part::Unknown { .. } => "unknown",
    }
}
