//! Slices keep what becomes of claims: random programs are interpreted before and after, and small ones are shown.

#![allow(clippy::print_stdout, reason = "measurements of tests are shown when asked for")]

use std::collections::BTreeMap;
use vergo_goto::program::{Exit, InstrKind, Program};
use vergo_goto::{sample, text};
use vergo_interp::{Inputs, Limits, Machine, Options, Outcome, Request, SeedInputs};
use vergo_passes::slice::{Mode, Size, slice};
use vergo_testkit::environment;

/// Returns the end of an execution, as far as claims are concerned. Each site makes its own sequence of choices, so that
/// a program and its slice choose alike.
fn end(program: &Program, seed: u64) -> String {
    let mut sites: BTreeMap<u32, SeedInputs> = BTreeMap::new();
    let choose = move |request: &Request<'_>| {
        let own = || SeedInputs::new(seed.wrapping_mul(1 << 20).wrapping_add(request.site.into()));
        sites.entry(request.site).or_insert_with(own).choose(request)
    };
    let limits = Limits { steps: 2_000_000, ..Limits::default() };
    let options = Options { inputs: Box::new(choose), limits, ..Options::default() };
    match Machine::new(program, options).run() {
        Outcome::Violation(violation) => {
            format!("{}: {}", violation.claim.property, violation.claim.description)
        }
        Outcome::Unsupported { what, .. } => format!("unsupported {what}"),
        Outcome::LimitReached { .. } => "limit".to_owned(),
        _ => "none".to_owned(),
    }
}

fn sliced(program: &Program, mode: Mode) -> (Program, Size) {
    let mut program = program.clone();
    let size = slice(&mut program, mode);
    vergo_goto::verify::verify(&program).unwrap_or_else(|errors| {
        panic!(
            "{}\n{}",
            errors.iter().map(ToString::to_string).collect::<String>(),
            text::print(&program)
        )
    });
    (program, size)
}

#[test]
fn the_first_violated_claim_is_the_same() {
    let n_seeds = if environment::slow() { 10_000 } else { 300 };
    let (mut before, mut after, mut violated) = (0, 0, 0);
    for seed in 0..n_seeds {
        let program = sample::program(seed);
        for mode in [Mode::Base, Mode::Forward] {
            let (slice, size) = sliced(&program, mode);
            before += size.before;
            after += size.after;
            for inputs in 0..4 {
                let (whole, part) =
                    (end(&program, seed * 4 + inputs), end(&slice, seed * 4 + inputs));
                violated += usize::from(whole != "none");
                assert_eq!(
                    whole,
                    part,
                    "seed {seed}, inputs {inputs}, {mode:?}\n{}\n=== slice\n{}",
                    text::print(&program),
                    text::print(&slice)
                );
            }
        }
    }
    assert!(
        violated as u64 > n_seeds / 5,
        "only {violated} executions of {n_seeds} programs violate a claim"
    );
    assert!(after < before, "nothing is removed: {after} of {before}");
    println!("{after} of {before} instructions stay");
}

const HEADER: &str = "machine 64 x87 16 wide 8; sites 9; entry main;
    struct pair size 16 align 8 { first: i32* @0; second: i32* @8; }
    static a: i32 align 4; static b: i32 align 4; static c: i32 align 4;
    static p: i32* align 8; static q: i32* align 8; static s: struct pair align 8;
    extern function outside: fn() -> i32;";

/// The instructions of `main` that stay, as text, without labels and jumps that are always taken.
fn what_stays(functions: &str, main: &str, mode: Mode) -> Vec<String> {
    let source =
        format!("{HEADER} {functions} function main: fn() -> void labels 9 {{ {main} return; }}");
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let (slice, _) = sliced(&program, mode);
    let printed = text::print(&slice);
    let main = printed.split("function main").nth(1).expect("there is a main");
    let is_shown = |line: &&str| {
        !line.is_empty()
            && !line.ends_with([':', '{', '}'])
            && !line.starts_with("goto")
            && !line.starts_with("local")
    };
    main.lines().map(str::trim).filter(is_shown).map(str::to_owned).collect()
}

const CLAIM: &str = "assert a == 1i32 \"p\" \"t\";";

#[test]
fn example_4_4_assignments_that_no_claim_reads_go() {
    let main = format!("a := 2i32; b := a + 1i32; {CLAIM}");
    let stays = ["a := 2i32;", "assert a == 1i32 \"p\" \"t\";", "abort;"];
    assert_eq!(what_stays("", &main, Mode::Forward), stays);
    assert_eq!(what_stays("", &main, Mode::Base), stays);
}

#[test]
fn example_4_5_loops_go_for_the_forward_condition_only() {
    let main = format!("L0: if b == 0i32 goto L1; b := b - 1i32; goto L0; L1: {CLAIM}");
    let claim = ["assert a == 1i32 \"p\" \"t\";", "abort;"];
    assert_eq!(what_stays("", &main, Mode::Forward), claim);
    let base = what_stays("", &main, Mode::Base);
    assert!(base.contains(&"b := b - 1i32;".to_owned()), "{base:?}");
    // A loop without an exit is none that goes on behind it.
    let endless = format!("if b == 0i32 goto L1; L0: goto L0; L1: {CLAIM}");
    let stays = what_stays("", &endless, Mode::Forward);
    assert!(stays.iter().any(|line| line.starts_with("if b == 0i32")), "{stays:?}");
}

#[test]
fn pointers_are_followed_and_members_told_apart() {
    let main = format!(
        "s.first := &a; s.second := &b; p := s.first; q := s.second; *p := 1i32; *q := 2i32; {CLAIM}"
    );
    assert_eq!(
        what_stays("", &main, Mode::Forward),
        [
            "s.first := &a;",
            "p := s.first;",
            "*p := 1i32;",
            "assert a == 1i32 \"p\" \"t\";",
            "abort;"
        ]
    );
}

#[test]
fn calls_stay_for_what_they_change() {
    let functions = "function set: fn(i32*, i32) -> i32 { param to: i32* align 8; param v: i32 align 4; *to := v; return 7i32; }
        function log: fn(i32) -> void { param n: i32 align 4; c := n; return; }";
    let main = format!("b := call set(&a, 1i32); call log(b); b := call outside(); {CLAIM}");
    assert_eq!(
        what_stays(functions, &main, Mode::Forward),
        ["call set(&a, 1i32);", "assert a == 1i32 \"p\" \"t\";", "abort;"]
    );
}

#[test]
fn assumptions_stay_with_what_they_read_and_ends_with_their_branches() {
    let main = format!("b := #nondet<i32>(0); c := #nondet<i32>(1); assume b == 0i32; {CLAIM}");
    let stays = what_stays("", &main, Mode::Forward);
    assert_eq!(stays.len(), 4, "{stays:?}");
    assert!(stays.contains(&"b := #nondet<i32>(0);".to_owned()), "{stays:?}");
    let main = format!("b := #nondet<i32>(0); if b == 0i32 goto L0; end 1i32; L0: {CLAIM}");
    let stays = what_stays("", &main, Mode::Forward);
    assert!(stays.iter().any(|line| line.starts_with("if b == 0i32")), "{stays:?}");
}

#[test]
fn freed_memory_is_not_read_as_if_it_were_there() {
    let main = format!("p := alloc(4u64) align 4 heap; *p := 1i32; free heap p; a := *p; {CLAIM}");
    let stays = what_stays("", &main, Mode::Forward);
    assert!(stays.contains(&"free heap p;".to_owned()), "{stays:?}");
    // Also through a pointer that is used for nothing else.
    let main = format!(
        "s.first := alloc(4u64) align 4 heap; p := s.first; *p := 1i32; free heap s.first; a := *p; {CLAIM}"
    );
    let stays = what_stays("", &main, Mode::Forward);
    assert!(stays.contains(&"free heap s.first;".to_owned()), "{stays:?}");
    // A claim about memory in code that nothing else needs stays with what it asks about.
    let main =
        "p := alloc(4u64) align 4 heap; free heap p; assert #is_live(p) \"p\" \"t\"; b := *p;";
    let stays = what_stays("", main, Mode::Forward);
    assert_eq!(stays.len(), 4, "{stays:?}");
}

#[test]
fn what_is_behind_the_last_claim_goes() {
    let main = format!(
        "a := 1i32; {CLAIM} a := 2i32; if a == 2i32 goto L0; call outside(); L0: a := 3i32;"
    );
    let source = format!("{HEADER} function main: fn() -> void labels 9 {{ {main} return; }}");
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let (slice, size) = sliced(&program, Mode::Base);
    assert!(size.after <= 4 && size.before == 7, "{size:?}");
    let entry = slice.entry.expect("it begins");
    let body = slice.functions[entry].body.as_deref().unwrap_or_default();
    assert!(body.iter().any(|instr| instr.kind == InstrKind::End(Exit::Abort)));
}
