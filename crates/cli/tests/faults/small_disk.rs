//! A disk that is full when the test says so.

use crate::service::{Options, Service};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Bytes of the disk.
const SIZE: &str = "16m";

/// How writing comes to its end.
pub(crate) enum SmallDisk {
    /// A disk in memory, which only processes in a namespace of their own see.
    Full { folder: TempDir, holder: Child },
    /// No file may get longer, which is another error to those who write.
    Limited { folder: TempDir },
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if let SmallDisk::Full { holder, .. } = self {
            let _ = holder.kill();
            let _ = holder.wait();
        }
    }
}

impl SmallDisk {
    /// Nothing where the system lets nobody mount anything, which is said.
    pub(crate) fn full() -> Option<SmallDisk> {
        let (folder, mut reasons) = (TempDir::new().unwrap(), String::new());
        // Without `--user` only root may.
        for namespaces in [&["--user", "--map-root-user", "--mount"][..], &["--mount"]] {
            match mounted(namespaces, folder.path(), &format!("size={SIZE}")) {
                Ok(holder) => return Some(SmallDisk::Full { folder, holder }),
                Err(reason) => reasons.push_str(&reason),
            }
        }
        eprintln!("no disk can be mounted here, so a full one was not tried, only files that may not grow: {reasons}");
        None
    }

    /// Where files may not grow.
    pub(crate) fn limited() -> SmallDisk {
        SmallDisk::Limited { folder: TempDir::new().unwrap() }
    }

    fn folder(&self) -> &Path {
        match self {
            SmallDisk::Full { folder, .. } | SmallDisk::Limited { folder } => folder.path(),
        }
    }

    /// A file of the disk, as this process sees it.
    pub(crate) fn seen(&self, name: &str) -> PathBuf {
        let path = self.folder().join(name);
        match self {
            SmallDisk::Full { holder, .. } => {
                let root = PathBuf::from(format!("/proc/{}/root", holder.id()));
                root.join(path.strip_prefix("/").unwrap())
            }
            SmallDisk::Limited { .. } => path,
        }
    }

    /// A service on it, with its data in the folder of this name.
    pub(crate) fn options(&self, name: &str) -> Options {
        let mut options = Options::new(&self.folder().join(name), None);
        options.before = match self {
            SmallDisk::Full { holder, .. } => {
                let process = holder.id().to_string();
                ["nsenter", "--target", &process, "--user", "--mount", "--preserve-credentials", "--"]
                    .map(str::to_owned)
                    .into()
            }
            // What is too long shall be an error, and not the end of the process.
            SmallDisk::Limited { .. } => ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""].map(str::to_owned).into(),
        };
        options
    }

    /// From now on nothing more fits on it.
    pub(crate) fn fill(&self, service: Option<&Service>) {
        match (self, service) {
            (SmallDisk::Full { .. }, _) => {
                fill(&self.seen("filler"));
            }
            (SmallDisk::Limited { .. }, Some(service)) => limit(service, "1"),
            (SmallDisk::Limited { .. }, None) => {}
        }
    }

    pub(crate) fn make_room(&self, service: &Service) {
        match self {
            SmallDisk::Full { .. } => std::fs::remove_file(self.seen("filler")).unwrap(),
            SmallDisk::Limited { .. } => limit(service, "unlimited"),
        }
    }
}

/// A process in namespaces of its own, in which a disk in memory with these options is mounted on the folder; else why not.
pub(crate) fn mounted(namespaces: &[&str], folder: &Path, options: &str) -> Result<Child, String> {
    let mount = format!("mount -t tmpfs -o {options} none \"$0\" && echo mounted && exec cat");
    let mut holder = Command::new("unshare")
        .args(namespaces)
        .args(["sh", "-c", &mount])
        .arg(folder)
        // It ends with this process.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(holder.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    if line == "mounted\n" {
        return Ok(holder);
    }
    Err(String::from_utf8_lossy(&holder.wait_with_output().unwrap().stderr).into_owned())
}

/// Lets a file grow until nothing more fits on its disk.
pub(crate) fn fill(file: &Path) {
    let mut file = File::options().append(true).create(true).open(file).unwrap();
    for size in [1 << 16, 1 << 10, 1] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
}

fn limit(service: &Service, bytes: &str) {
    let process = service.child.id().to_string();
    let status = Command::new("prlimit").args(["--pid", &process, &format!("--fsize={bytes}:")]).status().unwrap();
    assert!(status.success());
}
