//! Asks for confirmation of irreversible operations.

use crate::output::print_stderr;
use clap::Args;
use std::io::{BufRead, IsTerminal, stdin};
use zonewright_store::AdminError;

/// The confirmation of a deletion.
#[derive(Args)]
pub(super) struct ConfirmArgs {
    /// Do not ask for confirmation.
    #[arg(long)]
    yes: bool,
}

impl ConfirmArgs {
    /// Asks the user at the terminal to confirm the deletion of `target`, unless `--yes` was passed. Returns an error
    /// if the user declines or stdin is not a terminal.
    pub(super) fn confirm_deletion(&self, target: &str) -> Result<(), AdminError> {
        if self.yes {
            return Ok(());
        }
        if !stdin().is_terminal() {
            let reason = format!("cannot confirm the deletion of {target}; pass --yes, or run this in a terminal");
            return Err(AdminError::Rejected(reason));
        }
        print_stderr(&format!("Permanently delete {target}? [y/N] "));
        let mut answer = String::new();
        let _ = stdin().lock().read_line(&mut answer);
        match answer.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => Ok(()),
            _ => Err(AdminError::Rejected("canceled; nothing was deleted".to_owned())),
        }
    }
}
