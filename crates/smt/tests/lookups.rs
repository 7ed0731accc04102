//! Constant tables, and choices that amount to tables, against the same as circuits.

use std::sync::Arc;
use vergo_smt::blast::BlastOptions;
use vergo_smt::{Answer, Budget, Solver, SolverOptions};
use vergo_term::{LookupTable, Sort, TermId, TermStore};
use vergo_testkit::Rng;

fn solver(chain_len: usize) -> Solver {
    let blast = BlastOptions { chain_len, ..BlastOptions::default() };
    Solver::new(SolverOptions { blast, ..SolverOptions::default() })
}

fn below(random: &mut Rng, bound: u64) -> u64 {
    random.bits() % bound
}

/// The answer, after a look at the model if there is one.
fn answer(store: &TermStore, chain_len: usize, formula: TermId) -> Answer {
    let mut solver = solver(chain_len);
    solver.assert(formula);
    let answer = solver.check(store, &[], &Budget::unlimited());
    if answer == Answer::Sat {
        assert_eq!(solver.false_under_model(store), vec![], "the model is none");
    }
    answer
}

/// Choices among the words by the value of the index.
fn choices(store: &mut TermStore, entries: &[(u64, u64)], index: TermId, rest: TermId) -> TermId {
    let (index_width, width) = (store.width(index), store.width(rest));
    entries.iter().fold(rest, |rest, &(key, word)| {
        let (key, word) = (store.bv_u64(index_width, key), store.bv_u64(width, word));
        let is_it = store.eq(index, key);
        store.ite(is_it, word, rest)
    })
}

/// Claims about an element and its index of many kinds.
fn claim(store: &mut TermStore, random: &mut Rng, element: TermId, index: TermId) -> TermId {
    let width = store.width(element);
    let bound = below(random, 1 << width.min(16));
    let bound = store.bv_u64(width, bound);
    let same = store.bv_resize_unsigned(width, index);
    match below(random, 6) {
        0 => store.bv_ult(element, bound),
        1 => store.bv_slt(bound, element),
        2 => store.eq(element, bound),
        3 => store.eq(element, same),
        4 => {
            let sum = store.bv_add(element, same);
            store.eq(sum, bound)
        }
        _ => {
            let both = store.bv_and(element, bound);
            let zero = store.bv_u64(width, 0);
            store.eq(both, zero)
        }
    }
}

/// Words of several kinds.
fn words(random: &mut Rng, len: u64, width: u32) -> Vec<u64> {
    let (kind, limit) = (below(random, 4), 1 << width);
    let base = below(random, limit);
    let word = |i: u64, random: &mut Rng| match kind {
        0 => below(random, limit),
        1 => base.wrapping_add(3 * i) % limit,
        2 => below(random, limit) & !1,
        _ => (base + below(random, 3)) % limit,
    };
    (0..len).map(|i| word(i, random)).collect()
}

#[test]
fn choices_by_a_word_are_the_same_as_tables_and_as_circuits() {
    let mut random = Rng::new(1);
    for round in 0..150 {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::BitVec(8)), store.var("y", Sort::BitVec(6)));
        let len = 5 + below(&mut random, 60);
        let step = 1 + below(&mut random, 3);
        let words = words(&mut random, len, 6);
        let entries: Vec<(u64, u64)> = words.iter().zip(0..).map(|(&w, i)| (i * step, w)).collect();
        let rest = if round % 2 == 0 { y } else { store.bv_u64(6, 9) };
        let element = choices(&mut store, &entries, x, rest);
        let claims = [(); 3].map(|()| claim(&mut store, &mut random, element, x));
        let formula = claims.into_iter().reduce(|a, b| store.and(a, b)).unwrap();
        let expected = answer(&store, usize::MAX, formula);
        assert_eq!(answer(&store, 4, formula), expected, "round {round}");
        let not = store.not(formula);
        assert_eq!(answer(&store, 4, not), answer(&store, usize::MAX, not), "round {round}");
    }
}

#[test]
fn sets_of_constants_are_tables_too() {
    let mut random = Rng::new(2);
    for round in 0..100 {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::BitVec(7));
        let mut formula = store.true_term();
        for _ in 0..20 {
            let key = below(&mut random, 128);
            let key = store.bv_u64(7, key);
            let is_it = store.eq(x, key);
            let not = store.not(is_it);
            formula = match below(&mut random, 8) {
                0 => store.or(formula, is_it),
                _ => store.and(formula, not),
            };
        }
        let bound = below(&mut random, 60);
        let bound = store.bv_u64(7, bound);
        let small = store.bv_ult(x, bound);
        let formula = store.and(formula, small);
        let expected = answer(&store, usize::MAX, formula);
        assert_eq!(answer(&store, 3, formula), expected, "round {round}");
    }
}

#[test]
fn reads_from_tables_are_the_same_as_choices() {
    let mut random = Rng::new(3);
    for round in 0..150 {
        let mut store = TermStore::new();
        // Tables may be larger than their index can be.
        let index_width = 6 + below(&mut random, 4) as u32;
        let x = store.var("x", Sort::BitVec(index_width));
        let len = 1 + below(&mut random, 120);
        let words = words(&mut random, len, 16);
        let bytes: Arc<[u8]> = words.iter().flat_map(|&w| (w as u16).to_le_bytes()).collect();
        let table = LookupTable::new(&bytes, 0, 2, 2).unwrap();
        let element = store.lookup(&table, x);
        let n_indices = 1 << index_width;
        let entries: Vec<(u64, u64)> = (0..n_indices).zip(words).collect();
        let zero = store.bv_u64(16, 0);
        let expected = choices(&mut store, &entries, x, zero);
        let claim = claim(&mut store, &mut random, element, x);
        let wanted = store.substitute(claim, &[(element, expected)].into_iter().collect());
        assert_eq!(answer(&store, 512, claim), answer(&store, usize::MAX, wanted), "round {round}");
        let differs = store.ne(element, expected);
        assert_eq!(answer(&store, 512, differs), Answer::Unsat, "round {round}");
    }
}

#[test]
fn many_models_are_found_one_after_the_other() {
    let mut store = TermStore::new();
    let x = store.var("x", Sort::BitVec(32));
    let bytes: Arc<[u8]> = (0..3000u32).map(|i| if i % 100 == 7 { 1 } else { 0 }).collect();
    let table = LookupTable::new(&bytes, 0, 1, 1).unwrap();
    let element = store.lookup(&table, x);
    let one = store.bv_u64(8, 1);
    let mut solver = Solver::default();
    let found = store.eq(element, one);
    solver.assert(found);
    let mut n_models = 0;
    while solver.check(&store, &[], &Budget::unlimited()) == Answer::Sat {
        let value = solver.value(&store, x).as_bv().clone();
        assert_eq!(value.to_u64().map(|at| at % 100), Some(7));
        let value = store.bv_const(value);
        let other = store.ne(x, value);
        solver.assert(other);
        n_models += 1;
    }
    assert_eq!(n_models, 30);
}

#[test]
fn a_claim_about_all_of_a_large_table_takes_few_lemmas() {
    let mut store = TermStore::new();
    let x = store.var("x", Sort::BitVec(64));
    let mut random = Rng::new(4);
    let bytes: Arc<[u8]> =
        (0..100_000).flat_map(|_| (below(&mut random, 1000) as u32).to_le_bytes()).collect();
    let table = LookupTable::new(&bytes, 0, 4, 4).unwrap();
    let element = store.lookup(&table, x);
    let bound = store.bv_u64(32, 1000);
    let fails = store.bv_sle(bound, element);
    let mut solver = Solver::default();
    solver.assert(fails);
    assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Answer::Unsat);
    assert!(solver.stats().lemmas < 10, "{} lemmas", solver.stats().lemmas);
}
