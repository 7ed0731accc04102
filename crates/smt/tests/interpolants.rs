//! Interpolants of random partitioned problems, checked on terms by fresh solvers.

mod generator;
use generator::{Generator, Profile};
use vergo_smt::blast::BlastOptions;
use vergo_smt::{
    Answer, Budget, InterpolantError, Solver, SolverOptions, System, check_interpolants,
};
use vergo_term::smtlib::print_term;
use vergo_term::{Sort, TermId, TermStore};
use vergo_testkit::Rng;
use vergo_testkit::environment::slow;

const SYSTEMS: [System; 3] = [System::McMillan, System::Pudlak, System::McMillanDual];

/// The outcome of a random problem.
enum Fate {
    Satisfiable,
    Interpolated,
    MixedArrays,
}

fn random_problem(profile: Profile, seed: u64) -> Fate {
    let mut rng = Rng::new(seed);
    let mut store = TermStore::new();
    // Each part has its own variables beside those that all share.
    let n_parts = rng.between(2, 4);
    let common = Generator::new(&mut store, profile);
    let mut parts: Vec<Vec<TermId>> = Vec::new();
    for part in 0..n_parts {
        let local = Generator::with_local(&mut store, profile, &common, part);
        let n = rng.between(1, 3);
        parts.push((0..n).map(|_| local.formula(&mut store, &mut rng)).collect());
    }
    let mut solver = Solver::new(SolverOptions {
        cores: rng.one_in(4),
        blast: BlastOptions {
            array_bits: if rng.one_in(2) { 0 } else { 1024 },
            ..BlastOptions::default()
        },
        ..SolverOptions::interpolating()
    });
    let mut assumptions = Vec::new();
    for part in &parts {
        if rng.one_in(5) {
            solver.push();
        }
        for &term in part {
            if rng.one_in(3) {
                assumptions.push(term);
            } else {
                solver.assert(term);
            }
        }
    }
    if rng.one_in(3) {
        // A query before, so that the refutation is found incrementally.
        solver.check(&store, &assumptions[..assumptions.len() / 2], &Budget::unlimited());
    }
    match solver.check(&store, &assumptions, &Budget::unlimited()) {
        Answer::Unsat => {}
        Answer::Sat => return Fate::Satisfiable,
        Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
    }
    solver.check_proof().expect("a proof that checks");
    for system in SYSTEMS {
        let terms = match solver.interpolants(&mut store, &parts, system, &Budget::unlimited()) {
            Ok(terms) => terms,
            Err(InterpolantError::MixedLemma) => return Fate::MixedArrays,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        if let Err(flaw) = check_interpolants(&mut store, &parts, &terms, &Budget::unlimited()) {
            let texts: Vec<String> = terms.iter().map(|&t| print_term(&store, t)).collect();
            panic!("seed {seed} {system:?}: {flaw}: {texts:?}");
        }
    }
    Fate::Interpolated
}

fn run(profile: Profile, quick: usize) {
    let wanted = if slow() { quick * 50 } else { quick };
    let (mut interpolated, mut mixed, mut seed) = (0usize, 0usize, 0);
    while interpolated < wanted {
        match random_problem(profile, seed) {
            Fate::Satisfiable => {}
            Fate::Interpolated => interpolated += 1,
            Fate::MixedArrays => mixed += 1,
        }
        seed += 1;
    }
    // Arrays of two bits are so small that most lemmas are about indices of one part.
    let limit = if profile == Profile::Arrays { interpolated } else { 0 };
    assert!(mixed <= limit, "{mixed} without interpolants beside {interpolated}");
}

#[test]
fn words() {
    run(Profile::Words, 150);
}

/// Two parts that share a large array and read it at indices that both know, or one of them.
/// A step that is always there, from words that one part has to words that the other has, and conditions on both ends that
/// come and go, as engines ask. What was learned of earlier conditions must not bring their words into this query's parts.
fn steps(seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let mut store = TermStore::new();
    let sort = Sort::BitVec(6);
    let mut word = |name: String| store.var(&name, sort);
    let before: Vec<TermId> = (0..3).map(|i| word(format!("x{i}"))).collect();
    let after: Vec<TermId> = (0..3).map(|i| word(format!("y{i}"))).collect();
    let (input, later_input) = (word("in".to_owned()), word("later".to_owned()));
    let mut trans = Vec::new();
    for i in 0..3 {
        let other = before[(i + 1) % 3];
        let sum = store.bv_add(before[i], if rng.one_in(2) { other } else { input });
        trans.push(store.eq(after[i], sum));
    }
    let step = store.and_all(&trans);
    let mut solver = Solver::new(SolverOptions::interpolating());
    solver.assert(step);
    let mut condition = |rng: &mut Rng, words: &[TermId], input: Option<TermId>| {
        let mut parts = Vec::new();
        for _ in 0..rng.between(1, 3) {
            let pick = |rng: &mut Rng| words[rng.between(0, words.len() - 1)];
            let (a, b) = (pick(rng), input.unwrap_or(pick(rng)));
            let sum = store.bv_add(a, b);
            let number = store.bv_u64(6, rng.between(0, 63) as u64);
            parts.push(match rng.between(0, 2) {
                0 => store.bv_ult(sum, number),
                1 => store.eq(sum, number),
                _ => {
                    let product = store.bv_mul(sum, pick(rng));
                    store.bv_ult(number, product)
                }
            });
        }
        store.and_all(&parts)
    };
    let from: Vec<TermId> = (0..6).map(|_| condition(&mut rng, &before, None)).collect();
    let to: Vec<TermId> =
        (0..6).map(|i| condition(&mut rng, &after, (i % 2 == 0).then_some(later_input))).collect();
    let mut n_interpolated = 0;
    for _ in 0..30 {
        let from = from[rng.between(0, from.len() - 1)];
        let to = to[rng.between(0, to.len() - 1)];
        if solver.check(&store, &[from, to], &Budget::unlimited()) != Answer::Unsat {
            continue;
        }
        for parts in [[vec![from, step], vec![to]], [vec![to, step], vec![from]]] {
            let terms = solver
                .interpolants(&mut store, &parts, System::McMillan, &Budget::unlimited())
                .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            check_interpolants(&mut store, &parts, &terms, &Budget::unlimited())
                .unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
            n_interpolated += 1;
        }
    }
    n_interpolated
}

#[test]
fn many_queries_to_one_solver() {
    let n_seeds = if slow() { 2000 } else { 15 };
    let n_interpolated: usize = (0..n_seeds).map(steps).sum();
    assert!(n_interpolated > n_seeds as usize, "only {n_interpolated} were interpolated");
}

#[test]
fn shared_large_arrays() {
    let mut store = TermStore::new();
    let sort = store.array_sort(Sort::BitVec(32), Sort::BitVec(32));
    let a = store.var("a", sort);
    let [i, x, y] = ["i", "x", "y"].map(|name| store.var(name, Sort::BitVec(32)));
    let [local, far] = ["l", "r"].map(|name| store.var(name, Sort::BitVec(32)));
    let (one, two) = (store.bv_u64(32, 1), store.bv_u64(32, 2));
    // The first part reads at an index of its own that it says to be `i`; the second one at `i`.
    let at_local = store.select(a, local);
    let first = [store.eq(local, i), store.eq(at_local, one)];
    let at_i = store.select(a, i);
    let second = [store.eq(at_i, two)];
    // A write by the first part that the second one sees through another variable.
    let b = store.var("b", sort);
    let written = store.store(a, x, y);
    let writes = [store.eq(b, written), store.eq(y, one)];
    let read = store.select(b, x);
    let reads = [store.eq(read, two)];
    for parts in [
        vec![first.to_vec(), second.to_vec()],
        vec![second.to_vec(), first.to_vec()],
        vec![writes.to_vec(), reads.to_vec()],
        vec![reads.to_vec(), writes.to_vec()],
    ] {
        for system in SYSTEMS {
            let mut solver = Solver::new(SolverOptions::interpolating());
            for &term in parts.iter().flatten() {
                solver.assert(term);
            }
            assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Answer::Unsat);
            let terms = solver
                .interpolants(&mut store, &parts, system, &Budget::unlimited())
                .expect("an interpolant");
            check_interpolants(&mut store, &parts, &terms, &Budget::unlimited())
                .expect("a right one");
        }
    }
    // Both indices local: the named limit.
    let at_far = store.select(a, far);
    let same = store.bv_add(i, one);
    let parts = vec![
        vec![store.eq(local, same), store.eq(at_local, one)],
        vec![store.eq(far, same), store.eq(at_far, two)],
    ];
    let mut solver = Solver::new(SolverOptions::interpolating());
    for &term in parts.iter().flatten() {
        solver.assert(term);
    }
    assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Answer::Unsat);
    let result = solver.interpolants(&mut store, &parts, System::McMillan, &Budget::unlimited());
    match result {
        Ok(terms) => check_interpolants(&mut store, &parts, &terms, &Budget::unlimited())
            .expect("a right one"),
        Err(error) => assert_eq!(error, InterpolantError::MixedLemma),
    }
}

#[test]
fn arrays() {
    run(Profile::Arrays, 60);
}

#[test]
fn floats() {
    run(Profile::Floats, 25);
}

/// Comparisons and equations come back as words, not bits.
#[test]
fn interpolants_are_readable() {
    let mut store = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::BitVec(8)));
    let ten = store.bv_u64(8, 10);
    let twenty = store.bv_u64(8, 20);
    let less = store.bv_ult(x, ten);
    let same = store.eq(y, x);
    let equal = store.eq(y, z);
    let greater = store.bv_ult(twenty, z);
    let parts = vec![vec![less, same], vec![equal, greater]];
    let mut solver = Solver::new(SolverOptions::interpolating());
    for &term in parts.iter().flatten() {
        solver.assert(term);
    }
    assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Answer::Unsat);
    for system in SYSTEMS {
        let terms = solver
            .interpolants(&mut store, &parts, system, &Budget::unlimited())
            .expect("an interpolant");
        check_interpolants(&mut store, &parts, &terms, &Budget::unlimited()).expect("a right one");
        assert!(store.size(terms[0]).dag < 60, "{}", print_term(&store, terms[0]));
    }

    // A value is recognised as an equation with the whole word.
    let forty_two = store.bv_u64(8, 42);
    let is = store.eq(y, forty_two);
    let odd = store.bv_bit(0, y);
    let local = store.var("p", Sort::Bool);
    let first = store.and(is, local);
    let parts = vec![vec![first], vec![odd]];
    let mut solver = Solver::new(SolverOptions::interpolating());
    for &term in parts.iter().flatten() {
        solver.assert(term);
    }
    assert_eq!(solver.check(&store, &[], &Budget::unlimited()), Answer::Unsat);
    let terms = solver
        .interpolants(&mut store, &parts, System::McMillan, &Budget::unlimited())
        .expect("an interpolant");
    assert_eq!(print_term(&store, terms[0]), "(not (= ((_ extract 0 0) y) #b1))");
}
