//! Which problem each error of the store is.

use drover_store::{
    AddProjectError, AnswerError, CancelError, ChangeError, CreateTaskError, DeleteProjectError, DeleteTaskError,
    DropError, QueueError, SendError, StoreError,
};

use super::{Kind, Problem};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let kind = match &error {
            StoreError::Full => Kind::StoreFull,
            StoreError::Busy | StoreError::Io(_) | StoreError::Closed => Kind::StoreUnavailable,
            StoreError::Corrupt(_) | StoreError::Database(_) => return Self::internal(error),
        };
        tracing::warn!(%error, "the store failed");
        Self::new(kind).because(error.to_string())
    }
}

impl From<AddProjectError> for Problem {
    fn from(error: AddProjectError) -> Self {
        match error {
            AddProjectError::Exists(id) => Self::new(Kind::ProjectExists).with("project_id", id.to_string()),
            AddProjectError::Store(error) => error.into(),
        }
    }
}

impl From<DeleteProjectError> for Problem {
    fn from(error: DeleteProjectError) -> Self {
        match error {
            DeleteProjectError::NotFound => Self::not_found("project"),
            DeleteProjectError::Active => Self::new(Kind::RunActive).because("Stop the project's runs first."),
            DeleteProjectError::Store(error) => error.into(),
        }
    }
}

impl From<CreateTaskError> for Problem {
    fn from(error: CreateTaskError) -> Self {
        match error {
            CreateTaskError::NoProject => Self::invalid("project_id", "there is no such project"),
            CreateTaskError::Store(error) => error.into(),
        }
    }
}

impl From<DeleteTaskError> for Problem {
    fn from(error: DeleteTaskError) -> Self {
        match error {
            DeleteTaskError::NotFound => Self::not_found("task"),
            DeleteTaskError::Active => Self::new(Kind::RunActive).because("Stop the task's run first."),
            DeleteTaskError::Store(error) => error.into(),
        }
    }
}

impl From<SendError> for Problem {
    fn from(error: SendError) -> Self {
        match error {
            SendError::NoTask => Self::not_found("task"),
            SendError::NonceReused => Self::new(Kind::NonceReused),
            SendError::NoAttachment(id) => Self::invalid("attachments", format!("there is no attachment {id}")),
            SendError::Started => {
                Self::invalid("options", "the agent has been started in this task: set its options there")
            }
            SendError::Store(error) => error.into(),
        }
    }
}

impl From<CancelError> for Problem {
    fn from(error: CancelError) -> Self {
        match error {
            CancelError::NotFound => Self::not_found("run"),
            CancelError::Store(error) => error.into(),
        }
    }
}

impl From<DropError> for Problem {
    fn from(error: DropError) -> Self {
        match error {
            DropError::NotFound => Self::not_found("run"),
            DropError::Started => Self::new(Kind::RunStarted).because("It can be cancelled, not dropped."),
            DropError::Store(error) => error.into(),
        }
    }
}

impl From<AnswerError> for Problem {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::NotFound => Self::not_found("request"),
            AnswerError::Answered(answer) => match serde_json::to_value(answer) {
                Ok(answer) => Self::new(Kind::AlreadyAnswered).with("answer", answer),
                Err(error) => Self::internal(error),
            },
            AnswerError::Void => Self::new(Kind::RequestVoid),
            AnswerError::NotOffered => Self::invalid("option_id", "the agent did not offer this"),
            AnswerError::WrongKind => Self::invalid("", "a permission takes option_id, an elicitation takes action"),
            AnswerError::Store(error) => error.into(),
        }
    }
}

impl From<ChangeError> for Problem {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::NotFound => Self::not_found("message or branch"),
            ChangeError::Active => Self::new(Kind::RunActive).because("Stop the task's run first."),
            ChangeError::NotApplicable(why) => Self::new(Kind::NotApplicable).because(why.to_owned()),
            ChangeError::Empty => Self::invalid("text", "there is nothing to send"),
            ChangeError::Send(error) => error.into(),
            ChangeError::Store(error) => error.into(),
        }
    }
}

impl From<QueueError> for Problem {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::NotFound => Self::not_found("run"),
            QueueError::Started => Self::new(Kind::RunStarted),
            QueueError::NoSuchPlace => Self::invalid("before", "there is no such place in the queue"),
            QueueError::Empty => Self::invalid("text", "there is nothing to send"),
            QueueError::Store(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use drover_domain::Answer;

    use super::*;

    fn told(error: impl Into<Problem>) -> (u16, &'static str) {
        let kind = error.into().kind();
        (kind.status().as_u16(), kind.slug())
    }

    #[test]
    fn what_the_store_says_has_a_status_and_a_slug() {
        assert_eq!(told(StoreError::Full), (507, "store-full"));
        assert_eq!(told(StoreError::Busy), (503, "store-unavailable"));
        assert_eq!(told(StoreError::Io("gone".into())), (503, "store-unavailable"));
        assert_eq!(told(StoreError::Closed), (503, "store-unavailable"));
        assert_eq!(told(StoreError::Corrupt("x".into())), (500, "internal"));
        assert_eq!(told(SendError::NoTask), (404, "not-found"));
        assert_eq!(told(SendError::NonceReused), (409, "nonce-reused"));
        assert_eq!(told(SendError::Store(StoreError::Full)), (507, "store-full"));
        assert_eq!(told(DropError::Started), (409, "run-started"));
        assert_eq!(told(DeleteTaskError::Active), (409, "run-active"));
        assert_eq!(told(AnswerError::Void), (410, "request-void"));
        assert_eq!(told(AnswerError::NotOffered), (422, "invalid"));
    }

    #[test]
    fn who_comes_second_is_told_what_the_answer_was() {
        let answer = Answer::Option { option_id: Some("yes".into()) };
        let problem = Problem::from(AnswerError::Answered(Some(answer)));
        assert_eq!(problem.more["answer"], serde_json::json!({"option_id": "yes"}));
    }
}
