//! The daemon as a whole: the real binary, the scripted agent, over HTTP.
#![expect(clippy::expect_used, reason = "a panic is how a test fails")]

mod bad_input;
mod cancel;
mod chat;
mod command_line;
mod concurrency;
mod durable;
mod elicitations;
mod environment;
mod evidence;
mod failures;
mod guard;
mod history;
mod hostile;
mod install;
mod install_failures;
mod interleavings;
mod kill_loop;
mod lock;
mod login;
mod login_waits;
mod options;
mod pairing;
mod pipes;
mod processes;
mod requests;
mod scripted_agent;
mod sessions;
mod store_full;
mod stream;
mod synced;
mod tour;
mod tour_alone;
mod transcript;
