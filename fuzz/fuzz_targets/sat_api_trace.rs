//! Any sequence of calls of the SAT solver answers as a truth table does; refutations check.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vergo_sat::lrat::check_conclusion;
use vergo_sat::{Answer, Budget, Cadical, CadicalOptions, CnfLit, Label, SatSolver, Trace, Var};

const N_VARS: usize = 6;

fuzz_target!(|bytes: &[u8]| {
    let mut solver =
        Cadical::new(&CadicalOptions { trace: Trace::Antecedents, ..CadicalOptions::default() });
    for _ in 0..N_VARS {
        solver.new_var();
    }
    let lit = |byte: u8| Var::new(byte as usize / 2 % N_VARS).lit(byte & 1 == 0);
    let mut clauses: Vec<Vec<CnfLit>> = Vec::new();
    let mut clause: Vec<CnfLit> = Vec::new();
    let mut assumptions: Vec<CnfLit> = Vec::new();
    for pair in bytes.chunks_exact(2).take(400) {
        match pair[0] % 8 {
            0..=3 => clause.push(lit(pair[1])),
            4 | 5 => {
                solver.add_clause(&clause, Label::Group(u32::from(pair[1] & 1)));
                clauses.push(std::mem::take(&mut clause));
            }
            6 => assumptions.push(lit(pair[1])),
            _ => {
                let mut all = clauses.clone();
                all.extend(assumptions.iter().map(|&l| vec![l]));
                let holds = |a: u32, l: &CnfLit| (a >> l.var().index() & 1 == 1) == l.is_positive();
                let expected = (0..1u32 << N_VARS)
                    .any(|a| all.iter().all(|c| c.iter().any(|l| holds(a, l))));
                match solver.solve(&assumptions, &Budget::unlimited()) {
                    Answer::Sat => {
                        assert!(expected);
                        let is_true = |l: &CnfLit| solver.value(*l) == Some(true);
                        let mut is_true = is_true;
                        assert!(all.iter().all(|c| c.iter().any(&mut is_true)));
                    }
                    Answer::Unsat => {
                        assert!(!expected);
                        let conclusion = solver.conclusion().expect("a conclusion");
                        let proof = solver.proof().expect("a proof");
                        check_conclusion(&proof, &conclusion, &assumptions).expect("a proof");
                    }
                    Answer::Unknown(reason) => panic!("{reason:?}"),
                }
                assumptions.clear();
            }
        }
    }
});
