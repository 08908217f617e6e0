//! How an agent is installed: data of data/agents.toml.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::platform::{NPM_ARCH, NPM_OS};

/// What an installation of an agent consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The npm package and its exact version.
    pub package: Spec,
    /// Who publishes it.
    pub publisher: String,
    /// Under which terms, what it carries included.
    pub license: String,
    /// Bytes on disk, about.
    pub bytes: u64,
    /// What is started.
    pub start: Start,
    /// The oldest Node.js that it runs under.
    pub node: Version,
    /// What must be there afterwards, below the directory of the installation.
    pub platform: Option<String>,
    /// Other packages that it needs on its search path.
    pub with: Vec<Spec>,
    /// Directories below that of the installation which go before all others on its search path, where they exist.
    pub path: Vec<String>,
}

/// What is started of an installation; paths below its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// With Node.js.
    Script(String),
    /// By itself.
    Program(String),
}

impl Start {
    /// The file, whichever way it is started.
    pub fn file(&self) -> &str {
        match self {
            Self::Script(file) | Self::Program(file) => file,
        }
    }
}

/// A package and its exact version, written `name@version`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Spec {
    /// The package, with its scope.
    pub name: String,
    /// The version.
    pub version: String,
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.version)
    }
}

impl TryFrom<String> for Spec {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.rsplit_once('@') {
            Some((name, version)) if !name.is_empty() && is_exact(version) => {
                Ok(Self { name: name.to_owned(), version: version.to_owned() })
            }
            _ => Err(format!("`{text}` is not a package and its exact version")),
        }
    }
}

/// Whether a text is one exact version, which is also good as the name of a directory.
pub(crate) fn is_exact(version: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || ".-+".contains(letter);
    Version::read(version).is_some() && version.len() <= 64 && version.chars().all(fits)
}

/// A version to be compared: the three numbers; what stands behind them is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Version([u64; 3]);

impl Version {
    /// Reads `1.2.3`, `v1.2.3` and `1.2.3-more`.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let core = text.strip_prefix('v').unwrap_or(text).split(['-', '+']).next()?;
        let mut numbers = core.split('.').map(str::parse);
        let version = [numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?];
        numbers.next().is_none().then_some(Self(version))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl TryFrom<String> for Version {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::read(&text).ok_or_else(|| format!("`{text}` is not a version"))
    }
}

/// A recipe as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    version: String,
    publisher: String,
    license: String,
    bytes: u64,
    script: Option<String>,
    program: Option<String>,
    node: Version,
    platform: Option<String>,
    #[serde(default)]
    with: Vec<Spec>,
    #[serde(default)]
    path: Vec<String>,
}

impl Written {
    /// The recipe for this machine.
    pub(crate) fn of(self, package: &str) -> Result<Recipe, String> {
        let start = match (self.script, self.program) {
            (Some(script), None) => Start::Script(here(&script)),
            (None, Some(program)) => Start::Program(here(&program)),
            _ => return Err(format!("{package}: either `script` or `program`")),
        };
        let mut path: Vec<_> = self.path.iter().map(|path| here(path)).collect();
        if !self.with.is_empty() {
            path.push("node_modules/.bin".to_owned());
        }
        Ok(Recipe {
            package: format!("{package}@{}", self.version).try_into()?,
            publisher: self.publisher,
            license: self.license,
            bytes: self.bytes,
            start,
            node: self.node,
            platform: self.platform.as_deref().map(here),
            with: self.with,
            path,
        })
    }
}

fn here(path: &str) -> String {
    path.replace("{os}", NPM_OS).replace("{arch}", NPM_ARCH).replace("{cpu}", std::env::consts::ARCH)
}

impl Recipe {
    /// All packages that npm is told to install.
    pub(crate) fn specs(&self) -> Vec<Spec> {
        std::iter::once(&self.package).chain(&self.with).cloned().collect()
    }
}

/// The Node.js and npm that are installed beside an agent where the machine's are too old.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeRelease {
    npm: String,
    packages: BTreeMap<String, NodePackage>,
}

/// The package that brings Node.js for one platform.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodePackage {
    /// Its name.
    pub package: String,
    /// Its version, which is that of Node.js.
    pub version: String,
    /// Bytes on disk of it and npm, about.
    pub bytes: u64,
}

impl NodeRelease {
    /// The package for this machine, if there is one.
    pub(crate) fn here(&self) -> Option<&NodePackage> {
        self.packages.get(&format!("{NPM_OS}-{NPM_ARCH}"))
    }

    /// What npm is told to install for it: Node.js, then npm.
    pub(crate) fn specs(&self, package: &NodePackage) -> [Spec; 2] {
        let node = Spec { name: package.package.clone(), version: package.version.clone() };
        [node, Spec { name: "npm".to_owned(), version: self.npm.clone() }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        let read = |text| Version::read(text).unwrap();
        assert!(read("v22.9.0") < read("22.19.0"));
        assert_eq!(read("26.12.1-nightly"), read("26.12.1"));
        for bad in ["", "22", "22.1", "1.2.3.4", "latest", "^1.2.3"] {
            assert_eq!(Version::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_version_that_is_no_name_of_a_directory_is_none() {
        assert!(is_exact("0.101.0") && is_exact("1.2.0-beta.10"));
        for bad in ["../1.2.3", "1.2.3-a/b", "1.2.3 ", "1.2.x", ">=1.2.3", "1.2.3-\u{e4}"] {
            assert!(!is_exact(bad), "{bad}");
        }
    }

    #[test]
    fn a_spec_is_cut_at_its_last_at() {
        let spec = Spec::try_from("@scope/name@1.2.3".to_owned()).unwrap();
        assert_eq!((spec.name.as_str(), spec.version.as_str()), ("@scope/name", "1.2.3"));
        assert!(Spec::try_from("@scope/name".to_owned()).is_err());
    }
}
