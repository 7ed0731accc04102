//! The front ends: the forms in which a program can be given, one row each.
//!
//! A new one is a row with two functions: one that recognises its files, and one that makes GOTO of them. Everything behind
//! it works on GOTO; what needs C asks [`FrontEnd::has_c`].

use std::time::Instant;

use vergo_automata::codes::UNSUPPORTED_PROGRAM;
use vergo_goto::program::Program;
use vergo_goto::text;
use vergo_goto::verify::verify;
use vergo_lower::Options;
use vergo_source::{Diagnostic, Span};

use crate::binary::is_binary;
use crate::codes::{GOTO_ILL_FORMED, GOTO_SYNTAX};
use crate::input::Input;
use crate::job::{Failed, Job, Stages};

/// A form in which a program can be given.
pub struct FrontEnd {
    /// What users call it.
    pub name: &'static str,
    /// True if there is C source behind a program in this form.
    pub has_c: bool,
    takes: fn(&Input) -> bool,
    load: fn(&mut Job, &[Input], &Options) -> Result<Program, Failed>,
}

/// The front ends. An input belongs to the first that takes it.
static FRONT_ENDS: &[FrontEnd] = &[
    FrontEnd { name: "goto binary", has_c: false, takes: is_binary, load: load_binary },
    FrontEnd { name: "GOTO text", has_c: false, takes: is_text, load: load_text },
    FrontEnd { name: "C", has_c: true, takes: |_| true, load: load_c },
];

impl FrontEnd {
    /// The front end for inputs. Only C programs have several files.
    pub fn of(inputs: &[Input]) -> &'static FrontEnd {
        let takes = |front_end: &&FrontEnd| match inputs {
            [input] => (front_end.takes)(input),
            _ => front_end.has_c,
        };
        FRONT_ENDS.iter().find(takes).unwrap_or(&FRONT_ENDS[FRONT_ENDS.len() - 1])
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
        self.load_program_with(inputs, &Options { entry, ..Options::default() })
    }

    /// The same, with all options of lowering.
    ///
    /// # Errors
    /// If the input is not a program; the job's diagnostics say why.
    pub fn load_program_with(
        &mut self,
        inputs: &[Input],
        options: &Options,
    ) -> Result<Program, Failed> {
        (FrontEnd::of(inputs).load)(self, inputs, options)
    }

    /// Demands C, for something that is woven into the text of a program.
    ///
    /// # Errors
    /// If the program is given in another form; the job's diagnostics say what needs C.
    pub(crate) fn need_c(&mut self, inputs: &[Input], what: &str) -> Result<(), Failed> {
        let form = FrontEnd::of(inputs);
        if form.has_c {
            return Ok(());
        }
        let name = inputs.first().map(Input::name).unwrap_or_default();
        let message = format!("{what} need C source, and `{name}` is a {}", form.name);
        let diagnostic = Diagnostic::error(UNSUPPORTED_PROGRAM, Span::DUMMY, message)
            .note("what they say is woven into the text of the program")
            .help("give the C file that it was made from");
        Err(self.fail(diagnostic))
    }
}

fn load_c(job: &mut Job, inputs: &[Input], options: &Options) -> Result<Program, Failed> {
    let start = Instant::now();
    let unit = job.analyze_all(inputs)?;
    let front_end = start.elapsed();
    let n_errors = job.diagnostics.error_count();
    let program = vergo_lower::lower(&unit, &mut job.map, options, &mut job.diagnostics);
    job.stages = Stages { front_end, lowering: start.elapsed() - front_end };
    if job.diagnostics.error_count() > n_errors {
        return Err(Failed::BadInput);
    }
    Ok(program)
}

fn load_binary(job: &mut Job, inputs: &[Input], options: &Options) -> Result<Program, Failed> {
    let start = Instant::now();
    let program = job.load_binary(&inputs[0], options)?;
    job.stages = Stages { front_end: start.elapsed(), ..Stages::default() };
    Ok(program)
}

/// Checks whether an input's name says that it is a program in GOTO text.
fn is_text(input: &Input) -> bool {
    input.path().is_some_and(|path| path.extension().is_some_and(|e| e == "goto"))
}

/// Reads a program in text form, which must be well formed.
fn load_text(job: &mut Job, inputs: &[Input], _: &Options) -> Result<Program, Failed> {
    let input = &inputs[0];
    let bytes = job.read(input)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let file = job.add(&input.name(), text.clone().into_bytes())?;
    let program = match text::parse(&text) {
        Ok(program) => program,
        Err(error) => {
            let offset = u32::try_from(error.offset).unwrap_or(u32::MAX);
            let span = job.map.span(file, offset, offset.saturating_add(1));
            return Err(job.fail(Diagnostic::error(GOTO_SYNTAX, span, error.message)));
        }
    };
    if let Err(errors) = verify(&program) {
        let start = job.map.file_span(file).shrink_to_lo();
        for error in errors.iter().take(20) {
            job.fail(Diagnostic::error(GOTO_ILL_FORMED, start, error.to_string()));
        }
        return Err(Failed::BadInput);
    }
    Ok(program)
}
