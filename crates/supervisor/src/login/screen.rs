//! What the terminal of a login shows: in memory alone, and only its end.

use std::sync::{Arc, Mutex, PoisonError};

use drover_acp::PtyInput;
use tokio::sync::{mpsc, watch};

/// How much of what was shown is kept for a tab that comes later, in bytes.
const KEPT: usize = 256 * 1024;
/// Keys that may wait: they come from a person.
const KEYS: usize = 256;

/// A terminal's output and its keys. Clones are the same terminal.
#[derive(Clone)]
pub(super) struct Screen(Arc<Shared>);

struct Shared {
    shown: Mutex<Shown>,
    /// How many bytes were shown in all; `None` inside `over` once nothing follows.
    grown: watch::Sender<Growth>,
    keys: mpsc::Sender<PtyInput>,
}

#[derive(Default)]
struct Shown {
    bytes: Vec<u8>,
    /// How many were dropped before them.
    dropped: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Growth {
    total: u64,
    over: bool,
}

impl Screen {
    /// A terminal that shows nothing yet, and where its keys come out.
    pub(super) fn new() -> (Self, mpsc::Receiver<PtyInput>) {
        let (keys, typed) = mpsc::channel(KEYS);
        let shared = Shared { shown: Mutex::default(), grown: watch::Sender::new(Growth::default()), keys };
        (Self(Arc::new(shared)), typed)
    }

    pub(super) fn show(&self, bytes: &[u8]) {
        let mut shown = self.0.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.bytes.extend_from_slice(bytes);
        let over = shown.bytes.len().saturating_sub(KEPT);
        shown.bytes.drain(..over);
        shown.dropped += over as u64;
        let total = shown.dropped + shown.bytes.len() as u64;
        drop(shown);
        self.0.grown.send_modify(|growth| growth.total = total);
    }

    /// Nothing more will be shown.
    pub(super) fn end(&self) {
        self.0.grown.send_modify(|growth| growth.over = true);
    }

    /// The last lines as text, without what only a terminal understands.
    pub(super) fn tail(&self, most: usize) -> String {
        let shown = self.0.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let from = shown.bytes.len().saturating_sub(most);
        drover_acp::plain_text(&shown.bytes[from..])
    }

    /// Types; `false` where the terminal is gone or takes no more.
    pub(super) fn type_in(&self, input: PtyInput) -> bool {
        self.0.keys.try_send(input).is_ok()
    }

    /// Whoever reads what is shown, from the oldest byte kept.
    pub(super) fn watch(&self) -> Output {
        Output { screen: self.clone(), grown: self.0.grown.subscribe(), at: 0 }
    }

    /// How many read it now.
    pub(super) fn watchers(&self) -> usize {
        self.0.grown.receiver_count()
    }

    /// Waits until nobody has read it for so long.
    pub(super) async fn abandoned(&self, patience: std::time::Duration) {
        let mut left = None;
        loop {
            tokio::time::sleep(patience / 60).await;
            left = match (self.watchers(), left) {
                (1.., _) => None,
                (0, None) => Some(tokio::time::Instant::now()),
                (0, Some(since)) if since.elapsed() >= patience => return,
                (0, since) => since,
            };
        }
    }
}

/// What a terminal shows, piece by piece; ends with the terminal.
pub struct Output {
    screen: Screen,
    grown: watch::Receiver<Growth>,
    at: u64,
}

impl Output {
    /// The next piece, `None` at the end.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let growth = *self.grown.borrow_and_update();
            if growth.total > self.at {
                let shown = self.screen.0.shown.lock().unwrap_or_else(PoisonError::into_inner);
                let from = usize::try_from(self.at.saturating_sub(shown.dropped)).unwrap_or(0);
                let piece = shown.bytes[from.min(shown.bytes.len())..].to_vec();
                self.at = shown.dropped + shown.bytes.len() as u64;
                return Some(piece);
            }
            if growth.over || self.grown.changed().await.is_err() {
                return None;
            }
        }
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What a login shows may hold codes and keys.
        f.debug_struct("Output").field("at", &self.at).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_who_comes_late_sees_the_end_of_what_was_shown_and_then_what_follows() {
        let (screen, _typed) = Screen::new();
        screen.show(&vec![b'x'; KEPT]);
        screen.show(b"last");
        let mut output = screen.watch();
        let piece = output.next().await.unwrap();
        assert_eq!((piece.len(), &piece[piece.len() - 4..]), (KEPT, &b"last"[..]));
        screen.show(b"more");
        assert_eq!(output.next().await.unwrap(), b"more");
        screen.end();
        assert_eq!(output.next().await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_terminal_that_somebody_reads_is_not_abandoned() {
        let (screen, _typed) = Screen::new();
        let patience = std::time::Duration::from_secs(600);
        let output = screen.watch();
        assert!(tokio::time::timeout(patience * 3, screen.abandoned(patience)).await.is_err());
        drop(output);
        screen.abandoned(patience).await;
    }
}
