//! Tool calls, plans and the session's other updates.
//!
//! | verb | does |
//! | --- | --- |
//! | `tool [ID]` | a tool call that starts and completes |
//! | `pendingtool ID` | one that starts only |
//! | `latetool ID` | one that starts, the prompt's answer, its end 500 ms later |
//! | `bigtool KIB` | one whose raw output has so many KiB |
//! | `diff` | an edit of `/project/a.txt` |
//! | `plan` | a plan of two entries |
//! | `unknown` | an update of a kind nobody knows, and text |
//! | `title WORDS`, `commands`, `usage` | the session's title, its commands, its usage |
//! | `update JSON` | any update |
//! | `foreign JSON` | any update, for a session nobody opened |

use std::{io, thread, time::Duration};

use serde_json::{Value, json};

use super::{Done, NEXT};
use crate::agent::turn::{Directive, Flow, Turn};

pub(in crate::agent) fn run(turn: &mut Turn, directive: &Directive<'_>) -> Done {
    let id = directive.args.first().copied().unwrap_or("t1");
    match directive.verb {
        "tool" => tool(turn, id)?,
        "pendingtool" => turn.update(&started(id, "Long one", "execute", "in_progress"))?,
        "latetool" => {
            turn.update(&started(id, "Slow", "execute", "in_progress"))?;
            turn.respond(json!({"result": {"stopReason": "end_turn"}}))?;
            thread::sleep(Duration::from_millis(500));
            turn.update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed"}))?;
            return Ok(Some(Flow::Break));
        }
        "bigtool" => {
            let mut call = started("b1", "Big", "execute", "completed");
            call["rawOutput"] = json!({"out": "y".repeat(directive.number(0).unwrap_or(1) as usize * 1024)});
            turn.update(&call)?;
        }
        "diff" => {
            let mut call = started("d1", "Edit a.txt", "edit", "completed");
            call["content"] =
                json!([{"type": "diff", "path": "/project/a.txt", "oldText": "old\n", "newText": "new\n"}]);
            turn.update(&call)?;
        }
        "plan" => turn.update(&json!({"sessionUpdate": "plan", "entries": [
            {"content": "one", "priority": "high", "status": "completed"},
            {"content": "two", "priority": "low", "status": "pending"}]}))?,
        "unknown" => {
            turn.update(&json!({"sessionUpdate": "something_from_2031", "payload": {"a": 1}}))?;
            turn.say("after unknown")?;
        }
        "title" => turn.update(&json!({"sessionUpdate": "session_info_update", "title": directive.args.join(" ")}))?,
        "commands" => turn.update(&json!({"sessionUpdate": "available_commands_update",
            "availableCommands": [{"name": "review", "description": "Review"}]}))?,
        "usage" => turn.update(&json!({"sessionUpdate": "usage_update", "used": 1200, "size": 200_000,
            "cost": {"amount": 0.12, "currency": "USD"}}))?,
        "update" => turn.update(&serde_json::from_str(&turn.filled(directive.rest))?)?,
        "foreign" => turn.agent.wire.update("nobody-opened-this", &serde_json::from_str(directive.rest)?)?,
        _ => return Ok(None),
    }
    NEXT
}

fn started(id: &str, title: &str, kind: &str, status: &str) -> Value {
    json!({"sessionUpdate": "tool_call", "toolCallId": id, "title": title, "kind": kind, "status": status})
}

fn tool(turn: &Turn, id: &str) -> io::Result<()> {
    let mut call = started(id, &format!("Read {id}"), "read", "in_progress");
    call["locations"] = json!([{"path": format!("/project/{id}.rs"), "line": 3}]);
    turn.update(&call)?;
    turn.update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "completed",
        "content": [{"type": "content", "content": {"type": "text", "text": format!("out of {id}")}}]}))
}
