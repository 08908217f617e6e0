//! Which problem each error of the supervisor is.

use drover_supervisor::LoginError;
use drover_supervisor::catalogue::VariableError;
use drover_supervisor::config::PatchError;
use drover_supervisor::{AnswerFailure, InstallError, SetOptionError};

use super::{FieldError, Kind, Problem};

impl From<SetOptionError> for Problem {
    fn from(error: SetOptionError) -> Self {
        match error {
            SetOptionError::NoTask => Self::not_found("task"),
            SetOptionError::NoAgent => Self::not_found("agent"),
            SetOptionError::NoOption => Self::not_found("option"),
            SetOptionError::NotOffered => Self::invalid("value", "the agent does not offer this"),
            SetOptionError::Timeout => Self::new(Kind::AgentTimeout),
            SetOptionError::Refused { code, message, data } => Self::new(Kind::AgentRefused)
                .because(message.clone())
                .with("code", code)
                .with("message", message)
                .with("data", data),
            SetOptionError::CannotStart { message } => Self::new(Kind::AgentFailed).because(message),
            SetOptionError::Store(error) => error.into(),
        }
    }
}

impl From<AnswerFailure> for Problem {
    fn from(error: AnswerFailure) -> Self {
        match error {
            AnswerFailure::Content(errors) => {
                let path = |field: &str| if field.is_empty() { "content".into() } else { format!("content.{field}") };
                Self::invalid_fields(
                    errors
                        .into_iter()
                        .map(|error| FieldError { field: path(&error.field), detail: error.detail })
                        .collect(),
                )
            }
            AnswerFailure::Refused(error) => error.into(),
        }
    }
}

impl From<InstallError> for Problem {
    fn from(error: InstallError) -> Self {
        let kind = match &error {
            InstallError::NoAgent => return Self::not_found("agent"),
            InstallError::NoVersion => return Self::not_found("installed version"),
            InstallError::NotManaged => Kind::NotInstallable,
            InstallError::Already(_) => Kind::AlreadyInstalled,
            InstallError::Blocked(_) | InstallError::Failed(_) => Kind::InstallBlocked,
            InstallError::InUse(_) => Kind::VersionInUse,
            InstallError::Busy => Kind::Installing,
        };
        Self::new(kind).because(error.to_string())
    }
}

impl From<LoginError> for Problem {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::NoAgent => Self::not_found("agent"),
            LoginError::NoLogin => Self::not_found("login"),
            LoginError::NoMethod => Self::invalid("method_id", "the agent does not offer this here"),
            LoginError::Running => Self::new(Kind::LoginRunning),
            LoginError::CannotStart { message } => Self::new(Kind::AgentFailed).because(message),
            LoginError::Refused { code, message, data } => Self::new(Kind::AgentRefused)
                .because(message.clone())
                .with("code", code)
                .with("message", message)
                .with("data", data),
        }
    }
}

impl From<PatchError> for Problem {
    fn from(error: PatchError) -> Self {
        match error {
            PatchError::Values(bad) => Self::invalid_fields(
                bad.into_iter().map(|bad| FieldError { field: bad.key.to_owned(), detail: bad.detail }).collect(),
            ),
            PatchError::File(error) => Self::new(Kind::SettingsBroken).because(error.to_string()),
            PatchError::Write { path, source } => {
                let error = drover_store::StoreError::from(source);
                tracing::warn!(path = %path.display(), %error, "the settings cannot be written");
                error.into()
            }
        }
    }
}

impl From<VariableError> for Problem {
    fn from(error: VariableError) -> Self {
        match error {
            VariableError::NoAgent => Self::not_found("agent"),
            VariableError::BadName | VariableError::Set => Self::invalid("name", error.to_string()),
            VariableError::File(error) => error.into(),
            VariableError::BrokeOff => Self::internal(error),
        }
    }
}
