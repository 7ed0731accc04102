//! Parses expressions, by precedence climbing.

use super::lex::TokenKind;
use super::names;
use super::parse::{Named, Parsed, Parser, float_format};
use super::print_expr::default_mode;
use crate::expr::{BinaryOp, ExprId, ExprKind, MemoryOp, UnaryOp};
use crate::types::{Type, TypeId};
use vergo_num::{Float, RoundingMode};

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.choice())
    }

    fn intern(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.program.exprs.intern(kind, ty)
    }

    fn choice(&mut self) -> Parsed<ExprId> {
        // A chain of choices in the last operand is read without recursion.
        let mut pending = Vec::new();
        let last = loop {
            let condition = self.infix(names::CHOICE + 1)?;
            if !self.eat("?") {
                break condition;
            }
            let then = stacker::maybe_grow(64 << 10, 1 << 20, || self.infix(names::CHOICE + 1))?;
            self.expect(":")?;
            pending.push((condition, then));
        };
        Ok(pending.into_iter().rev().fold(last, |otherwise, (condition, then)| {
            let ty = self.program.exprs.ty(then);
            self.intern(ExprKind::Ite(condition, then, otherwise), ty)
        }))
    }

    /// Infix operators that bind at least as strongly as `min`.
    fn infix(&mut self, min: u8) -> Parsed<ExprId> {
        let mut left = stacker::maybe_grow(64 << 10, 1 << 20, || self.prefix())?;
        loop {
            let TokenKind::Sign(sign) = self.kind() else { return Ok(left) };
            let Some((strength, op)) = infix_op(sign) else { return Ok(left) };
            if strength < min {
                return Ok(left);
            }
            self.advance();
            let right_min = if sign == "==>" { strength } else { strength + 1 };
            let right = stacker::maybe_grow(64 << 10, 1 << 20, || self.infix(right_min))?;
            let pointer = |p: &Self, e| matches!(p.program.type_of(e), Type::Ptr(_));
            let op = match op {
                BinaryOp::Add if pointer(self, left) => BinaryOp::PtrAdd,
                BinaryOp::Sub if pointer(self, left) => BinaryOp::PtrDiff,
                op => op,
            };
            // `a > b` is another way to write `b < a`.
            let swapped = matches!(sign, ">" | ">=");
            let (a, b) = if swapped { (right, left) } else { (left, right) };
            left = self.binary(op, a, b);
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        let ty = if op.yields_bool() {
            self.program.types.bool()
        } else if op == BinaryOp::PtrDiff {
            self.program.offset_type()
        } else {
            self.program.exprs.ty(a)
        };
        self.intern(ExprKind::Binary(op, a, b), ty)
    }

    fn unary(&mut self, op: UnaryOp, a: ExprId) -> ExprId {
        let ty =
            if op.yields_bool() { self.program.types.bool() } else { self.program.exprs.ty(a) };
        self.intern(ExprKind::Unary(op, a), ty)
    }

    fn prefix(&mut self) -> Parsed<ExprId> {
        if let TokenKind::Sign(sign) = self.kind() {
            match sign {
                "-" if self.kind_after(1) == TokenKind::Number => {
                    self.advance();
                    return self.literal("-");
                }
                "-" | "~" | "!" => {
                    self.advance();
                    let a = self.nested_prefix()?;
                    let op = match sign {
                        "-" => UnaryOp::Neg,
                        "~" => UnaryOp::BitNot,
                        _ => UnaryOp::Not,
                    };
                    return Ok(self.unary(op, a));
                }
                "*" => {
                    self.advance();
                    let pointer = self.nested_prefix()?;
                    return self.deref(pointer);
                }
                "&" => {
                    self.advance();
                    let place = self.nested_prefix()?;
                    let to = self.program.exprs.ty(place);
                    let ty = self.program.types.ptr(to);
                    return Ok(self.intern(ExprKind::AddressOf(place), ty));
                }
                "(" if self.is_type_after(1) => {
                    self.advance();
                    let ty = self.ty()?;
                    self.expect(")")?;
                    let a = self.nested_prefix()?;
                    let mode = default_mode(&self.program, self.program.exprs.ty(a), ty);
                    return Ok(self.intern(ExprKind::Cast(mode, a), ty));
                }
                _ => {}
            }
        }
        let mut e = self.primary()?;
        loop {
            if self.eat("[") {
                let index = self.expr()?;
                self.expect("]")?;
                let Type::Array(ty, _) = *self.program.type_of(e) else {
                    return self.fail("only arrays have elements");
                };
                e = self.intern(ExprKind::Index(e, index), ty);
            } else if self.eat(".") {
                e = self.member(e)?;
            } else if self.eat("->") {
                let base = self.deref(e)?;
                e = self.member(base)?;
            } else {
                return Ok(e);
            }
        }
    }

    fn nested_prefix(&mut self) -> Parsed<ExprId> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.prefix())
    }

    fn deref(&mut self, pointer: ExprId) -> Parsed<ExprId> {
        match *self.program.type_of(pointer) {
            Type::Ptr(to) => Ok(self.intern(ExprKind::Deref(pointer), to)),
            _ => self.fail("only pointers are dereferenced"),
        }
    }

    fn member(&mut self, base: ExprId) -> Parsed<ExprId> {
        let Type::Struct(id) = *self.program.type_of(base) else {
            return self.fail("only structures and unions have members");
        };
        let at = self.position();
        let name = self.name()?;
        let fields = &self.program.types.structs[id].fields;
        let Some(member) = fields.iter().position(|f| f.name == name) else {
            return self.fail_at(at, format!("there is no member `{name}`"));
        };
        let ty = fields[member].ty;
        self.note(at, Named::Field(id, member as u32), false);
        Ok(self.intern(ExprKind::Member(base, member as u32), ty))
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        match self.kind() {
            TokenKind::Number => self.literal(""),
            TokenKind::Sign("(") => {
                self.advance();
                let e = self.expr()?;
                self.expect(")")?;
                Ok(e)
            }
            TokenKind::Sign("@") => {
                self.advance();
                let function = self.function()?;
                Ok(self.program.function(function))
            }
            TokenKind::Hash => self.operator(),
            TokenKind::Word if self.is_word("true") || self.is_word("false") => {
                let value = self.advance() == "true";
                Ok(self.program.bool(value))
            }
            TokenKind::Word | TokenKind::QuotedName => {
                let symbol = self.variable()?;
                Ok(self.program.symbol(symbol))
            }
            _ => self.fail("an expression should stand here"),
        }
    }

    /// A number with the word of its type.
    fn literal(&mut self, sign: &str) -> Parsed<ExprId> {
        let text = self.here();
        // The type's word begins with the last letter that is no exponent: no type's word begins with `e`.
        let split = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e').unwrap_or(text.len());
        let (digits, word) = text.split_at(split);
        let number = format!("{sign}{digits}");
        let e = if let Some(format) = float_format(word) {
            match Float::parse(format, RoundingMode::NearestEven, &number) {
                Some(value) => self.program.float(value),
                None => return self.fail("the floating number is malformed"),
            }
        } else {
            match names::scalar_type(word) {
                Some((signed, width)) if width > 0 && width <= 1 << 16 => {
                    let bits = self.decimal(width, &number)?;
                    if signed && sign.is_empty() && bits.sign_bit() || !signed && !sign.is_empty() {
                        return self.fail("the number does not fit its type");
                    }
                    let ty = self.program.types.int(signed, width);
                    self.program.int_bits(ty, bits)
                }
                _ => return self.fail("a number carries its type, as in `1i32`"),
            }
        };
        self.advance();
        Ok(e)
    }

    /// Parses an operator that begins with `#`.
    fn operator(&mut self) -> Parsed<ExprId> {
        let word = &self.here()[1..];
        if let Ok(number) = word.parse::<usize>() {
            return match self.lets.get(number) {
                Some(&e) => {
                    self.advance();
                    Ok(e)
                }
                None => self.fail("this shared expression is not there yet"),
            };
        }
        if let Some(e) = self.typed_operator(word)? {
            return Ok(e);
        }
        if let Some(op) = names::unary_from(word) {
            let [a] = self.operands()?;
            return Ok(self.unary(op, a));
        }
        if let Some(op) = names::binary_from(word) {
            let [a, b] = self.operands()?;
            return Ok(self.binary(op, a, b));
        }
        if let Some(op) = names::memory_from(word) {
            self.advance();
            let all = self.list()?;
            let ty = match op {
                MemoryOp::ObjectSize | MemoryOp::TextSize => self.program.size_type(),
                MemoryOp::Offset => self.program.offset_type(),
                _ => self.program.types.bool(),
            };
            return Ok(self.intern(ExprKind::Memory(op, all.into()), ty));
        }
        match word {
            "fma" => {
                let [a, b, c] = self.operands()?;
                let ty = self.program.exprs.ty(a);
                Ok(self.intern(ExprKind::Fma(a, b, c), ty))
            }
            "round" => {
                self.advance();
                self.expect("<")?;
                let mode = self.rounding()?;
                self.expect(">")?;
                let all = self.list()?;
                match all[..] {
                    [a] => Ok(self.unary(UnaryOp::RoundToIntegral(mode), a)),
                    _ => self.fail("`#round` takes one operand"),
                }
            }
            _ => self.fail("there is no such operator"),
        }
    }

    /// The operators that name a type: `#word<T>`.
    fn typed_operator(&mut self, word: &str) -> Parsed<Option<ExprId>> {
        if !matches!(
            word,
            "null" | "addr" | "zero" | "nondet" | "float" | "make" | "fill" | "bits" | "cast"
        ) {
            return Ok(None);
        }
        self.advance();
        self.expect("<")?;
        let ty = self.ty()?;
        let mode = if word == "cast" {
            self.expect(",")?;
            Some(self.rounding()?)
        } else {
            None
        };
        self.expect(">")?;
        let kind = match word {
            "null" => ExprKind::Int(vergo_num::BitVec::zero(self.program.machine.pointer_width)),
            "zero" => ExprKind::Zero,
            "make" => self.aggregate(ty)?,
            _ => {
                self.expect("(")?;
                let kind = match word {
                    "addr" => {
                        let bits = self.decimal(self.program.machine.pointer_width, self.here())?;
                        self.advance();
                        ExprKind::Int(bits)
                    }
                    "nondet" => ExprKind::Nondet(self.number()?),
                    "float" => {
                        let Type::Float(format) = *self.program.types.get(ty) else {
                            return self.fail("the type is not a floating type");
                        };
                        let sign = if self.eat("-") { "-" } else { "" };
                        let text = format!("{sign}{}", self.here());
                        match Float::parse(format, RoundingMode::NearestEven, &text) {
                            Some(value) => {
                                self.advance();
                                ExprKind::Float(value)
                            }
                            None => return self.fail("a floating number should stand here"),
                        }
                    }
                    "fill" => ExprKind::ArrayOf(self.expr()?),
                    "bits" => ExprKind::Bits(self.expr()?),
                    _ => ExprKind::Cast(mode.unwrap_or(RoundingMode::NearestEven), self.expr()?),
                };
                self.expect(")")?;
                kind
            }
        };
        Ok(Some(self.intern(kind, ty)))
    }

    /// `{a, b}` or `{1: a}`
    fn aggregate(&mut self, ty: TypeId) -> Parsed<ExprKind> {
        self.expect("{")?;
        let is_struct = match *self.program.types.get(ty) {
            Type::Struct(id) => {
                if self.program.types.structs[id].union {
                    let member = self.number()?;
                    self.expect(":")?;
                    let value = self.expr()?;
                    self.expect("}")?;
                    return Ok(ExprKind::Union(member, value));
                }
                true
            }
            _ => false,
        };
        let mut all = Vec::new();
        while !self.eat("}") {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(self.expr()?);
        }
        Ok(if is_struct { ExprKind::Struct(all.into()) } else { ExprKind::Array(all.into()) })
    }

    fn rounding(&mut self) -> Parsed<RoundingMode> {
        match names::rounding_from(self.here()) {
            Some(mode) => {
                self.advance();
                Ok(mode)
            }
            None => self.fail("a rounding mode should stand here: RNE, RNA, RTP, RTN or RTZ"),
        }
    }

    /// The operator's word and exactly `N` operands.
    fn operands<const N: usize>(&mut self) -> Parsed<[ExprId; N]> {
        self.advance();
        let list = self.list()?;
        match list.try_into() {
            Ok(all) => Ok(all),
            Err(_) => self.fail(format!("the operator takes {N} operands")),
        }
    }

    /// `(a, b)`
    pub(super) fn list(&mut self) -> Parsed<Vec<ExprId>> {
        self.expect("(")?;
        let mut all = Vec::new();
        while !self.eat(")") {
            if !all.is_empty() {
                self.expect(",")?;
            }
            all.push(self.expr()?);
        }
        Ok(all)
    }
}

/// Strength and operation of an infix sign.
fn infix_op(sign: &str) -> Option<(u8, BinaryOp)> {
    let op = match sign {
        "==>" => BinaryOp::Implies,
        "||" => BinaryOp::Or,
        "&&" => BinaryOp::And,
        "|" => BinaryOp::BitOr,
        "^" => BinaryOp::BitXor,
        "&" => BinaryOp::BitAnd,
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "<" | ">" => BinaryOp::Lt,
        "<=" | ">=" => BinaryOp::Le,
        "<<" => BinaryOp::Shl,
        ">>" => BinaryOp::Shr,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Div,
        "%" => BinaryOp::Rem,
        _ => return None,
    };
    names::infix(op).map(|(strength, _)| (strength, op))
}
