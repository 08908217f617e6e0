//! What a connection needs of an agent, wherever that runs.

use tokio::io::{AsyncRead, AsyncWrite};

use crate::{Config, Connection, Incoming, Process, connect};

/// An agent's three streams and a handle on its process.
pub struct Transport {
    /// What we write, the agent reads.
    pub stdin: Box<dyn AsyncWrite + Send + Unpin>,
    /// What the agent says.
    pub stdout: Box<dyn AsyncRead + Send + Unpin>,
    /// What the agent logs.
    pub stderr: Box<dyn AsyncRead + Send + Unpin>,
    /// Its process, and what ends it.
    pub process: Process,
}

impl Transport {
    /// Connects over the streams, with the end of the process among the reasons to close.
    pub fn connect(self, mut config: Config) -> (Connection, Incoming, Process) {
        config.exited.get_or_insert_with(|| self.process.exit_watch());
        let (connection, incoming) = connect(self.stdin, self.stdout, self.stderr, config);
        (connection, incoming, self.process)
    }
}

impl std::fmt::Debug for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transport").field("process", &self.process).finish_non_exhaustive()
    }
}
