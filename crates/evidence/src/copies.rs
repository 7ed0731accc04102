//! The same program with a copy of a function for each call that gives it pointers.
//!
//! What is known of a parameter is known of all calls at once. A function that is given a lock and what the lock protects is about as many
//! of these as it is called with; in a copy for each call they are one. Copies do what the function does, so that each claim of one program is
//! violated by the executions that violate it in the other.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::program::{Callee, FunctionId, InstrKind, Program, SymbolKind};
use vergo_goto::types::Type;
use vergo_passes::renaming::Renaming;

/// Copies at most, and instructions in them.
const MAX_COPIES: usize = 100;
const MAX_INSTRS: usize = 20_000;

/// Makes the copies; `None` if there is nothing to copy.
pub(crate) fn copied(source: &Program) -> Option<Program> {
    let mut program = source.clone();
    let worth_it = |function: FunctionId| {
        let info = &source.functions[function];
        let is_pointer = |param| matches!(source.types.get(source.symbols[param].ty), Type::Ptr(_));
        info.body.is_some() && !info.library && info.params.iter().any(|&param| is_pointer(param))
    };
    // Each function with those whose calls led to it, so that recursion ends.
    let mut pending: Vec<(FunctionId, Vec<FunctionId>)> =
        source.functions.keys().filter(|&f| !worth_it(f)).map(|f| (f, Vec::new())).collect();
    let mut taken: BTreeSet<FunctionId> = BTreeSet::new();
    let (mut n_copies, mut n_instrs) = (0, 0);
    loop {
        let Some((function, path)) = pending.pop() else {
            // Functions that only pointers lead to.
            let left = source.functions.keys().find(|&f| worth_it(f) && taken.insert(f));
            match left {
                Some(function) => pending.push((function, vec![function])),
                None => break,
            }
            continue;
        };
        let n = program.functions[function].body.as_ref().map_or(0, Vec::len);
        for at in 0..n {
            let body = program.functions[function].body.as_ref();
            let Some(InstrKind::Call { callee: Callee::Direct(callee), .. }) =
                body.map(|body| &body[at].kind)
            else {
                continue;
            };
            let callee = *callee;
            if !worth_it(callee) || path.contains(&callee) {
                continue;
            }
            let path = path.iter().copied().chain([callee]).collect();
            if taken.insert(callee) {
                pending.push((callee, path));
                continue;
            }
            let size = source.functions[callee].body.as_ref().map_or(0, Vec::len);
            if n_copies >= MAX_COPIES || n_instrs + size > MAX_INSTRS {
                continue;
            }
            (n_copies, n_instrs) = (n_copies + 1, n_instrs + size);
            let copy = copy(&mut program, source, callee);
            if let Some(body) = &mut program.functions[function].body
                && let InstrKind::Call { callee, .. } = &mut body[at].kind
            {
                *callee = Callee::Direct(copy);
            }
            pending.push((copy, path));
        }
    }
    (n_copies > 0).then_some(program)
}

/// A copy of a function of the source.
fn copy(program: &mut Program, source: &Program, function: FunctionId) -> FunctionId {
    let mut info = source.functions[function].clone();
    info.name = format!("{}@{}", info.name, program.functions.len());
    let body = info.body.take().unwrap_or_default();
    let params = info.params.clone();
    let copy = program.add_function(info);
    let mut symbols = FxHashMap::default();
    for &param in &params {
        symbols.insert(param, program.copy_symbol(param, SymbolKind::Param(copy)));
    }
    program.functions[copy].params = params.iter().map(|param| symbols[param]).collect();
    for instr in &body {
        if let InstrKind::Decl(symbol) = instr.kind {
            let local = || program.copy_symbol(symbol, SymbolKind::Local(copy));
            symbols.entry(symbol).or_insert_with(local);
        }
    }
    let mut renaming = Renaming::of(symbols);
    let mut out = FunctionBuilder::new();
    for mut instr in body {
        renaming.instr(program, &mut out, &mut instr);
        out.push_instr(instr);
    }
    out.finish(program, copy);
    copy
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::text::parse;

    #[test]
    fn each_call_has_its_own_copy_and_recursion_none() {
        let source = "entry main; static a: i32 align 4 = {}; static b: i32 align 4 = {};
             function set: fn(i32*) -> void { param p: i32* align 8; *p := 1i32; return; }
             function both: fn(i32*) -> void labels 1 {
                 param q: i32* align 8; call set(q); if *q == 0i32 goto L0; call both(q); L0: return;
             }
             function main: fn() -> void { call both(&a); call both(&b); call set(&a); end 0i32; }";
        let program = parse(source).unwrap_or_else(|error| panic!("{error}"));
        let copied = copied(&program).unwrap_or_else(|| panic!("there is something to copy"));
        let verified = vergo_goto::verify::verify(&copied);
        assert!(verified.is_ok(), "{verified:?}");
        assert_eq!(copied.functions.len(), 3 + 3, "one of `both`, two of `set`");
    }

    #[test]
    fn without_pointers_there_is_nothing_to_copy() {
        let source = "entry main; function f: fn(i32) -> void { param x: i32 align 4; return; }
             function main: fn() -> void { call f(1i32); call f(2i32); end 0i32; }";
        let program = parse(source).unwrap_or_else(|error| panic!("{error}"));
        assert!(copied(&program).is_none());
    }
}
