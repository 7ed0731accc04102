//! The dump request: what a stage of the front end makes of a file, as text.

use crate::input::Input;
use crate::job::{Failed, Job};

/// A stage of the front end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The text that the C parser sees.
    Preprocessed,
    /// The tokens of that text.
    Tokens,
    /// The syntax tree.
    Ast,
}

impl Stage {
    /// All stages with the names that the command line knows them by, in the order in which a
    /// file goes through them, and with what they show.
    pub const ALL: &[(Stage, &'static str, &'static str)] = &[
        (Stage::Preprocessed, "preprocessed", "the text after preprocessing"),
        (Stage::Tokens, "tokens", "its tokens, one a line"),
        (Stage::Ast, "ast", "the syntax tree: what was written"),
    ];
}

/// What a stage makes of each input, one after the other.
///
/// # Errors
/// If an input is not C; the job's diagnostics say why. The text of the stages up to the
/// errors is lost on purpose: what follows an error is guesswork.
pub fn dump(job: &mut Job, inputs: &[Input], stage: Stage) -> Result<Vec<u8>, Failed> {
    let mut out = Vec::new();
    let mut failed = false;
    for input in inputs {
        // All files are looked at, so that the errors of all are reported.
        match dump_file(job, input, stage) {
            Ok(text) => out.extend_from_slice(&text),
            Err(Failed) => failed = true,
        }
    }
    if failed || job.diagnostics.has_errors() { Err(Failed) } else { Ok(out) }
}

fn dump_file(job: &mut Job, input: &Input, stage: Stage) -> Result<Vec<u8>, Failed> {
    let file = job.load_c(input)?;
    match stage {
        Stage::Preprocessed => Ok(job.map.text(file).to_vec()),
        Stage::Tokens => {
            Ok(vergo_cfront::dump::tokens(&mut job.map, file, &mut job.diagnostics).into())
        }
        Stage::Ast => {
            let ast = job.parse(file);
            Ok(vergo_cfront::dump::ast(&ast, &job.map).into())
        }
    }
}
