//! What to do about an agent that is not there, in words.

use super::entry::Entry;
use super::launch::LaunchProblem;
use crate::env::{Environment, Lookup};

/// How to get a built-in agent that is missing, or what it needs.
pub(super) fn to_install(entry: &Entry, problem: &LaunchProblem, environment: &Environment) -> String {
    let sentence = match (problem, &entry.package) {
        (LaunchProblem::NeedNotFound { command, need, .. }, _) => {
            let package =
                entry.needs.iter().find(|needed| needed.command == *need).map_or(need, |needed| &needed.package);
            format!(
                "`{}` is here, but `{need}`, which it needs, is not on the PATH: install the npm package {package}.",
                command.display()
            )
        }
        (_, Some(package)) => match vendors_program(entry, environment) {
            Some(found) => format!(
                "{} is here (`{found}`), but not `{}`, through which it speaks ACP: install the npm package {package}.",
                entry.name, entry.command
            ),
            None => format!("`{}` is not on the PATH: install the npm package {package}.", entry.command),
        },
        (_, None) => format!("{problem}."),
    };
    with_warning(sentence, environment)
}

/// A program may be missing only because the login shell did not say where to look.
pub(super) fn with_warning(mut sentence: String, environment: &Environment) -> String {
    if let Some(warning) = environment.warning() {
        if !sentence.ends_with('.') {
            sentence.push('.');
        }
        sentence.push(' ');
        sentence.push_str(warning);
    }
    sentence
}

fn vendors_program(entry: &Entry, environment: &Environment) -> Option<String> {
    match environment.search().find(entry.vendor.as_ref()?) {
        Lookup::Found(file) => Some(file.display().to_string()),
        Lookup::NotExecutable(_) | Lookup::Missing => None,
    }
}
