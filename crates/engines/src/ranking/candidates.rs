//! The parts of measures: words and conditions over the state that the program itself suggests.

use rustc_hash::FxHashSet;
use vergo_term::{Op, Sort, TermId, TermStore};
use vergo_ts::{Encoded, Origin, What};

/// Words of the state that take part on their own.
const MAX_WORDS: usize = 60;
/// Words up to which pairs of them are combined.
const MAX_IN_PAIRS: usize = 16;
/// Words up to which triples of them are combined.
const MAX_IN_TRIPLES: usize = 5;
/// Comparisons of the program that are considered.
const MAX_COMPARISONS: usize = 80;

/// The effort before giving up, from little to much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Effort {
    /// Words of the state, and differences that the program compares.
    Single,
    /// Sums and differences of two words.
    Pairs,
    /// Conditions that stay for ever.
    Conditions,
    /// Sums and differences of three words.
    Triples,
}

impl Effort {
    pub(super) const ALL: &'static [Effort] =
        &[Effort::Single, Effort::Pairs, Effort::Conditions, Effort::Triples];
}

/// A word that may decrease, as an unsigned number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// Over the current state.
    pub(super) before: TermId,
    /// Over the next state.
    pub(super) after: TermId,
    /// The state variable that the word is another form of, if it is.
    pub(super) variable: Option<TermId>,
    /// With which effort it is tried.
    pub(super) effort: Effort,
}

/// Everything that is tried, in this order.
pub(super) struct Candidates {
    pub(super) words: Vec<Word>,
    /// Conditions over the current state.
    pub(super) conditions: Vec<TermId>,
}

impl Candidates {
    pub(super) fn of(store: &mut TermStore, encoded: &Encoded) -> Candidates {
        let system = &encoded.system;
        let mut state = words(store, encoded);
        state.truncate(MAX_WORDS);
        let (comparisons, terms) = from_steps(store, encoded);
        let mut words: Vec<(TermId, Option<TermId>, Effort)> = Vec::new();
        for &x in &state {
            let signed = unsigned_order(store, x);
            for word in [signed, store.bv_not(signed), x, store.bv_not(x)] {
                words.push((word, Some(x), Effort::Single));
            }
        }
        for term in terms {
            let signed = unsigned_order(store, term);
            for word in [signed, store.bv_not(signed), term, store.bv_not(term)] {
                words.push((word, None, Effort::Single));
            }
        }
        let mut add = |word: TermId, store: &mut TermStore, effort: Effort| {
            words.push((word, None, effort));
            words.push((store.bv_not(word), None, effort));
        };
        for &(op, a, b) in &comparisons {
            let signs: &[bool] = match op {
                Op::BvSlt => &[true],
                Op::BvUlt => &[false],
                _ => &[true, false],
            };
            for &signed in signs {
                let difference = combination(store, &[(a, 1), (b, -1)], signed);
                add(difference, store, Effort::Single);
            }
        }
        if state.len() <= MAX_IN_PAIRS {
            for (i, &x) in state.iter().enumerate() {
                for &y in &state[i + 1..] {
                    if store.sort(x) != store.sort(y) {
                        continue;
                    }
                    for [a, b] in [[1, -1], [1, 1], [1, 2], [2, 1], [1, -2], [2, -1]] {
                        for signed in [true, false] {
                            let sum = combination(store, &[(x, a), (y, b)], signed);
                            add(sum, store, Effort::Pairs);
                        }
                    }
                }
            }
        }
        if state.len() <= MAX_IN_TRIPLES {
            for (i, &x) in state.iter().enumerate() {
                for (j, &y) in state.iter().enumerate().skip(i + 1) {
                    for &z in &state[j + 1..] {
                        if store.sort(x) == store.sort(y) && store.sort(y) == store.sort(z) {
                            for [b, c] in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
                                let sum = combination(store, &[(x, 1), (y, b), (z, c)], true);
                                add(sum, store, Effort::Triples);
                            }
                        }
                    }
                }
            }
        }
        let mut conditions: Vec<TermId> =
            system.current().filter(|&x| store.sort(x) == Sort::Bool).collect();
        for &x in &state {
            let zero = store.bv_u64(store.width(x), 0);
            conditions.extend([store.bv_slt(x, zero), store.bv_slt(zero, x), store.eq(x, zero)]);
        }
        for &(op, a, b) in &comparisons {
            conditions.push(match op {
                Op::BvSlt => store.bv_slt(a, b),
                Op::BvUlt => store.bv_ult(a, b),
                _ => store.eq(a, b),
            });
        }
        let (mut seen, mut kept) = (FxHashSet::default(), FxHashSet::default());
        words.retain(|&(word, ..)| !store.is_value(word) && seen.insert(word));
        conditions.retain(|&condition| !store.is_value(condition) && kept.insert(condition));
        let map = system.current().zip(system.next()).collect();
        let before: Vec<TermId> = words.iter().map(|&(word, ..)| word).collect();
        let after = store.substitute_all(&before, &map);
        let word = |((before, variable, effort), after)| Word { before, after, variable, effort };
        Candidates { words: words.into_iter().zip(after).map(word).collect(), conditions }
    }
}

/// The word whose unsigned order is the signed order of a word.
fn unsigned_order(store: &mut TermStore, x: TermId) -> TermId {
    let (sign, rest) = (store.bv_u64(1, 1), store.bv_u64(store.width(x) - 1, 0));
    let least = store.bv_concat(sign, rest);
    store.bv_xor(x, least)
}

/// A sum of words with small factors, in enough bits not to wrap, in unsigned order.
fn combination(store: &mut TermStore, parts: &[(TermId, i64)], signed: bool) -> TermId {
    let width = parts.iter().map(|&(x, _)| store.width(x)).max().unwrap_or(1) + 4;
    let mut sum = store.bv_u64(width, 0);
    for &(x, factor) in parts {
        let x = match signed {
            true => store.bv_resize_signed(width, x),
            false => store.bv_resize_unsigned(width, x),
        };
        for _ in 0..factor.unsigned_abs() {
            sum = if factor > 0 { store.bv_add(sum, x) } else { store.bv_sub(sum, x) };
        }
    }
    unsigned_order(store, sum)
}

/// The words of the state that are values of the program: neither control nor addresses.
pub(super) fn words(store: &TermStore, encoded: &Encoded) -> Vec<TermId> {
    let is_value = |origin: &Origin| match origin {
        Origin::Counter | Origin::Address => false,
        Origin::Object { what, .. } => !matches!(what, What::Target { .. } | What::Live),
    };
    let state = encoded.system.current().zip(&encoded.origins);
    let values = state.filter(|(_, origin)| is_value(origin)).map(|(x, _)| x);
    values.filter(|&x| store.sort(x).width().is_some_and(|width| width > 1)).collect()
}

/// The comparisons of words in steps that are over the current state alone, and other words that tests look at: cells of
/// arrays, and whatever has a sign.
fn from_steps(store: &TermStore, encoded: &Encoded) -> (Vec<(Op, TermId, TermId)>, Vec<TermId>) {
    let Encoded { system, counter, .. } = encoded;
    let is_state = |x: &TermId| Some(*x) != *counter;
    let state: FxHashSet<TermId> = system.current().filter(is_state).collect();
    let mut over_state: FxHashSet<TermId> = FxHashSet::default();
    let (mut comparisons, mut words) = (Vec::new(), Vec::new());
    let is_word = |term: TermId| matches!(store.sort(term), Sort::BitVec(width) if width > 1);
    for term in store.reachable(&[system.trans]) {
        let args = store.args(term);
        let pure = match store.op(term) {
            Op::Var(_) => state.contains(&term),
            _ => args.iter().all(|arg| over_state.contains(arg)),
        };
        if !pure {
            continue;
        }
        over_state.insert(term);
        match store.op(term) {
            op @ (Op::BvSlt | Op::BvUlt | Op::Eq) if is_word(args[0]) => {
                comparisons.push((op, args[0], args[1]));
            }
            Op::Select if is_word(term) => words.push(term),
            Op::BvExtract(low) if is_word(args[0]) && low + 1 == store.width(args[0]) => {
                words.push(args[0]);
            }
            _ => {}
        }
    }
    comparisons.truncate(MAX_COMPARISONS);
    words.truncate(MAX_COMPARISONS);
    (comparisons, words)
}
