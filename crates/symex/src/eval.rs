//! Values of expressions in a state, as terms.
//!
//! Reading a place chooses among the objects that its pointer can point to; a place in no object has any value. Operands
//! of `&&`, `||`, `==>` and `?:` that are not needed are not evaluated; that shows in the faults alone.

use crate::content::Content;
use crate::initial::Initial;
use crate::memory::Objects;
use crate::pointer;
use crate::scalar::{BYTE, Context, Scalar};
use crate::state::State;
use crate::threads::Recorder;
use rustc_hash::FxHashMap;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind};
use vergo_goto::program::Program;
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, RoundingMode};
use vergo_term::{Sort, TermId, TermStore};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Of a scalar or truth value.
    Term(TermId),
    /// Of a structure, union or array, from offset zero on.
    Block(Box<Content>),
}

/// Everything that evaluation needs but the state.
pub(crate) struct Evaluator<'a> {
    pub(crate) program: &'a Program,
    pub(crate) store: &'a mut TermStore,
    pub(crate) objects: Objects,
    /// Depth of the call whose locals are meant.
    pub(crate) depth: usize,
    /// When the expression at hand is evaluated at all, given that its instruction is.
    pub(crate) reached: TermId,
    /// Conditions of accesses without meaning, and what they are, in the instruction at hand.
    pub(crate) faults: Vec<(TermId, &'static str)>,
    /// The recorder, where threads are executed.
    pub(crate) recorder: Option<Box<Recorder>>,
    memo: FxHashMap<(ExprId, TermId), TermId>,
}

pub(crate) const NEAREST: RoundingMode = RoundingMode::NearestEven;

impl<'a> Evaluator<'a> {
    pub(crate) fn new(program: &'a Program, store: &'a mut TermStore) -> Evaluator<'a> {
        let objects = Objects::new(program.machine.pointer_width);
        let reached = store.true_term();
        let (faults, memo) = (Vec::new(), FxHashMap::default());
        Evaluator { program, store, objects, depth: 0, reached, faults, recorder: None, memo }
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
        let key = (expr, self.reached);
        if let Some(&term) = self.memo.get(&key) {
            return term;
        }
        let term =
            stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.term_unseen(state, expr));
        self.memo.insert(key, term);
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
            ExprKind::Float(value) if value.is_nan() => {
                self.objects.nan_constant(self.store, value.format())
            }
            ExprKind::Float(value) => self.store.fp_const(value.clone()),
            ExprKind::Zero => self.zero(ty),
            ExprKind::Function(function) => {
                let object = self.objects.function(self.store, *function);
                let zero = self.size(0);
                pointer::make(self.store, object, zero)
            }
            // The executor takes care of choices; elsewhere the verifier allows none.
            ExprKind::Nondet(_) => self.fresh("nondet", ty),
            ExprKind::AddressOf(place) => self.address_of(state, *place),
            ExprKind::Unary(op, operand) => {
                let x = self.term(state, *operand);
                self.unary(*op, program.exprs.ty(*operand), x)
            }
            ExprKind::Binary(
                op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies),
                left,
                right,
            ) => {
                let x = self.term(state, *left);
                let needed = if *op == BinaryOp::Or { self.store.not(x) } else { x };
                let y = self.term_where(state, needed, *right);
                self.binary(state, *op, [program.exprs.ty(*left), program.exprs.ty(*right)], x, y)
            }
            ExprKind::Binary(op, left, right) => {
                let x = self.term(state, *left);
                let y = self.term(state, *right);
                self.binary(state, *op, [program.exprs.ty(*left), program.exprs.ty(*right)], x, y)
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
            ExprKind::Bits(operand) => match (self.value(state, *operand), self.scalar(ty)) {
                (Value::Block(block), Some(scalar)) => block.read(&mut self.ctx(), 0, scalar),
                (Value::Block(_), None) => self.fresh("value", ty),
                (Value::Term(x), _) => self.bits(program.exprs.ty(*operand), ty, x),
            },
            ExprKind::Ite(cond, then, other) => {
                let cond = self.term(state, *cond);
                let then = self.term_where(state, cond, *then);
                let negated = self.store.not(cond);
                let other = self.term_where(state, negated, *other);
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
                self.element(&content, program.exprs.ty(*base), index, ty)
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

    /// The value of an expression that is evaluated only where a condition holds.
    fn term_where(&mut self, state: &mut State, condition: TermId, expr: ExprId) -> TermId {
        let outer = self.reached;
        self.reached = self.store.and(outer, condition);
        let term = self.term(state, expr);
        self.reached = outer;
        term
    }

    /// An element of an array that is a value; zero outside of it.
    fn element(&mut self, array: &Content, array_ty: TypeId, index: TermId, ty: TypeId) -> TermId {
        let (&Type::Array(_, len), Some(size), Some(scalar)) =
            (self.program.types.get(array_ty), self.program.size_of(ty), self.scalar(ty))
        else {
            return self.fresh("element", ty);
        };
        if let Some(index) = self.store.bv_value(index) {
            return match index.to_u64().filter(|&index| index < len) {
                Some(index) => array.read(&mut self.ctx(), index * size, scalar),
                None => self.zero(ty),
            };
        }
        let width = self.store.width(index);
        let mut value = self.zero(ty);
        for i in 0..len {
            let here = array.read(&mut self.ctx(), i * size, scalar);
            let wanted = self.store.bv_const(BitVec::from_u64(64, i).resize_unsigned(width));
            let is_it = self.store.eq(index, wanted);
            value = self.store.ite(is_it, here, value);
        }
        value
    }

    /// The scalar that a type is; `None` for aggregates.
    pub(crate) fn scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(self.program, ty)
    }

    /// Bytes that a scalar takes.
    pub(crate) fn scalar_size(&self, scalar: Scalar) -> u64 {
        scalar.size(self.program, self.objects.width())
    }

    /// A variable that nothing is known of.
    pub(crate) fn fresh(&mut self, name: &str, ty: TypeId) -> TermId {
        match self.scalar(ty) {
            Some(scalar) => self.ctx().fresh(name, scalar),
            // Aggregates are blocks; nothing asks for one as a term.
            None => self.objects.fresh(self.store, name, Sort::Bool),
        }
    }

    /// An integer at pointer width, by its sign.
    pub(crate) fn resized(&mut self, ty: TypeId, value: TermId) -> TermId {
        let width = self.objects.width();
        match self.program.types.get(ty) {
            Type::Int { signed: true, .. } => self.store.bv_resize_signed(width, value),
            _ => self.store.bv_resize_unsigned(width, value),
        }
    }

    pub(crate) fn zero(&mut self, ty: TypeId) -> TermId {
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
        let mut content = Content::new(Initial::Zero, program.size_of(ty));
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
                match self.value(state, *element) {
                    Value::Term(value) if len > MANY => {
                        content.fill(&mut self.ctx(), element_ty, value);
                    }
                    value => {
                        for i in 0..len {
                            self.put(&mut content, i * size, None, element_ty, value.clone());
                        }
                    }
                }
            }
            ExprKind::Ite(cond, then, other) => {
                let cond = self.term(state, *cond);
                let outer = self.reached;
                self.reached = self.store.and(outer, cond);
                let then = self.block(state, *then);
                let negated = self.store.not(cond);
                self.reached = self.store.and(outer, negated);
                let other = self.block(state, *other);
                self.reached = outer;
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
            ExprKind::Index(base, index) => {
                let array = self.block(state, *base);
                let index = self.term(state, *index);
                let constant = self.store.bv_value(index).and_then(BitVec::to_u64);
                match (constant, program.types.get(program.exprs.ty(*base)), program.size_of(ty)) {
                    (Some(index), &Type::Array(_, len), Some(size)) if index < len => {
                        content.copy(&mut self.ctx(), 0, &array, index * size, size);
                    }
                    (Some(_), ..) => {}
                    _ => content
                        .forget(&mut self.ctx(), "a structure at an unknown index of a value"),
                }
            }
            ExprKind::Bits(operand) | ExprKind::Cast(_, operand) => {
                let from = program.exprs.ty(*operand);
                let value = self.value(state, *operand);
                self.put(&mut content, 0, None, from, value);
            }
            _ => content.forget(&mut self.ctx(), "an aggregate of unknown origin"),
        }
        content
    }

    /// Offset of a member, and first bit and width if it is a bit-field.
    pub(crate) fn field(&self, ty: TypeId, member: u32) -> Option<(u64, Option<(u32, u32)>)> {
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
                write_bits(&mut self.ctx(), content, offset, bits, term, truth)
            }
            (Value::Term(term), None, Some(scalar)) => {
                content.write(&mut self.ctx(), offset, scalar, term, truth)
            }
            (Value::Block(block), _, _) => {
                let size = self.program.size_of(ty).unwrap_or(0);
                content.copy(&mut self.ctx(), offset, &block, 0, size);
            }
            // A term of aggregate type: nothing makes one.
            _ => content.forget(&mut self.ctx(), "a value without a type"),
        }
    }

    /// A word with other bits from a position on.
    pub(crate) fn with_bits(&mut self, old: TermId, first: u32, bits: TermId) -> TermId {
        with_bits(self.store, old, first, bits)
    }
}

/// Arrays of more equal elements than this are terms of array sort.
const MANY: u64 = 64;

/// Bytes from an offset as one word.
pub(crate) fn read_bytes(
    ctx: &mut Context<'_>,
    content: &Content,
    offset: u64,
    n_bytes: u32,
) -> TermId {
    let mut word = content.read(ctx, offset, BYTE);
    for i in 1..u64::from(n_bytes) {
        let byte = content.read(ctx, offset + i, BYTE);
        word = ctx.store.bv_concat(byte, word);
    }
    word
}

fn with_bits(store: &mut TermStore, old: TermId, first: u32, bits: TermId) -> TermId {
    let width = store.width(old);
    let mut word = bits;
    if first > 0 {
        let low = store.bv_extract(first - 1, 0, old);
        word = store.bv_concat(word, low);
    }
    let done = store.width(word);
    if done < width {
        let high = store.bv_extract(width - 1, done, old);
        word = store.bv_concat(high, word);
    }
    word
}

/// Writes a bit-field where a condition holds.
pub(crate) fn write_bits(
    ctx: &mut Context<'_>,
    content: &mut Content,
    offset: u64,
    (first, width): (u32, u32),
    value: TermId,
    guard: TermId,
) {
    let n_bytes = (first + width).div_ceil(8);
    let old = read_bytes(ctx, content, offset, n_bytes);
    let word = with_bits(ctx.store, old, first, value);
    for i in 0..n_bytes {
        let byte = ctx.store.bv_extract(i * 8 + 7, i * 8, word);
        content.write(ctx, offset + u64::from(i), BYTE, byte, guard);
    }
}
