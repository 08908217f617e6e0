//! One agent's checks, one after the other, on one daemon as far as they can share one.

use std::{any::Any, panic::AssertUnwindSafe};

use futures_util::FutureExt as _;

use super::{
    Check,
    handover::passes_through,
    lab::Lab,
    profile::Profile,
    stage::{Access, Stage},
};

/// Runs checks of one agent.
pub struct Runner {
    lab: Lab,
    agent: &'static Profile,
    stage: Option<(Access, Stage)>,
}

impl Runner {
    /// Nothing is started yet.
    pub fn new(lab: &Lab, agent: &'static Profile) -> Self {
        Self { lab: lab.clone(), agent, stage: None }
    }

    /// What the check saw.
    ///
    /// # Errors
    ///
    /// With the words of its panic. The next check gets another daemon then.
    pub async fn look(&mut self, check: &Check) -> Result<String, String> {
        let (access, mut stage) = match self.stage.take() {
            Some(kept) if kept.0 == check.access => kept,
            other => {
                close(other).await;
                (check.access, Stage::open(&self.lab, &[self.agent], check.access).await)
            }
        };
        stage.model.forget().await;
        let seen = AssertUnwindSafe(check.run(&mut stage)).catch_unwind().await;
        match seen {
            Ok(seen) => {
                self.stage = Some((access, stage));
                Ok(seen)
            }
            Err(panic) => Err(format!("{}\n--- the daemon's output\n{}", words(&*panic), stage.drover.log_tail())),
        }
    }

    /// Ends the daemon and the agent.
    pub async fn close(self) {
        close(self.stage).await;
    }
}

/// Passes a task through these agents and back.
///
/// # Errors
///
/// With the words of the panic, where one saw more than it missed, or less.
pub async fn handed_over(lab: &Lab, agents: &[&'static Profile]) -> Result<(), String> {
    let mut stage = Stage::open(lab, agents, Access::Model).await;
    match AssertUnwindSafe(passes_through(&mut stage)).catch_unwind().await {
        Ok(()) => {
            stage.close().await;
            Ok(())
        }
        Err(panic) => Err(format!("{}\n--- the daemon's output\n{}", words(&*panic), stage.drover.log_tail())),
    }
}

async fn close(stage: Option<(Access, Stage)>) {
    if let Some((_, stage)) = stage {
        stage.close().await;
    }
}

/// What a panic says, of a whole chat its beginning.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    text.chars().take(16_000).collect()
}
