//! Real shells where they are installed, and scripts that behave like bad ones.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::*;

const LONG: Duration = Duration::from_secs(60);

/// Whatever is asked for the home below `home`, with `shell` for the user's.
fn asking(home: &TempDir, shell: impl Into<PathBuf>, patience: Duration, extra: &[(&str, &str)]) -> Environments {
    let mut daemon = vars(&[("PATH", "/usr/bin:/bin"), ("CLAUDECODE", "1")]);
    daemon.insert("HOME".into(), home.path().into());
    daemon.extend(vars(extra));
    Environments::with(daemon, Some(shell.into()), patience, LONG)
}

/// A shell that is a script: what it does before and after the command it is asked to run (`$command`).
fn fake_shell(home: &TempDir, before: &str, after: &str) -> PathBuf {
    let path = home.path().join("fakesh");
    // The command is the last argument, as it is for a real shell.
    script(&path, &format!("#!/bin/sh\nfor command; do :; done\n{before}\neval \"$command\"\n{after}\n"));
    path
}

fn told(environment: &Environment) -> bool {
    environment.warning().is_none() && environment.age().is_some()
}

/// Held open by a fake shell that runs [`LINGER`] and by what it starts, so that their end can be seen.
struct Alive(JoinHandle<io::Result<Vec<u8>>>);

/// Holds `alive`, leaves a process behind and waits for it.
const LINGER: &str = "exec 9> \"$HOME/alive\"; sleep 1000 &";

impl Alive {
    fn new(home: &TempDir) -> Self {
        let path = home.path().join("alive");
        mkfifo(&path, Mode::S_IRWXU).unwrap();
        // Opens when the shell does, and ends when nobody holds it any more.
        Self(tokio::task::spawn_blocking(|| fs::read(path)))
    }

    async fn all_gone(self) {
        timeout(LONG, self.0).await.unwrap().unwrap().unwrap();
    }
}

#[tokio::test]
async fn every_installed_shell_tells_what_its_start_up_files_set() {
    let noise = "echo a banner; export FROM_RC='two words\nand a line'; export PATH=\"$HOME/tools:$PATH\"\n";
    let fish = "echo a banner; set -gx FROM_RC 'two words\nand a line'; set -gx PATH $HOME/tools $PATH\n";
    let csh = "echo a banner\nsetenv FROM_RC 'two words\\\nand a line'\nsetenv PATH \"$HOME/tools:$PATH\"\n";
    let table = [
        ("bash", ".bash_profile", noise),
        ("zsh", ".zshrc", noise),
        ("dash", ".profile", noise),
        ("ksh", ".profile", noise),
        ("fish", ".config/fish/config.fish", fish),
        ("tcsh", ".tcshrc", csh),
    ];
    let here = SearchPath::parse(OsStr::new("/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin"));
    let mut asked = Vec::new();
    for (name, start_up, text) in table {
        let Lookup::Found(shell) = here.find(name) else {
            eprintln!("not tried: {name} is not installed");
            continue;
        };
        let home = tempfile::tempdir().unwrap();
        file(&home.path().join(start_up), text, 0o644);
        let environment = asking(&home, shell, LONG, &[("FROM_DAEMON", "yes")]).ready_within(LONG).await;
        assert!(told(&environment), "{name}: {environment:?}");
        assert_eq!(value(&environment, "FROM_RC"), Some("two words\nand a line"), "{name}");
        assert_eq!(value(&environment, "FROM_DAEMON"), Some("yes"), "{name}");
        assert_eq!(value(&environment, "CLAUDECODE"), None, "{name}");
        assert_eq!(environment.search().directories()[0], home.path().join("tools"), "{name}");
        assert_eq!(value(&environment, "HOME"), home.path().to_str(), "{name}");
        let names: Vec<_> = environment.vars().keys().filter(|name| name.as_bytes().contains(&b'\n')).collect();
        assert!(names.is_empty(), "{name}: {names:?}");
        asked.push(name);
    }
    assert!(!asked.is_empty(), "no shell is installed");
    if std::env::var_os("CI").is_some() {
        assert!(["bash", "zsh", "fish"].iter().all(|name| asked.contains(name)), "CI has them: {asked:?}");
    }
}

#[tokio::test]
async fn noise_around_the_marks_is_ignored() {
    let home = tempfile::tempdir().unwrap();
    let before =
        "printf 'banner\\nFAKE=1\\0FAKE=2\\0'; printf '\\033]0;%s\\007' \"$command\"; FROM_RC=1; export FROM_RC";
    let shell = fake_shell(&home, before, "printf 'bye\\nFAKE=3\\0'");
    let environment = asking(&home, shell, LONG, &[]).ready_within(LONG).await;
    assert!(told(&environment), "{environment:?}");
    assert_eq!((value(&environment, "FROM_RC"), value(&environment, "FAKE")), (Some("1"), None));
    assert!(!environment.search().to_string().contains("banner"));
    assert_eq!(value(&environment, "DROVER_RESOLVING_ENVIRONMENT"), None);
}

#[tokio::test]
async fn a_shell_that_never_ends_is_ended_with_all_it_started() {
    let home = tempfile::tempdir().unwrap();
    let alive = Alive::new(&home);
    let shell = fake_shell(&home, LINGER, "wait");
    let environment = asking(&home, shell, LONG, &[]).ready_within(LONG).await;
    assert!(told(&environment), "{environment:?}");
    alive.all_gone().await;
}

#[tokio::test]
async fn a_shell_that_hangs_costs_no_more_than_its_patience() {
    let home = tempfile::tempdir().unwrap();
    let alive = Alive::new(&home);
    let shell = fake_shell(&home, &format!("{LINGER} wait"), "");
    let asked = asking(&home, &shell, Duration::from_secs(2), &[("KEEP_ME", "yes")]);
    let environment = asked.ready_within(LONG).await;
    let warning = environment.warning().unwrap();
    assert!(warning.contains("did not answer") && warning.contains(shell.to_str().unwrap()), "{warning}");
    assert!(warning.starts_with("Agents get the daemon's own environment: "), "{warning}");
    assert_eq!((value(&environment, "KEEP_ME"), environment.age()), (Some("yes"), None));
    alive.all_gone().await;
    // It is not waited for a second time.
    assert!(asked.ready_within(Duration::ZERO).await.warning().unwrap().contains("did not answer"));
}

#[tokio::test]
async fn nobody_waits_longer_than_they_want() {
    let home = tempfile::tempdir().unwrap();
    let shell = fake_shell(&home, "while [ ! -e \"$HOME/go\" ]; do sleep 0.01; done; FROM_RC=1; export FROM_RC", "");
    let asked = asking(&home, shell, LONG, &[]);
    assert_eq!(asked.current().warning(), None);
    let early = asked.ready_within(Duration::from_millis(1)).await;
    assert!(early.warning().unwrap().contains("not answered yet"));
    assert_eq!(value(&early, "FROM_RC"), None);
    let waiting = tokio::spawn({
        let asked = asked.clone();
        async move { asked.ready_within(LONG).await }
    });
    file(&home.path().join("go"), "", 0o644);
    assert_eq!(value(&waiting.await.unwrap(), "FROM_RC"), Some("1"));
    assert!(told(&asked.current()));
}

#[tokio::test]
async fn a_reading_that_is_given_up_leaves_no_process() {
    let home = tempfile::tempdir().unwrap();
    let alive = Alive::new(&home);
    let shell = fake_shell(&home, &format!("{LINGER} : > \"$HOME/started\"; wait"), "");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let asked = asking(&home, shell, LONG, &[]);
    runtime.spawn(async move { asked.ready_within(LONG).await });
    while !home.path().join("started").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    runtime.shutdown_background();
    alive.all_gone().await;
}

#[tokio::test]
async fn what_goes_wrong_is_told() {
    let home = tempfile::tempdir().unwrap();
    let ends = fake_shell(&home, "exit 3", "");
    let environment = asking(&home, &ends, LONG, &[]).ready_within(LONG).await;
    assert!(environment.warning().unwrap().contains("ended without telling"), "{environment:?}");
    assert!(environment.warning().unwrap().contains("exit status: 3"), "{environment:?}");

    let floods = fake_shell(&home, "exec yes", "");
    let environment = asking(&home, &floods, LONG, &[]).ready_within(LONG).await;
    assert!(environment.warning().unwrap().contains("printed more than 4 MiB"), "{environment:?}");

    let environment = asking(&home, home.path().join("none"), LONG, &[]).ready_within(LONG).await;
    assert!(environment.warning().unwrap().contains("could not be started"), "{environment:?}");

    let nobody = Environments::with(vars(&[("HOME", "/nowhere")]), None, LONG, LONG);
    assert!(nobody.ready_within(LONG).await.warning().unwrap().contains("neither SHELL nor"));
}

#[tokio::test]
async fn a_refresh_reads_again_and_a_failed_one_keeps_what_was_told() {
    let home = tempfile::tempdir().unwrap();
    let set = |n: u8| fake_shell(&home, &format!("FROM_RC={n}; export FROM_RC"), "");
    let asked = asking(&home, set(1), LONG, &[]);
    assert_eq!(value(&asked.ready_within(LONG).await, "FROM_RC"), Some("1"));
    set(2);
    assert_eq!(value(&asked.current(), "FROM_RC"), Some("1"));
    assert_eq!(value(&asked.refresh().await, "FROM_RC"), Some("2"));
    fake_shell(&home, "exit 1", "");
    let kept = asked.refresh().await;
    assert_eq!(value(&kept, "FROM_RC"), Some("2"));
    assert!(kept.warning().unwrap().starts_with("Agents get what it told before: "), "{kept:?}");
    set(3);
    let again = asked.refresh().await;
    assert_eq!(value(&again, "FROM_RC"), Some("3"));
    assert!(told(&again));
}

#[tokio::test]
async fn an_old_reading_is_renewed_behind_the_scenes() {
    let home = tempfile::tempdir().unwrap();
    let set = |n: u8| fake_shell(&home, &format!("FROM_RC={n}; export FROM_RC"), "");
    let mut daemon = vars(&[("PATH", "/usr/bin:/bin")]);
    daemon.insert("HOME".into(), home.path().into());
    let asked = Environments::with(daemon, Some(set(1)), LONG, Duration::ZERO);
    assert_eq!(value(&asked.ready_within(LONG).await, "FROM_RC"), Some("1"));
    set(2);
    while value(&asked.current(), "FROM_RC") != Some("2") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn a_shell_that_must_not_be_used_is_not() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    for name in ["nologin", "false", "mysh"] {
        file(&at(name), "", 0o755);
    }
    file(&at("plain"), "", 0o644);
    let of = |path: &Path| super::super::shell::of_user(&Vars::from([("SHELL".into(), path.into())]));
    assert_eq!(of(&at("mysh")), Some(at("mysh")));
    for refused in [at("nologin"), at("false"), at("plain"), at("none"), home.path().to_owned(), PathBuf::from("mysh")]
    {
        assert_ne!(of(&refused), Some(refused.clone()));
    }
}

#[test]
fn each_kind_of_shell_is_called_its_way() {
    let call = |shell: &str| {
        let call = super::super::shell::call(Path::new(shell), "/bin/sh -c 'x'");
        let text = |part: OsString| part.into_string().unwrap();
        (call.arg0.map(text), call.args.into_iter().map(text).collect::<Vec<_>>())
    };
    assert_eq!(call("/bin/zsh"), (None, ["-l", "-i", "-c", "/bin/sh -c 'x'"].map(String::from).to_vec()));
    assert_eq!(
        call("/bin/tcsh"),
        (Some("-tcsh".to_owned()), ["-i", "-c", "/bin/sh -c 'x'"].map(String::from).to_vec())
    );
    assert_eq!(call("/bin/nu").1[3], "^/bin/sh -c 'x'");
    assert_eq!(call("/bin/pwsh").1, ["-Login", "-Command", "/bin/sh -c 'x'"]);
}
