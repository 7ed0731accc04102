//! `vergo lsp`: serves an editor.

use clap::Args;

use crate::output::{self, Status};

/// Arguments of `vergo lsp`.
#[derive(Args)]
pub(crate) struct Lsp {
    /// Taken for granted; some editors insist on saying it.
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    pub(crate) fn run(&self) -> Status {
        match vergo_lsp::serve_stdio() {
            Ok(()) => Status::Done,
            Err(message) => {
                output::warn(&message);
                Status::BadInput
            }
        }
    }
}
