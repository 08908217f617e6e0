//! Every schema ever released has a small database here that today's program opens. The newest is also what queries are checked
//! against when `.sqlx` is written (see sqlx.sh).

use std::path::{Path, PathBuf};

use drover_domain::{Attachment, AttachmentId, Outcome, Part};
use drover_store::{Fact, SCHEMA_VERSION, Store};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{ConnectOptions, Connection, Executor, SqliteConnection};
use ulid::Ulid;

use crate::harness::{Bed, append, end, grows, options, tool};

fn path(version: i64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/schema-{version:04}.db"))
}

async fn schema(conn: &mut SqliteConnection) -> Vec<(String, Option<String>)> {
    sqlx::query_as("select name, sql from sqlite_schema order by name").fetch_all(conn).await.unwrap()
}

async fn write(version: i64) {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let attachment = Attachment {
        id: AttachmentId::from_ulid(Ulid::from(9_u128)),
        name: "notes.txt".into(),
        mime_type: "text/plain".into(),
        size: 3,
        sha256: "0".repeat(64),
    };
    bed.store.add_attachment(&attachment, bed.now()).await.unwrap();
    let mut send = bed.message(task, "n", "Hello, 世界");
    send.attachments.push(attachment.id);
    let sent = bed.store.send_message(send).await.unwrap();
    let under = Some((sent.run_id, bed.start(task, sent.run_id).await.fence));
    let message = sent.assistant_message_id;
    bed.write(task, under, vec![Fact::Sending { blocks: "[]".into(), handoff: None }]).await.unwrap();
    bed.write(task, under, vec![Fact::OnWire]).await.unwrap();
    bed.write(task, under, vec![grows(message, 0, "Good "), append(message, 0, "day")]).await.unwrap();
    let part = tool("t", "x".repeat(20_000).into());
    bed.write(task, under, vec![Fact::PartOpened { message_id: message, index: 1, part, grows: false }]).await.unwrap();
    bed.write(task, under, vec![end(Outcome::Done)]).await.unwrap();
    bed.send(task, "and then?").await;
    bed.store.close().await.unwrap();
    let copy = bed.left_by_a_kill();
    let mut conn = SqliteConnectOptions::new()
        .filename(copy.path().join("drover.db"))
        .journal_mode(SqliteJournalMode::Delete)
        .connect()
        .await
        .unwrap();
    conn.execute("pragma page_size = 1024; vacuum").await.unwrap();
    conn.close().await.unwrap();
    std::fs::create_dir_all(path(version).parent().unwrap()).unwrap();
    std::fs::copy(copy.path().join("drover.db"), path(version)).unwrap();
}

/// `DROVER_WRITE_FIXTURES=1` writes the one of today's schema anew; those of released versions are never touched.
#[tokio::test]
async fn the_newest_fixture_has_todays_schema() {
    if std::env::var_os("DROVER_WRITE_FIXTURES").is_some() {
        write(SCHEMA_VERSION).await;
    }
    let bed = Bed::new().await;
    let today = schema(&mut crate::harness::connect(bed.dir()).await).await;
    let fixture = SqliteConnectOptions::new().filename(path(SCHEMA_VERSION)).immutable(true).read_only(true);
    assert_eq!(schema(&mut fixture.connect().await.unwrap()).await, today);
}

#[tokio::test]
async fn a_database_of_every_released_schema_is_opened_with_all_it_holds() {
    for version in 1..=SCHEMA_VERSION {
        let dir = tempfile::tempdir().unwrap();
        std::fs::copy(path(version), dir.path().join("drover.db")).unwrap();
        let store = Store::open(options(dir.path(), crate::harness::NEW_YEAR)).await.unwrap();
        store.recover(drover_domain::Timestamp::from_millis(crate::harness::NEW_YEAR)).await.unwrap();
        let tasks = store.tasks(drover_store::TaskFilter { limit: 9, ..Default::default() }).await.unwrap().tasks;
        assert_eq!(tasks.len(), 1);
        let task = tasks[0].id;
        let chat = store.chat(task, None, 50).await.unwrap().unwrap();
        assert_eq!(chat.messages.len(), 4);
        assert_eq!(chat.messages[0].parts[0], Part::Text { text: "Hello, 世界".into() });
        assert_eq!(chat.messages[1].parts[0], Part::Text { text: "Good day".into() });
        let copies = dir.path().join(format!("drover.db.v{version}.bak"));
        assert_eq!(copies.exists(), version < SCHEMA_VERSION, "what is upgraded is copied before");
        let mut conn = crate::harness::connect(dir.path()).await;
        let check: String = sqlx::query_scalar("pragma integrity_check").fetch_one(&mut conn).await.unwrap();
        assert_eq!(check, "ok");
    }
}
