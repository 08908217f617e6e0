//! What the product is tested with: an agent that follows a script, and a harness that runs the real daemon.

pub mod agent;
pub mod harness;
pub mod real;
