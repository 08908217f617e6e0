//! The queue between a connection's reader and whoever consumes it: bounded in frames and in bytes.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::Frame;

/// The receiving half of a connection: every frame, in order. While nobody takes frames, the agent's stdout is not
/// read, and its pipe makes it wait. Dropping it ends the reading.
#[derive(Debug)]
pub struct Incoming {
    frames: mpsc::Receiver<Queued>,
}

#[derive(Debug)]
struct Queued {
    frame: Frame,
    _bytes: OwnedSemaphorePermit,
}

impl Incoming {
    /// The next frame; `None` after [`crate::Body::Closed`]. Safe to drop while it waits.
    pub async fn next(&mut self) -> Option<Frame> {
        self.frames.recv().await.map(|queued| queued.frame)
    }

    /// The next frame if one is there already.
    pub fn try_next(&mut self) -> Option<Frame> {
        self.frames.try_recv().ok().map(|queued| queued.frame)
    }
}

/// The reader's end.
pub(super) struct Queue {
    frames: mpsc::Sender<Queued>,
    room: Arc<Semaphore>,
    bytes: u32,
}

/// Nobody takes frames any more.
pub(super) struct Abandoned;

impl Queue {
    /// Waits for room.
    pub(super) async fn push(&self, frame: Frame, bytes: usize) -> Result<(), Abandoned> {
        let weight = u32::try_from(bytes).unwrap_or(u32::MAX).clamp(1, self.bytes);
        let room = Arc::clone(&self.room).acquire_many_owned(weight);
        let permit = tokio::select! {
            permit = room => permit.map_err(|_| Abandoned)?,
            () = self.frames.closed() => return Err(Abandoned),
        };
        self.frames.send(Queued { frame, _bytes: permit }).await.map_err(|_| Abandoned)
    }
}

pub(super) fn channel(frames: usize, bytes: usize) -> (Queue, Incoming) {
    let (sender, receiver) = mpsc::channel(frames.max(1));
    let bytes = u32::try_from(bytes).unwrap_or(u32::MAX).clamp(1, u32::MAX >> 4);
    let room = Arc::new(Semaphore::new(bytes as usize));
    (Queue { frames: sender, room, bytes }, Incoming { frames: receiver })
}
