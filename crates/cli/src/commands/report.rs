//! `vergo report`: what has changed between two runs.

use std::path::{Path, PathBuf};

use clap::Args;
use vergo_driver::compare_reports;

use crate::output::{self, Status};

/// Arguments of `vergo report`.
#[derive(Args)]
#[command(after_help = "\
The exit status is 10 if there is a new violation, 0 if there is none, and 2 if a file is not a report.

Example:
  vergo check --json old.json program.c; edit program.c; vergo check --json new.json program.c
  vergo report old.json new.json")]
pub(crate) struct Report {
    /// The earlier report, as `vergo check --json` writes it.
    old: PathBuf,
    /// The later one.
    new: PathBuf,
    /// Writes the comparison as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Report {
    pub(crate) fn run(&self) -> Status {
        let wrong = |path: &Path, message: String| {
            output::warn(&format!("`{}`: {message}", path.display()));
            Status::BadInput
        };
        let mut texts = Vec::new();
        for path in [&self.old, &self.new] {
            match std::fs::read_to_string(path) {
                Ok(text) => texts.push(text),
                Err(error) => return wrong(path, error.to_string()),
            }
        }
        let comparison = match compare_reports(&texts[0], &texts[1]) {
            Ok(comparison) => comparison,
            Err((0, message)) => return wrong(&self.old, message),
            Err((_, message)) => return wrong(&self.new, message),
        };
        if let Some(path) = &self.json
            && output::write(path, comparison.json().as_bytes()) != Status::Done
        {
            return Status::BadInput;
        }
        match output::print(comparison.text()) {
            Status::Done if !comparison.new.is_empty() => Status::False,
            status => status,
        }
    }
}
