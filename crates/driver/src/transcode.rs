//! The transcode request: a program as a goto binary of either dialect, or as GOTO text.

use vergo_gbf::Dialect;
use vergo_goto::text::print;
use vergo_source::{Diagnostic, Span};

use crate::binary::is_binary;
use crate::codes::LOST;
use crate::express::goto_binary;
use crate::goto::GotoRequest;
use crate::input::Input;
use crate::job::{Failed, Job};

/// The format in which a program is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryFormat {
    /// CBMC's goto binary.
    Cbmc,
    /// ESBMC's goto binary.
    Esbmc,
    /// GOTO text, with the library models that the program needs.
    Text,
}

/// Writes a program in another format. Without `lenient`, what the format cannot express is an error; with it, a warning.
///
/// # Errors
/// If the input is not a program, or cannot be written so; the job's diagnostics say why.
pub fn transcode(
    job: &mut Job,
    input: &Input,
    to: BinaryFormat,
    lenient: bool,
) -> Result<Vec<u8>, Failed> {
    let dialect = match to {
        BinaryFormat::Text => {
            let program = job.load_program(std::slice::from_ref(input), None)?;
            return Ok(print(&program).into_bytes());
        }
        BinaryFormat::Cbmc => Dialect::Cbmc,
        BinaryFormat::Esbmc => Dialect::Esbmc,
    };
    if !is_binary(input) {
        let inputs = std::slice::from_ref(input);
        return goto_binary(job, inputs, &GotoRequest::default(), dialect);
    }
    let binary = job.read_binary(input)?;
    match vergo_gbf::transcode::transcode(&binary, dialect, lenient) {
        Ok((binary, losses)) => {
            for loss in losses {
                let message = format!("left out: {loss}");
                job.diagnostics.push(Diagnostic::warning(LOST, Span::DUMMY, message));
            }
            Ok(vergo_gbf::write(&binary))
        }
        Err(loss) => {
            let message = format!("{dialect}'s format cannot express {loss}");
            let diagnostic = Diagnostic::error(LOST, Span::DUMMY, message);
            Err(job.fail(diagnostic.help("with --lenient, it is left out and listed")))
        }
    }
}
