//! `vergo init`: writes a first project file.

use std::path::PathBuf;

use clap::Args;
use vergo_driver::PROJECT_FILE;

use crate::output::{self, Status};

/// Arguments of `vergo init`.
#[derive(Args)]
pub(crate) struct Init {
    /// The folder of the project; by default this one.
    folder: Option<PathBuf>,
    /// Replaces a project file that is there.
    #[arg(long)]
    force: bool,
}

impl Init {
    pub(crate) fn run(&self) -> Status {
        let folder = self.folder.clone().unwrap_or_default();
        let path = folder.join(PROJECT_FILE);
        if path.exists() && !self.force {
            output::warn(&format!("`{}` is there already; --force replaces it", path.display()));
            return Status::BadInput;
        }
        match vergo_driver::init(&folder) {
            Err(message) => {
                output::warn(&message);
                Status::BadInput
            }
            Ok(text) => {
                let status = output::write(&path, text.as_bytes());
                if status == Status::Done {
                    let shown = path.display();
                    output::note(&format!("wrote `{shown}`; `vergo check` reads it"));
                }
                status
            }
        }
    }
}
