//! `vergo goto`: shows or writes the GOTO program of a file.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use vergo_driver::{GotoRequest, Report};

use crate::arguments::CArgs;
use crate::output::{self, Status};

/// Arguments of `vergo goto`.
#[derive(Args)]
pub(crate) struct Goto {
    #[command(flatten)]
    c: CArgs,
    /// Runs a pass; may be given several times, and the order counts.
    #[arg(long = "pass", value_name = "NAME", value_parser = pass_name, long_help = pass_help())]
    passes: Vec<String>,
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

/// Accepts the name of a pass.
fn pass_name(text: &str) -> Result<String, String> {
    let known = vergo_driver::passes().any(|(name, _)| name == text.replace('-', "_"));
    if known {
        Ok(text.to_owned())
    } else {
        Err(format!("there is no such pass\n\n{}", pass_list()))
    }
}

fn pass_help() -> String {
    format!("Runs a pass; may be given several times, and the order counts\n\n{}", pass_list())
}

/// All passes, one a line.
fn pass_list() -> String {
    let mut text = String::from("Passes:");
    for (name, summary) in vergo_driver::passes() {
        let _ = write!(text, "\n- {}: {summary}", name.replace('_', "-"));
    }
    text
}

impl Goto {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let mut job = self.c.job(matches);
        let request = GotoRequest {
            passes: self.passes.clone(),
            entry: Some(self.function.clone()),
            spans: self.spans,
            print_steps: self.print_passes,
        };
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
            Ok(text) => match &self.output {
                None => output::print(text),
                Some(path) => output::write(path, text.as_bytes()),
            },
        }
    }
}
