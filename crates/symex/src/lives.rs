//! The creation and the end of objects: statics, variables, the heap.

use crate::content::Content;
use crate::eval::Value;
use crate::execute::{Executor, NO_SITE};
use crate::initial::{FreshId, Initial};
use crate::memory::{ObjectId, Origin};
use crate::pointer;
use crate::state::{ObjectState, State};
use crate::trace::{Step, StepKind};
use std::sync::Arc;
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::{InitPart, Program, Region, StaticInit, Symbol, SymbolId, SymbolKind};
use vergo_goto::types::Type;
use vergo_num::BitVec;
use vergo_source::Span;
use vergo_term::TermId;

/// A static's initial bytes are kept as they are up to this size; beyond it, value by value.
const MAX_IMAGE: u64 = 1 << 28;

impl Executor<'_> {
    /// Makes all statics with their initial values.
    pub(crate) fn make_statics(&mut self, state: &mut State) {
        for (symbol, info) in self.program.symbols.iter() {
            if let SymbolKind::Static { init, .. } = &info.kind {
                let bytes = self.eval.size_of(info.ty).unwrap_or(0);
                let size = self.eval.size(bytes);
                let origin = Origin::Static { writable: info.writable };
                let object = self.eval.objects.add(origin, Some(info.ty), size, info.align);
                self.eval.objects.set_static(symbol, object);
                if let (false, "", StaticInit::Data(parts)) = (info.writable, &*info.display, init)
                {
                    let constant = constant_bytes(parts, bytes);
                    self.eval.objects.get_mut(object).constant = constant;
                }
                let initial = match init {
                    StaticInit::Nondet => {
                        let value = self.eval.objects.new_fresh(name_of(info));
                        let kind = StepKind::Bytes { site: NO_SITE, value, size: bytes };
                        let guard = state.guard;
                        self.execution.trace.steps.push(Step { guard, span: Span::DUMMY, kind });
                        Initial::Fresh(value)
                    }
                    StaticInit::Data(parts) => image(self.program, parts, bytes),
                };
                self.add_object(state, object, initial, Some(bytes));
            }
        }
        // Constant addresses in initial values need all objects to be there.
        for (symbol, info) in self.program.symbols.iter() {
            if let SymbolKind::Static { init: StaticInit::Data(parts), .. } = &info.kind {
                self.fill_static(state, symbol, parts);
            }
        }
    }

    pub(crate) fn add_object(
        &mut self,
        state: &mut State,
        object: ObjectId,
        initial: Initial,
        size: Option<u64>,
    ) {
        let content = Content::new(initial, size);
        let live = self.eval.store.true_term();
        let made = state.guard;
        state.set_object(object, ObjectState { content, live, made });
    }

    /// Writes the initial values that are not in the static's image.
    fn fill_static(&mut self, state: &mut State, symbol: SymbolId, parts: &[InitPart]) {
        let Some(object) = self.eval.objects.static_object(symbol) else { return };
        let Some(mut filled) = state.object(object).cloned() else { return };
        let size = self.eval.size_of(self.program.symbols[symbol].ty).unwrap_or(0);
        let truth = self.eval.store.true_term();
        for part in parts {
            match part {
                InitPart::Value { offset, value } => {
                    if size <= MAX_IMAGE && constant(self.program, *value).is_some() {
                        continue;
                    }
                    self.eval.next_instruction();
                    let ty = self.program.exprs.ty(*value);
                    let value = self.eval.value(state, *value);
                    self.eval.put(&mut filled.content, *offset, None, ty, value);
                }
                InitPart::Bytes { offset, bytes } if size > MAX_IMAGE => {
                    for (i, &value) in bytes.iter().enumerate() {
                        let value = self.eval.store.bv_u64(8, value.into());
                        let at = offset + i as u64;
                        let byte = crate::scalar::BYTE;
                        filled.content.write(&mut self.eval.ctx(), at, byte, value, truth);
                    }
                }
                InitPart::Bytes { .. } => {}
            }
        }
        state.set_object(object, filled);
    }

    /// A new object whose bytes nobody has written.
    fn add_fresh(
        &mut self,
        state: &mut State,
        object: ObjectId,
        symbol: Option<SymbolId>,
        size: Option<u64>,
        span: Span,
    ) {
        let name = symbol.map_or("allocated", |symbol| name_of(&self.program.symbols[symbol]));
        let value = self.eval.objects.new_fresh(name);
        self.add_object(state, object, Initial::Fresh(value), size);
        self.note_birth(state, symbol, Some(value), object, span);
    }

    fn note_birth(
        &mut self,
        state: &State,
        symbol: Option<SymbolId>,
        value: Option<FreshId>,
        object: ObjectId,
        span: Span,
    ) {
        let kind = StepKind::New { symbol, value, object };
        self.execution.trace.steps.push(Step { guard: state.guard, span, kind });
    }

    /// A local variable comes to life, with bytes that nobody has written.
    pub(crate) fn declare(&mut self, state: &mut State, symbol: SymbolId, span: Span) {
        let info = &self.program.symbols[symbol];
        let object = self.bind(state, symbol);
        let size = self.eval.size_of(info.ty);
        if *self.program.types.get(info.ty) == Type::Bool {
            // It has no bytes.
            let fresh = self.eval.objects.new_fresh(name_of(info));
            self.add_object(state, object, Initial::Fresh(fresh), size);
        } else {
            self.add_fresh(state, object, Some(symbol), size, span);
        }
        self.note_object(state, object, Some(symbol));
    }

    /// A parameter comes to life with its value.
    pub(crate) fn declare_parameter(&mut self, state: &mut State, symbol: SymbolId, value: &Value) {
        let object = self.bind(state, symbol);
        let ty = self.program.symbols[symbol].ty;
        let mut content = Content::new(Initial::Zero, self.eval.size_of(ty));
        self.eval.put(&mut content, 0, None, ty, value.clone());
        let live = self.eval.store.true_term();
        let made = state.guard;
        state.set_object(object, ObjectState { content, live, made });
        if self.addressed.contains(&symbol) {
            self.note_birth(state, Some(symbol), None, object, Span::DUMMY);
        }
        self.note_object(state, object, Some(symbol));
    }

    /// The object of a variable's new life. A variable to which there can be no pointers has one object per call: nobody
    /// can tell its lives apart, and merges have nothing to do for those that have ended.
    fn bind(&mut self, state: &mut State, symbol: SymbolId) -> ObjectId {
        let info = &self.program.symbols[symbol];
        let size = self.eval.size_of(info.ty).unwrap_or(0);
        let size = self.eval.size(size);
        let home = self.home(state, symbol).or_else(|| self.frame().homes.get(&symbol).copied());
        let object = match home {
            Some(home) => home,
            None => {
                let origin = Origin::Local { writable: info.writable };
                let object = self.eval.objects.add(origin, Some(info.ty), size, info.align);
                if !self.addressed.contains(&symbol) {
                    self.frame().homes.insert(symbol, object);
                }
                self.frame().objects.push(object);
                object
            }
        };
        let zero = self.eval.size(0);
        let pointer = pointer::make(self.eval.store, object, zero);
        state.bind(self.eval.depth, symbol, pointer);
        object
    }

    /// The object that a variable has in every segment, unless there may be pointers to an earlier life of it.
    fn home(&self, state: &State, symbol: SymbolId) -> Option<ObjectId> {
        let home = *self.cuts.locals.get(&symbol).filter(|_| self.execution.frames.len() == 1)?;
        let safe = state.object(home).is_none() || !self.addressed.contains(&symbol);
        safe.then_some(home)
    }

    /// A local variable dies.
    pub(crate) fn end_lifetime(&mut self, state: &mut State, symbol: SymbolId) {
        let Some(pointer) = state.binding(self.eval.depth, symbol) else { return };
        let is_addressed = self.addressed.contains(&symbol);
        for target in &self.eval.objects.targets(self.eval.store, pointer).known {
            if !is_addressed {
                state.remove_object(target.object);
                continue;
            }
            self.kill(state, target.object, target.guard);
        }
    }

    /// An object dies where a condition holds.
    fn kill(&mut self, state: &mut State, object: ObjectId, dies: TermId) {
        let Some(mut killed) = state.object(object).cloned() else { return };
        self.note_end(state, object, dies);
        if dies == self.eval.store.true_term() {
            killed.content = Content::new(Initial::Zero, None);
        }
        let died = self.eval.store.and(state.guard, dies);
        self.eval.objects.died(object, died);
        let lives = self.eval.store.not(dies);
        killed.live = self.eval.store.and(killed.live, lives);
        state.set_object(object, killed);
    }

    #[allow(clippy::too_many_arguments, reason = "the instruction has that many parts")]
    pub(crate) fn allocate(
        &mut self,
        state: &mut State,
        dest: ExprId,
        size: ExprId,
        align: u64,
        region: Region,
        zeroed: bool,
        span: Span,
    ) {
        let size_ty = self.program.exprs.ty(size);
        let wide = self.eval.term(state, size);
        let size = self.eval.resized(size_ty, wide);
        let origin = match region {
            Region::Heap => Origin::Heap,
            Region::Stack => Origin::Stack,
        };
        // Half the address space or more is not to be had.
        let width = self.eval.objects.width();
        let limit = self.eval.store.bv_const(BitVec::min_signed(width));
        let granted = self.eval.store.bv_ult(size, limit);
        let object = match self.allocation_home(state) {
            Some(home) => {
                self.eval.objects.set_size(home, size);
                home
            }
            None => {
                let object = self.eval.objects.add(origin, None, size, align);
                self.keep_as_home(object);
                object
            }
        };
        let bytes = self.eval.store.bv_value(size).and_then(BitVec::to_u64);
        let outer = state.guard;
        state.guard = self.eval.store.and(outer, granted);
        self.eval.objects.made_if(self.eval.store, object, state.guard);
        if zeroed {
            self.add_object(state, object, Initial::Zero, bytes);
            self.note_birth(state, None, None, object, span);
        } else {
            self.add_fresh(state, object, None, bytes, span);
        }
        self.note_object(state, object, None);
        state.guard = outer;
        if region == Region::Stack {
            self.frame().objects.push(object);
        }
        let zero = self.eval.size(0);
        let pointer = pointer::make(self.eval.store, object, zero);
        let null = self.eval.zero_pointer();
        let pointer = self.eval.store.ite(granted, pointer, null);
        let place = self.eval.place(state, dest);
        self.eval.store_to(state, &place, &Value::Term(pointer));
    }

    /// An object that the present allocation has in every segment and that is not in use.
    fn allocation_home(&self, state: &State) -> Option<ObjectId> {
        let [entry] = &self.execution.frames[..] else { return None };
        let homes = self.cuts.allocations.get(&entry.at)?;
        homes.iter().copied().find(|&home| state.object(home).is_none())
    }

    /// Makes a new object one that the present allocation has in every segment, if it may have more.
    fn keep_as_home(&mut self, object: ObjectId) {
        let [entry] = &self.execution.frames[..] else { return };
        let max_rounds = self.cuts.max_rounds as usize;
        if let Some(homes) = self.cuts.allocations.get_mut(&entry.at)
            && homes.len() < max_rounds
            && object.number() <= crate::segment::MAX_HOME
        {
            homes.push(object);
        }
    }

    /// Frees what a pointer points to; what is no base of a live object of the region is a fault.
    pub(crate) fn free(&mut self, state: &mut State, pointer: ExprId, region: Region) {
        let pointer = self.eval.term(state, pointer);
        let wanted = match region {
            Region::Heap => Origin::Heap,
            Region::Stack => Origin::Stack,
        };
        let (targets, nowhere) = self.eval.targets(state, pointer);
        if nowhere != self.eval.store.false_term() {
            let null = self.eval.zero_pointer();
            let other = self.eval.store.ne(pointer, null);
            let bad = self.eval.store.and(nowhere, other);
            self.eval.fault(bad, "memory.invalid-free");
        }
        for target in targets {
            let live = state.object(target.object).map(|object| object.live);
            let Some(live) = live.filter(|_| self.eval.objects.get(target.object).origin == wanted)
            else {
                self.eval.fault(target.guard, "memory.invalid-free");
                continue;
            };
            let zero = self.eval.size(0);
            let at_start = self.eval.store.eq(target.offset, zero);
            let fine = self.eval.store.and(at_start, live);
            let not_fine = self.eval.store.not(fine);
            let bad = self.eval.store.and(target.guard, not_fine);
            self.eval.fault(bad, "memory.invalid-free");
            let dies = self.eval.store.and(target.guard, at_start);
            self.kill(state, target.object, dies);
        }
    }
}

/// Returns the user's name of a variable.
fn name_of(symbol: &Symbol) -> &str {
    if symbol.display.is_empty() { &symbol.name } else { &symbol.display }
}

/// The bytes of a static that are constants.
fn image(program: &Program, parts: &[InitPart], size: u64) -> Initial {
    if size > MAX_IMAGE {
        return Initial::Zero;
    }
    let mut bytes: Vec<u8> = Vec::new();
    let mut put = |offset: u64, part: &[u8]| {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let Some(end) = start.checked_add(part.len()).filter(|&end| end as u64 <= size) else {
            return;
        };
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[start..end].copy_from_slice(part);
    };
    for part in parts {
        match part {
            InitPart::Bytes { offset, bytes } => put(*offset, bytes),
            InitPart::Value { offset, value } => {
                if let Some(part) = constant(program, *value) {
                    put(*offset, &part);
                }
            }
        }
    }
    if bytes.iter().all(|&byte| byte == 0) {
        return Initial::Zero;
    }
    Initial::Image(Arc::from(bytes))
}

/// The bytes of a constant without a name that is not too long to be compared with others.
fn constant_bytes(parts: &[InitPart], size: u64) -> Option<Arc<[u8]>> {
    const MAX_CONSTANT: u64 = 1 << 16;
    let mut all = vec![0; usize::try_from(size).ok().filter(|_| size <= MAX_CONSTANT)?];
    for part in parts {
        let InitPart::Bytes { offset, bytes } = part else { return None };
        let start = usize::try_from(*offset).ok()?;
        all.get_mut(start..start.checked_add(bytes.len())?)?.copy_from_slice(bytes);
    }
    (!all.is_empty()).then(|| all.into())
}

/// The bytes of an integer constant.
fn constant(program: &Program, value: ExprId) -> Option<Vec<u8>> {
    let (ExprKind::Int(bits), &Type::Int { signed, .. }) =
        (program.exprs.kind(value), program.types.get(program.exprs.ty(value)))
    else {
        return None;
    };
    let width = u32::try_from(program.size_of(program.exprs.ty(value))? * 8).ok()?;
    let bits = if signed { bits.resize_signed(width) } else { bits.resize_unsigned(width) };
    Some(bits.to_le_bytes())
}
