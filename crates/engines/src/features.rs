//! The features of a program that can be seen before any engine begins and that matter to the choice of engines.
//!
//! Features are cheap and rough: they say in what direction to look, and no verdict depends on them. They are of the part
//! of the program that can be called from its entry.

use std::collections::{BTreeMap, BTreeSet};
use vergo_analysis::cfg::Cfg;
use vergo_goto::expr::ExprKind;
use vergo_goto::program::{
    Callee, Function, FunctionId, InstrKind, Intrinsic, Program, StaticInit, SymbolKind,
};
use vergo_goto::types::Type;

/// Features of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Features {
    /// It has a loop.
    pub(crate) loops: bool,
    /// A function can call itself, directly or through others.
    pub(crate) recursion: bool,
    /// It asks for values from outside: without that there is one execution.
    pub(crate) choices: bool,
    /// It starts threads.
    pub(crate) threads: bool,
    /// It has thousands of instructions.
    pub(crate) large: bool,
    /// It begins in a function that somebody wrote for a proof: there is no `main` in it.
    pub(crate) harness: bool,
}

/// With more instructions than this a program is large.
const MANY_INSTRUCTIONS: usize = 5000;

impl Features {
    /// The features of a program.
    pub(crate) fn of(program: &Program) -> Features {
        let calls = calls(program);
        let mut features = Features { recursion: has_cycle(&calls), ..Features::default() };
        for &id in calls.keys() {
            let function = &program.functions[id];
            features.loops |= !Cfg::of(function).loop_heads().is_empty();
            features.choices |= is_choice(program, function);
            for instr in function.body.iter().flatten() {
                features.add(program, &instr.kind);
            }
        }
        let bodies = calls.keys().filter_map(|&id| program.functions[id].body.as_ref());
        features.harness = calls.keys().all(|&id| program.functions[id].display != "main");
        features.large = bodies.map(Vec::len).sum::<usize>() > MANY_INSTRUCTIONS;
        let is_chosen =
            |kind: &SymbolKind| matches!(kind, SymbolKind::Static { init: StaticInit::Nondet, .. });
        features.choices |= program.symbols.values().any(|symbol| is_chosen(&symbol.kind));
        features
    }

    fn add(&mut self, program: &Program, instr: &InstrKind) {
        match instr {
            InstrKind::Assign(_, value) => {
                self.choices |= matches!(program.exprs.kind(*value), ExprKind::Nondet(_));
            }
            InstrKind::Spawn { .. } => self.threads = true,
            InstrKind::Intrinsic { op, .. } => {
                self.choices |= !matches!(
                    op,
                    Intrinsic::Write | Intrinsic::Print | Intrinsic::PrintTo | Intrinsic::Order
                ) && !op.is_obligation();
            }
            _ => {}
        }
    }
}

/// Arrays with fewer elements are small: unrolling loops over them costs little.
const LARGE: u64 = 256;

/// Checks whether a variable of a program is an array with many elements, or one whose length nobody knows beforehand.
pub fn has_large_arrays(program: &Program) -> bool {
    let is_large = |ty| matches!(*program.types.get(ty), Type::Array(_, length) if length >= LARGE);
    let allocates = program
        .functions
        .values()
        .filter(|function| !function.library)
        .flat_map(|function| function.body.iter().flatten())
        .any(|instr| matches!(instr.kind, InstrKind::Alloc { .. }));
    allocates || program.symbols.values().any(|symbol| is_large(symbol.ty))
}

/// The functions that can be called, each with those that it can call. Through a pointer, that is all whose address somebody
/// takes.
fn calls(program: &Program) -> BTreeMap<FunctionId, BTreeSet<FunctionId>> {
    let address = |kind: &ExprKind| match *kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    };
    let addressed: BTreeSet<FunctionId> =
        program.exprs.iter().filter_map(|(_, expr)| address(&expr.kind)).collect();
    let mut calls = BTreeMap::new();
    let mut pending: Vec<FunctionId> = program.entry.into_iter().collect();
    while let Some(id) = pending.pop() {
        if calls.contains_key(&id) {
            continue;
        }
        let mut called = BTreeSet::new();
        for instr in program.functions[id].body.iter().flatten() {
            match instr.kind {
                InstrKind::Call { callee, .. } | InstrKind::Spawn { callee, .. } => match callee {
                    Callee::Direct(function) => called.extend([function]),
                    Callee::Indirect(_) => called.extend(&addressed),
                },
                _ => {}
            }
        }
        pending.extend(&called);
        calls.insert(id, called);
    }
    calls
}

/// Checks whether one can come back to where one began: who is not called by anybody that is left is taken away, and if in the end
/// somebody is left, they call each other.
fn has_cycle(calls: &BTreeMap<FunctionId, BTreeSet<FunctionId>>) -> bool {
    let mut n_callers: BTreeMap<FunctionId, usize> = calls.keys().map(|&id| (id, 0)).collect();
    for called in calls.values().flatten() {
        *n_callers.entry(*called).or_default() += 1;
    }
    let mut pending: Vec<FunctionId> =
        n_callers.iter().filter(|(_, n)| **n == 0).map(|(&id, _)| id).collect();
    while let Some(id) = pending.pop() {
        for called in &calls[&id] {
            let n = n_callers.entry(*called).or_default();
            *n -= 1;
            if *n == 0 {
                pending.push(*called);
            }
        }
    }
    n_callers.values().any(|n| *n > 0)
}

/// Checks whether a call of a function without a body is a choice: of its result.
fn is_choice(program: &Program, function: &Function) -> bool {
    let returns = |ty| !matches!(program.types.get(ty), Type::Void);
    function.body.is_none()
        && matches!(*program.types.get(function.ty), Type::Func(ret, _) if returns(ret))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(text: &str) -> Features {
        let text = format!("sites 1; entry main; {text}");
        Features::of(&vergo_goto::text::parse(&text).unwrap_or_else(|error| panic!("{error}")))
    }

    fn of_body(body: &str) -> Features {
        features(&format!(
            "function main: fn() -> void labels 1 {{ local x: i32 align 4; decl x; {body} end 0i32; }}"
        ))
    }

    #[test]
    fn what_is_there_is_seen() {
        let none = Features::default();
        assert_eq!(of_body("x := 1i32;"), none);
        assert_eq!(
            of_body("L0: x := 1i32; if x < 1i32 goto L0;"),
            Features { loops: true, ..none }
        );
        assert_eq!(of_body("x := #nondet<i32>(0);"), Features { choices: true, ..none });
        let outside =
            "extern function f: fn() -> i32; function main: fn() -> void { call f(); end 0i32; }";
        assert_eq!(features(outside), Features { choices: true, ..none });
    }

    #[test]
    fn recursion_goes_through_other_functions() {
        let program = |last: &str| {
            format!(
                "function main: fn() -> void {{ call f(); end 0i32; }}
                 function f: fn() -> void {{ call g(); return; }}
                 function g: fn() -> void {{ {last} return; }}"
            )
        };
        assert!(features(&program("call f();")).recursion);
        assert!(!features(&program("")).recursion);
    }

    #[test]
    fn what_nobody_calls_is_not_there() {
        let other = "function other: fn() -> void labels 1 { L0: goto L0; }
                     function main: fn() -> void { end 0i32; }";
        assert_eq!(features(other), Features::default());
    }
}
