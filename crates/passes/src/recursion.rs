//! Recursion as jumps, for questions about infinite executions.
//!
//! **Idea.** An execution that does not end makes infinitely many calls that never return, or stays in one call for ever. In
//! both cases there is a sequence of recursive calls, none of which returns, and all others do. So a recursive call becomes
//! a choice: it is one that returns, and then all that it may have changed, its result too, is any value; or it is one that
//! does not, and then its caller is forgotten: the parameters get their values and control jumps to where the function
//! begins. What returns after such a jump is an execution that was covered by the other choice; it is not considered.
//!
//! **Source.** Cook, Podelski, Rybalchenko, "Summarization for Termination: No Return!", FMSD 35(3), 2009,
//! doi 10.1007/s10703-009-0087-8; summaries here say nothing.
//!
//! **Soundness.** The result has an infinite execution if the program has one; it may have others. It is no pass: it
//! changes what a program does. Recursive functions stay as they are if what they change cannot be said to be any value
//! (memory behind pointers, objects that come and go), or if their callees may know their variables by address.

use crate::renaming::Renaming;
use std::collections::BTreeSet;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, Instr, InstrKind, LabelId, Program, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// Replaces recursive calls by jumps where that is possible. Calls through pointers must have been resolved.
pub fn recursion_as_jumps(program: &mut Program) {
    let callees: Vec<Vec<FunctionId>> = program.functions.values().map(direct_callees).collect();
    let reached: Vec<BTreeSet<FunctionId>> =
        program.functions.keys().map(|function| reached_from(&callees, function)).collect();
    let of = |function: FunctionId| &reached[function.as_u32() as usize];
    let mut changed = Vec::new();
    for function in program.functions.keys() {
        if !of(function).contains(&function) {
            continue;
        }
        // Those that call each other: each is reached from the other.
        let together: Vec<FunctionId> =
            of(function).iter().copied().filter(|&other| of(other).contains(&function)).collect();
        if let Some(statics) = changed_statics(program, &together, of(function)) {
            changed.push((function, together, statics));
        }
    }
    // All bodies are made of the original ones.
    let original = program.clone();
    for (function, together, statics) in changed {
        Jumps::make(program, &original, function, &together, &statics);
    }
}

pub(crate) fn direct_callees(function: &vergo_goto::program::Function) -> Vec<FunctionId> {
    let calls = function.body.iter().flatten().filter_map(|instr| match instr.kind {
        InstrKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
        _ => None,
    });
    calls.collect()
}

/// The functions that a function calls, directly or through others.
pub(crate) fn reached_from(
    callees: &[Vec<FunctionId>],
    function: FunctionId,
) -> BTreeSet<FunctionId> {
    let of = |function: FunctionId| callees[function.as_u32() as usize].iter().copied();
    let mut reached = BTreeSet::new();
    let mut pending: Vec<FunctionId> = of(function).collect();
    while let Some(callee) = pending.pop() {
        if reached.insert(callee) {
            pending.extend(of(callee));
        }
    }
    reached
}

/// The static variables that functions may change; `None` if they may change something else.
fn changed_statics(
    program: &Program,
    together: &[FunctionId],
    reached: &BTreeSet<FunctionId>,
) -> Option<BTreeSet<SymbolId>> {
    let mut statics = BTreeSet::new();
    for &function in reached {
        let body = program.functions[function].body.as_ref()?;
        let is_recursive = together.contains(&function);
        for instr in body {
            let place = match &instr.kind {
                InstrKind::Assign(place, _) => Some(*place),
                InstrKind::Call { callee: Callee::Direct(callee), dest, .. } => {
                    let dest = *dest;
                    if together.contains(callee)
                        && !dest.is_none_or(|dest| is_number(program, program.exprs.ty(dest)))
                    {
                        return None;
                    }
                    dest
                }
                InstrKind::Call { .. }
                | InstrKind::Alloc { .. }
                | InstrKind::Free(..)
                | InstrKind::Spawn { .. }
                | InstrKind::Join { .. }
                | InstrKind::Intrinsic { .. }
                | InstrKind::AtomicBegin
                | InstrKind::AtomicEnd => return None,
                _ => None,
            };
            if let Some(place) = place {
                let symbol = program.root_variable(place)?;
                if let SymbolKind::Static { .. } = program.symbols[symbol].kind {
                    if !is_number(program, program.symbols[symbol].ty) {
                        return None;
                    }
                    statics.insert(symbol);
                }
            }
            if is_recursive && takes_local_address(program, instr) {
                return None;
            }
        }
    }
    Some(statics)
}

/// Returns whether every value of a type is a choice of bits.
fn is_number(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Bool | Type::Int { .. } | Type::Float(_))
}

fn takes_local_address(program: &Program, instr: &Instr) -> bool {
    let mut found = false;
    instr.kind.for_each_expr(|expr, _| {
        program.for_each_subexpr(expr, |expr| {
            if let ExprKind::AddressOf(place) = *program.exprs.kind(expr)
                && let Some(symbol) = program.root_variable(place)
            {
                found |= !matches!(program.symbols[symbol].kind, SymbolKind::Static { .. });
            }
        });
    });
    found
}

/// A function whose recursive calls become jumps, with the bodies of all functions that call it back.
struct Jumps<'a> {
    program: &'a mut Program,
    function: FunctionId,
    statics: &'a BTreeSet<SymbolId>,
    out: FunctionBuilder,
    /// A flag that is true once a caller has been forgotten.
    deep: SymbolId,
    parts: Vec<Part>,
}

/// One of the functions.
struct Part {
    function: FunctionId,
    entry: LabelId,
    params: Vec<SymbolId>,
    /// Where arguments are while the parameters still have the old values.
    args: Vec<SymbolId>,
    locals: Vec<SymbolId>,
    /// Its names in the new function; the function's own stay.
    renaming: Renaming,
}

impl Jumps<'_> {
    fn make(
        program: &mut Program,
        original: &Program,
        function: FunctionId,
        together: &[FunctionId],
        statics: &BTreeSet<SymbolId>,
    ) {
        let bool_type = program.types.bool();
        let deep = local(program, function, "deep", bool_type);
        let n_labels = original.functions[function].n_labels;
        let out = FunctionBuilder::continuing(n_labels, 64);
        let mut jumps = Jumps { program, function, statics, out, deep, parts: Vec::new() };
        jumps.out.set_span(original.functions[function].span);
        jumps.out.decl(deep);
        let place = jumps.program.symbol(deep);
        let no = jumps.program.bool(false);
        jumps.out.assign(place, no);
        // The function itself comes first: that is where it is entered from outside.
        jumps.add_part(original, function);
        for &other in together.iter().filter(|&&other| other != function) {
            jumps.add_part(original, other);
        }
        for index in 0..jumps.parts.len() {
            let entry = jumps.parts[index].entry;
            jumps.out.label(entry);
            let body = original.functions[jumps.parts[index].function].body.clone();
            for instr in body.into_iter().flatten() {
                jumps.instr(index, instr);
            }
            // Whoever falls off the end of a body returns.
            jumps.out.set_span(Span::DUMMY);
            if !jumps.out.is_terminated() {
                jumps.leave(None);
            }
        }
        let Jumps { program, out, .. } = jumps;
        out.finish(program, function);
    }

    /// Makes the variables of a function those of the new one.
    fn add_part(&mut self, original: &Program, function: FunctionId) {
        let own = function == self.function;
        let mut renaming = Renaming::default();
        let mut params = Vec::new();
        for &param in &original.functions[function].params {
            let symbol = if own { param } else { self.copy_symbol(param) };
            if !own {
                self.out.decl(symbol);
                renaming.symbols.insert(param, symbol);
            }
            params.push(symbol);
        }
        let mut locals = BTreeSet::new();
        for instr in original.functions[function].body.iter().flatten() {
            if let InstrKind::Decl(symbol) = instr.kind {
                let copy = if own {
                    symbol
                } else if let Some(&copy) = renaming.symbols.get(&symbol) {
                    copy
                } else {
                    let copy = self.copy_symbol(symbol);
                    renaming.symbols.insert(symbol, copy);
                    copy
                };
                locals.insert(copy);
            }
        }
        let mut args = Vec::new();
        for &param in &params {
            let ty = self.program.symbols[param].ty;
            let arg = local(self.program, self.function, "argument", ty);
            self.out.decl(arg);
            args.push(arg);
        }
        if own {
            for label in 0..original.functions[function].n_labels {
                let label = LabelId::from_u32(label);
                renaming.labels.insert(label, label);
            }
        }
        let entry = self.out.new_label();
        let locals = locals.into_iter().collect();
        self.parts.push(Part { function, entry, params, args, locals, renaming });
    }

    fn instr(&mut self, index: usize, mut instr: Instr) {
        self.out.set_span(instr.span);
        let renaming = &mut self.parts[index].renaming;
        renaming.instr(self.program, &mut self.out, &mut instr);
        match instr.kind {
            InstrKind::Return(value) => self.leave(value),
            InstrKind::Call { dest, callee: Callee::Direct(callee), ref args } => {
                match self.parts.iter().position(|part| part.function == callee) {
                    Some(to) => self.recursive_call(index, to, dest, args),
                    None => self.out.push_instr(instr),
                }
            }
            _ => self.out.push_instr(instr),
        }
    }

    /// A return from a call whose caller is known; others are not considered.
    fn leave(&mut self, value: Option<ExprId>) {
        let deep = self.program.symbol(self.deep);
        let shallow = self.program.not(deep);
        self.out.assume(shallow);
        // Where a function of the others ends, every caller has been forgotten, and the value does not matter.
        let result = match *self.program.types.get(self.program.functions[self.function].ty) {
            Type::Func(result, _) if !matches!(self.program.types.get(result), Type::Void) => {
                result
            }
            _ => return self.out.ret(None),
        };
        let value = value.filter(|&value| self.program.exprs.ty(value) == result);
        let value = Some(value.unwrap_or_else(|| self.program.zero(result)));
        self.out.ret(value);
    }

    fn recursive_call(&mut self, from: usize, to: usize, dest: Option<ExprId>, values: &[ExprId]) {
        let returns = self.out.new_label();
        let bool_type = self.program.types.bool();
        let choice = local(self.program, self.function, "returns", bool_type);
        self.out.decl(choice);
        let place = self.program.symbol(choice);
        let any = self.program.nondet(bool_type);
        self.out.assign(place, any);
        self.out.goto_if(place, returns);
        let (params, args) = (self.parts[to].params.clone(), self.parts[to].args.clone());
        for (&arg, &value) in args.iter().zip(values) {
            let place = self.program.symbol(arg);
            self.out.assign(place, value);
        }
        for (&param, &arg) in params.iter().zip(&args) {
            let (place, value) = (self.program.symbol(param), self.program.symbol(arg));
            self.out.assign(place, value);
        }
        for symbol in self.parts[from].locals.clone() {
            self.out.dead(symbol);
        }
        self.out.dead(choice);
        let place = self.program.symbol(self.deep);
        let yes = self.program.bool(true);
        self.out.assign(place, yes);
        self.out.goto(self.parts[to].entry);
        self.out.label(returns);
        self.out.dead(choice);
        for &symbol in self.statics {
            let ty = self.program.symbols[symbol].ty;
            let (place, any) = (self.program.symbol(symbol), self.program.nondet(ty));
            self.out.assign(place, any);
        }
        if let Some(dest) = dest {
            let any = self.program.nondet(self.program.exprs.ty(dest));
            self.out.assign(dest, any);
        }
    }

    fn copy_symbol(&mut self, symbol: SymbolId) -> SymbolId {
        self.program.copy_symbol(symbol, SymbolKind::Local(self.function))
    }
}

/// A new variable of a function.
fn local(program: &mut Program, function: FunctionId, what: &str, ty: TypeId) -> SymbolId {
    let name = format!("{what}@{}", program.symbols.len());
    let align = program.types.align_of(ty, &program.machine);
    let (kind, span) = (SymbolKind::Local(function), Span::DUMMY);
    program.add_symbol(Symbol {
        name,
        display: String::new(),
        ty,
        kind,
        span,
        align,
        writable: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use vergo_goto::verify::verify;

    fn jumps(text: &str) -> (Program, bool) {
        let mut program = vergo_goto::text::parse(text).unwrap_or_else(|error| panic!("{error}"));
        recursion_as_jumps(&mut program);
        verify(&program).unwrap_or_else(|errors| panic!("{errors:?}"));
        let callees: Vec<_> = program.functions.values().map(direct_callees).collect();
        let recursive = program.functions.keys().any(|f| reached_from(&callees, f).contains(&f));
        (program, recursive)
    }

    const START: &str = "entry start; sites 1; function start: fn() -> void labels 0 {
        local r: i32 align 4; decl r; r := call f(3i32); end r; }";

    #[test]
    fn functions_that_call_each_other_share_a_body() {
        let text = format!(
            "{START}
             function f: fn(i32) -> i32 labels 1 {{ param n: i32 align 4; local x: i32 align 4;
                 if n <= 0i32 goto L0; decl x; x := call g(n - 1i32, n); return x;
                 L0: return 0i32; }}
             function g: fn(i32, i32) -> i32 labels 0 {{ param a: i32 align 4; param b: i32 align 4;
                 local y: i32 align 4; decl y; y := call f(b - a); return y; }}"
        );
        let (_, recursive) = jumps(&text);
        assert!(!recursive);
    }

    #[test]
    fn what_cannot_be_any_value_stays_a_call() {
        let text = format!(
            "{START}
             function f: fn(i32) -> i32 labels 0 {{ param n: i32 align 4; local x: i32 align 4;
                 local p: i32* align 8; decl x; decl p; p := &x; *p := n; x := call f(n); return x; }}"
        );
        let (_, recursive) = jumps(&text);
        assert!(recursive);
    }
}
