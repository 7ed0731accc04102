//! Programs that make no choices: their only execution shows all there is.
//!
//! **Idea.** If nothing that an execution does depends on a choice, the program has one execution, and the interpreter can
//! look at all of it, however many rounds its loops make.
//!
//! **Soundness.** Choices are refused while the execution goes on: nondeterministic values, input, and scalars that nobody
//! has written end it without an answer. What the interpreter decides on its own are addresses and what the outside
//! does; a program is executed only if it can be seen not to depend on them. It calls no function through a pointer,
//! starts no thread and uses no intrinsic. Pointers are compared with null only and never become numbers: neither by
//! conversion, nor by access at another type (see [`Independence::is_harmless_cast`]).

use crate::counterexample::watched;
use cranelift_entity::EntitySet;
use std::collections::BTreeSet;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, InitPart, InstrKind, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};
use vergo_interp::{InputValue, Machine, Options, Outcome, Request};
use vergo_smt::Budget;

/// How loops of the only execution are executed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Many rounds at once where that is possible.
    Leaps,
    /// Round by round.
    Steps,
}

/// Executes a program that makes no choices; whether it ends without a violation. `None` if it makes choices, if it
/// cannot be seen that it makes none, or if it does not end within the limits.
pub(crate) fn is_safe(program: &Program, budget: &Budget, pace: Pace) -> Option<bool> {
    if !Independence::of(program)? {
        return None;
    }
    let refuse = |_: &Request<'_>| Err::<InputValue, _>("the program makes a choice".to_owned());
    let options = Options {
        inputs: Box::new(refuse),
        check_uninitialized: true,
        step_by_step: pace == Pace::Steps,
        stop: Some(watched(budget)),
        ..Options::default()
    };
    match Machine::new(program, options).run() {
        Outcome::Exited(_) | Outcome::Aborted(_) | Outcome::AssumptionFailed(_) => Some(true),
        Outcome::Violation(violation) if !violation.fault => Some(false),
        _ => None,
    }
}

/// Says whether what is executed can depend on addresses or on the outside.
struct Independence<'a> {
    program: &'a Program,
    seen: EntitySet<ExprId>,
    symbols: BTreeSet<SymbolId>,
}

impl<'a> Independence<'a> {
    fn of(program: &'a Program) -> Option<bool> {
        let mut check = Independence { program, seen: EntitySet::new(), symbols: BTreeSet::new() };
        let mut functions: BTreeSet<FunctionId> = BTreeSet::new();
        let mut pending = vec![program.entry?];
        while let Some(function) = pending.pop() {
            if !functions.insert(function) {
                continue;
            }
            for instr in program.functions[function].body.iter().flatten() {
                match &instr.kind {
                    InstrKind::Spawn { .. }
                    | InstrKind::Join { .. }
                    | InstrKind::Intrinsic { .. } => {
                        return Some(false);
                    }
                    InstrKind::Call { callee: Callee::Indirect(_), .. } => return Some(false),
                    InstrKind::Call { callee: Callee::Direct(callee), .. } => pending.push(*callee),
                    _ => {}
                }
                let mut roots = Vec::new();
                instr.kind.for_each_expr(|expr, _| roots.push(expr));
                if !roots.into_iter().all(|root| check.is_independent(root)) {
                    return Some(false);
                }
            }
        }
        Some(check.statics_are_independent())
    }

    /// Static variables that are mentioned have first values, which hold no numbers made of addresses.
    fn statics_are_independent(&mut self) -> bool {
        let mut known: BTreeSet<SymbolId> = BTreeSet::new();
        while let Some(&symbol) = self.symbols.difference(&known).next() {
            known.insert(symbol);
            let SymbolKind::Static { init, .. } = &self.program.symbols[symbol].kind else {
                continue;
            };
            let StaticInit::Data(parts) = init else { return false };
            for part in parts {
                if let &InitPart::Value { value, .. } = part
                    && !self.is_independent(value)
                {
                    return false;
                }
            }
        }
        true
    }

    fn is_independent(&mut self, root: ExprId) -> bool {
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            if !self.seen.insert(expr) {
                continue;
            }
            if !self.is_harmless(expr) {
                return false;
            }
            self.program.exprs.kind(expr).for_each_child(|child| pending.push(child));
        }
        true
    }

    /// Checks whether an operation does not let addresses be seen, given that its operands do not.
    fn is_harmless(&mut self, expr: ExprId) -> bool {
        let exprs = &self.program.exprs;
        let pointer = |expr: ExprId| self.is_pointer(exprs.ty(expr));
        match *exprs.kind(expr) {
            ExprKind::Symbol(symbol) => {
                self.symbols.insert(symbol);
                true
            }
            ExprKind::Binary(op, a, b) if pointer(a) && pointer(b) => match op {
                BinaryOp::Eq | BinaryOp::Ne => self.is_null(a) || self.is_null(b),
                _ => false,
            },
            ExprKind::Cast(_, from) => self.is_harmless_cast(exprs.ty(from), exprs.ty(expr)),
            ExprKind::Bits(from) => {
                !self.has_pointers(exprs.ty(from)) && !self.has_pointers(exprs.ty(expr))
            }
            ExprKind::Member(base, _) => match *self.program.types.get(exprs.ty(base)) {
                Type::Struct(id) if self.program.types.structs[id].union => {
                    !self.has_pointers(exprs.ty(base))
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Conversions to truth values ask whether a pointer is null. Between pointers, neither type may have pointers in it
    /// unless they are the same: what is stored as an address is then loaded as one.
    fn is_harmless_cast(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.program.types;
        match (types.get(from), types.get(to)) {
            (Type::Ptr(_), Type::Bool) => true,
            (&Type::Ptr(a), &Type::Ptr(b)) => {
                a == b || !self.has_pointers(a) && !self.has_pointers(b)
            }
            (Type::Ptr(_), _) | (_, Type::Ptr(_)) => false,
            _ => true,
        }
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Ptr(_))
    }

    fn is_null(&self, expr: ExprId) -> bool {
        match self.program.exprs.kind(expr) {
            ExprKind::Int(address) => address.is_zero(),
            kind => matches!(kind, ExprKind::Zero),
        }
    }

    /// Checks whether objects of a type hold pointers.
    fn has_pointers(&self, ty: TypeId) -> bool {
        let mut pending = vec![ty];
        while let Some(ty) = pending.pop() {
            match self.program.types.get(ty) {
                Type::Ptr(_) | Type::Func(..) => return true,
                &Type::Array(element, _) => pending.push(element),
                &Type::Struct(id) => {
                    pending
                        .extend(self.program.types.structs[id].fields.iter().map(|field| field.ty));
                }
                Type::Void | Type::Bool | Type::Int { .. } | Type::Float(_) => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(locals: &str, body: &str) -> Option<bool> {
        let source = format!(
            "machine 32 x87 12 wide 4; sites 1; entry main;
             static table: i32[100] align 4 = {{}};
             function main: fn() -> void labels 1 {{ {locals} {body} }}"
        );
        let program = vergo_goto::text::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let answers = [Pace::Leaps, Pace::Steps]
            .map(|pace| is_safe(&program, &Budget::unlimited().at_most(1_000_000), pace));
        assert_eq!(answers[0], answers[1], "{body}");
        answers[0]
    }

    #[test]
    fn executions_without_choice_are_looked_at() {
        let locals = "local i: i32 align 4;";
        let count = |limit: i32| {
            format!(
                "decl i; i := 0i32; L0: table[i] := i; i := i + 1i32; if i < 100i32 goto L0;
                 assert table[99i32] == {limit}i32 \"p\" \"last\"; end 0i32;"
            )
        };
        assert_eq!(verdict(locals, &count(99)), Some(true));
        assert_eq!(verdict(locals, &count(98)), Some(false));
        assert_eq!(verdict(locals, "decl i; i := 0i32; L0: goto L0;"), None);
    }

    #[test]
    fn whatever_could_be_otherwise_is_refused() {
        let locals = "local i: i32 align 4; local p: i32* align 4; local n: u32 align 4;";
        let refused = [
            "decl i; i := #nondet<i32>(0); end 0i32;",
            "decl i; assert i == 0i32 \"p\" \"unwritten\"; end 0i32;",
            "decl p; decl n; p := &table[0i32]; n := (u32) p; assert n != 16u32 \"p\" \"address\"; end 0i32;",
            "decl i; i := 0i32; table[i - 1i32] := 3i32; end 0i32;",
        ];
        for body in refused {
            assert_eq!(verdict(locals, body), None, "{body}");
        }
        let fine = "decl p; p := &table[0i32]; assert p != #null<i32*> \"p\" \"null\"; end 0i32;";
        assert_eq!(verdict(locals, fine), Some(true));
    }
}
