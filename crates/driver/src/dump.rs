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
    /// The typed tree.
    Types,
    /// The layout of structs and unions.
    Layout,
    /// The typed tree, printed as C.
    C,
}

impl Stage {
    /// All stages with the names that the command line knows them by, in the order in which a
    /// file goes through them, and with what they show.
    pub const ALL: &[(Stage, &'static str, &'static str)] = &[
        (Stage::Preprocessed, "preprocessed", "the text after preprocessing"),
        (Stage::Tokens, "tokens", "its tokens, one a line"),
        (Stage::Ast, "ast", "the syntax tree: what was written"),
        (Stage::Types, "types", "the typed tree: what it means, every conversion explicit"),
        (Stage::Layout, "layout", "offsets and sizes of the members of structs and unions"),
        (Stage::C, "c", "C again, printed from the typed tree"),
    ];
}

/// Returns the result of a stage for the inputs: for each one up to the syntax tree, and for all of
/// them linked into one unit from the typed tree on.
///
/// # Errors
/// If an input is not C; the job's diagnostics say why. All files are looked at, so that the
/// errors of all are reported. What was understood up to an error is not shown: what follows an
/// error is guesswork.
pub fn dump(job: &mut Job, inputs: &[Input], stage: Stage) -> Result<Vec<u8>, Failed> {
    let show = match stage {
        Stage::Preprocessed | Stage::Tokens | Stage::Ast => return dump_each(job, inputs, stage),
        Stage::Types => vergo_cfront::dump::types,
        Stage::Layout => vergo_cfront::dump::layout,
        Stage::C => vergo_cfront::print_c,
    };
    let unit = job.analyze_all(inputs)?;
    Ok(show(&unit).into_bytes())
}

fn dump_each(job: &mut Job, inputs: &[Input], stage: Stage) -> Result<Vec<u8>, Failed> {
    let mut out = Vec::new();
    let mut failure = None;
    for input in inputs {
        match job.load_c(input) {
            Err(failed) => failure = Some(failed),
            Ok(file) if stage == Stage::Ast => {
                let ast = job.parse(file);
                out.extend_from_slice(vergo_cfront::dump::ast(&ast, &job.map).as_bytes());
            }
            Ok(file) if stage == Stage::Tokens => {
                let text = vergo_cfront::dump::tokens(&mut job.map, file, &mut job.diagnostics);
                out.extend_from_slice(text.as_bytes());
            }
            Ok(file) => out.extend_from_slice(job.map.text(file)),
        }
    }
    match failure {
        Some(failed) => Err(failed),
        None if job.diagnostics.has_errors() => Err(Failed::BadInput),
        None => Ok(out),
    }
}
