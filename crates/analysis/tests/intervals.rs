//! Interval analysis against the interpreter: with the intervals as claims at every block, no execution violates one.

use vergo_analysis::cfg::Cfg;
use vergo_analysis::numeric::Intervals;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::ExprId;
use vergo_goto::program::{Claim, FunctionId, Program};
use vergo_goto::types::Type;
use vergo_goto::{sample, text};
use vergo_interp::{Limits, Machine, Options, Outcome, SeedInputs};
use vergo_testkit::environment;

/// The program with the intervals of its functions as claims; gives their number too.
fn with_claims(program: &Program) -> (Program, usize) {
    let mut result = program.clone();
    let mut n_claims = 0;
    let functions: Vec<FunctionId> = program.functions.keys().collect();
    for function in functions {
        let info = &program.functions[function];
        let Some(body) = &info.body else { continue };
        let cfg = Cfg::of(info);
        let intervals = Intervals::of(program, function, &cfg);
        let mut out = FunctionBuilder::continuing(info.n_labels, body.len());
        let leaders = cfg.leaders();
        for (at, instr) in body.iter().enumerate() {
            out.set_span(instr.span);
            // A label stays in front of its claims.
            let label = matches!(instr.kind, vergo_goto::program::InstrKind::Label(_));
            if label {
                out.push_instr(instr.clone());
            }
            if leaders.contains(&at) {
                let claims: Vec<ExprId> = if intervals.is_reachable(at) {
                    let known: Vec<_> = intervals.at(at).collect();
                    known
                        .into_iter()
                        .map(|(symbol, interval)| {
                            let ty = result.symbols[symbol].ty;
                            let value = result.symbol(symbol);
                            if *result.types.get(ty) == Type::Bool {
                                return if interval.low == 1 { value } else { result.not(value) };
                            }
                            let low = result.int(ty, interval.low);
                            let high = result.int(ty, interval.high);
                            let above = result.le(low, value);
                            let below = result.le(value, high);
                            result.and(above, below)
                        })
                        .collect()
                } else {
                    vec![result.bool(false)]
                };
                for claim in claims {
                    n_claims += 1;
                    let description = format!("interval at {at}");
                    out.assert(
                        claim,
                        Claim { property: "interval".into(), description, cwe: None },
                    );
                }
            }
            if !label {
                out.push_instr(instr.clone());
            }
        }
        out.finish(&mut result, function);
    }
    (result, n_claims)
}

#[test]
fn every_value_is_in_its_interval() {
    let n_seeds = if environment::slow() { 5000 } else { 150 };
    let mut n_claims = 0;
    for seed in 0..n_seeds {
        let program = sample::program(seed);
        let (claimed, n) = with_claims(&program);
        n_claims += n;
        for inputs in 0..3 {
            let limits = Limits { steps: 200_000, ..Limits::default() };
            let inputs = Box::new(SeedInputs::new(seed * 3 + inputs));
            let options = Options { inputs, limits, ..Options::default() };
            if let Outcome::Violation(violation) = Machine::new(&claimed, options).run()
                && violation.claim.property == "interval"
            {
                panic!(
                    "program {seed}: {}\n{}",
                    violation.claim.description,
                    text::print(&claimed)
                );
            }
        }
    }
    assert!(n_claims as u64 > n_seeds * 3, "only {n_claims} claims of {n_seeds} programs");
}

/// The interval of a variable at the block of a label's position.
fn interval_at(source: &str, label: usize, name: &str) -> Option<String> {
    let program = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    let entry = program.entry.unwrap();
    let function = &program.functions[entry];
    let cfg = Cfg::of(function);
    let intervals = Intervals::of(&program, entry, &cfg);
    let body = function.body.as_ref().unwrap();
    let is_label = |kind: &vergo_goto::program::InstrKind| matches!(kind, vergo_goto::program::InstrKind::Label(other) if other.as_u32() as usize == label);
    let at = body.iter().position(|instr| is_label(&instr.kind)).unwrap();
    intervals
        .at(at)
        .find(|(symbol, _)| program.symbols[*symbol].name == name)
        .map(|(_, interval)| interval.to_string())
}

fn main_with(locals: &str, body: &str) -> String {
    format!(
        "machine 64 x87 16 wide 8; sites 9; entry main;
         static total: u32 align 4 = {{ @0: 7u32; }};
         function main: fn() -> void labels 9 {{ {locals} {body} }}"
    )
}

#[test]
fn loops_are_bounded_by_their_conditions() {
    let source = main_with(
        "local i: i32 align 4; local n: i32 align 4; local j: i32 align 4;",
        "decl i; decl n; decl j; n := #nondet<i32>(0); assume 0i32 <= n && n <= 100i32; i := 0i32;
         L0: if !(i < n) goto L3; j := i;
         L1: if !(j < 10i32) goto L2; j := j + 1i32; goto L1;
         L2: i := i + 1i32; goto L0; L3: skip; L4: return;",
    );
    assert_eq!(interval_at(&source, 0, "i").as_deref(), Some("[0, 100]"));
    assert_eq!(interval_at(&source, 1, "j").as_deref(), Some("[0, 99]"));
    assert_eq!(interval_at(&source, 2, "j").as_deref(), Some("[10, 99]"));
    assert_eq!(interval_at(&source, 3, "n").as_deref(), Some("[0, 100]"));
}

#[test]
fn wrapping_calls_and_pointers_are_seen() {
    let source = main_with(
        "local x: u8 align 1; local y: i32 align 4; local p: i32* align 8; local z: i32 align 4;",
        "decl x; decl y; decl p; decl z; x := 250u8; y := 3i32; z := 4i32; p := &y; *p := 9i32;
         L0: x := x + 10u8; total := total + 1u32; goto L1; L1: skip; goto L2; L2: return;",
    );
    assert_eq!(interval_at(&source, 1, "x").as_deref(), Some("[4, 4]"));
    assert_eq!(interval_at(&source, 1, "total").as_deref(), Some("[8, 8]"));
    assert_eq!(interval_at(&source, 1, "y"), None, "written through a pointer");
    assert_eq!(interval_at(&source, 1, "z").as_deref(), Some("[4, 4]"));
}
