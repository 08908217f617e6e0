//! From an entry to what is started: the file, its arguments and its whole environment.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::entry::Entry;
use crate::env::{Environment, Lookup, SearchPath, Vars, is_executable};
use crate::install::{Disk, Installed, ManagedNode, Start};

/// Everything that starting an agent takes but the directory it works in.
#[derive(Clone, PartialEq, Eq)]
pub struct LaunchPlan {
    /// The program, absolute.
    pub command: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment: nothing else is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// The file that people know it by: for a script the script, and not what reads it.
    pub found: PathBuf,
    /// Its version, where Drover installed it.
    pub managed: Option<String>,
}

impl fmt::Debug for LaunchPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names alone: values are the user's secrets.
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        f.debug_struct("LaunchPlan")
            .field("command", &self.command)
            .field("args", &self.args)
            .field("env", &names)
            .finish()
    }
}

/// Why an agent cannot be started, as a sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum LaunchProblem {
    /// No program of that name.
    #[error("`{command}` was not found. Searched: {searched}")]
    NotFound {
        /// The name.
        command: String,
        /// Where it was looked for.
        searched: SearchPath,
    },
    /// No file at that path.
    #[error("`{}` does not exist", command.display())]
    Missing {
        /// The path.
        command: PathBuf,
    },
    /// A directory at that path.
    #[error("`{}` is a directory, not a program", command.display())]
    Directory {
        /// The path.
        command: PathBuf,
    },
    /// Neither a file nor a directory.
    #[error("`{}` is not a file", command.display())]
    NotAFile {
        /// The path.
        command: PathBuf,
    },
    /// A file that this user may not execute.
    #[error("`{}` is not executable", command.display())]
    NotExecutable {
        /// The path.
        command: PathBuf,
    },
    /// A path that cannot be looked at.
    #[error("`{}` cannot be used: {source}", command.display())]
    Unreachable {
        /// The path.
        command: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A script whose first line names an interpreter by name that is not there.
    #[error("`{interpreter}`, which `{}` is written for, was not found. Searched: {searched}", command.display())]
    InterpreterNotFound {
        /// The script.
        command: PathBuf,
        /// The interpreter's name.
        interpreter: String,
        /// Where it was looked for.
        searched: SearchPath,
    },
    /// A script whose first line names an interpreter by a path where there is no program.
    #[error("`{interpreter}`, which `{}` is written for, does not exist or is not executable", command.display())]
    InterpreterMissing {
        /// The script.
        command: PathBuf,
        /// The interpreter's path.
        interpreter: String,
    },
    /// A program that the command starts by itself is not there.
    #[error("`{need}`, which `{}` needs, was not found. Searched: {searched}", command.display())]
    NeedNotFound {
        /// The agent's program.
        command: PathBuf,
        /// What it needs.
        need: String,
        /// Where it was looked for.
        searched: SearchPath,
    },
}

impl LaunchProblem {
    /// Whether something is not there at all, so that installing it would help.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::NotFound { .. } | Self::NeedNotFound { .. })
    }
}

impl Entry {
    /// What to start now. Looks at the file system and starts nothing.
    ///
    /// The user's own program on the search path goes before one that Drover installed, except for adapters: those of
    /// another's program are the installed ones, where there are any. A `command` in agents.toml goes before all.
    ///
    /// The environment is `environment` without `unset` and with `env`. Where those change `PATH`, that is the path on
    /// which the command is looked up too.
    ///
    /// # Errors
    ///
    /// The command, its interpreter or what it needs is not there or cannot be executed.
    pub fn launch(&self, environment: &Environment) -> Result<LaunchPlan, LaunchProblem> {
        let vars = self.vars(environment);
        let managed = self.managed();
        // An adapter is kept with the versions that are known to work; a program of its own is the user's choice.
        let of_path =
            if self.vendor.is_some() && managed.is_some() { None } else { Some(self.launch_from_path(&vars)) };
        match (of_path, managed) {
            (Some(Ok(plan)), _) => Ok(plan),
            (_, Some(installed)) => self.launch_installed(&installed, vars),
            (Some(Err(problem)), None) => Err(problem),
            (None, None) => self.launch_from_path(&vars),
        }
    }

    fn launch_from_path(&self, vars: &Vars) -> Result<LaunchPlan, LaunchProblem> {
        let search = search_of(vars);
        let command = self.program(&search)?;
        check_interpreter(&command, &search)?;
        for need in &self.needs {
            if !matches!(search.find(&need.command), Lookup::Found(_)) {
                return Err(LaunchProblem::NeedNotFound { command, need: need.command.clone(), searched: search });
            }
        }
        let args = self.args.iter().map(OsString::from).collect();
        let env = vars.clone().into_iter().collect();
        Ok(LaunchPlan { found: command.clone(), command, args, env, managed: None })
    }

    /// The version that Drover installed and that is used, where this agent is one that it installs.
    pub(crate) fn managed(&self) -> Option<Installed> {
        self.recipe.as_ref()?;
        self.disk().current(self.id.as_str())
    }

    /// Where installations are.
    pub(crate) fn disk(&self) -> Disk {
        Disk::of(&self.places.data_dir)
    }

    /// What to start of an installation.
    ///
    /// # Errors
    ///
    /// There is no Node.js any more to run it.
    pub(crate) fn launch_installed(&self, installed: &Installed, mut vars: Vars) -> Result<LaunchPlan, LaunchProblem> {
        let search = search_of(&vars);
        let file = installed.dir.join(installed.start.file());
        let node = match (&installed.start, ManagedNode::of(&self.disk())) {
            (Start::Program(_), _) => None,
            (Start::Script(_), Some(node)) => Some(node.program),
            (Start::Script(_), None) => match search.find("node") {
                Lookup::Found(node) => Some(node),
                Lookup::NotExecutable(_) | Lookup::Missing => {
                    let (command, interpreter) = (file, "node".to_owned());
                    return Err(LaunchProblem::InterpreterNotFound { command, interpreter, searched: search });
                }
            },
        };
        if !installed.path.is_empty() {
            // What it starts by name is there, and so is the Node.js that this is written for.
            let own = installed.path.iter().map(|dir| installed.dir.join(dir)).filter(|dir| dir.is_dir());
            let with_node = own.chain(node.iter().filter_map(|node| node.parent().map(Path::to_owned)));
            let all = with_node.chain(search.directories().iter().cloned());
            vars.insert("PATH".into(), std::env::join_paths(all).unwrap_or_else(|_| search.to_os_string()));
        }
        let args = self.args.iter().map(OsString::from);
        let (command, args) = match node {
            Some(node) => (node, std::iter::once(file.clone().into_os_string()).chain(args).collect()),
            None => (file.clone(), args.collect()),
        };
        let env = vars.into_iter().collect();
        Ok(LaunchPlan { command, args, env, found: file, managed: Some(installed.version.clone()) })
    }

    /// The environment that the agent gets, the search path aside.
    pub(crate) fn vars(&self, environment: &Environment) -> Vars {
        let mut vars = environment.vars().clone();
        for name in &self.unset {
            vars.remove(OsStr::new(name));
        }
        vars.extend(self.env.iter().map(|(name, value)| (name.into(), value.into())));
        vars
    }

    fn program(&self, search: &SearchPath) -> Result<PathBuf, LaunchProblem> {
        if !self.command.contains('/') {
            return match search.find(&self.command) {
                Lookup::Found(file) => Ok(file),
                Lookup::NotExecutable(command) => Err(LaunchProblem::NotExecutable { command }),
                Lookup::Missing => {
                    Err(LaunchProblem::NotFound { command: self.command.clone(), searched: search.clone() })
                }
            };
        }
        let command = match self.command.strip_prefix("~/") {
            Some(rest) => self.places.home.join(rest),
            None => self.places.data_dir.join(self.command.strip_prefix("./").unwrap_or(&self.command)),
        };
        check_file(&command)?;
        Ok(command)
    }
}

fn search_of(vars: &Vars) -> SearchPath {
    SearchPath::parse(vars.get(OsStr::new("PATH")).map_or(OsStr::new(""), OsString::as_os_str))
}

fn check_file(command: &Path) -> Result<(), LaunchProblem> {
    let command = command.to_owned();
    match command.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LaunchProblem::Missing { command }),
        Err(source) => Err(LaunchProblem::Unreachable { command, source }),
        Ok(found) if found.is_dir() => Err(LaunchProblem::Directory { command }),
        Ok(found) if !found.is_file() => Err(LaunchProblem::NotAFile { command }),
        Ok(_) if !is_executable(&command) => Err(LaunchProblem::NotExecutable { command }),
        Ok(_) => Ok(()),
    }
}

/// The kernel says of a script whose interpreter is gone that the *script* does not exist. Say it better.
fn check_interpreter(command: &Path, search: &SearchPath) -> Result<(), LaunchProblem> {
    let Some((interpreter, by_name)) = interpreter_of(command) else { return Ok(()) };
    let command = command.to_owned();
    if by_name {
        return match search.find(&interpreter) {
            Lookup::Found(_) => Ok(()),
            Lookup::NotExecutable(_) | Lookup::Missing => Err(LaunchProblem::InterpreterNotFound {
                command,
                interpreter: interpreter.display().to_string(),
                searched: search.clone(),
            }),
        };
    }
    let path = Path::new(&interpreter);
    // A relative one is relative to wherever the agent works: nothing to be known here.
    if path.is_relative() || (path.is_file() && is_executable(path)) {
        return Ok(());
    }
    Err(LaunchProblem::InterpreterMissing { command, interpreter: interpreter.display().to_string() })
}

/// What the first line of a script names, and whether that is a name for `env` to look up; `None` for other files.
fn interpreter_of(file: &Path) -> Option<(OsString, bool)> {
    // As much as Linux reads of it.
    let mut head = Vec::with_capacity(256);
    File::open(file).ok()?.take(256).read_to_end(&mut head).ok()?;
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let interpreter = OsStr::from_bytes(words.next()?);
    if Path::new(interpreter).file_name() != Some(OsStr::new("env")) {
        return Some((interpreter.to_owned(), false));
    }
    // `env -S node --flag` and `env VAR=1 node` name node.
    let name = words.map(OsStr::from_bytes).find(|word| !is_option_or_variable(word))?;
    Some((name.to_owned(), !name.as_bytes().contains(&b'/')))
}

fn is_option_or_variable(word: &OsStr) -> bool {
    word.as_bytes().starts_with(b"-") || word.as_bytes().contains(&b'=')
}
