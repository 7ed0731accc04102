//! Loops whose rounds are made at once, against the same loops round by round.

use super::parse;
use crate::{Limits, Machine, Options, Outcome};
use vergo_testkit::Rng;

/// Returns the end of an execution, its steps, and all words of its thread at the end; with leaps, the number of looks at
/// the clock.
fn execute(
    text: &str,
    leaps: Option<u64>,
    options: Options<'_>,
) -> (Outcome, u64, Vec<u64>, Vec<Vec<u8>>) {
    let program = parse(text);
    let mut machine = Machine::new(&program, options);
    machine.alone.leaps = leaps.is_some();
    machine.alone.turn = leaps.unwrap_or(machine.alone.turn);
    let outcome = machine.run();
    let handles: Vec<_> = machine.memory.live_statics().collect();
    let statics =
        handles.into_iter().map(|handle| machine.memory.flat_bytes(handle).to_vec()).collect();
    let regs = machine.threads[0].regs.iter().take(256).copied().collect();
    (outcome, machine.steps(), regs, statics)
}

fn limited(steps: u64, check_uninitialized: bool) -> Options<'static> {
    let limits = Limits { steps, ..Limits::default() };
    Options { limits, check_uninitialized, ..Options::default() }
}

/// A program with a loop, a branch and perhaps a call in it, over small and large types.
fn random_loop(seed: u64) -> String {
    let mut random = Rng::new(seed);
    let ty = random.choose(&["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]);
    let variables = ["a", "b", "c", "g"];
    let constant = |random: &mut Rng| {
        let text = random.choose(&["0", "1", "1", "2", "3", "5", "10", "97", "120", "127"]);
        format!("{text}{ty}")
    };
    let operand = |random: &mut Rng| match random.below(9) {
        0..4 => (*random.choose(&variables)).to_owned(),
        4 => format!("(1{ty} - 3{ty})"),
        _ => constant(random),
    };
    let condition = |random: &mut Rng| {
        let op = random.choose(&["<", "<=", "==", "!=", "<", ">"]);
        format!("{} {op} {}", random.choose(&variables), operand(random))
    };
    let statement = |random: &mut Rng| {
        let (to, from) = (random.choose(&variables), random.choose(&variables));
        let changed = if random.below(3) > 0 { to } else { from };
        match random.below(12) {
            0 => {
                let function = random.choose(&["f", "f", "h"]);
                format!("{to} := call {function}({changed}, {});", constant(random))
            }
            1 => format!("{to} := {changed} * {};", constant(random)),
            2 => format!("{to} := {};", operand(random)),
            3 => format!("{to} := (u8){changed} == 7u8 ? {from} : {to};"),
            4 => format!("assert !#add_overflows({from}, {}) \"p\" \"fits\";", constant(random)),
            5 => format!("assert !#mul_overflows({from}, 2{ty}) \"p\" \"fits\";"),
            _ => {
                format!(
                    "{to} := {changed} {} {};",
                    random.choose(&["+", "+", "-"]),
                    constant(random)
                )
            }
        }
    };
    let block = |random: &mut Rng, most: usize| {
        let n = random.below(most + 1);
        (0..n).map(|_| statement(random)).collect::<Vec<_>>().join("\n")
    };
    let first: Vec<String> =
        variables.iter().map(|v| format!("{v} := {};", constant(&mut random))).collect();
    format!(
        "entry main; static g: {ty} align 8 = {{}};
         function f: fn({ty}, {ty}) -> {ty} {{
             param x: {ty} align 8; param y: {ty} align 8;
             return x {} y;
         }}
         function h: fn({ty}, {ty}) -> {ty} {{
             param v: {ty} align 8; param w: {ty} align 8;
             return v - w;
         }}
         function main: fn() -> void labels 5 {{
             local a: {ty} align 8; local b: {ty} align 8; local c: {ty} align 8;
             decl a; decl b; decl c; {}
           L0: if {} goto L4;
             {}
             if {} goto L1;
             {}
             goto L2;
           L1:
             {}
           L2:
             {}
             goto L0;
           L4: end (i32)a;
         }}",
        random.choose(&["+", "-"]),
        first.join(" "),
        condition(&mut random),
        block(&mut random, 2),
        condition(&mut random),
        block(&mut random, 2),
        block(&mut random, 2),
        block(&mut random, 1),
    )
}

#[test]
fn leaps_make_no_difference() {
    let mut n_leaps = 0;
    let n_seeds = if vergo_testkit::environment::slow() { 400_000 } else { 6000 };
    for seed in 0..n_seeds {
        let text = random_loop(seed);
        let in_memory = seed % 3 == 0;
        let expected = execute(&text, None, limited(20_000, in_memory));
        let turn = 1 + seed % 23;
        let found = execute(&text, Some(turn), limited(20_000, in_memory));
        assert_eq!(found, expected, "seed {seed}\n{text}");
        n_leaps += u32::from(expected.1 > 5000);
    }
    assert!(n_leaps > 300, "{n_leaps} of the loops are long");
}

/// A function that is called from two places is not in the same place in both calls, nor are two functions.
#[test]
fn a_round_ends_where_it_began() {
    let text = |other: &str| {
        format!(
            "entry main;
             function f: fn(u32) -> u32 {{ param x: u32 align 4; return x + 1u32; }}
             function g: fn(u32) -> u32 {{ param y: u32 align 4; return y + 1u32; }}
             function main: fn() -> void labels 2 {{
                 local a: u32 align 4; local n: u32 align 4;
                 decl a; decl n; a := 0u32; n := 0u32;
               L0: a := call f(a); if 1000u32 < a goto L1; a := call {other}(a); n := n + 1u32; goto L0;
               L1: assert n == 500u32 \"p\" \"half\"; end 0i32;
             }}"
        )
    };
    for (other, turn) in
        ["f", "g"].into_iter().flat_map(|other| (1..40).map(move |turn| (other, turn)))
    {
        let expected = execute(&text(other), None, limited(u64::MAX, false));
        assert_eq!(expected.0, Outcome::Exited(0));
        assert_eq!(execute(&text(other), Some(turn), limited(u64::MAX, false)), expected);
    }
}

/// Counting as far as a type goes takes no time.
#[test]
fn long_loops_are_short() {
    let text = |body: &str| {
        format!(
            "entry main; static g: u64 align 8 = {{}};
             function next: fn(u64) -> u64 {{ param m: u64 align 8; return m + 2u64; }}
             function main: fn() -> void labels 3 {{
                 local x: u64 align 8; local n: i64 align 8;
                 decl x; decl n; x := 0u64; n := 0i64; {body} end 0i32;
             }}"
        )
    };
    let bodies = [
        "L0: if 1000000000000000000u64 <= x goto L1; x := x + 2u64; n := n - 1i64; goto L0;
         L1: assert n == -500000000000000000i64 \"p\" \"half\";",
        "L0: x := call next(x); if x < 1000000000000000001u64 goto L0;
         assert x == 1000000000000000002u64 \"p\" \"behind\";",
        "L0: g := g + 3u64; if g != 3000000000000000000u64 goto L0;",
        // One phase, then another.
        "L0: if 1000000000000000000u64 <= x goto L2; if x < 70000000000u64 goto L1; x := x + 7u64; goto L0;
         L1: x := x + 1u64; n := n + 1i64; goto L0;
         L2: assert n == 70000000000i64 \"p\" \"first phase\";",
        // A loop in a loop.
        "L0: x := 0u64; L1: x := x + 1u64; if x < 100000000000u64 goto L1;
         n := n + 1i64; if n < 1000i64 goto L0;",
    ];
    for body in bodies {
        let (outcome, ..) = execute(&text(body), Some(1 << 20), limited(u64::MAX, false));
        assert_eq!(outcome, Outcome::Exited(0), "{body}");
    }
}
