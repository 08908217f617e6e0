//! Session options: shown as the agent sent them, set, remembered and set again (lifecycle rules 26 and 27).
//!
//! A list of options is the agent's `configOptions`, uninterpreted but for `id`, `type`, `currentValue`, `options` and
//! `category`. Where an agent has only the older `modes` and `models`, a list is made of them that looks the same; its
//! options carry `_meta.drover.legacy`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::SkippedOption;

/// The options of a session from what the agent answered to its set-up.
///
/// `configOptions` as they are where they came as a list; else one select option each for `modes` (id `mode`) and
/// `models` (id `model`).
pub fn advertised(config_options: Option<&Value>, modes: Option<&Value>, models: Option<&Value>) -> Value {
    if let Some(options @ Value::Array(_)) = config_options {
        return options.clone();
    }
    let modes = modes.and_then(|modes| {
        let choices = choices(modes.get("availableModes")?, "id")?;
        Some(legacy("mode", "Mode", modes.get("currentModeId"), choices))
    });
    let models = models.and_then(|models| {
        let choices = choices(models.get("availableModels")?, "modelId")?;
        Some(legacy("model", "Model", models.get("currentModelId"), choices))
    });
    Value::Array(modes.into_iter().chain(models).collect())
}

/// What to send to an agent to set an option.
#[derive(Debug, Clone, PartialEq)]
pub enum SetCall {
    /// `session/set_config_option`.
    Config {
        /// `configId`.
        id: String,
        /// `value`, of the type that the agent offered.
        value: Value,
        /// Whether the option is of type `boolean`, which the call has to say.
        boolean: bool,
    },
    /// `session/set_mode`, with the mode's id.
    Mode(String),
    /// `session/set_model`, with the model's id.
    Model(String),
}

/// Why an option cannot be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// The agent has no option of this id.
    #[error("the agent does not offer this option")]
    NoSuchOption,
    /// The option does not have this value, or a value of another type.
    #[error("the agent does not offer this value")]
    NotOffered,
    /// The option is of a type that this version can only show.
    #[error("options of this type can be shown but not set")]
    ReadOnlyType,
}

/// How to set an option to a value. The current value is always accepted, even where it is not in the option's list.
///
/// # Errors
/// [`SetError`] where it cannot be set.
pub fn set_call(options: &Value, option_id: &str, value: &Value) -> Result<SetCall, SetError> {
    let option = find(options, option_id).ok_or(SetError::NoSuchOption)?;
    let boolean = match option.get("type").and_then(Value::as_str) {
        Some("boolean") => true,
        Some("select") => false,
        None if option.get("options").is_some_and(Value::is_array) => false,
        _ => return Err(SetError::ReadOnlyType),
    };
    let offered = if boolean { value.is_boolean() } else { offers(option, value) };
    if !offered && option.get("currentValue") != Some(value) {
        return Err(SetError::NotOffered);
    }
    match (legacy_kind(option), value.as_str()) {
        (Some("mode"), Some(mode)) => Ok(SetCall::Mode(mode.to_owned())),
        (Some("model"), Some(model)) => Ok(SetCall::Model(model.to_owned())),
        _ => Ok(SetCall::Config { id: option_id.to_owned(), value: value.clone(), boolean }),
    }
}

/// The current value of an option.
pub fn current<'a>(options: &'a Value, option_id: &str) -> Option<&'a Value> {
    find(options, option_id)?.get("currentValue")
}

/// The name of the model that is chosen, where the agent offers a choice of them: the current value of the first option of
/// category `model`, in the agent's words.
pub fn model_name(options: &Value) -> Option<&str> {
    let is_model = |option: &&Value| option.get("category").and_then(Value::as_str) == Some("model");
    let option = entries(options).find(is_model)?;
    let current = option.get("currentValue")?;
    let chosen = values(option).find(|choice| choice.get("value") == Some(current));
    chosen.and_then(|choice| choice.get("name")?.as_str()).or_else(|| current.as_str())
}

/// The category of an option.
pub fn category<'a>(options: &'a Value, option_id: &str) -> Option<&'a str> {
    find(options, option_id)?.get("category")?.as_str()
}

/// The list after an option took a value, where the agent answers a set without a new list.
pub fn with_current(options: &Value, option_id: &str, value: &Value) -> Value {
    change(options, |option| id_of(option) == Some(option_id), value)
}

/// The list after a `current_mode_update`: the older mode option follows it, and so does an option of category `mode`
/// that offers such a value.
pub fn with_mode(options: &Value, mode_id: &str) -> Value {
    let mode = Value::from(mode_id);
    let follows = |option: &Value| {
        legacy_kind(option) == Some("mode")
            || (option.get("category").and_then(Value::as_str) == Some("mode") && offers(option, &mode))
    };
    change(options, follows, &mode)
}

/// A value that the user chose and the agent accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// The option.
    pub option_id: String,
    /// The value.
    pub value: Value,
    /// The option's category when it was set.
    pub category: Option<String>,
}

/// What a new task starts with: the values last accepted for the agent in the same project, and for options that have
/// none there, those of elsewhere, except modes: what may be done unasked is decided project by project.
pub fn defaults_for_new_task(same_project: &[Remembered], elsewhere: &[Remembered]) -> Vec<Remembered> {
    let mut defaults: Vec<Remembered> = Vec::new();
    let elsewhere = elsewhere.iter().filter(|value| !value.is_mode());
    for value in same_project.iter().chain(elsewhere) {
        if defaults.iter().all(|known| known.option_id != value.option_id) {
            defaults.push(value.clone());
        }
    }
    defaults
}

/// The options of an agent as a new task starts with them: what it offered last, with the values that will be set.
pub fn at_start(offered: &Value, values: &[Remembered]) -> Value {
    let mut options = offered.clone();
    for Remembered { option_id, value, .. } in values {
        if set_call(&options, option_id, value).is_ok() {
            options = with_current(&options, option_id, value);
        }
    }
    options
}

impl Remembered {
    // An agent need not give categories ("Category MUST NOT be needed for correctness", ACP). Where there is none, the
    // usual id decides, on the safe side.
    fn is_mode(&self) -> bool {
        self.category.as_deref().map_or(self.option_id == "mode", |category| category == "mode")
    }
}

/// The next step of a replay.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Set this option to this value.
    Set(String, Value),
    /// All is set that can be.
    Done,
}

/// Sets remembered values again after a session was made or brought back: in the order of the agent's list, which is
/// read again after each set because one option's value can change what others offer. Each option is set at most once.
#[derive(Debug, Clone)]
pub struct Replay {
    pending: BTreeMap<String, Value>,
    given_out: BTreeMap<String, Value>,
    skipped: Vec<SkippedOption>,
    confirmed: bool,
}

impl Replay {
    /// For a session whose list came from the agent: what is current already is not set.
    pub fn new(remembered: Vec<Remembered>) -> Self {
        let pending = remembered.into_iter().map(|value| (value.option_id, value.value)).collect();
        Self { pending, given_out: BTreeMap::new(), skipped: Vec::new(), confirmed: true }
    }

    /// For a session that was brought back without a list, so that only an old one is known: all is set, because what
    /// is current there is not known.
    pub fn unconfirmed(remembered: Vec<Remembered>) -> Self {
        Self { confirmed: false, ..Self::new(remembered) }
    }

    /// What to set next, given the list as it is now.
    pub fn next(&mut self, options: &Value) -> Next {
        for id in entries(options).filter_map(id_of) {
            let Some(value) = self.pending.get(id) else { continue };
            if set_call(options, id, value).is_err() {
                // Another option's value may yet bring it back.
                continue;
            }
            let is_current = self.confirmed && current(options, id) == Some(value);
            if let Some((id, value)) = self.pending.remove_entry(id)
                && !is_current
            {
                self.given_out.insert(id.clone(), value.clone());
                return Next::Set(id, value);
            }
        }
        for (option_id, value) in std::mem::take(&mut self.pending) {
            if let Err(error) = set_call(options, &option_id, &value) {
                self.skipped.push(SkippedOption { option_id, value, reason: error.to_string() });
            }
        }
        Next::Done
    }

    /// The agent refused a value that [`Self::next`] gave out, or did not answer in time.
    pub fn failed(&mut self, option_id: &str, reason: &str) {
        if let Some((option_id, value)) = self.given_out.remove_entry(option_id) {
            self.skipped.push(SkippedOption { option_id, value, reason: reason.to_owned() });
        }
    }

    /// What could not be set, with the reasons; whole once [`Next::Done`] came.
    pub fn skipped(&self) -> &[SkippedOption] {
        &self.skipped
    }
}

fn entries(options: &Value) -> impl Iterator<Item = &Value> {
    options.as_array().into_iter().flatten()
}

fn id_of(option: &Value) -> Option<&str> {
    option.get("id")?.as_str()
}

fn find<'a>(options: &'a Value, option_id: &str) -> Option<&'a Value> {
    entries(options).find(|option| id_of(option) == Some(option_id))
}

/// Whether a select option has this value, in a flat list or in a group.
fn offers(option: &Value, value: &Value) -> bool {
    values(option).any(|choice| choice.get("value") == Some(value))
}

/// The values of a select option, of a flat list or of groups.
fn values(option: &Value) -> impl Iterator<Item = &Value> {
    let choices = || entries(option.get("options").unwrap_or(&Value::Null));
    choices().chain(choices().flat_map(|group| entries(group.get("options").unwrap_or(&Value::Null))))
}

fn change(options: &Value, follows: impl Fn(&Value) -> bool, value: &Value) -> Value {
    let changed = |option: &Value| match option {
        Value::Object(members) if follows(option) => {
            let mut members = members.clone();
            members.insert("currentValue".to_owned(), value.clone());
            Value::Object(members)
        }
        other => other.clone(),
    };
    Value::Array(entries(options).map(changed).collect())
}

fn legacy_kind(option: &Value) -> Option<&str> {
    option.pointer("/_meta/drover/legacy")?.as_str()
}

fn legacy(id: &str, name: &str, current: Option<&Value>, choices: Vec<Value>) -> Value {
    json!({
        "id": id,
        "name": name,
        "category": id,
        "type": "select",
        "currentValue": current,
        "options": choices,
        "_meta": { "drover": { "legacy": id } },
    })
}

fn choices(list: &Value, id_key: &str) -> Option<Vec<Value>> {
    let choice = |item: &Value| {
        let value = item.get(id_key)?;
        let mut choice = Map::new();
        choice.insert("value".to_owned(), value.clone());
        choice.insert("name".to_owned(), item.get("name").unwrap_or(value).clone());
        if let Some(description) = item.get("description") {
            choice.insert("description".to_owned(), description.clone());
        }
        Some(Value::Object(choice))
    };
    Some(list.as_array()?.iter().filter_map(choice).collect())
}

#[cfg(test)]
mod tests;
