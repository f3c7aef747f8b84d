//! Files that only this user can read.

use std::fs::{File, OpenOptions};

/// Returns options to open a file for writing. A file that they create is readable only by this user.
pub(crate) fn private_file_options() -> OpenOptions {
    let mut options = File::options();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
