//! HTTP by hand, for requests that no client library writes.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

/// Writes these bytes to the port and reads until the other side closes or has sent a whole head.
///
/// # Panics
///
/// When the port cannot be reached.
pub async fn exchange(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("the port listens");
    stream.write_all(request.as_bytes()).await.expect("the request is taken");
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(read) = stream.read(&mut chunk).await {
        answer.extend_from_slice(&chunk[..read]);
        if read == 0 || answer.windows(4).any(|window| window == b"\r\n\r\n") {
            break;
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status code of an answer; 0 when the other side closed without one.
pub fn status(answer: &str) -> u16 {
    answer.split_whitespace().nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

/// A connection with a small receive buffer that has sent its request and read nothing.
///
/// # Panics
///
/// When the port cannot be reached.
pub async fn stalled(port: u16, request: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], port));
    let mut stream = socket.connect(address).await.expect("the port listens");
    stream.write_all(request.as_bytes()).await.expect("the request is taken");
    stream
}
