//! The process: its end, its children, its descriptors, its stderr.
//!
//! | verb | does |
//! | --- | --- |
//! | `crash [CODE]` | exits at once; default 3 |
//! | `signal N` | dies of a signal |
//! | `child [own] [deaf] [orphan] [bare] [quiet]` | leaves a child, tells `child=<pid>;`; see below |
//! | `file NAME WORDS` | writes a file in the working directory |
//! | `stderr BYTES` | so many bytes without an end of line |
//! | `stderrlines BYTES` | so many bytes of lines, some with colour codes or broken UTF-8 |
//! | `stderrtext TEXT` | a text; the escapes of `bytes` are understood |
//! | `closestdin`, `closestdout` | closes it and lives on |
//! | `readless MS` | reads nothing for so long |
//!
//! A child is `sleep 3600`; `own`: in its own session, `deaf`: ignoring TERM, HUP and INT, `orphan`: its parent has ended, `bare`:
//! with an empty environment, `quiet`: without the agent's stdin, stdout and stderr.

use std::{
    fs,
    io::{self, Write},
    process,
    time::Duration,
};

use serde_json::json;

use super::{Done, NEXT, lines::unescaped};
use crate::agent::{
    os,
    serve::Ask,
    turn::{Directive, Turn},
};

pub(in crate::agent) fn run(turn: &mut Turn, directive: &Directive<'_>) -> Done {
    match directive.verb {
        "crash" => process::exit(directive.number(0).and_then(|code| code.try_into().ok()).unwrap_or(3)),
        "signal" => os::die_of(directive.number(0).and_then(|signal| signal.try_into().ok()).unwrap_or(libc::SIGKILL)),
        "child" => {
            let pid = os::leave_child(&directive.args)?;
            turn.agent.journal.write("child", json!({"pid": pid}));
            turn.say(&format!("child={pid};"))?;
        }
        "file" => {
            let name = directive.args.first().copied().unwrap_or("file");
            fs::write(name, directive.args.get(1..).unwrap_or_default().join(" ") + "\n")?;
            turn.say(&format!("wrote {name}"))?;
        }
        "stderr" => io::stderr().write_all(&vec![b'e'; directive.number(0).unwrap_or(0) as usize])?,
        "stderrlines" => stderr_lines(directive.number(0).unwrap_or(0) as usize)?,
        "stderrtext" => io::stderr().write_all(&unescaped(directive.rest))?,
        "closestdin" => turn.agent.ask_reader(Ask::CloseStdin)?,
        "closestdout" => os::close(1),
        "readless" => {
            turn.agent.ask_reader(Ask::PauseReading(Duration::from_millis(directive.number(0).unwrap_or(0))))?
        }
        _ => return Ok(None),
    }
    NEXT
}

fn stderr_lines(bytes: usize) -> io::Result<()> {
    let lines: [&[u8]; 3] = [b"plain line of the agent\n", b"\x1b[31mred\x1b[0m line\n", b"broken \xff\xfe letters\n"];
    let mut err = io::stderr().lock();
    let mut written = 0;
    for line in lines.iter().cycle() {
        if written >= bytes {
            break;
        }
        err.write_all(line)?;
        written += line.len();
    }
    Ok(())
}
