//! Sessions and processes: what is brought back, what dies, what comes unasked.

use serde_json::Value;

use super::{
    stage::Stage,
    turns::{has_words, parts},
};
use crate::harness::{LONG, PATIENCE, message_text, process, until};

fn value_of(link: &Value, option: &str) -> Value {
    let options = link["options"].as_array().cloned().unwrap_or_default();
    options.iter().find(|known| known["id"] == option).map(|option| option["currentValue"].clone()).unwrap_or_default()
}

pub(super) async fn options_again(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let (option, value) = stage.agent().option;
    let usual = value_of(&stage.ready(&task).await, option);
    let link = stage.set(&task, option, value).await;
    assert_eq!(value_of(&link, option), value, "{link}");
    stage.turn(&task, "so that there is something to load").await;
    stage.restart().await;
    let again = stage.turn(&task, "and once more").await;
    assert_eq!(again["status"], "done", "{again}");
    let link = stage.link(&task).await;
    assert_eq!(value_of(&link, option), value, "{link}");
    assert_eq!(link["skipped_options"], Value::Array(Vec::new()), "{link}");
    if stage.agent().asking == Some((option, value)) {
        let sent = stage.send(&task, &format!("{} touch again.txt", stage.agent().asked_command)).await;
        let (request, option) = stage.asked(&task, &sent, &["reject_once"]).await.expect("it asks, as it was told");
        stage.drover.choose(&request, option).await.ok();
        stage.end_of(&task, &sent).await;
    }
    // New tasks of the project begin with what was set last.
    stage.set(&task, option, usual.as_str().expect("a value of a list")).await;
    stage.done(&task).await;
    "yes".into()
}

pub(super) async fn loads(stage: &mut Stage) -> String {
    let task = stage.task().await;
    stage.turn(&task, "remember the word pelican").await;
    stage.restart().await;
    stage.model.forget().await;
    let sent = stage.send(&task, "what was the word?").await;
    let message = stage.end_of(&task, &sent).await;
    assert_eq!(message["status"], "done", "{message}");
    let chat = stage.drover.chat(&task).await;
    assert_eq!(chat["messages"].as_array().map(Vec::len), Some(4), "nothing is told twice: {chat}");
    let turns = stage.model.turns().await;
    let asked = turns.iter().find(|turn| turn.text().contains("what was the word?")).expect("a turn");
    assert!(asked.text().contains("remember the word pelican"), "the model has the history");
    let prompt = stage.drover.get(&format!("/runs/{}/prompt", sent.run_id)).await.is(200).to_string();
    stage.done(&task).await;
    if prompt.contains("<handoff") { "no: a new one, told the turns" } else { "yes" }.into()
}

pub(super) async fn killed(stage: &mut Stage) -> String {
    let task = stage.task().await;
    let sent = stage.send(&task, "!slow 30\n!say 150").await;
    let begun = |message: &Value| message_text(message).len() > 20;
    stage.drover.until_message(&task, &sent.assistant_message_id, "some text", LONG, begun).await;
    let daemon = stage.drover.pid();
    let keepers: Vec<u32> = process::table().iter().filter(|row| row.parent == daemon).map(|row| row.pid).collect();
    // All at once: of an agent in several processes the others would answer for the one that is gone.
    let agents: Vec<u32> = keepers.iter().flat_map(|keeper| process::descendants(*keeper)).map(|row| row.pid).collect();
    agents.iter().for_each(|agent| process::signal(*agent, libc::SIGKILL));
    let message = stage.end_of(&task, &sent).await;
    assert_eq!(message["status"], "interrupted", "{message}");
    assert!(!message_text(&message).is_empty(), "{message}");
    process::all_gone(&keepers, LONG).await;
    stage.model.forget().await;
    // Where the session is gone the turn is told, and the model obeys its directives once more.
    let next = stage.turn(&task, "go on, please").await;
    assert_eq!(next["status"], "done", "{next}");
    let turns = stage.model.turns().await;
    let asked = turns.iter().find(|turn| turn.text().contains("go on, please")).expect("a turn");
    assert!(asked.text().contains("!say 150"), "the model knows what was interrupted");
    stage.done(&task).await;
    "yes".into()
}

pub(super) async fn subagent(stage: &mut Stage) -> String {
    let task = stage.asking_task().await;
    let message = stage.turn_answering(&task, "!task please say something", &["allow_once"]).await;
    assert_eq!(message["status"], "done", "{message}");
    if parts(&message, "tool_call").next().is_none() {
        stage.done(&task).await;
        return "none offered".into();
    }
    let background = message["parts"].to_string().contains("Async agent launched");
    if background {
        // The model is told in the turn that is still open or in one that nobody asked for, and answers every time it is
        // asked but for the first, when it calls. What it answers is in the chat, wherever it belongs.
        let told = until("what came of the subagent", LONG, async || {
            let turns: Vec<String> = stage.model.turns().await.iter().map(super::model::Asked::text).collect();
            let of_task = turns.iter().filter(|turn| turn.contains("!task please")).count();
            let chat = stage.drover.chat(&task).await;
            let messages = chat["messages"].as_array()?;
            let answers = messages.iter().filter(|message| message["role"] == "assistant");
            let said: String = answers.map(message_text).collect();
            let answered = said.matches("RESULT").count() + said.matches("ECHO <").count();
            (turns.iter().any(|turn| turn.contains("task-notification")) && answered + 1 >= of_task).then_some(())
        });
        let told = tokio::time::timeout(PATIENCE, told).await;
        assert!(told.is_ok(), "what came of the subagent: {}", stage.drover.chat(&task).await["messages"]);
    }
    let next = stage.turn(&task, "!say 10").await;
    assert!(next["status"] == "done" && has_words(&message_text(&next), 10), "the next turn is its own: {next}");
    stage.done(&task).await;
    if background { "yes" } else { "within the turn" }.into()
}
