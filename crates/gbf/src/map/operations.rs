//! Operations: arithmetic, bits, floats, overflow, bytes, objects, and what has an effect.

use super::{Mapper, Mapping, unsupported};
use crate::irep::IrepId;
use vergo_goto::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use vergo_goto::program::{Callee, InstrKind, Region};
use vergo_goto::types::{StructId, Type, TypeId};
use vergo_num::RoundingMode;

impl Mapper<'_> {
    fn result_type(&mut self, irep: IrepId) -> Mapping<TypeId> {
        let ty = self.type_irep(irep)?;
        self.ty(ty)
    }

    /// An operation that is named by its id.
    pub(super) fn operation(
        &mut self,
        irep: IrepId,
        id: &str,
        operands: &[IrepId],
    ) -> Mapping<ExprId> {
        use BinaryOp as B;
        match (id, operands) {
            ("+" | "-" | "*" | "/" | "mod" | "bitand" | "bitor" | "bitxor", [_, _, ..]) => {
                self.arithmetic(irep, id, operands)
            }
            (
                "floatbv_plus" | "floatbv_minus" | "floatbv_mult" | "floatbv_div" | "floatbv_rem"
                | "floatbv_mod" | "ieee_add" | "ieee_sub" | "ieee_mul" | "ieee_div" | "ieee_rem",
                [x, y, mode @ ..],
            ) => {
                self.rounds_to_nearest(irep, mode)?;
                let ty = self.result_type(irep)?;
                let (x, y) = (self.value_at(*x, ty)?, self.value_at(*y, ty)?);
                if !matches!(self.p.types.get(ty), Type::Float(_)) {
                    return unsupported(format!("`{id}` of something that is no float"));
                }
                let op = match id {
                    "floatbv_plus" | "ieee_add" => B::Add,
                    "floatbv_minus" | "ieee_sub" => B::Sub,
                    "floatbv_mult" | "ieee_mul" => B::Mul,
                    "floatbv_div" | "ieee_div" => B::Div,
                    "floatbv_mod" => B::Rem,
                    _ => B::IeeeRem,
                };
                Ok(self.p.binary(op, x, y))
            }
            ("floatbv_fma" | "ieee_fma" | "fma", [x, y, z, mode @ ..]) => {
                self.rounds_to_nearest(irep, mode)?;
                let ty = self.result_type(irep)?;
                let values =
                    [self.value_at(*x, ty)?, self.value_at(*y, ty)?, self.value_at(*z, ty)?];
                self.float_type(ty)?;
                Ok(self.p.fma(values[0], values[1], values[2]))
            }
            ("ieee_sqrt" | "floatbv_sqrt", [x, mode @ ..]) => {
                self.rounds_to_nearest(irep, mode)?;
                let ty = self.result_type(irep)?;
                self.float_type(ty)?;
                let x = self.value_at(*x, ty)?;
                Ok(self.p.unary(UnaryOp::Sqrt, x))
            }
            ("nearbyint" | "floatbv_round_to_integral", [x, mode @ ..]) => {
                let ty = self.result_type(irep)?;
                self.float_type(ty)?;
                let x = self.value_at(*x, ty)?;
                let mode = self.rounding_of(irep, mode)?;
                Ok(self.round(x, mode.unwrap_or(RoundingMode::NearestEven)))
            }
            ("unary-" | "unary+" | "bitnot", [x]) => {
                let ty = self.result_type(irep)?;
                let x = self.value_at(*x, ty)?;
                match (id, self.p.types.get(ty)) {
                    ("unary+", _) => Ok(x),
                    ("unary-", Type::Int { .. } | Type::Float(_)) => Ok(self.p.neg(x)),
                    ("bitnot", Type::Int { .. }) => Ok(self.p.bit_not(x)),
                    (_, &Type::Struct(id)) if self.is_complex(id) && operands.len() == 1 => {
                        let (re, im) = (self.complex_member(x, 0), self.complex_member(x, 1));
                        // GNU C's `~` is the conjugate.
                        let re = if b"bitnot" == self.b.ireps.id_bytes(irep) {
                            re
                        } else {
                            self.p.neg(re)
                        };
                        let im = self.p.neg(im);
                        Ok(self.p.structure(ty, [re, im]))
                    }
                    _ => unsupported(format!("`{id}` of its type")),
                }
            }
            ("shl" | "ashr" | "lshr", [x, n]) => {
                let ty = self.result_type(irep)?;
                let (x, n) = (self.value_at(*x, ty)?, self.value(*n)?);
                let &Type::Int { signed, width } = self.p.types.get(ty) else {
                    return unsupported(format!("`{id}` of something that is not an integer"));
                };
                if !matches!(self.p.type_of(n), Type::Int { .. }) {
                    return unsupported("a shift by something that is not an integer");
                }
                match (id, signed) {
                    ("shl", _) => Ok(self.p.shl(x, n)),
                    ("ashr", true) | ("lshr", false) => Ok(self.p.shr(x, n)),
                    (_, signed) => {
                        let other = self.p.types.int(!signed, width);
                        let x = self.p.cast(other, x);
                        let shifted = self.p.shr(x, n);
                        Ok(self.p.cast(ty, shifted))
                    }
                }
            }
            ("rol" | "ror", [x, n]) => {
                let ty = self.result_type(irep)?;
                let &Type::Int { width, .. } = self.p.types.get(ty) else {
                    return unsupported("a rotation of something that is not an integer");
                };
                let word = self.p.types.int(false, width);
                let (x, n) = (self.value(*x)?, self.value(*n)?);
                let (x, n) = (self.coerce(x, word)?, self.coerce(n, word)?);
                let size = self.p.int(word, i128::from(width));
                let n = self.p.rem(n, size);
                // By nothing is by nothing on both sides, not by the whole width.
                let rest = self.p.sub(size, n);
                let rest = self.p.rem(rest, size);
                let (left, right) = if id == "rol" { (n, rest) } else { (rest, n) };
                let (high, low) = (self.p.shl(x, left), self.p.shr(x, right));
                let rotated = self.p.bit_or(high, low);
                Ok(self.p.cast(ty, rotated))
            }
            ("abs", [x]) => {
                let ty = self.result_type(irep)?;
                let x = self.value_at(*x, ty)?;
                match self.p.types.get(ty) {
                    Type::Float(_) => Ok(self.p.unary(UnaryOp::Abs, x)),
                    Type::Int { .. } => {
                        let zero = self.p.int(ty, 0);
                        let (negative, opposite) = (self.p.lt(x, zero), self.p.neg(x));
                        Ok(self.p.ite(negative, opposite, x))
                    }
                    _ => unsupported("the absolute value of something that is not a number"),
                }
            }
            ("isnan" | "isinf" | "isfinite" | "isnormal" | "sign" | "signbit", [x]) => {
                let value = self.value(*x)?;
                match self.p.type_of(value).clone() {
                    Type::Float(_) => {}
                    Type::Int { signed: true, .. } if id == "sign" => {
                        let ty = self.p.exprs.ty(value);
                        let zero = self.p.int(ty, 0);
                        return Ok(self.p.lt(value, zero));
                    }
                    _ => return unsupported(format!("`{id}` of something that is no float")),
                }
                Ok(match id {
                    "isnan" => self.p.unary(UnaryOp::IsNan, value),
                    "isinf" => self.p.unary(UnaryOp::IsInf, value),
                    "isnormal" => self.p.unary(UnaryOp::IsNormal, value),
                    "isfinite" => {
                        let nan = self.p.unary(UnaryOp::IsNan, value);
                        let infinite = self.p.unary(UnaryOp::IsInf, value);
                        let neither = self.p.or(nan, infinite);
                        self.p.not(neither)
                    }
                    _ => self.p.unary(UnaryOp::SignBit, value),
                })
            }
            (
                "popcount"
                | "count_leading_zeros"
                | "count_trailing_zeros"
                | "bswap"
                | "bitreverse"
                | "find_first_set",
                [x],
            ) => self.bits_of(irep, id, *x),
            _ if id.starts_with("overflow") => self.overflow(irep, id, operands),
            ("byte_extract_little_endian", [object, offset]) => {
                let ty = self.result_type(irep)?;
                let value = self.value(*object)?;
                if self.p.size_of(ty) == self.p.size_of(self.p.exprs.ty(value)) {
                    let is_int = |e: ExprId| matches!(self.p.exprs.kind(e), ExprKind::Int(_));
                    let zero = self.constant_size(*offset) == Some(0);
                    match self.p.exprs.kind(value) {
                        &ExprKind::ArrayOf(e) if matches!(self.p.exprs.kind(e), ExprKind::Int(b) if b.is_zero()) =>
                        {
                            return Ok(self.p.zero(ty));
                        }
                        ExprKind::Array(list) if zero && list.iter().all(|&e| is_int(e)) => {
                            return Ok(self.p.bits(ty, value));
                        }
                        _ => {}
                    }
                }
                let place = self.place(*object)?;
                self.bytes_at(place, *offset, ty)
            }
            ("byte_update_little_endian", [object, offset, value]) => {
                let ty = self.result_type(irep)?;
                let old = self.value_at(*object, ty)?;
                let new = self.value(*value)?;
                let copy = self.saved(old)?;
                let value_type = self.p.exprs.ty(new);
                let place = self.bytes_at(copy, *offset, value_type)?;
                self.builder.assign(place, new);
                Ok(copy)
            }
            ("with", [old, changes @ ..]) => {
                let ty = self.result_type(irep)?;
                let old = self.value_at(*old, ty)?;
                let copy = self.saved(old)?;
                for change in changes.chunks_exact(2) {
                    let place = self.part(copy, change[0])?;
                    let value = self.value_at(change[1], self.p.exprs.ty(place))?;
                    self.builder.assign(place, value);
                }
                Ok(copy)
            }
            ("extractbits", [x, low]) | ("extractbits", [x, _, low]) => {
                let ty = self.result_type(irep)?;
                let (x, low) = (self.word(*x)?, self.value(*low)?);
                let shifted = self.p.shr(x, low);
                self.coerce(shifted, ty)
            }
            // ESBMC's word for it has the position as a text.
            ("extract", [x]) => {
                let ty = self.result_type(irep)?;
                let x = self.word(*x)?;
                let Ok(low) = self.b.ireps.get_id(irep, "lower").parse::<u32>() else {
                    return unsupported("bits at an unknown position");
                };
                let low = self.p.int(self.p.exprs.ty(x), i128::from(low));
                let shifted = self.p.shr(x, low);
                self.coerce(shifted, ty)
            }
            ("extractbit", [x, at]) => {
                let (x, at) = (self.word(*x)?, self.value(*at)?);
                let shifted = self.p.shr(x, at);
                let bit = self.p.types.int(false, 1);
                let bit = self.p.cast(bit, shifted);
                Ok(self.p.truth(bit))
            }
            ("concatenation" | "concat", [_, ..]) => {
                let ty = self.result_type(irep)?;
                let &Type::Int { width, .. } = self.p.types.get(ty) else {
                    return unsupported("a concatenation that is not an integer");
                };
                let word = self.p.types.int(false, width);
                let mut acc = self.p.int(word, 0);
                for (i, &operand) in operands.iter().enumerate() {
                    let x = self.word(operand)?;
                    let &Type::Int { width: part, .. } = self.p.type_of(x) else { continue };
                    if i == 0 {
                        acc = self.p.cast(word, x);
                        continue;
                    }
                    let amount = self.p.int(word, i128::from(part));
                    let (high, low) = (self.p.shl(acc, amount), self.p.cast(word, x));
                    acc = self.p.bit_or(high, low);
                }
                Ok(self.p.cast(ty, acc))
            }
            _ => self.object_question(irep, id, operands),
        }
    }

    pub(super) fn is_complex(&self, id: StructId) -> bool {
        self.complexes.values().any(|&complex| complex == id)
    }

    /// A part of a complex number: of one that is written down, what is written.
    pub(super) fn complex_member(&mut self, z: ExprId, member: u32) -> ExprId {
        match self.p.exprs.kind(z) {
            ExprKind::Struct(parts) => parts[member as usize],
            _ => self.p.member(z, member),
        }
    }

    /// A part of a complex number that is computed with: as C does it, not in types narrower than `int`.
    fn promoted_part(&mut self, z: ExprId, member: u32) -> ExprId {
        let part = self.complex_member(z, member);
        match self.p.type_of(part) {
            Type::Int { width: 0..32, .. } => {
                let int = self.p.types.int(true, 32);
                self.p.cast(int, part)
            }
            _ => part,
        }
    }

    /// A complex number with parts that have been computed.
    fn complex_of(&mut self, ty: TypeId, id: StructId, parts: [ExprId; 2]) -> ExprId {
        let part = self.p.types.structs[id].fields[0].ty;
        let parts = parts.map(|value| self.p.cast(part, value));
        self.p.structure(ty, parts)
    }

    /// Refuses an operation that says to round in another way than to nearest.
    fn rounds_to_nearest(&mut self, irep: IrepId, mode: &[IrepId]) -> Mapping<()> {
        match self.rounding_of(irep, mode)? {
            None | Some(RoundingMode::NearestEven) => Ok(()),
            Some(_) => unsupported("arithmetic that does not round to nearest"),
        }
    }

    fn float_type(&self, ty: TypeId) -> Mapping<()> {
        match self.p.types.get(ty) {
            Type::Float(_) => Ok(()),
            _ => unsupported("a floating operation on something that is no float"),
        }
    }

    /// An unsigned integer.
    fn word(&mut self, irep: IrepId) -> Mapping<ExprId> {
        let value = self.value(irep)?;
        match *self.p.type_of(value) {
            Type::Int { width, .. } => {
                let word = self.p.types.int(false, width);
                Ok(self.p.cast(word, value))
            }
            Type::Bool => {
                let bit = self.p.types.int(false, 1);
                Ok(self.p.cast(bit, value))
            }
            _ => unsupported("bits of something that is not an integer"),
        }
    }

    fn arithmetic(&mut self, irep: IrepId, id: &str, operands: &[IrepId]) -> Mapping<ExprId> {
        use BinaryOp as B;
        let ty = self.result_type(irep)?;
        let mut acc = self.value(operands[0])?;
        for &operand in &operands[1..] {
            let next = self.value(operand)?;
            let is_pointer = |m: &Self, e| matches!(m.p.type_of(e), Type::Ptr(_));
            for pointer in [acc, next] {
                let to = self.p.pointee(self.p.exprs.ty(pointer));
                let steps = to.is_none_or(|to| {
                    self.p.size_of(to).is_some()
                        || matches!(self.p.types.get(to), Type::Void | Type::Func(..))
                });
                if !steps {
                    return unsupported("arithmetic on pointers to a type without a size");
                }
            }
            acc = match (id, is_pointer(self, acc), is_pointer(self, next)) {
                ("-", true, true) => {
                    // Addresses are subtracted in units of the first pointer's type.
                    let first = self.p.exprs.ty(acc);
                    let next = self.coerce(next, first)?;
                    let mut difference = self.p.ptr_diff(acc, next);
                    if let Some(to) = self.pointed_to(operands[0]) {
                        let units = self.n_units(to)?;
                        let units = self.coerce(units, self.p.exprs.ty(difference))?;
                        difference = self.p.div(difference, units);
                    }
                    self.coerce(difference, ty)?
                }
                ("+", true, false) => {
                    self.claim_taken(irep, acc)?;
                    match self.pointed_to(operands[0]) {
                        Some(to) => self.step(acc, next, to)?,
                        None => self.p.ptr_add(acc, next),
                    }
                }
                ("+", false, true) => match self.pointed_to(operand) {
                    Some(to) => self.step(next, acc, to)?,
                    None => self.p.ptr_add(next, acc),
                },
                ("-", true, false) => {
                    let offset = self.p.offset_type();
                    let next = self.coerce(next, offset)?;
                    let back = self.p.neg(next);
                    match self.pointed_to(operands[0]) {
                        Some(to) => self.step(acc, back, to)?,
                        None => self.p.ptr_add(acc, back),
                    }
                }
                _ => {
                    let (x, y) = (self.coerce(acc, ty)?, self.coerce(next, ty)?);
                    let op = match id {
                        "+" => B::Add,
                        "-" => B::Sub,
                        "*" => B::Mul,
                        "/" => B::Div,
                        "mod" => B::Rem,
                        "bitand" => B::BitAnd,
                        "bitor" => B::BitOr,
                        _ => B::BitXor,
                    };
                    match self.p.types.get(ty).clone() {
                        // C does not compute in types narrower than `int`: what goto-cc writes so is promoted.
                        Type::Int { width: 0..32, signed: true } if self.is_narrow_c_type(irep) => {
                            let int = self.p.types.int(true, 32);
                            let (x, y) = (self.p.cast(int, x), self.p.cast(int, y));
                            let value = self.p.binary(op, x, y);
                            self.p.cast(ty, value)
                        }
                        Type::Int { .. } => self.p.binary(op, x, y),
                        Type::Float(_) if !id.starts_with("bit") => self.p.binary(op, x, y),
                        Type::Struct(s) if self.is_complex(s) && matches!(id, "+" | "-") => {
                            let part = |m: &mut Self, k| {
                                let (a, b) = (m.promoted_part(x, k), m.promoted_part(y, k));
                                m.p.binary(op, a, b)
                            };
                            let parts = [part(self, 0), part(self, 1)];
                            self.complex_of(ty, s, parts)
                        }
                        Type::Struct(s) if self.is_complex(s) && id == "*" => {
                            let (a, b) = (self.promoted_part(x, 0), self.promoted_part(x, 1));
                            let (c, d) = (self.promoted_part(y, 0), self.promoted_part(y, 1));
                            let p = &mut self.p;
                            let (ac, bd, ad, bc) =
                                (p.mul(a, c), p.mul(b, d), p.mul(a, d), p.mul(b, c));
                            let parts = [p.sub(ac, bd), p.add(ad, bc)];
                            self.complex_of(ty, s, parts)
                        }
                        _ => return unsupported(format!("`{id}` of its type")),
                    }
                }
            };
        }
        self.coerce(acc, ty)
    }

    /// Returns whether an expression has one of C's types that are narrower than `int`.
    fn is_narrow_c_type(&self, irep: IrepId) -> bool {
        let ty = self.b.ireps.get(irep, "type");
        ty.is_some_and(|ty| {
            matches!(
                self.b.ireps.get_id(ty, "#c_type"),
                "char" | "signed_char" | "signed_short_int" | "short_int"
            )
        })
    }

    /// Returns the type that a pointer points to, if its size is known only at run time.
    fn pointed_to(&mut self, pointer: IrepId) -> Option<IrepId> {
        let ty = self.b.ireps.get(pointer, "type")?;
        let to = self.b.subtype(ty)?;
        self.is_variable(to).then_some(to)
    }

    fn bits_of(&mut self, irep: IrepId, id: &str, x: IrepId) -> Mapping<ExprId> {
        let ty = self.result_type(irep)?;
        let x = self.word(x)?;
        let word = self.p.exprs.ty(x);
        let &Type::Int { width, .. } = self.p.types.get(word) else {
            return unsupported(id.to_owned());
        };
        let result = match id {
            "popcount" => self.p.unary(UnaryOp::PopCount, x),
            "count_leading_zeros" => self.p.unary(UnaryOp::LeadingZeros, x),
            "count_trailing_zeros" => self.p.unary(UnaryOp::TrailingZeros, x),
            "bswap" if width % 8 == 0 => self.p.unary(UnaryOp::ByteSwap, x),
            "find_first_set" => {
                let (zero, one) = (self.p.int(word, 0), self.p.int(word, 1));
                let zeros = self.p.unary(UnaryOp::TrailingZeros, x);
                let (none, first) = (self.p.eq(x, zero), self.p.add(zeros, one));
                self.p.ite(none, zero, first)
            }
            "bitreverse" if width <= 128 => {
                let one = self.p.int(word, 1);
                let mut acc = self.p.int(word, 0);
                for i in 0..width {
                    let (down, up) = (i128::from(i), i128::from(width - 1 - i));
                    let (down, up) = (self.p.int(word, down), self.p.int(word, up));
                    let bit = self.p.shr(x, down);
                    let bit = self.p.bit_and(bit, one);
                    let bit = self.p.shl(bit, up);
                    acc = self.p.bit_or(acc, bit);
                }
                acc
            }
            _ => return unsupported(format!("`{id}` at {width} bits")),
        };
        self.coerce(result, ty)
    }

    /// `overflow-+` and so on, and `overflow_result-+`, which has the result too.
    fn overflow(&mut self, irep: IrepId, id: &str, operands: &[IrepId]) -> Mapping<ExprId> {
        let with_result = id.starts_with("overflow_result-");
        let op = id.trim_start_matches("overflow_result-").trim_start_matches("overflow-");
        let odd = || unsupported(format!("`{id}`"));
        let (x, y) = match operands {
            [x, y] => (self.value(*x)?, Some(self.value(*y)?)),
            [x] => (self.value(*x)?, None),
            _ => return odd(),
        };
        let ty = self.p.exprs.ty(x);
        if !matches!(self.p.types.get(ty), Type::Int { .. }) {
            return odd();
        }
        let (overflows, result) = match (op, y) {
            ("+" | "-" | "*", Some(y)) => {
                let y = self.coerce(y, ty)?;
                let (question, operator) = match op {
                    "+" => (BinaryOp::AddOverflows, BinaryOp::Add),
                    "-" => (BinaryOp::SubOverflows, BinaryOp::Sub),
                    _ => (BinaryOp::MulOverflows, BinaryOp::Mul),
                };
                let wrapped = self.wrapping(operator, x, y);
                (self.p.binary(question, x, y), wrapped)
            }
            ("shl", Some(y)) => {
                let wrapped = self.wrapping(BinaryOp::Shl, x, y);
                (self.p.binary(BinaryOp::ShlOverflows, x, y), wrapped)
            }
            ("unary-" | "unary_minus", None) => {
                let zero = self.p.int(ty, 0);
                let wrapped = self.wrapping(BinaryOp::Sub, zero, x);
                (self.p.binary(BinaryOp::SubOverflows, zero, x), wrapped)
            }
            _ => return odd(),
        };
        if !with_result {
            return Ok(overflows);
        }
        let structure = self.result_type(irep)?;
        let Type::Struct(id) = *self.p.types.get(structure) else { return odd() };
        let fields: Vec<TypeId> = self.p.types.structs[id].fields.iter().map(|f| f.ty).collect();
        let [value, flag] = fields[..] else { return odd() };
        let members = [self.coerce(result, value)?, self.coerce(overflows, flag)?];
        Ok(self.p.structure(structure, members))
    }

    /// An operation that wraps around on purpose: on unsigned words, which no check minds.
    fn wrapping(&mut self, op: BinaryOp, x: ExprId, y: ExprId) -> ExprId {
        let ty = self.p.exprs.ty(x);
        let &Type::Int { width, .. } = self.p.types.get(ty) else { return x };
        let word = self.p.types.int(false, width);
        let x = self.p.cast(word, x);
        let y = if op == BinaryOp::Shl { y } else { self.p.cast(word, y) };
        let result = self.p.binary(op, x, y);
        self.p.cast(ty, result)
    }

    /// The bytes of a place at an offset, at a type.
    fn bytes_at(&mut self, place: ExprId, offset: IrepId, ty: TypeId) -> Mapping<ExprId> {
        if self.is_bit_field(place) {
            return unsupported("bytes of a bit-field");
        }
        let offset = self.value(offset)?;
        let byte = self.p.types.int(false, 8);
        let byte_ptr = self.p.types.ptr(byte);
        let address = self.p.address_of(place);
        let address = self.p.cast(byte_ptr, address);
        let at = self.p.ptr_add(address, offset);
        self.deref_at(at, ty)
    }

    /// The part of an aggregate that a `with` changes.
    fn part(&mut self, place: ExprId, which: IrepId) -> Mapping<ExprId> {
        let b = self.b;
        match b.ireps.id(which) {
            "member_name" => {
                let name = b.ireps.get_id(which, "component_name");
                let found = self.p.member_named(place, name);
                found.map_or_else(|| unsupported(format!("the member `{name}`")), Ok)
            }
            "member_designator" | "index_designator" => unsupported("a nested `with`"),
            _ => {
                let index = self.value(which)?;
                match (self.p.type_of(place), self.p.type_of(index)) {
                    (Type::Array(..), Type::Int { .. }) => Ok(self.p.index(place, index)),
                    _ => unsupported("`with` of something that is not an array"),
                }
            }
        }
    }

    /// Questions about pointers and objects.
    fn object_question(&mut self, irep: IrepId, id: &str, operands: &[IrepId]) -> Mapping<ExprId> {
        let odd = || unsupported(format!("the expression `{id}`"));
        let pointer = match operands.first() {
            Some(&pointer)
                if matches!(
                    id,
                    "pointer_offset"
                        | "object_size"
                        | "dynamic_size"
                        | "is_dynamic_object"
                        | "dynamic_object"
                        | "is_invalid_pointer"
                        | "invalid-pointer"
                        | "r_ok"
                        | "w_ok"
                        | "rw_ok"
                        | "good_pointer"
                        | "live_object"
                        | "writeable_object"
                        | "deallocated"
                        | "dead_object"
                        | "same_object"
                        | "same-object"
                        | "prophecy_r_ok"
                        | "prophecy_w_ok"
                        | "prophecy_rw_ok"
                        | "pointer_in_range"
                        | "prophecy_pointer_in_range"
                ) =>
            {
                self.value(pointer)?
            }
            _ => return odd(),
        };
        if !matches!(self.p.type_of(pointer), Type::Ptr(_)) {
            return odd();
        }
        let p = &mut self.p;
        match (id, operands) {
            ("pointer_offset", [_]) => {
                let offset = p.memory(MemoryOp::Offset, [pointer]);
                let ty = self.result_type(irep)?;
                self.coerce(offset, ty)
            }
            ("object_size" | "dynamic_size", [_]) => {
                let size = p.memory(MemoryOp::ObjectSize, [pointer]);
                let ty = self.result_type(irep)?;
                self.coerce(size, ty)
            }
            ("is_dynamic_object" | "dynamic_object", [_]) => {
                Ok(p.memory(MemoryOp::IsHeap, [pointer]))
            }
            ("live_object", [_]) => Ok(p.memory(MemoryOp::IsLive, [pointer])),
            ("writeable_object", [_]) => Ok(p.memory(MemoryOp::IsWritable, [pointer])),
            ("is_invalid_pointer" | "invalid-pointer", [_]) => {
                let (has, null) = (p.memory(MemoryOp::HasObject, [pointer]), p.truth(pointer));
                let (no, not_null) = (p.not(has), null);
                Ok(p.and(no, not_null))
            }
            ("deallocated" | "dead_object", [_]) => {
                let live = p.memory(MemoryOp::IsLive, [pointer]);
                let has = p.memory(MemoryOp::HasObject, [pointer]);
                let heap = p.memory(MemoryOp::IsHeap, [pointer]);
                let heap = if id == "deallocated" { heap } else { p.not(heap) };
                let dead = p.not(live);
                let dead = p.and(has, dead);
                Ok(p.and(dead, heap))
            }
            ("same_object" | "same-object", [_, other]) => {
                let other = self.value(*other)?;
                if !matches!(self.p.type_of(other), Type::Ptr(_)) {
                    return odd();
                }
                Ok(self.p.memory(MemoryOp::SameObject, [pointer, other]))
            }
            (
                "r_ok" | "w_ok" | "rw_ok" | "good_pointer" | "prophecy_r_ok" | "prophecy_w_ok"
                | "prophecy_rw_ok",
                rest,
            ) => {
                let size = p.size_type();
                let bytes = match rest.get(1) {
                    Some(&bytes) if id != "good_pointer" => self.value_at(bytes, size)?,
                    _ => {
                        let to = self.p.pointee(self.p.exprs.ty(pointer));
                        let bytes = to.and_then(|to| self.p.size_of(to)).unwrap_or(1);
                        self.p.size(bytes)
                    }
                };
                let writes = id.contains("w_ok");
                Ok(self.accessible(pointer, bytes, writes))
            }
            _ => odd(),
        }
    }

    /// Builds the condition that so many bytes at a pointer can be accessed.
    fn accessible(&mut self, pointer: ExprId, bytes: ExprId, writes: bool) -> ExprId {
        let p = &mut self.p;
        let word = p.size_type();
        let live = p.memory(MemoryOp::IsLive, [pointer]);
        let offset = p.memory(MemoryOp::Offset, [pointer]);
        let offset = p.cast(word, offset);
        let size = p.memory(MemoryOp::ObjectSize, [pointer]);
        // An offset below the object is a large number here.
        let inside = p.le(offset, size);
        let room = p.sub(size, offset);
        let enough = p.le(bytes, room);
        let mut all = vec![live, inside, enough];
        if writes {
            all.push(p.memory(MemoryOp::IsWritable, [pointer]));
        }
        p.all(all)
    }

    /// An expression with an effect.
    pub(super) fn side_effect(&mut self, irep: IrepId, operands: &[IrepId]) -> Mapping<ExprId> {
        let b = self.b;
        let statement = b.ireps.get_id(irep, "statement").to_owned();
        let ty = self.type_irep(irep)?;
        match (&statement[..], operands) {
            ("nondet", _) => self.any(ty),
            ("va_start", _) => {
                let pointer = self.variable_arguments()?;
                let ty = self.ty(ty)?;
                self.effects += 1;
                self.coerce(pointer, ty)
            }
            ("va_arg", &[list]) => {
                let ty = self.ty(ty)?;
                self.take(list, ty)
            }
            ("allocate", [size, rest @ ..]) => {
                let zeroed = rest.first().is_some_and(|&z| b.ireps.get_id(z, "value") == "true");
                let word = self.p.size_type();
                let size = self.value_at(*size, word)?;
                self.allocate(ty, size, Region::Heap, zeroed)
            }
            ("java_new_array_data", _) => {
                let count = operands.last().copied().or_else(|| b.ireps.get(irep, "size"));
                let Some(count) = count else { return unsupported("an array without a size") };
                let word = self.p.size_type();
                let pointer = self.ty(ty)?;
                let element = self.p.pointee(pointer).and_then(|to| self.p.size_of(to));
                let Some(element) = element else { return unsupported("an array of nothing") };
                let count = self.value_at(count, word)?;
                let element = self.p.size(element);
                let size = self.p.mul(count, element);
                self.allocate(ty, size, Region::Heap, true)
            }
            ("malloc" | "alloca", _) => {
                let word = self.p.size_type();
                let size = match (operands, b.ireps.get(irep, "#size")) {
                    ([size], _) => *size,
                    (_, Some(size)) => size,
                    _ => return unsupported("an allocation without a size"),
                };
                let size = self.value_at(size, word)?;
                match &statement[..] {
                    "alloca" => self.allocate(ty, size, Region::Stack, false),
                    // CBMC's `allocate`, translated.
                    _ if b.ireps.get(irep, "#allocate").is_some() => {
                        self.allocate(ty, size, Region::Heap, false)
                    }
                    _ if self.surely_allocates(size) => {
                        self.allocate(ty, size, Region::Heap, false)
                    }
                    _ => self.library_malloc(ty, size),
                }
            }
            _ => unsupported(format!("the side effect `{statement}`")),
        }
    }

    /// A call of the library's `malloc`.
    fn library_malloc(&mut self, ty: IrepId, size: ExprId) -> Mapping<ExprId> {
        self.effects += 1;
        if self.conditional > 0 {
            return unsupported("an allocation inside of a condition");
        }
        let (ty, function) = (self.ty(ty)?, self.malloc_function());
        let void = self.p.types.void();
        let pointer = self.p.types.ptr(void);
        let place = self.temp(pointer)?;
        let callee = Callee::Direct(function);
        self.builder.push(InstrKind::Call { dest: Some(place), callee, args: [size].into() });
        self.coerce(place, ty)
    }

    fn allocate(
        &mut self,
        ty: IrepId,
        size: ExprId,
        region: Region,
        zeroed: bool,
    ) -> Mapping<ExprId> {
        let ty = self.ty(ty)?;
        if !matches!(self.p.types.get(ty), Type::Ptr(_)) {
            return unsupported("an allocation that is not a pointer");
        }
        self.effects += 1;
        if self.conditional > 0 {
            return unsupported("an allocation inside of a condition");
        }
        let place = self.temp(ty)?;
        self.builder.alloc(place, size, 16, region, zeroed);
        Ok(place)
    }
}
