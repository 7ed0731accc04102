//! The GOTO request: a C file or GOTO text as a GOTO program, after the passes that were asked
//! for.

use std::time::Duration;

use vergo_goto::program::Program;
use vergo_goto::text::{self, PrintOptions};
use vergo_passes::interval_facts::Standing;
use vergo_passes::manager::{Event, Verify};
use vergo_source::Severity;

use crate::chosen_passes::ChosenPasses;
use crate::front_ends::no_entry;
use crate::input::Input;
use crate::job::{Failed, Job};

/// The steps before a program is printed.
#[derive(Clone, Debug, Default)]
pub struct GotoRequest {
    /// The passes.
    pub passes: ChosenPasses,
    /// The function in which the program begins; `main` if it is not given.
    pub entry: Option<String>,
    /// True if the text says where each instruction comes from.
    pub spans: bool,
    /// True if the program is reported before the first pass and after each.
    pub print_steps: bool,
}

/// A step of the pass manager.
#[derive(Clone, Debug)]
pub struct Report {
    /// The pass.
    pub pass: &'static str,
    /// The time that it took, once it has run.
    pub time: Option<Duration>,
    /// The program before or after it, if that was asked for.
    pub program: Option<String>,
}

/// The text of a program after its passes; each step goes to `report`.
///
/// # Errors
/// If the input is not a program, or a pass broke it; the job's diagnostics say why.
pub fn goto(
    job: &mut Job,
    inputs: &[Input],
    request: &GotoRequest,
    report: &mut dyn FnMut(Report),
) -> Result<String, Failed> {
    let mut program = job.load_program(inputs, request.entry.as_deref())?;
    if program.entry.is_none() {
        let name = request.entry.as_deref().unwrap_or("main");
        job.diagnostics.push(no_entry(&program, name, Severity::Warning));
    }
    let print =
        |program: &Program| text::print_with(program, PrintOptions { spans: request.spans });
    let mut is_first = true;
    let mut observe = |event: Event<'_>| {
        let (pass, program, time) = match event {
            // Before each further pass the program is as after the one that ran.
            Event::Before(pass, program) if is_first => (pass, program, None),
            Event::Before(..) => return,
            Event::After(pass, program, time) => (pass, program, Some(time)),
        };
        is_first = false;
        let program = request.print_steps.then(|| print(program));
        report(Report { pass: pass.info().name, time, program });
    };
    request.passes.run(job, &mut program, Standing::Assumed, Verify::Always, &mut observe)?;
    Ok(print(&program))
}
