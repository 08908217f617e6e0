//! How long an agent may take to answer, by method.

use std::time::Duration;

/// How long `initialize` may take right after an install, when a package is unpacked at its first start.
pub const COLD_INITIALIZE: Duration = Duration::from_secs(300);

/// The time an agent has for a method; `None` where it may take as long as it wants. A prompt lasts a whole turn,
/// and silence in a turn is normal.
pub fn timeout_of(method: &str) -> Option<Duration> {
    let seconds = match method {
        "session/prompt" => return None,
        "initialize" | "session/new" | "session/load" | "session/resume" | "session/fork" => 120,
        "authenticate" => 600,
        // session/set_config_option, set_mode, set_model, list, close and what may come.
        _ => 30,
    };
    Some(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_two_minutes_to_come_back_and_a_prompt_all_the_time_it_wants() {
        assert_eq!(timeout_of("session/prompt"), None);
        assert_eq!(timeout_of("session/load"), Some(Duration::from_secs(120)));
        assert_eq!(timeout_of("session/set_model"), Some(Duration::from_secs(30)));
    }
}
