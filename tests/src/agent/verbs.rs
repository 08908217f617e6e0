//! The directives, by what they are about: [`speech`], [`tools`], [`questions`], [`lines`], [`life`].
//!
//! An unknown verb is written to stderr and skipped.

pub mod life;
pub mod lines;
pub mod questions;
pub mod speech;
pub mod tools;

use std::io;

use super::turn::{Directive, Flow, Turn};

/// Carries out one directive.
pub(super) fn run(turn: &mut Turn, directive: &Directive<'_>) -> io::Result<Flow> {
    let families = [speech::run, tools::run, questions::run, lines::run, life::run];
    for family in families {
        if let Some(flow) = family(turn, directive)? {
            return Ok(flow);
        }
    }
    eprintln!("scripted-agent: unknown verb {:?}", directive.verb);
    Ok(Flow::Next)
}

/// A directive that was not of this family, or where the turn goes after it.
pub(super) type Done = io::Result<Option<Flow>>;

/// Done, go on.
pub(super) const NEXT: Done = Ok(Some(Flow::Next));
