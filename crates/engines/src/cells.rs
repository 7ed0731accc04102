//! Templates for facts about all elements of arrays.
//!
//! **Idea.** A watched system has the elements at a few indices, whichever these are, as *cells* in its state. A fact about
//! a cell that is guarded by where its index is, below a counter, say, is a fact about a part of the array. Loops over
//! arrays establish what they write, or what violations claim in the end, for the indices that they have passed; and
//! they keep for the others what loops before them have established. So facts come from what is written and claimed, guards
//! from what indices are compared with, and from flags. Which of them hold is for [`auxiliary`](crate::auxiliary) to find out.
//!
//! **Source.** Flanagan, Qadeer, "Predicate Abstraction for Software Verification", POPL 2002, doi 10.1145/503272.503291
//! (skolem constants in predicates); see also `ts::watch`.

use crate::auxiliary::{MAX_CONSTANTS, Place, at_place, is_word};
use rustc_hash::FxHashSet;
use vergo_smt::{Answer, Budget, Solver};
use vergo_term::{TermId, TermStore};
use vergo_ts::Watched;

/// Candidates beyond this number are not considered.
const MAX_CANDIDATES: usize = 12_000;
/// Conditions on watched indices, and the terms that each of these is compared with.
const MAX_GUARDS: usize = 48;
const MAX_BOUNDS: usize = 64;
/// Values of flags.
const MAX_SETTINGS: usize = 6;

/// The kind of facts about cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum About {
    /// Claims of violations about them, and equalities.
    Equalities,
    /// Inequalities.
    Inequalities,
}

/// The templates' candidates for watched arrays: a list for each place.
pub(crate) fn candidates_for_cells(
    store: &mut TermStore,
    watched: &Watched,
    about: About,
    places: &[Place],
    known: TermId,
    budget: &Budget,
) -> Vec<Vec<TermId>> {
    let mut candidates = Vec::new();
    let mut solver = Solver::default();
    solver.assert(known);
    for place in places {
        let variables: FxHashSet<TermId> =
            place.variables.iter().chain(&watched.indices).chain(&watched.cells).copied().collect();
        let is_known = |store: &TermStore, term: &TermId| store.is_over(&[*term], &variables);
        let facts = facts(store, watched, about, &is_known);
        let mut can_be = |store: &TermStore, condition: TermId| {
            solver.check(store, &[place.here, condition], budget) != Answer::Unsat
        };
        let guards = guards(store, watched, &is_known, &mut can_be);
        let mut settings = watched.settings.clone();
        settings.retain(|setting| is_known(store, setting));
        settings.truncate(MAX_SETTINGS);
        settings.insert(0, store.true_term());
        // Rather all facts for the first guards than some facts for all.
        let mut guarded = Vec::new();
        for &setting in &settings {
            for &guard in &guards {
                let guard = store.and(setting, guard);
                for &fact in &facts {
                    guarded.push(store.implies(guard, fact));
                }
            }
        }
        candidates.push(at_place(store, place, guarded, MAX_CANDIDATES / places.len()));
    }
    candidates
}

/// Proposes facts about cells at a place where some terms have a meaning.
fn facts(
    store: &mut TermStore,
    watched: &Watched,
    about: About,
    is_known: &dyn Fn(&TermStore, &TermId) -> bool,
) -> Vec<TermId> {
    let Watched { indices, cells, elements, patterns, claims, .. } = watched;
    let mut facts = Vec::new();
    if about == About::Equalities {
        facts.extend(claims.iter().chain(patterns).filter(|&fact| is_known(store, fact)));
    }
    for (number, &cell) in cells.iter().enumerate() {
        let like = |x: &&TermId| store.sort(**x) == store.sort(cell) && is_known(store, x);
        let mut others: Vec<TermId> =
            elements.iter().filter(like).take(MAX_CONSTANTS).copied().collect();
        others.extend(cells[number + 1..].iter().chain(indices).filter(like));
        for other in others {
            match about {
                About::Equalities => facts.push(store.eq(cell, other)),
                About::Inequalities if is_word(store, cell) => {
                    facts.extend([store.bv_sle(cell, other), store.bv_sle(other, cell)]);
                }
                About::Inequalities => {}
            }
        }
    }
    facts
}

/// Where watched indices may be, simple conditions first; nothing that cannot be, and no more than [`MAX_GUARDS`].
fn guards(
    store: &mut TermStore,
    watched: &Watched,
    is_known: &dyn Fn(&TermStore, &TermId) -> bool,
    can_be: &mut dyn FnMut(&TermStore, TermId) -> bool,
) -> Vec<TermId> {
    let mut guards = vec![store.true_term()];
    let mut ranges = Vec::new();
    let mut steps = Vec::new();
    for &position in &watched.positions {
        let fits =
            |bound: &&TermId| store.sort(**bound) == store.sort(position) && is_known(store, bound);
        let bounds: Vec<TermId> =
            watched.bounds.iter().filter(fits).take(MAX_BOUNDS).copied().collect();
        // Loops that go in steps of two.
        let mut has_parity = |store: &mut TermStore, bound: TermId| {
            if store.is_value(bound) {
                return false;
            }
            let is_odd = store.bv_bit(0, bound);
            let is_even = store.not(is_odd);
            !can_be(store, is_odd) || !can_be(store, is_even)
        };
        let goes_in_steps = bounds.iter().any(|&bound| has_parity(store, bound));
        for &bound in &bounds {
            let below = store.bv_ult(position, bound);
            let above = store.bv_ule(bound, position);
            guards.extend([below, above]);
            for &other in &bounds {
                if other != bound {
                    let above = store.bv_ule(other, position);
                    ranges.push(store.and(above, below));
                }
            }
            if goes_in_steps {
                let odd = store.bv_bit(0, position);
                let even = store.not(odd);
                steps.extend([store.and(below, even), store.and(below, odd)]);
            }
        }
    }
    guards.extend(steps);
    guards.extend(ranges);
    guards.into_iter().filter(|&guard| can_be(store, guard)).take(MAX_GUARDS).collect()
}
