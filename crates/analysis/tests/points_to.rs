//! Points-to analysis against the interpreter: with the targets of every pointer that is dereferenced as claims, no
//! execution violates one.

use std::collections::{BTreeMap, BTreeSet};
use vergo_analysis::points_to::{Origin, PointsTo};
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{Claim, FunctionId, InstrKind, Program, Region, SymbolId, SymbolKind};
use vergo_goto::{sample, text};
use vergo_interp::{Limits, Machine, Options, Outcome, SeedInputs};
use vergo_testkit::environment;

/// Builds the claim that a pointer points to one of its targets, if it points to anything; `None` if it may point
/// anywhere.
fn claim(
    program: &mut Program,
    allocations: &BTreeMap<(FunctionId, usize), InstrKind>,
    points_to: &PointsTo,
    function: FunctionId,
    pointer: ExprId,
) -> Option<ExprId> {
    let mut cases = Vec::new();
    for target in points_to.targets(pointer) {
        let case = match points_to.origin(target) {
            Origin::Outside => return None,
            Origin::Variable(symbol) => {
                // Only variables of this function and statics have a name here.
                match program.symbols[symbol].kind {
                    SymbolKind::Static { .. } => {}
                    SymbolKind::Local(of) | SymbolKind::Param(of) if of == function => {}
                    _ => return None,
                }
                let place = program.symbol(symbol);
                let address = program.address_of(place);
                program.memory(MemoryOp::SameObject, [pointer, address])
            }
            Origin::Allocation(of, at) => {
                let on_stack = |kind: &InstrKind| {
                    matches!(kind, InstrKind::Alloc { region: Region::Stack, .. })
                };
                if allocations.get(&(of, at)).is_some_and(on_stack) {
                    return None;
                }
                program.memory(MemoryOp::IsHeap, [pointer])
            }
            Origin::Function(other) => {
                let address = program.function(other);
                program.eq(pointer, address)
            }
        };
        cases.push(case);
    }
    let live = program.memory(MemoryOp::IsLive, [pointer]);
    let none = program.not(live);
    cases.push(none);
    Some(program.any(cases))
}

#[test]
fn pointers_point_to_their_targets() {
    let n_seeds = if environment::slow() { 5000 } else { 200 };
    let mut n_claims = 0;
    for seed in 0..n_seeds {
        let program = sample::program(seed);
        let points_to = PointsTo::of(&program);
        let mut claimed = program.clone();
        let mut allocations = BTreeMap::new();
        for (function, info) in program.functions.iter() {
            for (at, instr) in info.body.iter().flatten().enumerate() {
                allocations.insert((function, at), instr.kind.clone());
            }
        }
        for function in program.functions.keys() {
            claimed.rewrite_body(function, |claimed, out, instr| {
                let mut pointers = BTreeSet::new();
                instr.kind.for_each_expr(|expr, _| {
                    program.for_each_subexpr(expr, |part| {
                        if let ExprKind::Deref(pointer) = *program.exprs.kind(part) {
                            pointers.insert(pointer);
                        }
                    });
                });
                for pointer in pointers {
                    if let Some(condition) =
                        claim(claimed, &allocations, &points_to, function, pointer)
                    {
                        n_claims += 1;
                        let description = text::expr_to_text(&program, pointer);
                        out.assert(
                            condition,
                            Claim { property: "points-to".into(), description, cwe: None },
                        );
                    }
                }
                out.push_instr(instr);
            });
        }
        for inputs in 0..3 {
            let limits = Limits { steps: 200_000, ..Limits::default() };
            let inputs = Box::new(SeedInputs::new(seed * 3 + inputs));
            let options = Options { inputs, limits, ..Options::default() };
            if let Outcome::Violation(violation) = Machine::new(&claimed, options).run() {
                assert_ne!(
                    violation.claim.property,
                    "points-to",
                    "program {seed}: {}\n{}",
                    violation.claim.description,
                    text::print(&program)
                );
            }
        }
    }
    assert!(n_claims as u64 > n_seeds, "only {n_claims} claims of {n_seeds} programs");
}

/// The names of the variables that a static pointer can point to.
fn targets(statics: &str, body: &str, pointer: &str) -> Vec<String> {
    let source = format!(
        "machine 64 x87 16 wide 8; sites 9;
         struct pair size 24 align 8 {{ first: i32* @0; second: i32* @8; count: i32 @16; }}
         entry main; static x: i32 align 4; static y: i32 align 4;
         static s: struct pair align 8; static n: i64 align 8; {statics}
         function main: fn() -> void labels 9 {{ {body} return; }}"
    );
    let program = text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
    let points_to = PointsTo::of(&program);
    let is_named = |symbol: &SymbolId| program.symbols[*symbol].name == pointer;
    let symbol = program.symbols.keys().find(is_named).expect("it is there");
    let place = program.exprs.iter().find(|(_, expr)| expr.kind == ExprKind::Symbol(symbol));
    let mut names: Vec<String> = points_to
        .targets(place.expect("it is used").0)
        .into_iter()
        .map(|object| match points_to.origin(object) {
            Origin::Variable(symbol) => program.symbols[symbol].name.clone(),
            other => format!("{other:?}"),
        })
        .collect();
    names.sort();
    names
}

const P: &str = "static p: i32* align 8; static q: i32* align 8;";

#[test]
fn members_are_told_apart_and_numbers_are_followed() {
    let members = "s.first := &x; s.second := &y; p := s.second; s.count := 7i32; q := p;";
    assert_eq!(targets(P, members, "p"), ["y"]);
    // A number that is made a pointer leads to what was made a number, and to nothing else.
    let numbers = "n := (i64)&x; p := (i32*)n; q := &y; p := p; q := q;";
    assert_eq!(targets(P, numbers, "p"), ["Outside"]);
    assert_eq!(targets(P, numbers, "q"), ["y"]);
}
