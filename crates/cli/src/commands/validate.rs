//! `vergo validate`: decides whether a verification witness says what is so.

use std::path::Path;
use std::time::Duration;

use clap::{ArgMatches, Args};
use vergo_driver::{
    Answer, CheckRequest, EngineId, Fate, Input, OnViolation, Specification, TraceDetail,
    ValidateRequest, Validation,
};

use super::check::engine;
use crate::arguments::{CArgs, specification};
use crate::output::{self, Status};
use crate::watchdog::Watchdog;

/// Arguments of `vergo validate`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Validate {
    #[command(flatten)]
    c: CArgs,
    /// The property, if it is not the one that the witness names.
    #[arg(long, value_name = "PROPERTY")]
    property: Option<String>,
    /// The algorithm.
    #[arg(long, value_name = "ENGINE", default_value = EngineId::default().info().name, value_parser = engine())]
    engine: EngineId,
    /// The function in which the program begins.
    #[arg(long, value_name = "NAME", default_value = "main")]
    function: String,
    /// Seconds after which the answer is unknown.
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Megabytes beyond which the answer is unknown.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
}

const AFTER_HELP: &str = "\
FILE... are the program and its witness (format 2.0), in any order: the witness is the file that ends in .yml, .yaml, \
.graphml or .xml, or else the last one.

Before the last line stands `WITNESS: confirmed`, `WITNESS: rejected(<reason>)` or `WITNESS: undecided(<reason>)`. The last \
line is the verdict on the program, as for `vergo check`, and so is the exit status: `RESULT: true` (0) if all invariants \
of a correctness witness hold and the property is proved with them; `RESULT: false(<property>)` (10) if an execution was \
replayed that follows a violation witness; `RESULT: unknown(<reason>)` (20) otherwise. A rejected witness says nothing \
about the program; only if the program is proved without it is the answer `true`. A malformed witness, or one that names \
places that the program does not have, ends with status 2. A witness of a file with another hash is a warning.

Examples:
  vergo validate program.c witness.yml
  vergo validate --timeout 60 program.c witness.yml";

impl Validate {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        let mut inputs = self.c.inputs();
        let is_witness = |input: &Input| {
            input.path().and_then(Path::extension).is_some_and(|extension| {
                ["yml", "yaml", "graphml", "xml"].iter().any(|known| extension == *known)
            })
        };
        let at = inputs.iter().position(is_witness).unwrap_or(inputs.len() - 1);
        let witness = inputs.remove(at);
        if inputs.is_empty() {
            output::warn("give a program and a witness of it");
            return Status::BadInput;
        }
        let own = match self.property.as_deref().map(specification).transpose() {
            Ok(own) => own,
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        let mut job = self.c.job(matches);
        let own_specification = own.is_some();
        let request = ValidateRequest {
            check: CheckRequest {
                specification: own.unwrap_or_else(Specification::standard),
                engine: self.engine,
                entry: Some(self.function.clone()),
                // A time that is no duration is a very long one.
                timeout: self
                    .timeout
                    .map(|s| Duration::try_from_secs_f64(s).unwrap_or(Duration::MAX)),
                memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
                on_violation: OnViolation::Stop,
                trace: TraceDetail::Compact,
                ..CheckRequest::default()
            },
            own_specification,
            own_model: self.c.names_model(matches),
        };
        let watchdog = Watchdog::start(request.check.timeout, request.check.memory, String::new);
        let answer = vergo_driver::validate(&mut job, &inputs, &witness, &request, &|_| {});
        watchdog.finish();
        output::diagnostics(&mut job);
        let Validation { fate, report } = match answer {
            Ok(validation) => validation,
            Err(failure) => return failure.into(),
        };
        let mut text = String::new();
        for violation in report.violations() {
            text.push_str(&output::rendered(&mut job, &report.diagnostic(violation)));
            text.push('\n');
        }
        if let Some(certificate) = &report.certificate
            && report.answer == Answer::True
        {
            text.push_str(&format!("{certificate}\n"));
        }
        // A reason inside parentheses must not end them or the line.
        let inside = |reason: &str| reason.replace(['(', ')', '\n'], " ");
        let fate = match fate {
            Fate::Confirmed => "confirmed".to_owned(),
            Fate::Rejected(reason) => format!("rejected({})", inside(&reason)),
            Fate::Undecided(reason) => format!("undecided({})", inside(&reason)),
        };
        text.push_str(&format!("WITNESS: {fate}\n{}", output::result_line(&report.answer)));
        let status = output::verdict(&report);
        match output::print(text) {
            Status::Done => status,
            failed => failed,
        }
    }
}
