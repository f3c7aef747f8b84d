//! A PostgreSQL server of the test's own, which it may end as it likes. What was committed outlives the end of its
//! processes; a power cut nobody tries here.

use crate::small_disk::{fill, mounted};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

pub(crate) struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    server: Option<Child>,
    /// Sees the small disk that the data is on, when it is on one.
    holder: Option<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
        if let Some(mut holder) = self.holder.take() {
            let _ = holder.kill();
            let _ = holder.wait();
        }
    }
}

/// Room for an empty cluster, a database of the service, and little more.
const SMALL: &str = "size=96m,uid=postgres,mode=700";

/// Debian keeps every version in a folder of its own, outside of `PATH`.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.unwrap().path().join("bin")).collect();
    folders.sort();
    folders.retain(|folder| folder.join("initdb").is_file());
    folders.pop()
}

/// The server refuses to run as root. Where there is a holder, it sees what that sees.
fn as_other_user(program: &Path, holder: Option<&Child>) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let other = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"].map(str::to_owned);
    let seeing = holder.map(|holder| ["nsenter".into(), format!("--mount=/proc/{}/ns/mnt", holder.id()), "--".into()]);
    let words: Vec<String> = seeing.into_iter().flatten().chain(other).collect();
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).arg(program);
    command
}

pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

impl Cluster {
    /// Nothing when PostgreSQL is not installed, which is said.
    pub(crate) fn start() -> Option<Cluster> {
        Cluster::start_on(|_| Some(None))
    }

    /// One whose data is on a small disk, and its write-ahead log elsewhere: without room for that the server would end.
    /// Nothing where no such disk can be mounted, which is said; only root may, as the server refuses to run as who
    /// is root in a namespace.
    pub(crate) fn start_on_small_disk() -> Option<Cluster> {
        Cluster::start_on(|data| {
            std::fs::create_dir(data).unwrap();
            let mounted = if is_root() { mounted(&["--mount"], data, SMALL) } else { Err("not root".to_owned()) };
            let untold = |reason: &String| {
                eprintln!("no disk can be mounted for PostgreSQL, a full one was not tried: {reason}")
            };
            mounted.inspect_err(untold).ok().map(Some)
        })
    }

    /// `holder` makes what holds the folder of the data, if anything does; without an answer nothing is started.
    fn start_on(holder: impl FnOnce(&Path) -> Option<Option<Child>>) -> Option<Cluster> {
        let Some(programs) = programs() else {
            assert!(std::env::var_os("ZONEWRIGHT_SOAK").is_none(), "PostgreSQL is not installed");
            eprintln!("PostgreSQL is not installed: what is about it was not tried");
            return None;
        };
        let folder = TempDir::new().unwrap();
        if is_root() {
            let owned = Command::new("chown").arg("postgres").arg(folder.path()).status().unwrap();
            assert!(owned.success());
        }
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
        let data = folder.path().join("data");
        let holder = holder(&data)?;
        let output = as_other_user(&programs.join("initdb"), holder.as_ref())
            .args(["--username", "zonewright", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C"])
            .arg("--pgdata")
            .arg(&data)
            .arg("--waldir")
            .arg(folder.path().join("wal"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut cluster = Cluster { folder, programs, server: None, holder };
        cluster.run();
        Some(cluster)
    }

    /// Starts the server, and waits until it answers.
    pub(crate) fn run(&mut self) {
        let (folder, log) = (self.folder.path(), std::fs::File::create(self.folder.path().join("log")).unwrap());
        let mut command = as_other_user(&self.programs.join("postgres"), self.holder.as_ref());
        command.arg("-D").arg(folder.join("data")).arg("-k").arg(folder);
        for setting in ["listen_addresses=", "fsync=off", "max_connections=100", "shared_buffers=32MB"] {
            command.args(["-c", setting]);
        }
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.server = Some(command.spawn().unwrap());
        for _ in 0..600 {
            let ready = Command::new(self.programs.join("pg_isready")).arg("--quiet").arg("-h").arg(folder).status();
            if ready.unwrap().success() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("{}", std::fs::read_to_string(folder.join("log")).unwrap());
    }

    /// Ends it without a word to anyone, as `pg_ctl stop -m immediate` does.
    pub(crate) fn stop(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let _ = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
        let _ = server.wait();
    }

    /// On the small disk, as this process sees it.
    fn filler(&self) -> PathBuf {
        let holder = self.holder.as_ref().expect("a small disk").id();
        let data = self.folder.path().join("data/filler");
        PathBuf::from(format!("/proc/{holder}/root")).join(data.strip_prefix("/").unwrap())
    }

    /// From now on nothing more fits on the small disk.
    pub(crate) fn fill(&self) {
        fill(&self.filler());
    }

    pub(crate) fn make_room(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }

    /// Makes an empty database, and gives its address.
    pub(crate) fn database(&self, name: &str) -> String {
        let mut command = Command::new(self.programs.join("createdb"));
        let output = command.arg("-h").arg(self.folder.path()).args(["-U", "zonewright", name]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        format!("postgres://zonewright@localhost/{name}?host={}", self.folder.path().display())
    }

    /// A session that reads statements from its input.
    pub(crate) fn session(&self, database: &str) -> Child {
        let mut command = Command::new(self.programs.join("psql"));
        command.arg("-h").arg(self.folder.path()).args(["-U", "zonewright", "--quiet", database]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
    }

    /// The socket that it listens on.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.path().join(".s.PGSQL.5432")
    }
}
