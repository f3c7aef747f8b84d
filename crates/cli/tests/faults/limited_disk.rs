//! A disk that becomes full on command.

use crate::service::{Options, Service};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The size of the disk, as a mount option.
const DISK_SIZE: &str = "16m";

/// The way in which writes fail.
pub(crate) enum SmallDisk {
    /// A disk in memory, visible only in a separate mount namespace.
    Tmpfs { folder: TempDir, holder: Child },
    /// A limit of the file size, which writers see as a different error.
    FileSizeLimited { folder: TempDir },
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if let SmallDisk::Tmpfs { holder, .. } = self {
            let _ = holder.kill();
            let _ = holder.wait();
        }
    }
}

impl SmallDisk {
    /// Mounts a disk in memory. Returns `None` with a message when the system does not allow the mount.
    pub(crate) fn tmpfs() -> Option<SmallDisk> {
        let (folder, mut reasons) = (TempDir::new().unwrap(), String::new());
        // Without `--user`, only root may mount.
        for namespaces in [&["--user", "--map-root-user", "--mount"][..], &["--mount"]] {
            match mount_in_namespace(namespaces, folder.path(), &format!("size={DISK_SIZE}")) {
                Ok(holder) => return Some(SmallDisk::Tmpfs { folder, holder }),
                Err(reason) => reasons.push_str(&reason),
            }
        }
        eprintln!("no disk can be mounted here, so only the file size limit was tested: {reasons}");
        None
    }

    /// A directory in which files may not grow.
    pub(crate) fn file_size_limited() -> SmallDisk {
        SmallDisk::FileSizeLimited { folder: TempDir::new().unwrap() }
    }

    fn folder(&self) -> &Path {
        match self {
            SmallDisk::Tmpfs { folder, .. } | SmallDisk::FileSizeLimited { folder } => folder.path(),
        }
    }

    /// A file of the disk, as a path of this process.
    pub(crate) fn visible_path(&self, name: &str) -> PathBuf {
        let path = self.folder().join(name);
        match self {
            SmallDisk::Tmpfs { holder, .. } => {
                let root = PathBuf::from(format!("/proc/{}/root", holder.id()));
                root.join(path.strip_prefix("/").unwrap())
            }
            SmallDisk::FileSizeLimited { .. } => path,
        }
    }

    /// Options of a service with its data in a directory of the disk.
    pub(crate) fn options(&self, name: &str) -> Options {
        let mut options = Options::new(&self.folder().join(name), None);
        options.launcher = match self {
            SmallDisk::Tmpfs { holder, .. } => {
                let process = holder.id().to_string();
                ["nsenter", "--target", &process, "--user", "--mount", "--preserve-credentials", "--"]
                    .map(str::to_owned)
                    .into()
            }
            // The signal is ignored, so that a write over the limit is an error and does not end the process.
            SmallDisk::FileSizeLimited { .. } => {
                ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""].map(str::to_owned).into()
            }
        };
        options
    }

    /// Fills the disk. A file size limit needs a running service, to which it applies.
    pub(crate) fn fill(&self, service: Option<&Service>) {
        match (self, service) {
            (SmallDisk::Tmpfs { .. }, _) => {
                fill_disk(&self.visible_path("filler"));
            }
            (SmallDisk::FileSizeLimited { .. }, Some(service)) => set_file_size_limit(service, "1"),
            (SmallDisk::FileSizeLimited { .. }, None) => {}
        }
    }

    pub(crate) fn free_space(&self, service: &Service) {
        match self {
            SmallDisk::Tmpfs { .. } => std::fs::remove_file(self.visible_path("filler")).unwrap(),
            SmallDisk::FileSizeLimited { .. } => set_file_size_limit(service, "unlimited"),
        }
    }
}

/// Starts a process in new namespaces with a disk in memory mounted on the directory; the error is the reason of a
/// failure.
pub(crate) fn mount_in_namespace(namespaces: &[&str], folder: &Path, options: &str) -> Result<Child, String> {
    let mount = format!("mount -t tmpfs -o {options} none \"$0\" && echo mounted && exec cat");
    let mut holder = Command::new("unshare")
        .args(namespaces)
        .args(["sh", "-c", &mount])
        .arg(folder)
        // `cat` exits when this process closes the pipe.
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

/// Grows a file until its disk is full.
pub(crate) fn fill_disk(file: &Path) {
    let mut file = File::options().append(true).create(true).open(file).unwrap();
    for size in [1 << 16, 1 << 10, 1] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
}

fn set_file_size_limit(service: &Service, bytes: &str) {
    let process = service.child.id().to_string();
    let status = Command::new("prlimit").args(["--pid", &process, &format!("--fsize={bytes}:")]).status().unwrap();
    assert!(status.success());
}
