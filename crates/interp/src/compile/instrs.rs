//! Instructions to operations.

use super::Compiler;
use crate::code::{Call, Loc, Op, Rep, Slow, Target};
use crate::inputs::InputType;
use rustc_hash::FxHashSet;
use vergo_goto::expr::{ExprId, ExprKind, MemoryOp};
use vergo_goto::program::{Callee, Claim, Exit, Instr, InstrKind, SymbolId, SymbolKind};
use vergo_goto::types::Type;

impl Compiler<'_> {
    /// Returns whether other threads may continue before an instruction: it accesses memory that they may reach, or it
    /// is about them. The claims about an instruction and the instruction are one step. What returns from the entry
    /// ends the program.
    pub(super) fn is_point(&self, body: &[Instr], at: usize, is_entry: bool) -> bool {
        let is_user = |claim: &Claim| claim.property.starts_with("user.");
        let is_claim =
            |instr: &Instr| matches!(&instr.kind, InstrKind::Assert(_, claim) if !is_user(claim));
        // The step begins with the first claim.
        if at.checked_sub(1).is_some_and(|before| is_claim(&body[before])) {
            return false;
        }
        let mut claims = body[at..].iter().take_while(|instr| is_claim(instr));
        if claims.any(|claim| self.is_about_race(&claim.kind)) {
            return true;
        }
        let Some(instr) = body[at..].iter().find(|instr| !is_claim(instr)) else { return false };
        let ends = is_entry && matches!(instr.kind, InstrKind::Return(_));
        ends || self.matters_to_others(&instr.kind)
    }

    /// Returns whether an instruction claims that an access is in no race.
    fn is_about_race(&self, instr: &InstrKind) -> bool {
        let InstrKind::Assert(condition, _) = *instr else { return false };
        let mut found = false;
        self.program.for_each_subexpr(condition, |expr| {
            let kind = self.program.exprs.kind(expr);
            found |=
                matches!(kind, ExprKind::Memory(MemoryOp::UnracedRead | MemoryOp::UnracedWrite, _));
        });
        found
    }

    /// Returns whether an instruction accesses memory that other threads may reach, or is about them.
    fn matters_to_others(&self, instr: &InstrKind) -> bool {
        match instr {
            InstrKind::Spawn { .. }
            | InstrKind::Join { .. }
            | InstrKind::AtomicBegin
            | InstrKind::Free(..)
            | InstrKind::End(_) => return true,
            InstrKind::Intrinsic { op, .. } if op.is_for_runs() => return true,
            InstrKind::Intrinsic { op, .. } if !op.is_obligation() && !op.blocks().is_empty() => {
                return true;
            }
            _ => {}
        }
        let mut found = false;
        let mut pending = Vec::new();
        instr.for_each_expr(|expr, _| pending.push(expr));
        let mut seen = FxHashSet::default();
        while let (Some(expr), false) = (pending.pop(), found) {
            if !seen.insert(expr) {
                continue;
            }
            match *self.program.exprs.kind(expr) {
                ExprKind::Deref(_) => found = true,
                ExprKind::Symbol(symbol) => found = self.is_reachable_by_others(symbol),
                // An address is no access, unless of what is found by one.
                ExprKind::AddressOf(place) if self.program.root_variable(place).is_some() => {
                    let mut place = place;
                    while let ExprKind::Member(base, _) | ExprKind::Index(base, _) =
                        *self.program.exprs.kind(place)
                    {
                        if let ExprKind::Index(_, index) = *self.program.exprs.kind(place) {
                            pending.push(index);
                        }
                        place = base;
                    }
                }
                ref kind => kind.for_each_child(|child| pending.push(child)),
            }
        }
        found
    }

    fn is_reachable_by_others(&self, symbol: SymbolId) -> bool {
        let info = &self.program.symbols[symbol];
        match info.kind {
            SymbolKind::Static { thread_local: false, .. } => info.writable,
            _ => self.environment.address_taken.contains(symbol),
        }
    }

    pub(super) fn instruction(&mut self, instr: &Instr) {
        let (ops, slow, calls, labels, jumps) = (
            self.code.ops.len(),
            self.code.slow.len(),
            self.code.calls.len(),
            self.labels.len(),
            self.jumps.len(),
        );
        self.limit = ops + self.environment.max_ops;
        self.start();
        self.instr_kind(&instr.kind);
        if self.overflow {
            self.code.ops.truncate(ops);
            self.code.instr_of.truncate(ops);
            self.code.slow.truncate(slow);
            self.code.calls.truncate(calls);
            self.labels.truncate(labels);
            self.jumps.truncate(jumps);
            self.overflow = false;
            self.limit = usize::MAX;
            self.start();
            self.eager = true;
            self.instr_kind(&instr.kind);
            self.eager = false;
        }
    }

    fn start(&mut self) {
        self.memo.clear();
        self.memo_log.clear();
        self.next_temp = self.code.first_const + super::MAX_CONSTS;
        self.next_big = self.first_big_temp;
    }

    fn instr_kind(&mut self, kind: &InstrKind) {
        match kind {
            InstrKind::Skip => {}
            InstrKind::Label(label) => {
                let label = self.label_of(*label);
                self.place_label(label);
            }
            InstrKind::Assign(place, value) => self.assignment(*place, *value),
            InstrKind::Assume(condition) => {
                let end = self.new_label();
                self.jump_if(*condition, true, end);
                self.emit(Op::Excluded);
                self.place_label(end);
            }
            InstrKind::Assert(condition, _) => {
                let end = self.new_label();
                self.jump_if(*condition, true, end);
                self.emit(Op::Refuted);
                self.place_label(end);
            }
            InstrKind::Goto(None, label) => {
                let t = self.label_of(*label);
                self.jump(Op::Jump { t });
            }
            InstrKind::Goto(Some(condition), label) => {
                let t = self.label_of(*label);
                if self.environment.trace {
                    let a = self.value(*condition).reg;
                    self.emit(Op::TraceBranch { a });
                }
                self.jump_if(*condition, true, t);
            }
            InstrKind::Call { dest, callee, args } => {
                let callee_loc = self.callee(*callee);
                let args = args.iter().map(|&e| self.value(e)).collect();
                let ret = self.result_of(*callee);
                self.call(*dest, callee_loc, args, ret);
            }
            InstrKind::Return(None) => self.emit(Op::Ret { a: 0, words: 0 }),
            InstrKind::Return(Some(value)) => {
                let a = self.value(*value);
                if a.rep.is_big() {
                    self.emit(Op::RetBig { a: a.reg });
                } else {
                    self.emit(Op::Ret { a: a.reg, words: a.rep.words() });
                }
            }
            InstrKind::Decl(symbol) => match (self.slots.get(symbol), self.registers.get(symbol)) {
                (Some(&slot), _) => self.emit(Op::Decl { slot }),
                (None, Some(&loc)) => {
                    self.clear(loc);
                    if let Some(&d) = self.flags.get(&loc.reg) {
                        self.emit(Op::Const { d, v: 0 });
                    }
                }
                _ => self.fail("a variable of another function"),
            },
            InstrKind::Dead(symbol) => match (self.slots.get(symbol), self.registers.get(symbol)) {
                (Some(&slot), _) => self.emit(Op::Dead { slot }),
                // A pointer that is forgotten does not keep its object reachable.
                (None, Some(&loc)) if loc.rep == Rep::Pointer => self.clear(loc),
                (None, Some(_)) => {}
                _ => self.fail("a variable of another function"),
            },
            InstrKind::Alloc { dest, size, align, region, zeroed } => {
                let size = self.value(*size);
                let d = self.temp(Rep::Pointer);
                self.slow(Slow::Alloc {
                    d: d.reg,
                    size,
                    align: *align,
                    region: *region,
                    zeroed: *zeroed,
                });
                self.write(*dest, d);
            }
            InstrKind::Free(pointer, region) => {
                let p = self.value(*pointer).reg;
                self.slow(Slow::Free { p, region: *region });
            }
            InstrKind::AtomicBegin => self.slow(Slow::AtomicBegin),
            InstrKind::AtomicEnd => self.slow(Slow::AtomicEnd),
            InstrKind::Spawn { dest, callee, arg } => {
                let callee = self.callee(*callee);
                let arg = self.value(*arg).reg;
                let d = dest.map(|e| {
                    let rep = self.rep(e);
                    self.temp(rep)
                });
                self.slow(Slow::Spawn { callee, arg, d });
                if let (Some(dest), Some(d)) = (dest, d) {
                    self.write(*dest, d);
                }
            }
            InstrKind::Join { thread, dest } => {
                let thread = self.value(*thread);
                let d = dest.map(|_| self.temp(Rep::Pointer));
                self.slow(Slow::Join { thread, d: d.map(|d| d.reg) });
                if let (Some(dest), Some(d)) = (dest, d) {
                    self.write(*dest, d);
                }
            }
            InstrKind::Intrinsic { op, dest, args } => {
                let args = args.iter().map(|&e| self.value(e)).collect();
                let d = dest.map(|e| {
                    let rep = self.rep(e);
                    self.temp(rep)
                });
                self.slow(Slow::Intrinsic { op: *op, args, d });
                if let (Some(dest), Some(d)) = (dest, d) {
                    self.write(*dest, d);
                }
            }
            InstrKind::End(Exit::Status(status)) => {
                let a = self.value(*status);
                self.slow(Slow::End { a });
            }
            InstrKind::End(Exit::Abort) => self.slow(Slow::Abort),
            InstrKind::Unsupported(_) => self.slow(Slow::Unsupported),
        }
    }

    /// A variable in registers gets the value of a new one.
    fn clear(&mut self, loc: Loc) {
        match loc.rep {
            Rep::BigInt(_, width) => {
                let bytes = vec![0; width.div_ceil(8) as usize].into();
                self.slow(Slow::ConstBig { d: loc.reg, bytes });
            }
            Rep::BigFloat(format) => {
                let bytes = vec![0; format.width().div_ceil(8) as usize].into();
                self.slow(Slow::ConstBig { d: loc.reg, bytes });
            }
            _ => {
                for i in 0..loc.rep.words() {
                    self.emit(Op::Const { d: loc.reg + i, v: 0 });
                }
            }
        }
    }

    /// Writes a value that was just made, and lets those who watch know.
    fn write(&mut self, dest: ExprId, value: Loc) {
        let (place, bits) = self.written(dest);
        self.store(place, bits, value);
        if self.environment.trace {
            self.slow(Slow::TraceAssign { place: dest, value });
        }
    }

    fn assignment(&mut self, place: ExprId, value: ExprId) {
        let rep = self.rep(value);
        if let ExprKind::Nondet(site) = *self.program.exprs.kind(value) {
            let d = self.temp(rep);
            let ty = self.input_type(value);
            self.slow(Slow::Nondet { d, site, ty });
            return self.write(place, d);
        }
        if self.environment.trace {
            let value = self.value(value);
            // A variable's own registers may be what is written.
            let copy = self.temp(value.rep);
            self.assign(copy, value);
            return self.write(place, copy);
        }
        if let ExprKind::Symbol(symbol) = self.program.exprs.kind(place)
            && let Some(&loc) = self.registers.get(symbol)
        {
            self.value_to(value, loc);
            return self.mark(loc);
        }
        // An aggregate goes from place to place without a stop.
        if let Rep::Bytes(size) = rep
            && self.program.is_place(value)
        {
            let (from, _) = self.written(value);
            let from = self.pointer(from);
            let (to, _) = self.written(place);
            let to = self.pointer(to);
            return self.slow(Slow::Copy { to, from, size });
        }
        let value = self.value(value);
        let (place, bits) = self.written(place);
        self.store(place, bits, value);
    }

    fn input_type(&mut self, e: ExprId) -> InputType {
        match *self.program.type_of(e) {
            Type::Bool => InputType::Bool,
            Type::Int { signed, width } => InputType::Int(signed, width),
            Type::Float(format) => InputType::Float(format),
            Type::Ptr(_) => InputType::Pointer(self.program.machine.pointer_width),
            _ => InputType::Bytes(self.program.size_of(self.program.exprs.ty(e)).unwrap_or(0)),
        }
    }

    fn callee(&mut self, callee: Callee) -> Target {
        match callee {
            Callee::Direct(function) => Target::Direct(function),
            Callee::Indirect(pointer) => Target::Indirect(self.value(pointer).reg),
        }
    }

    /// The representation of a call's result.
    fn result_of(&mut self, callee: Callee) -> Option<Rep> {
        let ty = match callee {
            Callee::Direct(function) => self.program.functions[function].ty,
            Callee::Indirect(pointer) => match *self.program.type_of(pointer) {
                Type::Ptr(to) => to,
                _ => return None,
            },
        };
        match *self.program.types.get(ty) {
            Type::Func(ret, _) => super::rep_of(self.program, ret),
            _ => None,
        }
    }

    fn call(&mut self, dest: Option<ExprId>, callee: Target, args: Box<[Loc]>, ret: Option<Rep>) {
        // The result goes straight to a variable in registers.
        let direct = dest.and_then(|e| match self.program.exprs.kind(e) {
            ExprKind::Symbol(symbol) if !self.environment.trace => {
                self.registers.get(symbol).copied()
            }
            _ => None,
        });
        let d = match (direct, dest, ret) {
            (Some(loc), ..) => Some(loc),
            (None, Some(_), Some(rep)) => Some(self.temp(rep)),
            _ => None,
        };
        self.code.calls.push(Call { callee, args, dest: d, ret });
        self.emit(Op::Call { call: self.code.calls.len() as u32 - 1 });
        match (direct, dest, d) {
            (Some(loc), ..) => self.mark(loc),
            (None, Some(dest), Some(d)) => self.write(dest, d),
            _ => {}
        }
    }
}
