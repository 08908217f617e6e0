//! What has to be known of each agent to drive it.

/// An agent that the checks drive.
#[derive(Debug)]
pub struct Profile {
    /// Its id in the catalogue.
    pub id: &'static str,
    /// How the path of its requests to the model ends.
    pub dialect: &'static str,
    /// The option and value with which it asks before it acts; none where it does so from the start.
    pub asking: Option<(&'static str, &'static str)>,
    /// It asks for nothing, in no mode.
    pub never_asks: bool,
    /// The directive for a command that it has to ask for.
    pub asked_command: &'static str,
    /// How old its session must be before it can be brought back, in seconds.
    pub rest: u64,
    /// An option and a value that is not the one it starts with, and lets it answer.
    pub option: (&'static str, &'static str),
}

/// Every agent of the catalogue that runs without a network.
pub const PROFILES: [Profile; 7] = [
    Profile {
        id: "claude",
        dialect: "/v1/messages",
        asking: Some(("mode", "default")),
        never_asks: false,
        asked_command: "!shell",
        rest: 0,
        option: ("mode", "default"),
    },
    Profile {
        id: "codex",
        dialect: "/v1/responses",
        asking: Some(("mode", "read-only")),
        never_asks: false,
        asked_command: "!escalate",
        rest: 0,
        option: ("mode", "read-only"),
    },
    Profile {
        id: "gemini",
        dialect: "GenerateContent?alt=sse",
        asking: None,
        never_asks: false,
        asked_command: "!shell",
        rest: 71,
        option: ("mode", "plan"),
    },
    Profile {
        id: "opencode",
        dialect: "/v1/chat/completions",
        asking: None,
        never_asks: false,
        asked_command: "!shell",
        rest: 0,
        option: ("effort", "high"),
    },
    Profile {
        id: "copilot",
        dialect: "/v1/chat/completions",
        asking: None,
        never_asks: false,
        asked_command: "!shell",
        rest: 0,
        option: ("mode", "https://agentclientprotocol.com/protocol/session-modes#plan"),
    },
    Profile {
        id: "qwen",
        dialect: "/v1/chat/completions",
        asking: Some(("mode", "default")),
        never_asks: false,
        asked_command: "!shell",
        rest: 0,
        option: ("mode", "default"),
    },
    Profile {
        id: "pi",
        dialect: "/v1/chat/completions",
        asking: None,
        never_asks: true,
        asked_command: "!shell",
        rest: 0,
        option: ("thought_level", "high"),
    },
];

/// The one with this id.
///
/// # Panics
///
/// When there is none.
pub fn profile(id: &str) -> &'static Profile {
    PROFILES.iter().find(|profile| profile.id == id).expect("a known agent")
}
