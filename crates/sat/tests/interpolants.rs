//! Interpolants of random refutations are interpolants.

mod common;
use common::{Rng, slow};
use vergo_sat::check::{check_implications, check_sequence, check_symbols, clauses_as_circuit};
use vergo_sat::lrat::{check_conclusion, check_text, export};
use vergo_sat::sweep::{SweepOptions, sweep};
use vergo_sat::*;

/// A partitioned problem: variables overlap between neighbouring parts.
struct Problem {
    n_vars: usize,
    parts: Vec<Vec<Vec<CnfLit>>>,
    assumptions: Vec<(CnfLit, usize)>,
}

fn random_problem(rng: &mut Rng, size: usize) -> Problem {
    let n_parts = 2 + rng.below(4);
    let n_vars = 3 + rng.below(size);
    let ratio = 35 + rng.below(25);
    let n_clauses = n_vars * ratio / 10;
    let window = (n_vars * 2).div_ceil(n_parts + 1).max(2);
    let mut parts = vec![Vec::new(); n_parts];
    for _ in 0..n_clauses {
        let part = rng.below(n_parts);
        let start = if rng.below(8) == 0 { 0 } else { part * n_vars / (n_parts + 1) };
        let end = (start + window).min(n_vars);
        let len = if rng.below(10) == 0 { 2 } else { 3 };
        let clause: Vec<CnfLit> =
            (0..len).map(|_| Var::new(start + rng.below(end - start)).lit(rng.one_in(2))).collect();
        parts[part].push(clause);
    }
    let mut assumptions = Vec::new();
    if rng.one_in(2) {
        for _ in 0..1 + rng.below(4) {
            assumptions.push((Var::new(rng.below(n_vars)).lit(rng.one_in(2)), rng.below(n_parts)));
        }
    }
    Problem { n_vars, parts, assumptions }
}

/// Solves a problem in two steps and checks every system's sequence; false if it is satisfiable.
fn check_problem(rng: &mut Rng, problem: &Problem) -> bool {
    let mut options = CadicalOptions { trace: Trace::Antecedents, ..CadicalOptions::default() };
    if rng.one_in(2) {
        // Inprocessing at every opportunity.
        options.options = vec![
            ("elimint", 1),
            ("probeint", 1),
            ("inprobeint", 1),
            ("subsumeint", 1),
            ("reduceint", 10),
            ("preprocesslight", 1),
        ];
    }
    let mut solver = Cadical::new(&options);
    for _ in 0..problem.n_vars {
        solver.new_var();
    }
    // A query half way makes the second one incremental.
    let half = rng.below(problem.parts.len() + 1);
    for (part, clauses) in problem.parts.iter().enumerate() {
        if part == half {
            let first = Var::new(rng.below(problem.n_vars)).lit(rng.one_in(2));
            solver.solve(&[first], &Budget::unlimited());
        }
        for clause in clauses {
            solver.add_clause(clause, Label::Group(part as u32));
        }
    }
    let assumptions: Vec<CnfLit> = problem.assumptions.iter().map(|a| a.0).collect();
    if solver.solve(&assumptions, &Budget::unlimited()) != Answer::Unsat {
        return false;
    }
    let conclusion = solver.conclusion().expect("a recorded refutation");
    let proof = solver.proof().expect("a recorded proof");
    check_conclusion(&proof, &conclusion, &assumptions).expect("the proof checks");
    let (formula, steps) = export(&proof, &conclusion).expect("the proof exports");
    check_text(&formula, &steps).expect("the exported proof checks");
    for &lit in &assumptions {
        let used = conclusion.assumptions.contains(&lit);
        assert!(!used || assumptions.contains(&lit));
    }

    let mut aig = Aig::new();
    let inputs: Vec<Lit> = (0..problem.n_vars).map(|_| aig.input()).collect();
    let mut parts = Vec::new();
    let mut symbols = Vec::new();
    for (part, clauses) in problem.parts.iter().enumerate() {
        let mut clauses = clauses.clone();
        clauses.extend(problem.assumptions.iter().filter(|a| a.1 == part).map(|a| vec![a.0]));
        symbols
            .push(clauses.iter().flatten().map(|l| l.var().index() as u32).collect::<Vec<u32>>());
        parts.push(clauses_as_circuit(&mut aig, &clauses, |v| inputs[v.index()]));
    }
    let part_of = |lit: CnfLit| problem.assumptions.iter().find(|a| a.0 == lit).map(|a| a.1);
    for system in System::ALL {
        let request = Interpolation {
            proof: &proof,
            conclusion: &conclusion,
            part_of_group: &|group| Some(group as usize),
            part_of_assumption: &part_of,
            literal_of: &|var| Some(inputs[var.index()]),
            roots: &[],
            system,
        };
        let sequence = request
            .sequence(&mut aig, parts.len(), &Budget::unlimited())
            .expect("a refutation has interpolants");
        check_implications(&aig, &parts, &sequence, &Budget::unlimited())
            .unwrap_or_else(|flaw| panic!("{system:?}: {flaw}"));
        check_symbols(&aig, &symbols, &sequence)
            .unwrap_or_else(|flaw| panic!("{system:?}: {flaw}"));
        if rng.below(4) == 0 {
            let swept = sweep(&mut aig, &sequence, &SweepOptions::default());
            check_implications(&aig, &parts, &swept, &Budget::unlimited())
                .expect("sweeping keeps the function");
            assert!(aig.small_cone(&swept).len() <= aig.small_cone(&sequence).len());
        }
    }
    true
}

fn run(n_unsat: usize, size: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut unsat, mut sat) = (0, 0);
    while unsat < n_unsat {
        let problem = random_problem(&mut rng, size);
        if check_problem(&mut rng, &problem) {
            unsat += 1;
        } else {
            sat += 1;
        }
    }
    assert!(sat > 0, "the generator must not be trivial");
}

#[test]
fn small_problems() {
    run(300, 12, 1);
}

#[test]
fn medium_problems() {
    run(60, 90, 2);
}

#[test]
fn many_problems() {
    if slow("ten thousand partitioned refutations") {
        run(7_500, 30, 3);
        run(2_300, 100, 4);
        run(200, 200, 5);
    }
}

#[test]
fn contradictory_assumptions_have_an_interpolant() {
    let mut solver =
        Cadical::new(&CadicalOptions { trace: Trace::Antecedents, ..Default::default() });
    let (x, y) = (solver.new_var(), solver.new_var());
    solver.add_clause(&[x.lit(true), y.lit(true)], Label::Group(0));
    let assumptions = [x.lit(true), x.lit(false)];
    assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), Answer::Unsat);
    let conclusion = solver.conclusion().expect("a conclusion");
    let proof = solver.proof().expect("a proof");
    assert_eq!(check_conclusion(&proof, &conclusion, &assumptions), Ok(0));
    let mut aig = Aig::new();
    let inputs = [aig.input(), aig.input()];
    for system in System::ALL {
        let request = Interpolation {
            proof: &proof,
            conclusion: &conclusion,
            part_of_group: &|_| Some(0),
            part_of_assumption: &|lit| Some(usize::from(!lit.is_positive())),
            literal_of: &|var| Some(inputs[var.index()]),
            roots: &[],
            system,
        };
        let sequence = request.sequence(&mut aig, 2, &Budget::unlimited()).expect("an interpolant");
        assert_eq!(sequence, vec![inputs[0]]);
    }
}

/// Circuits that share gates between parts: interpolants stay within shared inputs.
#[test]
fn circuits_with_shared_gates() {
    let mut rng = Rng::new(7);
    let mut unsat = 0;
    while unsat < 150 {
        let mut aig = Aig::new();
        let inputs: Vec<Lit> = (0..8).map(|_| aig.input()).collect();
        // Part k sees inputs k..k+4 and the gates over them.
        let n_parts = 2 + rng.below(3);
        let mut parts = Vec::new();
        for part in 0..n_parts {
            let start = part * 4 / (n_parts - 1);
            let mut pool: Vec<Lit> = inputs[start..start + 4].to_vec();
            let pick = |rng: &mut Rng, pool: &[Lit]| {
                pool[rng.below(pool.len())].complement_if(rng.one_in(2))
            };
            for _ in 0..12 {
                let (a, b, c) =
                    (pick(&mut rng, &pool), pick(&mut rng, &pool), pick(&mut rng, &pool));
                let gate = match rng.below(4) {
                    0 => aig.and(a, b),
                    1 => aig.xor(a, b),
                    2 => aig.mux(a, b, c),
                    _ => aig.majority(a, b, c),
                };
                pool.push(gate);
            }
            let roots: Vec<Lit> = (0..1 + rng.below(4)).map(|_| pick(&mut rng, &pool)).collect();
            parts.push(aig.and_all(&roots));
        }
        let mut solver =
            Cadical::new(&CadicalOptions { trace: Trace::Antecedents, ..Default::default() });
        let mut cnf = CnfEncoder::new(CnfOptions {
            polarity: rng.one_in(2),
            patterns: rng.one_in(2),
            redundant_mux: rng.one_in(2),
        });
        let mut assumptions = Vec::new();
        let mut placed = Vec::new();
        for (part, &lit) in parts.iter().enumerate() {
            if lit.as_constant().is_none() && rng.one_in(2) {
                let assumption = cnf.literal(&aig, &mut solver, lit);
                assumptions.push(assumption);
                placed.push((assumption, part));
            } else {
                cnf.assert(&aig, &mut solver, lit, &[], Label::Group(part as u32));
            }
        }
        if solver.solve(&assumptions, &Budget::unlimited()) != Answer::Unsat {
            continue;
        }
        unsat += 1;
        let conclusion = solver.conclusion().expect("a conclusion");
        let proof = solver.proof().expect("a proof");
        for system in System::ALL {
            let request = Interpolation {
                proof: &proof,
                conclusion: &conclusion,
                part_of_group: &|group| Some(group as usize),
                part_of_assumption: &|lit| placed.iter().find(|p| p.0 == lit).map(|p| p.1),
                literal_of: &|var| cnf.lit_of(var),
                roots: &[],
                system,
            };
            let sequence =
                request.sequence(&mut aig, n_parts, &Budget::unlimited()).expect("interpolants");
            check_sequence(&aig, &parts, &sequence, &Budget::unlimited())
                .unwrap_or_else(|flaw| panic!("{system:?}: {flaw}"));
        }
    }
}
