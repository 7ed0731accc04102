//! The plain exploration knows safe programs from their unsafe twins, and agrees with the checker of unrollings.

use super::*;
use crate::unrolling::{Flaw, Unrolled};
use vergo_goto::text::parse;
use vergo_symex::LoopBounds;
use vergo_testkit::Rng;

fn explored(locals: &str, body: &str) -> Result<Explored, Objection> {
    let source = format!(
        "machine 32 x87 12 wide 4; sites 9; entry main;
         struct pair size 8 align 4 {{ a: i32 @0; b: u3 @4:0; c: i5 @4:3; }}
         static table: i32[4] align 4 = {{ @0: bytes \"\\01\"; @4: 7i32; }};
         static where: i32* align 4 = {{ @0: &table[1i32]; }};
         function twice: fn(i32) -> i32 labels 0 {{ param n: i32 align 4; return n + n; }}
         function fact: fn(u8) -> u8 labels 1 {{ param m: u8 align 1; local r: u8 align 1; decl r;
             if m == 0u8 goto L0; r := call fact(m - 1u8); return r * m; L0: return 1u8; }}
         function main: fn() -> void labels 4 {{ {locals} {body} }}"
    );
    let program = parse(&source).unwrap_or_else(|error| panic!("{error}"));
    explore(&program, &ClosedClaims::default(), &Budget::unlimited())
}

fn is_failure<T: fmt::Debug>(result: &Result<T, Objection>) -> bool {
    matches!(result, Err(Objection::Failure(..)))
}

#[test]
fn programs_are_told_from_their_twins() {
    let locals = "local x: i32 align 4; local y: i32 align 4; local p: i32* align 4;
        local s: struct pair align 4; local k: u8 align 1; local q: u8* align 4;";
    let start = "decl x; decl y; decl p; decl s; decl k; decl q; x := #nondet<i32>(0);";
    // What is done, a claim that holds, and one that does not.
    let programs = [
        ("assume 0i32 <= x && x < 9i32; y := x * x;", "y <= 64i32", "y <= 63i32"),
        ("assume x > 0i32; y := -x / 2i32;", "y <= 0i32", "y < 0i32"),
        ("y := x % 7i32;", "-7i32 < y && y < 7i32", "0i32 <= y"),
        ("y := x >> 31i32;", "y == 0i32 || y == -1i32", "y == 0i32"),
        (
            "if x < 0i32 goto L0; y := 1i32; goto L1; L0: y := 2i32; L1: skip;",
            "y < 3i32",
            "y < 2i32",
        ),
        ("p := &table[1i32]; *p := x; y := table[1i32];", "y == x", "table[0i32] == x"),
        (
            "assume 0i32 <= x && x < 4i32; table[x] := 9i32;",
            "table[x] == 9i32",
            "table[1i32] == 7i32",
        ),
        ("y := *where;", "y == 7i32", "y == 1i32"),
        (
            "s.b := 5u3; s.c := -3i5; s.a := x;",
            "s.b == 5u3 && s.c == -3i5 && s.a == x",
            "s.b != 5u3",
        ),
        ("y := call twice(x);", "y % 2i32 == 0i32", "y % 4i32 == 0i32"),
        ("k := call fact(5u8);", "k == 120u8", "k == 121u8"),
        ("y := 0i32; L0: y := y + 1i32; if y < 50i32 goto L0;", "y == 50i32", "y == 51i32"),
        (
            "assume 0i32 <= x && x < 5i32; y := 0i32; L0: if y == x goto L1; y := y + 1i32; goto L0; L1: skip;",
            "y < 5i32",
            "y < 4i32",
        ),
        (
            "q := alloc(4u32) align 4 heap; p := (i32*) q; *p := x; y := *p; free heap q;",
            "!#is_live(q) && y == x",
            "#is_live(q)",
        ),
        (
            "p := x < 0i32 ? &table[0i32] : &table[2i32]; *p := 5i32;",
            "x < 0i32 ? table[0i32] == 5i32 : table[2i32] == 5i32",
            "table[2i32] == 5i32",
        ),
        ("p := &x; y := 0i32;", "p != &y && p != #null<i32*>", "p == &y"),
        ("y := 0i32;", "!#add_overflows(x, y)", "!#add_overflows(x, 1i32)"),
        (
            "y := 0i32;",
            "#sub_overflows(x, 1i32) == (x == -2147483648i32)",
            "!#mul_overflows(x, 2i32)",
        ),
    ];
    for (body, holds, fails) in programs {
        let with = |claim: &str| {
            explored(locals, &format!("{start} {body} assert {claim} \"p\" \"claim\"; end 0i32;"))
        };
        let safe = with(holds);
        assert!(safe.is_ok(), "{body} assert {holds}: {safe:?}");
        let failed = with(fails);
        assert!(is_failure(&failed), "{body} assert {fails}: {failed:?}");
    }
}

#[test]
fn what_is_not_followed_is_said() {
    let locals = "local x: i32 align 4; local p: i32* align 4; local d: f64 align 8;";
    let start = "decl x; decl p; decl d; x := #nondet<i32>(0);";
    for body in [
        "d := 1.0f64;",
        "p := (i32*) x;",
        "p := #null<i32*>; x := *p;",
        "table[x] := 1i32;",
        "L0: x := x + 1i32; if x != 0i32 goto L0;",
        "unsupported \"this\";",
    ] {
        let result = explored(locals, &format!("{start} {body} end 0i32;"));
        assert!(matches!(result, Err(Objection::NoEnd(_))), "{body}: {result:?}");
    }
    // Unless nobody comes there.
    let result = explored(locals, &format!("{start} assume x != x; d := 1.0f64; end 0i32;"));
    assert!(result.is_ok(), "{result:?}");
}

/// Integers of several widths and signs, an array of each, and pointers to them.
const TYPES: [&str; 4] = ["i8", "u6", "i16", "u3"];

fn number(rng: &mut Rng, ty: usize, depth: u32) -> String {
    let name = TYPES[ty];
    let least = i64::from(name.starts_with('i')) * -3;
    match if depth == 0 { rng.below(3) } else { rng.below(10) } {
        0 => format!("{}{name}", least + rng.below(7) as i64),
        1 => format!("x{ty}"),
        2 => format!("y{ty}"),
        3 => format!("a{ty}[{} & 3u3]", number(rng, 3, depth - 1)),
        4 => format!("(*p{ty})"),
        5 => {
            let op = *rng.choose(&["#leading_zeros", "#trailing_zeros", "#pop_count", "-", "~"]);
            format!("{op}({})", number(rng, ty, depth - 1))
        }
        6 => {
            let from = rng.below(TYPES.len());
            format!("({name}) ({})", number(rng, from, depth - 1))
        }
        7 => format!(
            "({} ? {} : {})",
            truth(rng, depth - 1),
            number(rng, ty, depth - 1),
            number(rng, ty, depth - 1)
        ),
        _ => {
            let op = *rng.choose(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]);
            let right = if op.len() == 2 { rng.below(TYPES.len()) } else { ty };
            format!("({} {op} {})", number(rng, ty, depth - 1), number(rng, right, depth - 1))
        }
    }
}

fn truth(rng: &mut Rng, depth: u32) -> String {
    let ty = rng.below(TYPES.len());
    let (a, b) = (number(rng, ty, depth), number(rng, ty, depth));
    match rng.below(6) {
        0 => {
            let op = *rng.choose(&["add", "sub", "mul", "shl"]);
            format!("#{op}_overflows({a}, {b})")
        }
        1 if depth > 0 => format!("({} && {})", truth(rng, depth - 1), truth(rng, depth - 1)),
        2 if depth > 0 => format!("!({} || {})", truth(rng, depth - 1), truth(rng, depth - 1)),
        _ => format!("({a} {} {b})", rng.choose(&["==", "!=", "<", "<="])),
    }
}

/// A program of a few statements with a loop of few rounds; in some, nothing is chosen.
fn random_program(seed: u64) -> (String, Program) {
    let rng = &mut Rng::new(seed);
    let chosen = rng.one_in(2);
    let mut text = String::from("machine 32 x87 12 wide 4; sites 4; entry main;\n");
    text += "function main: fn() -> void labels 9 {\n";
    for (i, ty) in TYPES.iter().enumerate() {
        text += &format!(
            "local x{i}: {ty} align 2; local y{i}: {ty} align 2; local a{i}: {ty}[4] align 2;
             local p{i}: {ty}* align 4;\n"
        );
    }
    text += "local n: u8 align 1; decl n; n := 0u8;\n";
    for (i, ty) in TYPES.iter().enumerate() {
        let value = match chosen {
            true => format!("#nondet<{ty}>({i})"),
            false => format!("{}{ty}", rng.below(8)),
        };
        text += &format!(
            "decl x{i}; decl y{i}; decl a{i}; decl p{i}; x{i} := {value}; y{i} := 1{ty};
             a{i} := #fill<{ty}[4]>(2{ty}); p{i} := &a{i}[{}u3];\n",
            rng.below(4)
        );
    }
    text += "L0: n := n + 1u8;\n";
    for label in 1..=rng.between(2, 5) {
        let ty = rng.below(TYPES.len());
        let value = number(rng, ty, 2);
        text += &match rng.below(7) {
            0 => format!("a{ty}[{} & 3u3] := {value};", number(rng, 3, 1)),
            1 => format!("*p{ty} := {value};"),
            2 => format!("if {} goto L{label}; y{ty} := {value}; L{label}: skip;", truth(rng, 1)),
            3 => format!("p{ty} := {} ? &x{ty} : &a{ty}[1u3];", truth(rng, 1)),
            4 => format!("assume {};", truth(rng, 1)),
            5 => format!("assert {} \"p\" \"{label}\";", truth(rng, 2)),
            _ => format!("x{ty} := {value};"),
        };
        text.push('\n');
    }
    text += &format!("if n < {}u8 goto L0;\n", rng.between(1, 3));
    text += &format!("assert {} \"p\" \"end\"; end 0i32; }}", truth(rng, 2));
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (text, program)
}

/// On random programs: what the production checker accepts has no failing path, and what fails on a path it rejects.
#[test]
fn both_ways_agree_on_random_programs() {
    let n_seeds = if vergo_testkit::environment::slow() { 10_000 } else { 200 };
    let (mut n_safe, mut n_failed, mut n_open) = (0, 0, 0);
    for seed in 0..n_seeds {
        let (text, program) = random_program(seed);
        let closed = ClosedClaims::default();
        // Hard products are for others.
        let budget = Budget { conflicts: Some(5_000), ..Budget::unlimited() };
        let plain = explore(&program, &closed, &budget);
        if let Err(Objection::NoEnd(_)) = plain {
            n_open += 1;
            continue;
        }
        let unrolled = Unrolled {
            program: &program,
            unwind: 5,
            recursion: 1,
            decided: u64::MAX,
            loop_bounds: &LoopBounds::new(),
            closed: &closed,
            n_steps: 10_000,
            n_conflicts: 1_000,
        };
        match (plain, unrolled.check(&budget)) {
            (_, Err(Flaw::Unknown(_))) => n_open += 1,
            (Ok(_), Ok(_)) => n_safe += 1,
            (Err(_), Err(Flaw::Failure(_) | Flaw::Violation(_))) => n_failed += 1,
            (plain, production) => panic!("seed {seed}: {plain:?} but {production:?}\n{text}"),
        }
    }
    let counts = format!("{n_safe} safe, {n_failed} fail, {n_open} open, of {n_seeds}");
    assert!(n_safe * 10 > n_seeds && n_failed * 10 > n_seeds && n_open * 4 < n_seeds, "{counts}");
}
