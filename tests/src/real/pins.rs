//! Which agents at which versions: what the product itself installs.

use std::sync::LazyLock;

use serde::Deserialize;

/// The data of the built-in agents.
const DATA: &str = include_str!("../../../crates/supervisor/data/agents.toml");

/// An agent and the version of it that the product installs.
#[derive(Clone, Debug, Deserialize)]
pub struct Pin {
    /// Its id in the catalogue.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The npm package.
    pub package: String,
    install: Install,
}

#[derive(Clone, Debug, Deserialize)]
struct Install {
    version: String,
}

impl Pin {
    /// The version.
    pub fn version(&self) -> &str {
        &self.install.version
    }
}

static PINS: LazyLock<Vec<Pin>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        agents: Vec<Pin>,
    }
    toml::from_str::<File>(DATA).expect("the data of the built-in agents").agents
});

/// All of them, in the order in which the page offers them.
pub fn pins() -> &'static [Pin] {
    &PINS
}

/// The one with this id.
///
/// # Panics
///
/// When there is none.
pub fn pin_of(id: &str) -> &'static Pin {
    PINS.iter().find(|pin| pin.id == id).expect("an agent of the catalogue")
}
