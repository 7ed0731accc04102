//! Interpolation-based model checking.
//!
//! **Idea.** If no violation is within `k` steps of an initial state, an interpolant between the first step
//! and the rest describes a superset of the states after one step from which no violation is within `k - 1`
//! steps. Replacing the initial states by it and asking again gives supersets of the states after two
//! steps, three, ..., until one is contained in the union of those before it, which is then an
//! invariant; or until a violation is within `k` steps of a superset, which may be spurious: then `k` grows.
//!
//! **Source.** McMillan, "Interpolation and SAT-Based Model Checking", CAV 2003,
//! doi 10.1007/978-3-540-45069-6_1; on programs: Beyer, Lee, Wendler, "Interpolation and SAT-Based Model
//! Checking Revisited: Adoption to Software Verification", JAR 2024, doi 10.1007/s10817-024-09702-9. Compared
//! with [`ismc`](crate::ismc) and [`dar`](crate::dar) in Beyer, Chien, Jankola, Lee, "A Transferability
//! Study of Interpolation-Based Hardware Model Checking for Software Verification", FSE 2024,
//! doi 10.1145/3660797; names and line numbers are this paper's.
//!
//! **Deviations.** The transition relation need not be total, so each violation in the target brings the steps
//! that lead to it: a bad state without successors counts.
//!
//! **Soundness.** Each image excludes violations because the target of the query includes one right after the
//! first step. The union is checked to be inductive by `evidence`.

use crate::safety::{Conclusion, Search, inductive};
use vergo_evidence::Reason;
use vergo_smt::SolverOptions;
use vergo_ts::{Start, Unrolling};

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
    if let Some(violation) = search.initial_violation()? {
        return Ok(violation);
    }
    let system = search.system;
    let options = SolverOptions::interpolating();
    let mut unrolling = Unrolling::new(search.store, system, Start::Anywhere, options);
    let first_step = unrolling.unroller.trans(search.store, 0);
    let init = unrolling.unroller.init(search.store);
    // Violations after 1, ..., k steps, each with the steps that lead to it from time 1.
    let mut target = search.store.false_term();
    let mut steps = search.store.true_term();
    for k in 1.. {
        search.at_bound(k)?;
        if k > 1 {
            let step = unrolling.unroller.trans(search.store, k - 1);
            steps = search.store.and(steps, step);
        }
        let bad = unrolling.unroller.bad(search.store, k);
        let violation = search.store.and(steps, bad);
        target = search.store.or(target, violation);

        // The precise query: a violation within k steps of an initial state; earlier ones were refuted.
        if search.sat(&mut unrolling.solver, &[init, first_step, target])? {
            return Ok(Conclusion::Unsafe(unrolling.path(search.store, k)));
        }
        // Queries from supersets of the states after 0, 1, 2, ... steps.
        let mut union = system.init;
        let mut image = init;
        for length in 1.. {
            let parts = [vec![image, first_step], vec![target]];
            let interpolant = search.interpolate(&mut unrolling.solver, &parts)?[0];
            let next = unrolling.unroller.to_current(search.store, interpolant, 1);
            if search.implies(next, union)? {
                search.stats.convergence = length;
                return Ok(inductive(union));
            }
            union = search.store.or(union, next);
            image = unrolling.unroller.at(search.store, next, 0);
            if search.sat(&mut unrolling.solver, &[image, first_step, target])? {
                break;
            }
        }
    }
    Err(Reason::bound())
}
