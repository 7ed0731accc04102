//! k-induction.
//!
//! **Idea.** If no violation is within `k` steps of an initial state (base case), and none follows `k` states
//! without one, wherever they are (step case), there is none at all. `k` grows until the step case holds,
//! the base case fails, or no execution is so long.
//!
//! **Source.** Sheeran, Singh, Stålmarck, "Checking Safety Properties Using Induction and a SAT-Solver",
//! FMCAD 2000, doi 10.1007/3-540-40922-X_8; for software: Donaldson, Haller, Kroening, Rümmer, "Software
//! Verification Using k-Induction", SAS 2011, doi 10.1007/978-3-642-23702-7_26.
//!
//! **Simple paths.** A shortest violation does not visit a state twice, so the step case need only look at
//! paths of different states; this makes the method complete for finite systems. The constraint is
//! quadratic in `k`, so only those pairs are forced apart that a model has made equal (Eén, Sörensson,
//! "Temporal Induction by Incremental SAT Solving", BMC 2003).
//!
//! **Soundness.** The step starts in any state whatever: all state variables are free, so nothing that a
//! loop writes can be forgotten. Auxiliary invariants are conjoined to the system before an engine sees it.

use crate::safety::{Outcome, Search};
use vergo_smt::SolverOptions;
use vergo_ts::{Proof, Start, Unrolling};

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Outcome, String> {
    let system = search.system;
    let mut base = Unrolling::new(search.store, system, Start::Initial, SolverOptions::default());
    let mut step = Unrolling::new(search.store, system, Start::Anywhere, SolverOptions::default());
    let mut apart = false;
    for k in 0.. {
        search.at_bound(k)?;
        // Base case: k steps from an initial state.
        base.extend_to(search.store, k);
        if k > 0 && !search.sat(&mut base.solver, &[])? {
            return Ok(Outcome::Safe(Proof::Exhausted { steps: k }));
        }
        let bad = base.unroller.bad(search.store, k);
        if search.sat(&mut base.solver, &[bad])? {
            return Ok(Outcome::Unsafe(base.path(search.store, k)));
        }
        let good = search.store.not(bad);
        base.solver.assert(good);

        // Step case: k + 1 states without violation, then one.
        let bad = step.unroller.bad(search.store, k);
        let good = search.store.not(bad);
        step.solver.assert(good);
        step.extend_to(search.store, k + 1);
        let bad = step.unroller.bad(search.store, k + 1);
        loop {
            if !search.sat(&mut step.solver, &[bad])? {
                let invariant = search.store.true_term();
                let proof = Proof::Inductive { invariant, k: k + 1, simple_paths: apart };
                return Ok(Outcome::Safe(proof));
            }
            let path = step.path(search.store, k + 1);
            let Some((a, b)) = first_repetition(&path.states) else { break };
            let differ = step.unroller.differ(search.store, a, b);
            step.solver.assert(differ);
            apart = true;
        }
    }
    Err("the bound is too small".to_owned())
}

/// The first pair of equal states.
fn first_repetition<T: PartialEq>(states: &[T]) -> Option<(u32, u32)> {
    (1..states.len()).find_map(|later| {
        let earlier = states[..later].iter().position(|state| *state == states[later])?;
        Some((earlier as u32, later as u32))
    })
}
