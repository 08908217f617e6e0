//! The store on real files: what is written, what is read back, what a crash or a full disk leaves.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "what a helper cannot do fails its test")]

mod blobs;
mod facts;
mod faults;
mod feed;
mod fixtures;
mod harness;
mod opening;
mod queue;
mod recovery;
mod requests;
mod sends;
mod tasks;
mod texts;
mod weight;
