//! Places: what C calls lvalues.

use crate::function::Fx;
use rustc_hash::FxHashSet;
use vergo_cfront::hir::{
    BinaryOp, CastKind, ExprId as HirExpr, ExprKind, InitKind, PtrOffsetOp, Storage, UnaryOp, Unit,
    VarId,
};
use vergo_cfront::types::{ArrayLen, QualType, RecordId, TypeKind};
use vergo_goto::expr::{self, ExprId};
use vergo_goto::types::{Type, TypeId};

impl Fx<'_, '_> {
    /// Returns whether a place is a bit-field.
    pub(crate) fn is_bit_field(&self, place: ExprId) -> bool {
        let expr::ExprKind::Member(base, member) = *self.cx.p.exprs.kind(place) else {
            return false;
        };
        let Type::Struct(id) = *self.cx.p.type_of(base) else { return false };
        self.cx.p.types.structs[id].fields[member as usize].first_bit.is_some()
    }

    /// The place that an expression denotes; for one that is no lvalue, its value, in a temporary if need be.
    pub(crate) fn place(&mut self, expr: HirExpr) -> ExprId {
        let node = self.unit.exprs[expr];
        if let ExprKind::Var(var) = node.kind {
            let place = self.var_place(var);
            if let Some(symbol) = self.cx.units[self.u].vars[var]
                && self.cx.open.contains(&symbol)
                && !self.is_address_only(expr)
            {
                self.unsupported("an object of unknown size that is defined elsewhere", node.span);
            }
            return place;
        }
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.place_node(expr))
    }

    /// Returns whether only the address of a variable is used, to compare it for equality or as a number.
    fn is_address_only(&mut self, variable: HirExpr) -> bool {
        if self.u != 0 {
            return false;
        }
        if self.cx.address_only.is_none() {
            self.cx.address_only = Some(address_only(&self.unit));
        }
        self.cx.address_only.as_ref().is_some_and(|all| all.contains(&variable))
    }

    fn place_node(&mut self, expr: HirExpr) -> ExprId {
        let node = self.unit.exprs[expr];
        match node.kind {
            ExprKind::Var(var) => {
                let place = self.var_place(var);
                self.as_declared(place, var, node.ty)
            }
            ExprKind::String(string) => {
                let symbol = self.cx.string_symbol(self.u, string);
                self.cx.p.symbol(symbol)
            }
            ExprKind::Deref(pointer) => {
                let pointer = self.value(pointer);
                let ty = self.ty(node.ty);
                let place = self.deref_as(pointer, ty);
                self.note(place, node.span)
            }
            ExprKind::Index(base, index) => {
                self.claim_sequenced(expr);
                if let ExprKind::Cast(CastKind::ArrayDecay, array) = self.unit.exprs[base].kind
                    && self.is_indexable(array)
                {
                    let place = self.object(array);
                    let place =
                        if self.has_effects(index) { self.freeze_place(place) } else { place };
                    let index = self.value(index);
                    if let Type::Array(..) = self.cx.p.type_of(place) {
                        let place = self.cx.p.index(place, index);
                        return self.note(place, node.span);
                    }
                }
                let element = self.unit.types.pointee(self.unit.exprs[base].ty);
                let length = self.inner_length(base);
                let (base, index) = self.operands(base, index, false);
                if let Some(length) = length {
                    self.claim_index(index, length);
                }
                let pointer = self.pointer_offset(PtrOffsetOp::Add, base, index, element);
                let ty = self.ty(node.ty);
                let place = self.deref_as(pointer, ty);
                self.note(pointer, node.span);
                self.note(place, node.span)
            }
            ExprKind::Member(base, record, field) => {
                let place = self.object(base);
                let place = self.member(place, record, field);
                self.note(place, node.span)
            }
            ExprKind::CompoundLiteral(var) => {
                if matches!(self.unit.vars[var].storage, Storage::Static { .. }) {
                    return self.var_place(var);
                }
                self.compound_literal(var)
            }
            ExprKind::ComplexPart(base, imaginary) => {
                let place = self.object(base);
                self.complex_part(place, imaginary)
            }
            ExprKind::VectorElement(base, index) => {
                let place = self.object(base);
                let place = if self.has_effects(index) { self.freeze_place(place) } else { place };
                let index = self.value(index);
                let place = self.cx.p.index(place, index);
                self.note(place, node.span)
            }
            ExprKind::Cast(CastKind::NoOp, inner) if self.is_lvalue(inner) => self.place(inner),
            _ => {
                let value = self.value(expr);
                if self.cx.p.is_place(value) { value } else { self.save(value) }
            }
        }
    }

    /// A static variable at the type that the file declares which uses it; another file may define it at another one.
    fn as_declared(&mut self, place: ExprId, var: VarId, declared: QualType) -> ExprId {
        if !matches!(self.unit.vars[var].storage, Storage::Static { .. })
            || self.unit.types.is_vla(declared)
        {
            return place;
        }
        let (from, to) = (self.cx.p.exprs.ty(place), self.ty(declared));
        let size = self.cx.p.size_of(to);
        let differs = from != to
            && size.is_some_and(|size| size > 0)
            && (self.is_scalar(to) || size != self.cx.p.size_of(from));
        if !differs || !self.cx.p.is_place(place) {
            return place;
        }
        let address = self.cx.p.address_of(place);
        self.deref_as(address, to)
    }

    /// A place for a base expression, which may be a value.
    fn object(&mut self, expr: HirExpr) -> ExprId {
        let place = self.place(expr);
        if self.cx.p.is_place(place) { place } else { self.save(place) }
    }

    /// The place at an address, read at a type.
    pub(crate) fn deref_as(&mut self, pointer: ExprId, ty: TypeId) -> ExprId {
        let want = self.cx.p.types.ptr(ty);
        let pointer = self.coerce(pointer, want);
        self.cx.p.deref(pointer)
    }

    /// Returns whether elements of an array place are accessed by index. A flexible array member, or the last
    /// member of a structure that is used like one, is accessed through a pointer, so that the object alone bounds
    /// the access.
    fn is_indexable(&self, array: HirExpr) -> bool {
        let node = self.unit.exprs[array];
        if self.unit.types.is_vla(node.ty) {
            return false;
        }
        let TypeKind::Array(_, ArrayLen::Fixed(len)) = *self.unit.types.kind(node.ty) else {
            return false;
        };
        if len == 0 {
            return false;
        }
        if let ExprKind::Member(base, record, field) = node.kind
            && len <= 1
            && self.is_lvalue(base)
        {
            let fields = self.unit.types.records[record].fields.as_ref();
            return fields.is_none_or(|fields| fields.len() != field as usize + 1);
        }
        true
    }

    /// A member of a structure or union.
    pub(crate) fn member(&mut self, base: ExprId, record: RecordId, field: u32) -> ExprId {
        if self.unit.types.records[record].variable {
            return self.variable_member(base, record, field);
        }
        let info = self.cx.record(self.u, record);
        let base = self.reinterpret(base, info.ty);
        match info.fields.get(field as usize) {
            Some(Some(number)) => self.cx.p.member(base, *number),
            // An unnamed bit-field cannot be named.
            _ => self.cx.p.bool(false),
        }
    }

    /// A place or value seen at another type of the same meaning, as happens between units.
    fn reinterpret(&mut self, base: ExprId, ty: TypeId) -> ExprId {
        if self.cx.p.exprs.ty(base) == ty {
            return base;
        }
        let base = if self.cx.p.is_place(base) { base } else { self.save(base) };
        let address = self.cx.p.address_of(base);
        self.deref_as(address, ty)
    }

    /// The place of a variable.
    pub(crate) fn var_place(&mut self, var: VarId) -> ExprId {
        let unit = self.unit.clone();
        let variable = &unit.vars[var];
        let symbol = match variable.storage {
            Storage::Static { .. } => self.cx.static_symbol(self.u, var),
            _ => match self.cx.units[self.u].vars[var] {
                Some(symbol) => symbol,
                None => self.early_local(var),
            },
        };
        let place = self.reach(symbol);
        let ty = self.ty(variable.ty);
        let is_local = !matches!(variable.storage, Storage::Static { .. } | Storage::Param);
        if is_local && unit.types.is_vla(variable.ty) {
            return self.cx.p.deref(place);
        }
        if self.cx.p.exprs.ty(place) == ty {
            return place;
        }
        let address = self.cx.p.address_of(place);
        self.deref_as(address, ty)
    }

    /// A local variable that is used before its declaration has been lowered: the hidden length of a type, or one that
    /// was jumped over. It lives in the current block.
    fn early_local(&mut self, var: VarId) -> vergo_goto::program::SymbolId {
        let unit = self.unit.clone();
        let variable = &unit.vars[var];
        let ty = self.ty(variable.ty);
        let is_vla = unit.types.is_vla(variable.ty);
        let ty = if is_vla { self.cx.p.types.ptr(ty) } else { ty };
        let display = variable.name.map_or("", |name| unit.names.name(name));
        let align = self.cx.c_align(self.u, variable.ty);
        let symbol = self.local(display, ty, variable.span, align);
        self.cx.p.symbols[symbol].writable = is_vla || self.cx.is_writable(self.u, variable.ty);
        self.cx.units[self.u].vars[var] = Some(symbol);
        let block = self.block;
        self.blocks[block].hoisted.push(symbol);
        self.capture(var, symbol);
        symbol
    }

    /// `(type){...}` in a function: initialised each time it is evaluated (C17 6.5.2.5p5).
    fn compound_literal(&mut self, var: VarId) -> ExprId {
        let unit = self.unit.clone();
        let variable = &unit.vars[var];
        let symbol = match self.cx.units[self.u].vars[var] {
            Some(symbol) => symbol,
            None => self.early_local(var),
        };
        let place = self.cx.p.symbol(symbol);
        if let Some(init) = variable.init {
            self.initialise(place, init);
        }
        place
    }

    /// An array place as a pointer to its first element.
    pub(crate) fn decay(&mut self, array: HirExpr) -> ExprId {
        let node = self.unit.exprs[array];
        let place = self.object(array);
        if self.unit.types.is_vla(node.ty) {
            return self.cx.p.address_of(place);
        }
        if let Type::Array(element, _) = *self.cx.p.type_of(place) {
            // `*p` of a pointer to an array decays to the pointer itself.
            if let expr::ExprKind::Deref(pointer) = *self.cx.p.exprs.kind(place) {
                let ty = self.cx.p.types.ptr(element);
                return self.cx.p.cast(ty, pointer);
            }
            let zero = self.cx.p.size(0);
            let first = self.cx.p.index(place, zero);
            return self.cx.p.address_of(first);
        }
        self.cx.p.address_of(place)
    }
}

/// The mentions of variables of a unit whose address is only an operand of `==` or `!=`, a number or a truth value, or goes
/// into a variable of which the same is true.
fn address_only(unit: &Unit) -> FxHashSet<HirExpr> {
    let mut found = FxHashSet::default();
    // The mentions of variables whose values are only used so.
    let mut read = FxHashSet::default();
    for expr in unit.exprs.values() {
        let pointers = match expr.kind {
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b)
            | ExprKind::LogAnd(a, b)
            | ExprKind::LogOr(a, b) => [Some(a), Some(b)],
            ExprKind::Cast(CastKind::PtrToInt | CastKind::ToBool, a)
            | ExprKind::Unary(UnaryOp::Not, a)
            | ExprKind::Cond(a, ..) => [Some(a), None],
            _ => continue,
        };
        for pointer in pointers.into_iter().flatten() {
            found.extend(addressed(unit, pointer));
            if let ExprKind::Cast(CastKind::Load, place) = unit.exprs[plain(unit, pointer)].kind {
                read.insert(place);
            }
        }
    }
    let mut others: FxHashSet<VarId> = FxHashSet::default();
    let mut given: Vec<(VarId, HirExpr)> = Vec::new();
    for expr in unit.exprs.values() {
        if let ExprKind::Assign(place, value) = expr.kind
            && let ExprKind::Var(var) = unit.exprs[place].kind
        {
            read.insert(place);
            given.push((var, value));
        }
    }
    for (id, expr) in &unit.exprs {
        if let ExprKind::Var(var) = expr.kind
            && !read.contains(&id)
        {
            others.insert(var);
        }
    }
    for (var, variable) in &unit.vars {
        if matches!(variable.storage, Storage::Static { .. } | Storage::Param) {
            others.insert(var);
        } else if let Some(init) = variable.init
            && let InitKind::Expr(value) = unit.inits[init].kind
        {
            given.push((var, value));
        }
    }
    let given = given.into_iter().filter(|(var, _)| !others.contains(var));
    found.extend(given.filter_map(|(_, value)| addressed(unit, value)));
    found
}

/// A pointer without conversions to other pointers.
fn plain(unit: &Unit, mut pointer: HirExpr) -> HirExpr {
    while let ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, inner) = unit.exprs[pointer].kind {
        pointer = inner;
    }
    pointer
}

/// The mention of the variable whose address an expression is.
fn addressed(unit: &Unit, pointer: HirExpr) -> Option<HirExpr> {
    match unit.exprs[plain(unit, pointer)].kind {
        ExprKind::Cast(CastKind::ArrayDecay, place) | ExprKind::AddrOf(place) => {
            matches!(unit.exprs[place].kind, ExprKind::Var(_)).then_some(place)
        }
        _ => None,
    }
}
