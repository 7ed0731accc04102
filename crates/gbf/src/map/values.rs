//! Expressions: ireps to typed GOTO.
//!
//! [`Mapper::value`] gives an expression of its natural type: comparisons are truth values, everything else is of the
//! type that objects have. Places come out as places. What has an effect (a choice, an allocation, an update of a value)
//! becomes instructions before the one that uses it. Shared ireps are converted once.

use super::{Mapper, Mapping, Object, unsupported};
use crate::binary::Dialect;
use crate::irep::{IrepId, Key};
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use vergo_goto::program::{SymbolId, SymbolKind};
use vergo_goto::types::{Type, TypeId};
use vergo_num::{BitVec, Float, RoundingMode};
use vergo_source::Span;

impl Mapper<'_> {
    /// The type that an expression says it has.
    pub(super) fn type_irep(&self, irep: IrepId) -> Mapping<IrepId> {
        match self.b.ireps.child(irep, Key::Type) {
            Some(ty) => Ok(ty),
            None => unsupported(format!("`{}` without a type", self.b.ireps.id(irep))),
        }
    }

    fn own_type(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let ty = self.type_irep(irep)?;
        self.ty(ty)
    }

    /// Returns whether a type is that of truth values.
    pub(super) fn is_truth(&self, irep: IrepId) -> bool {
        matches!(self.b.ireps.id(irep), "bool" | "c_bool")
    }

    /// The value of an expression; a place where the expression is one.
    pub(super) fn value(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let value = match self.values.get(&irep) {
            Some(&value) => value,
            None => {
                let before = self.effects;
                let value =
                    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.new_value(irep))?;
                if self.effects == before {
                    self.values.insert(irep, value);
                }
                value
            }
        };
        if let Some(at) = self.b.ireps.child(irep, Key::SourceLocation) {
            let span = self.positions.span(Some(at));
            if span != Span::DUMMY && span != self.builder.span() {
                self.builder.note_part(value, span);
            }
        }
        Ok(value)
    }

    /// The value of an expression as a truth value.
    pub(super) fn truth(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let value = self.value(irep)?;
        self.as_truth(value)
    }

    pub(super) fn as_truth(&mut self, value: ExprId) -> Mapping<ExprId> {
        match self.p.type_of(value) {
            Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_) => {
                Ok(self.p.truth(value))
            }
            _ => unsupported("a condition that is no scalar"),
        }
    }

    /// A value at a type, converted by value.
    pub(super) fn coerce(&mut self, value: ExprId, ty: TypeId) -> Mapping<ExprId> {
        let from = self.p.exprs.ty(value);
        if from == ty {
            return Ok(value);
        }
        let scalar =
            |t: &Type| matches!(t, Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_));
        let (a, b) = (self.p.types.get(from).clone(), self.p.types.get(ty).clone());
        match (&a, &b) {
            (Type::Float(_), Type::Ptr(_)) | (Type::Ptr(_), Type::Float(_)) => {
                unsupported("a cast between a pointer and a float")
            }
            (Type::Bool | Type::Int { .. } | Type::Float(_), &Type::Struct(id))
                if self.is_complex(id) =>
            {
                let part = self.p.types.structs[id].fields[0].ty;
                let real = self.coerce(value, part)?;
                let imaginary = self.p.zero(part);
                Ok(self.p.structure(ty, [real, imaginary]))
            }
            (&Type::Struct(from), &Type::Struct(id))
                if self.is_complex(id) && self.is_complex(from) =>
            {
                let part = self.p.types.structs[id].fields[0].ty;
                let (re, im) = (self.complex_member(value, 0), self.complex_member(value, 1));
                let (re, im) = (self.coerce(re, part)?, self.coerce(im, part)?);
                Ok(self.p.structure(ty, [re, im]))
            }
            (&Type::Struct(from), Type::Int { .. } | Type::Float(_)) if self.is_complex(from) => {
                let real = self.complex_member(value, 0);
                self.coerce(real, ty)
            }
            _ if scalar(&a) && scalar(&b) => Ok(self.p.cast(ty, value)),
            (Type::Array(..), Type::Ptr(_)) if self.p.is_place(value) => {
                let zero = self.p.size(0);
                let first = self.p.index(value, zero);
                let address = self.p.address_of(first);
                Ok(self.p.cast(ty, address))
            }
            _ if self.p.size_of(from).is_some() && self.p.size_of(from) == self.p.size_of(ty) => {
                Ok(self.p.bits(ty, value))
            }
            _ => unsupported("a conversion between types of different sizes"),
        }
    }

    /// The value of an expression at a type.
    pub(super) fn value_at(&mut self, irep: IrepId, ty: TypeId) -> Mapping<ExprId> {
        let value = self.value(irep)?;
        self.coerce(value, ty)
    }

    /// A place; a value that is none is put into a new variable.
    pub(super) fn place(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let value = self.value(irep)?;
        if self.p.is_place(value) {
            return Ok(value);
        }
        if let ExprKind::Ite(c, a, b) = *self.p.exprs.kind(value)
            && self.p.is_place(a)
            && self.p.is_place(b)
        {
            let (a, b) = (self.p.address_of(a), self.p.address_of(b));
            let pointer = self.p.ite(c, a, b);
            return Ok(self.p.deref(pointer));
        }
        self.saved(value)
    }

    /// A new variable with a value.
    pub(super) fn saved(&mut self, value: ExprId) -> Mapping<ExprId> {
        let ty = self.p.exprs.ty(value);
        let (value, ty) = match self.p.types.get(ty) {
            Type::Bool => {
                let byte = self.p.types.int(false, 8);
                (self.p.cast(byte, value), byte)
            }
            _ => (value, ty),
        };
        let place = self.temp(ty)?;
        self.effect()?;
        self.builder.assign(place, value);
        Ok(place)
    }

    /// An effect is about to happen before the instruction; that must not depend on a condition inside of it.
    fn effect(&mut self) -> Mapping<()> {
        self.effects += 1;
        if self.conditional > 0 {
            return unsupported("an effect inside of a condition");
        }
        Ok(())
    }

    /// The value of what is evaluated only if a condition has a truth value.
    fn value_if(&mut self, condition: ExprId, holds: bool, irep: IrepId) -> Mapping<ExprId> {
        self.guards.push((condition, holds));
        self.conditional += 1;
        let value = self.value(irep);
        self.conditional -= 1;
        self.guards.pop();
        value
    }

    /// Any value of a type.
    pub(super) fn any(&mut self, ty_irep: IrepId) -> Mapping<ExprId> {
        let ty = self.ty(ty_irep)?;
        let truth = self.is_truth(ty_irep);
        self.any_of(ty, truth)
    }

    pub(super) fn any_of(&mut self, ty: TypeId, truth: bool) -> Mapping<ExprId> {
        // A choice has no condition: it is made whether or not it is needed.
        self.effects += 1;
        let place = self.temp(ty)?;
        if truth {
            let bit = self.p.types.int(false, 1);
            let narrow = self.temp(bit)?;
            let choice = self.p.nondet(bit);
            self.builder.assign(narrow, choice);
            let value = self.p.cast(ty, narrow);
            self.builder.assign(place, value);
        } else {
            let choice = self.p.nondet(ty);
            self.builder.assign(place, choice);
        }
        Ok(place)
    }

    fn new_value(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        let id = b.ireps.id(irep);
        let operands = b.operands(irep);
        match (id, operands) {
            ("symbol", _) => self.symbol(irep),
            ("constant", _) => self.constant(irep),
            ("string_constant" | "string-constant", _) => self.string(irep),
            ("nil" | "", _) => unsupported("an expression that is missing"),
            ("address_of" | "implicit_address_of", [place]) => self.address_of(irep, *place),
            ("dereference", [pointer]) => {
                let ty = self.type_irep(irep)?;
                let ty = self.unit(ty)?;
                let pointer = self.value(*pointer)?;
                self.deref_at(pointer, ty)
            }
            ("member", [base]) => {
                let of = b.ireps.get(*base, "type");
                let base = self.value(*base)?;
                let name = b.ireps.get_id(irep, "component_name");
                if let Some(of) = of.filter(|&of| self.is_variable(of)) {
                    return self.variable_member(base, of, name);
                }
                match self.p.member_named(base, name) {
                    Some(member) => Ok(member),
                    None => unsupported(format!("the member `{name}`")),
                }
            }
            ("index", [array, index]) => self.index(irep, *array, *index),
            ("typecast" | "floatbv_typecast", [operand, mode @ ..]) => {
                self.rounded_cast(irep, *operand, mode)
            }
            ("bitcast", [operand]) => {
                let ty = self.own_type(irep)?;
                let value = self.value(*operand)?;
                match self.p.size_of(ty) == self.p.size_of(self.p.exprs.ty(value)) {
                    true => Ok(self.p.bits(ty, value)),
                    false => unsupported("a reinterpretation at another size"),
                }
            }
            (
                "struct" | "array" | "vector" | "union" | "complex" | "array_of" | "empty_union",
                _,
            ) => self.aggregate(irep, id, operands),
            ("compound_literal", [value]) => self.value(*value),
            ("complex_real", [z]) => self.complex_part(*z, "real"),
            ("complex_imag", [z]) => self.complex_part(*z, "imag"),
            ("if", [c, a, b]) => {
                let c = self.truth(*c)?;
                let ty = self.own_type(irep)?;
                let (a, b) = (self.value_if(c, true, *a)?, self.value_if(c, false, *b)?);
                if self.p.is_place(a) && self.p.exprs.ty(a) == self.p.exprs.ty(b) {
                    return Ok(self.p.ite(c, a, b));
                }
                let bool_type = self.p.types.bool();
                let both = [a, b].map(|x| self.p.exprs.ty(x) == bool_type);
                let ty = if both == [true, true] { bool_type } else { ty };
                let (a, b) = (self.coerce(a, ty)?, self.coerce(b, ty)?);
                Ok(self.p.ite(c, a, b))
            }
            ("and" | "or" | "xor" | "nand" | "nor" | "=>" | "implies" | "not", _) => {
                self.connective(id, operands)
            }
            ("=" | "notequal" | "ieee_float_equal" | "ieee_float_notequal", [x, y]) => {
                self.equality(id, *x, *y)
            }
            ("<" | "<=" | ">" | ">=", [x, y]) => {
                let (x, y) = self.same_type(*x, *y)?;
                if !matches!(self.p.type_of(x), Type::Int { .. } | Type::Float(_) | Type::Ptr(_)) {
                    return unsupported("an order of values that are no numbers");
                }
                Ok(match id {
                    "<" => self.p.lt(x, y),
                    "<=" => self.p.le(x, y),
                    ">" => self.p.gt(x, y),
                    _ => self.p.ge(x, y),
                })
            }
            ("side_effect" | "sideeffect", _) => self.side_effect(irep, operands),
            ("forall" | "exists", [bound, body]) => self.quantified(id, *bound, *body),
            ("sizeof", _) => self.size_of_type(irep),
            _ => self.operation(irep, id, operands),
        }
    }

    /// The rounding mode that CBMC's operand or ESBMC's child `rounding_mode` says.
    pub(super) fn rounding_of(
        &mut self,
        irep: IrepId,
        operand: &[IrepId],
    ) -> Mapping<Option<RoundingMode>> {
        let said = operand.first().copied().or_else(|| self.b.ireps.get(irep, "rounding_mode"));
        match self.b.present(said) {
            Some(mode) => self.rounding(mode),
            None => Ok(None),
        }
    }

    /// The rounding mode that an expression says, if it is a constant; else it is the one that holds.
    fn rounding(&mut self, mode: IrepId) -> Mapping<Option<RoundingMode>> {
        if self.b.ireps.id(mode) != "constant" {
            return Ok(None);
        }
        use RoundingMode as M;
        let modes =
            [M::NearestEven, M::TowardNegative, M::TowardPositive, M::TowardZero, M::NearestAway];
        match self.constant_size(mode).and_then(|n| modes.get(usize::try_from(n).ok()?).copied()) {
            Some(mode) => Ok(Some(mode)),
            None => unsupported("a rounding mode"),
        }
    }

    fn size_of_type(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        let own = self.own_type(irep)?;
        let about = b.operands(irep).first().copied();
        let about = about.map(|x| {
            if b.ireps.id(x) == "type" {
                b.subtype(x).or(b.ireps.get(x, "type"))
            } else {
                b.ireps.get(x, "type")
            }
        });
        let about = about.flatten().or_else(|| b.ireps.get(irep, "#c_sizeof_type"));
        let Some(about) = about else { return unsupported("`sizeof` of nothing") };
        let ty = self.ty(about)?;
        match self.p.size_of(ty) {
            Some(size) => Ok(self.p.int(own, i128::from(size))),
            None => unsupported("`sizeof` of a type without a size"),
        }
    }

    fn symbol(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        let identifier = b.ireps.child(irep, Key::Identifier);
        let name = identifier.map_or("", |identifier| b.ireps.id(identifier));
        if !self.bound.is_empty()
            && let Some(&value) = self.bound.get(name)
        {
            self.effects += 1;
            return Ok(value);
        }
        match self.named_object(irep)? {
            Object::Variable(symbol) | Object::Dynamic(symbol) if !self.is_known_here(symbol) => {
                unsupported(format!("the variable `{name}` of another function"))
            }
            Object::Variable(symbol) => Ok(self.p.symbol(symbol)),
            Object::Dynamic(symbol) => {
                let pointer = self.p.symbol(symbol);
                Ok(self.p.deref(pointer))
            }
            Object::Function(function) => Ok(self.p.function(function)),
        }
    }

    /// Returns the object that a `symbol` names.
    pub(super) fn named_object(&mut self, irep: IrepId) -> Mapping<Object> {
        let b = self.b;
        let ty = b.ireps.child(irep, Key::Type);
        let Some(identifier) = b.ireps.child(irep, Key::Identifier) else {
            return self.object("", ty);
        };
        let text = b.ireps.id_text(identifier);
        if let Some(&object) = self.named.get(&text) {
            return Ok(object);
        }
        let object = self.object(b.ireps.id(identifier), ty)?;
        self.named.insert(text, object);
        Ok(object)
    }

    /// Returns whether a variable is static or of the current function.
    fn is_known_here(&self, symbol: SymbolId) -> bool {
        match self.p.symbols[symbol].kind {
            SymbolKind::Static { .. } => true,
            SymbolKind::Local(f) | SymbolKind::Param(f) => Some(f) == self.current,
        }
    }

    pub(super) fn deref_at(&mut self, pointer: ExprId, ty: TypeId) -> Mapping<ExprId> {
        if self.p.size_of(ty).is_none() {
            return unsupported("access to an object without a size");
        }
        let want = self.p.types.ptr(ty);
        let pointer = self.coerce(pointer, want)?;
        Ok(self.p.deref(pointer))
    }

    fn index(&mut self, irep: IrepId, array: IrepId, index: IrepId) -> Mapping<ExprId> {
        let index = self.value(index)?;
        if !matches!(self.p.type_of(index), Type::Int { .. }) {
            return unsupported("an index that is not an integer");
        }
        let of = self.type_irep(array)?;
        let element = self.type_irep(irep)?;
        let variable = self.is_variable(of);
        // A variable whose size is not constant is a pointer to its first element.
        let b = self.b;
        if b.ireps.id(array) == "symbol" {
            let name = b.ireps.get_id(array, "identifier");
            if let Ok(Object::Dynamic(symbol)) = self.object(name, None)
                && self.is_known_here(symbol)
            {
                let pointer = self.p.symbol(symbol);
                let at = self.step(pointer, index, element)?;
                return Ok(self.p.deref(at));
            }
        }
        let base = self.value(array)?;
        match self.p.type_of(base) {
            Type::Array(..) if !variable => Ok(self.p.index(base, index)),
            Type::Ptr(_) if !variable => {
                let ty = self.own_type(irep)?;
                let want = self.p.types.ptr(ty);
                let pointer = self.coerce(base, want)?;
                let at = self.p.ptr_add(pointer, index);
                self.deref_at(at, ty)
            }
            // A row of an array whose size is not constant is named by its first element.
            _ if variable && self.p.is_place(base) => {
                let first = self.p.address_of(base);
                let at = self.step(first, index, element)?;
                Ok(self.p.deref(at))
            }
            _ => unsupported("an element of something that is not an array"),
        }
    }

    fn address_of(&mut self, irep: IrepId, place: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        let ty = self.own_type(irep)?;
        if b.ireps.id(place) == "label" {
            let label = b.ireps.get_id(place, "identifier").to_owned();
            // Labels are named without their function: equal names in two functions are equal addresses.
            let next = self.labels.len() as i128 + 1;
            let address = *self.labels.entry(label).or_insert(next);
            return Ok(self.p.int(ty, address));
        }
        let value = match b.ireps.id(place) {
            "symbol" | "member" | "index" | "dereference" => self.value(place)?,
            _ => self.place(place)?,
        };
        // The name of a function is its address already.
        if let ExprKind::Function(_) = self.p.exprs.kind(value) {
            return self.coerce(value, ty);
        }
        if !self.p.is_place(value) {
            let place = self.place(place)?;
            let address = self.p.address_of(place);
            return self.coerce(address, ty);
        }
        if self.is_bit_field(value) || self.p.size_of(self.p.exprs.ty(value)).is_none() {
            return unsupported("the address of something that has none");
        }
        let address = self.p.address_of(value);
        self.coerce(address, ty)
    }

    pub(super) fn is_bit_field(&self, place: ExprId) -> bool {
        let &ExprKind::Member(base, member) = self.p.exprs.kind(place) else { return false };
        let &Type::Struct(id) = self.p.type_of(base) else { return false };
        self.p.types.structs[id].fields[member as usize].first_bit.is_some()
    }

    /// A cast that may say how it rounds. ESBMC's casts to integers round toward zero, whatever they say.
    fn rounded_cast(&mut self, irep: IrepId, operand: IrepId, mode: &[IrepId]) -> Mapping<ExprId> {
        let to = self.type_irep(irep)?;
        let to_float = self.b.ireps.id(to) == "floatbv";
        let (said, usual) = match to_float {
            true => (self.rounding_of(irep, mode)?, RoundingMode::NearestEven),
            false if mode.is_empty() => (None, RoundingMode::TowardZero),
            false => (self.rounding_of(irep, mode)?, RoundingMode::TowardZero),
        };
        let Some(mode) = said.filter(|&mode| mode != usual) else {
            return self.typecast(irep, operand);
        };
        let (ty, value) = (self.ty(to)?, self.value(operand)?);
        let number = |ty: &Type| matches!(ty, Type::Int { .. } | Type::Float(_));
        match number(self.p.types.get(ty)) && number(self.p.type_of(value)) {
            true => Ok(self.p.cast_rounding(mode, ty, value)),
            false => unsupported("a rounded conversion of something that is not a number"),
        }
    }

    fn typecast(&mut self, irep: IrepId, operand: IrepId) -> Mapping<ExprId> {
        let to = self.type_irep(irep)?;
        let value = self.value(operand)?;
        if self.b.ireps.id(to) == "bool" {
            return self.as_truth(value);
        }
        let ty = self.ty(to)?;
        if self.b.ireps.id(to) == "c_bool" {
            let truth = self.as_truth(value)?;
            return Ok(self.p.cast(ty, truth));
        }
        match self.p.types.get(ty) {
            Type::Void => Ok(value),
            _ => {
                self.claim_converts(value, ty);
                self.coerce(value, ty)
            }
        }
    }

    fn complex_part(&mut self, z: IrepId, part: &str) -> Mapping<ExprId> {
        let z = self.value(z)?;
        match self.p.member_named(z, part) {
            Some(member) => Ok(member),
            None => unsupported("a part of something that is no complex number"),
        }
    }

    fn aggregate(&mut self, irep: IrepId, id: &str, operands: &[IrepId]) -> Mapping<ExprId> {
        let ty = self.own_type(irep)?;
        match (id, self.p.types.get(ty).clone()) {
            ("array_of", Type::Array(element, _)) if operands.len() == 1 => {
                let value = self.value_at(operands[0], element)?;
                Ok(self.p.array_of(ty, value))
            }
            ("array" | "vector", Type::Array(element, len)) if operands.len() as u64 == len => {
                let values: Mapping<Vec<ExprId>> =
                    operands.iter().map(|&x| self.value_at(x, element)).collect();
                Ok(self.p.array(ty, values?))
            }
            ("empty_union", Type::Struct(_)) => Ok(self.p.zero(ty)),
            ("union", Type::Struct(id)) if operands.len() == 1 => {
                let name = self.b.ireps.get_id(irep, "component_name");
                let structure = &self.p.types.structs[id];
                let Some(member) = structure.fields.iter().position(|f| f.name == name) else {
                    return unsupported(format!("the member `{name}`"));
                };
                let field = structure.fields[member].ty;
                let bit_field = structure.fields[member].first_bit.is_some();
                let whole = !bit_field && self.p.size_of(field) == self.p.size_of(ty);
                let value = self.value_at(operands[0], field)?;
                // Static objects are zero before they are initialised.
                if whole || !bit_field && self.is_initialising() {
                    return Ok(self.p.union(ty, member as u32, value));
                }
                // Nothing is said of the other bytes.
                let place = self.any_of(ty, false)?;
                self.effect()?;
                let part = self.p.member(place, member as u32);
                self.builder.assign(part, value);
                Ok(place)
            }
            ("struct" | "complex", Type::Struct(id)) => {
                let places = self.places.get(&id).cloned().unwrap_or_default();
                if places.len() != operands.len() {
                    return unsupported("a structure with another number of members");
                }
                let mut members = Vec::new();
                for (place, &operand) in places.into_iter().zip(operands) {
                    if let Some(member) = place {
                        let field = self.p.types.structs[id].fields[member as usize].ty;
                        members.push(self.value_at(operand, field)?);
                    }
                }
                Ok(self.p.structure(ty, members))
            }
            _ => unsupported(format!("a value `{id}` of its type")),
        }
    }

    /// Returns whether the current function gives static objects their first values.
    fn is_initialising(&self) -> bool {
        self.current.is_none_or(|f| {
            let name = &self.p.functions[f].name[..];
            matches!(name, "__CPROVER_initialize" | "__ESBMC_main" | super::statics::INITIALIZE)
        })
    }

    fn connective(&mut self, id: &str, operands: &[IrepId]) -> Mapping<ExprId> {
        let [first, rest @ ..] = operands else { return unsupported(format!("`{id}` of nothing")) };
        let value = self.value(*first)?;
        let mut acc = self.as_truth(value)?;
        if id == "not" {
            return Ok(self.p.not(acc));
        }
        for &operand in rest {
            let next = match id {
                "xor" => self.value(operand)?,
                _ => self.value_if(acc, !matches!(id, "or" | "nor"), operand)?,
            };
            let next = self.as_truth(next)?;
            acc = match id {
                "and" | "nand" => self.p.and(acc, next),
                "or" | "nor" => self.p.or(acc, next),
                "xor" => self.p.binary(BinaryOp::Ne, acc, next),
                _ => self.p.implies(acc, next),
            };
        }
        Ok(if matches!(id, "nand" | "nor") { self.p.not(acc) } else { acc })
    }

    /// Two operands at one type: that of the first, or truth values if one is a truth value.
    pub(super) fn same_type(&mut self, x: IrepId, y: IrepId) -> Mapping<(ExprId, ExprId)> {
        let truth = [x, y].iter().any(|&e| {
            self.b.ireps.child(e, Key::Type).is_some_and(|ty| self.b.ireps.id(ty) == "bool")
        });
        let (x, y) = (self.value(x)?, self.value(y)?);
        let bool_type = self.p.types.bool();
        let truth = truth || [x, y].iter().any(|&e| self.p.exprs.ty(e) == bool_type);
        if truth {
            return Ok((self.as_truth(x)?, self.as_truth(y)?));
        }
        let ty = self.p.exprs.ty(x);
        // A pointer that is compared with an integer is compared as an address.
        let y = self.coerce(y, ty)?;
        Ok((x, y))
    }

    fn equality(&mut self, id: &str, x: IrepId, y: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        // Which object a pointer points to has no number in GOTO, but it can be compared.
        if b.ireps.id(x) == "pointer_object" && b.ireps.id(y) == "pointer_object" {
            let (p, q) = (b.operands(x), b.operands(y));
            if let (&[p], &[q]) = (p, q) {
                let (p, q) = (self.value(p)?, self.value(q)?);
                if [p, q].iter().any(|&e| !matches!(self.p.type_of(e), Type::Ptr(_))) {
                    return unsupported("the object of something that is not a pointer");
                }
                let same = self.p.memory(MemoryOp::SameObject, [p, q]);
                return Ok(if id == "=" { same } else { self.p.not(same) });
            }
        }
        let (x, y) = self.same_type(x, y)?;
        let scalar =
            |t: &Type| matches!(t, Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Ptr(_));
        // ESBMC compares numbers, with the operators that it has for everything.
        let bits = matches!(id, "=" | "notequal") && b.dialect == Dialect::Cbmc;
        let equal = match self.p.type_of(x).clone() {
            t if scalar(&t) => self.equal_scalars(x, y, bits),
            Type::Struct(id) if !self.p.types.structs[id].union => {
                let fields = self.p.types.structs[id].fields.clone();
                let mut acc = self.p.bool(true);
                for (i, field) in fields.iter().enumerate() {
                    if !scalar(self.p.types.get(field.ty)) {
                        return unsupported("a comparison of structures in structures");
                    }
                    let (a, b) = (self.p.member(x, i as u32), self.p.member(y, i as u32));
                    let equal = self.equal_scalars(a, b, bits);
                    acc = self.p.and(acc, equal);
                }
                acc
            }
            _ => return unsupported("a comparison of arrays or unions"),
        };
        Ok(if matches!(id, "notequal" | "ieee_float_notequal") { self.p.not(equal) } else { equal })
    }

    /// Builds the condition that two scalars are equal; floats as numbers or in their bits, of which NaN has one
    /// pattern.
    fn equal_scalars(&mut self, x: ExprId, y: ExprId, bits: bool) -> ExprId {
        let equal = self.p.eq(x, y);
        if !bits || !matches!(self.p.type_of(x), Type::Float(_)) {
            return equal;
        }
        let (nx, ny) = (self.p.unary(UnaryOp::IsNan, x), self.p.unary(UnaryOp::IsNan, y));
        let (sx, sy) = (self.p.unary(UnaryOp::SignBit, x), self.p.unary(UnaryOp::SignBit, y));
        let signs = self.p.eq(sx, sy);
        let (same, both) = (self.p.and(signs, equal), self.p.and(nx, ny));
        self.p.or(both, same)
    }

    fn constant(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        let written = self.type_irep(irep)?;
        let ty = self.ty(written)?;
        let text = b.ireps.get_id(irep, "value").to_owned();
        let parse = |width: u32| match b.dialect {
            Dialect::Cbmc => BitVec::parse_hex(width, &text),
            Dialect::Esbmc => BitVec::parse_binary(width, &text),
        };
        let odd = || unsupported(format!("the constant `{text}`"));
        match (b.ireps.id(written), self.p.types.get(ty).clone()) {
            (_, Type::Int { .. }) if matches!(&text[..], "true" | "false") => {
                if b.ireps.id(written) == "bool" {
                    return Ok(self.p.bool(text == "true"));
                }
                Ok(self.p.int(ty, i128::from(text == "true")))
            }
            ("string", _) => {
                let next = self.class_names.len() as i128 + 1;
                let number = *self.class_names.entry(text).or_insert(next);
                Ok(self.p.int(ty, number))
            }
            (_, Type::Array(..)) if !b.operands(irep).is_empty() => {
                let operands = b.operands(irep);
                self.aggregate(irep, "array", operands)
            }
            (_, Type::Struct(_)) if !b.operands(irep).is_empty() => {
                let operands = b.operands(irep);
                self.aggregate(irep, "struct", operands)
            }
            (_, Type::Int { width, .. }) => match parse(width) {
                Some(bits) => Ok(self.p.int_bits(ty, bits)),
                None => odd(),
            },
            (_, Type::Float(format)) => match parse(format.width()) {
                Some(bits) => Ok(self.p.float(Float::from_bits(format, bits))),
                None => odd(),
            },
            (_, Type::Ptr(_)) => {
                if text == "NULL" {
                    return Ok(self.p.null(ty));
                }
                match parse(self.p.machine.pointer_width) {
                    Some(bits) => Ok(self.p.int_bits(ty, bits)),
                    // A constant may also be an address that was computed from an operand.
                    None => match b.operands(irep).first() {
                        Some(&operand) => self.value_at(operand, ty),
                        None => odd(),
                    },
                }
            }
            _ => odd(),
        }
    }

    /// The object of a string literal.
    fn string(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let ty = self.own_type(irep)?;
        let Type::Array(element, len) = *self.p.types.get(ty) else {
            return unsupported("a string that is not an array");
        };
        if self.p.size_of(element) != Some(1) {
            return unsupported("a string of wide characters");
        }
        let text = self.b.ireps.get(irep, "value");
        let mut bytes = text.map_or(Vec::new(), |text| self.b.ireps.id_bytes(text).to_vec());
        // What the array has beyond the text is zero.
        bytes.truncate(usize::try_from(len).unwrap_or(usize::MAX));
        Ok(self.string_object(ty, bytes))
    }

    pub(super) fn round(&mut self, value: ExprId, mode: RoundingMode) -> ExprId {
        self.p.unary(UnaryOp::RoundToIntegral(mode), value)
    }
}
