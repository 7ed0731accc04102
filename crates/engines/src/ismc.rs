//! Interpolation-sequence-based model checking.
//!
//! **Idea.** The refutation of "a violation after exactly `k` steps" gives a sequence of interpolants, the
//! `i`-th a superset of the states after `i` steps. Conjoined with those of smaller `k` they are images
//! `R_1, ..., R_k`, each without violations; when one is within the union of those before it, the union is
//! an invariant.
//!
//! **Source.** Vizel, Grumberg, "Interpolation-Sequence Based Model Checking", FMCAD 2009,
//! doi 10.1109/FMCAD.2009.5351148; algorithms 1 and 2 of the comparison that [`imc`](crate::imc) cites.
//!
//! **Deviations.** The sequence of images begins with the initial states instead of the empty set (the paper's
//! footnote 6 allows it), so that the union is the invariant as it stands.
//!
//! **Soundness.** The bound grows by one: only so does each image exclude violations, by the interpolant of
//! the round in which it was appended.

use crate::safety::{Conclusion, Search, fixed_point, inductive};
use vergo_evidence::Reason;
use vergo_smt::SolverOptions;
use vergo_term::TermId;
use vergo_ts::{Start, Unrolling};

pub(crate) fn prove(search: &mut Search<'_>) -> Result<Conclusion, Reason> {
    if let Some(violation) = search.initial_violation()? {
        return Ok(violation);
    }
    let system = search.system;
    let options = SolverOptions::interpolating();
    let mut unrolling = Unrolling::new(search.store, system, Start::Initial, options);
    let mut images = vec![system.init];
    for k in 1.. {
        search.at_bound(k)?;
        unrolling.extend_to(search.store, k);
        let bad = unrolling.unroller.bad(search.store, k);
        if search.sat(&mut unrolling.solver, &[bad])? {
            return Ok(Conclusion::Unsafe(unrolling.path(search.store, k)));
        }
        // Lines 15-18.
        let parts = partition(search, &mut unrolling, k, bad);
        let sequence = search.interpolate(&mut unrolling.solver, &parts)?;
        images.push(search.store.true_term());
        for (time, interpolant) in (1..=k).zip(sequence) {
            let state = unrolling.unroller.to_current(search.store, interpolant, time);
            let image = &mut images[time as usize];
            *image = search.store.and(*image, state);
        }
        if let Some((union, length)) = fixed_point(search, &images)? {
            search.stats.convergence = length;
            return Ok(inductive(union));
        }
    }
    Err(Reason::bound())
}

/// `I(s_0) ∧ T(s_0, s_1)`, `T(s_1, s_2)`, ..., `T(s_{k-1}, s_k)`, and a last formula.
pub(crate) fn partition(
    search: &mut Search<'_>,
    unrolling: &mut Unrolling<'_>,
    k: u32,
    last: TermId,
) -> Vec<Vec<TermId>> {
    let mut parts: Vec<Vec<TermId>> =
        (0..k).map(|time| vec![unrolling.unroller.trans(search.store, time)]).collect();
    parts[0].push(unrolling.unroller.init(search.store));
    parts.push(vec![last]);
    parts
}
