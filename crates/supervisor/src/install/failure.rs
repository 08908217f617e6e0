//! Why an installation failed, and what to do about it.

use std::io;
use std::path::PathBuf;

use drover_domain::install::InstallFailure;

use super::recipe::Version;

/// Each way for an installation to fail. The words are for the user.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{}", npm_missing(*.node, *.floor))]
    NpmMissing { node: Option<Version>, floor: Version },
    #[error(
        "This agent needs Node.js {floor} or newer, {}. There is no package of Node.js for this kind of machine that Drover could install beside it: install Node.js {floor} or newer yourself, then try again.",
        what_is_here(*.have)
    )]
    NodeTooOld { have: Option<Version>, floor: Version },
    #[error("There is not enough space on the disk of {}: about {need} MB are needed, {free} MB are free. Make room, then try again.", .dir.display())]
    NoSpace { dir: PathBuf, need: u64, free: u64 },
    #[error("The disk is full{}. Make room, then try again.", full_where(.dir.as_ref()))]
    Full { dir: Option<PathBuf>, said: String },
    #[error("Files cannot be written: {source}. Look at who owns {}, then try again.", .dir.display())]
    NotWritable { dir: PathBuf, source: io::Error },
    #[error(
        "npm may not write where it has to: see what it says. Look at who owns its cache and Drover's data directory, then try again."
    )]
    NpmNotAllowed { said: String },
    #[error(
        "npm's registry cannot be reached. Look at the network, at proxy settings (HTTPS_PROXY) and at the registry in ~/.npmrc, then try again: what was downloaded is kept."
    )]
    RegistryAway { said: String },
    #[error(
        "npm's registry refuses: it wants a login, or does not give this package. Look at the registry and its credentials in ~/.npmrc, then try again."
    )]
    RegistryRefused { said: String },
    #[error(
        "npm's registry does not have {what}. If it is a mirror, it may not have this version yet: try again later, or name another `version` for the agent in agents.toml."
    )]
    NotInRegistry { what: String, said: String },
    #[error(
        "What npm downloaded is not what the registry announced (a wrong checksum), so nothing was installed. Try again; if it stays so, clean npm's cache (npm cache clean --force) or ask who runs the registry."
    )]
    Integrity { said: String },
    #[error(
        "npm installed everything but {missing}, the part for this kind of machine, without which the agent does not work. The registry may lack it, or the machine is of a kind that the agent does not support."
    )]
    PlatformMissing { missing: String },
    #[error(
        "npm installed {package} in version {found} instead of {wanted}, so it was not taken. Look at what ~/.npmrc says about versions (before, min-release-age, overrides of the registry)."
    )]
    WrongVersion { package: String, found: String, wanted: String },
    #[error("It was installed, but does not start: {why}")]
    DoesNotStart { why: String, said: Option<String> },
    #[error("npm failed; see what it says.")]
    Npm { said: String },
    #[error("npm cannot be started: {0}.")]
    NpmNotStarted(String),
    #[error("It was cut short more than once, together with Drover. Try again; `drover logs` may say more.")]
    Interrupted,
    #[error("Something went wrong inside Drover; `drover logs` has more.")]
    Internal,
}

impl Failure {
    /// What is shown.
    pub(crate) fn told(&self) -> InstallFailure {
        let (code, detail) = match self {
            Self::NpmMissing { .. } => ("npm_missing", None),
            Self::NodeTooOld { .. } => ("node_too_old", None),
            Self::NoSpace { .. } => ("no_space", None),
            Self::Full { said, .. } => ("no_space", Some(said)),
            Self::NotWritable { .. } => ("not_writable", None),
            Self::NpmNotAllowed { said } => ("not_writable", Some(said)),
            Self::RegistryAway { said } => ("registry_away", Some(said)),
            Self::RegistryRefused { said } => ("registry_refused", Some(said)),
            Self::NotInRegistry { said, .. } => ("not_in_registry", Some(said)),
            Self::Integrity { said } => ("integrity", Some(said)),
            Self::PlatformMissing { .. } => ("platform_missing", None),
            Self::WrongVersion { .. } => ("wrong_version", None),
            Self::DoesNotStart { said, .. } => ("does_not_start", said.as_ref()),
            Self::Npm { said } => ("npm_failed", Some(said)),
            Self::NpmNotStarted(_) => ("npm_failed", None),
            Self::Interrupted => ("interrupted", None),
            Self::Internal => ("internal", None),
        };
        let detail = detail.map(|said| said.trim().to_owned()).filter(|said| !said.is_empty());
        InstallFailure { code: code.to_owned(), message: self.to_string(), detail }
    }

    /// What the system refused while something was written below `dir`.
    pub(crate) fn of_io(source: io::Error, dir: impl Into<PathBuf>) -> Self {
        let full = matches!(
            source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
        );
        if full {
            return Self::Full { dir: Some(dir.into()), said: source.to_string() };
        }
        Self::NotWritable { dir: dir.into(), source }
    }

    /// What npm's last words mean; `what` is what it was to install.
    pub(crate) fn of_npm(what: &str, said: String) -> Self {
        match code_of(&said) {
            Some("ENOSPC" | "EDQUOT" | "EFBIG") => Self::Full { dir: None, said },
            Some("EACCES" | "EPERM" | "EROFS") => Self::NpmNotAllowed { said },
            Some("E401" | "E403" | "ENEEDAUTH" | "EOTP") => Self::RegistryRefused { said },
            Some("E404" | "ETARGET" | "ENOVERSIONS") => Self::NotInRegistry { what: what.to_owned(), said },
            Some("EINTEGRITY" | "ETARBALL" | "TAR_BAD_ARCHIVE" | "Z_DATA_ERROR" | "EBADSIZE") => {
                Self::Integrity { said }
            }
            Some(code) if is_network(code) => Self::RegistryAway { said },
            _ => Self::Npm { said },
        }
    }
}

/// `npm error code X`, in the words of npm 10 and of those before it.
fn code_of(said: &str) -> Option<&str> {
    let mut lines = said.lines().map(|line| line.trim_start_matches("npm error ").trim_start_matches("npm ERR! "));
    lines.find_map(|line| line.strip_prefix("code ")).map(str::trim)
}

fn is_network(code: &str) -> bool {
    const CODES: &[&str] = &[
        "ECONNREFUSED",
        "ECONNRESET",
        "ECONNABORTED",
        "ENOTFOUND",
        "ENETUNREACH",
        "EHOSTUNREACH",
        "ETIMEDOUT",
        "EAI_AGAIN",
        "EAI_FAIL",
        "EPIPE",
        "ESOCKETTIMEDOUT",
        "ERR_SOCKET_TIMEOUT",
        "ENOTCACHED",
        "FETCH_ERROR",
        "EPROTO",
        "DEPTH_ZERO_SELF_SIGNED_CERT",
        "SELF_SIGNED_CERT_IN_CHAIN",
        "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
        "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
        "CERT_HAS_EXPIRED",
        "ERR_TLS_CERT_ALTNAME_INVALID",
        "ERR_STREAM_PREMATURE_CLOSE",
        "ERR_SSL_WRONG_VERSION_NUMBER",
    ];
    CODES.contains(&code) || code.strip_prefix("E5").is_some_and(|rest| rest.len() == 2 && rest.parse::<u8>().is_ok())
}

fn npm_missing(node: Option<Version>, floor: Version) -> String {
    match node {
        Some(node) => format!(
            "Node.js {node} is here, but not npm, with which agents are installed. Install npm (it comes with Node.js from its makers), then try again."
        ),
        None => format!(
            "Agents are installed with npm, which is not on the PATH of your login shell. Install Node.js {floor} or newer, which brings npm, then try again."
        ),
    }
}

fn what_is_here(have: Option<Version>) -> String {
    have.map_or_else(|| "and there is none here".to_owned(), |have| format!("and {have} is here"))
}

fn full_where(dir: Option<&PathBuf>) -> String {
    dir.map_or_else(
        || " where npm works (its cache, or Drover's data directory)".to_owned(),
        |dir| format!(" where {} is", dir.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_npm_says_is_told_in_our_words() {
        let table = [
            ("npm error code ENOSPC\nnpm error syscall write", "no_space"),
            ("npm ERR! code ECONNREFUSED\nnpm ERR! errno ECONNREFUSED", "registry_away"),
            ("npm error code E503", "registry_away"),
            ("npm error code E404\nnpm error 404 Not Found", "not_in_registry"),
            ("npm error code ETARGET\nnpm error notarget No matching version", "not_in_registry"),
            ("npm error code EINTEGRITY\nnpm error sha512-x integrity checksum failed", "integrity"),
            ("npm error code E401", "registry_refused"),
            ("npm error code EACCES", "not_writable"),
            ("npm error code EWHATEVER", "npm_failed"),
            ("Segmentation fault", "npm_failed"),
        ];
        for (said, code) in table {
            let told = Failure::of_npm("a@1.2.3", said.to_owned()).told();
            assert_eq!((told.code.as_str(), told.detail.as_deref()), (code, Some(said)), "{told:?}");
        }
    }

    #[test]
    fn a_full_disk_is_told_from_a_forbidden_one() {
        let told = |kind: io::ErrorKind| Failure::of_io(kind.into(), "/d").told().code;
        assert_eq!(told(io::ErrorKind::StorageFull), "no_space");
        assert_eq!(told(io::ErrorKind::PermissionDenied), "not_writable");
    }
}
