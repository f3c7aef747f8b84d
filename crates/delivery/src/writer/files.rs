//! Writes files below the directory that the configuration allows.

use bytes::Bytes;
use std::fs::{DirBuilder, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

/// Writes a file atomically and durably, on a blocking thread that runs to its end even if the caller is canceled.
pub(super) async fn write(root: PathBuf, name: String, body: Bytes) -> Result<(), String> {
    let written = tokio::task::spawn_blocking(move || write_atomically(&root, &name, &body)).await;
    written.map_err(|error| error.to_string())?.map_err(|error| format!("cannot write the file: {error}"))
}

fn write_atomically(root: &Path, name: &str, body: &[u8]) -> io::Result<()> {
    let path = Path::new(name);
    let refused = || io::Error::new(ErrorKind::PermissionDenied, "the path is outside the allowed directory");
    let file = path.file_name().ok_or_else(refused)?;
    std::fs::create_dir_all(root)?;
    let mut folder = root.canonicalize()?;
    for component in path.parent().into_iter().flat_map(Path::components) {
        let Component::Normal(part) = component else { return Err(refused()) };
        folder.push(part);
        create_dir_no_follow(&folder)?;
    }
    // The name is unique because several requests may write the same file concurrently, such as the test of a
    // destination.
    let id = getrandom::u64().map_err(io::Error::other)?;
    let temporary_path = folder.join(format!(".{}.{id:016x}.new", file.display()));
    let mut file_handle = File::options().write(true).create_new(true).open(&temporary_path)?;
    let written = file_handle.write_all(body).and_then(|()| file_handle.sync_all());
    if let Err(error) = written.and_then(|()| std::fs::rename(&temporary_path, folder.join(file))) {
        let _ = std::fs::remove_file(&temporary_path);
        return Err(error);
    }
    File::open(&folder)?.sync_all()
}

/// Creates a directory if it is missing. Rejects a symbolic link of that name.
fn create_dir_no_follow(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().create(folder) {
        Ok(()) => {
            if let Some(parent) = folder.parent() {
                File::open(parent)?.sync_all()?;
            }
            return Ok(());
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    if std::fs::symlink_metadata(folder)?.is_dir() {
        Ok(())
    } else {
        Err(io::Error::new(ErrorKind::NotADirectory, "a component of the path is a symbolic link or not a directory"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn file_write_stays_below_its_directory() {
        let folder = TempDir::new().unwrap();
        let (root, outside) = (folder.path().join("root"), folder.path().join("outside"));
        std::fs::create_dir(&root).unwrap();
        std::fs::create_dir(&outside).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&outside, root.join("link")).unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        for invalid in ["../outside/a", "x/../../outside/a", "/etc/a", "link/a", "file/a", "", ".."] {
            assert!(write_atomically(&root, invalid, b"x").is_err(), "{invalid}");
        }
        assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
        for valid in ["a", "b/c/d", "b/c/d", "..a/b"] {
            write_atomically(&root, valid, b"x").unwrap();
            assert_eq!(std::fs::read(root.join(valid)).unwrap(), b"x");
        }
        assert_eq!(std::fs::read_dir(root.join("b/c")).unwrap().count(), 1);
    }

    #[test]
    fn concurrent_writes_of_one_file_all_succeed() {
        let root = TempDir::new().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..50).for_each(|_| write_atomically(root.path(), "a/test.txt", b"x").unwrap()));
            }
        });
        assert_eq!(std::fs::read_dir(root.path().join("a")).unwrap().count(), 1);
    }
}
