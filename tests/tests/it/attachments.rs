//! Pictures and files on their way to an agent.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use drover_tests::harness::{Call, Drover, agent, message_text, nonce};
use serde_json::{Value, json};

const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";

/// Uploads the pixel; gives the attachment's id.
async fn pixel(drover: &Drover) -> String {
    let bytes = STANDARD.decode(PIXEL).expect("base64");
    let file = drover.call(Call::new("POST", "/attachments?name=pixel.png").body("image/png", bytes)).await.is(201);
    file["id"].as_str().expect("an id").to_owned()
}

/// Sends a text with a picture and gives the answer's message.
async fn look(drover: &Drover, task: &str, agent: &str, text: &str) -> Value {
    let body = json!({"nonce": nonce(), "agent": agent, "text": text, "attachments": [pixel(drover).await]});
    let sent = drover.post(&format!("/tasks/{task}/messages"), &body).await.is(202);
    drover.ended(task, sent["assistant_message_id"].as_str().expect("an id")).await
}

/// The last prompt that an agent got, block by block.
fn blocks(drover: &Drover, agent: &str) -> Vec<Value> {
    let prompt = drover.received(agent, "session/prompt").pop().expect("a prompt");
    prompt["params"]["prompt"].as_array().expect("blocks").clone()
}

fn kinds(blocks: &[Value]) -> Vec<&str> {
    blocks.iter().filter_map(|block| block["type"].as_str()).collect()
}

#[tokio::test]
async fn a_picture_is_one_for_an_agent_that_takes_it_and_a_file_for_one_that_does_not() {
    let drover = Drover::with_agents([agent("plain").env("AGENT_CAPS", "load"), agent("sees")]).await;
    let task = drover.task().await;
    look(&drover, &task, "plain", "!text look").await;
    let given = blocks(&drover, "plain");
    assert_eq!((kinds(&given), &given[0]["text"]), (vec!["text", "resource_link"], &json!("!text look")));
    let path = given[1]["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file");
    assert_eq!(STANDARD.encode(std::fs::read(path).expect("it is there")), PIXEL);

    let other = drover.task().await;
    look(&drover, &other, "sees", "!text look").await;
    let given = blocks(&drover, "sees");
    assert_eq!(kinds(&given), ["text", "image"]);
    assert_eq!((&given[1]["mimeType"], &given[1]["data"]), (&json!("image/png"), &json!(PIXEL)));
    look(&drover, &other, "sees", "").await;
    assert_eq!(kinds(&blocks(&drover, "sees")), ["image"], "a picture alone is a message");

    let sent = drover.send_to(&other, "plain", "!text and now?").await;
    drover.ended(&other, &sent.assistant_message_id).await;
    let given = blocks(&drover, "plain");
    assert_eq!(kinds(&given), ["text", "resource_link", "resource_link", "text"], "{given:?}");
    assert!(given[0]["text"].as_str().is_some_and(|handoff| handoff.contains("pixel.png")), "{given:?}");
}

#[tokio::test]
async fn a_picture_that_an_agent_refuses_does_not_go_along_again() {
    let drover = Drover::start().await;
    let task = drover.task().await;
    let refusal = json!({"code": -32603, "message": "image exceeds the maximum"});
    let failed = look(&drover, &task, "alpha", &format!("!fail {refusal}")).await;
    assert!(failed["status"] == "error" && failed.to_string().contains("exceeds the maximum"), "{failed}");
    assert_eq!(message_text(&drover.turn(&task, "!text without picture").await), "without picture");
    assert_eq!(kinds(&blocks(&drover, "alpha")), ["text"]);
    let chat = drover.chat(&task).await;
    let first = chat["messages"][0]["id"].as_str().expect("an id");
    let edit = json!({"nonce": nonce(), "text": "!text only words", "attachments": []});
    let edited = drover.post(&format!("/messages/{first}/edit"), &edit).await.is(202);
    drover.ended(&task, edited["assistant_message_id"].as_str().expect("an id")).await;
    assert_eq!(kinds(&blocks(&drover, "alpha")), ["text"], "edited, it goes without");
}

#[tokio::test]
async fn a_file_is_what_its_bytes_say_whatever_its_name() {
    let drover = Drover::start().await;
    let upload = async |name: &str, kind: &str, bytes: Vec<u8>| {
        drover.call(Call::new("POST", &format!("/attachments?name={name}")).body(kind, bytes)).await.is(201)
    };
    let text = upload("b.png", "image/png", b"just words".to_vec()).await;
    assert_ne!(text["mime_type"], "image/png", "{text}");
    let empty = upload("a.png", "image/png", Vec::new()).await;
    assert_eq!(empty["size"], 0, "{empty}");
    let task = drover.task().await;
    let body =
        json!({"nonce": nonce(), "agent": "alpha", "text": "!text see", "attachments": [text["id"], empty["id"]]});
    let sent = drover.post(&format!("/tasks/{task}/messages"), &body).await.is(202);
    drover.ended(&task, sent["assistant_message_id"].as_str().expect("an id")).await;
    assert_eq!(kinds(&blocks(&drover, "alpha")), ["text", "resource", "resource"], "neither is a picture");
}

#[tokio::test]
async fn files_and_sound_are_contents_for_an_agent_that_takes_them_and_links_for_one_that_does_not() {
    let all = agent("all").env("AGENT_CAPS", "load,image,audio");
    let drover = Drover::with_agents([all, agent("few").env("AGENT_CAPS", "load,image,links")]).await;
    let mut wave = b"RIFF\x24\0\0\0WAVEfmt ".to_vec();
    wave.resize(44, 0);
    let files = [
        ("notes.md", "text/markdown", "# Größe\n".as_bytes().to_vec()),
        ("tone.wav", "audio/wav", wave.clone()),
        ("data.bin", "application/octet-stream", vec![0, 159, 146, 150]),
        ("long.txt", "text/plain", vec![b'x'; 64 * 1024 + 1]),
    ];
    let mut ids = Vec::new();
    for (name, kind, bytes) in files {
        let file = drover.call(Call::new("POST", &format!("/attachments?name={name}")).body(kind, bytes)).await;
        ids.push(file.is(201)["id"].clone());
    }
    for (agent, expected) in [
        ("all", ["text", "resource", "audio", "resource_link", "resource_link"]),
        ("few", ["text", "resource_link", "resource_link", "resource_link", "resource_link"]),
    ] {
        let task = drover.task().await;
        let body = json!({"nonce": nonce(), "agent": agent, "text": "!text see", "attachments": ids});
        let sent = drover.post(&format!("/tasks/{task}/messages"), &body).await.is(202);
        drover.ended(&task, sent["assistant_message_id"].as_str().expect("an id")).await;
        assert_eq!(kinds(&blocks(&drover, agent)), expected, "{agent}");
    }
    let given = blocks(&drover, "all");
    let resource = &given[1]["resource"];
    assert_eq!(resource["text"], "# Größe\n");
    assert!(resource["uri"].as_str().is_some_and(|uri| uri.starts_with("file:///")), "{resource}");
    assert_eq!((&given[2]["mimeType"], &given[2]["data"]), (&json!("audio/wav"), &json!(STANDARD.encode(wave))));
}
