//! What no agent inherits.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// Removed by their whole name.
const NAMES: &[&str] = &[
    // Marks that coding agents leave on the commands they run: an agent that finds them takes itself for nested, for
    // sandboxed, or talks to the editor of the outer one. What the user configures an agent with is not here.
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
    "QWEN_CODE",
    // Injected into every Node or dynamically linked program below whoever set them.
    "ELECTRON_RUN_AS_NODE",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "VSCODE_INSPECTOR_OPTIONS",
    // True of one process and its directory, and of no other.
    "OLDPWD",
    "PWD",
    "SHLVL",
    "_",
];

/// Removed by how their name begins. `GIT_DIR` and its kin, set for a hook or a rebase, would make an agent work on
/// another repository than its directory's; `npm_*` describes the npm that started the daemon; what is ours is nobody's.
const PREFIXES: &[&str] = &["DROVER_", "DYLD_", "GIT_", "NODE_INSPECT", "npm_"];

/// Whether an agent never inherits the variable. agents.toml can still set it.
pub(super) fn is_removed(name: &OsStr) -> bool {
    let name = name.as_bytes();
    NAMES.iter().any(|removed| removed.as_bytes() == name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix.as_bytes()))
}

/// How npm is told by its environment where and how to download. In lower case they are among what is removed, because
/// the npm that started the daemon sets its own in that way.
const FOR_NPM: &[&str] = &[
    "npm_config_ca",
    "npm_config_cafile",
    "npm_config_cache",
    "npm_config_globalconfig",
    "npm_config_https_proxy",
    "npm_config_noproxy",
    "npm_config_proxy",
    "npm_config_registry",
    "npm_config_strict_ssl",
    "npm_config_userconfig",
];

/// Whether a variable that agents do not inherit is passed to an npm that installs them.
pub(super) fn is_for_npm(name: &OsStr) -> bool {
    FOR_NPM.iter().any(|kept| name == *kept)
}
