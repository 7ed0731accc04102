//! `vergo work`: one proof of a run, on whatever machine this is; what `vergo prove --on` has clusters do.

use std::path::PathBuf;

use clap::Args;

use crate::output::{self, Status};

/// Arguments of `vergo work`.
#[derive(Args)]
pub(crate) struct Work {
    /// The folder of the run.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The bundle.
    #[arg(value_name = "BUNDLE")]
    bundle: String,
}

impl Work {
    pub(crate) fn run(&self) -> Status {
        let worked = std::env::current_exe()
            .map_err(|error| format!("the program does not find itself: {error}"))
            .and_then(|program| {
                let name = format!("vergo-work-{}", std::process::id());
                let scratch = std::env::temp_dir().join(name);
                // Nobody else's folder is used, nor a link to one.
                std::fs::create_dir(&scratch)
                    .map_err(|error| format!("cannot make `{}`: {error}", scratch.display()))?;
                let worked =
                    vergo_driver::work(&program, crate::VERSION, &self.run, &self.bundle, &scratch);
                let _ = std::fs::remove_dir_all(&scratch);
                worked
            });
        match worked {
            Ok(()) => Status::Done,
            Err(message) => {
                output::warn(&message);
                Status::BadInput
            }
        }
    }
}
