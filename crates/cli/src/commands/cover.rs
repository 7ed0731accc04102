//! `vergo cover`: which parts of a program tests can reach, and the tests.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args};
use vergo_driver::{CheckRequest, CoverRequest, Criterion, Input, Slicing};

use crate::arguments::CArgs;
use crate::commands::smt2::seconds;
use crate::output::{self, Status};

/// The exit statuses of `vergo cover`.
const STATUSES: &str = "Exit status: 0 if every goal is decided (covered or unreachable), 20 if one is not, 2 bad usage \
                        or input that is not C, 70 internal error.";

/// The default time limit.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// Arguments of `vergo cover`.
#[derive(Args)]
#[command(after_help = STATUSES)]
pub(crate) struct Cover {
    #[command(flatten)]
    c: CArgs,
    /// The criteria of coverage: branch, call, condition, error-call, function, loop, mcdc, statement; may be given
    /// several times or separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = criterion, default_value = "statement,branch,function")]
    criterion: Vec<Criterion>,
    /// A folder for the tests: inputs for `vergo run`, C drivers, and a Test-Comp suite.
    #[arg(long, value_name = "DIR")]
    tests: Option<PathBuf>,
    /// Writes what is covered in LCOV's format.
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Writes what is covered as a page into a folder (index.html).
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Prints the source with what is known of each line.
    #[arg(long)]
    annotate: bool,
    /// The function in which the program begins.
    #[arg(long, value_name = "NAME", default_value = "main")]
    function: String,
    /// Seconds that it may take, 60 if nobody says.
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Megabytes that it may take.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// A bound on the rounds of loops.
    #[arg(long, value_name = "N")]
    unwind: Option<u32>,
}

/// Accepts the name of a criterion.
fn criterion(text: &str) -> Result<Criterion, String> {
    let names: Vec<&str> = vergo_driver::criteria().collect();
    Criterion::from_name(text)
        .ok_or_else(|| format!("there is no such criterion; there are {}", names.join(", ")))
}

impl Cover {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let can_write = || -> Result<(), String> {
            self.lcov.as_deref().map_or(Ok(()), output::can_write)?;
            [&self.tests, &self.html]
                .into_iter()
                .flatten()
                .try_for_each(|folder| output::make_folder(folder))
        };
        if let Err(message) = can_write() {
            output::warn(&message);
            return Status::BadInput;
        }
        let mut job = self.c.job(matches);
        let inputs = self.c.inputs();
        let check = CheckRequest {
            entry: Some(self.function.clone()),
            timeout: Some(self.timeout.unwrap_or(DEFAULT_TIME)),
            memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
            unwind: self.unwind,
            slicing: Slicing::Always,
            ..CheckRequest::default()
        };
        let request = CoverRequest { criteria: self.criterion.clone(), check };
        let answer = vergo_driver::cover(&mut job, &inputs, &request, &|_| {});
        output::diagnostics(&mut job);
        let report = match answer {
            Err(failure) => return failure.into(),
            Ok(report) => report,
        };
        if let Some(folder) = &self.tests {
            let absolute = |input: &Input| match input {
                Input::File(path) => {
                    std::path::absolute(path).unwrap_or_else(|_| path.clone()).display().to_string()
                }
                Input::Text { name, .. } => name.clone(),
            };
            let paths: Vec<String> = inputs.iter().map(absolute).collect();
            for file in report.test_files(&job, &paths) {
                let status = output::write(&folder.join(&file.name), file.text.as_bytes());
                if status != Status::Done {
                    return status;
                }
            }
        }
        if let Some(path) = &self.lcov {
            let status = output::write(path, report.lcov().as_bytes());
            if status != Status::Done {
                return status;
            }
        }
        if let Some(folder) = &self.html {
            let status = output::write(&folder.join("index.html"), report.html().as_bytes());
            if status != Status::Done {
                return status;
            }
        }
        let [covered, unreachable, unknown] = report.counts();
        let mut text = if self.annotate { report.annotated() } else { String::new() };
        text += &report.table();
        text += &format!(
            "COVERED: {covered} of {} goals by {} tests, {unreachable} unreachable, {unknown} unknown\n",
            report.goals.len(),
            report.n_tests()
        );
        match output::print(text) {
            Status::Done if unknown > 0 => Status::Unknown,
            status => status,
        }
    }
}
