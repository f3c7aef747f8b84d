//! Files for this user alone.

use std::fs::{File, OpenOptions};

/// Options to write a file that, when it is created, only this user can read.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
