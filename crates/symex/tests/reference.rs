//! Symbolic execution agrees with the definitions of the thesis: random programs of the reference language, translated to
//! GOTO, fail in the same environments at the same assertions.
//!
//! The reference computes with naturals and infinite arrays; the programs here add modulo small numbers and index modulo
//! the length of their arrays, so that words and finite arrays hold all that they compute. Two variables are inputs, and
//! every value that the environment can give them is tried: what is compared is each program's whole meaning.

use std::fmt::Write as _;
use vergo_goto::program::Program;
use vergo_interp::reference::value::modulo;
use vergo_interp::reference::{Array, Env, Expr, Instr, Outcome, Symbol, eval_trace, run, symex_k};
use vergo_num::BitVec;
use vergo_smt::{Answer, Budget, Solver};
use vergo_symex::{ObligationKind, Options, StepKind, Trace, execute};
use vergo_term::{Assignment, Evaluator, Rewriting, TermId, TermStore, Value};
use vergo_testkit::{Rng, environment};

/// Symbols 0 to 3 are numbers, of which the first two are inputs; 4 and 5 are arrays.
const N_NUMBERS: u64 = 4;
const N_INPUTS: u64 = 2;
const ARRAYS: [u64; 2] = [4, 5];
const LENGTH: u64 = 4;
/// The values of an input.
const RANGE: u64 = 4;
/// The bounds of loops: consecutive backward jumps in the reference, and rounds in production, which counts them
/// differently.
const BOUND: u64 = 3;
const UNWIND: u32 = 10;
/// The bound of the reference's own symbolic execution, whose formulas are trees and grow accordingly.
const SMALL: u64 = 1;

fn number(rng: &mut Rng, depth: u32) -> Expr {
    if depth == 0 || rng.one_in(4) {
        return match rng.below(2) {
            0 => Expr::constant(rng.below(12) as u64, 8),
            _ => Expr::symbol(&Symbol::from(rng.below(N_NUMBERS as usize) as u64)),
        };
    }
    match rng.below(4) {
        0 | 1 => {
            let modulus = *rng.choose(&[3, 8, 16]);
            Expr::add(number(rng, depth - 1), number(rng, depth - 1), modulus)
        }
        2 => {
            let array = Expr::symbol(&Symbol::from(*rng.choose(&ARRAYS)));
            Expr::select(array, index(rng, depth - 1))
        }
        _ => {
            let condition = truth(rng, depth - 1);
            Expr::ite(condition, number(rng, depth - 1), number(rng, depth - 1))
        }
    }
}

fn index(rng: &mut Rng, depth: u32) -> Expr {
    Expr::add(number(rng, depth), Expr::constant(rng.below(4) as u64, 8), LENGTH)
}

fn truth(rng: &mut Rng, depth: u32) -> Expr {
    if depth == 0 || rng.one_in(2) {
        let (a, b) = (number(rng, depth.min(1)), number(rng, depth.min(1)));
        return if rng.one_in(3) { Expr::equal(a, b) } else { Expr::greater(a, b) };
    }
    match rng.below(4) {
        0 => Expr::complement(truth(rng, depth - 1)),
        1 => Expr::and(truth(rng, depth - 1), truth(rng, depth - 1)),
        2 => Expr::or(truth(rng, depth - 1), truth(rng, depth - 1)),
        _ => Expr::ConstantBool(rng.one_in(2)),
    }
}

fn program(rng: &mut Rng) -> Vec<Instr> {
    let length = rng.between(3, 12);
    let mut n_loops = 0;
    let mut program = Vec::new();
    while program.len() < length {
        let pc = program.len();
        program.push(match rng.below(10) {
            0..=3 => {
                Instr::Assign(Symbol::from(rng.below(N_NUMBERS as usize) as u64), number(rng, 2))
            }
            4 => {
                let (into, from) = (*rng.choose(&ARRAYS), *rng.choose(&ARRAYS));
                let from = Expr::symbol(&Symbol::from(from));
                let value = if rng.one_in(4) {
                    from
                } else {
                    Expr::with(from, index(rng, 1), number(rng, 1))
                };
                Instr::Assign(Symbol::from(into), value)
            }
            5 => Instr::Assume(truth(rng, 1)),
            6 | 7 => Instr::Assert(truth(rng, 2)),
            8 => Instr::IfThenGoto(truth(rng, 1), pc + 1 + rng.below(4)),
            _ if n_loops < 2 => {
                n_loops += 1;
                Instr::IfThenGoto(truth(rng, 1), rng.below(pc + 1))
            }
            _ => continue,
        });
    }
    program
}

/// The text of a number, as a word of 32 bits.
fn number_text(e: &Expr) -> String {
    match e {
        Expr::Constant(n, m) => format!("{}u32", modulo(n, m).to_decimal()),
        Expr::Add(a, b, m) => {
            format!("(({} + {}) % {}u32)", number_text(a), number_text(b), m.to_decimal())
        }
        Expr::Select(a, i) => format!("{}[{}]", number_text(a), number_text(i)),
        Expr::Ite(c, a, b) => {
            format!("({} ? {} : {})", truth_text(c), number_text(a), number_text(b))
        }
        Expr::SymbolValue(s) => match &**s {
            Expr::Constant(n, _) => format!("s{}", n.to_decimal()),
            other => panic!("{other:?} is not generated"),
        },
        other => panic!("{other:?} is not a number"),
    }
}

fn truth_text(e: &Expr) -> String {
    match e {
        Expr::ConstantBool(b) => b.to_string(),
        Expr::Not(a) => format!("!({})", truth_text(a)),
        Expr::And(a, b) => format!("({} && {})", truth_text(a), truth_text(b)),
        Expr::GreaterThan(a, b) => format!("({} < {})", number_text(b), number_text(a)),
        other => panic!("{other:?} is not a truth value"),
    }
}

/// The program as GOTO: a claim is described by the position of its assertion.
fn translate(program: &[Instr]) -> (String, Program) {
    let mut text = format!(
        "entry main; sites {N_INPUTS}; function main: fn() -> void labels {} {{\n",
        program.len() + 1
    );
    for s in 0..N_NUMBERS {
        let _ = writeln!(text, "local s{s}: u32 align 4; ");
    }
    for s in ARRAYS {
        let _ = writeln!(text, "local s{s}: u32[{LENGTH}] align 4; ");
    }
    for s in 0..N_NUMBERS {
        let value = if s < N_INPUTS { format!("#nondet<u32>({s})") } else { "0u32".to_owned() };
        let _ = writeln!(text, "decl s{s}; s{s} := {value};");
    }
    for s in ARRAYS {
        let _ = writeln!(text, "decl s{s}; s{s} := #zero<u32[{LENGTH}]>;");
    }
    for (pc, instr) in program.iter().enumerate() {
        let line = match instr {
            Instr::Assign(s, Expr::With(a, i, v)) => {
                // The reference evaluates all before it assigns; the value may be an element of the array.
                let (i, v, a) = (number_text(i), number_text(v), number_text(a));
                let s = s.0.to_decimal();
                if a == format!("s{s}") {
                    format!("s{s}[{i}] := {v};")
                } else {
                    // The parts are of the arrays as they were before.
                    let elements: Vec<String> = (0..LENGTH)
                        .map(|at| format!("({i} == {at}u32 ? {v} : {a}[{at}u32])"))
                        .collect();
                    format!("s{s} := #make<u32[{LENGTH}]>{{{}}};", elements.join(", "))
                }
            }
            Instr::Assign(s, e) => format!("s{} := {};", s.0.to_decimal(), number_text(e)),
            Instr::Assume(e) => format!("assume {};", truth_text(e)),
            Instr::Assert(e) => format!("assert {} \"p\" \"{pc}\";", truth_text(e)),
            Instr::IfThenGoto(e, to) => {
                format!("if {} goto L{};", truth_text(e), (*to).min(program.len()))
            }
        };
        let _ = writeln!(text, "L{pc}: {line}");
    }
    let _ = writeln!(text, "L{}: end 0i32; }}", program.len());
    let parsed = vergo_goto::text::parse(&text);
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, parsed)
}

/// Returns the first obligation that fails in an environment, by production.
fn first_failure(store: &TermStore, trace: &Trace, inputs: [u64; 2]) -> Option<Result<usize, ()>> {
    let mut model = Assignment::new();
    for step in &trace.steps {
        if let StepKind::Input { site, value, .. } = step.kind {
            let var = store.as_var(value).expect("an input is a variable");
            model.set(var, Value::BitVec(BitVec::from_u64(32, inputs[site as usize])));
        }
    }
    let mut evaluator = Evaluator::new(store, &model);
    let failed = trace.obligations.iter().find(|o| evaluator.value(o.violation).as_bool())?;
    Some(match &failed.kind {
        ObligationKind::Claim(claim) => Ok(claim.description.parse().expect("a position")),
        ObligationKind::Unwinding => Err(()),
        other => panic!("{other:?}"),
    })
}

/// Returns whether the solver finds an environment in which a claim fails.
fn can_fail(store: &mut TermStore, trace: &Trace) -> bool {
    let mut solver = Solver::default();
    let limit = store.bv_u64(32, RANGE);
    for step in &trace.steps {
        if let StepKind::Input { value, .. } = step.kind {
            let small = store.bv_ult(value, limit);
            solver.assert(small);
        }
    }
    let claims = trace.obligations.iter().filter(|o| matches!(o.kind, ObligationKind::Claim(_)));
    let violations: Vec<TermId> = claims.map(|o| o.violation).collect();
    let failure = store.or_all(&violations);
    solver.check(store, &[failure], &Budget::unlimited()) == Answer::Sat
}

#[test]
fn production_agrees_with_the_reference() {
    let n_programs = if environment::slow() { 20_000 } else { 600 };
    let (mut n_failing, mut n_looping, mut n_safe) = (0, 0, 0);
    for seed in 0..n_programs {
        let mut rng = Rng::new(seed);
        let program = program(&mut rng);
        let (text, goto) = translate(&program);
        let reference = symex_k(&program, SMALL).expect("symbols are bounded");
        for rewriting in [Rewriting::On, Rewriting::Structural] {
            let mut store = TermStore::with_rewriting(rewriting);
            let options = Options { decided: 100, ..Options::bounded(UNWIND, 1) };
            let trace = execute(&goto, &mut store, &options);
            assert_eq!(trace.cut_short, None);
            let (mut fails, mut loops) = (false, false);
            for inputs in (0..RANGE * RANGE).map(|i| [i / RANGE, i % RANGE]) {
                let mut env = Env::constant(Array::constant(0u64.into()));
                for (s, &value) in inputs.iter().enumerate() {
                    env = env.update(&(s as u64).into(), Array::constant(value.into()));
                }
                let outcome = run(&program, BOUND, &env);
                let place = format!("seed {seed}, {rewriting:?}, inputs {inputs:?}\n{text}");
                let found = first_failure(&store, &trace, inputs);
                if rewriting == Rewriting::On && eval_trace(&reference, &env) {
                    assert!(matches!(found, Some(Ok(_))), "{place}");
                }
                match outcome {
                    Outcome::Violation { pc } => assert_eq!(found, Some(Ok(pc)), "{place}"),
                    Outcome::End | Outcome::Blocked => assert_eq!(found, None, "{place}"),
                    Outcome::BoundReached => {
                        // Production goes further. What it finds there, the reference does with a larger bound.
                        let later = run(&program, 100, &env);
                        match found {
                            Some(Ok(pc)) => assert_eq!(later, Outcome::Violation { pc }, "{place}"),
                            // A decided round that changes nothing goes on for ever, and is left out.
                            Some(Err(())) | None => loops = true,
                        }
                    }
                }
                fails |= matches!(found, Some(Ok(_)));
            }
            assert_eq!(can_fail(&mut store, &trace), fails, "seed {seed}\n{text}");
            n_failing += usize::from(fails);
            n_looping += usize::from(loops);
            n_safe += usize::from(!fails && !loops);
        }
    }
    // The comparison is worth something only if programs of all kinds take part.
    let all = 2 * n_programs as usize;
    let counts = format!("{n_failing} fail, {n_safe} are safe, {n_looping} loop, of {all}");
    assert!(n_failing * 5 > all && n_safe * 10 > all && n_looping * 100 > all, "{counts}");
}
