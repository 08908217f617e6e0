//! What forms were filled in with, on its way from the browser to the agent: in memory and nowhere else (lifecycle rule 25).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use ulid::Ulid;

/// What is held, each under a name of its own. It is not shown by `Debug`.
#[derive(Default)]
pub(crate) struct Contents(Mutex<HashMap<Ulid, Value>>);

impl Contents {
    /// Holds a content until it is taken, or until what is given back is dropped without [`Held::keep`].
    pub(crate) fn hold(self: &Arc<Self>, name: Ulid, content: Value) -> Held {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name, content);
        Held { contents: Arc::clone(self), name, kept: false }
    }

    pub(crate) fn take(&self, name: Ulid) -> Option<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&name)
    }
}

/// A content that goes when its answer is refused.
pub(crate) struct Held {
    contents: Arc<Contents>,
    name: Ulid,
    kept: bool,
}

impl Held {
    pub(crate) const fn name(&self) -> Ulid {
        self.name
    }

    /// The answer counts: whoever gives it to the agent takes the content.
    pub(crate) fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.kept {
            self.contents.take(self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_refused_answer_held_is_gone_and_each_answer_has_its_own() {
        let contents = Arc::new(Contents::default());
        let (first, second) = (Ulid::from_parts(1, 1), Ulid::from_parts(1, 2));
        let refused = contents.hold(first, Value::from("one"));
        contents.hold(second, Value::from("two")).keep();
        drop(refused);
        assert_eq!((contents.take(first), contents.take(second)), (None, Some(Value::from("two"))));
        assert_eq!(contents.take(second), None, "it is given once");
    }
}
