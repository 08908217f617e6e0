//! Whether what was installed is an agent: it is started once and asked what it can do. No session is made.

use drover_acp::views::view_initialize;
use drover_acp::{Body, ErrorOrigin, messages, timeouts};
use serde_json::Value;
use tokio::sync::watch;

use super::disk::Installed;
use super::failure::Failure;
use super::process::{self, End, Halt, Order};
use crate::catalogue::Entry;
use crate::context::Context;
use crate::env::Environment;

/// What it answers to `initialize`.
pub(crate) async fn verify(
    context: &Context,
    entry: &Entry,
    installed: &Installed,
    environment: &Environment,
    halt: &mut watch::Receiver<Halt>,
) -> Result<Value, End> {
    let fails = |why: String| Failure::DoesNotStart { why, said: None };
    let plan = entry.launch_installed(installed, entry.vars(environment));
    let plan = plan.map_err(|problem| fails(format!("{problem}.")))?;
    let order = Order { command: plan.command, args: plan.args, env: plan.env, cwd: installed.dir.clone() };
    let mut running = process::start(context, order).await.map_err(|error| fails(format!("{error}.")))?;
    let params = messages::initialize(env!("CARGO_PKG_VERSION"));
    let asked = running.connection.request_within("initialize", &params, Some(timeouts::COLD_INITIALIZE));
    let asked = asked.map_err(|error| fails(format!("{error}.")))?;
    let outcome = loop {
        match running.next(halt).await?.map(|frame| frame.body) {
            Some(Body::Response { id, outcome, .. }) if id == asked => break Some(outcome),
            Some(_) => {}
            None => break None,
        }
    };
    let said = running.said();
    let answer = match outcome {
        None => {
            let exit = running.exit(halt).await?;
            let why = format!("it ended before it answered ({exit}).");
            return Err(Failure::DoesNotStart { why, said: Some(said) }.into());
        }
        Some(Err(error)) if error.origin == ErrorOrigin::Closed => {
            let exit = running.exit(halt).await?;
            let why = format!("it ended before it answered ({exit}).");
            return Err(Failure::DoesNotStart { why, said: Some(said) }.into());
        }
        Some(answer) => answer,
    };
    running.stop().await;
    let view = match answer {
        Ok(raw) => view_initialize(&raw),
        Err(error) => {
            return Err(Failure::DoesNotStart { why: format!("it answers {error}."), said: Some(said) }.into());
        }
    };
    if !view.protocol_version.is_ours() {
        let why = format!(
            "it speaks version {} of the Agent Client Protocol, and Drover version {}.",
            view.protocol_version,
            messages::PROTOCOL_VERSION
        );
        return Err(fails(why).into());
    }
    Ok(view.raw)
}
