//! Visiting and rewriting: children of expressions, expressions of instructions, memoised maps, bodies.
//!
//! Expressions are a shared graph in which children have smaller numbers than parents. Everything here is iterative,
//! visits each shared expression once, and is linear in what it visits.

use crate::build::FunctionBuilder;
use crate::expr::{ExprId, ExprKind};
use crate::program::{Callee, Exit, FunctionId, Instr, InstrKind, Program};
use rustc_hash::FxHashMap;

impl ExprKind {
    /// Calls a function with each child, in order.
    pub fn for_each_child(&self, mut f: impl FnMut(ExprId)) {
        match self {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Function(_)
            | ExprKind::Nondet(_)
            | ExprKind::Symbol(_) => {}
            ExprKind::Union(_, a)
            | ExprKind::ArrayOf(a)
            | ExprKind::Deref(a)
            | ExprKind::Member(a, _)
            | ExprKind::AddressOf(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(_, a)
            | ExprKind::Bits(a) => f(*a),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => {
                f(*a);
                f(*b);
            }
            ExprKind::Fma(a, b, c) | ExprKind::Ite(a, b, c) => {
                f(*a);
                f(*b);
                f(*c);
            }
            ExprKind::Struct(all) | ExprKind::Array(all) | ExprKind::Memory(_, all) => {
                all.iter().copied().for_each(f);
            }
        }
    }

    /// The same operation on other children.
    #[must_use]
    pub fn map_children(&self, mut f: impl FnMut(ExprId) -> ExprId) -> ExprKind {
        match self {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Zero
            | ExprKind::Function(_)
            | ExprKind::Nondet(_)
            | ExprKind::Symbol(_) => self.clone(),
            ExprKind::Union(member, a) => ExprKind::Union(*member, f(*a)),
            ExprKind::ArrayOf(a) => ExprKind::ArrayOf(f(*a)),
            ExprKind::Deref(a) => ExprKind::Deref(f(*a)),
            ExprKind::Member(a, member) => ExprKind::Member(f(*a), *member),
            ExprKind::AddressOf(a) => ExprKind::AddressOf(f(*a)),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, f(*a)),
            ExprKind::Cast(mode, a) => ExprKind::Cast(*mode, f(*a)),
            ExprKind::Bits(a) => ExprKind::Bits(f(*a)),
            ExprKind::Index(a, b) => ExprKind::Index(f(*a), f(*b)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, f(*a), f(*b)),
            ExprKind::Fma(a, b, c) => ExprKind::Fma(f(*a), f(*b), f(*c)),
            ExprKind::Ite(a, b, c) => ExprKind::Ite(f(*a), f(*b), f(*c)),
            ExprKind::Struct(all) => ExprKind::Struct(all.iter().map(|&x| f(x)).collect()),
            ExprKind::Array(all) => ExprKind::Array(all.iter().map(|&x| f(x)).collect()),
            ExprKind::Memory(op, all) => ExprKind::Memory(*op, all.iter().map(|&x| f(x)).collect()),
        }
    }
}

/// The role of an expression in its instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Its value is read.
    Read,
    /// It is a place that is written; the pointers and indices inside it are read.
    Write,
}

impl InstrKind {
    /// Calls a function with each expression of the instruction, in the order of evaluation: what is read, then the
    /// place that is written.
    pub fn for_each_expr(&self, mut f: impl FnMut(ExprId, Role)) {
        match self {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Goto(None, _)
            | InstrKind::Return(None)
            | InstrKind::Decl(_)
            | InstrKind::Dead(_)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::End(Exit::Abort)
            | InstrKind::Unsupported(_) => {}
            InstrKind::Assign(place, value) => {
                f(*value, Role::Read);
                f(*place, Role::Write);
            }
            InstrKind::Assume(e)
            | InstrKind::Assert(e, _)
            | InstrKind::Goto(Some(e), _)
            | InstrKind::Return(Some(e))
            | InstrKind::Free(e, _)
            | InstrKind::End(Exit::Status(e)) => f(*e, Role::Read),
            InstrKind::Call { dest, callee, args } => {
                callee.pointer().into_iter().for_each(|e| f(e, Role::Read));
                args.iter().for_each(|&e| f(e, Role::Read));
                dest.iter().for_each(|&e| f(e, Role::Write));
            }
            InstrKind::Alloc { dest, size, .. } => {
                f(*size, Role::Read);
                f(*dest, Role::Write);
            }
            InstrKind::Spawn { dest, callee, arg } => {
                callee.pointer().into_iter().for_each(|e| f(e, Role::Read));
                f(*arg, Role::Read);
                dest.iter().for_each(|&e| f(e, Role::Write));
            }
            InstrKind::Join { thread, dest } => {
                f(*thread, Role::Read);
                dest.iter().for_each(|&e| f(e, Role::Write));
            }
            InstrKind::Intrinsic { dest, args, .. } => {
                args.iter().for_each(|&e| f(e, Role::Read));
                dest.iter().for_each(|&e| f(e, Role::Write));
            }
        }
    }

    /// Replaces each expression of the instruction, in the order of [`InstrKind::for_each_expr`].
    pub fn map_exprs(&mut self, mut f: impl FnMut(ExprId, Role) -> ExprId) {
        let write = |dest: &mut Option<ExprId>, f: &mut dyn FnMut(ExprId, Role) -> ExprId| {
            if let Some(dest) = dest {
                *dest = f(*dest, Role::Write);
            }
        };
        match self {
            InstrKind::Skip
            | InstrKind::Label(_)
            | InstrKind::Goto(None, _)
            | InstrKind::Return(None)
            | InstrKind::Decl(_)
            | InstrKind::Dead(_)
            | InstrKind::AtomicBegin
            | InstrKind::AtomicEnd
            | InstrKind::End(Exit::Abort)
            | InstrKind::Unsupported(_) => {}
            InstrKind::Assign(place, value) => {
                *value = f(*value, Role::Read);
                *place = f(*place, Role::Write);
            }
            InstrKind::Assume(e)
            | InstrKind::Assert(e, _)
            | InstrKind::Goto(Some(e), _)
            | InstrKind::Return(Some(e))
            | InstrKind::Free(e, _)
            | InstrKind::End(Exit::Status(e)) => *e = f(*e, Role::Read),
            InstrKind::Call { dest, callee, args } => {
                if let Callee::Indirect(e) = callee {
                    *e = f(*e, Role::Read);
                }
                args.iter_mut().for_each(|e| *e = f(*e, Role::Read));
                write(dest, &mut f);
            }
            InstrKind::Alloc { dest, size, .. } => {
                *size = f(*size, Role::Read);
                *dest = f(*dest, Role::Write);
            }
            InstrKind::Spawn { dest, callee, arg } => {
                if let Callee::Indirect(e) = callee {
                    *e = f(*e, Role::Read);
                }
                *arg = f(*arg, Role::Read);
                write(dest, &mut f);
            }
            InstrKind::Join { thread, dest } => {
                *thread = f(*thread, Role::Read);
                write(dest, &mut f);
            }
            InstrKind::Intrinsic { dest, args, .. } => {
                args.iter_mut().for_each(|e| *e = f(*e, Role::Read));
                write(dest, &mut f);
            }
        }
    }
}

impl Callee {
    /// The pointer through which an indirect call goes.
    pub fn pointer(self) -> Option<ExprId> {
        match self {
            Callee::Direct(_) => None,
            Callee::Indirect(e) => Some(e),
        }
    }
}

/// A map of expressions that remembers what it has mapped; keep one over all instructions that it applies to.
#[derive(Clone, Debug, Default)]
pub struct ExprMap {
    memo: FxHashMap<ExprId, ExprId>,
}

impl ExprMap {
    /// A map that has mapped nothing yet.
    pub fn new() -> ExprMap {
        ExprMap::default()
    }

    /// Maps an expression from its leaves up: each subexpression is rebuilt from its mapped children (at its type, not
    /// folded) and handed to `f`, whose answer takes its place. The answer is not mapped again.
    pub fn map(
        &mut self,
        program: &mut Program,
        expr: ExprId,
        f: &mut impl FnMut(&mut Program, ExprId) -> ExprId,
    ) -> ExprId {
        if let Some(&mapped) = self.memo.get(&expr) {
            return mapped;
        }
        let mut stack = vec![(expr, false)];
        while let Some((e, ready)) = stack.pop() {
            if self.memo.contains_key(&e) {
                continue;
            }
            if !ready {
                stack.push((e, true));
                program.exprs.kind(e).for_each_child(|child| stack.push((child, false)));
                continue;
            }
            let old = program.exprs.get(e);
            let ty = old.ty;
            let mut changed = false;
            let kind = old.kind.map_children(|child| {
                let mapped = self.memo[&child];
                changed |= mapped != child;
                mapped
            });
            let rebuilt = if changed { program.exprs.intern(kind, ty) } else { e };
            let mapped = f(program, rebuilt);
            self.memo.insert(e, mapped);
        }
        self.memo[&expr]
    }
}

impl Program {
    /// Maps one expression, see [`ExprMap::map`].
    pub fn map_expr(
        &mut self,
        expr: ExprId,
        mut f: impl FnMut(&mut Program, ExprId) -> ExprId,
    ) -> ExprId {
        ExprMap::new().map(self, expr, &mut f)
    }

    /// Calls a function with each expression that is reachable from `expr`, each once, parents before children.
    pub fn for_each_subexpr(&self, expr: ExprId, mut f: impl FnMut(ExprId)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![expr];
        while let Some(e) = stack.pop() {
            if seen.insert(e) {
                f(e);
                self.exprs.kind(e).for_each_child(|child| stack.push(child));
            }
        }
    }

    /// Writes the body of a function anew: `visit` gets each instruction and appends what takes its place to the
    /// builder (whose span is the instruction's, and which knows the function's labels). Nothing happens without a body.
    pub fn rewrite_body(
        &mut self,
        function: FunctionId,
        mut visit: impl FnMut(&mut Program, &mut FunctionBuilder, Instr),
    ) {
        let Some(body) = self.functions[function].body.take() else { return };
        let mut out = FunctionBuilder::continuing(self.functions[function].n_labels, body.len());
        for instr in body {
            out.set_span(instr.span);
            visit(self, &mut out, instr);
        }
        out.finish(self, function);
    }
}
