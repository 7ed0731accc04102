//! Random sequences of solver calls against a truth table; budgets; encodings of circuits.

mod common;
use common::{Rng, naive_sat, random_clause, slow};
use std::time::{Duration, Instant};
use vergo_sat::check::{check_implications, clauses_as_circuit};
use vergo_sat::lrat::check_conclusion;
use vergo_sat::*;

/// Interpolates between two groups, the assumptions being part of the second one.
fn interpolate(
    n_vars: usize,
    parts: &[Vec<Vec<CnfLit>>],
    assumptions: &[CnfLit],
    proof: &Proof,
    conclusion: &Conclusion,
) {
    let mut aig = Aig::new();
    let inputs: Vec<Lit> = (0..n_vars).map(|_| aig.input()).collect();
    let mut parts = parts.to_vec();
    parts[1].extend(assumptions.iter().map(|&l| vec![l]));
    let circuits: Vec<Lit> =
        parts.iter().map(|p| clauses_as_circuit(&mut aig, p, |v| inputs[v.index()])).collect();
    for system in System::ALL {
        let request = Interpolation {
            proof,
            conclusion,
            part_of_group: &|group| Some(group as usize),
            part_of_assumption: &|_| Some(1),
            literal_of: &|var| Some(inputs[var.index()]),
            roots: &[],
            system,
        };
        let sequence = request.sequence(&mut aig, 2, &Budget::unlimited()).expect("an interpolant");
        check_implications(&aig, &circuits, &sequence, &Budget::unlimited())
            .expect("an interpolant");
    }
}

fn random_trace(seed: u64) {
    let mut rng = Rng::new(seed);
    let n_vars = 2 + rng.below(7);
    let trace = if rng.one_in(2) { Trace::Antecedents } else { Trace::Off };
    let mut options = CadicalOptions { trace, ..CadicalOptions::default() };
    if rng.one_in(2) {
        options.options =
            vec![("elimint", 1), ("probeint", 1), ("inprobeint", 1), ("reduceint", 1)];
    }
    let mut solver = Cadical::new(&options);
    for _ in 0..n_vars {
        solver.new_var();
    }
    let mut clauses: Vec<Vec<CnfLit>> = Vec::new();
    let mut groups: Vec<usize> = Vec::new();
    let mut assumptions: Vec<CnfLit> = Vec::new();
    for _ in 0..40 {
        match rng.below(8) {
            0..=3 => {
                let clause = random_clause(&mut rng, 0..n_vars, 3);
                let group = rng.below(2);
                solver.add_clause(&clause, Label::Group(group as u32));
                clauses.push(clause);
                groups.push(group);
            }
            4 | 5 => assumptions.push(Var::new(rng.below(n_vars)).lit(rng.one_in(2))),
            6 => solver.prefer(Var::new(rng.below(n_vars)).lit(rng.one_in(2))),
            _ => {
                let budget = match rng.below(6) {
                    0 => Budget { conflicts: Some(0), ..Budget::default() },
                    1 => {
                        let cancel = CancelToken::new();
                        cancel.cancel();
                        Budget { cancel: Some(cancel), ..Budget::default() }
                    }
                    _ => Budget::unlimited(),
                };
                let answer = solver.solve(&assumptions, &budget);
                let mut all = clauses.clone();
                all.extend(assumptions.iter().map(|&l| vec![l]));
                let want = naive_sat(n_vars, &all);
                match answer {
                    Answer::Sat => {
                        assert!(want);
                        for clause in &all {
                            assert!(clause.iter().any(|&l| solver.value(l) == Some(true)));
                        }
                    }
                    Answer::Unsat => {
                        assert!(!want);
                        let failed: Vec<_> =
                            assumptions.iter().copied().filter(|&l| solver.failed(l)).collect();
                        let mut core = clauses.clone();
                        core.extend(failed.iter().map(|&l| vec![l]));
                        assert!(!naive_sat(n_vars, &core));
                        if trace == Trace::Antecedents {
                            let conclusion = solver.conclusion().expect("a conclusion");
                            let proof = solver.proof().expect("a proof");
                            check_conclusion(&proof, &conclusion, &assumptions)
                                .expect("a proof that checks");
                            let parts: Vec<Vec<Vec<CnfLit>>> = (0..2)
                                .map(|part| {
                                    let all = clauses.iter().zip(&groups);
                                    all.filter(|c| *c.1 == part).map(|c| c.0.clone()).collect()
                                })
                                .collect();
                            interpolate(n_vars, &parts, &assumptions, &proof, &conclusion);
                        }
                    }
                    Answer::Unknown(StopReason::Conflicts) => assert_eq!(budget.conflicts, Some(0)),
                    Answer::Unknown(StopReason::Cancelled) => assert!(budget.cancel.is_some()),
                    Answer::Unknown(reason) => panic!("no such limit: {reason:?}"),
                }
                assumptions.clear();
            }
        }
    }
}

#[test]
fn traces_agree_with_a_truth_table() {
    let n = if slow("twenty thousand API traces") { 20_000 } else { 1_500 };
    for seed in 0..n {
        random_trace(seed);
    }
}

/// The pigeonhole principle: `n + 1` pigeons in `n` holes, hard for resolution.
fn pigeons(solver: &mut Cadical, n: usize) {
    let vars: Vec<Vec<Var>> = (0..=n).map(|_| (0..n).map(|_| solver.new_var()).collect()).collect();
    for pigeon in &vars {
        let clause: Vec<CnfLit> = pigeon.iter().map(|v| v.lit(true)).collect();
        solver.add_clause(&clause, Label::Group(0));
    }
    for (second, later) in vars.iter().enumerate() {
        for earlier in &vars[..second] {
            for (a, b) in earlier.iter().zip(later) {
                solver.add_clause(&[a.lit(false), b.lit(false)], Label::Group(0));
            }
        }
    }
}

#[test]
fn a_deadline_and_another_thread_stop_the_search() {
    let mut solver = Cadical::default();
    pigeons(&mut solver, 12);
    let start = Instant::now();
    let answer = solver.solve(&[], &Budget::within(Duration::from_millis(200)));
    assert_eq!(answer, Answer::Unknown(StopReason::Deadline));
    let cancel = CancelToken::new();
    let remote = cancel.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        remote.cancel();
    });
    let answer = solver.solve(&[], &Budget { cancel: Some(cancel), ..Budget::default() });
    assert_eq!(answer, Answer::Unknown(StopReason::Cancelled));
    thread.join().expect("the thread ends");
    let answer = solver.solve(&[], &Budget { memory: Some(1), ..Budget::default() });
    assert_eq!(answer, Answer::Unknown(StopReason::Memory));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_pigeonhole_refutation_checks() {
    let mut solver =
        Cadical::new(&CadicalOptions { trace: Trace::Antecedents, ..Default::default() });
    pigeons(&mut solver, 6);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Unsat);
    let conclusion = solver.conclusion().expect("a conclusion");
    let proof = solver.proof().expect("a proof");
    assert!(check_conclusion(&proof, &conclusion, &[]).expect("a proof that checks") > 10);
}

/// Random circuits, encoded bit by bit with changing assertions, against simulation.
#[test]
fn encodings_agree_with_simulation() {
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let mut aig = Aig::new();
        let n_inputs = 1 + rng.below(6);
        let mut pool: Vec<Lit> = (0..n_inputs).map(|_| aig.input()).collect();
        let options = CnfOptions {
            polarity: rng.one_in(2),
            patterns: rng.one_in(2),
            redundant_mux: rng.one_in(2),
        };
        let mut cnf = CnfEncoder::new(options);
        let mut solver = Cadical::default();
        let mut asserted = Lit::TRUE;
        for _ in 0..4 {
            for _ in 0..10 {
                let mut pick = || pool[rng.below(pool.len())].complement_if(rng.one_in(2));
                let (a, b, c, d) = (pick(), pick(), pick(), pick());
                let gate = match rng.below(6) {
                    0 => aig.xor(a, b),
                    1 => aig.mux(a, b, c),
                    2 => aig.majority(a, b, c),
                    3 => aig.and_all(&[a, b, c, d]),
                    4 => aig.or_all(&[a, b, c, d]),
                    _ => aig.and(a, b),
                };
                pool.push(gate);
            }
            let mut pick = || pool[rng.below(pool.len())].complement_if(rng.one_in(2));
            let (top, first, second, both) = (pick(), pick(), pick(), pick());
            let more = aig.or(top, first);
            let guarded = rng.one_in(2);
            if guarded {
                let guard = cnf.literal(&aig, &mut solver, first);
                cnf.assert(&aig, &mut solver, top, &[guard], Label::Group(0));
                asserted = aig.and(asserted, more);
            } else if rng.below(3) == 0 {
                cnf.assert(&aig, &mut solver, top, &[], Label::Group(0));
                asserted = aig.and(asserted, top);
            }
            let assumptions =
                [cnf.literal(&aig, &mut solver, second), !cnf.equivalent(&aig, &mut solver, both)];
            let answer = solver.solve(&assumptions, &Budget::unlimited());
            let conditions = [asserted, second, !both];
            let models = aig.simulate(&conditions, |i| {
                [
                    0xaaaa_aaaa_aaaa_aaaa,
                    0xcccc_cccc_cccc_cccc,
                    0xf0f0_f0f0_f0f0_f0f0,
                    0xff00_ff00_ff00_ff00,
                    0xffff_0000_ffff_0000,
                    0xffff_ffff_0000_0000,
                ][i as usize]
            });
            let want = models.iter().fold(u64::MAX, |acc, w| acc & w) != 0;
            assert_eq!(answer == Answer::Sat, want, "seed {seed}");
            if answer == Answer::Sat {
                let values: Vec<bool> = (0..n_inputs)
                    .map(|i| {
                        let node = aig.input_at(i as u32).node();
                        cnf.var_of(node).and_then(|v| solver.value(v.lit(true))).unwrap_or(false)
                    })
                    .collect();
                assert!(
                    aig.eval(&conditions, |i| values[i as usize]).iter().all(|&v| v),
                    "seed {seed}"
                );
            }
        }
    }
}

/// Building stays near a million gates per second even without optimisation of this crate.
#[test]
fn multipliers_build_quickly() {
    let mut aig = Aig::new();
    let start = Instant::now();
    let mut acc: Vec<Lit> = (0..64).map(|_| aig.input()).collect();
    let other: Vec<Lit> = (0..64).map(|_| aig.input()).collect();
    for _ in 0..20 {
        let mut sum = vec![Lit::FALSE; 64];
        for (shift, &bit) in other.iter().enumerate() {
            let row: Vec<Lit> = acc[..64 - shift].iter().map(|&x| aig.and(x, bit)).collect();
            let (high, _) = aig.add_words(&sum[shift..], &row, Lit::FALSE);
            sum.truncate(shift);
            sum.extend(high);
        }
        acc = sum;
    }
    let rate = aig.n_gates() as f64 / start.elapsed().as_secs_f64();
    assert!(aig.n_gates() > 300_000);
    assert!(aig.memory() / aig.n_gates() <= 32);
    assert!(rate > 100_000.0, "{rate} gates per second");
}

/// Formulas that share a chain of conjunctions take clauses in proportion to the chain.
#[test]
fn shared_chains_are_not_repeated() {
    let mut aig = Aig::new();
    let mut solver = Cadical::default();
    let mut cnf = CnfEncoder::new(CnfOptions::default());
    let mut past = Lit::TRUE;
    const N: u64 = 2000;
    for _ in 0..N {
        let (guard, claim) = (aig.input(), aig.input());
        past = aig.and(past, guard);
        let implied = aig.implies(past, claim);
        cnf.assert(&aig, &mut solver, implied, &[], Label::Group(0));
    }
    assert!(solver.stats().literals < 60 * N, "{:?}", solver.stats());
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Sat);
}
