//! "Answered exactly once", held by a guard.

use serde::Serialize;
use serde_json::Value;

use super::{Connection, SendError};
use crate::PeerId;
use crate::frame::INTERNAL_ERROR;

/// Owes the agent an answer. Dropped without one, it answers with an internal error, so that no agent waits for
/// ever because a handler failed.
#[derive(Debug)]
#[must_use = "dropping a responder answers the request with an error"]
pub struct Responder {
    owed: Option<(Connection, PeerId)>,
}

impl Responder {
    pub(super) fn new(connection: Connection, id: PeerId) -> Self {
        Self { owed: Some((connection, id)) }
    }

    /// Answers with a result.
    pub fn respond(mut self, result: &impl Serialize) -> Result<(), SendError> {
        match self.owed.take() {
            Some((connection, id)) => connection.respond(&id, result),
            None => Ok(()),
        }
    }

    /// Answers with an error.
    pub fn respond_error(mut self, code: i64, message: &str, data: Option<Value>) -> Result<(), SendError> {
        match self.owed.take() {
            Some((connection, id)) => connection.respond_error(&id, code, message, data),
            None => Ok(()),
        }
    }

    /// Takes the duty over: the id, to be answered later with [`Connection::respond`].
    pub fn defer(mut self) -> Option<PeerId> {
        self.owed.take().map(|(_, id)| id)
    }
}

impl Drop for Responder {
    fn drop(&mut self) {
        if let Some((connection, id)) = self.owed.take()
            && let Err(error) = connection.respond_error(&id, INTERNAL_ERROR, "the request was not handled", None)
        {
            tracing::debug!(%id, %error, "an unhandled request could not be answered");
        }
    }
}
