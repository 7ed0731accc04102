//! Places: where an expression is in memory, and reading and writing there.
//!
//! A place is a choice among objects, read off the pointer's own term. An access outside of the bounds of a live object
//! is a *fault*: reading it yields any value, writing it has no effect, and the trace says under which condition it
//! happens, since the interpreter stops there.

use crate::content::{Content, Indexed};
use crate::eval::{Evaluator, Value, read_bytes, write_bits};
use crate::initial::Initial;
use crate::memory::{ObjectId, Origin};
use crate::pointer::{self, OBJECT_BITS, Target, Targets};
use crate::region::Element;
use crate::scalar::{BYTE, Scalar};
use crate::state::{ObjectState, State};
use vergo_goto::expr::{ExprId, ExprKind};
use vergo_goto::program::SymbolId;
use vergo_goto::types::{Type, TypeId};
use vergo_num::BitVec;
use vergo_term::{TermId, TermStore};

/// Where a place is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    targets: Vec<Target>,
    /// The condition that it is in no object.
    nowhere: TermId,
    /// Where the outermost array that is indexed begins in its object, if that is known.
    array: Option<u64>,
    /// The type that the pointer or that array was of.
    element: TypeId,
    /// First bit and width of a bit-field.
    bits: Option<(u32, u32)>,
    ty: TypeId,
}

impl Place {
    /// First bit and width of a bit-field.
    pub(crate) fn bits(&self) -> Option<(u32, u32)> {
        self.bits
    }

    /// The type of what is there.
    pub(crate) fn ty(&self) -> TypeId {
        self.ty
    }
}

/// Aggregates of more scalars than this are not taken apart.
const MAX_UNITS: usize = 4096;

impl Evaluator<'_> {
    /// Where a place is.
    pub(crate) fn place(&mut self, state: &mut State, expr: ExprId) -> Place {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        // The steps from the root to the place.
        let mut steps = Vec::new();
        let mut root = expr;
        while let ExprKind::Member(base, _) | ExprKind::Index(base, _) = *program.exprs.kind(root) {
            steps.push(root);
            root = base;
        }
        let root_ty = program.exprs.ty(root);
        let pointer = match *program.exprs.kind(root) {
            ExprKind::Symbol(symbol) => self.symbol(state, symbol),
            ExprKind::Deref(pointer) => self.term(state, pointer),
            _ => self.zero_pointer(),
        };
        let (targets, nowhere) = self.targets(state, pointer);
        let mut place = Place { targets, nowhere, array: None, element: root_ty, bits: None, ty };
        for step in steps.into_iter().rev() {
            match *program.exprs.kind(step) {
                ExprKind::Member(base, member) => {
                    let Some((offset, bits)) = self.field(program.exprs.ty(base), member) else {
                        continue;
                    };
                    place.bits = bits;
                    let offset = self.size(offset);
                    self.advance(&mut place, offset);
                }
                ExprKind::Index(base, index) => {
                    if place.array.is_none()
                        && let [target] = place.targets[..]
                    {
                        place.array = self.store.bv_value(target.offset).and_then(BitVec::to_u64);
                    }
                    let &Type::Array(element, _) = program.types.get(program.exprs.ty(base)) else {
                        continue;
                    };
                    let size = program.size_of(element).unwrap_or(1);
                    let offset = self.scaled_index(state, index, size);
                    self.advance(&mut place, offset);
                }
                _ => {}
            }
        }
        place
    }

    /// Writes bytes behind a pointer, each where its condition holds and it is inside of a live object. Elsewhere it is a
    /// fault.
    pub(crate) fn store_bytes(
        &mut self,
        state: &mut State,
        pointer: TermId,
        bytes: &[(TermId, TermId)],
    ) {
        let (targets, nowhere) = self.targets(state, pointer);
        if let Some(&(guard, _)) = bytes.first() {
            let lost = self.store.and(nowhere, guard);
            self.fault(lost, "memory.null");
        }
        for target in targets {
            for (i, &(guard, byte)) in bytes.iter().enumerate() {
                let guard = self.store.and(target.guard, guard);
                let by = self.size(i as u64);
                let offset = self.store.bv_add(target.offset, by);
                let here = Target { guard, object: target.object, offset };
                let fine = self.accessible(state, &here, 1);
                let guard = self.store.and(guard, fine);
                if guard == self.store.false_term() {
                    continue;
                }
                if let Origin::Static { writable: false } = self.objects.get(target.object).origin {
                    self.fault(guard, "memory.read-only");
                    continue;
                }
                self.touches(state, target.object, true);
                let Some(object) = state.object_mut(target.object) else { continue };
                match self.store.bv_value(offset).and_then(BitVec::to_u64) {
                    Some(at) => object.content.write(&mut self.ctx(), at, BYTE, byte, guard),
                    None => {
                        let object_ty = self.objects.get(target.object).ty;
                        let at = Indexed { object_ty, offset, array: None, element: Element::Byte };
                        object.content.write_at(&mut self.ctx(), &at, BYTE, byte, guard);
                    }
                }
            }
        }
    }

    /// The object and constant offset of a pointer to some bytes that surely exist.
    pub(crate) fn sure_bytes(
        &mut self,
        state: &State,
        pointer: TermId,
        size: u64,
    ) -> Option<(ObjectId, u64)> {
        let (targets, nowhere) = self.targets(state, pointer);
        let [target] = targets[..] else { return None };
        let truth = self.store.true_term();
        let sure = nowhere == self.store.false_term()
            && target.guard == truth
            && state.object(target.object)?.live == truth
            && self.in_bounds(&target, size) == truth;
        let offset = self.store.bv_value(target.offset).and_then(BitVec::to_u64)?;
        sure.then_some((target.object, offset))
    }

    pub(crate) fn zero_pointer(&mut self) -> TermId {
        self.store.bv_u64(self.objects.pointer_width(), 0)
    }

    fn advance(&mut self, place: &mut Place, offset: TermId) {
        for target in &mut place.targets {
            target.offset = self.store.bv_add(target.offset, offset);
        }
    }

    fn scaled_index(&mut self, state: &mut State, index: ExprId, size: u64) -> TermId {
        let value = self.term(state, index);
        let word = self.resized(self.program.exprs.ty(index), value);
        let size = self.size(size);
        self.store.bv_mul(word, size)
    }

    /// The pointer to a variable.
    pub(crate) fn symbol(&mut self, state: &State, symbol: SymbolId) -> TermId {
        if let Some(object) = self.objects.static_object(symbol) {
            let zero = self.size(0);
            return pointer::make(self.store, object, zero);
        }
        state.binding(self.depth, symbol).unwrap_or_else(|| self.zero_pointer())
    }

    /// The objects that a pointer can point to in this state, and when it points to none.
    pub(crate) fn targets(&mut self, state: &State, pointer: TermId) -> (Vec<Target>, TermId) {
        let targets = self.objects.targets(self.store, pointer);
        let mut nowhere = self.store.false_term();
        let mut all = Vec::with_capacity(targets.known.len());
        let mut loose = None;
        for &target in &targets.known {
            if target.object == ObjectId::NONE {
                loose = Some(target);
            } else {
                all.push(target);
            }
        }
        if let Some(Target { guard, offset, .. }) = loose {
            nowhere = match self.objects.outside {
                Some(_) => self.attach_seen(guard, offset, &mut all),
                None => self.attach(state, guard, offset, &mut all),
            };
        }
        for &(guard, unknown) in &targets.unknown {
            let number = pointer::object(self.store, unknown);
            let offset = pointer::offset(self.store, unknown);
            let candidates = match pointer::candidates(self.store, unknown) {
                Some(candidates) => candidates,
                None if self.objects.outside.is_some() => Vec::new(),
                None => state.objects().map(|(object, _)| object).collect(),
            };
            let mut rest = guard;
            for object in candidates {
                let wanted = self.store.bv_u64(OBJECT_BITS, object.number());
                let is_it = self.store.eq(number, wanted);
                let here = self.store.and(guard, is_it);
                if here == self.store.false_term() {
                    continue;
                }
                let is_not = self.store.not(is_it);
                rest = self.store.and(rest, is_not);
                match all.iter_mut().find(|target| target.object == object) {
                    Some(target) => {
                        target.offset = self.store.ite(here, offset, target.offset);
                        target.guard = self.store.or(target.guard, here);
                    }
                    None => all.push(Target { guard: here, object, offset }),
                }
            }
            nowhere = self.store.or(nowhere, rest);
        }
        (all, nowhere)
    }

    pub(crate) fn address_of(&mut self, state: &mut State, expr: ExprId) -> TermId {
        // The same walk as for places, but on pointers, so that no choice among objects has to be made.
        let program = self.program;
        match *program.exprs.kind(expr) {
            ExprKind::Symbol(symbol) => self.symbol(state, symbol),
            ExprKind::Deref(pointer) => self.term(state, pointer),
            ExprKind::Member(base, member) => {
                let pointer = self.address_of(state, base);
                let offset =
                    self.field(program.exprs.ty(base), member).map_or(0, |(offset, _)| offset);
                let offset = self.size(offset);
                self.moved(pointer, offset)
            }
            ExprKind::Index(base, index) => {
                let pointer = self.address_of(state, base);
                let &Type::Array(element, _) = program.types.get(program.exprs.ty(base)) else {
                    return pointer;
                };
                let size = program.size_of(element).unwrap_or(1);
                let offset = self.scaled_index(state, index, size);
                self.moved(pointer, offset)
            }
            _ => self.zero_pointer(),
        }
    }

    /// A pointer moved by a number of bytes.
    pub(crate) fn moved(&mut self, pointer: TermId, by: TermId) -> TermId {
        let object = pointer::object(self.store, pointer);
        // Selections stay outside, so that the objects can be read off again.
        if self.store.is_value(object) {
            let offset = pointer::offset(self.store, pointer);
            let offset = self.store.bv_add(offset, by);
            return self.store.bv_concat(object, offset);
        }
        let targets = self.objects.targets(self.store, pointer);
        let mut there = Targets::default();
        let mut moved = None;
        for &(guard, unknown) in &targets.unknown {
            let object = pointer::object(self.store, unknown);
            let offset = pointer::offset(self.store, unknown);
            let offset = self.store.bv_add(offset, by);
            let here = self.store.bv_concat(object, offset);
            there.unknown.push((guard, here));
            moved = Some(match moved {
                Some(others) => self.store.ite(guard, here, others),
                None => here,
            });
        }
        for target in &targets.known {
            let offset = self.store.bv_add(target.offset, by);
            let here = pointer::make(self.store, target.object, offset);
            there.known.push(Target { offset, ..*target });
            moved = Some(match moved {
                Some(others) => self.store.ite(target.guard, here, others),
                None => here,
            });
        }
        if let Some(moved) = moved {
            self.objects.set_targets(moved, there);
        }
        moved.unwrap_or(pointer)
    }

    /// Notes that an access under a condition has no meaning.
    pub(crate) fn fault(&mut self, condition: TermId, what: &'static str) {
        let condition = self.store.and(self.reached, condition);
        if condition != self.store.false_term() {
            self.faults.push((condition, what));
        }
    }

    /// When an access of some bytes at a target is inside of a live object; where it is not, that is a fault.
    fn accessible(&mut self, state: &State, target: &Target, size: u64) -> TermId {
        let live = match state.object(target.object) {
            Some(object) => object.live,
            None => self.store.false_term(),
        };
        let inside = self.in_bounds(target, size);
        let truth = self.store.true_term();
        if live != truth {
            let dead = self.store.not(live);
            let dead = self.store.and(target.guard, dead);
            self.fault(dead, "memory.lifetime");
        }
        if inside != truth {
            let outside = self.store.not(inside);
            let outside = self.store.and(target.guard, outside);
            self.fault(outside, "memory.bounds");
        }
        self.store.and(live, inside)
    }

    /// Checks whether an access of some bytes at a target is inside of its object.
    pub(crate) fn in_bounds(&mut self, target: &Target, size: u64) -> TermId {
        let object_size = self.objects.get(target.object).size;
        let word = |store: &TermStore, term| store.bv_value(term).and_then(BitVec::to_u64);
        let words = (word(self.store, object_size), word(self.store, target.offset));
        if let (Some(object_size), Some(offset)) = words {
            let inside = object_size.checked_sub(size).is_some_and(|last| offset <= last);
            return self.store.bool_const(inside);
        }
        let needed = self.size(size);
        let fits = self.store.bv_ule(needed, object_size);
        if fits == self.store.false_term() {
            return fits;
        }
        let last = self.store.bv_sub(object_size, needed);
        let before = self.store.bv_ule(target.offset, last);
        self.store.and(fits, before)
    }

    /// Returns the number of bytes that an access to a place touches.
    fn access_size(&self, place: &Place) -> u64 {
        match place.bits {
            Some((first, width)) => u64::from((first + width).div_ceil(8)),
            None => self.size_of(place.ty).unwrap_or(0),
        }
    }

    /// The scalar at a place.
    pub(crate) fn load(&mut self, state: &mut State, place: &Place) -> TermId {
        let size = self.access_size(place);
        let mut value = None;
        if place.nowhere != self.store.false_term() {
            self.fault(place.nowhere, "memory.null");
            value = Some(self.fresh("invalid", place.ty));
        }
        for target in &place.targets {
            let fine = self.accessible(state, target, size);
            let here = if fine == self.store.false_term() {
                self.fresh("invalid", place.ty)
            } else {
                self.before_read(state, place, target, fine);
                let here = self.load_from(state, place, target);
                if fine == self.store.true_term() {
                    here
                } else {
                    let other = self.fresh("invalid", place.ty);
                    self.store.ite(fine, here, other)
                }
            };
            value = Some(match value {
                Some(other) => self.store.ite(target.guard, here, other),
                None => here,
            });
        }
        value.unwrap_or_else(|| self.fresh("invalid", place.ty))
    }

    fn load_from(&mut self, state: &mut State, place: &Place, target: &Target) -> TermId {
        let Some(object) = state.object(target.object) else {
            return self.fresh("invalid", place.ty);
        };
        let Some(scalar) = self.ctx().scalar(place.ty) else {
            return self.fresh("value", place.ty);
        };
        let constant = self.store.bv_value(target.offset).and_then(BitVec::to_u64);
        if let Some(offset) = constant {
            if let Some((first, width)) = place.bits {
                let n_bytes = (first + width).div_ceil(8);
                let word = read_bytes(&mut self.ctx(), &object.content, offset, n_bytes);
                return self.store.bv_extract(first + width - 1, first, word);
            }
            let size = self.ctx().scalar_size(scalar);
            let unread = object.content.is_unread(offset, size);
            let value = object.content.read(&mut self.ctx(), offset, scalar);
            if unread && let Some(object) = state.object_mut(target.object) {
                // A place that holds anything holds this from now on, however it is read.
                let truth = self.store.true_term();
                object.content.write(&mut self.ctx(), offset, scalar, value, truth);
            }
            return value;
        }
        // The content may become an array: the same value, better found next time.
        let Some(object) = state.object_mut(target.object) else {
            return self.fresh("invalid", place.ty);
        };
        match place.bits {
            None => {
                let at = self.indexed(place, target);
                object.content.read_at(&mut self.ctx(), &at, scalar)
            }
            Some((first, width)) => {
                let word = self.bytes_at(object, place, target, (first + width).div_ceil(8));
                self.store.bv_extract(first + width - 1, first, word)
            }
        }
    }

    /// Bytes at a place that is not constant, as one word.
    fn bytes_at(
        &mut self,
        object: &mut ObjectState,
        place: &Place,
        target: &Target,
        n_bytes: u32,
    ) -> TermId {
        let mut word = None;
        for i in 0..u64::from(n_bytes) {
            let at = self.indexed_by(place, target, i);
            let byte = object.content.read_at(&mut self.ctx(), &at, BYTE);
            word = Some(match word {
                Some(low) => self.store.bv_concat(byte, low),
                None => byte,
            });
        }
        word.unwrap_or_else(|| self.store.bv_u64(8, 0))
    }

    fn indexed(&self, place: &Place, target: &Target) -> Indexed {
        Indexed {
            object_ty: self.objects.get(target.object).ty,
            offset: target.offset,
            array: place.array,
            element: Element::Type(place.element),
        }
    }

    fn indexed_by(&mut self, place: &Place, target: &Target, by: u64) -> Indexed {
        let by = self.size(by);
        let offset = self.store.bv_add(target.offset, by);
        self.indexed(place, &Target { offset, ..*target })
    }

    /// The aggregate at a place.
    pub(crate) fn load_block(&mut self, state: &mut State, place: &Place) -> Content {
        let size = self.program.size_of(place.ty).unwrap_or(0);
        let mut block: Option<Content> = None;
        if place.nowhere != self.store.false_term() {
            self.fault(place.nowhere, "memory.null");
            block = Some(self.any_block(size));
        }
        for target in &place.targets {
            let fine = self.accessible(state, target, size);
            self.before_read(state, place, target, fine);
            let object = state.object(target.object).map(|object| object.content.clone());
            let offset = self.store.bv_value(target.offset).and_then(BitVec::to_u64);
            let mut here = match (object, offset) {
                (Some(content), Some(offset)) if fine != self.store.false_term() => {
                    let mut here = Content::new(Initial::Zero, Some(size));
                    here.copy(&mut self.ctx(), 0, &content, offset, size);
                    here
                }
                (Some(_), None) => self.gather(state, place, target),
                _ => self.any_block(size),
            };
            if fine != self.store.true_term() && fine != self.store.false_term() {
                let any = self.any_block(size);
                here = here.merge(&mut self.ctx(), fine, &any);
            }
            block = Some(match block {
                Some(other) => here.merge(&mut self.ctx(), target.guard, &other),
                None => here,
            });
        }
        block.unwrap_or_else(|| self.any_block(size))
    }

    /// An aggregate that nothing is known of.
    pub(crate) fn any_block(&mut self, size: u64) -> Content {
        let fresh = self.objects.new_fresh("invalid");
        Content::new(Initial::Fresh(fresh), Some(size))
    }

    /// An aggregate at an offset that is not constant, scalar by scalar.
    fn gather(&mut self, state: &mut State, place: &Place, target: &Target) -> Content {
        let size = self.program.size_of(place.ty).unwrap_or(0);
        let mut block = Content::new(Initial::Zero, Some(size));
        let Some(mut object) = state.object(target.object).cloned() else {
            return self.any_block(size);
        };
        let Some(units) = self.units(place.ty) else {
            block.forget(&mut self.ctx(), "a large structure at an unknown offset");
            return block;
        };
        let truth = self.store.true_term();
        for (offset, scalar) in units {
            let at = self.indexed_by(place, target, offset);
            let value = object.content.read_at(&mut self.ctx(), &at, scalar);
            block.write(&mut self.ctx(), offset, scalar, value, truth);
        }
        state.set_object(target.object, object);
        block
    }

    /// The scalars that an aggregate is copied by, with their offsets: its members, and bytes where it has bit-fields,
    /// unions or padding. `None` if they are too many.
    pub(crate) fn units(&self, ty: TypeId) -> Option<Vec<(u64, Scalar)>> {
        let units = self.scalars(ty)?;
        let mut whole = Vec::with_capacity(units.len());
        let mut next = 0;
        let end = self.program.size_of(ty)?;
        for (offset, scalar) in units.into_iter().chain([(end, BYTE)]) {
            whole.extend((next..offset).map(|at| (at, BYTE)));
            next = offset + self.scalar_size(scalar);
            whole.push((offset, scalar));
        }
        whole.pop();
        (whole.len() <= MAX_UNITS).then_some(whole)
    }

    /// The scalars of a type with their offsets, ascending, bytes for unions and bit-fields; `None` if they are too many.
    fn scalars(&self, ty: TypeId) -> Option<Vec<(u64, Scalar)>> {
        let mut units = Vec::new();
        let mut stack = vec![(0, ty)];
        while let Some((offset, ty)) = stack.pop() {
            match self.program.types.get(ty) {
                Type::Struct(id) => {
                    let structure = &self.program.types.structs[*id];
                    let bit_fields = structure.fields.iter().any(|field| field.first_bit.is_some());
                    if structure.union || bit_fields {
                        let size = self.program.size_of(ty)?.min(MAX_UNITS as u64 + 1);
                        units.extend((0..size).map(|i| (offset + i, BYTE)));
                    } else {
                        let members = structure.fields.iter().rev();
                        stack.extend(members.map(|field| (offset + field.offset, field.ty)));
                    }
                }
                &Type::Array(element, len) => {
                    if len > MAX_UNITS as u64 {
                        return None;
                    }
                    let size = self.program.size_of(element)?;
                    stack.extend((0..len).rev().map(|i| (offset + i * size, element)));
                }
                _ => units.push((offset, self.scalar(ty)?)),
            }
            if units.len() + stack.len() > MAX_UNITS {
                return None;
            }
        }
        units.sort_by_key(|unit| unit.0);
        Some(units)
    }

    /// The scalars of a type with their offsets, ascending; `None` if it has unions or bit-fields, or too many.
    pub(crate) fn members(&self, ty: TypeId) -> Option<Vec<(u64, Scalar)>> {
        let mut pending = vec![ty];
        let mut seen = Vec::new();
        while let Some(ty) = pending.pop() {
            match self.program.types.get(ty) {
                Type::Struct(id) if !seen.contains(id) => {
                    seen.push(*id);
                    let structure = &self.program.types.structs[*id];
                    if structure.union || structure.fields.iter().any(|f| f.first_bit.is_some()) {
                        return None;
                    }
                    pending.extend(structure.fields.iter().map(|field| field.ty));
                }
                Type::Array(element, _) => pending.push(*element),
                _ => {}
            }
        }
        self.scalars(ty)
    }

    /// Writes a value to a place.
    pub(crate) fn store_to(&mut self, state: &mut State, place: &Place, value: &Value) {
        let size = self.access_size(place);
        self.fault(place.nowhere, "memory.null");
        for target in &place.targets {
            let mut fine = self.accessible(state, target, size);
            if let Origin::Static { writable: false } = self.objects.get(target.object).origin {
                self.fault(target.guard, "memory.read-only");
                fine = self.store.false_term();
            }
            let guard = self.store.and(target.guard, fine);
            if guard == self.store.false_term() {
                continue;
            }
            if let Some(object) = state.object_mut(target.object) {
                self.store_in(object, place, target, value, guard);
                self.after_write(state, place, target, value, guard);
            }
        }
    }

    fn store_in(
        &mut self,
        object: &mut ObjectState,
        place: &Place,
        target: &Target,
        value: &Value,
        guard: TermId,
    ) {
        let constant = self.store.bv_value(target.offset).and_then(BitVec::to_u64);
        let scalar = self.ctx().scalar(place.ty);
        match (value, constant, scalar) {
            (Value::Term(term), Some(offset), Some(scalar)) => match place.bits {
                None => object.content.write(&mut self.ctx(), offset, scalar, *term, guard),
                Some(bits) => {
                    write_bits(&mut self.ctx(), &mut object.content, offset, bits, *term, guard)
                }
            },
            (Value::Term(term), None, Some(scalar)) => match place.bits {
                None => {
                    let at = self.indexed(place, target);
                    object.content.write_at(&mut self.ctx(), &at, scalar, *term, guard);
                }
                Some((first, width)) => {
                    let n_bytes = (first + width).div_ceil(8);
                    let old = self.bytes_at(object, place, target, n_bytes);
                    let word = self.with_bits(old, first, *term);
                    for i in 0..n_bytes {
                        let byte = self.store.bv_extract(i * 8 + 7, i * 8, word);
                        let at = self.indexed_by(place, target, i.into());
                        object.content.write_at(&mut self.ctx(), &at, BYTE, byte, guard);
                    }
                }
            },
            (Value::Block(block), Some(offset), _) => {
                let before = object.content.clone();
                let size = self.program.size_of(place.ty).unwrap_or(0);
                object.content.copy(&mut self.ctx(), offset, block, 0, size);
                if guard != self.store.true_term() {
                    object.content = object.content.merge(&mut self.ctx(), guard, &before);
                }
            }
            (Value::Block(block), None, _) => match self.units(place.ty) {
                Some(units) => {
                    for (offset, scalar) in units {
                        let term = block.read(&mut self.ctx(), offset, scalar);
                        let at = self.indexed_by(place, target, offset);
                        object.content.write_at(&mut self.ctx(), &at, scalar, term, guard);
                    }
                }
                None => {
                    object.content.forget(&mut self.ctx(), "a large structure at an unknown offset")
                }
            },
            // A term of aggregate type: nothing makes one.
            _ => object.content.forget(&mut self.ctx(), "a value without a type"),
        }
    }
}
