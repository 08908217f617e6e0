//! The guide says what the program does.

use drover_supervisor::config::{Config, KEYS};

const GUIDES: [(&str, &str); 2] =
    [("en", include_str!("../../docs/guide/en/settings.md")), ("zh", include_str!("../../docs/guide/zh/settings.md"))];

#[test]
fn the_guide_has_every_setting_with_its_default_and_no_other() {
    let Ok(serde_json::Value::Object(defaults)) = serde_json::to_value(Config::default()) else {
        panic!("settings are an object");
    };
    let expected: Vec<_> = KEYS
        .iter()
        .map(|key| {
            let default = &defaults[key.name];
            (key.name.to_owned(), default.as_str().map_or_else(|| default.to_string(), str::to_owned))
        })
        .collect();
    for (language, guide) in GUIDES {
        let told: Vec<_> = guide
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
            .filter_map(|(key, rest)| Some((key.to_owned(), rest.split_once(" |")?.0.to_owned())))
            .collect();
        assert_eq!(told, expected, "docs/guide/{language}/settings.md");
    }
}
