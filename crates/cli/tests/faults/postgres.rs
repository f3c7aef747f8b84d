//! A separate PostgreSQL server that a test may stop at any time. Committed data survives the end of the server
//! processes; power loss is not tested.

use crate::limited_disk::{fill_disk, mount_in_namespace};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

pub(crate) struct PostgresServer {
    folder: TempDir,
    programs: PathBuf,
    server: Option<Child>,
    /// The process whose mount namespace has the small disk.
    holder: Option<Child>,
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
        if let Some(mut holder) = self.holder.take() {
            let _ = holder.kill();
            let _ = holder.wait();
        }
    }
}

/// Space for an empty cluster, one database of the service, and little more.
const SMALL_DISK_MOUNT_OPTIONS: &str = "size=96m,uid=postgres,mode=700";

/// The directory of the server's programs. Debian installs every version in a separate directory that is not in `PATH`.
fn postgres_bin_dir() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.unwrap().path().join("bin")).collect();
    folders.sort();
    folders.retain(|folder| folder.join("initdb").is_file());
    folders.pop()
}

/// A command that runs as the user `postgres` if this process is root, because the server refuses to run as root. With
/// a holder, the command then runs in the holder's namespace.
fn command_as_postgres_user(program: &Path, holder: Option<&Child>) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let change_user =
        ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"].map(str::to_owned);
    let enter_namespace =
        holder.map(|holder| ["nsenter".into(), format!("--mount=/proc/{}/ns/mnt", holder.id()), "--".into()]);
    let args: Vec<String> = enter_namespace.into_iter().flatten().chain(change_user).collect();
    let mut command = Command::new(&args[0]);
    command.args(&args[1..]).arg(program);
    command
}

pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

impl PostgresServer {
    /// Starts a server on an empty cluster. Returns `None` with a message when PostgreSQL is not installed.
    pub(crate) fn start() -> Option<PostgresServer> {
        PostgresServer::start_on(|_| Some(None))
    }

    /// Starts a server with its data on a small disk. The write-ahead log is on another disk, because the server
    /// stops when the log is full. Returns `None` with a message when no such disk can be mounted: the server refuses
    /// to run as root of a user namespace, so the mount needs real root.
    pub(crate) fn start_on_small_disk() -> Option<PostgresServer> {
        PostgresServer::start_on(|data| {
            std::fs::create_dir(data).unwrap();
            let mounted = if is_root() {
                mount_in_namespace(&["--mount"], data, SMALL_DISK_MOUNT_OPTIONS)
            } else {
                Err("not root".to_owned())
            };
            let report_skip = |reason: &String| {
                eprintln!("no disk can be mounted for PostgreSQL, the full disk was not tested: {reason}")
            };
            mounted.inspect_err(report_skip).ok().map(Some)
        })
    }

    /// `holder` mounts the data directory if needed; when it fails, no server is started.
    fn start_on(holder: impl FnOnce(&Path) -> Option<Option<Child>>) -> Option<PostgresServer> {
        let Some(programs) = postgres_bin_dir() else {
            assert!(std::env::var_os("ZONEWRIGHT_SOAK").is_none(), "PostgreSQL is not installed");
            eprintln!("PostgreSQL is not installed: its tests were skipped");
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
        let output = command_as_postgres_user(&programs.join("initdb"), holder.as_ref())
            .args(["--username", "zonewright", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C"])
            .arg("--pgdata")
            .arg(&data)
            .arg("--waldir")
            .arg(folder.path().join("wal"))
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut cluster = PostgresServer { folder, programs, server: None, holder };
        cluster.run();
        Some(cluster)
    }

    /// Starts the server, and waits until it accepts connections.
    pub(crate) fn run(&mut self) {
        let (folder, log) = (self.folder.path(), std::fs::File::create(self.folder.path().join("log")).unwrap());
        let mut command = command_as_postgres_user(&self.programs.join("postgres"), self.holder.as_ref());
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

    /// Stops the server without a shutdown, as `pg_ctl stop -m immediate` does.
    pub(crate) fn stop(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let _ = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
        let _ = server.wait();
    }

    /// The file that fills the small disk, as a path of this process.
    fn filler(&self) -> PathBuf {
        let holder = self.holder.as_ref().expect("a small disk").id();
        let data = self.folder.path().join("data/filler");
        PathBuf::from(format!("/proc/{holder}/root")).join(data.strip_prefix("/").unwrap())
    }

    /// Fills the small disk.
    pub(crate) fn fill(&self) {
        fill_disk(&self.filler());
    }

    pub(crate) fn free_space(&self) {
        std::fs::remove_file(self.filler()).unwrap();
    }

    /// Creates an empty database and returns its URL.
    pub(crate) fn database(&self, name: &str) -> String {
        let mut command = Command::new(self.programs.join("createdb"));
        let output = command.arg("-h").arg(self.folder.path()).args(["-U", "zonewright", name]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        format!("postgres://zonewright@localhost/{name}?host={}", self.folder.path().display())
    }

    /// Starts a session that reads statements from its standard input.
    pub(crate) fn session(&self, database: &str) -> Child {
        let mut command = Command::new(self.programs.join("psql"));
        command.arg("-h").arg(self.folder.path()).args(["-U", "zonewright", "--quiet", database]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap()
    }

    /// The socket that the server listens on.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.path().join(".s.PGSQL.5432")
    }
}
