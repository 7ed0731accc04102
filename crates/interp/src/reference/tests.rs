//! The examples of chapter 3 and appendix A.2.5, the errata, and the property that makes symbolic execution right.

use super::expr::{Expr, eval_expr};
use super::program::{Instr, Loop, Outcome, extract_loops, run};
use super::symex::{Renumbering, SymexError, eval_program, symex_k, to_ite, total_symbols};
use super::trace::{TraceStmt, eval_trace};
use super::value::{Array, Env, Nat, Symbol};
use super::{appendix, memory};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::rc::Rc;

fn c(n: u64) -> Expr {
    Expr::constant(n, 32)
}

fn n(n: u64) -> Nat {
    n.into()
}

/// The value of a symbol as the appendix writes it.
fn v(s: u64) -> Expr {
    Expr::SymbolValue(Rc::new(c(s)))
}

/// The value of a symbol as our traces have it.
fn own(s: u64) -> Expr {
    Expr::symbol(&s.into())
}

fn assign(s: u64, e: Expr) -> Instr {
    Instr::Assign(s.into(), e)
}

fn less(a: Expr, b: Expr) -> Expr {
    Expr::greater(b, a)
}

fn truth() -> Expr {
    Expr::ConstantBool(true)
}

fn constant(n: u64) -> Array {
    Array::constant(n.into())
}

/// The environment of example 3.2: `s_0` as given, the rest arbitrary.
fn example_3_2() -> Env {
    Env::constant(constant(3)).update(&0.into(), Array::with_prefix(&[2, 7, 4, 4, 1, 6, 8], 0))
}

/// `environment1` of the appendix: 5 everywhere.
fn five() -> Env {
    Env::constant(constant(5))
}

fn with(values: &[(u64, u64)]) -> Env {
    values.iter().fold(five(), |env, &(s, value)| env.update(&s.into(), constant(value)))
}

#[test]
fn example_3_1_lists_are_slices() {
    let list = [2, 3, 1];
    let [first, rest @ ..] = &list[..] else { panic!("a list with an element") };
    assert_eq!((*first, rest), (2, &[3, 1][..]));
}

#[test]
fn example_3_2_environments_are_functions() {
    assert_eq!(*example_3_2().get(&0.into()).at(&n(1)), n(7));
}

#[test]
fn examples_3_4_to_3_8_values_of_expressions() {
    let env = example_3_2();
    let eval = |e: Expr| eval_expr(&e, &env);
    assert_eq!(eval(c(2)), constant(2));
    assert_eq!(eval(Expr::add(c(2), c(2), 32)), constant(4));
    assert_eq!(eval(Expr::ConstantBool(false)), constant(0));
    assert_eq!(eval(Expr::complement(Expr::ConstantBool(false))), constant(1));
    // The example writes `= 0` for `≠ 0`, by which the result would be 1.
    assert_eq!(eval(Expr::and(Expr::ConstantBool(false), Expr::ConstantBool(false))), constant(0));
    assert_eq!(eval(Expr::greater(c(2), c(2))), constant(0));
    assert_eq!(eval(v(0)), Array::with_prefix(&[2, 7, 4, 4, 1, 6, 8], 0));
    let ones = || Expr::ConstantArray(constant(1));
    assert_eq!(eval(ones()), constant(1));
    assert_eq!(eval(Expr::with(ones(), c(2), c(3))), Array::with_prefix(&[1, 1, 3], 1));
    assert_eq!(eval(Expr::select(ones(), c(2))), constant(1));
    assert_eq!(eval(Expr::ite(c(0), c(1), c(2))), constant(2));
}

#[test]
fn definition_3_7_takes_a_modulus() {
    // A width of 8 bits is a modulus of 256; with 8 the number 200 would be 0.
    assert_eq!(eval_expr(&Expr::constant(200, 256), &five()), constant(200));
    assert_eq!(eval_expr(&Expr::constant(200, 8), &five()), constant(0));
    assert_eq!(eval_expr(&Expr::constant(200, 0), &five()), constant(200));
    assert_eq!(eval_expr(&Expr::add(Expr::constant(255, 256), c(1), 256), &five()), constant(0));
}

#[test]
fn example_3_3_violation() {
    let trace = [
        TraceStmt::Assume(Expr::greater(v(0), c(10))),
        TraceStmt::Assign(1.into(), Expr::add(v(0), c(1), 0)),
        TraceStmt::Assert(less(v(1), v(0))),
    ];
    assert!(eval_trace(&trace, &with(&[(0, 11)])));
    assert!(!eval_trace(&trace, &with(&[(0, 10)])), "the assumption ends the trace");
}

#[test]
fn example_3_9_depends_on_the_environment() {
    let increment = TraceStmt::Assign(1.into(), Expr::add(v(0), c(1), 32));
    let trace = [increment.clone(), TraceStmt::Assert(less(v(1), c(10)))];
    assert!(!eval_trace(&trace, &five()));
    assert!(eval_trace(&trace, &with(&[(0, 10)])));
    // The appendix checks `9 > s_1`, one less; the answers are the same.
    let trace = [increment, TraceStmt::Assert(Expr::greater(c(9), v(1)))];
    assert!(!eval_trace(&trace, &five()));
    assert!(eval_trace(&trace, &with(&[(0, 10)])));
}

#[test]
fn definition_3_14_assigns_arrays() {
    // Appendix A.2.2 would store 0 everywhere and report a violation.
    let update = Expr::with(Expr::ConstantArray(constant(0)), c(3), c(1));
    let trace =
        [TraceStmt::Assign(1.into(), update), TraceStmt::Assert(Expr::select(own(1), c(3)))];
    assert!(!eval_trace(&trace, &five()));
}

/// Example 3.10: a sum over all values of an unsigned character. Symbols: `a` is 0, `sum` is 1.
fn example_3_10(uchar: u64, uint: u64) -> Vec<Instr> {
    vec![
        assign(0, Expr::constant(0, uchar)),
        assign(1, Expr::constant(0, uint)),
        assign(1, Expr::add(own(1), own(0), uint)),
        assign(0, Expr::add(Expr::constant(1, uchar), own(0), uchar)),
        Instr::IfThenGoto(own(0), 2),
        Instr::Assert(Expr::greater(own(1), own(0))),
    ]
}

#[test]
fn example_3_10_needs_moduli() {
    // With moduli as definition 3.7 has it, the loop goes back 255 times.
    let program = example_3_10(256, 1 << 32);
    assert_eq!(run(&program, 254, &five()), Outcome::BoundReached);
    assert_eq!(run(&program, 255, &five()), Outcome::End);
    // With the printed widths taken for moduli it goes back 7 times.
    let program = example_3_10(8, 32);
    assert_eq!(run(&program, 7, &five()), Outcome::End);
    assert_eq!(eval_program(&program, 7, [&five()]), Ok(false));
}

#[test]
fn example_3_11_and_algorithm_1() {
    let program = [assign(0, c(1)), Instr::Assert(own(0)), Instr::IfThenGoto(own(0), 0)];
    // The thesis counts lines from 1: ⟨1, 3⟩. The jump is the last instruction, next to what algorithm 1 reads beyond.
    assert_eq!(extract_loops(&program), [Loop { start: 0, end: 2 }]);
    assert_eq!(extract_loops(&[Instr::IfThenGoto(truth(), 0)]), [Loop { start: 0, end: 0 }]);
    assert_eq!(extract_loops(&[]), []);
}

/// Example 3.13, with `a0` as symbol 0.
fn example_3_13() -> Vec<Instr> {
    vec![
        Instr::IfThenGoto(own(0), 3),
        assign(0, c(2)),
        Instr::IfThenGoto(truth(), 4),
        assign(0, c(0)),
        Instr::Assert(own(0)),
    ]
}

#[test]
fn example_3_13_selects_by_the_branch_taken() {
    let program = example_3_13();
    // With `a0` not zero the program jumps, sets 0 and fails; the example's `ITE(a0, a1, a2)` would read 2.
    assert_eq!(run(&program, 1, &with(&[(0, 1)])), Outcome::Violation { pc: 4 });
    let printed = [
        TraceStmt::Assign(1.into(), c(2)),
        TraceStmt::Assign(2.into(), c(0)),
        TraceStmt::Assert(Expr::ite(own(0), own(1), own(2))),
    ];
    assert!(!eval_trace(&printed, &with(&[(0, 1)])), "the trace as printed misses it");
    let trace = symex_k(&program, 1).expect("symbols are constants");
    assert!(eval_trace(&trace, &with(&[(0, 1)])));
    assert!(!eval_trace(&trace, &with(&[(0, 0)])));
    assert_eq!(trace[..2], printed[..2]);
}

#[test]
fn example_3_14_unwinds_twice() {
    let program = [
        assign(0, Expr::add(own(0), c(1), 0)),
        Instr::IfThenGoto(less(own(0), c(3)), 0),
        Instr::Assert(Expr::greater(own(0), c(0))),
    ];
    let trace = symex_k(&program, 2).expect("symbols are constants");
    let assigned: Vec<&Expr> = trace
        .iter()
        .filter_map(|stmt| match stmt {
            TraceStmt::Assign(_, e) => Some(e),
            _ => None,
        })
        .collect();
    assert_eq!(assigned.len(), 3, "the body and two unwindings");
    assert_eq!(*assigned[0], Expr::add(own(0), c(1), 0));
    for start in 0..6 {
        assert!(!eval_trace(&trace, &with(&[(0, start)])));
    }
    // The printed assertion reads `x3` also where the loop would go on; the guard of ours excludes it.
    let bad = [&program[..2], &[Instr::Assert(Expr::greater(own(0), c(2)))]].concat();
    for start in 0..6 {
        assert!(!eval_trace(&symex_k(&bad, 2).expect("constants"), &with(&[(0, start)])));
    }
    let printed_assertion = |x: u64| {
        let (x1, x2, x3) = (x + 1, x + 2, x + 3);
        let read = if x1 < 3 { if x2 < 3 { x3 } else { x2 } } else { x1 };
        read > 2
    };
    // With a bound of 1 the printed form reads `x2` of an execution that the bound has cut: a false alarm.
    assert!(printed_assertion(0));
    assert!(!eval_trace(&symex_k(&bad, 1).expect("constants"), &with(&[(0, 0)])));
    assert_eq!(run(&bad, 1, &with(&[(0, 0)])), Outcome::BoundReached);
}

#[test]
fn example_3_15_lists_become_chains() {
    let mut r = Renumbering::default();
    assert_eq!(r.versions(&7.into()), [(truth(), 7.into())]);
    r.prepend(&0.into(), Expr::complement(own(0)), 1.into());
    r.prepend(&0.into(), own(0), 2.into());
    let versions = r.versions(&0.into());
    assert_eq!(versions[0], (own(0), 2.into()));
    assert_eq!(
        to_ite(&versions[..2]),
        Expr::ite(own(0), own(2), own(1)),
        "the guard of the last version is not read"
    );
    assert_eq!(to_ite(&[]), Expr::ConstantBool(false));
}

#[test]
fn example_3_16_memory() {
    // `*a = 42; assert(*a == 42)` on a memory symbol, and on the memory of definition 3.18.
    let program = [
        assign(0, Expr::with(own(0), own(1), c(10))),
        Instr::Assert(Expr::equal(Expr::select(own(0), own(1)), c(10))),
    ];
    let env = with(&[(1, 9)]);
    assert_eq!(run(&program, 1, &env), Outcome::End);
    assert_eq!(eval_program(&program, 1, [&env]), Ok(false));
    let m = memory::store(&memory::Memory::filled(n(0)), &1.into(), &n(9), n(42));
    assert_eq!(memory::load(&m, &1.into(), &n(9)), n(42));
}

/// Examples 3.17 to 3.19: symbols `a` 0, `i` 1, `x` 2; the first jump is on the given condition.
fn example_3_18(jump: Expr) -> Vec<Instr> {
    vec![
        Instr::IfThenGoto(jump, 3),
        assign(0, Expr::with(own(0), own(1), c(0))),
        Instr::IfThenGoto(truth(), 4),
        assign(0, Expr::with(own(0), Expr::add(own(1), c(2), 0), c(1))),
        Instr::Assert(Expr::complement(less(
            Expr::select(own(0), Expr::add(own(1), c(1), 0)),
            c(1),
        ))),
    ]
}

#[test]
fn example_3_18_jumps_to_the_other_branch() {
    // In C, `x == 0` leads to `a[i] = 0`. Violated with a = ⟨0, 0⟩, x = 0, i = 0.
    let zeros = |x| with(&[(0, 0), (1, 0), (2, x)]);
    let right = example_3_18(own(2));
    assert!(run(&right, 1, &zeros(0)).is_unsafe());
    // The branches differ in cell `i` alone, as the value at `i` tells.
    let observe = |program: &[Instr], x| {
        let mut program = program.to_vec();
        program.truncate(4);
        program.push(Instr::Assert(Expr::select(own(0), own(1))));
        run(&program, 1, &with(&[(0, 7), (1, 0), (2, x)])).is_unsafe()
    };
    assert!(observe(&right, 0) && !observe(&right, 1));
    let printed = example_3_18(Expr::complement(own(2)));
    assert!(
        !observe(&printed, 0) && observe(&printed, 1),
        "the printed jump is the wrong way round"
    );
    // Example 3.19: its trace is that of the C program.
    let trace = [
        TraceStmt::Assign(3.into(), Expr::with(own(0), own(1), c(0))),
        TraceStmt::Assign(4.into(), Expr::with(own(0), Expr::add(own(1), c(2), 0), c(1))),
        TraceStmt::Assign(5.into(), Expr::ite(Expr::complement(own(2)), own(3), own(4))),
        TraceStmt::Assert(Expr::complement(less(
            Expr::select(own(5), Expr::add(own(1), c(1), 0)),
            c(1),
        ))),
    ];
    let ours = symex_k(&right, 1).expect("constants");
    assert_eq!(ours[0], trace[0]);
    for x in 0..3 {
        for i in 0..3 {
            for a in 0..3 {
                let env = with(&[(0, a), (1, i), (2, x)]);
                assert_eq!(eval_trace(&ours, &env), eval_trace(&trace, &env));
            }
        }
    }
}

#[test]
fn section_3_6_2_instrumentation_moves_targets() {
    // The instrumented listing keeps the targets 4 and 5 of the plain one; with them a jump lands on the `goto`.
    let bound = |index: Expr| Instr::Assert(Expr::complement(Expr::greater(index, c(1))));
    let next = || Expr::add(own(1), c(1), 0);
    let listing = |to_else: usize, to_end: usize, checked: Expr| {
        vec![
            Instr::IfThenGoto(own(2), to_else),
            bound(own(1)),
            assign(0, Expr::with(own(0), own(1), c(0))),
            Instr::IfThenGoto(truth(), to_end),
            bound(checked),
            assign(0, Expr::with(own(0), Expr::add(own(1), c(2), 0), c(1))),
            bound(next()),
            Instr::Assert(Expr::select(own(0), next())),
        ]
    };
    let env = with(&[(0, 1), (1, 0), (2, 1)]);
    let printed = listing(3, 4, own(1));
    assert_eq!(run(&printed, 1, &env), Outcome::End, "the out-of-bounds write is missed");
    let right = listing(4, 6, Expr::add(own(1), c(2), 0));
    assert_eq!(run(&right, 1, &env), Outcome::Violation { pc: 4 });
}

#[test]
fn appendix_program_without_loop() {
    let program = [assign(0, c(1)), assign(1, c(0)), Instr::Assert(v(2))];
    let expected = [
        TraceStmt::Assign(3.into(), c(1)),
        TraceStmt::Assign(4.into(), c(0)),
        TraceStmt::Assert(v(2)),
    ];
    assert_eq!(appendix::symex_k(&program, 2), expected);
    let ours = symex_k(&program, 2).expect("constants");
    assert_eq!(ours[..2], expected[..2]);
    for (value, is_unsafe) in [(0, true), (1, false)] {
        assert_eq!(eval_trace(&expected, &with(&[(2, value)])), is_unsafe);
        assert_eq!(eval_trace(&ours, &with(&[(2, value)])), is_unsafe);
    }
}

#[test]
fn appendix_conditional_program() {
    let program = [
        Instr::IfThenGoto(v(1), 3),
        assign(0, c(2)),
        Instr::IfThenGoto(truth(), 4),
        assign(2, c(0)),
        Instr::Assert(v(0)),
    ];
    let guard = Expr::implies(truth(), Expr::complement(v(1)));
    let expected = [
        TraceStmt::Assign(3.into(), c(2)),
        TraceStmt::Assign(4.into(), c(0)),
        TraceStmt::Assert(Expr::ite(guard, v(3), v(0))),
    ];
    assert_eq!(appendix::symex_k(&program, 2), expected);
    let ours = symex_k(&program, 2).expect("constants");
    for (s1, s0, is_unsafe) in [(1, 0, true), (1, 1, false), (0, 0, false)] {
        let env = with(&[(1, s1), (0, s0)]);
        assert_eq!(eval_trace(&expected, &env), is_unsafe);
        assert_eq!(eval_trace(&ours, &env), is_unsafe);
    }
}

#[test]
fn appendix_loop_program() {
    let program = [
        assign(0, c(2)),
        assign(1, c(3)),
        assign(2, c(4)),
        Instr::IfThenGoto(v(3), 0),
        Instr::Assert(v(0)),
    ];
    let assignments = |trace: &[TraceStmt]| -> Vec<TraceStmt> {
        trace.iter().filter(|stmt| matches!(stmt, TraceStmt::Assign(..))).cloned().collect()
    };
    let expected: Vec<TraceStmt> = [(4, 2), (5, 3), (6, 4), (7, 2), (8, 3), (9, 4)]
        .into_iter()
        .map(|(s, value)| TraceStmt::Assign(Symbol::from(s), c(value)))
        .collect();
    // The appendix does not name the bound. One unwinding gives the printed assignments and one assertion here; its own
    // function needs a bound of 2 for them and then has the assertion twice, once from inside the iteration.
    let ours = symex_k(&program, 1).expect("constants");
    assert_eq!(assignments(&ours), expected);
    assert_eq!(ours.len(), 7);
    let theirs = appendix::symex_k(&program, 2);
    assert_eq!(assignments(&theirs), expected);
    assert_eq!(theirs.len(), 8);
    let guard = Expr::implies(truth(), v(3));
    let printed = TraceStmt::Assert(Expr::ite(guard, v(7), Expr::ite(truth(), v(4), v(0))));
    assert_eq!(theirs[7], printed);
    for s3 in 0..3 {
        let env = with(&[(3, s3), (0, 0)]);
        assert!(!eval_trace(&ours, &env) && !eval_trace(&theirs, &env));
    }
}

/// Each mistake of the appendix's execution that [`super::symex`] lists, by a program on which it is wrong.
mod mistakes {
    use super::*;

    /// The two answers: that of the appendix, and that of ours, which must be right.
    fn answers(program: &[Instr], k: u64, env: &Env) -> (bool, bool) {
        let ours = eval_trace(&symex_k(program, k).expect("constants"), env);
        assert_eq!(ours, run(program, k, env).is_unsafe());
        (eval_trace(&appendix::symex_k(program, k), env), ours)
    }

    #[test]
    fn guards_are_conjunctions() {
        // if (s1) { if (s2) s0 = 0; } assert(s0): with s1 false the inner guard, an implication, would hold.
        let program = [
            Instr::IfThenGoto(Expr::complement(v(1)), 4),
            Instr::IfThenGoto(Expr::complement(v(2)), 3),
            assign(0, c(0)),
            assign(3, c(1)),
            Instr::Assert(v(0)),
        ];
        assert_eq!(answers(&program, 2, &with(&[(0, 1), (1, 0), (2, 1)])), (true, false));
    }

    #[test]
    fn assertions_have_guards() {
        // if (s0) assert(0): never reached with s0 = 0.
        let program = [
            Instr::IfThenGoto(Expr::complement(v(0)), 2),
            Instr::Assert(Expr::ConstantBool(false)),
            assign(1, c(0)),
        ];
        assert_eq!(answers(&program, 2, &with(&[(0, 0)])), (true, false));
    }

    #[test]
    fn assumptions_have_guards() {
        // if (s0) assume(0); assert(0): the assumption does not concern s0 = 0.
        let program = [
            Instr::IfThenGoto(Expr::complement(v(0)), 2),
            Instr::Assume(Expr::ConstantBool(false)),
            Instr::Assert(Expr::ConstantBool(false)),
        ];
        assert_eq!(answers(&program, 2, &with(&[(0, 0)])), (false, true));
    }

    #[test]
    fn jumps_leave_their_branch() {
        // Example 3.13: the `else` part must not happen after the `then` part.
        let program = [
            Instr::IfThenGoto(v(0), 3),
            assign(0, c(2)),
            Instr::IfThenGoto(truth(), 4),
            assign(0, c(0)),
            Instr::Assert(v(0)),
        ];
        assert_eq!(answers(&program, 2, &with(&[(0, 0)])), (true, false));
    }

    #[test]
    fn what_follows_a_loop_follows_its_exit() {
        // do s0 = s0 + 1; while (s0 < 3); assert(s0 > 2): holds at each exit.
        let program = [
            assign(0, Expr::add(v(0), c(1), 32)),
            Instr::IfThenGoto(less(v(0), c(3)), 0),
            Instr::Assert(Expr::greater(v(0), c(2))),
        ];
        assert_eq!(answers(&program, 2, &with(&[(0, 0)])), (true, false));
    }

    #[test]
    fn symbols_are_not_read_modulo_32() {
        // 40 assignments to s0, then a read of the last.
        let mut program: Vec<Instr> = (0..40).map(|i| assign(0, c(i % 2))).collect();
        program.push(assign(1, c(0)));
        program.push(Instr::Assert(v(0)));
        assert!(!answers(&program, 2, &with(&[(8, 0), (9, 0)])).1);
        let shifted: Vec<Instr> = (0..40)
            .map(|i| assign(0, c(u64::from(i == 39))))
            .chain([Instr::Assert(v(0))])
            .collect();
        assert_eq!(answers(&shifted, 2, &five()), (true, false));
    }

    #[test]
    fn computed_symbols_have_versions() {
        // s0 = 0; assert(value of symbol number s1 + 0) with s1 = 0.
        let program =
            [assign(0, c(0)), Instr::Assert(Expr::SymbolValue(Rc::new(Expr::add(v(1), c(0), 4))))];
        assert_eq!(answers(&program, 2, &with(&[(0, 1), (1, 0)])), (false, true));
    }

    #[test]
    fn unbounded_symbols_are_refused() {
        let program = [assign(0, c(0)), Instr::Assert(Expr::SymbolValue(Rc::new(v(0))))];
        assert!(matches!(symex_k(&program, 1), Err(SymexError::UnboundedSymbol(_))));
    }
}

#[test]
fn nested_loops_are_bounded_each_time() {
    // Two rounds of an outer loop with two rounds of an inner one: `k = 1` is enough, since the count starts anew.
    let program = [
        assign(0, c(0)),
        assign(1, c(0)),
        assign(1, Expr::add(own(1), c(1), 0)),
        assign(2, Expr::add(own(2), c(1), 0)),
        Instr::IfThenGoto(less(own(1), c(2)), 2),
        assign(0, Expr::add(own(0), c(1), 0)),
        Instr::IfThenGoto(less(own(0), c(2)), 1),
        Instr::Assert(Expr::equal(own(2), c(4))),
    ];
    let env = with(&[(2, 0)]);
    assert_eq!(run(&program, 0, &env), Outcome::BoundReached);
    assert_eq!(run(&program, 1, &env), Outcome::End);
    assert!(run(&program, 1, &with(&[(2, 1)])).is_unsafe());
    assert_eq!(eval_program(&program, 1, [&env]), Ok(false));
    assert_eq!(eval_program(&program, 1, [&env, &with(&[(2, 1)])]), Ok(true));
}

#[test]
fn crossing_loops_end() {
    // 1..3 and 2..4 cross: without counting them together this would never stop.
    let program = [
        assign(0, c(1)),
        assign(1, c(1)),
        Instr::IfThenGoto(own(2), 4),
        Instr::IfThenGoto(truth(), 1),
        assign(2, c(0)),
        Instr::IfThenGoto(truth(), 2),
    ];
    for k in 0..4 {
        assert_eq!(run(&program, k, &five()), Outcome::BoundReached);
        assert!(symex_k(&program, k).is_ok());
    }
}

fn expr(depth: u32) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Expr::ConstantBool),
        (0u64..6, 1u64..8).prop_map(|(value, m)| Expr::constant(value, m)),
        (0u64..4).prop_map(own),
        (0u64..4).prop_map(own),
        (0u64..3, 0u64..3).prop_map(|(a, b)| Expr::ConstantArray(Array::with_prefix(&[a, b], a))),
    ];
    leaf.prop_recursive(depth, 12, 3, |inner| {
        let pair = || (inner.clone(), inner.clone());
        let triple = || (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(Expr::complement),
            pair().prop_map(|(a, b)| Expr::and(a, b)),
            pair().prop_map(|(a, b)| Expr::greater(a, b)),
            (pair(), 1u64..6).prop_map(|((a, b), m)| Expr::add(a, b, m)),
            pair().prop_map(|(a, b)| Expr::select(a, b)),
            triple().prop_map(|(a, b, c)| Expr::with(a, b, c)),
            triple().prop_map(|(a, b, c)| Expr::ite(a, b, c)),
            (pair(), 1u64..5)
                .prop_map(|((a, b), m)| Expr::SymbolValue(Rc::new(Expr::add(a, b, m)))),
        ]
    })
    .boxed()
}

fn program() -> impl Strategy<Value = Vec<Instr>> {
    let instr = prop_oneof![
        4 => (0u64..4, expr(2)).prop_map(|(s, e)| assign(s, e)),
        1 => expr(2).prop_map(Instr::Assume),
        2 => expr(2).prop_map(Instr::Assert),
        3 => (expr(2), 0usize..10).prop_map(|(e, target)| Instr::IfThenGoto(e, target)),
    ];
    // Paths are enumerated, not merged: with many loops that cross there are too many of them.
    proptest::collection::vec(instr, 0..9).prop_filter("few loops", |program| n_loops(program) <= 2)
}

/// Returns the number of jumps that go back.
fn n_loops(program: &[Instr]) -> usize {
    let goes_back =
        |(at, instr): (usize, &Instr)| matches!(instr, Instr::IfThenGoto(_, to) if *to <= at);
    program.iter().enumerate().filter(|&numbered| goes_back(numbered)).count()
}

fn env() -> impl Strategy<Value = Env> {
    proptest::collection::vec((0u64..4, 0u64..4, 0u64..4), 4).prop_map(|arrays| {
        let zeros = Env::constant(constant(0));
        arrays.into_iter().enumerate().fold(zeros, |env, (s, (a, b, rest))| {
            env.update(&(s as u64).into(), Array::with_prefix(&[a, b], rest))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Symbolic execution is right: its trace is unsafe exactly where the bounded execution is.
    #[test]
    fn symex_agrees_with_execution(
        program in program(),
        k in 0u64..3,
        envs in proptest::collection::vec(env(), 1..4),
    ) {
        let trace = symex_k(&program, k).expect("indices are bounded");
        for env in &envs {
            prop_assert_eq!(eval_trace(&trace, env), run(&program, k, env).is_unsafe());
        }
        let any = envs.iter().any(|env| run(&program, k, env).is_unsafe());
        prop_assert_eq!(eval_program(&program, k, &envs), Ok(any));
    }

    /// Section 3.2: a trace assigns each symbol once, and none of the program's own.
    #[test]
    fn traces_are_immutable(program in program(), k in 0u64..3) {
        let total = total_symbols(&program).expect("indices are bounded");
        let mut assigned = BTreeSet::new();
        for stmt in symex_k(&program, k).expect("indices are bounded") {
            if let TraceStmt::Assign(s, _) = stmt {
                prop_assert!(s.0 >= total);
                prop_assert!(assigned.insert(s));
            }
        }
    }

    /// A greater bound finds whatever a smaller one finds.
    #[test]
    fn bounds_are_monotone(program in program(), env in env()) {
        for k in 0..3 {
            if run(&program, k, &env).is_unsafe() {
                prop_assert!(run(&program, k + 1, &env).is_unsafe());
            }
        }
    }

    /// Section 3.2.2: where no assertion stands, nothing is unsafe.
    #[test]
    fn traces_without_assertions_are_safe(program in program(), env in env()) {
        let program: Vec<Instr> =
            program.into_iter().map(|i| match i { Instr::Assert(e) => Instr::Assume(e), i => i }).collect();
        prop_assert!(!eval_trace(&symex_k(&program, 2).expect("indices are bounded"), &env));
    }
}
