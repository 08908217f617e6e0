//! Calls to the daemon of a data directory, as any program of the same user can make them. Blocking, one connection a call.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use crate::process::data_dir::DataDir;
use crate::process::info::DaemonInfo;
use crate::process::{lock, token};

const CONNECT: Duration = Duration::from_secs(1);
/// Whoever removes an installation on a slow disk waits as long as that takes.
const ANSWER: Duration = Duration::from_secs(120);
/// How long it may take to say that it is there.
const ALIVE: Duration = Duration::from_secs(10);

/// Why the daemon did not answer as it should.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClientError {
    #[error("the daemon does not answer: {0}. See `drover logs`")]
    Io(io::Error),
    #[error("the daemon has not answered for {} s; what was asked for may still be done. See `drover logs`", ANSWER.as_secs())]
    Late,
    #[error("the daemon's token cannot be read from {0}")]
    NoToken(String),
    #[error("the daemon refused ({status}): {detail}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What it said.
        detail: String,
    },
    #[error("the daemon answered something that cannot be read")]
    Unreadable,
}

impl From<io::Error> for ClientError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::Late,
            _ => Self::Io(error),
        }
    }
}

/// The daemon that runs on a data directory.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) info: DaemonInfo,
    token: String,
}

impl Client {
    /// The running daemon; `None` where there is none.
    pub(crate) fn find(dir: &DataDir) -> Result<Option<Self>, ClientError> {
        if !lock::is_held(&dir.lock()) {
            return Ok(None);
        }
        let Some(info) = DaemonInfo::read(&dir.info()) else {
            return Ok(None);
        };
        let token = token::read(&dir.token());
        let token = token.ok_or_else(|| ClientError::NoToken(dir.token().display().to_string()))?;
        Ok(Some(Self { info, token }))
    }

    pub(crate) fn get(&self, path: &str) -> Result<Value, ClientError> {
        self.call("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Value, ClientError> {
        self.call("POST", path, Some(&body.to_string()))
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> Result<Value, ClientError> {
        self.call("PUT", path, Some(&body.to_string()))
    }

    pub(crate) fn delete(&self, path: &str) -> Result<Value, ClientError> {
        self.call("DELETE", path, None)
    }

    fn call(&self, method: &str, path: &str, body: Option<&str>) -> Result<Value, ClientError> {
        let proof = format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n", self.token);
        let answer =
            exchange(self.info.port, ANSWER, method, &format!("/api/v1{path}"), &proof, body.unwrap_or_default())?;
        let (status, text) = parse(&answer).ok_or(ClientError::Unreadable)?;
        let value: Value = serde_json::from_str(text).map_err(|_| ClientError::Unreadable)?;
        if (200..300).contains(&status) {
            return Ok(value);
        }
        let told = value["detail"].as_str().or(value["title"].as_str());
        let detail = told.unwrap_or("it did not say why").to_owned();
        Err(ClientError::Refused { status, detail })
    }
}

/// Whether a daemon answers on a port.
pub(crate) fn is_alive(port: u16) -> bool {
    let answer = exchange(port, ALIVE, "GET", "/healthz", "", "");
    answer.is_ok_and(|answer| parse(&answer).is_some_and(|(status, _)| status == 200))
}

fn exchange(port: u16, patience: Duration, method: &str, path: &str, headers: &str, body: &str) -> io::Result<String> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, CONNECT)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Status and body. The daemon gives every answer that is asked for here a length, so the body is what follows the headers.
fn parse(answer: &str) -> Option<(u16, &str)> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    Some((status, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_and_another_programs_is_not() {
        assert_eq!(parse("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"), Some((200, "ok")));
        assert_eq!(parse("SSH-2.0-OpenSSH_9.6\r\n"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn nobody_is_alive_where_nobody_listens() {
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        assert!(!is_alive(port));
    }
}
