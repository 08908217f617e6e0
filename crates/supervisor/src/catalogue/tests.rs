use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use super::*;
use crate::env::Vars;
use crate::install::Installed;

/// A data directory, a home and a directory of programs.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { dir: tempfile::tempdir().unwrap() };
        for directory in ["data", "home", "bin"] {
            fs::create_dir(machine.at(directory)).unwrap();
        }
        machine
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn shown(&self, path: &str) -> String {
        self.at(path).display().to_string()
    }

    fn file(&self, path: &str, text: &str, mode: u32) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn agents_toml(&self, text: &str) {
        self.file("data/agents.toml", text, 0o600);
    }

    fn catalogue(&self) -> Catalogue {
        Catalogue::new(&self.at("data"), &self.at("home"), &std::env::current_exe().unwrap())
    }

    /// Only this machine's programs, and whatever the one that runs the test has in well-known places.
    fn environment(&self, more: &[(&str, &str)]) -> Environment {
        let mut vars: Vars = more.iter().map(|(name, value)| (name.into(), value.into())).collect();
        vars.insert("PATH".into(), self.at("bin").into());
        Environment::new(&vars, None, &self.at("home"))
    }

    fn refused(&self, text: &str) -> String {
        self.agents_toml(text);
        self.catalogue().problem().expect(text).detail
    }

    /// An environment in which nothing is found but in `bin`.
    fn launch(&self, command: &str) -> Result<LaunchPlan, LaunchProblem> {
        let path = self.shown("bin");
        self.agents_toml(&format!("[agents.mine]\ncommand = {command:?}\nenv = {{ PATH = {path:?} }}\n"));
        let catalogue = self.catalogue();
        assert_eq!(catalogue.problem(), None);
        catalogue.get(&id("mine")).unwrap().launch(&self.environment(&[]))
    }
}

fn id(text: &str) -> AgentId {
    text.parse().unwrap()
}

fn env_of<'a>(plan: &'a LaunchPlan, name: &str) -> Option<&'a str> {
    plan.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.to_str().unwrap())
}

#[test]
fn the_built_in_agents_are_these() {
    let machine = Machine::new();
    let started: Vec<_> = machine
        .catalogue()
        .entries()
        .iter()
        .map(|entry| {
            // Tour is started by the program itself, wherever that is.
            let command = entry.command.rsplit('/').next().unwrap_or_default();
            let command = if entry.id.as_str() == "tour" { "drover" } else { command };
            format!("{}: {command} {}", entry.id, entry.args.join(" ")).trim_end().to_owned()
        })
        .collect();
    assert_eq!(
        started,
        [
            "claude: claude-agent-acp",
            "codex: codex-acp",
            "gemini: gemini --acp",
            "opencode: opencode acp",
            "copilot: copilot --acp",
            "qwen: qwen --acp",
            "pi: pi-acp",
            "tour: drover tour",
        ]
    );
}

#[test]
fn modes_that_do_not_ask_and_quirks_are_data() {
    let catalogue = Machine::new().catalogue();
    let unasked = |agent: &str, mode: &str| catalogue.get(&id(agent)).unwrap().acts_unasked(mode);
    assert_eq!(unasked("claude", "auto"), Some(Unasked::Judged));
    assert_eq!(unasked("claude", "default"), None);
    assert_eq!(unasked("claude", "never heard of"), None);
    assert_eq!(unasked("codex", "agent"), Some(Unasked::Judged));
    assert_eq!(unasked("codex", "read-only"), None);
    assert_eq!(unasked("qwen", "auto"), Some(Unasked::Judged));
    assert_eq!(unasked("pi", "medium"), Some(Unasked::Everything));
    for entry in catalogue.entries() {
        let rest = (entry.id == id("gemini")).then_some(Duration::from_secs(70));
        assert_eq!(entry.session_rest, rest, "{}", entry.id);
    }
}

#[test]
fn agents_toml_adds_and_changes() {
    let machine = Machine::new();
    machine.agents_toml(
        "[agents.zeta]\ncommand = 'z'\n\
         [agents.mine]\nname = 'My agent'\ndescription = 'Mine.'\ncommand = 'mine'\nargs = ['--acp', '$HOME; ls']\nenv = { KEY = 'v' }\nunset = ['OTHER']\n\
         [agents.gemini]\ncommand = '/opt/gemini'\nenv = { GEMINI_API_KEY = 'k' }\n",
    );
    let catalogue = machine.catalogue();
    assert_eq!(catalogue.problem(), None);
    let ids: Vec<_> = catalogue.entries().iter().map(|entry| entry.id.to_string()).collect();
    assert_eq!(ids, ["claude", "codex", "gemini", "opencode", "copilot", "qwen", "pi", "mine", "zeta", "tour"]);

    let mine = catalogue.get(&id("mine")).unwrap();
    assert_eq!(
        (mine.name.as_str(), mine.description.as_deref(), mine.source),
        ("My agent", Some("Mine."), AgentSource::Custom)
    );
    assert_eq!((mine.args, mine.unset), (vec!["--acp".to_owned(), "$HOME; ls".to_owned()], vec!["OTHER".to_owned()]));
    assert_eq!(catalogue.get(&id("zeta")).unwrap().name, "zeta");

    let gemini = catalogue.get(&id("gemini")).unwrap();
    assert_eq!(
        (gemini.command.as_str(), gemini.args, gemini.source),
        ("/opt/gemini", vec!["--acp".to_owned()], AgentSource::Builtin)
    );
    assert_eq!((gemini.name.as_str(), gemini.session_rest), ("Gemini CLI", Some(Duration::from_secs(70))));
    assert!(!format!("{mine:?}", mine = catalogue.get(&id("mine")).unwrap()).contains("\"v\""));
}

#[test]
fn what_is_wrong_with_agents_toml_is_said_with_its_place() {
    let machine = Machine::new();
    let table = [
        (
            "[agents.mine]\ncomand = 'x'\n",
            "line 2, column 1: unknown key `comand`, expected one of `name`, `description`, `command`, `args`, `env`, `unset`",
        ),
        ("[agent.mine]\n", "line 1, column 2: unknown key `agent`, expected `agents`"),
        ("[agents.mine]\nname = 'x'\n", "line 1, column 9: `mine` has no `command`"),
        ("[agents.\"a b\"]\ncommand = 'x'\n", "line 1, column 9: `a b` cannot be an agent's id: "),
        ("[agents.mine]\ncommand = ' '\n", "line 2, column 11: `command` is empty"),
        (
            "[agents.mine]\ncommand = 'x'\nargs = '--acp'\n",
            "line 3, column 8: invalid type: string \"--acp\", expected a sequence",
        ),
        (
            "[agents.mine]\ncommand = 'x'\nargs = [1]\n",
            "line 3, column 9: invalid type: integer `1`, expected a string",
        ),
        (
            "[agents.mine]\ncommand = 'x'\nenv = { PORT = 80 }\n",
            "line 3, column 16: invalid type: integer `80`, expected a string",
        ),
        (
            "[agents.mine]\ncommand = 'x'\nenv = { \"A=B\" = '' }\n",
            "line 3, column 9: `A=B` cannot be the name of a variable",
        ),
        (
            "[agents.mine]\ncommand = 'x'\nargs = [\"a\\u0000\"]\n",
            "line 3, column 9: a NUL cannot be passed to a program",
        ),
        (
            "[agents.mine]\ncommand = 'x'\nenv = { A = '' }\nunset = ['B', 'A']\n",
            "line 4, column 15: `A` is both in `env` and in `unset`",
        ),
        ("[agents.mine]\ncommand = 'x'\n[agents.mine]\n", "line 3, column 9: duplicate key"),
        ("[agents.mine\n", "line 1, column 13: "),
    ];
    for (text, expected) in table {
        let detail = machine.refused(text);
        assert!(detail.starts_with(expected), "{text:?}\n  {detail}\n  {expected}");
    }
}

#[test]
fn the_last_good_file_holds_while_the_new_one_cannot_be_used() {
    let machine = Machine::new();
    let catalogue = machine.catalogue();
    let has = |agent: &str| catalogue.get(&id(agent)).is_some();
    assert!(!has("one") && has("claude"));
    machine.agents_toml("[agents.one]\ncommand = 'x'\n");
    assert!(has("one"));
    machine.agents_toml("[agents.two]\ncommand = \n");
    assert!(has("one") && !has("two"));
    let problem = catalogue.problem().unwrap();
    assert_eq!(problem.file, machine.at("data/agents.toml"));
    assert!(problem.detail.starts_with("line 2, column "), "{problem:?}");
    machine.agents_toml("[agents.two]\ncommand = 'x'\n");
    assert!(!has("one") && has("two"));
    assert_eq!(catalogue.problem(), None);
    fs::remove_file(machine.at("data/agents.toml")).unwrap();
    assert!(!has("two") && has("claude"));
}

#[test]
fn a_command_is_found_by_the_stated_rule() {
    let machine = Machine::new();
    for path in ["bin/tool", "home/bin/my agent", "data/agent", "data/sub/agent", "home/.local/bin/bare"] {
        machine.file(path, "", 0o755);
    }
    let found = |command: &str| machine.launch(command).unwrap().command;
    assert_eq!(found("tool"), machine.at("bin/tool"));
    assert_eq!(found("~/bin/my agent"), machine.at("home/bin/my agent"));
    assert_eq!(found("./agent"), machine.at("data/agent"));
    assert_eq!(found("sub/agent"), machine.at("data/sub/agent"));
    assert_eq!(found(&machine.shown("bin/tool")), machine.at("bin/tool"));

    machine.agents_toml("[agents.mine]\ncommand = 'bare'\n");
    let plan = machine.catalogue().get(&id("mine")).unwrap().launch(&machine.environment(&[])).unwrap();
    assert_eq!(plan.command, machine.at("home/.local/bin/bare"));
}

#[test]
fn each_way_of_not_starting_has_its_sentence() {
    let machine = Machine::new();
    machine.file("bin/plain", "", 0o644);
    machine.file("data/plain", "", 0o644);
    machine.file("bin/env-script", "#!/usr/bin/env missing-interp\n", 0o755);
    machine.file("bin/split-script", "#! /usr/bin/env -S FLAG=1 missing-interp --x\n", 0o755);
    machine.file("bin/path-script", "#!/no/such/interp -x\n", 0o755);
    machine.file("bin/real-script", "#!/bin/sh\n", 0o755);
    let (bin, data) = (machine.shown("bin"), machine.shown("data"));
    let table = [
        ("nothing", format!("`nothing` was not found. Searched: {bin}")),
        ("plain", format!("`{bin}/plain` is not executable")),
        ("./plain", format!("`{data}/plain` is not executable")),
        ("/no/such/program", "`/no/such/program` does not exist".to_owned()),
        ("./none", format!("`{data}/none` does not exist")),
        ("~/none", format!("`{}/none` does not exist", machine.shown("home"))),
        ("../bin", format!("`{data}/../bin` is a directory, not a program")),
        ("/dev/null", "`/dev/null` is not a file".to_owned()),
        ("./plain/x", format!("`{data}/plain/x` cannot be used: Not a directory (os error 20)")),
        (
            "env-script",
            format!("`missing-interp`, which `{bin}/env-script` is written for, was not found. Searched: {bin}"),
        ),
        (
            "split-script",
            format!("`missing-interp`, which `{bin}/split-script` is written for, was not found. Searched: {bin}"),
        ),
        (
            "path-script",
            format!("`/no/such/interp`, which `{bin}/path-script` is written for, does not exist or is not executable"),
        ),
    ];
    for (command, sentence) in table {
        assert_eq!(machine.launch(command).unwrap_err().to_string(), sentence, "{command}");
    }
    assert!(machine.launch("real-script").is_ok());
}

/// Codex takes the `bwrap` of its search path before its own, and fails with an old one.
#[test]
fn what_an_installation_brings_for_itself_goes_before_the_systems() {
    let machine = Machine::new();
    machine.file("bin/bwrap", "", 0o755);
    machine.file("bin/node", "", 0o755);
    let entry = machine.catalogue().get(&id("codex")).unwrap();
    let recipe = entry.recipe.clone().unwrap();
    let own = format!("installed/{}", recipe.path[0]);
    machine.file(&format!("{own}/bwrap"), "", 0o755);
    let mut installed = Installed {
        package: recipe.package.name.clone(),
        version: recipe.package.version.clone(),
        start: recipe.start.clone(),
        path: recipe.path,
        bytes: 1,
        initialize: serde_json::Value::Null,
        dir: machine.at("installed"),
    };
    let environment = machine.environment(&[]);
    let path = |installed: &Installed| {
        let plan = entry.launch_installed(installed, entry.vars(&environment)).unwrap();
        env_of(&plan, "PATH").unwrap().to_owned()
    };
    assert!(path(&installed).starts_with(&machine.shown(&own)), "{}", path(&installed));
    installed.dir = machine.at("elsewhere");
    assert!(path(&installed).starts_with(&machine.shown("bin")), "what is not there is not named");
}

#[test]
fn an_agent_gets_the_cleaned_environment_and_then_what_the_user_says() {
    let machine = Machine::new();
    machine.file("bin/tool", "", 0o755);
    machine.agents_toml(
        "[agents.plain]\ncommand = 'tool'\n\
         [agents.set]\ncommand = 'tool'\nenv = { FOO = 'bar', CLAUDECODE = 'keep' }\nunset = ['OTHER', 'ABSENT']\n",
    );
    let inherited = [("CLAUDECODE", "1"), ("GIT_DIR", "/x"), ("OTHER", "o"), ("KEEP_ME", "yes"), ("DROVER_TOKEN", "t")];
    let environment = machine.environment(&inherited);
    let plan = |agent: &str| machine.catalogue().get(&id(agent)).unwrap().launch(&environment).unwrap();

    let plain = plan("plain");
    for name in ["CLAUDECODE", "GIT_DIR", "DROVER_TOKEN"] {
        assert_eq!(env_of(&plain, name), None, "{name}");
    }
    assert_eq!((env_of(&plain, "OTHER"), env_of(&plain, "KEEP_ME")), (Some("o"), Some("yes")));
    assert_eq!(env_of(&plain, "HOME"), machine.at("home").to_str());
    assert!(env_of(&plain, "PATH").unwrap().starts_with(&machine.shown("bin")));

    let set = plan("set");
    assert_eq!(
        (env_of(&set, "FOO"), env_of(&set, "CLAUDECODE"), env_of(&set, "OTHER")),
        (Some("bar"), Some("keep"), None)
    );
    assert!(!format!("{set:?}").contains("bar"));
}

#[test]
fn the_user_sees_what_is_missing_and_what_to_do() {
    let machine = Machine::new();
    machine.file("bin/claude", "", 0o755);
    machine.file("bin/opencode", "", 0o755);
    machine.file("bin/qwen", "", 0o644);
    machine.file("bin/pi-acp", "", 0o755);
    // Nothing but `bin` is searched, whatever the machine that runs this has.
    let path = machine.shown("bin");
    let mut text = "[agents.mine]\ncommand = '/no/such/program'\n".to_owned();
    for builtin in ["claude", "codex", "gemini", "opencode", "copilot", "qwen", "pi"] {
        text += &format!("[agents.{builtin}]\nenv = {{ PATH = {path:?} }}\n");
    }
    machine.agents_toml(&text);
    let seen = machine.catalogue().agents(&machine.environment(&[]));
    let expect = |agent: &str, state: AgentState, hint: Option<String>| {
        let agent = seen.iter().find(|seen| seen.id.as_str() == agent).unwrap();
        assert_eq!((agent.state, agent.hint.clone()), (state, hint), "{}", agent.id);
    };
    expect("opencode", AgentState::Ready, None);
    expect(
        "claude",
        AgentState::NotInstalled,
        Some(format!(
            "Claude Code is here (`{path}/claude`), but not `claude-agent-acp`, through which it speaks ACP: install the npm package @agentclientprotocol/claude-agent-acp."
        )),
    );
    expect(
        "gemini",
        AgentState::NotInstalled,
        Some("`gemini` is not on the PATH: install the npm package @google/gemini-cli.".to_owned()),
    );
    expect("qwen", AgentState::Broken, Some(format!("`{path}/qwen` is not executable")));
    expect(
        "pi",
        AgentState::NotInstalled,
        Some(format!(
            "`{path}/pi-acp` is here, but `pi`, which it needs, is not on the PATH: install the npm package @earendil-works/pi-coding-agent."
        )),
    );
    expect("mine", AgentState::Broken, Some("`/no/such/program` does not exist".to_owned()));
}
