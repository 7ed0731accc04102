//! Variable arguments.
//!
//! A variadic function has a last parameter `__va`, a pointer of a type of its own. The caller packs the promoted variable arguments into a
//! local structure ([`Program::pack_layout`]) and passes its address: in front of each argument stands its kind. A
//! `va_list` holds a cursor into that structure; `va_arg` claims that the kind at the cursor is the one of the type that it
//! names (C17 7.16.1.1p2), reads the argument behind it, and moves the cursor. An access behind the last argument is an
//! access out of the structure's bounds.
//!
//! [`Program::pack_layout`]: vergo_goto::program::Program::pack_layout

use crate::function::Fx;
use vergo_cfront::hir::{Expr, ExprId as HirExpr};
use vergo_goto::expr::{ExprId, MemoryOp};
use vergo_goto::types::{Type, TypeId};

impl Fx<'_, '_> {
    /// The address of a structure with these arguments; null without any.
    pub(crate) fn pack(&mut self, args: &[ExprId]) -> ExprId {
        let ptr = self.cx.variable_arguments();
        if args.is_empty() {
            return self.cx.p.null(ptr);
        }
        let args: Vec<ExprId> = args
            .iter()
            .map(|&arg| {
                let ty = self.cx.p.exprs.ty(arg);
                let ty = self.cx.promoted(ty);
                self.coerce(arg, ty)
            })
            .collect();
        let types: Vec<TypeId> = args.iter().map(|&arg| self.cx.p.exprs.ty(arg)).collect();
        let ty = self.pack_type(types);
        let temp = self.temp(ty);
        let place = self.cx.p.symbol(temp);
        for (i, arg) in self.cx.p.pack_values(&args).into_iter().enumerate() {
            let member = self.cx.p.member(place, i as u32);
            self.assign(member, arg);
        }
        let address = self.cx.p.address_of(place);
        self.cx.p.cast(ptr, address)
    }

    fn pack_type(&mut self, types: Vec<TypeId>) -> TypeId {
        if let Some(&ty) = self.cx.packs.get(&types) {
            return ty;
        }
        let name = self.cx.unique_struct_name("va");
        let layout = self.cx.p.pack_layout(name, &types);
        let id = self.cx.p.add_struct(layout);
        let ty = self.cx.p.types.intern(Type::Struct(id));
        self.cx.packs.insert(types, ty);
        ty
    }

    /// The cursor of a `va_list`.
    pub(crate) fn cursor(&mut self, list: HirExpr) -> ExprId {
        let want = self.cx.va_list_type();
        let place = self.place(list);
        let place = if self.cx.p.exprs.ty(place) == want {
            place
        } else if let Type::Ptr(_) = self.cx.p.type_of(place) {
            // A parameter of type `va_list` may have become a pointer to one.
            self.deref_as(place, want)
        } else {
            let address = self.cx.p.address_of(place);
            self.deref_as(address, want)
        };
        self.cx.p.member(place, 0)
    }

    /// `va_arg(list, type)`
    pub(crate) fn va_arg(&mut self, node: Expr, list: HirExpr) -> ExprId {
        let ty = self.ty(node.ty);
        let cursor = self.cursor(list);
        let cursor = self.freeze_place(cursor);
        let char_ptr = self.cx.char_ptr();
        let void_ptr = self.cx.void_ptr();
        let kind = self.cx.p.cast(char_ptr, cursor);
        let kind = self.save(kind);
        let size_type = self.cx.p.size_type();
        let given = self.deref_as(kind, size_type);
        self.note(given, node.span);
        let given = self.save(given);
        let wanted = self.cx.p.argument_kind(ty);
        let wanted = self.cx.p.size(wanted);
        let alike = self.cx.p.eq(given, wanted);
        let description =
            "the argument does not have the type that `va_arg` takes it as".to_owned();
        self.claim(alike, "call.argument", description);
        let word = self.cx.target.word;
        let step = self.cx.p.size(word);
        let mut at = self.cx.p.ptr_add(kind, step);
        let slot = self.cx.p.slot_align(ty);
        if slot > word {
            let offset = self.cx.p.memory(MemoryOp::Offset, [at]);
            let offset = self.cx.p.cast(size_type, offset);
            let negated = self.cx.p.neg(offset);
            let mask = self.cx.p.size(slot - 1);
            let padding = self.cx.p.bit_and(negated, mask);
            at = self.cx.p.ptr_add(at, padding);
        }
        let at = self.save(at);
        let place = self.deref_as(at, ty);
        self.note(place, node.span);
        let value = self.save(place);
        let size = self.cx.p.size_of(ty).unwrap_or(0).next_multiple_of(word);
        let size = self.cx.p.size(size);
        let next = self.cx.p.ptr_add(at, size);
        let next = self.cx.p.cast(void_ptr, next);
        self.assign(cursor, next);
        value
    }
}
