//! Stdout: whole lines under one lock, or raw bytes.

use std::{
    fs::File,
    io::{self, Write},
    mem::ManuallyDrop,
    os::fd::FromRawFd,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde::Serialize;
use serde_json::{Value, json};

/// The agent's stdout. A line is written whole, however many threads write.
pub(super) struct Wire {
    out: Mutex<ManuallyDrop<File>>,
    end: &'static str,
}

impl Wire {
    pub(super) fn stdout(crlf: bool) -> Self {
        // SAFETY: descriptor 1 is this process's stdout, and `ManuallyDrop` leaves closing it to `os::close`.
        let out = unsafe { File::from_raw_fd(1) };
        Self { out: Mutex::new(ManuallyDrop::new(out)), end: if crlf { "\r\n" } else { "\n" } }
    }

    pub(super) fn send(&self, message: &Value) -> io::Result<()> {
        self.line(&message.to_string())
    }

    /// Writes text as one line.
    pub(super) fn line(&self, text: &str) -> io::Result<()> {
        let mut line = String::with_capacity(text.len() + 2);
        line.push_str(text);
        line.push_str(self.end);
        self.raw(line.as_bytes())
    }

    pub(super) fn raw(&self, bytes: &[u8]) -> io::Result<()> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes)
    }

    /// Writes so many bytes at a time with a pause between, nothing else coming in between; a size of 0 is all at once.
    pub(super) fn dribble(&self, bytes: &[u8], size: usize, pause: Duration) -> io::Result<()> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        for piece in bytes.chunks(if size == 0 { bytes.len().max(1) } else { size }) {
            out.write_all(piece)?;
            std::thread::sleep(pause);
        }
        Ok(())
    }

    pub(super) fn update(&self, session: &str, update: &Value) -> io::Result<()> {
        self.line(&update_line(session, update))
    }
}

/// A `session/update` notification as text, without an end of line.
pub(super) fn update_line(session: &str, update: &Value) -> String {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}})
        .to_string()
}

/// A chunk of text as an update; `kind` is `agent_message_chunk` or its like.
pub(super) fn chunk(kind: &str, text: &str) -> Value {
    json!({"sessionUpdate": kind, "content": {"type": "text", "text": text}})
}

/// JSON with a blank after each comma and colon, as scripts and people write it.
pub(super) fn spaced(value: &impl Serialize) -> String {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Spaced);
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) => error.to_string(),
    }
}

/// The value with its keys in alphabetical order, at every depth.
pub(super) fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_array_value(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
