//! Bytes on stdout that need not be protocol.
//!
//! | verb | does |
//! | --- | --- |
//! | `raw TEXT` | one line as written |
//! | `bytes SIZE MS TEXT` | bytes, SIZE at a time (0: at once) with a pause; `\n \r \t \\ \xNN` are understood, no end of line is added |
//! | `utf8` | a chunk with letters of many bytes, byte by byte |
//! | `noise` | lines that are no messages, then `still here` |
//! | `frames FILE` | the file's lines; a line `@MS` waits |
//! | `end [REASON]` | answers the prompt now; the directives go on |
//! | `late` | `before `, the answer, 300 ms later `after` |
//! | `error`, `fail JSON` | answers with an error |
//! | `answer JSON` | answers with any result |
//! | `mute` | never answers, hears everything |

use std::{fs, io, thread, time::Duration};

use serde_json::json;

use super::{Done, NEXT};
use crate::agent::{
    turn::{Directive, Flow, Turn},
    wire::{chunk, update_line},
};

const NOISE: &[u8] = b"[agent] ready\n{not json\n\n   \n[1,2,3]\n42\nnull\n{\"jsonrpc\":\"2.0\"}\n";

pub(in crate::agent) fn run(turn: &mut Turn, directive: &Directive<'_>) -> Done {
    match directive.verb {
        "raw" => turn.agent.wire.line(&turn.filled(directive.rest))?,
        "bytes" => {
            let mut words = directive.rest.splitn(3, ' ');
            let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
            let (size, pause) = (number(), Duration::from_millis(number()));
            let bytes = unescaped(&turn.filled(words.next().unwrap_or("")));
            turn.agent.wire.dribble(&bytes, size as usize, pause)?;
        }
        "utf8" => {
            let line = update_line(&turn.session, &chunk("agent_message_chunk", "合并 👩‍💻 é ≤")) + "\n";
            turn.agent.wire.dribble(line.as_bytes(), 1, Duration::ZERO)?;
        }
        "noise" => {
            turn.agent.wire.raw(NOISE)?;
            turn.say("still here")?;
        }
        "frames" => frames(turn, directive.rest.trim())?,
        "end" => {
            let reason = directive.args.first().copied().unwrap_or("end_turn");
            turn.respond(turn.result(reason))?;
        }
        "late" => {
            turn.say("before ")?;
            turn.respond(json!({"result": {"stopReason": "end_turn"}}))?;
            thread::sleep(Duration::from_millis(300));
            turn.say("after")?;
            return Ok(Some(Flow::Break));
        }
        "error" => {
            turn.respond(json!({"error": {"code": -32603, "message": "boom", "data": {"details": "quota"}}}))?;
            return Ok(Some(Flow::Break));
        }
        "fail" => {
            turn.respond(json!({"error": serde_json::from_str::<serde_json::Value>(directive.rest)?}))?;
            return Ok(Some(Flow::Break));
        }
        "answer" => {
            turn.respond(json!({"result": serde_json::from_str::<serde_json::Value>(directive.rest)?}))?;
            return Ok(Some(Flow::Break));
        }
        "mute" => {
            turn.answered = true;
            return Ok(Some(Flow::Break));
        }
        _ => return Ok(None),
    }
    NEXT
}

fn frames(turn: &Turn, file: &str) -> io::Result<()> {
    for line in fs::read_to_string(file)?.lines() {
        match line.strip_prefix('@') {
            Some(pause) => thread::sleep(Duration::from_millis(pause.trim().parse().map_err(io::Error::other)?)),
            None => turn.agent.wire.line(&turn.filled(line))?,
        }
    }
    Ok(())
}

/// The bytes that a text with escapes stands for.
pub fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let (byte, used) = match (byte, tail) {
            (b'\\', [b'n', ..]) => (b'\n', 2),
            (b'\\', [b'r', ..]) => (b'\r', 2),
            (b'\\', [b't', ..]) => (b'\t', 2),
            (b'\\', [b'\\', ..]) => (b'\\', 2),
            (b'\\', [b'x', high, low, ..]) => {
                let digit = |byte: &u8| (*byte as char).to_digit(16).unwrap_or(0) as u8;
                (digit(high) * 16 + digit(low), 4)
            }
            _ => (byte, 1),
        };
        bytes.push(byte);
        rest = &rest[used..];
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn escapes_stand_for_bytes_and_all_else_for_itself() {
        assert_eq!(unescaped(r"a\n\x00\xff\\n é\q"), b"a\n\x00\xff\\n \xc3\xa9\\q");
    }
}
