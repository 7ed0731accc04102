//! No pass changes what a program does: random programs are interpreted before and after each.

use vergo_goto::program::{Instr, InstrKind, Program};
use vergo_goto::{sample, text};
use vergo_interp::{Buffers, Limits, Machine, Options, Outcome, SeedInputs};
use vergo_passes::manager::{Verify, run_passes};
use vergo_passes::pipelines::PIPELINES;
use vergo_passes::properties::{PropertyId, PropertySet};
use vergo_passes::{Fact, Options as PassOptions, PassId};
use vergo_testkit::{Rng, environment};

/// Returns the output of a program and the way in which it ends: the claim that fails, or its status.
fn behaviour(program: &Program, seed: u64) -> (Vec<u8>, String) {
    let buffers = Buffers::default();
    let options = Options {
        inputs: Box::new(SeedInputs::new(seed)),
        world: Box::new(buffers.clone()),
        limits: Limits { steps: 2_000_000, ..Limits::default() },
        ..Options::default()
    };
    let end = match Machine::new(program, options).run() {
        Outcome::Violation(violation) => {
            format!("{}: {}", violation.claim.property, violation.claim.description)
        }
        Outcome::Exited(status) => format!("exit {status}"),
        Outcome::Aborted(_) => "abort".to_owned(),
        Outcome::AssumptionFailed(_) => "assumption".to_owned(),
        Outcome::Unsupported { what, .. } => format!("unsupported {what}"),
        other => format!("{other:?}"),
    };
    (buffers.output(), end)
}

fn after(program: &Program, passes: &[PassId], options: &PassOptions) -> Program {
    let mut program = program.clone();
    run_passes(&mut program, passes, options, Verify::Always, &mut |_| {})
        .unwrap_or_else(|broken| panic!("{broken}"));
    program
}

fn n_seeds(fast: u64, slow: u64) -> u64 {
    if environment::slow() { slow } else { fast }
}

/// Returns whether a pass may add claims.
fn adds_claims(pass: PassId) -> bool {
    pass.info().establishes.contains(&Fact::Instrumented)
}

/// Returns whether a program behaves as before, as far as its passes promise: new claims may fail where it went on
/// before, and the output until then is the same.
fn same(before: &(Vec<u8>, String), now: &(Vec<u8>, String), passes: &[PassId]) -> bool {
    if now == before {
        return true;
    }
    let violated = now.1.split(':').next().and_then(PropertyId::from_id);
    passes.iter().any(|&pass| adds_claims(pass))
        && violated.is_some()
        && before.0.starts_with(&now.0)
}

/// Returns whether a pass keeps all behaviour; slices only keep the verdicts of claims (`slices.rs`).
fn keeps_all(pass: PassId) -> bool {
    !matches!(pass, PassId::Slice | PassId::SliceBase)
}

#[test]
fn passes_keep_behaviour() {
    let options = PassOptions { recursion: 1, ..PassOptions::default() };
    let passes: Vec<PassId> = PassId::ALL.iter().copied().filter(|&pass| keeps_all(pass)).collect();
    let mut sequences: Vec<Vec<PassId>> = passes.iter().map(|&pass| vec![pass]).collect();
    sequences.extend(PIPELINES.iter().map(|pipeline| pipeline.passes.to_vec()));
    for seed in 0..n_seeds(150, 10_000) {
        let program = sample::program(seed);
        let before = behaviour(&program, seed);
        let mut rng = Rng::new(seed);
        let random: Vec<PassId> = (0..rng.between(2, 6)).map(|_| *rng.choose(&passes)).collect();
        for passes in sequences.iter().chain([&random]) {
            let now = behaviour(&after(&program, passes, &options), seed);
            assert!(
                same(&before, &now, passes),
                "seed {seed}, passes {passes:?}: {before:?} became {now:?}"
            );
        }
    }
}

/// The registry's facts are true: a fact that a pass preserves still holds after it, so that the pass that
/// establishes it has nothing to do.
#[test]
fn preserved_facts_hold() {
    let options = PassOptions::default();
    // To claim or to inline again does something again.
    let repeatable = |fact: &Fact| !matches!(fact, Fact::Instrumented | Fact::Inlined);
    for seed in 0..n_seeds(20, 500) {
        let program = sample::program(seed);
        for &pass in PassId::ALL {
            for &fact in pass.info().preserves.iter().filter(|fact| repeatable(fact)) {
                let establish = PassId::establishing(fact).expect("some pass establishes it");
                let once = after(&program, &[establish, pass], &options);
                let twice = after(&once, &[establish], &options);
                let (once, twice) = (text::print(&once), text::print(&twice));
                assert!(once == twice, "seed {seed}: {pass:?} does not preserve {fact:?}");
            }
        }
    }
}

#[test]
fn instrumentation_without_properties_changes_nothing() {
    let options = PassOptions { properties: PropertySet::EMPTY, ..PassOptions::default() };
    for seed in 0..20 {
        let program = sample::program(seed);
        assert_eq!(
            text::print(&after(&program, &[PassId::Instrument], &options)),
            text::print(&program)
        );
    }
}

/// The claims that instrumentation adds to a function `main`, as text.
fn claims(properties: &[PropertyId], source: &str) -> Vec<String> {
    let program = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    let options =
        PassOptions { properties: properties.iter().copied().collect(), ..PassOptions::default() };
    let program = after(&program, &[PassId::Instrument], &options);
    let main = program.function_named("main").expect("there is a main");
    let body: &[Instr] = program.functions[main].body.as_deref().expect("it has a body");
    body.iter()
        .filter_map(|instr| match &instr.kind {
            InstrKind::Assert(cond, claim) => Some(format!(
                "{} [{}] {}",
                claim.property,
                claim.description,
                program.describe(*cond)
            )),
            _ => None,
        })
        .collect()
}

const HEADER: &str = "machine 64 x87 16 wide 8; entry main; static a: i32[10] align 4 = { };
    static m: i32[3][2] align 4 = { }; static p: i32* align 8 = { };
    static x \"x\": i32 align 4 = { }; static y \"y\": i32 align 4 = { };";

#[test]
fn claims_are_guarded_by_what_is_evaluated_before() {
    let source = format!(
        "{HEADER} function main: fn() -> void {{ x := (y != 0i32 && x / y > 1i32) ? 1i32 : 2i32; return; }}"
    );
    assert_eq!(
        claims(&[PropertyId::ArithDivisionByZero], &source),
        ["arith.division-by-zero [division by zero in x / y] y != 0 ==> y != 0"]
    );
}

#[test]
fn bounds_are_those_of_the_object_and_indices_those_of_the_array() {
    let source = format!(
        "{HEADER} function main: fn() -> void {{ a[x] := m[1i32][y]; a[3i32] := 1i32; return; }}"
    );
    assert_eq!(
        claims(&[PropertyId::MemoryBounds, PropertyId::MemoryIndex], &source),
        [
            "memory.bounds [m[1][y] is outside of its object] has_object(&m[1][y]) && offset(&m[1][y]) >= 0 && \
             object_size(&m[1][y]) >= 4 && offset(&m[1][y]) <= object_size(&m[1][y]) - 4",
            "memory.index [index out of range in m[1][y]] y >= 0 && y < 3",
            "memory.bounds [a[x] is outside of its object] x >= 0 && x < 10",
        ]
    );
}

#[test]
fn overflow_of_constants_is_claimed_too() {
    let source = format!(
        "{HEADER} function main: fn() -> void {{ x := 2147483647i32 + 1i32; y := -x; return; }}"
    );
    assert_eq!(
        claims(&[PropertyId::ArithSignedOverflow], &source),
        [
            "arith.signed-overflow [overflow on signed addition in 2147483647 + 1] false",
            "arith.signed-overflow [overflow on signed negation in -x] x != -2147483648",
        ]
    );
}
