use std::fs;
use std::path::PathBuf;

use super::super::Catalogue;
use super::*;
use crate::env::Vars;

struct World {
    dir: tempfile::TempDir,
    catalogue: Catalogue,
}

impl World {
    fn new(agents: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("agents.toml"), agents).unwrap();
        let catalogue = Catalogue::new(dir.path(), dir.path(), &PathBuf::from("/bin/true"));
        Self { dir, catalogue }
    }

    fn file(&self) -> String {
        fs::read_to_string(self.dir.path().join("agents.toml")).unwrap()
    }

    fn set(&self, id: &str, name: &str, policy: VariablePolicy) -> Result<(), VariableError> {
        self.catalogue.set_variable(&id.parse().unwrap(), name, policy)
    }

    fn told(&self, id: &str, names: &[&str]) -> Vec<String> {
        let vars: Vars = names.iter().map(|name| (name.into(), "secret".into())).collect();
        let environment = Environment::new(&vars, None, self.dir.path());
        let entry = self.catalogue.get(&id.parse().unwrap()).unwrap();
        let told = entry.variables(&environment).into_iter();
        told.map(|told| format!("{} {:?} {:?} {}", told.name, told.kind, told.policy, told.present)).collect()
    }
}

#[test]
fn keys_and_what_changes_logins_are_told_by_name() {
    let world =
        World::new("[agents.claude]\nenv = { OPENAI_API_KEY = 'x' }\nunset = ['MY_VAR', 'ANTHROPIC_API_KEY']\n");
    let names = ["ANTHROPIC_API_KEY", "SOME_API_KEY", "GH_TOKEN", "DISPLAY", "EDITOR", "LANG", "OPENAI_API_KEY"];
    assert_eq!(
        world.told("claude", &names),
        [
            "ANTHROPIC_API_KEY Key Block true",
            "GH_TOKEN Key Pass true",
            "SOME_API_KEY Key Pass true",
            "DISPLAY Surroundings Pass true",
            "OPENAI_API_KEY Set Pass true",
            "MY_VAR Other Block false",
        ]
    );
    assert_eq!(world.told("codex", &["ANTHROPIC_API_KEY", "PATH"]), ["ANTHROPIC_API_KEY Key Pass true"]);
}

#[test]
fn a_choice_is_kept_in_the_file_and_leaves_the_rest_of_it_as_it_was() {
    let text = "# mine\n[agents.mine]\ncommand = 'x' # of mine\nunset = [\n  'A', # why\n] # end\n";
    let world = World::new(text);
    world.set("mine", "A_KEY", VariablePolicy::Block).unwrap();
    let after = world.file();
    assert!(after.starts_with("# mine\n[agents.mine]\ncommand = 'x' # of mine\n"), "{after}");
    assert!(after.contains("# why") && after.ends_with("# end\n"), "{after}");
    assert_eq!(world.told("mine", &[]), ["A Other Block false", "A_KEY Other Block false"]);
    world.set("mine", "A_KEY", VariablePolicy::Pass).unwrap();
    world.set("mine", "A_KEY", VariablePolicy::Pass).unwrap();
    assert_eq!(world.told("mine", &[]), ["A Other Block false"]);
}

#[test]
fn a_built_in_agent_gets_a_table_of_its_own() {
    let world = World::new("");
    world.set("claude", "ANTHROPIC_API_KEY", VariablePolicy::Pass).unwrap();
    assert_eq!(world.file(), "", "nothing changes, nothing is written");
    world.set("claude", "ANTHROPIC_API_KEY", VariablePolicy::Block).unwrap();
    assert_eq!(world.file(), "[agents.claude]\nunset = [\"ANTHROPIC_API_KEY\"]\n");
    assert_eq!(world.told("claude", &["ANTHROPIC_API_KEY"]), ["ANTHROPIC_API_KEY Key Block true"]);
    world.set("claude", "ANTHROPIC_API_KEY", VariablePolicy::Pass).unwrap();
    assert_eq!(world.told("claude", &["ANTHROPIC_API_KEY"]), ["ANTHROPIC_API_KEY Key Pass true"]);
    let inline = World::new("agents = { claude = { unset = ['X'] } }\n");
    inline.set("claude", "Y", VariablePolicy::Block).unwrap();
    assert_eq!(inline.told("claude", &[]), ["X Other Block false", "Y Other Block false"]);
}

#[test]
fn what_cannot_be_is_refused_and_the_file_stays() {
    let text = "[agents.claude]\nenv = { SET = 'x' }\n";
    let world = World::new(text);
    assert!(matches!(world.set("nobody", "A", VariablePolicy::Block), Err(VariableError::NoAgent)));
    assert!(matches!(world.set("claude", "SET", VariablePolicy::Block), Err(VariableError::Set)));
    for name in ["", "A=B", "A\nB", "A\0"] {
        assert!(matches!(world.set("claude", name, VariablePolicy::Block), Err(VariableError::BadName)), "{name:?}");
    }
    assert_eq!(world.file(), text);
    for broken in ["[agents.claude\n", "agents = 5\n"] {
        let world = World::new(broken);
        assert!(matches!(world.set("claude", "A", VariablePolicy::Block), Err(VariableError::File(_))), "{broken}");
        assert_eq!(world.file(), broken);
    }
}
