//! Values of expressions in a state, as terms.
//!
//! The meaning of each operator is that of `vergo_goto::fold` and `docs/ir.md`; tests compare the two. Reading a place
//! chooses among the objects that its pointer can point to; a place in no object has any value.

use crate::content::{Content, Context, Default, Indexed, Scalar};
use crate::memory::{ObjectId, Objects, Origin};
use crate::pointer::{self, OBJECT_BITS, Target};
use crate::state::{ObjectState, State};
use rustc_hash::FxHashMap;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use vergo_goto::program::Program;
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_term::{Sort, TermId, TermStore};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Of a scalar or truth value.
    Term(TermId),
    /// Of a structure, union or array, from offset zero on.
    Block(Box<Content>),
}

/// Where a place is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    targets: Vec<Target>,
    /// Where the outermost array that is indexed begins in its object, if that is known.
    array: Option<u64>,
    /// The type that the pointer or that array was of.
    element: TypeId,
    /// First bit and width of a bit-field.
    bits: Option<(u32, u32)>,
    ty: TypeId,
}

/// Everything that evaluation needs but the state.
pub(crate) struct Evaluator<'a> {
    pub(crate) program: &'a Program,
    pub(crate) store: &'a mut TermStore,
    pub(crate) objects: Objects,
    /// Depth of the call whose locals are meant.
    pub(crate) depth: usize,
    memo: FxHashMap<ExprId, TermId>,
}

const NEAREST: RoundingMode = RoundingMode::NearestEven;

impl<'a> Evaluator<'a> {
    pub(crate) fn new(program: &'a Program, store: &'a mut TermStore) -> Evaluator<'a> {
        let objects = Objects::new(program.machine.pointer_width);
        Evaluator { program, store, objects, depth: 0, memo: FxHashMap::default() }
    }

    pub(crate) fn ctx(&mut self) -> Context<'_> {
        Context { program: self.program, store: self.store, objects: &mut self.objects }
    }

    /// To be called when the state changes: values found so far are those of the old state.
    pub(crate) fn next_instruction(&mut self) {
        self.memo.clear();
    }

    /// Bytes that an object of a type takes: a variable of truth value takes one.
    pub(crate) fn size_of(&self, ty: TypeId) -> Option<u64> {
        match self.program.types.get(ty) {
            Type::Bool => Some(1),
            _ => self.program.size_of(ty),
        }
    }

    /// A word of pointer width.
    pub(crate) fn size(&mut self, value: u64) -> TermId {
        self.store.bv_u64(self.objects.width(), value)
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, state: &mut State, expr: ExprId) -> Value {
        let ty = self.program.exprs.ty(expr);
        match self.program.types.get(ty) {
            Type::Struct(_) | Type::Array(..) => Value::Block(Box::new(self.block(state, expr))),
            _ => Value::Term(self.term(state, expr)),
        }
    }

    /// The value of a scalar expression or truth value.
    pub(crate) fn term(&mut self, state: &mut State, expr: ExprId) -> TermId {
        if let Some(&term) = self.memo.get(&expr) {
            return term;
        }
        let term =
            stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.term_unseen(state, expr));
        self.memo.insert(expr, term);
        term
    }

    fn term_unseen(&mut self, state: &mut State, expr: ExprId) -> TermId {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        if program.is_place(expr) {
            let place = self.place(state, expr);
            return self.load(state, &place);
        }
        match program.exprs.kind(expr) {
            ExprKind::Bool(value) => self.store.bool_const(*value),
            ExprKind::Int(bits) => match program.types.get(ty) {
                Type::Ptr(_) => {
                    let address = self.store.bv_const(bits.clone());
                    self.objects.pointer_at(self.store, address)
                }
                _ => self.store.bv_const(bits.clone()),
            },
            ExprKind::Float(value) => self.store.fp_const(value.clone()),
            ExprKind::Zero => self.zero(ty),
            ExprKind::Function(function) => {
                let object = self.objects.function(self.store, *function);
                let zero = self.size(0);
                pointer::make(self.store, object, zero)
            }
            ExprKind::Nondet(_) => self.fresh("nondet", ty),
            ExprKind::AddressOf(place) => self.address_of(state, *place),
            ExprKind::Unary(op, operand) => {
                let x = self.term(state, *operand);
                self.unary(*op, program.exprs.ty(*operand), x)
            }
            ExprKind::Binary(op, left, right) => {
                let x = self.term(state, *left);
                let y = self.term(state, *right);
                self.binary(*op, [program.exprs.ty(*left), program.exprs.ty(*right)], x, y)
            }
            ExprKind::Fma(a, b, c) => {
                let [a, b, c] = [*a, *b, *c].map(|operand| self.term(state, operand));
                let mode = self.store.rm_const(NEAREST);
                self.store.fp_fma(mode, a, b, c)
            }
            ExprKind::Cast(mode, operand) => {
                let x = self.term(state, *operand);
                self.cast(*mode, program.exprs.ty(*operand), ty, x)
            }
            ExprKind::Bits(operand) => {
                let x = self.term(state, *operand);
                self.bits(program.exprs.ty(*operand), ty, x)
            }
            ExprKind::Ite(cond, then, other) => {
                let cond = self.term(state, *cond);
                let then = self.term(state, *then);
                let other = self.term(state, *other);
                self.store.ite(cond, then, other)
            }
            ExprKind::Memory(op, operands) => self.memory(state, *op, operands),
            ExprKind::Member(base, member) => {
                let content = self.block(state, *base);
                let field = self.field(program.exprs.ty(*base), *member);
                match (field, self.ctx().scalar(ty)) {
                    (Some((offset, None)), Some(scalar)) => {
                        content.read(&mut self.ctx(), offset, scalar)
                    }
                    (Some((offset, Some((first, width)))), _) => {
                        let word = read_bytes(
                            &mut self.ctx(),
                            &content,
                            offset,
                            (first + width).div_ceil(8),
                        );
                        self.store.bv_extract(first + width - 1, first, word)
                    }
                    _ => self.fresh("value", ty),
                }
            }
            ExprKind::Index(base, index) => {
                let content = self.block(state, *base);
                let index = self.term(state, *index);
                let constant = self.store.bv_value(index).and_then(BitVec::to_u64);
                let size = program.size_of(ty);
                match (constant, size, self.ctx().scalar(ty)) {
                    (Some(index), Some(size), Some(scalar)) => {
                        content.read(&mut self.ctx(), index.wrapping_mul(size), scalar)
                    }
                    _ => self.fresh("element", ty),
                }
            }
            // Aggregates are blocks, places are loaded.
            ExprKind::Struct(_)
            | ExprKind::Union(..)
            | ExprKind::Array(_)
            | ExprKind::ArrayOf(_)
            | ExprKind::Symbol(_)
            | ExprKind::Deref(_) => self.fresh("value", ty),
        }
    }

    /// A variable that nothing is known of.
    pub(crate) fn fresh(&mut self, name: &str, ty: TypeId) -> TermId {
        match self.ctx().scalar(ty) {
            Some(scalar) => self.ctx().fresh(name, scalar),
            // Aggregates are blocks; nothing asks for one as a term.
            None => self.store.fresh_var(name, Sort::Bool),
        }
    }

    fn zero(&mut self, ty: TypeId) -> TermId {
        match self.ctx().scalar(ty) {
            Some(scalar) => self.ctx().zero(scalar),
            None => self.store.false_term(),
        }
    }

    /// The value of an aggregate.
    fn block(&mut self, state: &mut State, expr: ExprId) -> Content {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.block_here(state, expr))
    }

    fn block_here(&mut self, state: &mut State, expr: ExprId) -> Content {
        let program = self.program;
        let ty = program.exprs.ty(expr);
        if program.is_place(expr) {
            let place = self.place(state, expr);
            return self.load_block(state, &place);
        }
        let mut content = Content::new(Default::Zero);
        match program.exprs.kind(expr) {
            ExprKind::Zero => {}
            ExprKind::Struct(members) => {
                for (i, &member) in members.iter().enumerate() {
                    if let Some((offset, bits)) = self.field(ty, i as u32) {
                        let value = self.value(state, member);
                        self.put(&mut content, offset, bits, program.exprs.ty(member), value);
                    }
                }
            }
            ExprKind::Union(member, value) => {
                if let Some((offset, bits)) = self.field(ty, *member) {
                    let ty = program.exprs.ty(*value);
                    let value = self.value(state, *value);
                    self.put(&mut content, offset, bits, ty, value);
                }
            }
            ExprKind::Array(elements) => {
                let mut offset = 0;
                for &element in elements {
                    let ty = program.exprs.ty(element);
                    let value = self.value(state, element);
                    self.put(&mut content, offset, None, ty, value);
                    offset += program.size_of(ty).unwrap_or(0);
                }
            }
            ExprKind::ArrayOf(element) => {
                let &Type::Array(element_ty, len) = program.types.get(ty) else { return content };
                let size = program.size_of(element_ty).unwrap_or(0);
                let value = self.value(state, *element);
                for i in 0..len.min(1 << 16) {
                    self.put(&mut content, i * size, None, element_ty, value.clone());
                }
                if len > 1 << 16 {
                    content.forget(&mut self.ctx());
                }
            }
            ExprKind::Ite(cond, then, other) => {
                let cond = self.term(state, *cond);
                let then = self.block(state, *then);
                let other = self.block(state, *other);
                content = then.merge(&mut self.ctx(), cond, &other);
            }
            ExprKind::Member(base, member) => {
                let base_content = self.block(state, *base);
                if let (Some((offset, None)), Some(size)) =
                    (self.field(program.exprs.ty(*base), *member), program.size_of(ty))
                {
                    content.copy(&mut self.ctx(), 0, &base_content, offset, size);
                }
            }
            _ => content.forget(&mut self.ctx()),
        }
        content
    }

    /// Offset of a member, and first bit and width if it is a bit-field.
    fn field(&self, ty: TypeId, member: u32) -> Option<(u64, Option<(u32, u32)>)> {
        let &Type::Struct(id) = self.program.types.get(ty) else { return None };
        let field = self.program.types.structs[id].fields.get(member as usize)?;
        let bits = match (field.first_bit, self.program.types.get(field.ty)) {
            (Some(first), &Type::Int { width, .. }) => Some((first, width)),
            _ => None,
        };
        Some((field.offset, bits))
    }

    /// Puts a value into a content at a constant offset.
    pub(crate) fn put(
        &mut self,
        content: &mut Content,
        offset: u64,
        bits: Option<(u32, u32)>,
        ty: TypeId,
        value: Value,
    ) {
        let truth = self.store.true_term();
        let scalar = self.ctx().scalar(ty);
        match (value, bits, scalar) {
            (Value::Term(term), Some(bits), _) => {
                write_bits(&mut self.ctx(), content, offset, bits, term)
            }
            (Value::Term(term), None, Some(scalar)) => {
                content.write(&mut self.ctx(), offset, scalar, term, truth)
            }
            (Value::Block(block), _, _) => {
                let size = self.program.size_of(ty).unwrap_or(0);
                content.copy(&mut self.ctx(), offset, &block, 0, size);
            }
            _ => content.forget(&mut self.ctx()),
        }
    }

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
        let targets = self.targets(state, pointer);
        let mut place = Place { targets, array: None, element: root_ty, bits: None, ty };
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

    fn zero_pointer(&mut self) -> TermId {
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

    /// An integer at pointer width, by its sign.
    pub(crate) fn resized(&mut self, ty: TypeId, value: TermId) -> TermId {
        let width = self.objects.width();
        match self.program.types.get(ty) {
            Type::Int { signed: true, .. } => self.store.bv_resize_signed(width, value),
            _ => self.store.bv_resize_unsigned(width, value),
        }
    }

    /// The pointer to a variable.
    fn symbol(&mut self, state: &State, symbol: vergo_goto::program::SymbolId) -> TermId {
        if let Some(object) = self.objects.static_object(symbol) {
            let zero = self.size(0);
            return pointer::make(self.store, object, zero);
        }
        state.binding(self.depth, symbol).unwrap_or_else(|| self.zero_pointer())
    }

    /// The objects that a pointer can point to in this state; one of unknown origin can point to any.
    pub(crate) fn targets(&mut self, state: &State, pointer: TermId) -> Vec<Target> {
        let targets = pointer::targets(self.store, pointer);
        let mut all = targets.known;
        if let Some((guard, unknown)) = targets.unknown {
            let number = pointer::object(self.store, unknown);
            let offset = pointer::offset(self.store, unknown);
            for (object, _) in state.objects() {
                let wanted = self.store.bv_u64(OBJECT_BITS, object.number());
                let is_it = self.store.eq(number, wanted);
                let guard = self.store.and(guard, is_it);
                if guard == self.store.false_term() {
                    continue;
                }
                match all.iter_mut().find(|target| target.object == object) {
                    Some(target) => {
                        target.offset = self.store.ite(guard, offset, target.offset);
                        target.guard = self.store.or(target.guard, guard);
                    }
                    None => all.push(Target { guard, object, offset }),
                }
            }
        }
        all
    }

    fn address_of(&mut self, state: &mut State, expr: ExprId) -> TermId {
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
    fn moved(&mut self, pointer: TermId, by: TermId) -> TermId {
        let object = pointer::object(self.store, pointer);
        let offset = pointer::offset(self.store, pointer);
        let offset = self.store.bv_add(offset, by);
        // Selections stay outside, so that the objects can be read off again.
        if self.store.is_value(object) {
            return self.store.bv_concat(object, offset);
        }
        let targets = pointer::targets(self.store, pointer);
        let mut moved = match targets.unknown {
            Some((_, unknown)) => {
                let object = pointer::object(self.store, unknown);
                let offset = pointer::offset(self.store, unknown);
                let offset = self.store.bv_add(offset, by);
                Some(self.store.bv_concat(object, offset))
            }
            None => None,
        };
        for target in targets.known {
            let offset = self.store.bv_add(target.offset, by);
            let here = pointer::make(self.store, target.object, offset);
            moved = Some(match moved {
                Some(others) => self.store.ite(target.guard, here, others),
                None => here,
            });
        }
        moved.unwrap_or(pointer)
    }

    /// The scalar at a place.
    fn load(&mut self, state: &mut State, place: &Place) -> TermId {
        let mut value = None;
        for target in &place.targets {
            let here = self.load_from(state, place, target);
            value = Some(match value {
                Some(other) => self.store.ite(target.guard, here, other),
                None => here,
            });
        }
        value.unwrap_or_else(|| self.fresh("invalid", place.ty))
    }

    fn load_from(&mut self, state: &mut State, place: &Place, target: &Target) -> TermId {
        let Some(object) = state.object(target.object).filter(|_| target.object != ObjectId::NONE)
        else {
            return self.fresh("invalid", place.ty);
        };
        let Some(scalar) = self.ctx().scalar(place.ty) else {
            return self.fresh("value", place.ty);
        };
        let constant = self.store.bv_value(target.offset).and_then(BitVec::to_u64);
        let mut object = object.clone();
        let value = match (constant, place.bits) {
            (Some(offset), None) => return object.content.read(&mut self.ctx(), offset, scalar),
            (Some(offset), Some((first, width))) => {
                let word = read_bytes(
                    &mut self.ctx(),
                    &object.content,
                    offset,
                    (first + width).div_ceil(8),
                );
                return self.store.bv_extract(first + width - 1, first, word);
            }
            (None, None) => {
                let at = self.indexed(place, target);
                object.content.read_at(&mut self.ctx(), &at, scalar)
            }
            (None, Some(_)) => return self.fresh("bits", place.ty),
        };
        // The content may have become an array: the same value, better found next time.
        state.set_object(target.object, object);
        value
    }

    fn indexed(&self, place: &Place, target: &Target) -> Indexed {
        Indexed {
            object_ty: self.objects.get(target.object).ty,
            offset: target.offset,
            array: place.array,
            element: place.element,
        }
    }

    fn load_block(&mut self, state: &mut State, place: &Place) -> Content {
        let size = self.program.size_of(place.ty).unwrap_or(0);
        let mut block: Option<Content> = None;
        for target in &place.targets {
            let mut here = Content::new(Default::Zero);
            let object = state.object(target.object).map(|object| object.content.clone());
            match (object, self.store.bv_value(target.offset).and_then(BitVec::to_u64)) {
                (Some(content), Some(offset)) => {
                    here.copy(&mut self.ctx(), 0, &content, offset, size)
                }
                (Some(_), None) => here = self.gather(state, place, target),
                (None, _) => here.forget(&mut self.ctx()),
            }
            block = Some(match block {
                Some(other) => here.merge(&mut self.ctx(), target.guard, &other),
                None => here,
            });
        }
        block.unwrap_or_else(|| {
            let mut unknown = Content::new(Default::Zero);
            unknown.forget(&mut self.ctx());
            unknown
        })
    }

    /// An aggregate at an offset that is not constant, scalar by scalar.
    fn gather(&mut self, state: &mut State, place: &Place, target: &Target) -> Content {
        let mut block = Content::new(Default::Zero);
        let Some(scalars) = self.scalars(place.ty) else {
            block.forget(&mut self.ctx());
            return block;
        };
        for (offset, ty) in scalars {
            let by = self.size(offset);
            let at = Target { offset: self.store.bv_add(target.offset, by), ..*target };
            let value = self.load_from(state, &Place { ty, bits: None, ..place.clone() }, &at);
            self.put(&mut block, offset, None, ty, Value::Term(value));
        }
        block
    }

    /// The scalars of a type with their offsets; `None` if it has unions or bit-fields, or too many.
    pub(crate) fn scalars(&self, ty: TypeId) -> Option<Vec<(u64, TypeId)>> {
        const LIMIT: usize = 4096;
        let mut scalars = Vec::new();
        let mut stack = vec![(0, ty)];
        while let Some((offset, ty)) = stack.pop() {
            match self.program.types.get(ty) {
                Type::Struct(id) => {
                    let structure = &self.program.types.structs[*id];
                    if structure.union
                        || structure.fields.iter().any(|field| field.first_bit.is_some())
                    {
                        return None;
                    }
                    stack.extend(
                        structure
                            .fields
                            .iter()
                            .rev()
                            .map(|field| (offset + field.offset, field.ty)),
                    );
                }
                &Type::Array(element, len) => {
                    if len > LIMIT as u64 {
                        return None;
                    }
                    let size = self.program.size_of(element)?;
                    stack.extend((0..len).rev().map(|i| (offset + i * size, element)));
                }
                _ => scalars.push((offset, ty)),
            }
            if scalars.len() + stack.len() > LIMIT {
                return None;
            }
        }
        Some(scalars)
    }

    /// Writes a value to a place.
    pub(crate) fn store_to(&mut self, state: &mut State, place: &Place, value: &Value) {
        for target in place.targets.clone() {
            let Some(object) =
                state.object(target.object).filter(|_| target.object != ObjectId::NONE)
            else {
                continue;
            };
            let mut object = object.clone();
            self.store_in(&mut object, place, &target, value, target.guard);
            state.set_object(target.object, object);
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
                    let before = object.content.clone();
                    write_bits(&mut self.ctx(), &mut object.content, offset, bits, *term);
                    object.content = object.content.merge(&mut self.ctx(), guard, &before);
                }
            },
            (Value::Term(term), None, Some(scalar)) if place.bits.is_none() => {
                let at = self.indexed(place, target);
                object.content.write_at(&mut self.ctx(), &at, scalar, *term, guard);
            }
            (Value::Block(block), Some(offset), _) => {
                let before = object.content.clone();
                let size = self.program.size_of(place.ty).unwrap_or(0);
                object.content.copy(&mut self.ctx(), offset, block, 0, size);
                object.content = object.content.merge(&mut self.ctx(), guard, &before);
            }
            (Value::Block(block), None, _) => match self.scalars(place.ty) {
                Some(scalars) => {
                    for (offset, ty) in scalars {
                        let Some(scalar) = self.ctx().scalar(ty) else { continue };
                        let term = block.read(&mut self.ctx(), offset, scalar);
                        let by = self.size(offset);
                        let at = Target { offset: self.store.bv_add(target.offset, by), ..*target };
                        let at = self.indexed(place, &at);
                        object.content.write_at(&mut self.ctx(), &at, scalar, term, guard);
                    }
                }
                None => object.content.forget(&mut self.ctx()),
            },
            _ => object.content.forget(&mut self.ctx()),
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: TypeId, x: TermId) -> TermId {
        let float = matches!(self.program.types.get(ty), Type::Float(_));
        let store = &mut *self.store;
        match op {
            UnaryOp::Neg if float => store.fp_neg(x),
            UnaryOp::Neg => store.bv_neg(x),
            UnaryOp::BitNot => store.bv_not(x),
            UnaryOp::Not => store.not(x),
            UnaryOp::Abs => store.fp_abs(x),
            UnaryOp::Sqrt => {
                let mode = store.rm_const(NEAREST);
                store.fp_sqrt(mode, x)
            }
            UnaryOp::RoundToIntegral(mode) => {
                let mode = store.rm_const(mode);
                store.fp_round_to_integral(mode, x)
            }
            UnaryOp::IsNan => store.fp_is_nan(x),
            UnaryOp::IsInf => store.fp_is_infinite(x),
            UnaryOp::IsNormal => store.fp_is_normal(x),
            UnaryOp::IsSubnormal => store.fp_is_subnormal(x),
            UnaryOp::SignBit => store.fp_is_negative(x),
            UnaryOp::LeadingZeros => self.count_zeros(x, false),
            UnaryOp::TrailingZeros => self.count_zeros(x, true),
            UnaryOp::PopCount => {
                let width = store.width(x);
                let mut sum = store.bv_u64(width, 0);
                for i in 0..width {
                    let bit = store.bv_extract(i, i, x);
                    let bit = store.bv_zero_extend(width, bit);
                    sum = store.bv_add(sum, bit);
                }
                sum
            }
            UnaryOp::ByteSwap => {
                let width = store.width(x);
                let mut swapped = store.bv_extract(7.min(width - 1), 0, x);
                for i in 1..width / 8 {
                    let byte = store.bv_extract(i * 8 + 7, i * 8, x);
                    swapped = store.bv_concat(swapped, byte);
                }
                swapped
            }
        }
    }

    /// The number of zeros from one end; the width for zero.
    fn count_zeros(&mut self, x: TermId, from_low: bool) -> TermId {
        let width = self.store.width(x);
        let mut count = self.store.bv_u64(width, u64::from(width));
        for i in 0..width {
            let position = if from_low { width - 1 - i } else { i };
            let bit = self.store.bv_bit(position, x);
            let zeros = if from_low { position } else { width - 1 - position };
            let zeros = self.store.bv_u64(width, u64::from(zeros));
            count = self.store.ite(bit, zeros, count);
        }
        count
    }

    fn binary(&mut self, op: BinaryOp, tys: [TypeId; 2], x: TermId, y: TermId) -> TermId {
        match *self.program.types.get(tys[0]) {
            Type::Float(_) => self.float_binary(op, x, y),
            Type::Ptr(to) => self.pointer_binary(op, to, tys[1], x, y),
            Type::Int { signed, .. } => self.int_binary(op, signed, x, y),
            _ => match op {
                BinaryOp::And => self.store.and(x, y),
                BinaryOp::Or => self.store.or(x, y),
                BinaryOp::Implies => self.store.implies(x, y),
                BinaryOp::Ne => self.store.ne(x, y),
                _ => self.store.eq(x, y),
            },
        }
    }

    fn float_binary(&mut self, op: BinaryOp, x: TermId, y: TermId) -> TermId {
        let store = &mut *self.store;
        let mode = store.rm_const(NEAREST);
        match op {
            BinaryOp::Add => store.fp_add(mode, x, y),
            BinaryOp::Sub => store.fp_sub(mode, x, y),
            BinaryOp::Mul => store.fp_mul(mode, x, y),
            BinaryOp::Div => store.fp_div(mode, x, y),
            BinaryOp::Rem => store.fp_fmod(x, y),
            BinaryOp::IeeeRem => store.fp_rem(x, y),
            BinaryOp::Min => store.fp_min(x, y),
            BinaryOp::Max => store.fp_max(x, y),
            BinaryOp::Ne => {
                let equal = store.fp_eq(x, y);
                store.not(equal)
            }
            BinaryOp::Lt => store.fp_lt(x, y),
            BinaryOp::Le => store.fp_le(x, y),
            _ => store.fp_eq(x, y),
        }
    }

    fn int_binary(&mut self, op: BinaryOp, signed: bool, x: TermId, y: TermId) -> TermId {
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShlOverflows) {
            return self.shift(op, signed, x, y);
        }
        let store = &mut *self.store;
        match op {
            BinaryOp::Add => store.bv_add(x, y),
            BinaryOp::Sub => store.bv_sub(x, y),
            BinaryOp::Mul => store.bv_mul(x, y),
            BinaryOp::Div if signed => store.bv_sdiv(x, y),
            BinaryOp::Div => store.bv_udiv(x, y),
            BinaryOp::Rem if signed => store.bv_srem(x, y),
            BinaryOp::Rem => store.bv_urem(x, y),
            BinaryOp::BitAnd => store.bv_and(x, y),
            BinaryOp::BitOr => store.bv_or(x, y),
            BinaryOp::BitXor => store.bv_xor(x, y),
            BinaryOp::Ne => store.ne(x, y),
            BinaryOp::Lt if signed => store.bv_slt(x, y),
            BinaryOp::Lt => store.bv_ult(x, y),
            BinaryOp::Le if signed => store.bv_sle(x, y),
            BinaryOp::Le => store.bv_ule(x, y),
            BinaryOp::AddOverflows if signed => store.bv_saddo(x, y),
            BinaryOp::AddOverflows => store.bv_uaddo(x, y),
            BinaryOp::SubOverflows if signed => store.bv_ssubo(x, y),
            BinaryOp::SubOverflows => store.bv_usubo(x, y),
            BinaryOp::MulOverflows if signed => store.bv_smulo(x, y),
            BinaryOp::MulOverflows => store.bv_umulo(x, y),
            _ => store.eq(x, y),
        }
    }

    fn shift(&mut self, op: BinaryOp, signed: bool, x: TermId, y: TermId) -> TermId {
        let store = &mut *self.store;
        let width = store.width(x);
        let amount_width = store.width(y);
        // The amount at the value's width; an amount that does not fit is too large anyway.
        let limit = width.max(amount_width) + 1;
        let wide = store.bv_zero_extend(limit, y);
        let bound = store.bv_u64(limit, u64::from(width));
        let too_large = store.bv_ule(bound, wide);
        let amount = store.bv_resize_unsigned(width, y);
        match op {
            BinaryOp::Shl => {
                let shifted = store.bv_shl(x, amount);
                let zero = store.bv_u64(width, 0);
                store.ite(too_large, zero, shifted)
            }
            BinaryOp::Shr => {
                let shifted =
                    if signed { store.bv_ashr(x, amount) } else { store.bv_lshr(x, amount) };
                let all = store.bv_u64(width, u64::from(width - 1));
                let rest = if signed { store.bv_ashr(x, all) } else { store.bv_u64(width, 0) };
                store.ite(too_large, rest, shifted)
            }
            _ => {
                if !signed {
                    return too_large;
                }
                // Negative, or shifted back it is not the same, or the result is negative.
                let shifted = store.bv_shl(x, amount);
                let back = store.bv_ashr(shifted, amount);
                let lost = store.ne(back, x);
                let zero = store.bv_u64(width, 0);
                let negative = store.bv_slt(x, zero);
                let negative_after = store.bv_slt(shifted, zero);
                store.or_all(&[too_large, lost, negative, negative_after])
            }
        }
    }

    fn pointer_binary(
        &mut self,
        op: BinaryOp,
        to: TypeId,
        right: TypeId,
        x: TermId,
        y: TermId,
    ) -> TermId {
        let size = self.program.size_of(to).unwrap_or(1).max(1);
        match op {
            BinaryOp::PtrAdd => {
                let index = self.resized(right, y);
                let size = self.size(size);
                let by = self.store.bv_mul(index, size);
                self.moved(x, by)
            }
            BinaryOp::PtrDiff => {
                let (a, b) = self.comparable(x, y);
                let difference = self.store.bv_sub(a, b);
                let size = self.size(size);
                self.store.bv_sdiv(difference, size)
            }
            BinaryOp::Ne => self.store.ne(x, y),
            BinaryOp::Lt => {
                let (a, b) = self.comparable(x, y);
                self.store.bv_ult(a, b)
            }
            BinaryOp::Le => {
                let (a, b) = self.comparable(x, y);
                self.store.bv_ule(a, b)
            }
            _ => self.store.eq(x, y),
        }
    }

    /// Words that compare as two pointers do: offsets in one object, addresses otherwise.
    fn comparable(&mut self, x: TermId, y: TermId) -> (TermId, TermId) {
        let same = {
            let a = pointer::object(self.store, x);
            let b = pointer::object(self.store, y);
            self.store.eq(a, b)
        };
        let (a, b) = (pointer::offset(self.store, x), pointer::offset(self.store, y));
        if same == self.store.true_term() {
            return (a, b);
        }
        let address_a = self.objects.address(self.store, x);
        let address_b = self.objects.address(self.store, y);
        (self.store.ite(same, a, address_a), self.store.ite(same, b, address_b))
    }

    fn cast(&mut self, mode: RoundingMode, from: TypeId, to: TypeId, x: TermId) -> TermId {
        let program = self.program;
        match (program.types.get(from), program.types.get(to)) {
            (Type::Bool, Type::Bool) | (Type::Ptr(_), Type::Ptr(_)) => x,
            (Type::Bool, &Type::Int { width, .. }) => {
                let bit = self.store.bool_to_bv(x);
                self.store.bv_resize_unsigned(width, bit)
            }
            (Type::Bool, &Type::Float(format)) => {
                let one = self.store.fp_const(Float::one(format));
                let zero = self.store.fp_const(Float::zero(format, false));
                self.store.ite(x, one, zero)
            }
            (Type::Int { .. }, Type::Bool) => {
                let zero = self.zero(from);
                self.store.ne(x, zero)
            }
            (Type::Ptr(_), Type::Bool) => {
                let zero = self.zero_pointer();
                self.store.ne(x, zero)
            }
            (Type::Float(_), Type::Bool) => {
                let zero = self.store.fp_is_zero(x);
                self.store.not(zero)
            }
            (Type::Int { signed: true, .. }, &Type::Int { width, .. }) => {
                self.store.bv_resize_signed(width, x)
            }
            (Type::Int { .. }, &Type::Int { width, .. }) => self.store.bv_resize_unsigned(width, x),
            (&Type::Int { signed, .. }, &Type::Float(format)) => {
                let mode = self.store.rm_const(mode);
                match signed {
                    true => self.store.fp_from_sbv(format, mode, x),
                    false => self.store.fp_from_ubv(format, mode, x),
                }
            }
            (&Type::Float(format), &Type::Int { signed, width }) => {
                self.float_to_int(mode, format, signed, width, x)
            }
            (Type::Float(_), &Type::Float(format)) => {
                let mode = self.store.rm_const(mode);
                self.store.fp_convert(format, mode, x)
            }
            (Type::Ptr(_), &Type::Int { width, .. }) => {
                let address = self.objects.address(self.store, x);
                self.store.bv_resize_unsigned(width, address)
            }
            (Type::Int { .. }, Type::Ptr(_)) => {
                let address = self.resized(from, x);
                self.objects.pointer_at(self.store, address)
            }
            _ => self.fresh("cast", to),
        }
    }

    /// Where the value does not fit, the least signed value.
    fn float_to_int(
        &mut self,
        mode: RoundingMode,
        format: vergo_num::FloatFormat,
        signed: bool,
        width: u32,
        x: TermId,
    ) -> TermId {
        let (least, greatest) = if signed {
            (BitVec::min_signed(width), BitVec::max_signed(width))
        } else {
            (BitVec::zero(width), BitVec::ones(width))
        };
        let bound = |bits: &BitVec, mode| match signed {
            true => Float::from_signed(format, mode, bits),
            false => Float::from_unsigned(format, mode, bits),
        };
        let least = self.store.fp_const(bound(&least, RoundingMode::TowardPositive));
        let greatest = self.store.fp_const(bound(&greatest, RoundingMode::TowardNegative));
        let mode = self.store.rm_const(mode);
        let rounded = self.store.fp_round_to_integral(mode, x);
        let above = self.store.fp_le(least, rounded);
        let below = self.store.fp_le(rounded, greatest);
        let fits = self.store.and(above, below);
        let value = match signed {
            true => self.store.fp_to_sbv(width, mode, x),
            false => self.store.fp_to_ubv(width, mode, x),
        };
        let otherwise = self.store.bv_const(BitVec::min_signed(width));
        self.store.ite(fits, value, otherwise)
    }

    fn bits(&mut self, from: TypeId, to: TypeId, x: TermId) -> TermId {
        let (from, to) = (self.program.types.get(from), self.program.types.get(to));
        match (from, to) {
            (&Type::Float(format), &Type::Int { width, .. }) => {
                let bits = self.store.fp_to_bits(format, x);
                self.store.bv_resize_unsigned(width, bits)
            }
            (Type::Int { .. }, &Type::Float(format)) => {
                let bits = self.store.bv_resize_unsigned(format.width(), x);
                self.store.fp_from_bits(format, bits)
            }
            (Type::Ptr(_), Type::Int { .. }) => self.objects.address(self.store, x),
            (Type::Int { .. }, Type::Ptr(_)) => self.objects.pointer_at(self.store, x),
            (&Type::Float(a), &Type::Float(b)) => {
                let bits = self.store.fp_to_bits(a, x);
                let bits = self.store.bv_resize_unsigned(b.width(), bits);
                self.store.fp_from_bits(b, bits)
            }
            _ => x,
        }
    }

    fn memory(&mut self, state: &mut State, op: MemoryOp, operands: &[ExprId]) -> TermId {
        match op {
            MemoryOp::HeapEmpty => self.heap_empty(state),
            MemoryOp::HeapReachable => self.heap_reachable(state),
            MemoryOp::SameObject => {
                let [a, b] = [operands[0], operands[1]].map(|operand| self.term(state, operand));
                let a = pointer::object(self.store, a);
                let b = pointer::object(self.store, b);
                self.store.eq(a, b)
            }
            MemoryOp::Offset => {
                let pointer = self.term(state, operands[0]);
                pointer::offset(self.store, pointer)
            }
            MemoryOp::HasObject => {
                let pointer = self.term(state, operands[0]);
                let object = pointer::object(self.store, pointer);
                let none = self.store.bv_u64(OBJECT_BITS, 0);
                self.store.ne(object, none)
            }
            MemoryOp::ObjectSize => {
                let pointer = self.term(state, operands[0]);
                let zero = self.size(0);
                self.by_object(state, pointer, zero, &mut |this, _, object| {
                    this.objects.get(object).size
                })
            }
            MemoryOp::IsLive => {
                let pointer = self.term(state, operands[0]);
                let dead = self.store.false_term();
                self.by_object(state, pointer, dead, &mut |this, state, object| {
                    // Functions are in no state and always there.
                    let function = matches!(this.objects.get(object).origin, Origin::Function(_));
                    let absent = this.store.bool_const(function);
                    state.object(object).map_or(absent, |object| object.live)
                })
            }
            MemoryOp::IsHeap => {
                self.by_origin(state, operands[0], |origin, _| origin == Origin::Heap)
            }
            MemoryOp::IsWritable => self.by_origin(state, operands[0], |origin, _| {
                !matches!(origin, Origin::Static { writable: false } | Origin::Function(_))
            }),
            MemoryOp::IsFunction => {
                let program = self.program;
                let called = program.pointee(program.exprs.ty(operands[0]));
                self.by_origin(state, operands[0], move |origin, _| match origin {
                    Origin::Function(function) => Some(program.functions[function].ty) == called,
                    _ => false,
                })
            }
            // Not tracked: either answer is possible, and a replay decides.
            MemoryOp::IsInitialized => self.store.fresh_var("initialized", Sort::Bool),
        }
    }

    fn by_origin(
        &mut self,
        state: &mut State,
        operand: ExprId,
        test: impl Fn(Origin, &Program) -> bool,
    ) -> TermId {
        let pointer = self.term(state, operand);
        let otherwise = self.store.false_term();
        self.by_object(state, pointer, otherwise, &mut |this, _, object| {
            let holds = test(this.objects.get(object).origin, this.program);
            this.store.bool_const(holds)
        })
    }

    /// A value by the object of a pointer; `otherwise` without one.
    fn by_object(
        &mut self,
        state: &State,
        pointer: TermId,
        otherwise: TermId,
        value: &mut dyn FnMut(&mut Self, &State, ObjectId) -> TermId,
    ) -> TermId {
        let targets = self.targets(state, pointer);
        let mut result = otherwise;
        for target in targets.into_iter().filter(|target| target.object != ObjectId::NONE) {
            let here = value(self, state, target.object);
            result = self.store.ite(target.guard, here, result);
        }
        result
    }

    fn heap_empty(&mut self, state: &State) -> TermId {
        let mut empty = self.store.true_term();
        for (object, object_state) in state.objects() {
            if self.objects.get(object).origin == Origin::Heap {
                let dead = self.store.not(object_state.live);
                empty = self.store.and(empty, dead);
            }
        }
        empty
    }

    /// Whether each live heap object is reachable: from statics and locals that live, through live heap objects. As many
    /// rounds as there are heap objects reach everything that can be reached.
    fn heap_reachable(&mut self, state: &State) -> TermId {
        let objects: Vec<(ObjectId, ObjectState)> =
            state.objects().map(|(id, object)| (id, object.clone())).collect();
        let heap: Vec<&(ObjectId, ObjectState)> =
            objects.iter().filter(|(id, _)| self.objects.get(*id).origin == Origin::Heap).collect();
        let mut reached: FxHashMap<ObjectId, TermId> = FxHashMap::default();
        let is_root = |objects: &Objects, id| {
            !matches!(objects.get(id).origin, Origin::Heap | Origin::Function(_))
        };
        for (id, object) in &objects {
            let root =
                if is_root(&self.objects, *id) { object.live } else { self.store.false_term() };
            reached.insert(*id, root);
        }
        // Pointers in each object, with whether all of them are known.
        let mut unknown = self.store.false_term();
        let mut edges = Vec::new();
        for (id, object) in &objects {
            let (pointers, complete) = object.content.pointers();
            if !complete {
                unknown = self.store.or(unknown, object.live);
            }
            for pointer in pointers {
                let target = pointer::object(self.store, pointer);
                for (to, _) in &heap {
                    let number = self.store.bv_u64(OBJECT_BITS, to.number());
                    let leads = self.store.eq(target, number);
                    if leads != self.store.false_term() {
                        edges.push((*id, *to, leads));
                    }
                }
            }
        }
        for _ in 0..heap.len() {
            let mut changed = false;
            for &(from, to, leads) in &edges {
                let through = self.store.and(reached[&from], leads);
                let now = self.store.or(reached[&to], through);
                changed |= now != reached[&to];
                reached.insert(to, now);
            }
            if !changed {
                break;
            }
        }
        let mut all = self.store.true_term();
        for (id, object) in heap {
            let fine = self.store.implies(object.live, reached[id]);
            all = self.store.and(all, fine);
        }
        // Pointers in arrays are not followed: then either answer is possible, and a replay decides.
        let perhaps = self.store.fresh_var("reachable", Sort::Bool);
        let perhaps = self.store.and(unknown, perhaps);
        self.store.or(all, perhaps)
    }
}

/// Bytes from an offset as one word.
fn read_bytes(ctx: &mut Context<'_>, content: &Content, offset: u64, n_bytes: u32) -> TermId {
    let mut word = content.read(ctx, offset, Scalar::Int(8));
    for i in 1..u64::from(n_bytes) {
        let byte = content.read(ctx, offset + i, Scalar::Int(8));
        word = ctx.store.bv_concat(byte, word);
    }
    word
}

/// Writes a bit-field.
fn write_bits(
    ctx: &mut Context<'_>,
    content: &mut Content,
    offset: u64,
    (first, width): (u32, u32),
    value: TermId,
) {
    let n_bytes = (first + width).div_ceil(8);
    let old = read_bytes(ctx, content, offset, n_bytes);
    let mut word = value;
    if first > 0 {
        let low = ctx.store.bv_extract(first - 1, 0, old);
        word = ctx.store.bv_concat(word, low);
    }
    if first + width < n_bytes * 8 {
        let high = ctx.store.bv_extract(n_bytes * 8 - 1, first + width, old);
        word = ctx.store.bv_concat(high, word);
    }
    let truth = ctx.store.true_term();
    for i in 0..n_bytes {
        let byte = ctx.store.bv_extract(i * 8 + 7, i * 8, word);
        content.write(ctx, offset + u64::from(i), Scalar::Int(8), byte, truth);
    }
}
