//! `vergo triage`: which warnings of another analyser are real.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args};
use vergo_driver::{
    CheckRequest, EngineId, LONGEST_TRIAGE, OnViolation, TraceDetail, TriageFate, TriageRequest,
};

use super::check::engine;
use crate::arguments::{CArgs, input};
use crate::output::{self, Status};

/// Arguments of `vergo triage`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Triage {
    /// The report: SARIF, or lines `file:line:column: message`; `-` is standard input.
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    #[command(flatten)]
    c: CArgs,
    /// Looks at each warning in its own file, from the function that it is in, whoever calls that.
    #[arg(long)]
    local: bool,
    /// The function in which the program begins.
    #[arg(long, value_name = "NAME", default_value = "main", conflicts_with = "local")]
    function: String,
    /// The algorithm.
    #[arg(long, value_name = "ENGINE", default_value = EngineId::default().info().name, value_parser = engine())]
    engine: EngineId,
    /// Seconds for each warning.
    #[arg(long, value_name = "S", default_value_t = LONGEST_TRIAGE.as_secs_f64())]
    timeout: f64,
    /// Megabytes beyond which a warning stays open.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Writes the report as SARIF, with a verdict at each warning; those that are refuted are suppressed.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Warnings about null pointers, bounds, overflow, shifts, division by zero, freed and uninitialised memory become claims at \
their places. Each is `confirmed` (an execution was replayed that goes wrong there), `refuted` (it is proved that none \
does) or `open`. The exit status is 0 if all are refuted, 10 if one is confirmed, and 20 otherwise.

Examples:
  gcc -fanalyzer -c program.c 2>&1 | vergo triage - program.c
  cppcheck --enable=all --output-file=report.txt --template='{file}:{line}:{column}: {message} [{id}]' src
  vergo triage --local --timeout 10 -o report.sarif report.txt src/*.c";

impl Triage {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let mut job = self.c.job(matches);
        let request = TriageRequest {
            check: CheckRequest {
                engine: self.engine,
                entry: Some(self.function.clone()),
                // A time that is no duration is a very long one.
                timeout: Some(Duration::try_from_secs_f64(self.timeout).unwrap_or(Duration::MAX)),
                memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
                on_violation: OnViolation::GoOn,
                trace: TraceDetail::Compact,
                ..CheckRequest::default()
            },
            local: self.local,
        };
        let report = input(self.report.clone());
        let files = self.c.inputs();
        let answer = vergo_driver::triage(&mut job, &report, &files, &request, &|warning, fate| {
            let column = warning.column.map_or_else(String::new, |column| format!("{column}:"));
            let (file, line, message) = (&warning.file, warning.line, &warning.message);
            let (word, why) = (fate.word(), fate.why().replace('\n', " "));
            let text = format!("{file}:{line}:{column} {word}: {message}\n    {why}\n");
            // What cannot be printed now is in the written report.
            let _ = output::print(text.into_bytes());
        });
        output::diagnostics(&mut job);
        let triage = match answer {
            Ok(triage) => triage,
            Err(failure) => return failure.into(),
        };
        if let Some(path) = &self.output
            && let Err(error) = std::fs::write(path, &triage.sarif)
        {
            output::warn(&format!("cannot write `{}`: {error}", path.display()));
            return Status::BadInput;
        }
        let n_of = |word: &str| triage.warnings.iter().filter(|(_, f)| f.word() == word).count();
        let (n_confirmed, n_refuted) = (n_of("confirmed"), n_of("refuted"));
        let n_undecided =
            triage.warnings.iter().filter(|(warning, _)| warning.kind.is_none()).count();
        let n_open = n_of("open") - n_undecided;
        let line = format!(
            "{n_confirmed} confirmed, {n_refuted} refuted, {n_open} open, {n_undecided} of other kinds\n"
        );
        let printed = output::print(line.into_bytes());
        if printed != Status::Done {
            return printed;
        }
        if triage.warnings.iter().any(|(_, fate)| matches!(fate, TriageFate::Confirmed(_))) {
            Status::False
        } else if n_refuted == triage.warnings.len() {
            Status::Done
        } else {
            Status::Unknown
        }
    }
}
