//! Products as free bits with algebraic lemmas: random formulas against enumeration, and identities that no circuit decides.

use vergo_num::BitVec;
use vergo_smt::blast::BlastOptions;
use vergo_smt::{Answer, Budget, Exactness, Solver, SolverOptions};
use vergo_term::{Assignment, Rewriting, Sort, TermId, TermStore};
use vergo_testkit::Rng;
use vergo_testkit::environment::slow;

const WIDTH: u32 = 3;

/// A random word over variables, rich in products.
fn word(store: &mut TermStore, rng: &mut Rng, vars: &[TermId], size: usize) -> TermId {
    if size == 0 {
        return match rng.below(4) {
            0 => store.bv_u64(WIDTH, rng.bits()),
            _ => vars[rng.below(vars.len())],
        };
    }
    let a = word(store, rng, vars, size - 1);
    let smaller = rng.below(size);
    let b = word(store, rng, vars, smaller);
    let two = store.bv_u64(WIDTH, 2);
    match rng.below(13) {
        0..=3 => store.bv_mul(a, b),
        4..=6 => store.bv_add(a, b),
        7 => store.bv_neg(a),
        8 => {
            let c = formula(store, rng, vars, size - 1);
            store.ite(c, a, b)
        }
        9 => store.bv_udiv(a, two),
        10 => store.bv_urem(a, two),
        11 => {
            // Part of a word, made longer again.
            let low = store.bv_extract(1, 0, a);
            if rng.one_in(2) {
                store.bv_sign_extend(WIDTH, low)
            } else {
                store.bv_zero_extend(WIDTH, low)
            }
        }
        _ => {
            let one = store.bv_u64(WIDTH, 1);
            if rng.one_in(2) { store.bv_shl(a, one) } else { store.bv_ashr(a, one) }
        }
    }
}

fn formula(store: &mut TermStore, rng: &mut Rng, vars: &[TermId], size: usize) -> TermId {
    let a = word(store, rng, vars, size);
    let smaller = rng.below(size + 1);
    let b = word(store, rng, vars, smaller);
    match rng.below(10) {
        0 => store.bv_slt(a, b),
        1 => store.bv_ule(a, b),
        2 => {
            let (p, q) = (store.eq(a, b), store.bv_ult(b, a));
            store.or(p, q)
        }
        _ => store.eq(a, b),
    }
}

fn is_satisfiable(store: &TermStore, roots: &[TermId]) -> bool {
    let vars = store.free_vars(roots);
    (0..1u64 << (WIDTH as usize * vars.len())).any(|number| {
        let mut assignment = Assignment::new();
        for (i, &var) in vars.iter().enumerate() {
            let value = number >> (WIDTH as usize * i);
            assignment.set(var, BitVec::from_u64(WIDTH, value));
        }
        roots.iter().all(|&root| store.eval(root, &assignment).as_bool())
    })
}

fn solver(product_bits: usize, products: Exactness) -> Solver {
    let blast = BlastOptions { product_bits, ..BlastOptions::default() };
    Solver::new(SolverOptions { blast, products, ..SolverOptions::default() })
}

#[test]
fn random_formulas_against_enumeration() {
    let (mut n_sat, mut n_unsat, mut n_algebraic) = (0, 0, 0);
    for seed in 0..if slow() { 20_000 } else { 400 } {
        let mut rng = Rng::new(seed);
        let rewriting = if seed % 2 == 0 { Rewriting::On } else { Rewriting::Off };
        let mut store = TermStore::with_rewriting(rewriting);
        let vars = ["x", "y", "z", "v"].map(|name| store.var(name, Sort::BitVec(WIDTH)));
        let mut exact = solver(1, Exactness::Exact);
        let mut algebraic = solver(1, Exactness::Algebraic);
        let mut roots = Vec::new();
        for _ in 0..4 {
            let mut root = formula(&mut store, &mut rng, &vars, 3);
            if rng.one_in(3) {
                root = store.not(root);
            }
            roots.push(root);
            let expected = is_satisfiable(&store, &roots);
            // The last one is assumed, the others are asserted.
            let answer = exact.check(&store, &[root], &Budget::unlimited());
            assert_eq!(answer == Answer::Sat, expected, "seed {seed}");
            if expected {
                assert_eq!(exact.false_under_model(&store), vec![], "seed {seed}");
                n_sat += 1;
            } else {
                n_unsat += 1;
            }
            if algebraic.check(&store, &[root], &Budget::unlimited()) == Answer::Unsat {
                assert!(!expected, "seed {seed}");
                n_algebraic += 1;
            } else {
                let truths = algebraic.truths(&store, &[root], &Budget::unlimited());
                assert_eq!(truths, [true], "seed {seed}");
            }
            exact.assert(root);
            algebraic.assert(root);
        }
    }
    assert!(n_sat > 100 && n_unsat > 100 && n_algebraic > 20, "{n_sat} {n_unsat} {n_algebraic}");
}

/// A word of 64 bits from text: sums of products of variables.
fn sum_of(store: &mut TermStore, text: &str) -> TermId {
    let mut sum = store.bv_u64(64, 0);
    for part in text.split('+') {
        let mut product = store.bv_u64(64, 1);
        for factor in part.split_whitespace() {
            let factor = match factor.parse::<i64>() {
                Ok(number) => store.bv_const(BitVec::from_i64(64, number)),
                Err(_) => store.var(factor, Sort::BitVec(64)),
            };
            product = store.bv_mul(product, factor);
        }
        sum = store.bv_add(sum, product);
    }
    sum
}

/// Returns whether equations, with sides that are sums of products, are refuted as far as algebra goes; the last one is
/// denied.
fn follows(equations: &[(&str, &str)]) -> bool {
    let mut store = TermStore::new();
    let mut solver = solver(12, Exactness::Algebraic);
    for (i, (left, right)) in equations.iter().enumerate() {
        let (left, right) = (sum_of(&mut store, left), sum_of(&mut store, right));
        let mut equation = store.eq(left, right);
        if i + 1 == equations.len() {
            equation = store.not(equation);
        }
        solver.assert(equation);
    }
    solver.check(&store, &[], &Budget::unlimited()) == Answer::Unsat
}

#[test]
fn steps_keep_equations() {
    // The sum of the first numbers: y y + y = 2 x, and a step.
    assert!(follows(&[("y y + y", "2 x"), ("b", "y + 1"), ("a", "x + b"), ("b b + b", "2 a"),]));
    assert!(!follows(&[("y y + y", "2 x"), ("b", "y + 1"), ("a", "x + y"), ("b b + b", "2 a"),]));
    // Euclid's algorithm with Bézout's coefficients.
    let before = [("a", "y r + x p"), ("b", "x q + y s"), ("p s", "r q + 1")];
    let step = [("A", "a + -1 b"), ("P", "p + -1 q"), ("R", "r + -1 s")];
    let with = |goal| [&before[..], &step[..], &[goal]].concat();
    assert!(follows(&with(("A", "y R + x P"))));
    assert!(follows(&with(("P s", "R q + 1"))));
    assert!(!follows(&with(("P s", "R q"))));
    // Multiples of what is known.
    assert!(follows(&[("u u", "v w"), ("u u u u", "v v w w")]));
    assert!(!follows(&[("u u", "v w"), ("u u u", "v v w")]));
}

#[test]
fn what_is_compared_is_equal() {
    let mut store = TermStore::new();
    let [square, next] = ["a a", "a a + 2 a + 1"].map(|text| sum_of(&mut store, text));
    let [a, one] = [sum_of(&mut store, "a"), store.bv_u64(64, 1)];
    let more = store.bv_add(a, one);
    let product = store.bv_mul(more, more);
    let limit = store.var("n", Sort::BitVec(64));
    let (below, above) = (store.bv_sle(next, limit), store.bv_slt(limit, product));
    let mut solver = solver(12, Exactness::Algebraic);
    solver.assert(below);
    assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Answer::Sat);
    assert_eq!(solver.check(&store, &[above], &Budget::unlimited()), Answer::Unsat);
    let other = store.bv_slt(limit, square);
    assert_eq!(solver.check(&store, &[other], &Budget::unlimited()), Answer::Sat);
}

#[test]
fn halves_are_quotients() {
    // An odd word is one more than twice its half.
    let mut store = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::BitVec(64)));
    let [one, two] = [1, 2].map(|n| store.bv_u64(64, n));
    let rest = store.bv_urem(y, two);
    let is_odd = store.eq(rest, one);
    let half = store.bv_udiv(y, two);
    let twice = store.bv_mul(x, two);
    let after = store.bv_mul(twice, half);
    let sum = store.bv_add(z, x);
    let after = store.bv_add(after, sum);
    let before = store.bv_mul(x, y);
    let before = store.bv_add(before, z);
    let differ = store.ne(before, after);
    let mut solver = solver(12, Exactness::Algebraic);
    assert_eq!(solver.check(&store, &[differ], &Budget::unlimited()), Answer::Sat);
    assert_eq!(solver.check(&store, &[differ, is_odd], &Budget::unlimited()), Answer::Unsat);
}
