//! The sockets: loopback only, both families on one port.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

/// How often a free port is tried: another process may take it in one family between two calls.
const TRIES: usize = 20;

/// Why the daemon cannot listen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ListenError {
    /// Somebody else listens there.
    #[error(
        "port {port} on {address} is in use by another program, or by a Drover of another data directory. End that, or choose \
         another port: `drover serve --port {}` (0 for any free one), or `port` in config.toml",
        port.wrapping_add(1).max(1024)
    )]
    InUse {
        /// The port.
        port: u16,
        /// Where.
        address: IpAddr,
    },
    /// Ports below 1024 are the system's.
    #[error("port {0} needs rights that this user does not have. Choose one above 1023 with --port")]
    NotAllowed(u16),
    /// Anything else.
    #[error("cannot listen on {address}: {error}")]
    Other {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
}

/// Listeners on 127.0.0.1 and, where the machine has it, on `::1`, on the same port; 0 takes any free one.
pub(crate) fn bind(port: u16) -> Result<Vec<TcpListener>, ListenError> {
    let mut last = bind_both(port);
    for _ in 1..TRIES {
        match &last {
            Err(ListenError::InUse { .. }) if port == 0 => last = bind_both(0),
            _ => break,
        }
    }
    last
}

fn bind_both(port: u16) -> Result<Vec<TcpListener>, ListenError> {
    let v4 = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    let port = port_of(&v4)?;
    let mut listeners = vec![v4];
    match listen(SocketAddr::from((Ipv6Addr::LOCALHOST, port))) {
        Ok(v6) => listeners.push(v6),
        Err(ListenError::Other { error, .. }) if is_absent(&error) => {}
        Err(error) => return Err(error),
    }
    Ok(listeners)
}

/// The port of a listener.
pub(crate) fn port_of(listener: &TcpListener) -> Result<u16, ListenError> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let local = listener.local_addr().map_err(|error| ListenError::Other { address, error })?;
    Ok(local.port())
}

/// Whether the machine has no such address at all.
fn is_absent(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AddrNotAvailable || error.raw_os_error() == Some(nix::libc::EAFNOSUPPORT)
}

fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    // The standard library sets SO_REUSEADDR, so that a restart need not wait for old connections.
    let listener = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listener.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => ListenError::InUse { port: address.port(), address: address.ip() },
        io::ErrorKind::PermissionDenied => ListenError::NotAllowed(address.port()),
        _ => ListenError::Other { address, error },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_free_port_is_the_same_in_both_families_and_loopback_only() {
        let listeners = bind(0).unwrap();
        let ports: Vec<_> = listeners.iter().map(|l| port_of(l).unwrap()).collect();
        assert!(ports.iter().all(|port| *port == ports[0] && *port != 0));
        assert!(listeners.iter().all(|l| l.local_addr().unwrap().ip().is_loopback()));
    }

    #[test]
    fn a_port_in_use_is_told_with_what_to_do() {
        let taken = bind(0).unwrap();
        let port = port_of(&taken[0]).unwrap();
        let told = bind(port).unwrap_err().to_string();
        assert!(told.contains(&format!("port {port} ")) && told.contains("--port"), "{told}");
    }

    #[test]
    fn one_family_in_use_is_an_error_too() {
        let Ok(v6) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) else {
            return; // this machine has no IPv6
        };
        let port = port_of(&v6).unwrap();
        let told = bind(port).unwrap_err();
        assert!(matches!(told, ListenError::InUse { address: IpAddr::V6(_), .. }), "{told}");
    }
}
