//! `vergo import`: makes a project file of another tool's proofs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use vergo_driver::PROJECT_FILE;

use crate::output::{self, Status};

/// Arguments of `vergo import`.
#[derive(Args)]
pub(crate) struct Import {
    /// The tool whose proofs are read.
    #[arg(value_enum)]
    tool: Tool,
    /// The folder of the project; by default this one.
    folder: Option<PathBuf>,
    /// Replaces a project file that is there.
    #[arg(long)]
    force: bool,
}

/// Tools whose proofs are read.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Tool {
    /// CBMC: makefiles of the starter kit. They are read, and nothing is run.
    Cbmc,
}

impl Import {
    pub(crate) fn run(&self) -> Status {
        let folder = self.folder.clone().unwrap_or_default();
        let path = folder.join(PROJECT_FILE);
        if path.exists() && !self.force {
            output::warn(&format!("`{}` is there already; --force replaces it", path.display()));
            return Status::BadInput;
        }
        let imported = match self.tool {
            Tool::Cbmc => vergo_driver::import_cbmc(&folder),
        };
        match imported {
            Err(message) => {
                output::warn(&message);
                Status::BadInput
            }
            Ok(imported) => {
                for (remark, n) in &imported.remarks {
                    output::warn(&format!("not carried over, of {n} proofs: {remark}"));
                }
                let status = output::write(&path, imported.text.as_bytes());
                if status == Status::Done {
                    let (shown, n) = (path.display(), imported.n_proofs);
                    output::note(&format!(
                        "wrote `{shown}` with {n} proofs; `vergo prove` runs them"
                    ));
                }
                status
            }
        }
    }
}
