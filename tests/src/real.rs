//! Real agents against a model of the test's own: no network, no account, an empty home.
//!
//! Every check drives the real daemon over HTTP and says in a few words what it saw. The words for all agents are the
//! table of `docs/agents.md`; the tests hold the product to them.

#![expect(clippy::expect_used, reason = "a panic is how a check fails")]

mod errors;
mod handover;
mod home;
mod lab;
mod life;
mod logins;
mod model;
mod pins;
mod profile;
mod questions;
mod runner;
mod stage;
mod stops;
pub mod table;
mod turns;

pub use lab::Lab;
pub use model::Model;
pub use pins::{Pin, pin_of, pins};
pub use profile::{PROFILES, Profile, profile};
pub use runner::{Runner, handed_over};
pub use stage::{Access, Stage};

use std::pin;

/// What a check is: it drives the stage's first agent, and tells what it saw.
type Run = for<'a> fn(&'a mut Stage) -> pin::Pin<Box<dyn Future<Output = String> + 'a>>;

/// One row of the table.
pub struct Check {
    /// Its name in the list of tests.
    pub id: &'static str,
    /// What it looks at, in the words of the table.
    pub title: &'static str,
    /// What Drover does where agents differ, or for its user in any case.
    pub drover: &'static str,
    /// How the agent gets at the model.
    pub access: Access,
    run: Run,
}

impl Check {
    /// Drives the stage's first agent and tells in a few words what was seen.
    pub async fn run(&self, stage: &mut Stage) -> String {
        (self.run)(stage).await
    }
}

macro_rules! checks {
    ($($run:path, $access:ident, $title:literal, $drover:literal;)*) => {
        /// Every check, in the order of the table.
        pub const CHECKS: &[Check] = &[$(Check {
            id: last_word(stringify!($run)),
            title: $title,
            drover: $drover,
            access: Access::$access,
            run: |stage| Box::pin($run(stage)),
        }),*];
    };
}

checks! {
    turns::stream, Model, "Text as it is written", "at most 33 ms late, and on disk before it is shown";
    turns::thoughts, Model, "Thoughts", "apart from the answer; never handed over";
    turns::tools, Model, "Reads, writes, edits", "each call is one entry, whatever the agent sends first";
    turns::output, Model, "What a command printed", "taken from `content` or from `_meta`, wherever the agent puts it";
    turns::pictures, Model, "Pictures in a message", "a block where the agent takes it, else a link to the file";
    turns::big_output, Model, "A command that prints 3 MB", "what the agent passes on is kept whole, beside the chat";
    questions::allowed, Model, "Asks, and is allowed", "the agent's options, word for word";
    questions::rejected, Model, "Asks, and is refused", "the run ends as the agent ends it";
    questions::form, Model, "Asks by a form", "shown where the agent sends one";
    life::options_again, Model, "Options after a restart", "set again before the first prompt";
    life::loads, Model, "Its session in a new process", "brought back, and nothing is told twice";
    life::killed, Model, "Killed in mid-turn", "`interrupted`; the next message starts it again";
    turns::queued, Model, "Two messages at once", "the second waits in Drover's own queue";
    stops::in_text, Model, "Stopped while it writes", "at once, with what it wrote; killed after 10 s";
    stops::in_command, Model, "Stopped in a command", "the call counts as stopped; what is left ends with the agent";
    stops::in_question, Model, "Stopped with a question open", "the question is answered as cancelled first";
    life::subagent, Model, "A subagent in the background", "what comes after the answer is kept, in its place";
    errors::unauthorized, Model, "Model: 401", "shown as a failure where the agent tells it";
    errors::bad_request, Model, "Model: 400", "shown as a failure where the agent tells it";
    errors::rate_limit, Model, "Model: 429 once", "a silence is shown with its length";
    errors::overloaded, Model, "Model: 529 for good", "a silence is shown with its length, and can be stopped";
    errors::cut_off, Model, "Model: cut off in the answer", "what was said is kept";
    errors::refused, Refused, "Model: not reachable", "a silence is shown with its length, and can be stopped";
    logins::logs_in, NoKey, "Logs in and out from Drover", "by the agent's own ways, never by itself";
    logins::in_terminal, NoKey, "Its own login in a terminal", "on the page, and nothing of it is left after *End the login*";
    logins::logged_out, NoKey, "Not logged in", "says so, and offers the agent's own ways to log in";
}

/// The last word of a path.
const fn last_word(path: &'static str) -> &'static str {
    let bytes = path.as_bytes();
    let mut start = bytes.len();
    while start > 0 && bytes[start - 1] != b':' && bytes[start - 1] != b' ' {
        start -= 1;
    }
    path.split_at(start).1
}
