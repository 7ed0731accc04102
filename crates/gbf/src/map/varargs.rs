//! Variable arguments.
//!
//! CBMC passes a function's variable arguments as pointers to them, one after the other. Its `va_list` is a pointer to the
//! first that has not been taken; `va_arg` is a read through it and a step, whose comment `#va_arg_type` says the type that is
//! taken. ESBMC keeps the `va_list` of the machine and has a side effect `va_arg`; here the member of such a list that points
//! to arguments in memory takes the part of CBMC's pointer.
//!
//! In front of each argument stands its kind, as in the structures of C programs ([`Program::pack_layout`]), so that taking one
//! as another type is a claim that fails (C17 7.16.1.1p2).
//!
//! [`Program::pack_layout`]: vergo_goto::program::Program::pack_layout

use super::{Mapper, Mapping, unsupported};
use crate::irep::IrepId;
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::program::{Claim, Program};
use vergo_goto::types::{StructId, Type, TypeId};

/// The comment on the step of a `va_list`.
const TAKEN: &str = "#va_arg_type";

/// The member of the machine's `va_list` that points to arguments in memory.
const IN_MEMORY: &str = "overflow_arg_area";

impl Mapper<'_> {
    /// A variable argument after C's promotions.
    pub(super) fn argument(&mut self, argument: IrepId) -> Mapping<ExprId> {
        let value = self.value(argument)?;
        let ty = match self.p.type_of(value) {
            Type::Bool => self.p.types.int(true, 32),
            Type::Int { width, .. } if *width < 32 => self.p.types.int(true, 32),
            Type::Float(vergo_num::FloatFormat::SINGLE) => {
                self.p.types.float(vergo_num::FloatFormat::DOUBLE)
            }
            _ => self.p.exprs.ty(value),
        };
        self.coerce(value, ty)
    }

    /// Variable arguments as CBMC's functions take them: pointers to the arguments, one after the other.
    pub(super) fn pack_pointers(&mut self, values: Vec<ExprId>) -> Mapping<ExprId> {
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        if values.is_empty() {
            return Ok(self.p.null(pointer));
        }
        let ty = self.p.types.array(pointer, values.len() as u64);
        let list = self.temp(ty)?;
        for (i, value) in values.into_iter().enumerate() {
            let place = self.packed(&[value])?;
            let argument = self.p.member(place, Program::pack_field(0));
            let address = self.p.address_of(argument);
            let address = self.p.cast(pointer, address);
            let i = self.p.size(i as u64);
            let slot = self.p.index(list, i);
            self.builder.assign(slot, address);
        }
        let zero = self.p.size(0);
        let first = self.p.index(list, zero);
        Ok(self.p.address_of(first))
    }

    /// Variable arguments as our library takes them: one after the other in a structure (see `docs/ir.md`).
    pub(super) fn pack_values(&mut self, values: Vec<ExprId>) -> Mapping<ExprId> {
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        if values.is_empty() {
            return Ok(self.p.null(pointer));
        }
        let place = self.packed(&values)?;
        Ok(self.p.address_of(place))
    }

    /// A new variable with variable arguments and their kinds.
    fn packed(&mut self, values: &[ExprId]) -> Mapping<ExprId> {
        let types: Vec<TypeId> = values.iter().map(|&value| self.p.exprs.ty(value)).collect();
        if types.iter().any(|&ty| self.p.size_of(ty).is_none()) {
            return unsupported("an argument without a size");
        }
        let id = self.pack_type(types);
        let ty = self.p.types.intern(Type::Struct(id));
        let place = self.temp(ty)?;
        for (i, value) in self.p.pack_values(values).into_iter().enumerate() {
            let member = self.p.member(place, i as u32);
            self.builder.assign(member, value);
        }
        Ok(place)
    }

    fn pack_type(&mut self, types: Vec<TypeId>) -> StructId {
        if let Some(&id) = self.packs.get(&types) {
            return id;
        }
        let name = format!("$arguments{}", self.packs.len());
        let structure = self.p.pack_layout(name, &types);
        let id = self.p.add_struct(structure);
        self.packs.insert(types, id);
        id
    }

    /// Claims of a step of CBMC's `va_list` that the argument has the type that it was taken as.
    pub(super) fn claim_taken(&mut self, step: IrepId, cursor: ExprId) -> Mapping<()> {
        let Some(ty) = self.b.ireps.get(step, TAKEN) else { return Ok(()) };
        let to = self.p.pointee(self.p.exprs.ty(cursor));
        let is_list = to.is_some_and(|to| matches!(self.p.types.get(to), Type::Ptr(_)));
        // Nothing is known of a step that is made only sometimes.
        if !is_list || self.conditional > 0 {
            return Ok(());
        }
        let ty = self.ty(ty)?;
        let pointer = self.p.deref(cursor);
        self.claim_kind(pointer, ty);
        self.effects += 1;
        Ok(())
    }

    /// Claims that the variable argument behind a pointer is of a type's kind, which stands where its object begins.
    fn claim_kind(&mut self, pointer: ExprId, ty: TypeId) {
        let kind_type = self.p.size_type();
        let offset = self.p.memory(MemoryOp::Offset, [pointer]);
        let back = self.p.neg(offset);
        let byte = self.p.types.int(false, 8);
        let bytes = self.p.types.ptr(byte);
        let first = self.p.cast(bytes, pointer);
        let first = self.p.ptr_add(first, back);
        let kinds = self.p.types.ptr(kind_type);
        let first = self.p.cast(kinds, first);
        let given = self.p.deref(first);
        let wanted = self.p.argument_kind(ty);
        let wanted = self.p.size(wanted);
        let alike = self.p.eq(given, wanted);
        let description = "the argument does not have the type that `va_arg` takes it as";
        self.builder.assert(alike, Claim::new("call.argument", description.to_owned()));
    }

    /// The place of a `va_list` that is an argument: an array is passed as a pointer to its element.
    fn list(&mut self, argument: IrepId) -> Mapping<ExprId> {
        let list = self.value(argument)?;
        let element = self.p.pointee(self.p.exprs.ty(list));
        match element.map(|ty| self.p.types.get(ty)) {
            Some(Type::Struct(_)) => Ok(self.p.deref(list)),
            _ => Ok(list),
        }
    }

    /// The part of the machine's `va_list` that takes the part of CBMC's pointer.
    fn cursor(&mut self, list: ExprId) -> Mapping<ExprId> {
        let part = match self.p.type_of(list) {
            Type::Struct(_) => self.p.member_named(list, IN_MEMORY),
            Type::Ptr(_) => Some(list),
            _ => None,
        };
        let Some(part) = part.filter(|&part| self.p.is_place(part)) else {
            return unsupported("a `va_list` of this form");
        };
        let void = self.p.types.void();
        let argument = self.p.types.ptr(void);
        let arguments = self.p.types.ptr(argument);
        let want = self.p.types.ptr(arguments);
        let address = self.p.address_of(part);
        let address = self.p.cast(want, address);
        Ok(self.p.deref(address))
    }

    /// `__builtin_va_start(list, ...)`
    pub(super) fn start_list(&mut self, list: IrepId) -> Mapping<()> {
        let list = self.list(list)?;
        let cursor = self.cursor(list)?;
        let arguments = self.variable_arguments()?;
        let arguments = self.coerce(arguments, self.p.exprs.ty(cursor))?;
        self.builder.assign(cursor, arguments);
        Ok(())
    }

    /// `__builtin_va_copy(to, from)`
    pub(super) fn copy_list(&mut self, to: IrepId, from: IrepId) -> Mapping<()> {
        let (to, from) = (self.list(to)?, self.list(from)?);
        let (to, from) = (self.cursor(to)?, self.cursor(from)?);
        self.builder.assign(to, from);
        Ok(())
    }

    /// ESBMC's side effect `va_arg`: the next argument.
    pub(super) fn take(&mut self, list: IrepId, ty: TypeId) -> Mapping<ExprId> {
        let list = self.place(list)?;
        if self.p.size_of(ty).is_none() {
            return unsupported("an argument without a size");
        }
        let cursor = self.cursor(list)?;
        let pointer = self.p.deref(cursor);
        let want = self.p.types.ptr(ty);
        let argument = self.p.cast(want, pointer);
        let argument = self.p.deref(argument);
        let value = self.saved(argument)?;
        self.claim_kind(pointer, ty);
        let one = self.p.size(1);
        let next = self.p.ptr_add(cursor, one);
        self.builder.assign(cursor, next);
        Ok(value)
    }
}
