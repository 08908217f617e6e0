//! What we send: parameters of our requests and notifications, and answers to the agent's questions.
//!
//! Names and shapes are those of ACP v1; a test reads each with the schema crate.

use serde::Serialize;
use serde_json::Value;

/// The names of the methods, as ACP v1 has them.
pub mod methods {
    /// Client → agent, the first request.
    pub const INITIALIZE: &str = "initialize";
    /// Client → agent, only after a click: it may open a browser or change the agent's settings.
    pub const AUTHENTICATE: &str = "authenticate";
    /// Client → agent.
    pub const SESSION_NEW: &str = "session/new";
    /// Client → agent, with the capability `loadSession`: replays the history, then answers.
    pub const SESSION_LOAD: &str = "session/load";
    /// Client → agent, with the capability `resume`: no replay.
    pub const SESSION_RESUME: &str = "session/resume";
    /// Client → agent, with the capability `close`.
    pub const SESSION_CLOSE: &str = "session/close";
    /// Client → agent; its answer may take as long as it wants.
    pub const SESSION_PROMPT: &str = "session/prompt";
    /// Client → agent, a notification.
    pub const SESSION_CANCEL: &str = "session/cancel";
    /// Client → agent; answers with the whole list.
    pub const SESSION_SET_CONFIG_OPTION: &str = "session/set_config_option";
    /// Client → agent, where there are no config options.
    pub const SESSION_SET_MODE: &str = "session/set_mode";
    /// Client → agent, not in the schema any more, but the only way to choose a model with some agents.
    pub const SESSION_SET_MODEL: &str = "session/set_model";
    /// Agent → client, a notification.
    pub const SESSION_UPDATE: &str = "session/update";
    /// Agent → client.
    pub const SESSION_REQUEST_PERMISSION: &str = "session/request_permission";
    /// Agent → client.
    pub const ELICITATION_CREATE: &str = "elicitation/create";
    /// Agent → client, a notification.
    pub const ELICITATION_COMPLETE: &str = "elicitation/complete";
    /// Either way, a notification: the request with this id is not needed any more.
    pub const CANCEL_REQUEST: &str = "$/cancel_request";
}

/// The protocol version that we speak.
pub const PROTOCOL_VERSION: u64 = 1;

/// Parameters of `initialize`: version 1, and only those capabilities that something here consumes.
pub fn initialize(client_version: &str) -> impl Serialize + '_ {
    Initialize {
        protocol_version: PROTOCOL_VERSION,
        client_info: ClientInfo { name: "drover", title: "Drover", version: client_version },
        client_capabilities: ClientCapabilities {
            elicitation: ElicitationCapabilities { form: Marker {}, url: Marker {} },
            session: SessionCapabilities {
                config_options: ConfigOptionCapabilities { boolean: Marker {} },
                notices: Marker {},
                compaction: Marker {},
            },
            plan: Marker {},
            auth: AuthCapabilities { terminal: true },
            meta: CapabilityMeta {
                terminal_output: true,
                terminal_auth: true,
                jetbrains: Jetbrains { air: Air { version: 1, capabilities: ["sessionFailure"] } },
            },
        },
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Initialize<'a> {
    protocol_version: u64,
    client_info: ClientInfo<'a>,
    client_capabilities: ClientCapabilities,
}

#[derive(Serialize)]
struct ClientInfo<'a> {
    name: &'a str,
    title: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct ClientCapabilities {
    elicitation: ElicitationCapabilities,
    session: SessionCapabilities,
    plan: Marker,
    auth: AuthCapabilities,
    #[serde(rename = "_meta")]
    meta: CapabilityMeta,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionCapabilities {
    config_options: ConfigOptionCapabilities,
    notices: Marker,
    compaction: Marker,
}

#[derive(Serialize)]
struct ElicitationCapabilities {
    form: Marker,
    url: Marker,
}

#[derive(Serialize)]
struct ConfigOptionCapabilities {
    boolean: Marker,
}

#[derive(Serialize)]
struct CapabilityMeta {
    terminal_output: bool,
    #[serde(rename = "terminal-auth")]
    terminal_auth: bool,
    jetbrains: Jetbrains,
}

#[derive(Serialize)]
struct AuthCapabilities {
    terminal: bool,
}

#[derive(Serialize)]
struct Jetbrains {
    air: Air,
}

/// An extension that both main adapters know: failures typed, in place of error texts inside answers.
#[derive(Serialize)]
struct Air {
    version: u32,
    capabilities: [&'static str; 1],
}

/// `{}`: present means supported.
#[derive(Serialize)]
struct Marker {}

/// Parameters of `session/new`. `cwd` is absolute.
pub fn new_session(cwd: &str) -> impl Serialize + '_ {
    SessionSetup { session_id: None, cwd, mcp_servers: [] }
}

/// Parameters of `session/load` and of `session/resume`. `cwd` is the one the session was created with.
pub fn existing_session<'a>(session_id: &'a str, cwd: &'a str) -> impl Serialize + 'a {
    SessionSetup { session_id: Some(session_id), cwd, mcp_servers: [] }
}

/// The list of MCP servers is always sent: agents reject a request without it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionSetup<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
    cwd: &'a str,
    mcp_servers: [Value; 0],
}

/// One block of a prompt. Text and links are taken by every agent, the others by its prompt capabilities.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PromptBlock {
    /// Text, sent unchanged.
    Text {
        /// Markdown, or what the user typed.
        text: String,
    },
    /// A file that the agent reads itself.
    ResourceLink {
        /// `file://…`, percent-encoded.
        uri: String,
        /// The file's name.
        name: String,
        /// If known.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// In bytes, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        size: Option<u64>,
    },
    /// An image; capability `image`.
    Image {
        /// Base64.
        data: String,
        /// `image/png` and the like.
        mime_type: String,
        /// Where it lies, if anywhere.
        #[serde(skip_serializing_if = "Option::is_none")]
        uri: Option<String>,
    },
    /// Sound; capability `audio`.
    Audio {
        /// Base64.
        data: String,
        /// `audio/wav` and the like.
        mime_type: String,
    },
    /// A file with its contents; capability `embeddedContext`.
    Resource {
        /// The file.
        resource: EmbeddedResource,
    },
}

/// The contents of a file inside a prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum EmbeddedResource {
    /// A text file.
    Text {
        /// `file://…`, percent-encoded.
        uri: String,
        /// Its contents.
        text: String,
        /// If known.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
    },
    /// Any other file.
    Blob {
        /// `file://…`, percent-encoded.
        uri: String,
        /// Its contents in base64.
        blob: String,
        /// If known.
        #[serde(skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
    },
}

/// Parameters of `session/prompt`.
pub fn prompt<'a>(session_id: &'a str, prompt: &'a [PromptBlock]) -> impl Serialize + 'a {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Prompt<'a> {
        session_id: &'a str,
        prompt: &'a [PromptBlock],
    }
    Prompt { session_id, prompt }
}

/// Parameters of `session/cancel` and `session/close`.
pub fn session(session_id: &str) -> impl Serialize + '_ {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Session<'a> {
        session_id: &'a str,
    }
    Session { session_id }
}

/// Parameters of `session/cancel`.
pub fn cancel(session_id: &str) -> impl Serialize + '_ {
    session(session_id)
}

/// Parameters of `session/set_config_option`. A boolean value goes out with `type: "boolean"`, any other as it is.
pub fn set_config_option<'a>(session_id: &'a str, config_id: &'a str, value: &'a Value) -> impl Serialize + 'a {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct SetConfigOption<'a> {
        session_id: &'a str,
        config_id: &'a str,
        #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
        kind: Option<&'static str>,
        value: &'a Value,
    }
    SetConfigOption { session_id, config_id, kind: value.is_boolean().then_some("boolean"), value }
}

/// Parameters of `session/set_mode`.
pub fn set_mode<'a>(session_id: &'a str, mode_id: &'a str) -> impl Serialize + 'a {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct SetMode<'a> {
        session_id: &'a str,
        mode_id: &'a str,
    }
    SetMode { session_id, mode_id }
}

/// Parameters of `session/set_model`.
pub fn set_model<'a>(session_id: &'a str, model_id: &'a str) -> impl Serialize + 'a {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct SetModel<'a> {
        session_id: &'a str,
        model_id: &'a str,
    }
    SetModel { session_id, model_id }
}

/// Parameters of `authenticate`.
pub fn authenticate(method_id: &str) -> impl Serialize + '_ {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Authenticate<'a> {
        method_id: &'a str,
    }
    Authenticate { method_id }
}

/// The answer to a permission request: this option, by its exact id.
pub fn permission_selected(option_id: &str) -> impl Serialize + '_ {
    PermissionAnswer { outcome: PermissionOutcome::Selected { option_id } }
}

/// The answer to a permission request whose turn was cancelled. It is not a No.
pub fn permission_cancelled() -> impl Serialize {
    PermissionAnswer { outcome: PermissionOutcome::Cancelled }
}

#[derive(Serialize)]
struct PermissionAnswer<'a> {
    outcome: PermissionOutcome<'a>,
}

#[derive(Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum PermissionOutcome<'a> {
    Selected { option_id: &'a str },
    Cancelled,
}

/// The answer to an elicitation. Its content belongs to the agent alone: it is never logged.
#[derive(Clone, PartialEq, Serialize)]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum ElicitationAnswer {
    /// The form's values; none for a URL.
    Accept {
        /// An object, by property name.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<Value>,
    },
    /// The user said no.
    Decline,
    /// The user did not say, or the turn was cancelled.
    Cancel,
}

impl std::fmt::Debug for ElicitationAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Accept { .. } => "Accept",
            Self::Decline => "Decline",
            Self::Cancel => "Cancel",
        })
    }
}

#[cfg(test)]
mod tests {
    use agent_client_protocol_schema::v1 as schema;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::*;

    /// What we send, once the schema's type has read it.
    fn sent<T: DeserializeOwned>(params: impl Serialize) -> Value {
        let value = serde_json::to_value(params).unwrap();
        serde_json::from_value::<T>(value.clone()).unwrap();
        value
    }

    #[test]
    fn the_handshake_declares_what_is_consumed_and_nothing_else() {
        let expected = json!({
            "protocolVersion": 1,
            "clientInfo": {"name": "drover", "title": "Drover", "version": "1.2.3"},
            "clientCapabilities": {
                "elicitation": {"form": {}, "url": {}},
                "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}},
                "plan": {},
                "auth": {"terminal": true},
                "_meta": {
                    "terminal_output": true,
                    "terminal-auth": true,
                    "jetbrains": {"air": {"version": 1, "capabilities": ["sessionFailure"]}},
                },
            },
        });
        assert_eq!(sent::<schema::InitializeRequest>(initialize("1.2.3")), expected);
    }

    #[test]
    fn sessions_always_name_their_servers() {
        let new = sent::<schema::NewSessionRequest>(new_session("/project"));
        assert_eq!(new, json!({"cwd": "/project", "mcpServers": []}));
        let load = sent::<schema::LoadSessionRequest>(existing_session("s1", "/project"));
        assert_eq!(load, json!({"sessionId": "s1", "cwd": "/project", "mcpServers": []}));
        sent::<schema::ResumeSessionRequest>(existing_session("s1", "/project"));
    }

    #[test]
    fn prompts_hold_every_kind_of_block() {
        let uri = || "file:///project/a.png".to_owned();
        let blocks = [
            PromptBlock::Text { text: " é\n".into() },
            PromptBlock::ResourceLink { uri: uri(), name: "a.png".into(), mime_type: None, size: Some(3) },
            PromptBlock::Image { data: "AAAA".into(), mime_type: "image/png".into(), uri: Some(uri()) },
            PromptBlock::Audio { data: "AAAA".into(), mime_type: "audio/wav".into() },
            PromptBlock::Resource {
                resource: EmbeddedResource::Text { uri: uri(), text: "t".into(), mime_type: Some("text/plain".into()) },
            },
            PromptBlock::Resource {
                resource: EmbeddedResource::Blob { uri: uri(), blob: "AA==".into(), mime_type: None },
            },
        ];
        insta::assert_json_snapshot!(sent::<schema::PromptRequest>(prompt("s1", &blocks)));
    }

    #[test]
    fn small_messages_have_the_schemas_shape() {
        assert_eq!(sent::<schema::CancelNotification>(cancel("s1")), json!({"sessionId": "s1"}));
        let mode = sent::<schema::SetSessionModeRequest>(set_mode("s1", "plan"));
        assert_eq!(mode, json!({"sessionId": "s1", "modeId": "plan"}));
        sent::<schema::AuthenticateRequest>(authenticate("api-key"));
        let model = serde_json::to_value(set_model("s1", "m[high]")).unwrap();
        assert_eq!(model, json!({"sessionId": "s1", "modelId": "m[high]"}));
        let option = sent::<schema::SetSessionConfigOptionRequest>(set_config_option("s1", "fast", &json!(true)));
        assert_eq!(option, json!({"sessionId": "s1", "configId": "fast", "type": "boolean", "value": true}));
        let option = sent::<schema::SetSessionConfigOptionRequest>(set_config_option("s1", "model", &json!("x")));
        assert_eq!(option, json!({"sessionId": "s1", "configId": "model", "value": "x"}));
    }

    #[test]
    fn answers_have_the_schemas_shape() {
        let selected = sent::<schema::RequestPermissionResponse>(permission_selected("deny-7"));
        assert_eq!(selected, json!({"outcome": {"outcome": "selected", "optionId": "deny-7"}}));
        let cancelled = sent::<schema::RequestPermissionResponse>(permission_cancelled());
        assert_eq!(cancelled, json!({"outcome": {"outcome": "cancelled"}}));
        let accept = ElicitationAnswer::Accept { content: Some(json!({"a": 1})) };
        assert_eq!(format!("{accept:?}"), "Accept");
        assert_eq!(serde_json::to_value(accept).unwrap(), json!({"action": "accept", "content": {"a": 1}}));
        assert_eq!(serde_json::to_value(ElicitationAnswer::Decline).unwrap(), json!({"action": "decline"}));
    }
}
