//! How often the running value of a tool call is written: at once, then at most twice a second, less often the larger it is.

use std::collections::HashMap;
use std::time::Duration;

use drover_domain::{MessageId, Part};
use tokio::time::Instant;

/// The shortest time between two values of one call.
const PAUSE: Duration = Duration::from_millis(500);
/// A value that grows is written whole each time; this bounds what a call writes to about this many bytes a second.
const BYTES_A_SECOND: usize = 256 * 1024;

/// The values that wait.
#[derive(Debug, Default)]
pub(crate) struct Pacer {
    calls: HashMap<(MessageId, usize), Paced>,
}

#[derive(Debug)]
struct Paced {
    free_at: Instant,
    waiting: Option<Part>,
}

impl Pacer {
    /// Takes a value; gives it back if it is to be written now. One that is `last` always is.
    pub(crate) fn offer(&mut self, at: (MessageId, usize), part: Part, last: bool, now: Instant) -> Option<Part> {
        if last {
            self.calls.remove(&at);
            return Some(part);
        }
        let pause = pause_after(&part);
        match self.calls.get_mut(&at) {
            Some(paced) if now < paced.free_at => {
                paced.waiting = Some(part);
                None
            }
            _ => {
                self.calls.insert(at, Paced { free_at: now + pause, waiting: None });
                Some(part)
            }
        }
    }

    /// When the next value that waits is due.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.calls.values().filter(|paced| paced.waiting.is_some()).map(|paced| paced.free_at).min()
    }

    /// The values that are due.
    pub(crate) fn take_due(&mut self, now: Instant) -> Vec<((MessageId, usize), Part)> {
        let mut due = Vec::new();
        for (at, paced) in &mut self.calls {
            if now >= paced.free_at
                && let Some(part) = paced.waiting.take()
            {
                paced.free_at = now + pause_after(&part);
                due.push((*at, part));
            }
        }
        due
    }

    /// Forgets a message: what is said of its calls now is said at once.
    pub(crate) fn forget(&mut self, message: MessageId) {
        self.calls.retain(|(id, _), _| *id != message);
    }
}

fn pause_after(part: &Part) -> Duration {
    let Part::ToolCall(call) = part else { return PAUSE };
    let size =
        weight(&call.content) + call.raw_output.as_ref().map_or(0, weight) + call.raw_input.as_ref().map_or(0, weight);
    PAUSE.max(Duration::from_secs_f64(size as f64 / BYTES_A_SECOND as f64))
}

fn weight(value: &serde_json::Value) -> usize {
    use serde_json::Value;
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(members) => members.values().map(weight).sum(),
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use drover_domain::message::ToolCall;
    use ulid::Ulid;

    use super::*;

    fn call(output: &str) -> Part {
        Part::ToolCall(ToolCall { raw_output: Some(output.into()), ..ToolCall::default() })
    }

    #[test]
    fn a_call_that_is_sent_whole_a_thousand_times_is_written_a_few_times() {
        let (mut pacer, start) = (Pacer::default(), Instant::now());
        let at = (MessageId::from_ulid(Ulid::from(1u128)), 0);
        let mut bytes = 0;
        for n in 1..=1000usize {
            let now = start + Duration::from_millis(n as u64 * 5);
            let output = "x".repeat(n * 1000);
            for part in pacer
                .offer(at, call(&output), n == 1000, now)
                .into_iter()
                .chain(pacer.take_due(now).into_iter().map(|(_, part)| part))
            {
                let Part::ToolCall(call) = part else { unreachable!() };
                bytes += call.raw_output.as_ref().map_or(0, weight);
            }
        }
        assert!(bytes < 5 * 256 * 1024 + 2 * 1_000_000, "{bytes} bytes for an output of 1 MB within 5 s");
        assert_eq!(pacer.due(), None);
    }
}
