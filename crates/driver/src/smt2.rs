//! The SMT-LIB request: a script to the project's own solver.

use std::time::Duration;

use vergo_smt::script::statistics;
use vergo_smt::{ScriptOptions, SolverOptions, System, run_script};

use crate::input::Input;
use crate::job::{Failed, Job};

/// A request to execute a script.
#[derive(Clone, Debug, Default)]
pub struct Smt2Request {
    /// Time for each check.
    pub timeout: Option<Duration>,
    /// Bytes of memory beyond which a check gives up.
    pub memory: Option<u64>,
    /// Evaluate every assertion under every model.
    pub check_models: bool,
    /// Replay every refutation, and check every interpolant with a fresh solver.
    pub check_proofs: bool,
    /// The interpolation system.
    pub interpolation: Interpolation,
    /// The seed of the SAT solver.
    pub seed: u32,
}

/// The interpolation systems, from strong to weak interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// McMillan's system.
    #[default]
    McMillan,
    /// Pudlák's symmetric system.
    Pudlak,
    /// The dual of McMillan's system.
    McMillanDual,
}

/// The outcome of a script's execution.
#[derive(Clone, Debug)]
pub struct Smt2Answer {
    /// The number of errors that the script's output reports.
    pub n_errors: usize,
    /// Checks whose answer contradicts the script's own `:status`.
    pub n_contradictions: usize,
    /// Counters of the solver, one a line.
    pub statistics: Vec<String>,
}

/// Executes a script; each piece of its output goes to `out` as soon as it is there.
///
/// # Errors
/// If the input cannot be read; the job's diagnostics say why.
pub fn smt2(
    job: &mut Job,
    input: &Input,
    request: &Smt2Request,
    out: &mut dyn FnMut(&str),
) -> Result<Smt2Answer, Failed> {
    let text = job.read(input)?;
    let options = ScriptOptions {
        timeout: request.timeout,
        memory: request.memory,
        cancel: None,
        check_models: request.check_models,
        check_proofs: request.check_proofs,
        system: match request.interpolation {
            Interpolation::McMillan => System::McMillan,
            Interpolation::Pudlak => System::Pudlak,
            Interpolation::McMillanDual => System::McMillanDual,
        },
        solver: SolverOptions { seed: request.seed, ..SolverOptions::default() },
    };
    // SMT-LIB is ASCII outside of strings and comments; anything else is for the reader to find.
    let outcome = run_script(&String::from_utf8_lossy(&text), &options, out);
    Ok(Smt2Answer {
        n_errors: outcome.n_errors,
        n_contradictions: outcome.n_contradictions,
        statistics: statistics(&outcome.stats),
    })
}
