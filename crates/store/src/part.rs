//! Parts: reading them whole, writing them as they change.

use std::collections::HashMap;

use drover_domain::event::{PartAppend, PartUpsert};
use drover_domain::{Event, MessageId, Part, TaskId};
use sqlx::SqliteConnection;

use crate::writer::Tx;
use crate::{StoreError, blob};

/// A part's row before its text is put together.
struct Row {
    id: i64,
    message_id: String,
    idx: i64,
    kind: String,
    body: String,
    open_seq: Option<i64>,
}

/// The parts of a message as they are now, those that still grow included.
pub(crate) async fn of_message(conn: &mut SqliteConnection, message: MessageId) -> Result<Vec<Part>, StoreError> {
    Ok(of_messages(conn, &[message]).await?.remove(&message).unwrap_or_default())
}

/// The parts of messages as they are now, by message; one without parts is missing.
pub(crate) async fn of_messages(
    conn: &mut SqliteConnection,
    messages: &[MessageId],
) -> Result<HashMap<MessageId, Vec<Part>>, StoreError> {
    let ids = serde_json::to_string(messages)?;
    let rows = sqlx::query_as!(
        Row,
        r#"select id as "id!", message_id, idx, kind, body, open_seq from parts
           where message_id in (select value from json_each(?)) order by message_id, idx"#,
        ids
    );
    let rows = rows.fetch_all(&mut *conn).await?;
    let mut pieces = pieces(conn, &ids).await?;
    let mut parts: HashMap<MessageId, Vec<Part>> = HashMap::with_capacity(messages.len());
    for row in rows {
        let message = row.message_id.parse()?;
        let further = pieces.remove(&row.id).unwrap_or_default();
        parts.entry(message).or_default().push(whole(conn, message, row, &further).await?);
    }
    Ok(parts)
}

/// The further pieces of the texts of messages, by part, joined.
async fn pieces(conn: &mut SqliteConnection, messages: &str) -> Result<HashMap<i64, String>, StoreError> {
    let rows = sqlx::query!(
        "select part_id, text from part_pieces
         where part_id in (select id from parts where message_id in (select value from json_each(?))) order by part_id, n",
        messages
    );
    let mut pieces: HashMap<i64, String> = HashMap::new();
    for row in rows.fetch_all(conn).await? {
        pieces.entry(row.part_id).or_default().push_str(&row.text);
    }
    Ok(pieces)
}

async fn whole(conn: &mut SqliteConnection, message: MessageId, row: Row, further: &str) -> Result<Part, StoreError> {
    if !matches!(row.kind.as_str(), "text" | "thought") {
        return Ok(serde_json::from_str(&row.body)?);
    }
    let mut text = row.body;
    text.push_str(further);
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
            let (call, blobs) = blob::cut(&call, tx.blob_cap());
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
    if part.streamed().is_some() {
        // The pieces of a text that stood here before are not of this one.
        sqlx::query!("delete from part_pieces where part_id = ?", part_id).execute(tx.conn()).await?;
    }
    use_attachment(tx, message_id, &part).await?;
    blob::replace(tx, part_id, &part, new_blobs).await?;
    let seq = tx.emit(&Event::PartUpsert(PartUpsert { task_id, message_id, index, part })).await?;
    Ok((part_id, seq))
}

/// An attachment that a part shows is in use.
async fn use_attachment(tx: &mut Tx<'_>, message: MessageId, part: &Part) -> Result<(), StoreError> {
    let (Part::Image(file) | Part::File(file)) = part else { return Ok(()) };
    let Some(attachment) = file.attachment_id.map(|id| id.to_string()) else { return Ok(()) };
    let message = message.to_string();
    sqlx::query!(
        "insert or ignore into attachment_uses (message_id, attachment_id) select ?, id from attachments where id = ?",
        message,
        attachment
    )
    .execute(tx.conn())
    .await?;
    Ok(())
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
        Part::Plan(_) => "plan",
        Part::Image(_) => "image",
        Part::File(_) => "file",
        Part::Error { .. } => "error",
        Part::Notice(_) => "notice",
        Part::Compaction(_) => "compaction",
        Part::Unknown { .. } => "unknown",
    }
}
