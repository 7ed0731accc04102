//! Programs that do not depend on what an interpreter decides on its own: where objects lie, and what the outside does.
//!
//! **What is asked.** The program uses no intrinsic that does something, and no value holds an address that is read as a number without
//! going through memory. All else that could depend on addresses is not asked here: whoever executes such a program has it stopped
//! there (`Options::opaque_pointers` of the interpreter).

use cranelift_entity::EntitySet;
use std::collections::BTreeSet;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, InitPart, InstrKind, Intrinsic, Program, StaticInit, SymbolId, SymbolKind,
};
use vergo_goto::types::{Type, TypeId};

/// A program of which nothing that it executes depends on addresses or on the outside.
pub(crate) struct Independence<'a> {
    program: &'a Program,
    seen: EntitySet<ExprId>,
    symbols: BTreeSet<SymbolId>,
    /// The functions that can be executed: those that are called, and those that there are pointers to.
    functions: BTreeSet<FunctionId>,
    pending: Vec<FunctionId>,
}

impl<'a> Independence<'a> {
    /// The program, if it can be seen to be one.
    pub(crate) fn of(program: &'a Program) -> Option<Independence<'a>> {
        let mut check = Independence {
            program,
            seen: EntitySet::new(),
            symbols: BTreeSet::new(),
            functions: BTreeSet::new(),
            pending: vec![program.entry?],
        };
        let mut known: BTreeSet<SymbolId> = BTreeSet::new();
        loop {
            if let Some(function) = check.pending.pop() {
                if check.functions.insert(function) && !check.function_is_independent(function) {
                    return None;
                }
            } else if let Some(&symbol) = check.symbols.difference(&known).next() {
                known.insert(symbol);
                if !check.static_is_independent(symbol) {
                    return None;
                }
            } else {
                return Some(check);
            }
        }
    }

    /// Checks whether an instruction that can be executed is of some kind.
    pub(crate) fn any(&self, wanted: impl Fn(&InstrKind) -> bool) -> bool {
        let bodies = self.functions.iter().map(|&function| &self.program.functions[function].body);
        bodies.flatten().flatten().any(|instr| wanted(&instr.kind))
    }

    fn function_is_independent(&mut self, function: FunctionId) -> bool {
        let program = self.program;
        for instr in program.functions[function].body.iter().flatten() {
            match &instr.kind {
                // What only says what is accessed does nothing.
                InstrKind::Intrinsic { op, .. }
                    if !op.is_obligation()
                        && !matches!(op, Intrinsic::Thread | Intrinsic::Order) =>
                {
                    return false;
                }
                InstrKind::Call { callee: Callee::Direct(callee), .. }
                | InstrKind::Spawn { callee: Callee::Direct(callee), .. } => {
                    self.pending.push(*callee);
                }
                _ => {}
            }
            let mut roots = Vec::new();
            instr.kind.for_each_expr(|expr, _| roots.push(expr));
            if !roots.into_iter().all(|root| self.is_independent(root)) {
                return false;
            }
        }
        true
    }

    /// A static variable that is mentioned has a first value, which holds no numbers made of addresses.
    fn static_is_independent(&mut self, symbol: SymbolId) -> bool {
        let SymbolKind::Static { init, .. } = &self.program.symbols[symbol].kind else {
            return true;
        };
        let StaticInit::Data(parts) = init else { return false };
        parts.iter().all(|part| match part {
            &InitPart::Value { value, .. } => self.is_independent(value),
            InitPart::Bytes { .. } => true,
        })
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
        match *exprs.kind(expr) {
            ExprKind::Symbol(symbol) => {
                self.symbols.insert(symbol);
                true
            }
            ExprKind::Function(function) => {
                self.pending.push(function);
                true
            }
            ExprKind::Bits(from) => {
                !self.has_pointers(exprs.ty(from)) && !self.has_pointers(exprs.ty(expr))
            }
            ExprKind::Member(base, _) => match *self.program.types.get(exprs.ty(base)) {
                Type::Struct(id) if self.program.types.structs[id].union => {
                    self.program.is_place(base) || !self.has_pointers(exprs.ty(base))
                }
                _ => true,
            },
            _ => true,
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
