//! Gives each access of memory that another thread may reach an instruction of its own.
//!
//! **Idea.** An instruction of GOTO is one step, and other threads run between steps. In C, `x = x + y` reads twice and
//! writes once, and another thread may run between any two of these. So each read of such memory is put into a temporary
//! first, in the order of evaluation, and the instruction is left with one access: its write. An operand that is evaluated
//! only under a condition and reads such memory is evaluated behind a branch.
//!
//! Only programs that start threads are split, and in them only instructions outside of atomic sections. Memory that another
//! thread may reach is what lies behind a pointer, writable static variables, and local variables whose address somebody takes.
//! An aggregate is read and written in one step. A place is read as often as the source reads it, which the spans of an
//! instruction's parts say: twice in `x + x`, and once where only the lowering of C has made two of one.
//!
//! Claims are inserted afterwards: a claim then looks at the value that its operation uses, and not at one that another thread
//! has changed meanwhile.

use crate::Options;
use cranelift_entity::{EntityRef, EntitySet};
use rustc_hash::FxHashMap;
use vergo_goto::build::FunctionBuilder;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::{
    Callee, FunctionId, Instr, InstrKind, LabelId, Program, Symbol, SymbolId, SymbolKind,
};
use vergo_goto::types::TypeId;
use vergo_source::Span;

/// The pass.
pub fn run(program: &mut Program, _: &Options) {
    if !has_threads(program) {
        return;
    }
    let addressed = addressed(program);
    for function in program.functions.keys() {
        let Some(body) = program.functions[function].body.take() else { continue };
        let n_labels = program.functions[function].n_labels;
        let atomic = in_sections(&body, n_labels as usize);
        let mut splitter = Splitter {
            program,
            addressed: &addressed,
            function,
            out: FunctionBuilder::continuing(n_labels, body.len()),
            values: FxHashMap::default(),
            reads: FxHashMap::default(),
            left: FxHashMap::default(),
            temporaries: Vec::new(),
            span: Span::DUMMY,
            parts: Vec::new(),
        };
        for (instr, atomic) in body.into_iter().zip(atomic) {
            if atomic {
                splitter.out.push_instr(instr);
            } else {
                splitter.instruction(instr);
            }
        }
        let out = splitter.out;
        out.finish(program, function);
    }
}

/// Returns whether a program starts threads.
pub fn has_threads(program: &Program) -> bool {
    let bodies = program.functions.values().flat_map(|function| function.body.iter().flatten());
    bodies.into_iter().any(|instr| matches!(instr.kind, InstrKind::Spawn { .. }))
}

/// The variables whose address, or that of a part of which, is taken.
pub(crate) fn addressed(program: &Program) -> EntitySet<SymbolId> {
    let mut addressed = EntitySet::new();
    for (_, expr) in program.exprs.iter() {
        if let ExprKind::AddressOf(place) = expr.kind {
            addressed.extend(program.root_variable(place));
        }
    }
    addressed
}

/// Returns whether another thread may reach a place.
pub(crate) fn is_shared(
    program: &Program,
    addressed: &EntitySet<SymbolId>,
    place: ExprId,
) -> bool {
    let Some(symbol) = program.root_variable(place) else { return true };
    let info = &program.symbols[symbol];
    match info.kind {
        SymbolKind::Static { thread_local: false, .. } => info.writable,
        SymbolKind::Static { .. } | SymbolKind::Local(_) | SymbolKind::Param(_) => {
            addressed.contains(symbol)
        }
    }
}

/// For each instruction, whether it stands in an atomic section that the function itself has opened, on whatever way it
/// is reached.
fn in_sections(body: &[Instr], n_labels: usize) -> Vec<bool> {
    let mut position = vec![body.len(); n_labels];
    for (i, instr) in body.iter().enumerate() {
        if let InstrKind::Label(label) = instr.kind {
            position[label.index()] = i;
        }
    }
    // The least number of open sections before each instruction.
    let mut depth: Vec<Option<u32>> = vec![None; body.len()];
    let mut pending = vec![(0, 0)];
    while let Some((i, before)) = pending.pop() {
        if i >= body.len() || depth[i].is_some_and(|known| known <= before) {
            continue;
        }
        depth[i] = Some(before);
        let after = match body[i].kind {
            InstrKind::AtomicBegin => before + 1,
            InstrKind::AtomicEnd => before.saturating_sub(1),
            _ => before,
        };
        if let InstrKind::Goto(_, label) = body[i].kind {
            pending.push((position[label.index()], after));
        }
        if body[i].kind.falls_through() {
            pending.push((i + 1, after));
        }
    }
    depth.into_iter().map(|depth| depth.is_none_or(|depth| depth > 0)).collect()
}

/// The places among the parts of an instruction that the source reads more than once, and how often.
fn repeated(parts: &[(ExprId, Span)]) -> FxHashMap<ExprId, u32> {
    let mut times: FxHashMap<ExprId, u32> = FxHashMap::default();
    for &(part, _) in parts {
        *times.entry(part).or_default() += 1;
    }
    times.retain(|_, times| *times > 1);
    times
}

struct Splitter<'a> {
    program: &'a mut Program,
    addressed: &'a EntitySet<SymbolId>,
    function: FunctionId,
    out: FunctionBuilder,
    /// The variables that hold the values of expressions that have been read.
    values: FxHashMap<ExprId, ExprId>,
    /// For each expression, whether its evaluation reads memory that another thread may reach.
    reads: FxHashMap<ExprId, bool>,
    /// The number of further reads of places that the source reads more than once.
    left: FxHashMap<ExprId, u32>,
    /// The temporaries of the instruction under work.
    temporaries: Vec<SymbolId>,
    span: Span,
    parts: Vec<(ExprId, Span)>,
}

impl Splitter<'_> {
    fn instruction(&mut self, instr: Instr) {
        // What an instruction gives when it is over is written later than what it reads.
        let gives = match &instr.kind {
            InstrKind::Call { dest, .. }
            | InstrKind::Spawn { dest, .. }
            | InstrKind::Join { dest, .. }
            | InstrKind::Intrinsic { dest, .. } => *dest,
            InstrKind::Alloc { dest, .. } => Some(*dest),
            _ => None,
        };
        let gives = gives.is_some_and(|dest| is_shared(self.program, self.addressed, dest));
        self.left = repeated(&instr.parts);
        if !gives && self.n_accesses(&instr.kind) < 2 {
            return self.out.push_instr(instr);
        }
        self.values.clear();
        self.temporaries.clear();
        self.span = instr.span;
        self.parts = instr.parts.to_vec();
        let goes_on = !matches!(instr.kind, InstrKind::Goto(..)) && instr.kind.falls_through();
        self.split(instr.kind);
        if goes_on {
            for symbol in std::mem::take(&mut self.temporaries) {
                self.push(InstrKind::Dead(symbol));
            }
        }
    }

    fn split(&mut self, mut kind: InstrKind) {
        match &mut kind {
            InstrKind::Assign(place, value) => {
                *value = self.value(*value);
                *place = self.place(*place);
            }
            InstrKind::Assume(e)
            | InstrKind::Assert(e, _)
            | InstrKind::Goto(Some(e), _)
            | InstrKind::Return(Some(e))
            | InstrKind::Free(e, _)
            | InstrKind::End(vergo_goto::program::Exit::Status(e)) => *e = self.value(*e),
            InstrKind::Call { dest, callee, args } => {
                self.callee(callee);
                args.iter_mut().for_each(|e| *e = self.value(*e));
                let to = dest.take();
                return self.with_result(to, kind);
            }
            InstrKind::Alloc { dest, size, .. } => {
                *size = self.value(*size);
                let to = *dest;
                let (result, place) = self.result(to);
                *dest = result;
                self.push(kind);
                return self.give(place, result);
            }
            InstrKind::Spawn { dest, callee, arg } => {
                self.callee(callee);
                *arg = self.value(*arg);
                let to = dest.take();
                return self.with_result(to, kind);
            }
            InstrKind::Join { thread, dest } => {
                *thread = self.value(*thread);
                let to = dest.take();
                return self.with_result(to, kind);
            }
            InstrKind::Intrinsic { dest, args, .. } => {
                args.iter_mut().for_each(|e| *e = self.value(*e));
                let to = dest.take();
                return self.with_result(to, kind);
            }
            _ => {}
        }
        self.push(kind);
    }

    /// Pushes an instruction with a result, which goes to a place afterwards.
    fn with_result(&mut self, to: Option<ExprId>, mut kind: InstrKind) {
        let Some(to) = to else { return self.push(kind) };
        let (result, place) = self.result(to);
        if let InstrKind::Call { dest, .. }
        | InstrKind::Spawn { dest, .. }
        | InstrKind::Join { dest, .. }
        | InstrKind::Intrinsic { dest, .. } = &mut kind
        {
            *dest = Some(result);
        }
        self.push(kind);
        self.give(place, result);
    }

    /// Where an instruction's result goes first, and then, if that is a step of its own.
    fn result(&mut self, to: ExprId) -> (ExprId, Option<ExprId>) {
        if is_shared(self.program, self.addressed, to) || self.address_reads(to) {
            (self.temporary(self.program.exprs.ty(to)), Some(to))
        } else {
            (to, None)
        }
    }

    fn give(&mut self, place: Option<ExprId>, result: ExprId) {
        if let Some(place) = place {
            // What was read before may have changed.
            self.values.clear();
            let place = self.place(place);
            self.push(InstrKind::Assign(place, result));
        }
    }

    fn callee(&mut self, callee: &mut Callee) {
        if let Callee::Indirect(pointer) = callee {
            *pointer = self.value(*pointer);
        }
    }

    fn push(&mut self, kind: InstrKind) {
        let parts = self.parts.clone().into();
        self.out.push_instr(Instr { kind, span: self.span, parts });
    }

    /// A new variable of this function; its life begins here.
    fn temporary(&mut self, ty: TypeId) -> ExprId {
        let align = self.program.types.align_of(ty, &self.program.machine);
        let number = self.program.symbols.len();
        let symbol = self.program.add_symbol(Symbol {
            name: format!("$read{number}"),
            display: String::new(),
            ty,
            kind: SymbolKind::Local(self.function),
            span: self.span,
            align,
            writable: true,
        });
        self.temporaries.push(symbol);
        self.push(InstrKind::Decl(symbol));
        self.program.symbol(symbol)
    }

    /// An expression of the same value that reads nothing which another thread may reach, the reads being made.
    fn value(&mut self, expr: ExprId) -> ExprId {
        if let Some(&value) = self.values.get(&expr)
            && !self.is_read_again(expr)
        {
            return value;
        }
        if !self.value_reads(expr) {
            return expr;
        }
        let value = stacker::maybe_grow(64 << 10, 1 << 20, || self.read_value(expr));
        self.values.insert(expr, value);
        value
    }

    /// Returns whether the source reads a part of the expression again whose value is known from an earlier read.
    fn is_read_again(&self, expr: ExprId) -> bool {
        if self.left.values().all(|&left| left == 0) {
            return false;
        }
        let (mut seen, mut pending) = (EntitySet::new(), vec![expr]);
        while let Some(expr) = pending.pop() {
            if seen.insert(expr) {
                if self.left.get(&expr).is_some_and(|&left| left > 0) {
                    return true;
                }
                self.program.exprs.kind(expr).for_each_child(|child| pending.push(child));
            }
        }
        false
    }

    fn read_value(&mut self, expr: ExprId) -> ExprId {
        let ty = self.program.exprs.ty(expr);
        if self.program.is_place(expr) {
            let place = self.place(expr);
            if !is_shared(self.program, self.addressed, expr) {
                return place;
            }
            if let Some(&(_, span)) = self.parts.iter().find(|(part, _)| *part == expr) {
                self.parts.push((place, span));
            }
            let read = self.temporary(ty);
            self.push(InstrKind::Assign(read, place));
            if let Some(left) = self.left.get_mut(&expr) {
                *left = left.saturating_sub(1);
            }
            return read;
        }
        let kind = match self.program.exprs.kind(expr).clone() {
            ExprKind::AddressOf(place) => ExprKind::AddressOf(self.place(place)),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Implies, a, b) if self.value_reads(b) => {
                let is_and = matches!(
                    self.program.exprs.kind(expr),
                    ExprKind::Binary(BinaryOp::And, ..)
                );
                let otherwise = self.program.bool(!is_and);
                return self.choice(a, b, otherwise, ty);
            }
            ExprKind::Binary(BinaryOp::Or, a, b) if self.value_reads(b) => {
                let otherwise = self.program.bool(true);
                return self.choice(a, otherwise, b, ty);
            }
            ExprKind::Ite(c, a, b) if self.value_reads(a) || self.value_reads(b) => {
                return self.choice(c, a, b, ty);
            }
            kind => kind.map_children(|child| self.value(child)),
        };
        self.program.exprs.intern(kind, ty)
    }

    /// `c ? a : b` by branches, in a temporary.
    fn choice(&mut self, c: ExprId, a: ExprId, b: ExprId, ty: TypeId) -> ExprId {
        let c = self.value(c);
        let result = self.temporary(ty);
        let (other, end): (LabelId, LabelId) = (self.out.new_label(), self.out.new_label());
        let not = self.program.not(c);
        self.push(InstrKind::Goto(Some(not), other));
        // What is read on one way only is not known behind it.
        let known = self.values.clone();
        let value = self.value(a);
        self.push(InstrKind::Assign(result, value));
        self.push(InstrKind::Goto(None, end));
        self.push(InstrKind::Label(other));
        self.values.clone_from(&known);
        let value = self.value(b);
        self.push(InstrKind::Assign(result, value));
        self.push(InstrKind::Label(end));
        self.values = known;
        result
    }

    /// The same place, reached by what has been read.
    fn place(&mut self, place: ExprId) -> ExprId {
        if !self.address_reads(place) {
            return place;
        }
        let ty = self.program.exprs.ty(place);
        let kind = match *self.program.exprs.kind(place) {
            ExprKind::Deref(pointer) => ExprKind::Deref(self.value(pointer)),
            ExprKind::Member(base, member) => ExprKind::Member(self.place(base), member),
            ExprKind::Index(base, index) => {
                let base = self.place(base);
                ExprKind::Index(base, self.value(index))
            }
            _ => return self.value(place),
        };
        let mapped = self.program.exprs.intern(kind, ty);
        if let Some(&(_, span)) = self.parts.iter().find(|(part, _)| *part == place) {
            self.parts.push((mapped, span));
        }
        mapped
    }

    /// Counts an instruction's accesses to memory that another thread may reach, up to two, which are as good as many.
    fn n_accesses(&mut self, kind: &InstrKind) -> u32 {
        let (mut n, mut written) = (0, Vec::new());
        let mut read = Vec::new();
        kind.for_each_expr(|expr, role| match role {
            vergo_goto::rewrite::Role::Read => read.push(expr),
            vergo_goto::rewrite::Role::Write => written.push(expr),
        });
        let mut seen = EntitySet::new();
        for expr in read {
            n += self.n_reads(expr, &mut seen);
        }
        for place in written {
            n += u32::from(is_shared(self.program, self.addressed, place));
            n += self.n_address_reads(place, &mut seen);
        }
        n
    }

    fn n_reads(&mut self, expr: ExprId, seen: &mut EntitySet<ExprId>) -> u32 {
        if !self.value_reads(expr) || !seen.insert(expr) {
            return 0;
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            if self.program.is_place(expr) {
                let own = match is_shared(self.program, self.addressed, expr) {
                    true => self.left.get(&expr).copied().unwrap_or(1),
                    false => 0,
                };
                return own + self.n_address_reads(expr, seen);
            }
            if let ExprKind::AddressOf(place) = *self.program.exprs.kind(expr) {
                return self.n_address_reads(place, seen);
            }
            let mut children = Vec::new();
            self.program.exprs.kind(expr).for_each_child(|child| children.push(child));
            children.into_iter().map(|child| self.n_reads(child, seen)).sum()
        })
    }

    fn n_address_reads(&mut self, mut place: ExprId, seen: &mut EntitySet<ExprId>) -> u32 {
        let mut n = 0;
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    n += self.n_reads(index, seen);
                    place = base;
                }
                ExprKind::Deref(pointer) => return n + self.n_reads(pointer, seen),
                ExprKind::Symbol(_) => return n,
                _ => return n + self.n_reads(place, seen),
            }
        }
    }

    /// Returns whether the value of an expression depends on a read of memory that another thread may reach.
    fn value_reads(&mut self, expr: ExprId) -> bool {
        if let Some(&known) = self.reads.get(&expr) {
            return known;
        }
        let reads = stacker::maybe_grow(64 << 10, 1 << 20, || {
            if self.program.is_place(expr) {
                return is_shared(self.program, self.addressed, expr) || self.address_reads(expr);
            }
            if let ExprKind::AddressOf(place) = *self.program.exprs.kind(expr) {
                return self.address_reads(place);
            }
            let mut children = Vec::new();
            self.program.exprs.kind(expr).for_each_child(|child| children.push(child));
            children.into_iter().any(|child| self.value_reads(child))
        });
        self.reads.insert(expr, reads);
        reads
    }

    /// Returns whether the address of a place depends on such a read.
    fn address_reads(&mut self, mut place: ExprId) -> bool {
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    if self.value_reads(index) {
                        return true;
                    }
                    place = base;
                }
                ExprKind::Deref(pointer) => return self.value_reads(pointer),
                ExprKind::Symbol(_) => return false,
                _ => return self.value_reads(place),
            }
        }
    }
}
