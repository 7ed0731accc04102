//! `vergo examples`: a tour of six small programs, each with its lesson.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;

use crate::output::{self, Status};

/// Arguments of `vergo examples`.
#[derive(Args)]
pub(crate) struct Examples {
    /// The lesson that is printed, from 1 to 6; by default their list.
    lesson: Option<usize>,
    /// Writes the programs into a folder.
    #[arg(long, value_name = "DIR", conflicts_with = "lesson")]
    write: Option<PathBuf>,
}

/// A program of the tour: its file and its text, which begins with the lesson.
const TOUR: &[(&str, &str)] = &[
    ("1-bounds.c", include_str!("../../../../examples/tour/1-bounds.c")),
    ("2-proof.c", include_str!("../../../../examples/tour/2-proof.c")),
    ("3-overflow.c", include_str!("../../../../examples/tour/3-overflow.c")),
    ("4-invariant.c", include_str!("../../../../examples/tour/4-invariant.c")),
    ("5-memory.c", include_str!("../../../../examples/tour/5-memory.c")),
    ("6-function.c", include_str!("../../../../examples/tour/6-function.c")),
];

impl Examples {
    pub(crate) fn run(&self) -> Status {
        if let Some(folder) = &self.write {
            if let Err(message) = output::make_folder(folder) {
                output::warn(&message);
                return Status::BadInput;
            }
            for (name, text) in TOUR {
                let status = output::write(&folder.join(name), text.as_bytes());
                if status != Status::Done {
                    return status;
                }
            }
            return Status::Done;
        }
        let Some(lesson) = self.lesson else { return output::print(list()) };
        match lesson.checked_sub(1).and_then(|at| TOUR.get(at)) {
            Some((_, text)) => output::print(text),
            None => {
                output::warn(&format!("the lessons are 1 to {}", TOUR.len()));
                Status::BadInput
            }
        }
    }
}

/// The lessons, one on a line.
fn list() -> String {
    let mut text = String::new();
    for (_, program) in TOUR {
        // The first two lines are the lesson and its command.
        let mut lines = program.lines();
        let lesson = lines.next().unwrap_or_default().trim_start_matches("/* ");
        let command = lines.next().unwrap_or_default().trim();
        let _ = writeln!(text, "{lesson}\n    {command}");
    }
    text.push_str(
        "\n`vergo examples --write DIR` writes the programs, `vergo examples 1` prints one.\n",
    );
    text
}
