//! By which name the daemon was called. A name that resolves to loopback but is somebody else's must not get in (DNS rebinding).

use axum::http::request::Parts;
use axum::http::{HeaderValue, header};

use crate::problem::{Kind, Problem};

/// The three names of loopback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    Localhost,
    V4,
    V6,
}

impl Host {
    /// The name in the only `Host` header and, in the absolute form of a request, in the address.
    pub(crate) fn of(parts: &Parts, port: u16) -> Result<Self, Problem> {
        let mut hosts = parts.headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host: &HeaderValue| host.to_str().ok());
        let name = host.and_then(|host| Self::parse(host, port));
        let address = parts.uri.authority().map(|authority| Self::parse(authority.as_str(), port));
        match (name, hosts.next(), address) {
            (Some(name), None, None | Some(Some(_))) => Ok(name),
            _ => Err(Problem::new(Kind::WrongHost).because(format!("Use http://localhost:{port}."))),
        }
    }

    fn parse(authority: &str, port: u16) -> Option<Self> {
        // Without a port it is 80, as the scheme says.
        let (name, given) = match authority.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => (name, number(digits)?),
            _ => (authority, 80),
        };
        if given != port {
            return None;
        }
        match name.to_ascii_lowercase().as_str() {
            "localhost" | "localhost." => Some(Self::Localhost),
            "127.0.0.1" | "127.0.0.1." => Some(Self::V4),
            "[::1]" => Some(Self::V6),
            _ => None,
        }
    }
}

/// Digits only: `parse` alone would take a sign.
fn number(digits: &str) -> Option<u16> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}
