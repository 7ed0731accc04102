//! `vergo transform`: turns a specification into assertions of the program, abstracts its arrays, or does without its threads.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args};
use vergo_driver::{
    ArraysReport, ArraysRequest, ArraysSettings, Dialect, Failed, Input, Job, Refined, Rounds,
    TransformRequest,
};

use crate::arguments::CArgs;
use crate::output::{self, Status};
use crate::spec::SpecArgs;

/// Arguments of `vergo transform`.
#[derive(Args)]
pub(crate) struct Transform {
    #[command(flatten)]
    c: CArgs,
    #[command(flatten)]
    spec: SpecArgs,
    /// Abstracts arrays to elements at indices that are chosen nondeterministically, and loops over
    /// arrays to the iterations for those (docs/arrays.md).
    #[arg(long, conflicts_with_all = ["spec", "emit_automaton"])]
    arrays: bool,
    /// Whose functions for arbitrary values the program with abstracted arrays calls.
    #[arg(long, value_name = "DIALECT", default_value = "svcomp", requires = "arrays",
          value_parser = ["svcomp", "cbmc", "esbmc"])]
    dialect: String,
    /// The most witness indices that are chosen: how many elements an assertion can speak of.
    #[arg(long, value_name = "N", default_value_t = 3, requires = "arrays",
          value_parser = clap::value_parser!(u8).range(1..=4))]
    witnesses: u8,
    /// Checks the result, and refines it as long as it has an alarm that is none of the program: more
    /// witness indices, then the first and the last iteration of each loop.
    #[arg(long, requires = "arrays")]
    refine: bool,
    /// Seconds in which results are checked and refined; after these, the coarsest one is given out.
    #[arg(long, value_name = "S", default_value_t = 10.0, requires = "refine")]
    timeout: f64,
    /// Writes what was abstracted, and how exact that is, as JSON.
    #[arg(long, value_name = "FILE", requires = "arrays")]
    report: Option<PathBuf>,
    /// Writes the threads of the program as functions that take turns (docs/threads.md).
    #[arg(long, conflicts_with_all = ["spec", "emit_automaton", "arrays"])]
    sequentialize: bool,
    /// The number of turns of each thread; any number of times if this is not given.
    #[arg(long, value_name = "K", requires = "sequentialize",
          value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// The number of threads besides the first, where they are started in loops or functions.
    #[arg(long, value_name = "N", default_value_t = 4, requires = "sequentialize",
          value_parser = clap::value_parser!(u32).range(1..=64))]
    threads: u32,
    /// Prints the automaton of the specification instead of the program.
    #[arg(long)]
    emit_automaton: bool,
    /// Writes the program to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Transform {
    pub(crate) fn run(&self, matches: &ArgMatches) -> Status {
        if self.arrays {
            return self.run_arrays(matches);
        }
        if self.sequentialize {
            return self.run_sequentialize(matches);
        }
        let spec = match self.spec.spec() {
            Ok(Some(spec)) => spec,
            Ok(None) => {
                output::warn(
                    "there is nothing to do; give a specification with --spec, --arrays, or --sequentialize",
                );
                return Status::BadInput;
            }
            Err(message) => {
                output::warn(&message);
                return Status::BadInput;
            }
        };
        let inputs = self.c.inputs();
        let [program] = inputs.as_slice() else {
            output::warn("one program is transformed at a time");
            return Status::BadInput;
        };
        let mut job = self.c.job(matches);
        let answer = match self.emit_automaton {
            true => vergo_driver::automaton(&mut job, &spec).map(String::into_bytes),
            false => vergo_driver::transform(&mut job, program, &TransformRequest { spec }),
        };
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(text) => self.write(text),
        }
    }

    fn write(&self, text: Vec<u8>) -> Status {
        match self.output.as_deref() {
            Some(path) => output::write(path, &text),
            None => output::print(text),
        }
    }

    fn run_arrays(&self, matches: &ArgMatches) -> Status {
        let inputs = self.c.inputs();
        let [program] = inputs.as_slice() else {
            output::warn("one program is transformed at a time");
            return Status::BadInput;
        };
        let mut job = self.c.job(matches);
        match self.abstracted(&mut job, program) {
            Err(failure) => {
                output::diagnostics(&mut job);
                failure.into()
            }
            Ok((text, report, outcome)) => {
                output::diagnostics(&mut job);
                if let Some(path) = &self.report {
                    let mut json = report.to_json();
                    if let Some(outcome) = outcome {
                        json["outcome"] = outcome.into();
                    }
                    let json = format!("{json:#}\n");
                    let status = output::write(path, json.as_bytes());
                    if !matches!(status, Status::Done) {
                        return status;
                    }
                }
                self.write(text)
            }
        }
    }

    fn run_sequentialize(&self, matches: &ArgMatches) -> Status {
        let inputs = self.c.inputs();
        let [program] = inputs.as_slice() else {
            output::warn("one program is transformed at a time");
            return Status::BadInput;
        };
        let mut job = self.c.job(matches);
        let rounds = Rounds { rounds: self.rounds, threads: self.threads };
        let answer = vergo_driver::sequentialize(&mut job, program, rounds);
        output::diagnostics(&mut job);
        match answer {
            Err(failure) => failure.into(),
            Ok(sequentialized) => {
                for left_out in &sequentialized.left_out {
                    output::warn(&format!("left out are executions: {left_out}"));
                }
                self.write(sequentialized.text.into_bytes())
            }
        }
    }

    /// The text of the program with abstracted arrays, the report on it, and what became of its refinement.
    fn abstracted(
        &self,
        job: &mut Job,
        program: &Input,
    ) -> Result<(Vec<u8>, ArraysReport, Option<&'static str>), Failed> {
        let known = Dialect::ALL.iter().find(|(name, _)| *name == self.dialect);
        let dialect = known.map_or_else(Dialect::default, |(_, dialect)| *dialect);
        let most_witnesses = usize::from(self.witnesses);
        let settings = ArraysSettings { dialect, most_witnesses, ..ArraysSettings::default() };
        let request = ArraysRequest { settings };
        if !self.refine {
            let transformed = vergo_driver::transform_arrays(job, program, request)?;
            return Ok((transformed.text, transformed.report, None));
        }
        let time = Duration::try_from_secs_f64(self.timeout).unwrap_or(Duration::MAX);
        let (transformed, refined) = vergo_driver::refine_arrays(job, program, request, time)?;
        let outcome = match refined {
            Refined::NoAlarm(_) => "no alarm",
            Refined::Real(..) => "an alarm is a violation of the program",
            Refined::Open => "open",
        };
        Ok((transformed.text, transformed.report, Some(outcome)))
    }
}
