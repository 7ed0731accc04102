//! Random formulas: answers against brute force, models and proofs against independent checks.

mod generator;
use generator::{Generator, Profile};
use vergo_num::BitVec;
use vergo_smt::blast::BlastOptions;
use vergo_smt::{
    Answer, Budget, CancelToken, InterpolantError, Solver, SolverOptions, System,
    check_interpolants,
};
use vergo_term::{ArrayValue, Assignment, Evaluator, Sort, TermId, TermStore, Value, VarId};
use vergo_testkit::Rng;
use vergo_testkit::environment::slow;

/// All values of a sort, or none if there are too many.
fn all_values(store: &TermStore, sort: Sort) -> Vec<Value> {
    let bits = match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        Sort::Float(format) => format.width(),
        Sort::RoundingMode => 3,
        Sort::Array(id) => {
            let (index, element) = store.array_parts(id);
            let indices = all_values(store, index);
            let elements = all_values(store, element);
            let mut arrays = vec![ArrayValue::constant(elements[0].clone(), store.n_values(index))];
            for index in &indices {
                arrays = arrays
                    .iter()
                    .flat_map(|array| {
                        elements.iter().map(|element| {
                            let mut array = array.clone();
                            array.store(index, element.clone());
                            array
                        })
                    })
                    .collect();
            }
            return arrays.into_iter().map(Value::from).collect();
        }
    };
    let mut values: Vec<Value> = Vec::new();
    for number in 0..1u64 << bits {
        let value = store.index_value(sort, &BitVec::from_u64(bits, number));
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Returns whether some assignment makes all terms true.
fn brute_force(store: &TermStore, roots: &[TermId]) -> bool {
    let vars = store.free_vars(roots);
    let choices: Vec<(VarId, Vec<Value>)> =
        vars.iter().map(|&v| (v, all_values(store, store.var_info(v).sort))).collect();
    let mut counter = vec![0usize; choices.len()];
    loop {
        let mut assignment = Assignment::new();
        for ((var, values), &k) in choices.iter().zip(&counter) {
            assignment.set(*var, values[k].clone());
        }
        let mut evaluator = Evaluator::new(store, &assignment);
        if roots.iter().all(|&root| evaluator.value(root).as_bool()) {
            return true;
        }
        let mut position = 0;
        loop {
            if position == counter.len() {
                return false;
            }
            counter[position] += 1;
            if counter[position] < choices[position].1.len() {
                break;
            }
            counter[position] = 0;
            position += 1;
        }
    }
}

/// Asserts random formulas with pushes and pops and compares every answer.
fn random_run(profile: Profile, options: SolverOptions, seed: u64) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let mut store = TermStore::new();
    let generator = Generator::new(&mut store, profile);
    let mut solver = Solver::new(options.clone());
    let mut levels: Vec<Vec<TermId>> = vec![Vec::new()];
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..6 {
        match rng.below(5) {
            0 => {
                solver.push();
                levels.push(Vec::new());
            }
            1 => {
                assert_eq!(solver.pop(), levels.len() > 1);
                if levels.len() > 1 {
                    levels.pop();
                }
            }
            _ => {}
        }
        let term = generator.formula(&mut store, &mut rng);
        solver.assert(term);
        levels.last_mut().expect("a level").push(term);
        let assumptions: Vec<TermId> =
            (0..rng.below(3)).map(|_| generator.formula(&mut store, &mut rng)).collect();
        let mut all: Vec<TermId> = levels.iter().flatten().copied().collect();
        all.extend(&assumptions);
        if rng.one_in(4) {
            // A check that is cancelled or runs out of conflicts must leave everything as it was.
            let cancel = CancelToken::new();
            let budget = if rng.one_in(2) {
                cancel.cancel();
                Budget { cancel: Some(cancel), ..Budget::default() }
            } else {
                Budget { conflicts: Some(0), ..Budget::default() }
            };
            solver.check(&store, &assumptions, &budget);
        }
        let want = brute_force(&store, &all);
        if seed.is_multiple_of(2) {
            // An answer without a model is the same, and changes nothing.
            let decided = solver.decide(&store, &assumptions, &Budget::unlimited());
            assert_eq!(decided, if want { Answer::Sat } else { Answer::Unsat }, "seed {seed}");
        }
        let answer = solver.check(&store, &assumptions, &Budget::unlimited());
        match answer {
            Answer::Sat => {
                assert!(want, "seed {seed}: wrong sat");
                assert_eq!(solver.false_under_model(&store), vec![], "seed {seed}: wrong model");
                sat += 1;
            }
            Answer::Unsat => {
                assert!(!want, "seed {seed}: wrong unsat");
                if options.proofs {
                    solver.check_proof().expect("a proof that checks");
                    let cut = rng.below(all.len() + 1);
                    let parts = [all[..cut].to_vec(), all[cut..].to_vec()];
                    interpolate(&mut solver, &mut store, &parts, seed);
                }
                let core = solver.core();
                let mut relevant: Vec<TermId> = if options.cores {
                    Vec::new()
                } else {
                    levels.iter().flatten().copied().collect()
                };
                relevant.extend(&core);
                assert!(core.iter().all(|t| all.contains(t)));
                assert!(!brute_force(&store, &relevant), "seed {seed}: wrong core");
                unsat += 1;
            }
            Answer::Unknown(reason) => panic!("seed {seed}: {reason:?}"),
        }
    }
    (sat, unsat)
}

/// Interpolates between two parts of what was refuted and checks the result.
fn interpolate(solver: &mut Solver, store: &mut TermStore, parts: &[Vec<TermId>], seed: u64) {
    let budget = Budget::unlimited();
    match solver.interpolants(store, parts, System::Pudlak, &budget) {
        Ok(terms) => check_interpolants(store, parts, &terms, &budget)
            .unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}")),
        Err(InterpolantError::MixedLemma) => {}
        Err(error) => panic!("seed {seed}: {error}"),
    }
}

fn run(profile: Profile, quick: u64) {
    let (mut sat, mut unsat) = (0, 0);
    let n = if slow() { quick * 30 } else { quick };
    for seed in 0..n {
        let options = SolverOptions {
            proofs: seed % 2 == 0,
            cores: seed % 3 == 0,
            // All arrays by lemmas in some runs, all as words in others.
            // Products and results of floats too.
            blast: BlastOptions {
                array_bits: if seed % 5 < 3 { 0 } else { 256 },
                product_bits: if seed % 7 < 4 { 1 } else { 12 },
                float_bits: if seed % 11 < 6 { 1 } else { 32 },
                chain_len: 2,
            },
            ..SolverOptions::default()
        };
        let (s, u) = random_run(profile, options, seed);
        sat += s;
        unsat += u;
    }
    assert!(sat > 0 && unsat > 0, "{sat} sat, {unsat} unsat");
}

#[test]
fn words() {
    run(Profile::Words, 25);
}

#[test]
fn arrays() {
    run(Profile::Arrays, 60);
}

#[test]
fn arrays_indexed_by_other_sorts() {
    run(Profile::OddArrays, 10);
}

/// Inner arrays are words in some runs and known by names in others.
#[test]
fn arrays_of_arrays() {
    run(Profile::NestedArrays, 40);
}

#[test]
fn floats() {
    run(Profile::Floats, 8);
}

/// Too large to enumerate: arrays by lemmas against arrays as words.
#[test]
fn arrays_by_lemmas_and_as_words_agree() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..if slow() { 20_000 } else { 300 } {
        let mut rng = Rng::new(seed);
        let mut store = TermStore::new();
        let generator = Generator::new(&mut store, Profile::WideArrays);
        let mut solvers = [0, 4096].map(|array_bits| {
            Solver::new(SolverOptions {
                blast: BlastOptions { array_bits, ..BlastOptions::default() },
                ..SolverOptions::default()
            })
        });
        for _ in 0..4 {
            let term = generator.formula(&mut store, &mut rng);
            let answers = solvers.each_mut().map(|solver| {
                solver.assert(term);
                let answer = solver.check(&store, &[], &Budget::unlimited());
                if answer == Answer::Sat {
                    assert_eq!(solver.false_under_model(&store), vec![], "seed {seed}");
                }
                answer
            });
            assert_eq!(answers[0], answers[1], "seed {seed}");
            match answers[0] {
                Answer::Sat => sat += 1,
                _ => unsat += 1,
            }
        }
    }
    assert!(sat > 0 && unsat > 0);
}
