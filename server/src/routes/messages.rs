//! Sending.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use axum::extract::State;
use axum::http::StatusCode;
use drover_domain::{AgentId, AttachmentId, MessageId, RunId, Task, TaskId};
use drover_store::MentionedFile;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::extract::{At, Json};
use crate::problem::{FieldError, Problem, Problems};
use crate::state::AppState;

const NONCE_BYTES: usize = 200;
const FILES: usize = 100;
const OPTIONS: usize = 100;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(send_message))
}

/// A message to send.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SendMessage {
    /// The client's own name for this send, unique in the task: sent again, it does nothing new.
    nonce: String,
    /// Who is to answer.
    agent: String,
    /// What is said, in Markdown.
    text: String,
    /// Attachments, in order.
    attachments: Option<Vec<AttachmentId>>,
    /// Files of the task's directory, or absolute paths.
    mentions: Option<Vec<String>>,
    /// Option values, by the option's id, that the agent is to start with; only before it has been started in the task.
    options: Option<BTreeMap<String, Value>>,
}

/// What a send made.
#[derive(Serialize, ToSchema)]
struct Sent {
    /// The user's message.
    user_message_id: MessageId,
    /// The message that the agent fills.
    assistant_message_id: MessageId,
    /// The run that answers it.
    run_id: RunId,
}

/// Sends a message to an agent.
#[utoipa::path(post, path = "/tasks/{task_id}/messages", tag = "messages", request_body = SendMessage,
    params(("task_id" = TaskId, Path, description = "The task")),
    responses((status = 202, body = Sent, description = "Recorded; the run starts when the task is free"),
        (status = 200, body = Sent, description = "Recorded before under this nonce"), Problems))]
async fn send_message(
    State(app): State<AppState>,
    At((id,)): At<(TaskId,)>,
    Json(body): Json<SendMessage>,
) -> Result<(StatusCode, Json<Sent>), Problem> {
    let task = app.store.task(id).await?.ok_or_else(|| Problem::not_found("task"))?;
    let command = command(&app, task, body).await?;
    let sent = app.store.send_message(command).await?;
    let status = if sent.again { StatusCode::OK } else { StatusCode::ACCEPTED };
    Ok((
        status,
        Json(Sent {
            user_message_id: sent.user_message_id,
            assistant_message_id: sent.assistant_message_id,
            run_id: sent.run_id,
        }),
    ))
}

async fn command(app: &AppState, task: Task, body: SendMessage) -> Result<drover_store::SendMessage, Problem> {
    // What was accepted once is answered as it was, whatever has gone since.
    let again = app.store.knows_nonce(task.id, &body.nonce).await?;
    let agent = body.agent.parse::<AgentId>().ok().filter(|agent| again || app.supervisor.knows(agent));
    let faults = body.faults(agent.is_some());
    let (Some(agent), true) = (agent, faults.is_empty()) else {
        return Err(Problem::invalid_fields(faults));
    };
    let mentions = body.mentions.unwrap_or_default();
    Ok(drover_store::SendMessage {
        task_id: task.id,
        nonce: body.nonce,
        agent,
        text: body.text,
        attachments: body.attachments.unwrap_or_default(),
        mentions: blocking(move || look_up(&task.cwd, &mentions, again)).await??,
        options: body.options.unwrap_or_default().into_iter().collect(),
        user_message_id: app.fresh(),
        assistant_message_id: app.fresh(),
        run_id: app.fresh(),
        now: app.now(),
    })
}

impl SendMessage {
    fn faults(&self, agent_is_known: bool) -> Vec<FieldError> {
        let attachments = self.attachments.as_ref().map_or(0, Vec::len);
        let mentions = self.mentions.as_ref().map_or(0, Vec::len);
        let rules = [
            (self.nonce.is_empty() || self.nonce.len() > NONCE_BYTES, "nonce", "must be 1 to 200 bytes"),
            (!agent_is_known, "agent", "there is no such agent"),
            (self.text.trim().is_empty() && attachments == 0, "text", "there is nothing to send"),
            (attachments > FILES, "attachments", "at most 100"),
            (mentions > FILES, "mentions", "at most 100"),
            (self.options.as_ref().is_some_and(|options| options.len() > OPTIONS), "options", "at most 100"),
        ];
        rules
            .into_iter()
            .filter(|(broken, _, _)| *broken)
            .map(|(_, field, detail)| FieldError { field: field.to_owned(), detail: detail.to_owned() })
            .collect()
    }
}

/// Mentioned paths as files on the disk.
fn look_up(cwd: &str, mentions: &[String], again: bool) -> Result<Vec<MentionedFile>, Problem> {
    let look = |(n, mention): (usize, &String)| {
        let path = Path::new(cwd).join(mention);
        let gone = again.then(|| path.to_str().map(gone)).flatten();
        file(path).or(gone).ok_or_else(|| Problem::invalid(&format!("mentions[{n}]"), "there is no such file"))
    };
    mentions.iter().enumerate().map(look).collect()
}

/// A file that was mentioned before and is not there any more: its path is all that counts.
fn gone(path: &str) -> MentionedFile {
    MentionedFile { path: path.to_owned(), name: path.to_owned(), mime_type: None, size: None }
}

fn file(path: PathBuf) -> Option<MentionedFile> {
    let seen = path.metadata().ok()?;
    let name = path.file_name()?.to_str()?.to_owned();
    Some(MentionedFile {
        path: path.to_str()?.to_owned(),
        name,
        mime_type: None,
        size: seen.is_file().then(|| i64::try_from(seen.len()).ok()).flatten(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(nonce: &str, text: &str, attachments: usize) -> SendMessage {
        let id: AttachmentId = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        SendMessage {
            nonce: nonce.into(),
            agent: "alpha".into(),
            text: text.into(),
            attachments: Some(vec![id; attachments]),
            mentions: None,
            options: None,
        }
    }

    #[test]
    fn every_fault_is_told() {
        let fields = |message: SendMessage, known| {
            let faults = message.faults(known);
            faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(fields(message("n", "hi", 0), true), "");
        assert_eq!(fields(message("n", " \n\t", 0), true), "text");
        assert_eq!(fields(message("n", "", 1), true), "");
        assert_eq!(fields(message("", "", 0), false), "nonce agent text");
        assert_eq!(fields(message(&"n".repeat(201), "hi", 101), true), "nonce attachments");
    }

    #[test]
    fn a_mention_is_a_file_that_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let cwd = dir.path().to_str().unwrap();
        std::fs::write(dir.path().join("a ü.txt"), "12345").unwrap();
        let found = look_up(cwd, &["a ü.txt".into(), format!("{cwd}/a ü.txt")], false).unwrap();
        assert_eq!(found[0].path, format!("{cwd}/a ü.txt"));
        assert_eq!((found[0].name.as_str(), found[0].size), ("a ü.txt", Some(5)));
        assert_eq!(found[1].path, found[0].path);
        let again = look_up(cwd, &["b".into()], true).unwrap();
        assert_eq!(again[0].path, format!("{cwd}/b"), "a send that was accepted is known by its paths alone");
        let problem = look_up(cwd, &["a ü.txt".into(), "b".into()], false).unwrap_err();
        assert!(format!("{problem:?}").contains("mentions[1]"));
    }
}
