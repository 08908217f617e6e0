//! The store on real files: what is written, what is read back, what a crash or a full disk leaves.

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
