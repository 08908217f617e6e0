//! A turn: from a prompt to its answer, on a thread of its own, so that the reader always hears a cancel.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use serde_json::{Value, json};

use super::{Agent, Signal, Turn, no_session};
use crate::language::Language;
use crate::prompt::Prompt;
use crate::scene;
use crate::session::Exchange;
use crate::stage::{Over, Stage};
use crate::wire::{INTERNAL_ERROR, INVALID_REQUEST, Refusal};

/// Begins a turn, or refuses the prompt.
pub(super) fn begin(agent: &Arc<Agent>, id: &Value, params: &Value) -> io::Result<()> {
    let session = params["sessionId"].as_str().unwrap_or_default().to_owned();
    let signals = match claim(agent, id, &session) {
        Ok(signals) => signals,
        Err(refusal) => return agent.wire.answer(id, Err(refusal)),
    };
    let prompt = Prompt::read(params["prompt"].as_array().map(Vec::as_slice).unwrap_or_default());
    let (agent, id) = (Arc::clone(agent), id.clone());
    thread::spawn(move || {
        let outcome = play(&agent, &session, &prompt, signals);
        // Before the answer: whoever has it may send the next prompt.
        agent.live().turns.remove(&session);
        if let Err(gone) = agent.wire.answer(&id, outcome) {
            eprintln!("drover tour: nobody reads the answer: {gone}");
        }
    });
    Ok(())
}

fn claim(agent: &Agent, id: &Value, session: &str) -> Result<Receiver<Signal>, Refusal> {
    let mut live = agent.live();
    if !live.sessions.contains_key(session) {
        return Err(no_session(session));
    }
    if live.turns.contains_key(session) {
        return Err(Refusal::new(INVALID_REQUEST, "a prompt is running in this session"));
    }
    let (sender, signals) = mpsc::channel();
    live.turns.insert(session.to_owned(), Turn { prompt: id.clone(), signals: sender });
    Ok(signals)
}

fn play(agent: &Agent, session: &str, prompt: &Prompt, signals: Receiver<Signal>) -> Result<Value, Refusal> {
    let begun = agent.session(session, |session| {
        let before = session.language;
        session.language = Language::of_text(&prompt.text).unwrap_or(before);
        session.prompts += 1;
        (session.prompts, session.language, session.language != before)
    });
    let Some((number, language, changed)) = begun else { return Err(no_session(session)) };
    let mut stage = Stage::new(agent, session, number, language, signals);
    let over = if changed { stage.told_anew() } else { Ok(()) };
    let over = over.and_then(|()| scene::play(&mut stage, prompt, number == 1));
    keep(agent, session, Exchange { asked: prompt.text.clone(), answered: stage.said() });
    match over {
        Ok(()) => Ok(json!({"stopReason": "end_turn"})),
        Err(Over::Cancelled) => Ok(json!({"stopReason": "cancelled"})),
        Err(Over::Failed(why)) => Err(Refusal::new(INTERNAL_ERROR, why)),
        Err(Over::Gone(error)) => Err(Refusal::new(INTERNAL_ERROR, error.to_string())),
    }
}

fn keep(agent: &Agent, session: &str, exchange: Exchange) {
    let session = agent.session(session, |session| {
        session.remember(exchange);
        session.clone()
    });
    // The answer was given: that it will not be remembered is no reason to fail it.
    if let Some(Err(error)) = session.map(|session| agent.store.save(&session)) {
        eprintln!("drover tour: the session cannot be kept: {error}");
    }
}
