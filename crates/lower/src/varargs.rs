//! Variable arguments.
//!
//! A variadic function has a last parameter `__va`, a pointer of a type of its own. The caller packs the promoted variable arguments into a
//! local structure and passes its address: each argument at the next multiple of the word (4 or 8 bytes), or of the type's
//! alignment if that is larger than 8. A `va_list` holds a cursor into that structure; `va_arg` reads at the cursor, at
//! the type that it names, and moves it. An access behind the last argument is an access out of the structure's bounds.

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
        for (i, arg) in args.into_iter().enumerate() {
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
        let mut at = self.cx.p.cast(char_ptr, cursor);
        let slot = self.cx.p.slot_align(ty);
        if slot > self.cx.target.word {
            let offset = self.cx.p.memory(MemoryOp::Offset, [at]);
            let size = self.cx.p.size_type();
            let offset = self.cx.p.cast(size, offset);
            let negated = self.cx.p.neg(offset);
            let mask = self.cx.p.size(slot - 1);
            let padding = self.cx.p.bit_and(negated, mask);
            at = self.cx.p.ptr_add(at, padding);
        }
        let at = self.save(at);
        let place = self.deref_as(at, ty);
        self.note(place, node.span);
        let value = self.save(place);
        let word = self.cx.target.word;
        let size = self.cx.p.size_of(ty).unwrap_or(0).next_multiple_of(word);
        let size = self.cx.p.size(size);
        let next = self.cx.p.ptr_add(at, size);
        let next = self.cx.p.cast(void_ptr, next);
        self.assign(cursor, next);
        value
    }
}
