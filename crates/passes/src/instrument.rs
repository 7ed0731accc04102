//! Inserts the claims of the selected properties before the instructions that could violate them.
//!
//! Each instruction's expressions are walked in evaluation order. A subexpression that is evaluated only under a
//! condition (an arm of `ite`, the right operand of `and`, `or`, `implies`) has its claims weakened by that condition,
//! so a claim fails exactly in the states in which the operation is evaluated and goes wrong. Shared subexpressions are
//! looked at once per instruction and condition.
//!
//! Memory is accessed at places, which expressions and destinations are, and in blocks, which intrinsics have as operands
//! (a pointer and a size). Properties of accesses get either and make the same claims of them. Intrinsics that only say what
//! a library model accesses, or what C accesses without using it, have done their work here and are dropped.
//!
//! Claims come before their instruction and after its label, so jumps meet them. Nothing else changes: the program
//! behaves as before in every state in which no claim fails.

use crate::properties::{PropertyId, Sites, in_order_of_claims, sites};
use crate::Options;
use cranelift_entity::EntitySet;
use rustc_hash::FxHashSet;
use vergo_goto::describe::Words;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp};
pub use vergo_goto::program::Access;
use vergo_goto::program::{Claim, Instr, InstrKind, Program, Symbol, SymbolId, SymbolKind};
use vergo_goto::rewrite::Role;
use vergo_goto::types::{Type, TypeId};
use vergo_source::Span;

/// The memory that is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A place, as its type says.
    Place(ExprId),
    /// As many bytes behind a pointer as an integer says. Claims are made only of blocks that are not empty.
    Block {
        /// The address of the first byte.
        pointer: ExprId,
        /// The number of bytes, as an unsigned integer of pointer width.
        size: ExprId,
    },
}

/// The pass.
pub fn run(program: &mut Program, options: &Options) {
    let enabled = in_order_of_claims(options.properties);
    let addressed = crate::split_accesses::addressed(program);
    for function in program.functions.keys() {
        let Some(body) = program.functions[function].body.take() else { continue };
        let library = program.functions[function].library;
        let words = Words::of(program, &body);
        let mut checker = Checker {
            program,
            words: &words,
            addressed: &addressed,
            enabled: &enabled,
            library,
            guard: None,
            seen: FxHashSet::default(),
            span: Span::DUMMY,
            parts: Box::default(),
            copied: None,
            property: None,
            out: Vec::with_capacity(body.len()),
        };
        for instr in body {
            checker.instruction(instr);
        }
        let out = checker.out;
        program.functions[function].body = Some(out);
    }
}

/// The state of the walk, and what properties build claims with.
pub struct Checker<'a> {
    /// The program; its body under work is taken out.
    pub program: &'a mut Program,
    words: &'a Words,
    addressed: &'a EntitySet<SymbolId>,
    enabled: &'a [PropertyId],
    library: bool,
    guard: Option<ExprId>,
    seen: FxHashSet<(ExprId, Option<ExprId>)>,
    span: Span,
    parts: Box<[(ExprId, Span)]>,
    copied: Option<ExprId>,
    property: Option<PropertyId>,
    out: Vec<Instr>,
}

impl Checker<'_> {
    fn instruction(&mut self, instr: Instr) {
        self.seen.clear();
        self.span = instr.span;
        self.parts.clone_from(&instr.parts);
        self.copied = match instr.kind {
            InstrKind::Assign(_, value) => Some(value),
            _ => None,
        };
        instr.kind.for_each_expr(|expr, role| match role {
            Role::Read => self.value(expr),
            Role::Write => {
                self.address(expr);
                self.access(Target::Place(expr), Access::Write);
            }
        });
        if let InstrKind::Intrinsic { op, args, .. } = &instr.kind {
            for block in op.blocks() {
                self.block(args[block.pointer], args[block.size], block.access);
            }
            if op.is_obligation() {
                return;
            }
        }
        for &property in self.enabled {
            if let Sites::Instruction(find) = sites(property) {
                self.property = Some(property);
                find(self, &instr.kind);
            }
        }
        self.out.push(instr);
    }

    /// Looks at an expression that is evaluated for its value.
    fn value(&mut self, expr: ExprId) {
        if !self.seen.insert((expr, self.guard)) {
            return;
        }
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.value_unseen(expr));
    }

    fn value_unseen(&mut self, expr: ExprId) {
        if self.program.is_place(expr) {
            self.address(expr);
            self.access(Target::Place(expr), Access::Read);
            return;
        }
        match *self.program.exprs.kind(expr) {
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Implies, left, right) => {
                self.value(left);
                self.value_if(left, true, right);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                self.value(left);
                self.value_if(left, false, right);
            }
            ExprKind::Ite(cond, then, other) => {
                self.value(cond);
                self.value_if(cond, true, then);
                self.value_if(cond, false, other);
            }
            _ => {
                let mut children = Vec::new();
                self.program.exprs.kind(expr).for_each_child(|child| children.push(child));
                children.into_iter().for_each(|child| self.value(child));
            }
        }
        for &property in self.enabled {
            if let Sites::Operation(find) = sites(property) {
                self.property = Some(property);
                find(self, expr);
            }
        }
    }

    /// Looks at an expression that is evaluated only if `cond` has the truth value `holds`.
    fn value_if(&mut self, cond: ExprId, holds: bool, expr: ExprId) {
        let outer = self.guard;
        let cond = if holds { cond } else { self.program.not(cond) };
        self.guard = Some(match outer {
            Some(outer) => self.program.and(outer, cond),
            None => cond,
        });
        self.value(expr);
        self.guard = outer;
    }

    /// Looks at what is evaluated to find out which object a place denotes.
    fn address(&mut self, mut place: ExprId) {
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    self.value(index);
                    place = base;
                }
                ExprKind::Deref(pointer) => return self.value(pointer),
                _ => return,
            }
        }
    }

    fn access(&mut self, target: Target, access: Access) {
        for &property in self.enabled {
            if let Sites::Access(_, find) = sites(property) {
                self.property = Some(property);
                find(self, target, access);
            }
        }
    }

    /// Looks at the access to a block; one without bytes is none.
    fn block(&mut self, pointer: ExprId, size: ExprId, access: Access) {
        let size_type = self.program.size_type();
        let size = self.program.cast(size_type, size);
        let zero = self.program.size(0);
        let some = self.program.ne(size, zero);
        match *self.program.exprs.kind(some) {
            ExprKind::Bool(false) => {}
            ExprKind::Bool(true) => self.access(Target::Block { pointer, size }, access),
            _ => {
                self.guard = Some(some);
                self.access(Target::Block { pointer, size }, access);
                self.guard = None;
            }
        }
    }

    /// Adds the claim that `cond` holds, about the expression `about`, for the property that is being asked.
    pub(crate) fn claim(&mut self, cond: ExprId, about: Option<ExprId>, description: String) {
        let info = self.property.expect("a property is being asked").info();
        if *self.program.exprs.kind(cond) == ExprKind::Bool(true) {
            return;
        }
        let cond = match self.guard {
            Some(guard) => self.program.implies(guard, cond),
            None => cond,
        };
        let part = self.parts.iter().find(|(expr, _)| Some(*expr) == about);
        let span = part.map_or(self.span, |(_, span)| *span);
        // A user does not know the variables of a library model.
        let is_ours = self.library && self.property != Some(PropertyId::Race);
        let description = if is_ours && about.is_some() { info.title.to_owned() } else { description };
        let claim = Claim::new(info.id, description);
        self.out.push(Instr { kind: InstrKind::Assert(cond, Box::new(claim)), span, parts: Box::default() });
    }

    /// Returns whether the function under work belongs to a library model.
    pub(crate) fn in_library(&self) -> bool {
        self.library
    }

    /// Returns whether another thread may reach the place.
    pub(crate) fn is_shared(&self, place: ExprId) -> bool {
        crate::split_accesses::is_shared(self.program, self.addressed, place)
    }

    /// The type of an expression.
    pub(crate) fn ty(&self, expr: ExprId) -> &Type {
        self.program.type_of(expr)
    }

    /// Size in bytes of an object of the type.
    pub(crate) fn size_of(&self, ty: TypeId) -> Option<u64> {
        self.program.size_of(ty)
    }

    /// An expression in the user's words, for descriptions.
    pub(crate) fn text(&self, expr: ExprId) -> String {
        self.words.describe(self.program, expr)
    }

    /// The address from which a target can be reached, and how many bytes from there it needs. That is a place's own
    /// address and size, but for a bit-field, which has no address: there it is its structure's.
    pub(crate) fn extent(&mut self, target: Target) -> Option<(ExprId, ExprId)> {
        match target {
            Target::Block { pointer, size } => Some((pointer, size)),
            Target::Place(place) => {
                let (address, size) = self.extent_of_place(place)?;
                Some((address, self.program.size(size)))
            }
        }
    }

    fn extent_of_place(&mut self, place: ExprId) -> Option<(ExprId, u64)> {
        if let ExprKind::Member(base, member) = *self.program.exprs.kind(place)
            && let &Type::Struct(id) = self.ty(base)
            && let field = &self.program.types.structs[id].fields[member as usize]
            && let (Some(first), &Type::Int { width, .. }) = (field.first_bit, self.program.types.get(field.ty))
        {
            let size = field.offset + u64::from(first + width).div_ceil(8);
            return Some((self.program.address_of(base), size));
        }
        let size = self.size_of(self.program.exprs.ty(place))?;
        Some((self.program.address_of(place), size))
    }

    /// The structure of a bit-field, its first bit in that, and how many it has.
    pub(crate) fn bits_of(&mut self, target: Target) -> Option<(ExprId, u64, u64)> {
        let Target::Place(place) = target else { return None };
        let &ExprKind::Member(base, member) = self.program.exprs.kind(place) else { return None };
        let &Type::Struct(id) = self.ty(base) else { return None };
        let field = &self.program.types.structs[id].fields[member as usize];
        let &Type::Int { width, .. } = self.program.types.get(field.ty) else { return None };
        let first = field.offset * 8 + u64::from(field.first_bit?);
        Some((self.program.address_of(base), first, width.into()))
    }

    /// The expression of the source that a claim about a target is about.
    pub(crate) fn about(&self, target: Target) -> ExprId {
        match target {
            Target::Place(place) => place,
            Target::Block { pointer, .. } => pointer,
        }
    }

    /// The bytes of a block in the user's words.
    pub(crate) fn block_text(&self, pointer: ExprId, size: ExprId) -> String {
        let what = self.text(pointer);
        match self.program.exprs.kind(size) {
            ExprKind::Memory(MemoryOp::TextSize, _) => format!("the text at {what}"),
            ExprKind::Int(bits) => match bits.to_u64() {
                Some(1) => format!("the byte at {what}"),
                Some(n) => format!("the {n} bytes at {what}"),
                None => format!("the block at {what}"),
            },
            _ => format!("the {} bytes at {what}", self.text(size)),
        }
    }

    /// The pointer through which a target is reached; `None` if it is part of a variable. One that is the address of a
    /// variable which may be written (`*(char *)&x`) adds nothing that could go wrong.
    pub(crate) fn pointer_to(&self, target: Target) -> Option<ExprId> {
        let (pointer, is_place) = match target {
            Target::Place(place) => (self.pointer_of(place)?, true),
            Target::Block { pointer, .. } => (pointer, false),
        };
        match *self.program.exprs.kind(self.without_casts(pointer)) {
            ExprKind::AddressOf(place) if is_place => {
                let variable = self.program.root_variable(place);
                let plain = variable.is_some_and(|symbol| self.program.symbols[symbol].writable);
                (!plain).then_some(pointer)
            }
            ExprKind::AddressOf(place) => self.pointer_of(place),
            _ => Some(pointer),
        }
    }

    /// A pointer without casts of pointers to pointers.
    fn without_casts(&self, mut pointer: ExprId) -> ExprId {
        while let ExprKind::Cast(_, inner) = *self.program.exprs.kind(pointer)
            && matches!(self.ty(inner), Type::Ptr(_))
        {
            pointer = inner;
        }
        pointer
    }

    /// The variable that a target is part of, if it is reached without a pointer.
    pub(crate) fn variable_of(&self, target: Target) -> Option<&Symbol> {
        let mut place = match target {
            Target::Place(place) => place,
            Target::Block { pointer, .. } => {
                match *self.program.exprs.kind(self.without_casts(pointer)) {
                    ExprKind::AddressOf(place) => place,
                    _ => return None,
                }
            }
        };
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = base,
                ExprKind::Symbol(symbol) => return Some(&self.program.symbols[symbol]),
                _ => return None,
            }
        }
    }

    /// The pointer through which a place is reached; `None` if it is part of a variable.
    pub(crate) fn pointer_of(&self, mut place: ExprId) -> Option<ExprId> {
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = base,
                ExprKind::Deref(pointer) => return Some(pointer),
                _ => return None,
            }
        }
    }

    /// Returns whether the target is surely inside of a variable: a part at constant indices in range, or a block
    /// that begins there and is not larger than that part.
    pub(crate) fn is_inside_variable(&self, target: Target) -> bool {
        let mut place = match target {
            Target::Place(place) => place,
            Target::Block { pointer, size } => {
                let pointer = self.without_casts(pointer);
                let (&ExprKind::AddressOf(place), ExprKind::Int(size)) =
                    (self.program.exprs.kind(pointer), self.program.exprs.kind(size))
                else {
                    return false;
                };
                let room = self.size_of(self.program.exprs.ty(place));
                if room.zip(size.to_u64()).is_none_or(|(room, size)| size > room) {
                    return false;
                }
                place
            }
        };
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) => place = base,
                ExprKind::Index(base, index) => {
                    let (&Type::Array(_, len), ExprKind::Int(index)) =
                        (self.ty(base), self.program.exprs.kind(index))
                    else {
                        return false;
                    };
                    if index.to_u64().is_none_or(|index| index >= len) {
                        return false;
                    }
                    place = base;
                }
                ExprKind::Symbol(_) => return true,
                _ => return false,
            }
        }
    }

    /// `0 <= index < len`, whatever the index's type.
    pub(crate) fn in_range(&mut self, index: ExprId, len: u64) -> ExprId {
        let &Type::Int { signed, width } = self.ty(index) else { return self.program.bool(false) };
        let ty = self.program.exprs.ty(index);
        let greatest_bits = width - u32::from(signed);
        let below = if greatest_bits < 64 && len >> greatest_bits != 0 {
            self.program.bool(true)
        } else {
            let len = self.program.int(ty, i128::from(len));
            self.program.lt(index, len)
        };
        if !signed {
            return below;
        }
        let zero = self.program.int(ty, 0);
        let not_negative = self.program.le(zero, index);
        self.program.and(not_negative, below)
    }

    /// The alignment in bytes that C demands of objects of the type.
    pub(crate) fn align_of(&self, ty: TypeId) -> u64 {
        self.program.types.align_of(ty, &self.program.machine)
    }

    /// Returns whether the instruction under work only copies the place's value.
    pub(crate) fn is_copied(&self, place: ExprId) -> bool {
        self.copied == Some(place)
    }

    /// Returns whether the place is a variable that has a value from the beginning, or a part of one.
    pub(crate) fn is_static_or_param(&self, mut place: ExprId) -> bool {
        loop {
            match *self.program.exprs.kind(place) {
                ExprKind::Member(base, _) | ExprKind::Index(base, _) => place = base,
                ExprKind::Symbol(symbol) => {
                    return !matches!(self.program.symbols[symbol].kind, SymbolKind::Local(_));
                }
                _ => return false,
            }
        }
    }
}
