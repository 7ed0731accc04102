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
//! **Products.** Where a system multiplies, the step case is first asked of a solver that knows products by algebra only
//! ([`Exactness::Algebraic`]): it never has to find factors, so it goes on to the next `k` where circuits
//! of multipliers would be the end. The exact question is asked too, but for a part of the time.
//!
//! **Soundness.** The step starts in any state whatever: all state variables are free, so nothing that a
//! loop writes can be forgotten. Auxiliary invariants are conjoined to the system before an engine sees it.

use crate::algebraic::multiplies;
use crate::safety::{Conclusion, Search};
use vergo_evidence::Reason;
use vergo_smt::{Exactness, SolverOptions};
use vergo_ts::{Claim, Start, Unrolling};

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
    let system = search.system;
    let mut base = Unrolling::new(search.store, system, Start::Initial, SolverOptions::default());
    let multiplies = multiplies(search.store, system);
    let products = if multiplies { Exactness::Algebraic } else { Exactness::Exact };
    let mut step = Step::new(search, products);
    let mut exact = multiplies.then(|| Step::new(search, Exactness::Exact));
    for k in 0.. {
        search.at_bound(k)?;
        // Base case: k steps from an initial state.
        base.extend_to(search.store, k);
        if k > 0 && !search.sat(&mut base.solver, &[])? {
            return Ok(Conclusion::Safe(Claim::Exhausted { steps: k }.into()));
        }
        let bad = base.unroller.bad(search.store, k);
        if search.sat(&mut base.solver, &[bad])? {
            return Ok(Conclusion::Unsafe(base.path(search.store, k)));
        }
        let good = search.store.not(bad);
        base.solver.assert(good);

        // Step case: k + 1 states without violation, then one.
        if step.holds(search, k)? {
            return Ok(step.proof(search, k));
        }
        if let Some(exact) = &mut exact {
            let whole = search.budget;
            let budget = whole.part(EXACT_SHARE);
            let mut part = Search::new(search.store, system, &budget, search.progress);
            let holds = exact.holds(&mut part, k);
            search.stats = search.stats + part.stats;
            if holds == Ok(true) {
                return Ok(exact.proof(search, k));
            }
        }
    }
    Err(Reason::bound())
}

/// The part of the time for one step case with exact products.
const EXACT_SHARE: u32 = 8;

/// The step case, for one bound after the other.
struct Step<'a> {
    unrolling: Unrolling<'a>,
    /// True if states that a model has made equal were forced apart.
    apart: bool,
}

impl<'a> Step<'a> {
    fn new(search: &mut Search<'a>, products: Exactness) -> Step<'a> {
        let options = SolverOptions { products, ..SolverOptions::default() };
        let unrolling = Unrolling::new(search.store, search.system, Start::Anywhere, options);
        Step { unrolling, apart: false }
    }

    /// Checks whether no violation follows `k + 1` states without one; asked with `k` from zero on.
    fn holds(&mut self, search: &mut Search<'_>, k: u32) -> Result<bool, Reason> {
        let step = &mut self.unrolling;
        let bad = step.unroller.bad(search.store, k);
        let good = search.store.not(bad);
        step.solver.assert(good);
        step.extend_to(search.store, k + 1);
        let bad = step.unroller.bad(search.store, k + 1);
        while search.sat(&mut step.solver, &[bad])? {
            let path = step.path(search.store, k + 1);
            let Some((a, b)) = first_repetition(&path.states) else { return Ok(false) };
            let differ = step.unroller.differ(search.store, a, b);
            step.solver.assert(differ);
            self.apart = true;
        }
        Ok(true)
    }

    fn proof(&self, search: &Search<'_>, k: u32) -> Conclusion {
        let invariant = search.store.true_term();
        Conclusion::Safe(Claim::Inductive { invariant, k: k + 1, simple_paths: self.apart }.into())
    }
}

/// The first pair of equal states.
fn first_repetition<T: PartialEq>(states: &[T]) -> Option<(u32, u32)> {
    (1..states.len()).find_map(|later| {
        let earlier = states[..later].iter().position(|state| *state == states[later])?;
        Some((earlier as u32, later as u32))
    })
}
