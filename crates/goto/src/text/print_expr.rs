//! Prints types and expressions.

use super::names::{self, CHOICE, POSTFIX, PREFIX};
use crate::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::program::Program;
use crate::types::{Type, TypeId};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use vergo_num::{FloatFormat, RoundingMode};

/// The text of an expression, in full; for messages. (A program's text gives names to large shared expressions.)
pub fn expr_to_text(program: &Program, expr: ExprId) -> String {
    let mut out = String::new();
    ExprPrinter { program, lets: &FxHashMap::default() }.print(&mut out, expr);
    out
}

/// The text of a type.
pub fn type_to_text(program: &Program, ty: TypeId) -> String {
    let mut out = String::new();
    print_type(program, &mut out, ty);
    out
}

/// The short name of a format that has one.
pub(super) fn format_word(format: FloatFormat) -> Option<&'static str> {
    [
        (FloatFormat::HALF, "f16"),
        (FloatFormat::BFLOAT, "bf16"),
        (FloatFormat::SINGLE, "f32"),
        (FloatFormat::DOUBLE, "f64"),
        (FloatFormat::X87_EXTENDED, "x87"),
        (FloatFormat::QUAD, "f128"),
    ]
    .into_iter()
    .find(|(f, _)| *f == format)
    .map(|(_, word)| word)
}

pub(super) fn print_type(program: &Program, out: &mut String, ty: TypeId) {
    stacker::maybe_grow(64 << 10, 1 << 20, || match program.types.get(ty) {
        Type::Void => out.push_str("void"),
        Type::Bool => out.push_str("bool"),
        Type::Int { signed, width } => {
            let _ = write!(out, "{}{width}", if *signed { 'i' } else { 'u' });
        }
        Type::Float(format) => match format_word(*format) {
            Some(word) => out.push_str(word),
            None => {
                let _ =
                    write!(out, "float({},{})", format.exponent_bits(), format.significand_bits());
            }
        },
        Type::Ptr(to) => {
            print_type_atom(program, out, *to);
            out.push('*');
        }
        Type::Array(element, len) => {
            print_type_atom(program, out, *element);
            let _ = write!(out, "[{len}]");
        }
        Type::Struct(id) => {
            out.push_str("struct ");
            names::quote_name(out, &program.types.structs[*id].name);
        }
        Type::Func(ret, params) => {
            out.push_str("fn(");
            for (i, param) in params.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                print_type(program, out, *param);
            }
            out.push_str(") -> ");
            print_type(program, out, *ret);
        }
    });
}

/// A type to which `*` or `[n]` can be attached: function types in brackets.
fn print_type_atom(program: &Program, out: &mut String, ty: TypeId) {
    if matches!(program.types.get(ty), Type::Func(..)) {
        out.push('[');
        print_type(program, out, ty);
        out.push(']');
    } else {
        print_type(program, out, ty);
    }
}

/// The rounding mode that a cast has unless it says so: C's.
pub(super) fn default_mode(program: &Program, from: TypeId, to: TypeId) -> RoundingMode {
    let float = |ty| matches!(program.types.get(ty), Type::Float(_));
    if float(from) && !float(to) { RoundingMode::TowardZero } else { RoundingMode::NearestEven }
}

/// Prints expressions; those in `lets` by their number.
pub(super) struct ExprPrinter<'a> {
    pub(super) program: &'a Program,
    pub(super) lets: &'a FxHashMap<ExprId, usize>,
}

impl ExprPrinter<'_> {
    /// The expression, by its number if it has one.
    pub(super) fn print(&self, out: &mut String, e: ExprId) {
        self.at(out, e, 0);
    }

    /// The expression in parentheses if it binds more weakly than `min`.
    fn at(&self, out: &mut String, e: ExprId, min: u8) {
        if let Some(number) = self.lets.get(&e) {
            let _ = write!(out, "#{number}");
            return;
        }
        if self.strength(e) < min {
            out.push('(');
            self.definition(out, e);
            out.push(')');
        } else {
            self.definition(out, e);
        }
    }

    fn strength(&self, e: ExprId) -> u8 {
        let program = self.program;
        match program.exprs.kind(e) {
            ExprKind::Ite(..) => CHOICE,
            ExprKind::Binary(op, ..) => names::infix(*op).map_or(POSTFIX, |(strength, _)| strength),
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not, _)
            | ExprKind::Deref(_)
            | ExprKind::AddressOf(_) => PREFIX,
            ExprKind::Cast(mode, a)
                if *mode == default_mode(program, program.exprs.ty(*a), program.exprs.ty(e)) =>
            {
                PREFIX
            }
            // A negative number is a prefix sign to the eye.
            ExprKind::Int(bits) => match program.type_of(e) {
                Type::Int { signed: true, .. } if bits.sign_bit() => PREFIX,
                _ => POSTFIX,
            },
            ExprKind::Float(x) if x.is_sign_negative() => PREFIX,
            _ => POSTFIX,
        }
    }

    /// The expression written out, its parts by their numbers where they have some.
    pub(super) fn definition(&self, out: &mut String, e: ExprId) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.write(out, e));
    }

    fn list(&self, out: &mut String, all: &[ExprId]) {
        for (i, &e) in all.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.print(out, e);
        }
    }

    fn function(&self, out: &mut String, word: &str, operands: &[ExprId]) {
        out.push('#');
        out.push_str(word);
        out.push('(');
        self.list(out, operands);
        out.push(')');
    }

    fn angled(&self, out: &mut String, word: &str, ty: TypeId) {
        out.push('#');
        out.push_str(word);
        out.push('<');
        print_type(self.program, out, ty);
        out.push('>');
    }

    fn write(&self, out: &mut String, e: ExprId) {
        let program = self.program;
        let expr = program.exprs.get(e);
        match &expr.kind {
            ExprKind::Bool(value) => {
                let _ = write!(out, "{value}");
            }
            ExprKind::Int(bits) => match program.types.get(expr.ty) {
                Type::Int { signed, width } => {
                    let digits =
                        if *signed { bits.to_signed_decimal() } else { bits.to_unsigned_decimal() };
                    let _ = write!(out, "{digits}{}{width}", if *signed { 'i' } else { 'u' });
                }
                _ if bits.is_zero() => self.angled(out, "null", expr.ty),
                _ => {
                    self.angled(out, "addr", expr.ty);
                    let _ = write!(out, "({})", bits.to_unsigned_decimal());
                }
            },
            ExprKind::Float(value) => match format_word(value.format()) {
                Some(word) if value.is_finite() => {
                    let _ = write!(out, "{}{word}", value.to_decimal());
                }
                _ => {
                    self.angled(out, "float", expr.ty);
                    let _ = write!(out, "({})", value.to_decimal());
                }
            },
            ExprKind::Zero => self.angled(out, "zero", expr.ty),
            ExprKind::Function(function) => {
                out.push('@');
                names::quote_name(out, &program.functions[*function].name);
            }
            ExprKind::Nondet(site) => {
                self.angled(out, "nondet", expr.ty);
                let _ = write!(out, "({site})");
            }
            ExprKind::Struct(all) | ExprKind::Array(all) => {
                self.angled(out, "make", expr.ty);
                out.push('{');
                self.list(out, all);
                out.push('}');
            }
            ExprKind::Union(member, value) => {
                self.angled(out, "make", expr.ty);
                let _ = write!(out, "{{{member}: ");
                self.print(out, *value);
                out.push('}');
            }
            ExprKind::ArrayOf(value) => {
                self.angled(out, "fill", expr.ty);
                out.push('(');
                self.print(out, *value);
                out.push(')');
            }
            ExprKind::Symbol(symbol) => names::quote_name(out, &program.symbols[*symbol].name),
            ExprKind::Deref(pointer) => {
                out.push('*');
                self.at(out, *pointer, PREFIX);
            }
            ExprKind::Member(base, member) => {
                // `p->x` for `(*p).x`, unless the dereference has a number of its own.
                match program.exprs.kind(*base) {
                    ExprKind::Deref(pointer) if !self.lets.contains_key(base) => {
                        self.at(out, *pointer, POSTFIX);
                        out.push_str("->");
                    }
                    _ => {
                        self.at(out, *base, POSTFIX);
                        out.push('.');
                    }
                }
                if let Type::Struct(id) = program.type_of(*base)
                    && let Some(field) = program.types.structs[*id].fields.get(*member as usize)
                {
                    names::quote_name(out, &field.name);
                }
            }
            ExprKind::Index(base, index) => {
                self.at(out, *base, POSTFIX);
                out.push('[');
                self.print(out, *index);
                out.push(']');
            }
            ExprKind::AddressOf(place) => {
                out.push('&');
                self.at(out, *place, PREFIX);
            }
            ExprKind::Unary(op, a) => {
                let sign = match op {
                    UnaryOp::Neg => Some('-'),
                    UnaryOp::BitNot => Some('~'),
                    UnaryOp::Not => Some('!'),
                    _ => None,
                };
                match (sign, op) {
                    (Some(sign), _) => {
                        out.push(sign);
                        // Constants in parentheses, so that a minus is not taken for theirs.
                        let constant =
                            matches!(program.exprs.kind(*a), ExprKind::Int(_) | ExprKind::Float(_));
                        self.at(out, *a, if constant { POSTFIX + 1 } else { PREFIX });
                    }
                    (None, UnaryOp::RoundToIntegral(mode)) => {
                        let _ = write!(out, "#round<{mode}>(");
                        self.print(out, *a);
                        out.push(')');
                    }
                    (None, _) => {
                        self.function(out, names::unary_word(*op).unwrap_or_default(), &[*a])
                    }
                }
            }
            ExprKind::Binary(op, a, b) => match names::infix(*op) {
                Some((strength, sign)) => {
                    // All group to the left but implication.
                    let right = *op == BinaryOp::Implies;
                    self.at(out, *a, strength + u8::from(right));
                    let _ = write!(out, " {sign} ");
                    self.at(out, *b, strength + u8::from(!right));
                }
                None => self.function(out, names::binary_word(*op).unwrap_or_default(), &[*a, *b]),
            },
            ExprKind::Fma(a, b, c) => self.function(out, "fma", &[*a, *b, *c]),
            ExprKind::Cast(mode, a) => {
                if *mode == default_mode(program, program.exprs.ty(*a), expr.ty) {
                    out.push('(');
                    print_type(program, out, expr.ty);
                    out.push(')');
                    self.at(out, *a, PREFIX);
                } else {
                    out.push_str("#cast<");
                    print_type(program, out, expr.ty);
                    let _ = write!(out, ", {mode}>(");
                    self.print(out, *a);
                    out.push(')');
                }
            }
            ExprKind::Bits(a) => {
                self.angled(out, "bits", expr.ty);
                out.push('(');
                self.print(out, *a);
                out.push(')');
            }
            ExprKind::Ite(c, a, b) => {
                self.at(out, *c, CHOICE + 1);
                out.push_str(" ? ");
                self.at(out, *a, CHOICE + 1);
                out.push_str(" : ");
                self.at(out, *b, CHOICE);
            }
            ExprKind::Memory(op, operands) => {
                self.function(out, names::memory_word(*op).unwrap_or_default(), operands);
            }
        }
    }
}
