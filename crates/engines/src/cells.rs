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
use crate::elements::equations;
use crate::executions::Executions;
use rustc_hash::FxHashSet;
use vergo_smt::{Answer, Budget, Solver};
use vergo_term::{TermId, TermStore};
use vergo_ts::{TransitionSystem, Watched};

/// Candidates beyond this number are not considered.
const MAX_CANDIDATES: usize = 12_000;
/// Conditions on watched indices, and the terms that each of these is compared with.
const MAX_GUARDS: usize = 60;
const MAX_BOUNDS: usize = 64;
/// Lowest bits of indices that loops keep.
const MAX_FIXED_BITS: u32 = 2;
/// Values of flags.
const MAX_SETTINGS: usize = 6;

/// The kind of facts about cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum About {
    /// Claims of violations about them, and equalities.
    Equalities,
    /// Equations that executions show, with indices and words.
    Equations,
    /// Inequalities.
    Inequalities,
}

/// The templates' candidates for watched arrays: a list for each place.
pub(crate) fn candidates_for_cells(
    store: &mut TermStore,
    watched: &Watched,
    about: About,
    (system, places, executions): (&TransitionSystem, &[Place], &Executions),
    known: TermId,
    budget: &Budget,
) -> Vec<Vec<TermId>> {
    let mut candidates = Vec::new();
    let mut solver = Solver::default();
    solver.assert(known);
    for (place_idx, place) in places.iter().enumerate() {
        let variables: FxHashSet<TermId> =
            place.variables.iter().chain(&watched.indices).chain(&watched.cells).copied().collect();
        let is_known = |store: &TermStore, term: &TermId| store.is_over(&[*term], &variables);
        let facts = facts(store, watched, about, &is_known);
        let mut can_be = |store: &TermStore, condition: TermId| {
            solver.check(store, &[place.here, condition], budget) != Answer::Unsat
        };
        let guards = guards(store, watched, &is_known, &mut can_be);
        if about == About::Equations {
            let at = (place, place_idx);
            let facts = equations(store, system, watched, at, executions, &guards, budget);
            candidates.push(at_place(store, place, facts, MAX_CANDIDATES / places.len()));
            continue;
        }
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
                About::Equations | About::Inequalities => {}
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
    let mut at = Vec::new();
    for &position in &watched.positions {
        let fits =
            |bound: &&TermId| store.sort(**bound) == store.sort(position) && is_known(store, bound);
        let bounds: Vec<TermId> =
            watched.bounds.iter().filter(fits).take(MAX_BOUNDS).copied().collect();
        let n_fixed = fixed_bits(store, &bounds, can_be);
        for &bound in &bounds {
            let below = store.bv_ult(position, bound);
            let above = store.bv_ule(bound, position);
            guards.extend([below, above]);
            let is_here = store.eq(position, bound);
            // Where a loop has stopped.
            if !store.is_value(bound) {
                at.push(is_here);
            }
            for &other in &bounds {
                if other != bound {
                    let above = store.bv_ule(other, position);
                    ranges.push(store.and(above, below));
                    if store.is_value(bound) && !store.is_value(other) {
                        let is_other = store.eq(position, other);
                        at.push(store.and(is_other, below));
                    }
                }
            }
            for bits in 1..=n_fixed {
                let low = store.bv_extract(bits - 1, 0, position);
                for rest in 0..1 << bits {
                    let rest = store.bv_u64(bits, rest);
                    let rest = store.eq(low, rest);
                    steps.push(store.and(below, rest));
                }
            }
        }
    }
    guards.extend(steps);
    guards.extend(ranges);
    guards.extend(at);
    guards.into_iter().filter(|&guard| can_be(store, guard)).take(MAX_GUARDS).collect()
}

/// The number of lowest bits, one or two, that never change of some bound which is no constant: loops may go in steps of two or
/// four then.
fn fixed_bits(
    store: &mut TermStore,
    bounds: &[TermId],
    can_be: &mut dyn FnMut(&TermStore, TermId) -> bool,
) -> u32 {
    let mut most = 0;
    for &bound in bounds {
        if store.is_value(bound) || store.width(bound) <= MAX_FIXED_BITS {
            continue;
        }
        let mut is_fixed = |bit: u32| {
            let is_one = store.bv_bit(bit, bound);
            let is_zero = store.not(is_one);
            !can_be(store, is_one) || !can_be(store, is_zero)
        };
        let n_fixed = (0..MAX_FIXED_BITS).take_while(|&bit| is_fixed(bit)).count();
        most = most.max(n_fixed as u32);
    }
    most
}
