use drover_domain::{MessageId, Part};
use drover_store::Fact;
use serde_json::json;

use crate::harness::{Bed, Under, tool};

fn output(n: u8, size: usize) -> String {
    // Does not compress to nothing, and differs by `n`.
    (0..size).map(|i| char::from(b'a' + ((i * i / 7 + i + usize::from(n)) % 26) as u8)).collect()
}

async fn put(bed: &Bed, under: Under, message_id: MessageId, index: i64, part: Part) {
    let task = bed.store.message(message_id).await.unwrap().unwrap().head.task_id;
    let fact = Fact::PartOpened { message_id, index, part, grows: false };
    bed.write(task, under, vec![fact]).await.unwrap();
}

async fn reference(bed: &Bed, message: MessageId, index: usize) -> (String, usize) {
    let part = bed.store.message(message).await.unwrap().unwrap().parts.remove(index);
    let Part::ToolCall(call) = part else { panic!("no call") };
    let blob = call.raw_output.unwrap()["$blob"].clone();
    assert!(blob["preview"].as_str().unwrap().len() <= 2048);
    (blob["sha256"].as_str().unwrap().to_owned(), blob["size"].as_u64().unwrap() as usize)
}

fn files(bed: &Bed) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(bed.dir().join("blobs")) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[tokio::test]
async fn what_is_large_is_a_row_up_to_a_mebibyte_and_a_file_above() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    for (index, size) in [16 * 1024 + 1, 1 << 20, (1 << 20) + 1, 3 << 20].into_iter().enumerate() {
        let text = output(index as u8, size);
        put(&bed, under, message, index as i64, tool("t", text.clone().into())).await;
        let (sha256, told) = reference(&bed, message, index).await;
        assert_eq!(told, size);
        assert!(bed.store.blob(&sha256).await.unwrap().unwrap() == text.into_bytes(), "{size}");
        assert_eq!(files(&bed).contains(&sha256), size > 1 << 20);
    }
    put(&bed, under, message, 4, tool("t", output(0, 16 * 1024).into())).await;
    assert_eq!(bed.number("select count(*) from blobs").await, 4, "what is just small enough stays in the part");
    assert_eq!(bed.store.blob("0").await.unwrap(), None);
    let killed = bed.killed().await;
    assert_eq!(killed.number("select count(*) from blobs").await, 4);
}

#[tokio::test]
async fn a_blob_lives_as_long_as_its_last_user() {
    let bed = Bed::new().await;
    let (task, other) = (bed.task().await, bed.task().await);
    let (sent, under) = bed.running(task, "x").await;
    let (there, under_there) = bed.running(other, "y").await;
    let large = output(1, 2 << 20);
    put(&bed, under, sent.assistant_message_id, 0, tool("t", large.clone().into())).await;
    put(&bed, under, sent.assistant_message_id, 1, tool("u", json!({ "same": large.clone() }))).await;
    put(&bed, under_there, there.assistant_message_id, 0, tool("t", large.into())).await;
    let (sha256, _) = reference(&bed, sent.assistant_message_id, 0).await;
    assert_eq!(bed.number("select count(*) from blobs").await, 1, "the same bytes are kept once");
    for (run, under, task) in [(sent.run_id, under, task), (there.run_id, under_there, other)] {
        assert!(bed.store.blob(&sha256).await.unwrap().is_some());
        bed.store.cancel_run(run, bed.now()).await.unwrap();
        bed.write(task, under, vec![crate::harness::end(drover_domain::Outcome::Cancelled)]).await.unwrap();
        bed.store.delete_task(task, bed.now()).await.unwrap();
        bed.store.sweep().await.unwrap();
    }
    assert_eq!(bed.store.blob(&sha256).await.unwrap(), None);
    assert_eq!(bed.number("select count(*) from blobs").await, 0);
    assert_eq!(files(&bed), Vec::<String>::new());
}

#[tokio::test]
async fn of_the_running_value_of_a_call_only_the_latest_is_kept() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    for n in 0..10 {
        put(&bed, under, message, 0, tool("t", output(n, 20_000).into())).await;
    }
    let (sha256, _) = reference(&bed, message, 0).await;
    assert!(bed.store.blob(&sha256).await.unwrap().unwrap() == output(9, 20_000).into_bytes());
    assert_eq!(bed.number("select count(*) from blobs").await, 1);
    put(&bed, under, message, 0, tool("t", "small again".into())).await;
    assert_eq!(bed.number("select count(*) from blobs").await, 0);
}

#[tokio::test]
async fn a_file_that_no_row_names_is_swept_and_others_stay() {
    let bed = Bed::new().await;
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    put(&bed, under, sent.assistant_message_id, 0, tool("t", output(0, 2 << 20).into())).await;
    let (sha256, _) = reference(&bed, sent.assistant_message_id, 0).await;
    for left in ["f".repeat(64), format!("{sha256}.part")] {
        std::fs::write(bed.dir().join("blobs").join(left), "left by a crash").unwrap();
    }
    bed.store.sweep().await.unwrap();
    assert_eq!(files(&bed), [sha256]);
}

#[tokio::test]
async fn of_what_is_over_the_cap_the_beginning_is_kept_and_says_so() {
    let bed = Bed::new().await;
    bed.store.cap_blobs(100_000);
    let task = bed.task().await;
    let (sent, under) = bed.running(task, "x").await;
    let message = sent.assistant_message_id;
    let text = "é".repeat(100_000);
    put(&bed, under, message, 0, tool("t", json!({ "a": text, "b": [text], "c": "short" }))).await;
    put(&bed, under, message, 1, tool("u", output(0, 100_000).into())).await;
    let part = bed.store.message(message).await.unwrap().unwrap().parts.remove(0);
    let Part::ToolCall(call) = part else { panic!("no call") };
    let value = call.raw_output.unwrap();
    assert_eq!(value["c"], "short");
    assert_eq!(value["a"], value["b"][0]);
    let bytes = bed.store.blob(value["a"]["$blob"]["sha256"].as_str().unwrap()).await.unwrap().unwrap();
    let kept = String::from_utf8(bytes).unwrap();
    assert_eq!(kept.len() as u64, value["a"]["$blob"]["size"].as_u64().unwrap());
    assert_eq!(kept, format!("{}\n[Drover kept the first 100000 of 200000 bytes]\n", &text[..100_000]));
    let (sha256, size) = reference(&bed, message, 1).await;
    assert_eq!((size, bed.store.blob(&sha256).await.unwrap().unwrap().len()), (100_000, 100_000));
    assert_eq!(bed.number("select count(*) from blob_uses").await, bed.number("select count(*) from blobs").await);
}
