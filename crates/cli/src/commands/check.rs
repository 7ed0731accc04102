//! `vergo check`: decides whether a program can go wrong.

use std::path::Path;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{ArgMatches, Args};
use vergo_driver::{Answer, CheckRequest, Progress, Specification};

use crate::arguments::CArgs;
use crate::output::{self, Status};

/// Arguments of `vergo check`.
#[derive(Args)]
pub(crate) struct Check {
    #[command(flatten)]
    c: CArgs,
    /// What to check: an SV-COMP property or its .prp file, or ids such as memory.bounds, separated
    /// by commas; by default everything that C leaves undefined, and assertions.
    #[arg(long, value_name = "PROPERTY")]
    property: Option<String>,
    /// The algorithm.
    #[arg(long, value_name = "ENGINE", default_value = "bmc-incremental", value_parser = engine_names())]
    engine: String,
    /// The function in which the program begins.
    #[arg(long, value_name = "NAME", default_value = "main")]
    function: String,
    /// The greatest number of undecided rounds of a loop that is looked at.
    #[arg(long, value_name = "N")]
    unwind: Option<u32>,
    /// Seconds after which the answer is unknown.
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Megabytes beyond which the answer is unknown.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Prints each bound that is looked at to standard error.
    #[arg(long)]
    progress: bool,
}

fn engine_names() -> PossibleValuesParser {
    let values =
        vergo_driver::engines().map(|(name, summary)| PossibleValue::new(name).help(summary));
    PossibleValuesParser::new(values)
}

impl Check {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let specification =
            match self.property.as_deref().map_or(Ok(Specification::standard()), specification) {
                Ok(specification) => specification,
                Err(message) => {
                    output::warn(&message);
                    return Status::BadInput;
                }
            };
        // A time that is no duration is a very long one.
        let timeout = self.timeout.map(|s| Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX));
        let request = CheckRequest {
            specification,
            engine: self.engine.clone(),
            entry: Some(self.function.clone()),
            unwind: self.unwind,
            timeout,
            memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
        };
        let progress = |step: Progress| {
            if self.progress
                && let Progress::Bound { unwind, terms, obligations } = step
            {
                output::note(&format!("bound {unwind}: {terms} terms, {obligations} obligations"));
            }
        };
        let mut job = self.c.job(matches);
        let answer = vergo_driver::check(&mut job, &self.c.inputs(), &request, &progress);
        let (line, status) = match answer {
            Err(failure) => {
                output::diagnostics(&mut job);
                return failure.into();
            }
            Ok(Answer::True(why)) => {
                output::note(&why);
                ("true".to_owned(), Status::Done)
            }
            Ok(Answer::False(name, violation)) => {
                job.diagnostics.push(*violation);
                (format!("false({name})"), Status::False)
            }
            Ok(Answer::Unknown(reason)) => {
                (format!("unknown({})", one_line(&reason)), Status::Unknown)
            }
        };
        output::diagnostics(&mut job);
        match output::print(format!("RESULT: {line}\n")) {
            Status::Done => status,
            failed => failed,
        }
    }
}

/// A reason inside parentheses must not end them or the line.
fn one_line(reason: &str) -> String {
    reason.replace(['(', ')', '\n'], " ")
}

/// The specification that an argument names.
fn specification(argument: &str) -> Result<Specification, String> {
    if Path::new(argument).extension().is_some_and(|extension| extension == "prp") {
        let text = std::fs::read_to_string(argument)
            .map_err(|error| format!("cannot read `{argument}`: {error}"))?;
        return Specification::from_property_file(&text)
            .ok_or_else(|| format!("`{argument}` holds no property that Vergo knows"));
    }
    Specification::from_name(argument).ok_or_else(|| {
        format!("there is no property `{argument}`; give an SV-COMP property, a .prp file, or ids such as memory.bounds")
    })
}
