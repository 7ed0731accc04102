//! The binary request: a program as a goto binary, for CBMC or ESBMC.
//!
//! Functions of the C library stay declarations, as a compiler leaves them: whoever reads the file has a library. So the
//! program is lowered without our models, and what it lacks is no complaint.

use vergo_gbf::Dialect;
use vergo_goto::program::{FunctionId, Program};
use vergo_lower::codes::{NO_BODY, NO_DEFINITION};
use vergo_passes::interval_facts::Standing;
use vergo_passes::manager::Verify;
use vergo_source::{Diagnostic, Span};

use crate::binary::is_binary;
use crate::codes::{INEXPRESSIBLE, LOST, NOT_EXECUTABLE};
use crate::goto::GotoRequest;
use crate::input::Input;
use crate::job::{Failed, Job};
use crate::transcode::{BinaryFormat, transcode};

/// The bytes of a goto binary of C files or of GOTO text, after the passes that were asked for. A goto binary is translated.
///
/// # Errors
/// If the input is not a program, or the format cannot express it; the job's diagnostics say why.
pub fn goto_binary(
    job: &mut Job,
    inputs: &[Input],
    request: &GotoRequest,
    dialect: Dialect,
) -> Result<Vec<u8>, Failed> {
    if let [input] = inputs
        && is_binary(input)
    {
        if !request.passes.names.is_empty() {
            let message = "a goto binary is translated as it is, without passes";
            return Err(job.fail(Diagnostic::error(INEXPRESSIBLE, Span::DUMMY, message)));
        }
        let to = match dialect {
            Dialect::Cbmc => BinaryFormat::Cbmc,
            Dialect::Esbmc => BinaryFormat::Esbmc,
        };
        return transcode(job, input, to, false);
    }
    let entry = request.entry.clone().unwrap_or_else(|| "main".to_owned());
    let options = vergo_lower::Options {
        entry: entry.clone(),
        models: false,
        ..vergo_lower::Options::default()
    };
    let (loaded, said) = job.apart(|job| job.load_program_with(inputs, &options));
    let lacks = |d: &Diagnostic| d.code == NO_BODY || d.code == NO_DEFINITION;
    said.iter().filter(|d| !lacks(d)).for_each(|d| job.diagnostics.push(d.clone()));
    let mut program = loaded?;
    request.passes.run(job, &mut program, Standing::Assumed, Verify::Always, &mut |_| {})?;
    let Some(start) = start_of(&program, &entry) else {
        let message = format!("there is no function `{entry}` that the program begins with");
        return Err(job.fail(Diagnostic::error(NOT_EXECUTABLE, Span::DUMMY, message)));
    };
    let binary = match vergo_gbf::express::express(&program, &job.map, start) {
        Ok(binary) => binary,
        Err(list) => {
            for lost in list {
                let message = format!("goto binaries cannot express {lost}");
                job.fail(Diagnostic::error(INEXPRESSIBLE, lost.span, message));
            }
            return Err(Failed::BadInput);
        }
    };
    if dialect == Dialect::Cbmc {
        return Ok(vergo_gbf::write(&binary));
    }
    match vergo_gbf::transcode::transcode(&binary, dialect, false) {
        Ok((binary, _)) => Ok(vergo_gbf::write(&binary)),
        Err(loss) => {
            let message = format!("{dialect}'s format cannot express {loss}");
            Err(job.fail(Diagnostic::error(LOST, Span::DUMMY, message)))
        }
    }
}

/// The function that the user begins with: the one of that name, else where the program says that it begins.
fn start_of(program: &Program, entry: &str) -> Option<FunctionId> {
    let named = program
        .functions
        .iter()
        .find(|(_, f)| f.display == entry && f.body.is_some() && !f.library)
        .map(|(id, _)| id);
    named.or(program.entry)
}
