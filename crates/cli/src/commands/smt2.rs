//! `vergo smt2`: the project's solver for SMT-LIB 2 scripts.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use vergo_driver::{Interpolation, Job, Smt2Request};

use crate::arguments::input;
use crate::output::{self, Status};

/// Arguments of `vergo smt2`.
#[derive(Args)]
pub(crate) struct Smt2 {
    /// The script; `-` is standard input.
    file: PathBuf,
    /// Seconds for each check.
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Megabytes of memory beyond which a check gives up.
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Evaluate every assertion under every model.
    #[arg(long)]
    check_models: bool,
    /// Replay every refutation and check every interpolant with a fresh solver.
    #[arg(long)]
    check_proofs: bool,
    /// The interpolation system.
    #[arg(long, value_enum, default_value = "mcmillan", value_name = "SYSTEM")]
    interpolation: InterpolationArg,
    /// The seed of the SAT solver.
    #[arg(long, default_value_t, value_name = "N")]
    seed: u32,
    /// Print the solver's counters to standard error at the end.
    #[arg(long)]
    stats: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum InterpolationArg {
    /// McMillan's: strong interpolants.
    #[value(name = "mcmillan")]
    McMillan,
    /// Pudlák's: symmetric.
    Pudlak,
    /// The dual of McMillan's: weak interpolants.
    #[value(name = "mcmillan-dual")]
    McMillanDual,
}

impl Smt2 {
    pub(crate) fn run(&self) -> Status {
        let request = Smt2Request {
            timeout: self.timeout,
            memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
            check_models: self.check_models,
            check_proofs: self.check_proofs,
            interpolation: match self.interpolation {
                InterpolationArg::McMillan => Interpolation::McMillan,
                InterpolationArg::Pudlak => Interpolation::Pudlak,
                InterpolationArg::McMillanDual => Interpolation::McMillanDual,
            },
            seed: self.seed,
        };
        let mut job = Job::default();
        let mut stdout = io::stdout().lock();
        let mut print = |text: &str| {
            // Answers are wanted as they come; a reader that has gone away wants no more.
            let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
        };
        let file = input(self.file.clone());
        let answer = vergo_driver::smt2(&mut job, &file, &request, &mut print);
        output::diagnostics(&mut job);
        let answer = match answer {
            Ok(answer) => answer,
            Err(failure) => return failure.into(),
        };
        if self.stats {
            output::note(&answer.statistics.join("\n"));
        }
        if answer.n_contradictions > 0 {
            output::warn("an answer contradicts the script's own `:status`");
        }
        if answer.n_errors > 0 { Status::BadInput } else { Status::Done }
    }
}

/// Parses a number of seconds, whole or not.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.trim_end_matches('s').parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}
