//! Equations about elements of arrays, guessed from executions.
//!
//! **Idea.** As in [`affine`](crate::affine), with the elements of arrays at small indices beside the words: whatever linear equation
//! between an element, its index, the square of that and the words of a state holds in all states that were seen at a place, for the
//! indices in a range, is a candidate for an invariant about all indices in the range. So a loop is known to fill an array
//! with multiples of the index, or a cell to count what a word counts.
//!
//! **Source.** Dillig, Dillig, Aiken, "Fluid Updates: Beyond Strong vs. Weak Updates", ESOP 2010, doi 10.1007/978-3-642-11957-6_14, for
//! facts in terms of the index; from executions as `affine`.
//!
//! **Soundness.** Guesses only: which of them are invariants is for [`auxiliary`](crate::auxiliary) to find out.

use crate::algebraic::relations;
use crate::auxiliary::Place;
use crate::executions::{Executions, WIDTHS, words_and_extensions};
use vergo_num::BitVec;
use vergo_smt::Budget;
use vergo_term::{Sort, TermId, TermStore};
use vergo_ts::{TransitionSystem, Watched};

/// Words of a width that elements are related with.
const MAX_WORDS: usize = 8;
/// Rows beyond the number of unknowns without which equations mean nothing.
const MORE_ROWS: usize = 4;
/// Rows that equations are looked for in: so many are enough to refute the others.
const MAX_ROWS: usize = 150;
/// Terms of an equation: those with more are coincidences.
const MAX_TERMS: usize = 6;
/// The difference of the greatest and the least value of a cell that is bounded by them.
const MAX_RANGE: i128 = 20;
/// The values of indices that are looked at, by the number of indices.
const INDEX_VALUES: [u64; 3] = [12, 6, 4];

/// The equations about cells that hold in some executions at a place, each with the guard under which it does.
pub(crate) fn equations(
    store: &mut TermStore,
    system: &TransitionSystem,
    watched: &Watched,
    (place, place_idx): (&Place, usize),
    executions: &Executions,
    guards: &[TermId],
    budget: &Budget,
) -> Vec<TermId> {
    let Some(&n_values) = INDEX_VALUES.get(watched.indices.len().wrapping_sub(1)) else {
        return Vec::new();
    };
    let elements = watched.elements_of_cells();
    let mut facts = Vec::new();
    for width in WIDTHS {
        let of_width = |store: &TermStore, x: TermId| store.sort(x) == Sort::BitVec(width);
        // The columns: words, then indices, then cells. Equations say what the last of them is.
        let mut columns = words_and_extensions(store, system, place, width);
        columns.truncate(MAX_WORDS);
        let first_index = columns.len();
        for &index in &watched.indices {
            columns.push(store.bv_resize_signed(width, index));
        }
        let first_cell = columns.len();
        let mut evaluated = columns.clone();
        for (&cell, &element) in watched.cells.iter().zip(&elements) {
            if of_width(store, cell) {
                columns.push(cell);
                evaluated.push(element);
            }
        }
        if columns.len() == first_cell {
            continue;
        }
        let indices = (&watched.indices[..], n_values);
        let words = (&evaluated[..], guards);
        let rows = executions.rows_at_indices(store, words, indices, place_idx, budget);
        let mut monomials: Vec<Vec<usize>> = vec![Vec::new()];
        monomials.extend((0..first_cell).map(|word| vec![word]));
        monomials.extend((first_index..first_cell).map(|index| vec![index, index]));
        monomials.extend((first_cell..columns.len()).map(|cell| vec![cell]));
        for (number, &guard) in guards.iter().enumerate() {
            let guarded: Vec<&Vec<i128>> =
                rows.iter().filter(|(_, holds)| holds[number]).map(|(row, _)| row).collect();
            let every = guarded.len().div_ceil(MAX_ROWS).max(1);
            let guarded: Vec<Vec<i128>> = guarded.into_iter().step_by(every).cloned().collect();
            if guarded.len() < monomials.len() + MORE_ROWS {
                continue;
            }
            facts.extend(bounds(store, &guarded, &columns, first_cell, guard));
            for equation in relations(&guarded, &monomials) {
                let is_of_cell = |(_, monomial): &(i64, Vec<usize>)| {
                    monomial.first().is_some_and(|&column| column >= first_cell)
                };
                if equation.terms.len() <= MAX_TERMS && equation.terms.iter().any(is_of_cell) {
                    let fact = equation.term(store, &columns, width);
                    facts.push(store.implies(guard, fact));
                }
            }
        }
    }
    facts
}

/// The least and greatest values of cells, if they are small.
fn bounds(
    store: &mut TermStore,
    rows: &[Vec<i128>],
    columns: &[TermId],
    first_cell: usize,
    guard: TermId,
) -> Vec<TermId> {
    let mut facts = Vec::new();
    for (column, &cell) in columns.iter().enumerate().skip(first_cell) {
        let values = || rows.iter().map(|row| row[column]);
        let (Some(least), Some(most)) = (values().min(), values().max()) else { continue };
        if least == most || most - least > MAX_RANGE {
            continue;
        }
        let width = store.width(cell);
        let [least, most] =
            [least, most].map(|n| store.bv_const(BitVec::from_i64(width, n as i64)));
        for bound in [store.bv_sle(least, cell), store.bv_sle(cell, most)] {
            facts.push(store.implies(guard, bound));
        }
    }
    facts
}
