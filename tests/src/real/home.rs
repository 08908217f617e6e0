//! An empty home in which agents find the fake model and no account.

use std::{fs, io, path::Path};

use serde_json::{Value, json};

/// Where agents find the model.
pub(super) struct Way<'a> {
    /// The model's address, or that of a port nobody listens on.
    pub(super) url: &'a str,
    /// Whether they have a key.
    pub(super) key: bool,
}

/// The variables of an agent. None of them is a secret: the model takes any key.
pub(super) fn variables(agent: &str, way: &Way) -> Vec<(&'static str, String)> {
    let url = || way.url.to_owned();
    let on = || "1".to_owned();
    let mut env = vec![("NO_BROWSER", on()), ("TERM", "dumb".to_owned())];
    match agent {
        "claude" => env.extend([
            ("ANTHROPIC_BASE_URL", url()),
            // Its own number makes minutes of silence out of every failure.
            ("CLAUDE_CODE_MAX_RETRIES", on()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", on()),
            ("DISABLE_AUTOUPDATER", on()),
        ]),
        "opencode" => env.extend([
            ("OPENCODE_DISABLE_AUTOUPDATE", on()),
            ("OPENCODE_DISABLE_MODELS_FETCH", on()),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", on()),
            ("OPENCODE_DISABLE_DEFAULT_PLUGINS", on()),
        ]),
        "gemini" => env.extend([("GOOGLE_GEMINI_BASE_URL", url()), ("GEMINI_CLI_NO_RELAUNCH", "true".into())]),
        "qwen" => env.extend([("OPENAI_BASE_URL", url() + "/v1"), ("OPENAI_MODEL", LARGE.into())]),
        "copilot" => env.push(("COPILOT_AUTO_UPDATE", "false".into())),
        "pi" => env.push(("PI_OFFLINE", on())),
        _ => {}
    }
    if way.key {
        env.extend(keys(agent, way.url));
    } else if agent == "codex" {
        // What it logs in with when it is told to, and not before.
        env.push(("OPENAI_API_KEY", "sk-fake".into()));
    }
    env
}

const LARGE: &str = "fake-large";

fn keys(agent: &str, url: &str) -> Vec<(&'static str, String)> {
    let key = || "sk-fake".to_owned();
    match agent {
        "claude" => vec![("ANTHROPIC_API_KEY", key())],
        "codex" => vec![("FAKE_KEY", key())],
        "gemini" => vec![("GEMINI_API_KEY", key())],
        "qwen" => vec![("OPENAI_API_KEY", key())],
        "copilot" => vec![
            ("COPILOT_OFFLINE", "true".into()),
            ("COPILOT_PROVIDER_TYPE", "openai".into()),
            ("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1")),
            ("COPILOT_PROVIDER_API_KEY", key()),
            ("COPILOT_MODEL", LARGE.into()),
        ],
        _ => Vec::new(),
    }
}

/// Writes what an agent reads of its home.
pub(super) fn furnish(home: &Path, agent: &str, way: &Way) -> io::Result<()> {
    match agent {
        // Before its first steps are done it asks its maker whether the country is served.
        "claude" if !way.key => put(home, ".claude.json", &json!({"hasCompletedOnboarding": true}).to_string()),
        "codex" => put(home, ".codex/config.toml", &codex(way)),
        "opencode" => put(home, ".config/opencode/opencode.json", &opencode(way).to_string()),
        "gemini" => {
            let auth = if way.key { json!({"selectedType": "gemini-api-key"}) } else { json!({}) };
            let settings = json!({"security": {"auth": auth}, "privacy": {"usageStatisticsEnabled": false},
                "telemetry": {"enabled": false}, "general": {"disableAutoUpdate": true, "disableUpdateNag": true}});
            put(home, ".gemini/settings.json", &settings.to_string())
        }
        "qwen" => {
            let auth = if way.key { json!({"selectedType": "openai"}) } else { json!({}) };
            let settings = json!({"security": {"auth": auth}, "privacy": {"usageStatisticsEnabled": false},
                "general": {"disableAutoUpdate": true}});
            put(home, ".qwen/settings.json", &settings.to_string())
        }
        "pi" if way.key => {
            put(home, ".pi/agent/models.json", &pi(way.url).to_string())?;
            let settings = json!({"defaultProvider": "fake", "defaultModel": LARGE});
            put(home, ".pi/agent/settings.json", &settings.to_string())
        }
        _ => Ok(()),
    }
}

fn codex(way: &Way) -> String {
    if !way.key {
        return format!("openai_base_url = \"{}/v1\"\n", way.url);
    }
    format!(
        "model_provider = \"fake\"\n[model_providers.fake]\nname = \"fake\"\nbase_url = \"{}/v1\"\n\
         wire_api = \"responses\"\nenv_key = \"FAKE_KEY\"\nrequest_max_retries = 1\nstream_max_retries = 1\n",
        way.url
    )
}

fn opencode(way: &Way) -> Value {
    // Without that list it offers models of its maker's to who has no key.
    let mut config = json!({"autoupdate": false, "share": "disabled", "enabled_providers": ["fake"],
        "permission": {"edit": "ask", "bash": "ask", "webfetch": "ask"}});
    if way.key {
        config["model"] = json!("fake/fake-large");
        config["small_model"] = json!("fake/fake-small");
        config["provider"] = json!({"fake": {"npm": "@ai-sdk/openai-compatible", "name": "Fake",
            "options": {"baseURL": format!("{}/v1", way.url), "apiKey": "sk-fake"},
            "models": {"fake-small": {"name": "Fake Small"}, LARGE: {"name": "Fake Large", "attachment": true,
                "reasoning": true, "modalities": {"input": ["text", "image"], "output": ["text"]},
                "limit": {"context": 200_000, "output": 8000}}}}});
    }
    config
}

fn pi(url: &str) -> Value {
    json!({"providers": {"fake": {"baseUrl": format!("{url}/v1"), "api": "openai-completions", "apiKey": "sk-fake",
        "models": [{"id": LARGE, "name": "Fake Large", "reasoning": true, "input": ["text", "image"],
            "contextWindow": 200_000, "maxTokens": 8000,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}}]}}})
}

fn put(home: &Path, file: &str, text: &str) -> io::Result<()> {
    let path = home.join(file);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}
