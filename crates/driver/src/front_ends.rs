//! The front ends: the forms in which a program can be given, one row each.
//!
//! A new one is a row with two functions: one that recognises its files, and one that makes GOTO of them. Everything behind
//! it works on GOTO; what needs C asks [`FrontEnd::has_c`].

use std::path::Path;
use std::time::Instant;

use vergo_automata::codes::UNSUPPORTED_PROGRAM;
use vergo_goto::program::Program;
use vergo_goto::text::{self, NamePlace};
use vergo_goto::verify::verify;
use vergo_lower::Options;
use vergo_lower::codes::NO_ENTRY;
use vergo_source::{Diagnostic, Severity, Span};

use crate::binary::is_binary;
use crate::codes::{GOTO_ILL_FORMED, GOTO_SYNTAX};
use crate::input::Input;
use crate::job::{Failed, Job, Stages};

/// A form in which a program can be given.
pub struct FrontEnd {
    /// Its name for users.
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

    /// Demands that a program begins somewhere.
    ///
    /// # Errors
    /// If it does not; the job's diagnostics say where it could.
    pub(crate) fn need_entry(&mut self, program: &Program, name: &str) -> Result<(), Failed> {
        match program.entry {
            Some(_) => Ok(()),
            None => Err(self.fail(no_entry(program, name, Severity::Error))),
        }
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

/// Says that a program does not begin where it should, and where it could.
pub(crate) fn no_entry(program: &Program, name: &str, severity: Severity) -> Diagnostic {
    /// Functions that are named; more are not read.
    const NAMED: usize = 8;
    let message = format!("there is no function `{name}` in which the program could begin");
    let mut diagnostic = Diagnostic::new(severity, NO_ENTRY, Span::DUMMY, message);
    let own = program.functions.values().filter(|f| f.body.is_some() && !f.library);
    let names: Vec<String> = own
        .map(|f| format!("`{}`", f.display))
        .filter(|name| !name.starts_with("`__vergo"))
        .collect();
    if !names.is_empty() {
        let more = names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let shown = names[..names.len().min(NAMED)].join(", ");
        let noun = if names.len() == 1 { "function" } else { "functions" };
        diagnostic = diagnostic.note(format!("it has the {noun} {shown}{more}"));
    }
    diagnostic.help("name another function with --function")
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
    Path::new(&input.name()).extension().is_some_and(|e| e == "goto")
}

/// Reads a program in text form. It begins in the function that is asked for, if that is another than `main`.
fn load_text(job: &mut Job, inputs: &[Input], options: &Options) -> Result<Program, Failed> {
    let (mut program, _) = read_text(job, &inputs[0])?;
    if options.entry == Options::default().entry {
        return Ok(program);
    }
    let mut functions = program.functions.iter();
    let named = functions.find(|(_, function)| function.name == options.entry);
    match named {
        Some((id, function)) if function.params.is_empty() && function.body.is_some() => {
            program.entry = Some(id);
            Ok(program)
        }
        _ => {
            let diagnostic = no_entry(&program, &options.entry, Severity::Error);
            let note = "in GOTO text it is one without parameters";
            Err(job.fail(diagnostic.note(note)))
        }
    }
}

/// Reads a program in text form, which must be well formed, and the names in it.
pub(crate) fn read_text(job: &mut Job, input: &Input) -> Result<(Program, Vec<NamePlace>), Failed> {
    let bytes = job.read(input)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let file = job.add(&input.name(), text.clone().into_bytes())?;
    let start = job.map.file_span(file).shrink_to_lo();
    let (program, names) = match text::parse_as_source(&text, start.lo) {
        Ok(read) => read,
        Err(error) => {
            let offset = u32::try_from(error.offset).unwrap_or(u32::MAX);
            let span = job.map.span(file, offset, offset.saturating_add(1));
            return Err(job.fail(Diagnostic::error(GOTO_SYNTAX, span, error.message)));
        }
    };
    if let Err(errors) = verify(&program) {
        for error in errors.iter().take(20) {
            let function =
                program.functions.values().find(|f| Some(&f.name) == error.function.as_ref());
            let body = function.and_then(|function| function.body.as_ref());
            let instr = body.zip(error.instr).and_then(|(body, instr)| body.get(instr));
            let span = instr.map(|instr| instr.span).or(function.map(|function| function.span));
            let span = span.unwrap_or(start);
            job.fail(Diagnostic::error(GOTO_ILL_FORMED, span, error.to_string()));
        }
        return Err(Failed::BadInput);
    }
    Ok((program, names))
}
