//! Objects with static storage duration: their symbols and first values.
//!
//! An initialiser becomes parts of a [`StaticInit`]: values of scalars one by one while there are few, runs of bytes
//! when there are many, so that a table of a million numbers is a few vectors. Zeros need no part. Bit-fields are
//! collected into their bytes. A symbol is made when it is first used, its data when the queue comes to it, so that
//! objects which point to each other in a circle are no problem.

use crate::codes;
use crate::link::{Cx, Handle, UnitIndex, link_name};
use crate::models;
use std::collections::BTreeMap;
use vergo_cfront::ast::Quals;
use vergo_cfront::consteval::{Address, Base, Evaluator, Value};
use vergo_cfront::floating::Floating;
use vergo_cfront::hir::{
    self, CastKind, Definition, ExprKind, InitId, InitKind, Linkage, Storage, StringId,
    StringUnits, VarId,
};
use vergo_cfront::types::{ArrayLen, QualType, TypeKind};
use vergo_goto::expr::{self, ExprId};
use vergo_goto::program::{InitPart, StaticInit, Symbol, SymbolId, SymbolKind};
use vergo_goto::types::{Field, Type, TypeId};
use vergo_num::BitVec;
use vergo_source::{Diagnostic, Span};

/// Up to this many parts are kept as values.
const FEW_PARTS: usize = 64;

/// A part of a first value.
enum Piece {
    Value(ExprId),
    Bytes(Vec<u8>),
}

/// The first value of an object while it is collected.
#[derive(Default)]
struct Image {
    pieces: Vec<(u64, Piece)>,
    /// Bytes that bit-fields share.
    bits: BTreeMap<u64, u8>,
}

impl<'a> Cx<'a> {
    /// The symbol of a variable with static storage duration.
    pub(crate) fn static_symbol(&mut self, unit: UnitIndex, var: VarId) -> SymbolId {
        if let Some(&Some(symbol)) = self.units[unit].vars.get(var) {
            return symbol;
        }
        let handle = self.units[unit].unit.clone();
        let variable = &handle.vars[var];
        let (linkage, definition, thread_local, function) = match variable.storage {
            Storage::Static { linkage, definition, thread_local, function } => {
                (linkage, definition, thread_local, function)
            }
            // Lowering asks for statics only; an automatic object would be a mistake of ours, not of the user's.
            _ => (Linkage::None, Definition::Defined, false, None),
        };
        let alias = variable.alias.map(|alias| handle.names.name(alias));
        if let Some(name) = variable.name {
            let name = alias.unwrap_or_else(|| link_name(&handle, name, variable.asm_name));
            if alias.is_some()
                && let Some(other) = internal_variable(&handle, name)
            {
                let symbol = self.static_symbol(unit, other);
                self.units[unit].vars[var] = Some(symbol);
                return symbol;
            }
            if linkage == Linkage::External || alias.is_some() {
                for index in [0, unit] {
                    if let Some(&other) = self.units[index].var_names.get(name)
                        && (index, other) != (unit, var)
                    {
                        let symbol = self.static_symbol(index, other);
                        self.units[unit].vars[var] = Some(symbol);
                        return symbol;
                    }
                }
            }
            if definition == Definition::Declared
                && self.options.models
                && let Some(model) = models::of_variable(name)
                && let Some(index) = self.model_unit(model, None)
                && let Some(&other) = self.units[index].var_names.get(name)
                && (index, other) != (unit, var)
            {
                let symbol = self.static_symbol(index, other);
                self.units[unit].vars[var] = Some(symbol);
                return symbol;
            }
        }
        let display =
            variable.name.map_or(String::new(), |name| handle.names.name(name).to_string());
        let base = match (function, variable.name) {
            (Some(function), Some(name)) => {
                format!(
                    "{}::{}",
                    handle.names.name(handle.functions[function].name),
                    handle.names.name(name)
                )
            }
            (None, Some(name)) => link_name(&handle, name, variable.asm_name).to_string(),
            (_, None) => "literal".to_string(),
        };
        let mut ty = self.static_type(unit, variable.ty, variable.init);
        let writable = self.is_writable(unit, variable.ty);
        let defined = definition != Definition::Declared;
        let is_open = !defined && self.is_open(unit, variable.ty);
        if is_open {
            // Only its address can be used, which no other object has.
            let byte = self.p.types.int(false, 8);
            ty = self.p.types.array(byte, 1);
        }
        if !defined && !self.units[unit].library {
            let message = format!("`{display}` is defined nowhere; its first value is any value");
            let warning = Diagnostic::warning(codes::NO_DEFINITION, variable.span, message);
            self.report(warning.assuming("no-definition", "its first value is any value"));
        }
        let any = self.options.nondet_static && writable && !self.units[unit].library;
        let defined = defined && !any;
        let init = if defined { StaticInit::Data(Vec::new()) } else { StaticInit::Nondet };
        let align = variable.explicit_align.unwrap_or(1).max(self.c_align(unit, variable.ty));
        let symbol = self.add_symbol(
            &base,
            Symbol {
                name: String::new(),
                display,
                ty,
                kind: SymbolKind::Static { init, thread_local },
                span: variable.span,
                align,
                writable,
            },
        );
        self.units[unit].vars[var] = Some(symbol);
        if is_open {
            self.open.insert(symbol);
        }
        if defined && variable.init.is_some() {
            self.pending_statics.push_back((unit, var, symbol));
        }
        symbol
    }

    /// The type of a static object: that of the variable, but with room for what initialises a flexible array member.
    fn static_type(&mut self, unit: UnitIndex, ty: QualType, init: Option<InitId>) -> TypeId {
        let mut mapped = self.ty(unit, ty);
        if self.p.size_of(mapped).is_none() {
            // A declaration of an incomplete type.
            let byte = self.p.types.int(false, 8);
            mapped = self.p.types.array(byte, 0);
        }
        let handle = self.units[unit].unit.clone();
        let (Some(init), TypeKind::Record(record)) = (init, handle.types.kind(ty)) else {
            return mapped;
        };
        let Some(fields) = &handle.types.records[*record].fields else { return mapped };
        let Some(last) = fields.last() else { return mapped };
        let (TypeKind::Array(element, ArrayLen::Incomplete), InitKind::List(list)) =
            (handle.types.kind(last.ty), handle.inits[init].kind)
        else {
            return mapped;
        };
        let number = fields.len() as u64 - 1;
        let Some(entry) = handle.init_lists.get(list).iter().rev().find(|e| e.first == number)
        else {
            return mapped;
        };
        let len = match handle.inits[entry.init].kind {
            InitKind::List(list) => {
                handle.init_lists.get(list).iter().map(|e| e.last + 1).max().unwrap_or(0)
            }
            InitKind::String(string) => match handle.types.kind(handle.inits[entry.init].ty) {
                TypeKind::Array(_, ArrayLen::Fixed(len)) => *len,
                _ => unit_count(&handle.strings[string].units),
            },
            InitKind::Expr(_) => 0,
        };
        let info = self.record(unit, *record);
        let element = self.ty(unit, *element);
        // The object ends where the elements behind the structure would, as gcc lays it out: nothing fills it up.
        let behind = self.p.size_of(element).unwrap_or(1).saturating_mul(len);
        let mut structure = self.p.types.structs[info.id].clone();
        structure.name = self.unique_struct_name(&structure.name.clone());
        structure.size = structure.size.saturating_add(behind);
        let array = self.p.types.array(element, len);
        if let Some(field) = structure.fields.last_mut() {
            *field = Field { ty: array, ..field.clone() };
        }
        let id = self.p.add_struct(structure);
        self.p.types.intern(Type::Struct(id))
    }

    /// Computes the first value of a static object.
    pub(crate) fn fill_static(&mut self, unit: UnitIndex, var: VarId, symbol: SymbolId) {
        let handle = self.units[unit].unit.clone();
        let Some(init) = handle.vars[var].init else { return };
        let data = match self.constant_image(unit, &handle, init) {
            Ok(parts) => StaticInit::Data(parts),
            Err(span) => {
                let message = "the initialiser is not constant";
                let error = Diagnostic::error(codes::NOT_CONSTANT, span, message);
                self.report(error.assuming("initialiser", "the first value is any value"));
                StaticInit::Nondet
            }
        };
        if let SymbolKind::Static { init, .. } = &mut self.p.symbols[symbol].kind {
            *init = data;
        }
    }

    /// The parts of a constant initialiser, or where it is not constant.
    pub(crate) fn constant_image(
        &mut self,
        unit: UnitIndex,
        handle: &Handle<'a>,
        init: InitId,
    ) -> Result<Vec<InitPart>, Span> {
        let mut evaluator = Evaluator::of_initialiser(handle);
        let mut image = Image::default();
        self.collect(unit, handle, &mut evaluator, init, 0, &mut image)?;
        Ok(self.parts(image))
    }

    fn collect(
        &mut self,
        unit: UnitIndex,
        handle: &Handle<'a>,
        evaluator: &mut Evaluator<'_>,
        init: InitId,
        offset: u64,
        image: &mut Image,
    ) -> Result<(), Span> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
            self.collect_node(unit, handle, evaluator, init, offset, image)
        })
    }

    fn collect_node(
        &mut self,
        unit: UnitIndex,
        handle: &Handle<'a>,
        evaluator: &mut Evaluator<'_>,
        init: InitId,
        offset: u64,
        image: &mut Image,
    ) -> Result<(), Span> {
        let node = handle.inits[init];
        match node.kind {
            InitKind::String(string) => {
                let mut bytes = string_bytes(&handle.strings[string].units);
                if let TypeKind::Array(..) = handle.types.kind(node.ty)
                    && let size @ 1.. = self.c_size(unit, node.ty)
                {
                    bytes.truncate(size as usize);
                }
                if bytes.iter().any(|&b| b != 0) {
                    image.pieces.push((offset, Piece::Bytes(bytes)));
                }
                Ok(())
            }
            InitKind::List(list) => {
                for entry in handle.init_lists.get(list) {
                    let (at, step) = match handle.types.kind(node.ty) {
                        TypeKind::Array(element, _) => (entry.first, self.c_size(unit, *element)),
                        TypeKind::Vector(element, _) => {
                            (entry.first, self.c_size(unit, QualType::from(*element)))
                        }
                        TypeKind::Complex(_) | TypeKind::ComplexInt(_) => {
                            (entry.first, self.c_size(unit, node.ty) / 2)
                        }
                        TypeKind::Record(record) => {
                            let record = &handle.types.records[*record];
                            let Some(field) =
                                record.fields.as_ref().and_then(|f| f.get(entry.first as usize))
                            else {
                                continue;
                            };
                            if let Some(bits) = field.bits {
                                let InitKind::Expr(value) = handle.inits[entry.init].kind else {
                                    continue;
                                };
                                let Ok(Value::Int(value)) = evaluator.eval(value) else {
                                    return Err(handle.inits[entry.init].span);
                                };
                                let first = offset + field.offset;
                                for i in 0..bits.width {
                                    if i < value.width() && value.bit(i) {
                                        let bit = u64::from(bits.first_bit + i);
                                        *image.bits.entry(first + bit / 8).or_insert(0) |=
                                            1 << (bit % 8);
                                    }
                                }
                                continue;
                            }
                            (1, field.offset)
                        }
                        // A scalar in braces.
                        _ => (0, 0),
                    };
                    let start = offset + at * step;
                    if entry.first == entry.last {
                        self.collect(unit, handle, evaluator, entry.init, start, image)?;
                        continue;
                    }
                    let mut one = Image::default();
                    self.collect(unit, handle, evaluator, entry.init, 0, &mut one)?;
                    for i in 0..=entry.last - entry.first {
                        for (at, piece) in &one.pieces {
                            let piece = match piece {
                                Piece::Value(value) => Piece::Value(*value),
                                Piece::Bytes(bytes) => Piece::Bytes(bytes.clone()),
                            };
                            image.pieces.push((start + i * step + at, piece));
                        }
                        for (at, byte) in &one.bits {
                            *image.bits.entry(start + i * step + at).or_insert(0) |= byte;
                        }
                    }
                }
                Ok(())
            }
            InitKind::Expr(value) => {
                match handle.types.kind(node.ty) {
                    TypeKind::Record(_) | TypeKind::Array(..) | TypeKind::Vector(..) => {
                        // A whole object: that of a compound literal or of a constant.
                        let mut place = value;
                        while let ExprKind::Cast(
                            CastKind::Load
                            | CastKind::NoOp
                            | CastKind::VectorBits
                            | CastKind::ToUnion,
                            inner,
                        ) = handle.exprs[place].kind
                        {
                            place = inner;
                        }
                        match handle.exprs[place].kind {
                            ExprKind::CompoundLiteral(var) | ExprKind::Var(var)
                                if handle.vars[var].init.is_some() =>
                            {
                                let inner = handle.vars[var].init.unwrap_or(init);
                                return self.collect(unit, handle, evaluator, inner, offset, image);
                            }
                            _ => {}
                        }
                        if handle.types.is_scalar(handle.exprs[place].ty) && place != value {
                            let evaluated = evaluator.eval(place).map_err(|e| e.span)?;
                            let ty = handle.exprs[place].ty;
                            return self.scalar(unit, ty, evaluated, offset, image, node.span);
                        }
                        return Err(handle.exprs[value].span);
                    }
                    _ => {}
                }
                let evaluated = match evaluator.eval(value) {
                    Ok(evaluated) => evaluated,
                    Err(error) => {
                        let difference = self.label_difference(unit, handle, evaluator, value);
                        let Some(difference) = difference else { return Err(error.span) };
                        Value::Int(BitVec::from_i64(64, difference))
                    }
                };
                self.scalar(unit, node.ty, evaluated, offset, image, node.span)
            }
        }
    }

    /// The difference of the addresses of two labels, which tables of offsets are made of.
    fn label_difference(
        &mut self,
        unit: UnitIndex,
        handle: &Handle<'a>,
        evaluator: &mut Evaluator<'_>,
        mut expr: hir::ExprId,
    ) -> Option<i64> {
        loop {
            match handle.exprs[expr].kind {
                ExprKind::Cast(CastKind::Int | CastKind::NoOp, inner) => expr = inner,
                ExprKind::PtrDiff(left, right) => {
                    let mut label = |side| match evaluator.eval(side) {
                        Ok(Value::Address(Address { base: Base::Label(label), offset })) => {
                            Some(self.label_address(unit, label).wrapping_add(offset))
                        }
                        _ => None,
                    };
                    let (left, right) = (label(left)?, label(right)?);
                    return Some(left.wrapping_sub(right) as i64);
                }
                _ => return None,
            }
        }
    }

    fn scalar(
        &mut self,
        unit: UnitIndex,
        ty: QualType,
        value: Value,
        offset: u64,
        image: &mut Image,
        span: Span,
    ) -> Result<(), Span> {
        let mapped = self.ty(unit, ty);
        let value = match value {
            Value::Complex(re, im) => {
                let size = self.p.size_of(mapped).unwrap_or(0) / 2;
                for (at, part) in [(0, re), (size, im)] {
                    if !part.bits().is_zero() {
                        let part = self.p.float(part);
                        image.pieces.push((offset + at, Piece::Value(part)));
                    }
                }
                return Ok(());
            }
            Value::ComplexInt(re, im) => {
                let Type::Struct(id) = *self.p.types.get(mapped) else { return Err(span) };
                let part_ty = self.p.types.structs[id].fields[0].ty;
                let size = self.p.size_of(part_ty).unwrap_or(0);
                for (at, part) in [(0, re), (size, im)] {
                    if !part.is_zero() {
                        let part = self.p.int_bits(part_ty, part);
                        image.pieces.push((offset + at, Piece::Value(part)));
                    }
                }
                return Ok(());
            }
            Value::Float(value) => {
                if value.bits().is_zero() {
                    return Ok(());
                }
                if !value.is_plain() {
                    let size = self.p.size_of(mapped).unwrap_or(0) as usize;
                    let mut bytes = value.bits().to_le_bytes();
                    bytes.resize(size, 0);
                    image.pieces.push((offset, Piece::Bytes(bytes)));
                    return Ok(());
                }
                self.p.float(value.number().clone())
            }
            Value::Int(bits) => {
                if bits.is_zero() {
                    return Ok(());
                }
                match *self.p.types.get(mapped) {
                    Type::Int { signed, width } => {
                        let bits = if signed && bits.width() > 1 {
                            bits.resize_signed(width)
                        } else {
                            bits.resize_unsigned(width)
                        };
                        self.p.int_bits(mapped, bits)
                    }
                    Type::Ptr(_) => {
                        let bits = bits.resize_unsigned(self.p.machine.pointer_width);
                        self.p.int_bits(mapped, bits)
                    }
                    _ => return Err(span),
                }
            }
            Value::Address(address) => {
                if address.base == Base::Absolute && address.offset == 0 {
                    return Ok(());
                }
                self.address(unit, address, mapped)
            }
        };
        image.pieces.push((offset, Piece::Value(value)));
        Ok(())
    }

    /// A constant address, converted to a type.
    fn address(&mut self, unit: UnitIndex, address: Address, ty: TypeId) -> ExprId {
        let base = match address.base {
            Base::Absolute => return self.p.int(ty, i128::from(address.offset)),
            Base::Label(label) => {
                let value = self.label_address(unit, label);
                return self.p.int(ty, i128::from(value.wrapping_add(address.offset)));
            }
            Base::Function(func) => self.function_pointer(unit, func),
            Base::Var(var) => {
                let symbol = self.static_symbol(unit, var);
                let place = self.p.symbol(symbol);
                self.p.address_of(place)
            }
            Base::String(string) => {
                let symbol = self.string_symbol(unit, string);
                let place = self.p.symbol(symbol);
                self.p.address_of(place)
            }
        };
        let base = self.element_address(base, address.offset, ty);
        self.p.cast(ty, base)
    }

    /// The address `offset` bytes behind a base: of an element, where one begins there.
    fn element_address(&mut self, base: ExprId, offset: u64, ty: TypeId) -> ExprId {
        if let expr::ExprKind::AddressOf(place) = *self.p.exprs.kind(base)
            && let Type::Array(element, len) = *self.p.type_of(place)
            && let Some(size @ 1..) = self.p.size_of(element)
            && offset.is_multiple_of(size)
            && offset / size < len
            && self.p.pointee(ty).is_none_or(|to| to == element || offset > 0)
        {
            let index = self.p.size(offset / size);
            let element = self.p.index(place, index);
            return self.p.address_of(element);
        }
        if offset == 0 {
            return base;
        }
        let char_ptr = self.char_ptr();
        let base = self.p.cast(char_ptr, base);
        let offset_ty = self.p.offset_type();
        let signed = if self.p.machine.pointer_width == 32 {
            i128::from(offset as u32 as i32)
        } else {
            i128::from(offset as i64)
        };
        let delta = self.p.int(offset_ty, signed);
        self.p.ptr_add(base, delta)
    }

    fn parts(&mut self, mut image: Image) -> Vec<InitPart> {
        push_bits(&mut image.pieces, image.bits);
        image.pieces.sort_by_key(|(offset, _)| *offset);
        if image.pieces.len() > FEW_PARTS {
            let mut parts = Vec::new();
            let mut run: Option<(u64, Vec<u8>)> = None;
            for (offset, piece) in image.pieces {
                let bytes = match piece {
                    Piece::Bytes(bytes) => Some(bytes),
                    Piece::Value(value) => match self.constant_bytes(value) {
                        Some(bytes) => Some(bytes),
                        None => {
                            if let Some((offset, bytes)) = run.take() {
                                parts.push(InitPart::Bytes { offset, bytes: bytes.into() });
                            }
                            parts.push(InitPart::Value { offset, value });
                            None
                        }
                    },
                };
                let Some(bytes) = bytes else { continue };
                match &mut run {
                    Some((start, run))
                        if (*start + run.len() as u64..=*start + run.len() as u64 + 16)
                            .contains(&offset) =>
                    {
                        run.resize((offset - *start) as usize, 0);
                        run.extend(bytes);
                    }
                    _ => {
                        if let Some((offset, bytes)) = run.replace((offset, bytes)) {
                            parts.push(InitPart::Bytes { offset, bytes: bytes.into() });
                        }
                    }
                }
            }
            if let Some((offset, bytes)) = run {
                parts.push(InitPart::Bytes { offset, bytes: bytes.into() });
            }
            return parts;
        }
        image
            .pieces
            .into_iter()
            .map(|(offset, piece)| match piece {
                Piece::Value(value) => InitPart::Value { offset, value },
                Piece::Bytes(bytes) => InitPart::Bytes { offset, bytes: bytes.into() },
            })
            .collect()
    }

    /// A floating constant. Which NaN it is, is said by its bits.
    pub(crate) fn float(&mut self, value: &Floating) -> ExprId {
        if value.is_plain() {
            return self.p.float(value.number().clone());
        }
        let ty = self.p.types.float(value.format());
        let width = self.p.size_of(ty).unwrap_or(0) as u32 * 8;
        let word = self.p.types.int(false, width);
        let bits = self.p.int_bits(word, value.bits().resize_unsigned(width));
        self.p.bits(ty, bits)
    }

    /// The bytes of a constant number in memory.
    fn constant_bytes(&self, value: ExprId) -> Option<Vec<u8>> {
        let bits = match self.p.exprs.kind(value) {
            expr::ExprKind::Int(bits) => bits.clone(),
            expr::ExprKind::Float(float) => float.bits().clone(),
            _ => return None,
        };
        let size = self.p.size_of(self.p.exprs.ty(value))? as usize;
        let signed = matches!(self.p.type_of(value), Type::Int { signed: true, .. });
        let bits = if signed {
            bits.resize_signed(size as u32 * 8)
        } else {
            bits.resize_unsigned(size as u32 * 8)
        };
        Some(bits.to_le_bytes())
    }

    /// The array of a string literal: one read-only object per literal.
    pub(crate) fn string_symbol(&mut self, unit: UnitIndex, string: StringId) -> SymbolId {
        if let Some(&Some(symbol)) = self.units[unit].strings.get(string) {
            return symbol;
        }
        let handle = self.units[unit].unit.clone();
        let literal = &handle.strings[string];
        let ty = self.ty(unit, literal.ty);
        let bytes = string_bytes(&literal.units);
        let symbol = self.bytes_symbol("str", ty, &bytes, literal.span, false);
        self.units[unit].strings[string] = Some(symbol);
        symbol
    }

    /// Returns whether a type does not say how large its objects are.
    fn is_open(&mut self, unit: UnitIndex, ty: QualType) -> bool {
        let mapped = self.ty(unit, ty);
        let is_open_array = matches!(
            self.units[unit].unit.types.kind(ty),
            TypeKind::Array(_, ArrayLen::Incomplete)
        );
        is_open_array || self.p.size_of(mapped).is_none()
    }

    /// Returns whether the program may write an object of a type. `volatile` makes no difference: it is about writes by others (C17
    /// 6.7.3p6).
    pub(crate) fn is_writable(&self, unit: UnitIndex, ty: QualType) -> bool {
        !self.units[unit].unit.types.qualifiers(ty).has(Quals::CONST)
    }

    /// A static array with these bytes.
    pub(crate) fn bytes_symbol(
        &mut self,
        base: &str,
        ty: TypeId,
        bytes: &[u8],
        span: Span,
        writable: bool,
    ) -> SymbolId {
        let parts = if bytes.iter().all(|&b| b == 0) {
            Vec::new()
        } else {
            vec![InitPart::Bytes { offset: 0, bytes: bytes.into() }]
        };
        let align = self.align_of(ty);
        self.add_symbol(
            base,
            Symbol {
                name: String::new(),
                display: String::new(),
                ty,
                kind: SymbolKind::Static { init: StaticInit::Data(parts), thread_local: false },
                span,
                align,
                writable,
            },
        )
    }
}

fn push_bits(pieces: &mut Vec<(u64, Piece)>, bits: BTreeMap<u64, u8>) {
    let mut run: Option<(u64, Vec<u8>)> = None;
    for (offset, byte) in bits {
        match &mut run {
            Some((start, run)) if *start + run.len() as u64 == offset => run.push(byte),
            _ => {
                if let Some((offset, bytes)) = run.replace((offset, vec![byte])) {
                    pieces.push((offset, Piece::Bytes(bytes)));
                }
            }
        }
    }
    if let Some((offset, bytes)) = run {
        pieces.push((offset, Piece::Bytes(bytes)));
    }
}

fn unit_count(units: &StringUnits) -> u64 {
    match units {
        StringUnits::Bytes(units) => units.len() as u64,
        StringUnits::Units16(units) => units.len() as u64,
        StringUnits::Units32(units) => units.len() as u64,
    }
}

fn string_bytes(units: &StringUnits) -> Vec<u8> {
    match units {
        StringUnits::Bytes(units) => units.clone(),
        StringUnits::Units16(units) => units.iter().flat_map(|u| u.to_le_bytes()).collect(),
        StringUnits::Units32(units) => units.iter().flat_map(|u| u.to_le_bytes()).collect(),
    }
}

/// The variable of internal linkage that a name means in its file.
fn internal_variable(unit: &hir::Unit, name: &str) -> Option<VarId> {
    let found = unit.vars.iter().find(|(_, var)| {
        matches!(var.storage, Storage::Static { linkage: Linkage::Internal, function: None, .. })
            && var.name.is_some_and(|own| unit.names.name(own) == name)
    });
    found.map(|(id, _)| id)
}
