//! `vergo goto`: shows or writes the GOTO program of a file as text or as a goto binary, or its transition system.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, ValueEnum};
use vergo_driver::{
    BinaryDialect as Dialect, GotoRequest, Report, Specification, SystemFormat, transition_system,
};

use crate::arguments::{CArgs, specification};
use crate::output::{self, Status};
use crate::pass_arguments::PassArgs;

/// Arguments of `vergo goto`.
#[derive(Args)]
pub(crate) struct Goto {
    #[command(flatten)]
    c: CArgs,
    #[command(flatten)]
    passes: PassArgs,
    /// The output: the program, or the transition system that engines such as `kind` decide.
    #[arg(
        long,
        visible_alias = "format",
        value_enum,
        value_name = "FORMAT",
        default_value = "text"
    )]
    to: Format,
    /// With a transition system: what is checked, as in `vergo check`; by default everything that C leaves undefined,
    /// and assertions.
    #[arg(long, value_name = "PROPERTY")]
    property: Option<String>,
    /// The function in which the program begins.
    #[arg(long, value_name = "NAME", default_value = "main")]
    function: String,
    /// Writes the program to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Says where each instruction comes from.
    #[arg(long)]
    spans: bool,
    /// Prints how long each pass took to standard error.
    #[arg(long)]
    time_passes: bool,
    /// Prints the program before the first pass and after each to standard error.
    #[arg(long)]
    print_passes: bool,
}

/// The output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// GOTO text
    Text,
    /// CBMC's goto binary, version 6; functions of the C library stay declarations
    Cbmc,
    /// ESBMC's goto binary, version 1
    Esbmc,
    /// Constrained Horn clauses in SMT-LIB, satisfiable if nothing bad can be reached; z3 decides them with fp.engine=spacer
    Chc,
    /// BTOR2, for model checkers of hardware
    Btor2,
}

impl Goto {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        match self.to {
            Format::Text => self.program(matches),
            Format::Cbmc => self.binary(matches, Dialect::Cbmc),
            Format::Esbmc => self.binary(matches, Dialect::Esbmc),
            Format::Chc => self.system(matches, SystemFormat::Chc),
            Format::Btor2 => self.system(matches, SystemFormat::Btor2),
        }
    }

    fn system(&self, matches: &ArgMatches, format: SystemFormat) -> Status {
        let mut job = self.c.job(matches);
        let property = self.property.as_deref();
        let property = match property.map_or(Ok(Specification::standard()), specification) {
            Ok(property) => property,
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        let inputs = self.c.inputs();
        let entry = Some(self.function.clone());
        let answer = transition_system(&mut job, &inputs, property, entry, format);
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(text) => self.emit(&text),
        }
    }

    fn binary(&self, matches: &ArgMatches, dialect: Dialect) -> Status {
        let Some(path) = &self.output else {
            output::warn("a goto binary goes to a file: name it with -o");
            return Status::BadInput;
        };
        let mut job = self.c.job(matches);
        let request = self.request();
        let answer = vergo_driver::goto_binary(&mut job, &self.c.inputs(), &request, dialect);
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(bytes) => output::write(path, &bytes),
        }
    }

    fn request(&self) -> GotoRequest {
        GotoRequest {
            passes: self.passes.chosen(),
            entry: Some(self.function.clone()),
            spans: self.spans,
            print_steps: self.print_passes,
        }
    }

    fn emit(&self, text: &str) -> Status {
        match &self.output {
            None => output::print(text),
            Some(path) => output::write(path, text.as_bytes()),
        }
    }

    fn program(&self, matches: &ArgMatches) -> Status {
        let mut job = self.c.job(matches);
        let request = self.request();
        let mut report = |step: Report| {
            let mut text = String::new();
            if let Some(program) = step.program {
                let when = if step.time.is_some() { "after" } else { "before" };
                let _ = write!(text, "// {when} {}\n{program}", step.pass);
            }
            if let Some(time) = step.time.filter(|_| self.time_passes) {
                let _ = write!(text, "{:<24}{:>10.3} ms", step.pass, time.as_secs_f64() * 1e3);
            }
            if !text.is_empty() {
                output::note(&text);
            }
        };
        let answer = vergo_driver::goto(&mut job, &self.c.inputs(), &request, &mut report);
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(text) => self.emit(&text),
        }
    }
}
