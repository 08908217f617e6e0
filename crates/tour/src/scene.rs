//! What the tour plays on its stage.

mod ask;
mod beside;
mod content;
mod form;
mod tools;

use serde_json::json;

use crate::pace::Beat;
use crate::prompt::{Handed, Prompt};
use crate::stage::{Over, Played, Stage};
use crate::topic::Topic;
use crate::words::fill;

/// Characters of a prompt that are said back.
const ECHO: usize = 200;
/// Paragraphs of the long text.
const PARAGRAPHS: usize = 80;
/// Tokens of context that are claimed; there is no model that would have any.
const CONTEXT: usize = 100_000;

/// Answers a prompt. The first one of a session gets the whole walk, unless it asks for something else by a command or
/// comes with turns of other agents.
pub(crate) fn play(stage: &mut Stage<'_>, prompt: &Prompt, first: bool) -> Played {
    let words = stage.words();
    if let Some(handed) = &prompt.handed {
        receive(stage, handed)?;
    }
    if !prompt.attached.is_empty() {
        stage.say(&fill(words.attached, &[("names", &prompt.attached.join(", "))]))?;
    }
    match Topic::of_command(&prompt.text) {
        Some(topic) => show(stage, topic)?,
        None if first && prompt.handed.is_none() => {
            echo(stage, &prompt.text)?;
            walk(stage)?;
        }
        None => {
            echo(stage, &prompt.text)?;
            match Topic::closest(&prompt.text) {
                Some(topic) => {
                    stage.say(&fill(words.closest, &[("command", topic.command())]))?;
                    show(stage, topic)?;
                }
                None => {
                    stage.say(words.no_model)?;
                    help(stage)?;
                }
            }
        }
    }
    usage(stage)
}

fn show(stage: &mut Stage<'_>, topic: Topic) -> Played {
    let words = stage.words();
    match topic {
        Topic::Walk => walk(stage),
        Topic::Markdown => content::markdown(stage),
        Topic::Tools => tools::show(stage),
        Topic::Ask => ask::permission(stage),
        Topic::Form => form::fill_in(stage),
        Topic::Plan => plan(stage),
        Topic::Picture => content::picture(stage),
        Topic::Notices => beside::show(stage),
        Topic::Agents => stage.say(words.agents),
        Topic::Install => stage.say(words.install),
        Topic::Long => long(stage),
        Topic::Fail => {
            stage.say(words.fail)?;
            Err(Over::Failed(words.failure.to_owned()))
        }
        Topic::Help => {
            stage.say(words.who)?;
            help(stage)
        }
    }
}

fn walk(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    stage.update(&json!({"sessionUpdate": "session_info_update", "title": words.title}))?;
    stage.think(words.thought)?;
    stage.say(words.hello)?;
    stage.plan(0)?;
    content::markdown(stage)?;
    content::picture(stage)?;
    stage.plan(1)?;
    tools::show(stage)?;
    stage.plan(2)?;
    ask::permission(stage)?;
    if stage.client().forms {
        form::fill_in(stage)?;
    }
    stage.plan(3)?;
    stage.say(words.agents)?;
    stage.say(words.install)?;
    stage.say(words.farewell)?;
    stage.plan(4)
}

/// Says what was handed over.
fn receive(stage: &mut Stage<'_>, handed: &Handed) -> Played {
    let words = stage.words();
    let (turns, bytes) = (handed.turns.to_string(), handed.bytes.to_string());
    stage.say(&fill(words.handed, &[("turns", &turns), ("bytes", &bytes)]))?;
    if !handed.agents.is_empty() {
        stage.say(&fill(words.handed_by, &[("agents", &handed.agents.join(words.comma))]))?;
    }
    if handed.left_out > 0 {
        stage.say(&fill(words.left_out, &[("turns", &handed.left_out.to_string())]))?;
    }
    stage.say("\n\n")
}

/// Says back what was asked, as a quotation.
fn echo(stage: &mut Stage<'_>, text: &str) -> Played {
    if text.is_empty() {
        return Ok(());
    }
    let mut short: String = text.chars().take(ECHO).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    let quoted: Vec<String> = short.lines().map(|line| format!("> {line}")).collect();
    stage.say(&fill(stage.words().echo, &[("asked", &quoted.join("\n"))]))
}

fn help(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    let rows = Topic::ALL.into_iter().zip(words.commands);
    let list: String = rows.map(|(topic, told)| format!("- `/{}`: {told}\n", topic.command())).collect();
    stage.say(words.help)?;
    stage.say(&list)
}

fn plan(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    stage.say(words.planning)?;
    for done in 0..=words.plan.len() {
        stage.plan(done)?;
        stage.pause(Beat::Step)?;
    }
    stage.say(words.planned)
}

fn long(stage: &mut Stage<'_>) -> Played {
    let words = stage.words();
    stage.say(words.long)?;
    for number in 1..=PARAGRAPHS {
        let (number, all) = (number.to_string(), PARAGRAPHS.to_string());
        stage.say(&fill(words.paragraph, &[("number", &number), ("all", &all)]))?;
    }
    Ok(())
}

/// What it took: some context, and no money.
fn usage(stage: &mut Stage<'_>) -> Played {
    // As models count, about four bytes a token.
    let used = stage.bytes_said() / 4;
    stage.update(&json!({
        "sessionUpdate": "usage_update", "used": used, "size": CONTEXT, "cost": {"amount": 0.0, "currency": "USD"},
    }))
}
