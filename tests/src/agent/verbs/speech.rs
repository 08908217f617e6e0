//! Text, thoughts, time.
//!
//! | verb | does |
//! | --- | --- |
//! | `say N [MS]` | N chunks `w0 `, `w1 `, … with a delay between |
//! | `text WORDS` | one chunk |
//! | `chunk JSON` | one chunk with exactly this string |
//! | `think WORDS` | one chunk of thought |
//! | `big KIB` | one chunk of so many KiB |
//! | `burst N BYTES` | N chunks of so many bytes, each numbered, in one write |
//! | `stream N BYTES MS` | the same, spread evenly over the time |
//! | `file N MS PATH` | the text of a file in N chunks, spread evenly over the time |
//! | `prompt`, `blocks`, `cwd`, `env NAMES`, `pid` | tells the prompt, its block types, the directory, variables, the process id |
//! | `refuse`, `max`, `reason WORD` | ends with `refusal`, with `half` and `max_tokens`, with any word |
//! | `sleep MS` | waits, or until cancelled |
//! | `hold MS` | waits, cancelled or not |
//! | `waitfile PATH` | waits until there is such a file, or until cancelled |
//! | `hang [MS]` | until cancelled, and so long after |
//! | `deaf` | never ends, and hears nothing |
//! | `heedless` | a cancel stops no directive from here on |
//! | `untilstop` | waits for a cancel |
//! | `oncancel JSON` | the answer to the prompt when it is cancelled |

use std::{
    io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{Done, NEXT};
use crate::agent::{
    turn::{Directive, Flow, Turn},
    wire::{chunk, spaced, update_line},
};

pub(in crate::agent) fn run(turn: &mut Turn, directive: &Directive<'_>) -> Done {
    let words = || directive.args.join(" ");
    match directive.verb {
        "say" => say(turn, directive.number(0).unwrap_or(1), directive.number(1).unwrap_or(0))?,
        "text" => turn.say(&words())?,
        "chunk" => turn.say(&serde_json::from_str::<String>(directive.rest)?)?,
        "think" => turn.update(&chunk("agent_thought_chunk", &words()))?,
        "big" => turn.say(&"x".repeat(directive.number(0).unwrap_or(1) as usize * 1024))?,
        "burst" => burst(turn, directive.number(0).unwrap_or(1), directive.number(1).unwrap_or(10))?,
        "stream" => stream(turn, directive)?,
        "file" => file(turn, directive)?,
        "prompt" => turn.say(&turn.whole_prompt())?,
        "blocks" => turn.say(&spaced(&turn.blocks.iter().map(|block| &block["type"]).collect::<Vec<_>>()))?,
        "cwd" => tell_cwd(turn)?,
        "env" => tell_env(turn, &directive.args)?,
        "pid" => turn.say(&format!("pid={};", std::process::id()))?,
        "refuse" => turn.reason = "refusal".into(),
        "max" => {
            turn.say("half")?;
            turn.reason = "max_tokens".into();
        }
        "reason" => turn.reason = words(),
        "sleep" => drop(turn.stop.wait_for(millis(directive, 0))),
        "hold" => thread::sleep(millis(directive, 0)),
        "waitfile" => while !Path::new(directive.rest).exists() && !turn.stop.wait_for(Duration::from_millis(10)) {},
        "hang" => {
            turn.stop.wait();
            thread::sleep(millis(directive, 0));
            return Ok(Some(Flow::Break));
        }
        "heedless" => turn.heedless = true,
        "untilstop" => turn.stop.wait(),
        "deaf" => {
            turn.agent.go_deaf();
            loop {
                thread::park();
            }
        }
        "oncancel" => turn.on_cancel = Some(serde_json::from_str(directive.rest)?),
        _ => return Ok(None),
    }
    NEXT
}

fn millis(directive: &Directive<'_>, index: usize) -> Duration {
    Duration::from_millis(directive.number(index).unwrap_or(0))
}

fn say(turn: &Turn, count: u64, delay: u64) -> io::Result<()> {
    for index in 0..count {
        if turn.stop.is_set() {
            break;
        }
        turn.say(&format!("w{index} "))?;
        if delay > 0 {
            thread::sleep(Duration::from_millis(delay));
        }
    }
    Ok(())
}

/// The text of a numbered chunk of so many bytes: zeros, the number, a blank.
pub fn numbered(index: u64, bytes: u64) -> String {
    format!("{index:0width$} ", width = (bytes as usize).saturating_sub(1))
}

fn burst(turn: &Turn, count: u64, bytes: u64) -> io::Result<()> {
    let mut lines = String::new();
    for index in 0..count {
        lines.push_str(&update_line(&turn.session, &chunk("agent_message_chunk", &numbered(index, bytes))));
        lines.push('\n');
    }
    turn.agent.wire.raw(lines.as_bytes())
}

fn stream(turn: &Turn, directive: &Directive<'_>) -> io::Result<()> {
    let (count, bytes) = (directive.number(0).unwrap_or(1), directive.number(1).unwrap_or(10));
    let (start, time) = (Instant::now(), millis(directive, 2));
    for index in 0..count {
        let due = time.mul_f64(index as f64 / count as f64);
        if turn.stop.wait_for(due.saturating_sub(start.elapsed())) {
            break;
        }
        turn.say(&numbered(index, bytes))?;
    }
    Ok(())
}

fn file(turn: &Turn, directive: &Directive<'_>) -> io::Result<()> {
    let (count, time) = (directive.number(0).unwrap_or(1) as usize, millis(directive, 1));
    let path = directive.args.get(2..).unwrap_or_default().join(" ");
    let text = std::fs::read_to_string(path)?;
    let (start, mut from) = (Instant::now(), 0);
    for index in 0..count {
        let due = time.mul_f64(index as f64 / count as f64);
        if turn.stop.wait_for(due.saturating_sub(start.elapsed())) {
            break;
        }
        let to = text.ceil_char_boundary(text.len() * (index + 1) / count);
        if to > from {
            turn.say(&text[from..to])?;
        }
        from = to;
    }
    Ok(())
}

fn tell_cwd(turn: &Turn) -> io::Result<()> {
    let session = turn.agent.sessions.lock().get(&turn.session).map(|session| session.cwd.clone());
    turn.say(&format!("{} {}", std::env::current_dir()?.display(), session.unwrap_or_else(|| "?".into())))
}

fn tell_env(turn: &Turn, names: &[&str]) -> io::Result<()> {
    let value = |name: &str| std::env::var_os(name).map_or(Value::Null, |value| json!(value.to_string_lossy()));
    let variables: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), value(name))).collect();
    turn.say(&spaced(&variables))
}
