//! `vergo dap`: serves an editor as its debug adapter.

use clap::Args;

use crate::output::{self, Status};

/// Arguments of `vergo dap`.
#[derive(Args)]
pub(crate) struct Dap {}

impl Dap {
    pub(crate) fn run(&self) -> Status {
        let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
        match vergo_lsp::serve_debugger(&mut input, &mut output) {
            Ok(()) => Status::Done,
            Err(error) => {
                output::warn(&error.to_string());
                Status::BadInput
            }
        }
    }
}
