//! A registry of npm packages on loopback, for the real npm: packuments and tarballs, and ways to be a bad one.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Map, Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// A registry; gone when dropped.
pub struct Registry {
    /// Where it listens.
    pub port: u16,
    state: Arc<State>,
    server: JoinHandle<()>,
}

#[derive(Default)]
struct State {
    packages: Mutex<BTreeMap<(String, String), Package>>,
    asked: Mutex<Vec<String>>,
    held: watch::Sender<Option<String>>,
}

/// One version of a package.
#[derive(Clone)]
pub struct Package {
    name: String,
    version: String,
    /// The version inside the tarball, where it is another one.
    inside: Option<String>,
    files: Vec<(String, Vec<u8>)>,
    more: Map<String, Value>,
    integrity: Option<String>,
}

impl Package {
    /// A package without anything but its `package.json`.
    pub fn new(name: &str, version: &str) -> Self {
        let (name, version) = (name.to_owned(), version.to_owned());
        Self { name, version, inside: None, files: Vec::new(), more: Map::new(), integrity: None }
    }

    /// With a file, which can be executed.
    pub fn file(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.push((path.to_owned(), content.into()));
        self
    }

    /// With a member of `package.json` and of what the registry tells.
    pub fn with(mut self, member: &str, value: Value) -> Self {
        self.more.insert(member.to_owned(), value);
        self
    }

    /// The tarball says that it is another version than the registry announces.
    pub fn inside(mut self, version: &str) -> Self {
        self.inside = Some(version.to_owned());
        self
    }

    /// The tarball is not what the registry announces.
    pub fn broken(mut self) -> Self {
        self.integrity = Some(format!("sha512-{}==", "A".repeat(86)));
        self
    }

    fn manifest(&self, version: &str) -> Value {
        let mut manifest = self.more.clone();
        manifest.insert("name".into(), json!(self.name));
        manifest.insert("version".into(), json!(version));
        Value::Object(manifest)
    }

    fn tarball(&self) -> Vec<u8> {
        let dir = tempfile::tempdir().expect("a directory");
        let manifest = self.manifest(self.inside.as_ref().unwrap_or(&self.version)).to_string().into_bytes();
        let files = self.files.iter().cloned().chain([("package.json".to_owned(), manifest)]);
        for (path, content) in files {
            let path = dir.path().join("package").join(path);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(&path, content).expect("a file");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
        }
        let tar =
            Command::new("tar").arg("-C").arg(dir.path()).args(["-czf", "-", "package"]).stderr(Stdio::null()).output();
        tar.expect("tar runs").stdout
    }
}

impl Registry {
    /// A registry of these packages.
    ///
    /// # Panics
    ///
    /// When there is no port for it.
    pub async fn start(packages: impl IntoIterator<Item = Package>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(State::default());
        let serving = Arc::clone(&state);
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, port, Arc::clone(&serving)));
            }
        });
        let registry = Self { port, state, server };
        for package in packages {
            registry.publish(package);
        }
        registry
    }

    /// What `.npmrc` says to use it.
    pub fn npmrc(&self) -> String {
        format!("registry=http://127.0.0.1:{}/\n", self.port)
    }

    /// Adds a package, or replaces one of that name and version.
    pub fn publish(&self, package: Package) {
        let key = (package.name.clone(), package.version.clone());
        lock(&self.state.packages).insert(key, package);
    }

    /// From now on tarballs of this package end in the middle, and go on when this is asked for with `None`.
    pub fn hold(&self, package: Option<&str>) {
        self.state.held.send_replace(package.map(str::to_owned));
    }

    /// The paths that were asked for.
    pub fn asked(&self) -> Vec<String> {
        lock(&self.state.asked).clone()
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.server.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(mut stream: TcpStream, port: u16, state: Arc<State>) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').replace("%2f", "/");
    lock(&state.asked).push(path.clone());
    let (status, kind, body, name) = found(&path, port, &state);
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    let (first, rest) = body.split_at(body.len() / 2);
    stream.write_all(first).await?;
    stream.flush().await?;
    let mut held = state.held.subscribe();
    let goes = held.wait_for(|held| name.is_none() || *held != name).await.is_ok();
    if goes {
        stream.write_all(rest).await?;
    }
    stream.shutdown().await
}

/// Status, type and body; for a tarball the name of its package.
fn found(path: &str, port: u16, state: &State) -> (&'static str, &'static str, Vec<u8>, Option<String>) {
    let packages = lock(&state.packages);
    if let Some((name, file)) = path.split_once("/-/") {
        let version = file.trim_end_matches(".tgz");
        if let Some(package) = packages.get(&(name.to_owned(), version.to_owned())) {
            return ("200 OK", "application/octet-stream", package.tarball(), Some(name.to_owned()));
        }
    }
    let versions: Map<String, Value> = packages
        .values()
        .filter(|package| package.name == path)
        .map(|package| {
            let mut manifest = package.manifest(&package.version);
            let (name, version) = (&package.name, &package.version);
            manifest["dist"] = json!({"tarball": format!("http://127.0.0.1:{port}/{name}/-/{version}.tgz")});
            if let Some(integrity) = &package.integrity {
                manifest["dist"]["integrity"] = json!(integrity);
            }
            (version.clone(), manifest)
        })
        .collect();
    match versions.keys().next_back().cloned() {
        Some(latest) => {
            let packument = json!({"name": path, "dist-tags": {"latest": latest}, "versions": versions});
            ("200 OK", "application/json", packument.to_string().into_bytes(), None)
        }
        None => ("404 Not Found", "application/json", br#"{"error":"not found"}"#.to_vec(), None),
    }
}
