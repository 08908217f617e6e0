//! A login: over the protocol, or as a program in a terminal.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde_json::{Value, json};

use super::serve::error;

/// The file that says that somebody is logged in, where a login is wanted at all.
pub(super) struct Account(Option<PathBuf>);

impl Account {
    pub(super) fn from_env() -> Self {
        Self(std::env::var_os("AGENT_AUTH").map(PathBuf::from))
    }

    /// Why this call is refused now.
    pub(super) fn refusal(&self, method: &str) -> Option<Value> {
        let asks = matches!(method, "session/new" | "session/load" | "session/resume" | "session/prompt");
        let missing = self.0.as_ref().is_some_and(|file| !file.exists());
        // Some refuse nothing but the prompt, or what else is named.
        let named = std::env::var("AGENT_AUTH_FOR").map_or(true, |calls| calls.split(',').any(|call| call == method));
        (asks && named && missing).then(|| error(-32000, "Authentication required"))
    }

    /// What it offers.
    pub(super) fn methods(&self) -> Value {
        if self.0.is_none() {
            return json!([]);
        }
        json!([
            {"id": "key", "name": "API key", "description": "Uses the key of this machine"},
            {"id": "tty", "name": "In the terminal", "type": "terminal", "args": ["login"], "env": {"AGENT_WORD": "a b"}},
            {"id": "env", "name": "By a variable", "type": "env_var", "vars": [{"name": "SCRIPTED_KEY"}]},
            {"id": "odd", "name": "By telepathy", "type": "telepathy"},
            {"id": "hollow", "name": "One that says yes and does nothing"},
        ])
    }

    /// `authenticate` and `logout`.
    pub(super) fn answer(&self, method: &str, params: &Value) -> Option<Result<Value, Value>> {
        let file = self.0.as_deref()?;
        match (method, params.get("methodId").and_then(Value::as_str)) {
            ("authenticate", Some("key")) => Some(done(fs::write(file, "key"))),
            ("authenticate", Some("hollow")) => Some(Ok(json!({}))),
            ("authenticate", _) => Some(Err(error(-32602, "not a method to authenticate with"))),
            ("logout", _) => Some(done(fs::remove_file(file))),
            _ => None,
        }
    }
}

fn done(result: io::Result<()>) -> Result<Value, Value> {
    result.map(|()| json!({})).map_err(|failure| error(-32603, &failure.to_string()))
}

/// Asks for a word on the terminal.
pub(super) fn log_in() -> ExitCode {
    match ask() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("that is not the word");
            ExitCode::FAILURE
        }
        Err(failure) => {
            println!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn ask() -> io::Result<bool> {
    let word = std::env::var("AGENT_WORD").unwrap_or_default();
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    print!("\x1b[1mterminal: {terminal}, word: {word}, pid: {}\x1b[0m\r\nthe word? ", std::process::id());
    io::stdout().flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    let open = line.trim() == "open";
    if open && let Some(file) = std::env::var_os("AGENT_AUTH") {
        fs::write(Path::new(&file), "tty")?;
    }
    Ok(open)
}
