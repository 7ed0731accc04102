//! A few guesses before hard work: assignments that need no solver to be models.
//!
//! Where the terms that a check adds would make a large circuit, some fixed and some pseudo-random
//! assignments are evaluated first.  Wide products that only have to differ, for
//! instance, are satisfied by almost any values, but their circuits have millions of gates.

use crate::blast::Blaster;
use rustc_hash::FxHashSet;
use vergo_num::{BitVec, RoundingMode};
use vergo_sat::Budget;
use vergo_term::{Assignment, Evaluator, Sort, TermId, TermStore, Value};

/// Estimated gates below which solving is cheaper than guessing.
const WORTHWHILE: u64 = 200_000;
/// Estimated gates per term below which evaluating is not much cheaper than solving.
const GATES_PER_TERM: u64 = 256;
/// Terms beyond which not even evaluating is cheap.
const MAX_TERMS: usize = 200_000;
/// Pseudo-random assignments tried after zeros and ones.
const N_RANDOM: u64 = 6;

/// Returns whether the parts of the terms that are not in `known` would make a large circuit.
pub(crate) fn is_worthwhile(
    store: &TermStore,
    roots: &[TermId],
    known: impl Fn(TermId) -> bool,
) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = roots.to_vec();
    let mut cost = 0u64;
    while let Some(term) = stack.pop() {
        if known(term) || !seen.insert(term) {
            continue;
        }
        if seen.len() > MAX_TERMS {
            return false;
        }
        cost = cost.saturating_add(Blaster::cost(store, term));
        stack.extend_from_slice(store.args(term));
    }
    cost > WORTHWHILE && cost > GATES_PER_TERM * seen.len() as u64
}

/// An assignment under which all terms are true, if one of the guesses is.
pub(crate) fn guess(store: &TermStore, roots: &[TermId], budget: &Budget) -> Option<Assignment> {
    let vars = store.free_vars(roots);
    for attempt in 0..2 + N_RANDOM {
        if budget.interrupted().is_some() {
            return None;
        }
        let mut random = attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut assignment = Assignment::new();
        for &var in &vars {
            if let Some(value) = value_of(store.var_info(var).sort, attempt, &mut random) {
                assignment.set(var, value);
            }
        }
        let mut evaluator = Evaluator::new(store, &assignment);
        let mut stop = || budget.interrupted().is_some();
        let mut holds =
            |root: TermId| evaluator.value_unless(root, &mut stop) == Some(&Value::Bool(true));
        if roots.iter().all(|&root| holds(root)) {
            return Some(assignment);
        }
    }
    None
}

/// The value of a scalar in an attempt: zeros, ones, or anything.
fn value_of(sort: Sort, attempt: u64, random: &mut u64) -> Option<Value> {
    let mut word = |width: u32| match attempt {
        0 => BitVec::zero(width),
        1 => BitVec::ones(width),
        _ => {
            let limbs = (0..width.div_ceil(64)).map(|_| next(random)).collect();
            BitVec::from_limbs(width, limbs)
        }
    };
    match sort {
        Sort::Bool => Some(Value::Bool(word(1).is_one())),
        Sort::BitVec(width) => Some(Value::BitVec(word(width))),
        Sort::Float(format) => {
            Some(Value::Float(vergo_num::Float::from_bits(format, word(format.width()))))
        }
        Sort::RoundingMode => {
            let number = word(3).to_u64().unwrap_or(0) as usize % RoundingMode::ALL.len();
            Some(Value::RoundingMode(RoundingMode::ALL[number]))
        }
        Sort::Array(_) => None,
    }
}

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}
