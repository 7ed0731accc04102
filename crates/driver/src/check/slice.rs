//! The part of a program that its claims need: what engines are given, and the way back.
//!
//! A property that holds for the slice holds for the program (`passes::slice`). A violation is believed when the interpreter
//! has met it in the program itself, with the same choices at the same sites; one that is not met there is no answer, and the
//! program is looked at as a whole.

use std::time::{Duration, Instant};

use vergo_engines::{Environment, Finding, Outcome};
use vergo_evidence::{Counterexample, Verdict};
use vergo_goto::program::Program;
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::slice::{Mode, slice};
use vergo_passes::{Options, PassId};

/// When engines are given a slice instead of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Slicing {
    /// Not for all claims together.
    Never,
    /// Where that is at most two thirds of the program.
    #[default]
    WhereSmall,
    /// Where that is less than the program.
    Always,
}

/// The size of a slice, and the time that it took to find it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SliceSize {
    /// Instructions before.
    pub before: usize,
    /// Those that stay.
    pub after: usize,
    /// The time that it took.
    pub time: Duration,
}

/// A slice of a program.
pub(super) struct Slice {
    pub(super) program: Program,
    pub(super) size: SliceSize,
}

impl Slice {
    /// The slice of a program; none if it is too large to be of use.
    pub(super) fn of(program: &Program, slicing: Slicing) -> Option<Slice> {
        if slicing == Slicing::Never {
            return None;
        }
        let start = Instant::now();
        let mut program = program.clone();
        let size = slice(&mut program, Mode::Forward);
        let is_useful = match slicing {
            Slicing::Never => false,
            Slicing::WhereSmall => 3 * size.after <= 2 * size.before,
            Slicing::Always => size.after < size.before,
        };
        if !is_useful {
            return None;
        }
        let clean = [PassId::Unreachable];
        run_passes(&mut program, &clean, &Options::default(), Verify::InDebug, &mut |_| {}).ok()?;
        let size = SliceSize { before: size.before, after: size.after, time: start.elapsed() };
        Some(Slice { program, size })
    }

    /// Replaces counterexamples of the slice by those of the program. Those that are none there are dropped, and the answer
    /// is no then.
    pub(super) fn transfer(
        &self,
        whole: &Program,
        outcome: &mut Outcome,
        environment: &Environment<'_>,
    ) -> bool {
        let (found, verdict) = (&mut outcome.findings, &mut outcome.verdict);
        let n_found = found.len();
        let budget = environment.replay_budget();
        let transferred = |counterexample: &Counterexample| {
            counterexample.transferred(&self.program, whole, &budget).map(Box::new)
        };
        found.retain_mut(|finding| match finding {
            Finding::Violated(counterexample) => match transferred(counterexample) {
                Some(there) => {
                    *counterexample = there;
                    true
                }
                None => false,
            },
            Finding::GivenUp(..) => true,
        });
        if let Verdict::False(counterexample) = verdict {
            match transferred(counterexample) {
                Some(there) => *counterexample = there,
                None => return false,
            }
        }
        found.len() == n_found
    }
}
