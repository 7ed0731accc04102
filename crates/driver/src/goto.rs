//! The GOTO request: a C file or GOTO text as a GOTO program, after the passes that were asked
//! for.

use std::time::{Duration, Instant};

use vergo_goto::program::Program;
use vergo_goto::text::{self, PrintOptions};
use vergo_goto::verify::verify;
use vergo_passes::PassId;
use vergo_passes::manager::{Event, Verify, run_passes};
use vergo_source::{Diagnostic, Span};

use crate::binary::is_binary;
use crate::codes::{BROKEN_PASS, GOTO_ILL_FORMED, GOTO_SYNTAX};
use crate::input::Input;
use crate::job::{Failed, Job, Stages};

/// What is to be done to a program before it is printed.
#[derive(Clone, Debug, Default)]
pub struct GotoRequest {
    /// The passes in their order, by the names of [`passes`]. What a pass requires is run
    /// before it.
    pub passes: Vec<String>,
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
    /// How long it took, once it has run.
    pub time: Option<Duration>,
    /// The program before or after it, if that was asked for.
    pub program: Option<String>,
}

/// The names of all passes, each with a line on what it does.
pub fn passes() -> impl Iterator<Item = (&'static str, &'static str)> {
    PassId::ALL.iter().map(|pass| (pass.info().name, pass.info().summary))
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
    // Names come from a list that `passes` gives, so that an unknown one is the caller's bug.
    let ids: Vec<PassId> = request.passes.iter().filter_map(|p| PassId::from_name(p)).collect();
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
    let options = vergo_passes::Options::default();
    match run_passes(&mut program, &ids, &options, Verify::Always, &mut observe) {
        Ok(()) => Ok(print(&program)),
        Err(broken) => {
            let message = broken.to_string();
            job.diagnostics.push(Diagnostic::error(BROKEN_PASS, Span::DUMMY, message));
            Err(Failed::Internal)
        }
    }
}

impl Job {
    /// The GOTO program of C files, of one file with GOTO text (`.goto`), or of a goto binary.
    ///
    /// # Errors
    /// If the input is not a program; the job's diagnostics say why.
    pub fn load_program(
        &mut self,
        inputs: &[Input],
        entry: Option<&str>,
    ) -> Result<Program, Failed> {
        let entry = entry.unwrap_or("main").to_owned();
        self.load_program_with(
            inputs,
            vergo_lower::Options { entry, ..vergo_lower::Options::default() },
        )
    }

    /// The same, with all options of lowering.
    ///
    /// # Errors
    /// If the input is not a program; the job's diagnostics say why.
    pub fn load_program_with(
        &mut self,
        inputs: &[Input],
        options: vergo_lower::Options,
    ) -> Result<Program, Failed> {
        let start = Instant::now();
        if let [input] = inputs {
            if is_binary(input) {
                let program = self.load_binary(input, &options)?;
                self.stages = Stages { front_end: start.elapsed(), ..Stages::default() };
                return Ok(program);
            }
            if is_goto(input) {
                return self.read_goto(input);
            }
        }
        let unit = self.analyze_all(inputs)?;
        let front_end = start.elapsed();
        let n_errors = self.diagnostics.error_count();
        let program = vergo_lower::lower(&unit, &mut self.map, &options, &mut self.diagnostics);
        self.stages = Stages { front_end, lowering: start.elapsed() - front_end };
        if self.diagnostics.error_count() > n_errors {
            return Err(Failed::BadInput);
        }
        Ok(program)
    }

    /// Reads a program in text form, which must be well formed.
    fn read_goto(&mut self, input: &Input) -> Result<Program, Failed> {
        let bytes = self.read(input)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let file = self.add(&input.name(), text.clone().into_bytes())?;
        let program = match text::parse(&text) {
            Ok(program) => program,
            Err(error) => {
                let offset = u32::try_from(error.offset).unwrap_or(u32::MAX);
                let span = self.map.span(file, offset, offset.saturating_add(1));
                return Err(self.fail(Diagnostic::error(GOTO_SYNTAX, span, error.message)));
            }
        };
        if let Err(errors) = verify(&program) {
            let start = self.map.file_span(file).shrink_to_lo();
            for error in errors.iter().take(20) {
                self.fail(Diagnostic::error(GOTO_ILL_FORMED, start, error.to_string()));
            }
            return Err(Failed::BadInput);
        }
        Ok(program)
    }
}

/// Checks whether an input's name says that it is a program in GOTO text.
fn is_goto(input: &Input) -> bool {
    input.path().is_some_and(|path| path.extension().is_some_and(|e| e == "goto"))
}
