//! Requests of the agent to its client.
//!
//! | verb | does |
//! | --- | --- |
//! | `ask [ID]` | announces a tool call, asks for permission, tells the answer |
//! | `elicit` | asks for a form, tells the answer |
//! | `permit ID [TOOL] [OPTIONS]` | asks without waiting; ID is the request's id as JSON, TOOL a tool call (JSON), OPTIONS a list (JSON) |
//! | `request ID METHOD PARAMS` | any request, without waiting |
//! | `await ID` | waits for the answer and tells it as `ID=<JSON>;` |
//! | `withdraw ID` | takes a request back with `$/cancel_request` |

use std::io;

use serde_json::{Value, json};

use super::{Done, NEXT};
use crate::agent::turn::{Directive, Turn};

pub(in crate::agent) fn run(turn: &mut Turn, directive: &Directive<'_>) -> Done {
    match directive.verb {
        "ask" => permission(turn, directive.args.first().copied().unwrap_or("p1"))?,
        "elicit" => form(turn)?,
        "permit" => permit(turn, directive.rest)?,
        "request" => {
            let mut words = directive.rest.splitn(3, ' ');
            let (id, method) = (words.next().unwrap_or("0"), words.next().unwrap_or_default());
            let params = serde_json::from_str(&turn.filled(words.next().unwrap_or("{}")))?;
            request(turn, &turn.filled(id), method, &params)?;
        }
        "await" => {
            let id = turn.filled(directive.rest.trim());
            turn.say(&format!("{id}={};", turn.agent.requests.wait(&id)))?;
        }
        "withdraw" => {
            let id: Value = serde_json::from_str(directive.rest.trim())?;
            turn.agent
                .wire
                .send(&json!({"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}}))?;
        }
        _ => return Ok(None),
    }
    NEXT
}

/// Sends a request whose id is written as given, digit by digit.
fn request(turn: &Turn, id: &str, method: &str, params: &Value) -> io::Result<()> {
    turn.agent.requests.asked(id);
    let method = Value::from(method);
    turn.agent.wire.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#))
}

fn ask(turn: &Turn, method: &str, params: &Value) -> io::Result<String> {
    let id = turn.agent.requests.fresh_id();
    request(turn, &id, method, params)?;
    Ok(turn.agent.requests.wait(&id))
}

fn tool_call(id: &str) -> Value {
    json!({"toolCallId": id, "title": "rm -rf build", "kind": "execute", "status": "pending",
        "rawInput": {"command": "rm -rf build"}})
}

fn permission(turn: &Turn, tool: &str) -> io::Result<()> {
    turn.update(&json!({"sessionUpdate": "tool_call", "toolCallId": tool, "title": "rm -rf build", "kind": "execute",
        "status": "pending"}))?;
    let answer = ask(
        turn,
        "session/request_permission",
        &json!({"sessionId": turn.session, "toolCall": tool_call(tool),
        "options": [
            {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
            {"optionId": "always", "name": "Allow always", "kind": "allow_always"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"}]}),
    )?;
    turn.say(&format!("answer={answer}"))?;
    turn.update(&json!({"sessionUpdate": "tool_call_update", "toolCallId": tool, "status": "completed"}))
}

fn form(turn: &Turn) -> io::Result<()> {
    if turn.agent.client().pointer("/elicitation/form").is_none_or(Value::is_null) {
        return turn.say("the client does not take forms");
    }
    let answer = ask(
        turn,
        "elicitation/create",
        &json!({"sessionId": turn.session, "mode": "form", "message": "Which one?",
        "requestedSchema": {"type": "object", "properties": {"pick": {"type": "string", "enum": ["a", "b"]}},
            "required": ["pick"]}}),
    )?;
    turn.say(&format!("elicited={answer}"))
}

fn permit(turn: &Turn, rest: &str) -> io::Result<()> {
    let (id, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut given = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
    let tool = given.next().transpose()?.unwrap_or_else(|| tool_call("t1"));
    let options = given.next().transpose()?.unwrap_or_else(|| {
        json!([{"optionId": "yes", "name": "Allow", "kind": "allow_once"},
            {"optionId": "no", "name": "Reject", "kind": "reject_once"}])
    });
    let params = json!({"sessionId": turn.session, "toolCall": tool, "options": options});
    request(turn, &turn.filled(id), "session/request_permission", &params)
}
