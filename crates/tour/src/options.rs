//! The options of a session, as ACP's `configOptions`.

use serde_json::{Value, json};

use crate::client::Client;
use crate::pace::Pace;
use crate::session::{Mode, Session};
use crate::wire::{INVALID_PARAMS, Refusal};
use crate::words::Words;

const MODE: &str = "mode";
const PACE: &str = "pace";
const THOUGHTS: &str = "thoughts";

/// All options with their present values. The one that is on or off is left out for a client that does not know such.
pub(crate) fn advertised(session: &Session, client: Client, words: &Words) -> Value {
    let mode = |mode: Mode, [name, description]: [&str; 2]| json!({"value": mode.name(), "name": name, "description": description});
    let paces = Pace::ALL.into_iter().zip(words.paces);
    let paces: Vec<Value> = paces.map(|(pace, name)| json!({"value": pace.name(), "name": name})).collect();
    let mut options = vec![
        json!({
            "id": MODE, "name": words.mode, "category": "mode", "type": "select", "currentValue": session.mode.name(),
            "options": [mode(Mode::Ask, words.mode_ask), mode(Mode::Act, words.mode_act)],
        }),
        json!({"id": PACE, "name": words.pace, "type": "select", "currentValue": session.pace.name(), "options": paces}),
    ];
    if client.booleans {
        options.push(json!({
            "id": THOUGHTS, "name": words.thoughts, "category": "thought_level", "type": "boolean",
            "currentValue": session.thoughts,
        }));
    }
    options.into()
}

/// Sets one option from the parameters of `session/set_config_option`.
pub(crate) fn set(session: &mut Session, params: &Value) -> Result<(), Refusal> {
    let value = &params["value"];
    let named = value.as_str().unwrap_or_default();
    let taken = match params["configId"].as_str().unwrap_or_default() {
        MODE => Mode::named(named).map(|mode| session.mode = mode),
        PACE => Pace::named(named).map(|pace| session.pace = pace),
        THOUGHTS => value.as_bool().map(|shown| session.thoughts = shown),
        other => return Err(Refusal::new(INVALID_PARAMS, format!("there is no option `{other}`"))),
    };
    taken.ok_or_else(|| Refusal::new(INVALID_PARAMS, format!("the option has no value {value}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    fn session() -> Session {
        Session::new("s".into(), "/".into(), Language::English, Pace::Brisk)
    }

    #[test]
    fn each_option_takes_its_values_and_no_other() {
        let mut session = session();
        for (id, value) in [(MODE, json!("act")), (PACE, json!("instant")), (THOUGHTS, json!(false))] {
            set(&mut session, &json!({"configId": id, "value": value})).unwrap();
        }
        assert_eq!((session.mode, session.pace, session.thoughts), (Mode::Act, Pace::Instant, false));
        for (id, value) in [(MODE, json!("fly")), (PACE, json!(1)), (THOUGHTS, json!("yes")), ("colour", json!("red"))]
        {
            let refused = set(&mut session, &json!({"configId": id, "value": value})).unwrap_err();
            assert_eq!(refused.code, INVALID_PARAMS);
        }
    }

    #[test]
    fn an_option_that_is_on_or_off_is_offered_to_those_who_know_such() {
        let words = Words::of(Language::English);
        let ids = |client| -> Vec<String> {
            let options = advertised(&session(), client, words);
            options.as_array().unwrap().iter().map(|option| option["id"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(ids(Client::default()), [MODE, PACE]);
        assert_eq!(ids(Client { booleans: true, ..Client::default() }), [MODE, PACE, THOUGHTS]);
    }
}
