//! Expressions, parenthesised by precedence.

use super::convert::Arith;
use super::{Printer, constants, with_stack};
use crate::hir::{BinaryOp, CastKind, CompoundOp, ExprId, ExprKind, IncDec, PtrOffsetOp, UnaryOp};
use crate::types::{QualType, TypeKind};
use vergo_source::Precedence;

/// The sign of an operator, and the precedences of its operands.
fn binary_operator(op: BinaryOp) -> (&'static str, Precedence, Precedence) {
    let sign = op.sign();
    let own = Precedence::of_binary(sign).expect("every binary operator has a precedence");
    (sign, own, own.tighter())
}

fn offset_operator(op: PtrOffsetOp) -> &'static str {
    match op {
        PtrOffsetOp::Add => "+",
        PtrOffsetOp::Sub => "-",
    }
}

impl Printer<'_> {
    /// Prints an expression with exactly its type, in parentheses if it binds weaker than `min`.
    pub(super) fn expr(&mut self, e: ExprId, min: Precedence) {
        let e = self.shown(e);
        with_stack(|| {
            let parens = self.prec(e) < min;
            if parens {
                self.text("(");
            }
            self.node(e);
            if parens {
                self.text(")");
            }
        });
    }

    /// A value converted as if by assignment to its own type.
    pub(super) fn assigned(&mut self, e: ExprId) {
        let x = self.assigned_operand(e);
        let shown = self.shown(x);
        if let ExprKind::Int(bits) = self.unit.exprs[shown].kind
            && let Some(spelling) = match self.arith(self.ty(shown)) {
                Some(Arith::Int(kind)) => constants::plain_int(kind, bits, &self.unit.target),
                Some(Arith::Bool) => {
                    constants::plain_int(crate::types::IntKind::Int, bits, &self.unit.target)
                }
                _ => None,
            }
        {
            self.text(&spelling.text);
            return;
        }
        // A null pointer constant that the analysis has folded.
        if let (ExprKind::Int(0), TypeKind::Pointer(_)) =
            (self.unit.exprs[shown].kind, self.shown_kind(self.ty(shown)))
        {
            self.text("0");
            return;
        }
        self.expr(x, Precedence::Assign);
    }

    /// A condition: compared with zero.
    pub(super) fn condition(&mut self, e: ExprId, min: Precedence) {
        let e = self.condition_operand(e);
        self.expr(e, min);
    }

    /// An expression whose value nobody uses.
    pub(super) fn discarded(&mut self, e: ExprId, min: Precedence) {
        match self.unit.exprs[e].kind {
            ExprKind::Cast(CastKind::ToVoid, x) => self.expr(x, min),
            _ => self.expr(e, min),
        }
    }

    fn spelling(&self, e: ExprId) -> Option<constants::Spelling> {
        let target = &self.unit.target;
        let ty = self.ty(e);
        Some(match self.unit.exprs[e].kind {
            ExprKind::Int(bits) => match self.arith(ty) {
                Some(Arith::Int(kind)) => constants::int(kind, bits, target),
                Some(Arith::Bool) => constants::Spelling {
                    text: format!("(_Bool){}", u8::from(bits != 0)),
                    prec: Precedence::Unary,
                },
                _ => return None,
            },
            ExprKind::WideInt(index) => {
                let bits = self.unit.wide_ints.get(index as usize)?.to_u128()?;
                match self.arith(ty) {
                    Some(Arith::Int(kind)) => constants::wide_int(kind, bits, target),
                    _ => return None,
                }
            }
            ExprKind::Float(id) => match self.arith(ty) {
                Some(Arith::Float(kind)) => constants::float(kind, &self.unit.floats[id]),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The precedence of a node that [`Printer::shown`] has given.
    fn prec(&self, e: ExprId) -> Precedence {
        match self.unit.exprs[e].kind {
            ExprKind::Int(_) | ExprKind::WideInt(_) | ExprKind::Float(_) => {
                self.spelling(e).map_or(Precedence::Unary, |spelling| spelling.prec)
            }
            ExprKind::String(_)
            | ExprKind::Var(_)
            | ExprKind::Function(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::Error => Precedence::Primary,
            ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::VectorElement(..)
            | ExprKind::Call(..)
            | ExprKind::Builtin(..)
            | ExprKind::VaArg(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::IncDec(IncDec::PostInc | IncDec::PostDec, _) => Precedence::Postfix,
            ExprKind::Deref(_)
            | ExprKind::AddrOf(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Unary(..)
            | ExprKind::IncDec(..)
            | ExprKind::SizeofVla(_)
            | ExprKind::ComplexPart(..) => Precedence::Unary,
            ExprKind::Cast(CastKind::VectorConvert, _) => Precedence::Postfix,
            ExprKind::Cast(CastKind::VectorSplat, _) => Precedence::Additive,
            ExprKind::Cast(..) => Precedence::Unary,
            ExprKind::Binary(op, ..) => binary_operator(op).1,
            ExprKind::PtrOffset(..) | ExprKind::PtrDiff(..) => Precedence::Additive,
            ExprKind::LogAnd(..) => Precedence::LogicalAnd,
            ExprKind::LogOr(..) => Precedence::LogicalOr,
            ExprKind::Cond(..) | ExprKind::CondOmitted(..) => Precedence::Conditional,
            ExprKind::Assign(..) | ExprKind::CompoundAssign { .. } => Precedence::Assign,
            ExprKind::Comma(..) => Precedence::Comma,
        }
    }

    fn node(&mut self, e: ExprId) {
        let expr = self.unit.exprs[e];
        match expr.kind {
            ExprKind::Error => self.text("0 /* error */"),
            ExprKind::Int(bits) => match self.spelling(e) {
                Some(spelling) => self.text(&spelling.text),
                // A constant of another type is a pointer.
                None => {
                    let name = self.type_name(expr.ty);
                    let suffix = if bits == 0 { "" } else { "UL" };
                    self.text(&format!("({name}){bits}{suffix}"));
                }
            },
            ExprKind::WideInt(index) => match self.spelling(e) {
                Some(spelling) => self.text(&spelling.text),
                None => {
                    let hex = self
                        .unit
                        .wide_ints
                        .get(index as usize)
                        .map_or_else(String::new, |bits| bits.to_hex());
                    let name = self.type_name(expr.ty);
                    self.text(&format!("({name})0x{hex}"));
                }
            },
            ExprKind::Float(_) => {
                let text =
                    self.spelling(e).map_or_else(|| "0.0".to_owned(), |spelling| spelling.text);
                self.text(&text);
            }
            ExprKind::String(id) => self.string(id, usize::MAX),
            ExprKind::Var(var) => {
                let name = self.var_name(var);
                self.text(&name);
            }
            ExprKind::Function(function) => {
                let name = self.function_name(function);
                self.text(&name);
            }
            ExprKind::Deref(x) => self.prefix("*", x),
            ExprKind::Index(base, index) => {
                self.expr(base, Precedence::Postfix);
                self.text("[");
                let index = self.offset_operand(index);
                self.expr(index, Precedence::Comma);
                self.text("]");
            }
            ExprKind::VectorElement(base, index) => {
                self.expr(base, Precedence::Postfix);
                self.text("[");
                let index = self.offset_operand(index);
                self.expr(index, Precedence::Comma);
                self.text("]");
            }
            ExprKind::Member(base, record, field) => self.member(base, record, field),
            ExprKind::AddrOf(x) => self.prefix("&", x),
            ExprKind::LabelAddr(label) => {
                let name = self.label_name(label);
                self.text("&&");
                self.text(&name);
            }
            ExprKind::Unary(op, x) => {
                let x = if op == UnaryOp::Not {
                    self.condition_operand(x)
                } else {
                    self.promoted_operand(x)
                };
                self.prefix(
                    match op {
                        UnaryOp::Neg => "-",
                        UnaryOp::BitNot => "~",
                        UnaryOp::Not => "!",
                    },
                    x,
                );
            }
            ExprKind::Binary(op, l, r) => self.binary(op, l, r),
            ExprKind::PtrOffset(op, pointer, offset) => {
                let offset = self.offset_operand(offset);
                self.infix(
                    pointer,
                    Precedence::Additive,
                    offset_operator(op),
                    offset,
                    Precedence::Multiplicative,
                );
            }
            ExprKind::PtrDiff(l, r) => {
                let (l, r) = self.compared_pointers(l, r, false);
                self.infix(l, Precedence::Additive, "-", r, Precedence::Multiplicative);
            }
            ExprKind::LogAnd(l, r) => {
                self.logical(l, Precedence::LogicalAnd, "&&", r, Precedence::BitOr)
            }
            ExprKind::LogOr(l, r) => {
                self.logical(l, Precedence::LogicalOr, "||", r, Precedence::LogicalAnd)
            }
            ExprKind::Cond(c, a, b) => self.conditional(c, a, b, expr.ty),
            ExprKind::CondOmitted(c, b) => {
                self.expr(c, Precedence::LogicalOr);
                self.text(" ?: ");
                let b = self.second_operand(c, b, expr.ty);
                self.expr(b, Precedence::Conditional);
            }
            ExprKind::Comma(a, b) => {
                self.discarded(a, Precedence::Comma);
                self.text(", ");
                self.expr(b, Precedence::Assign);
            }
            ExprKind::Assign(place, value) => {
                self.expr(place, Precedence::Unary);
                self.text(" = ");
                self.assigned(value);
            }
            ExprKind::CompoundAssign { op, compute, place, value } => {
                self.expr(place, Precedence::Unary);
                let (operator, value) = match op {
                    CompoundOp::Ptr(op) => (offset_operator(op), self.offset_operand(value)),
                    CompoundOp::Arith(op @ (BinaryOp::Shl | BinaryOp::Shr)) => {
                        (binary_operator(op).0, self.promoted_operand(value))
                    }
                    CompoundOp::Arith(op) => {
                        (binary_operator(op).0, self.compound_operand(place, value, compute))
                    }
                };
                self.text(&format!(" {operator}= "));
                self.expr(value, Precedence::Assign);
            }
            ExprKind::IncDec(kind, place) => match kind {
                IncDec::PreInc => self.prefix("++", place),
                IncDec::PreDec => self.prefix("--", place),
                IncDec::PostInc | IncDec::PostDec => {
                    self.expr(place, Precedence::Postfix);
                    self.text(if kind == IncDec::PostInc { "++" } else { "--" });
                }
            },
            ExprKind::Call(callee, args) => self.call(callee, args),
            ExprKind::Builtin(builtin, args) => self.builtin(builtin, args, expr.ty),
            ExprKind::Cast(kind, x) => self.cast(kind, x, expr.ty),
            ExprKind::CompoundLiteral(var) => self.compound_literal(var),
            ExprKind::StmtExpr(stmt) => self.stmt_expr(stmt),
            ExprKind::VaArg(list) => {
                self.text("__builtin_va_arg(");
                self.expr(list, Precedence::Assign);
                let name = self.type_name(expr.ty);
                self.text(&format!(", {name})"));
            }
            ExprKind::SizeofVla(ty) => {
                let name = self.type_name(ty);
                self.text(&format!("sizeof({name})"));
            }
            ExprKind::ComplexPart(x, imaginary) => {
                self.text(if imaginary { "__imag__ " } else { "__real__ " });
                self.expr(x, Precedence::Unary);
            }
        }
    }

    /// A prefix operator. Two signs next to each other would make another token.
    fn prefix(&mut self, operator: &str, x: ExprId) {
        self.text(operator);
        let x = self.shown(x);
        let clash = operator.starts_with('-') && self.starts_with_minus(x);
        self.expr(x, if clash { Precedence::Postfix } else { Precedence::Unary });
    }

    /// Returns whether the text of a unary expression begins with a minus.
    fn starts_with_minus(&self, e: ExprId) -> bool {
        match self.unit.exprs[e].kind {
            ExprKind::Unary(UnaryOp::Neg, _) | ExprKind::IncDec(IncDec::PreDec, _) => true,
            ExprKind::Int(_) | ExprKind::Float(_) => {
                self.spelling(e).is_some_and(|spelling| spelling.text.starts_with('-'))
            }
            _ => false,
        }
    }

    fn infix(&mut self, l: ExprId, left: Precedence, operator: &str, r: ExprId, right: Precedence) {
        self.expr(l, left);
        self.text(" ");
        self.text(operator);
        self.text(" ");
        self.expr(r, right);
    }

    fn logical(
        &mut self,
        l: ExprId,
        left: Precedence,
        operator: &str,
        r: ExprId,
        right: Precedence,
    ) {
        self.condition(l, left);
        self.text(" ");
        self.text(operator);
        self.text(" ");
        self.condition(r, right);
    }

    fn binary(&mut self, op: BinaryOp, l: ExprId, r: ExprId) {
        let (operator, left, right) = binary_operator(op);
        let ty = self.ty(l);
        let (l, r) = match op {
            BinaryOp::Shl | BinaryOp::Shr => match self.shown_kind(ty) {
                TypeKind::Vector(..) => self.arith_operands(l, r, ty),
                _ => (self.promoted_operand(l), self.promoted_operand(r)),
            },
            _ if matches!(self.shown_kind(ty), TypeKind::Pointer(_)) => {
                self.compared_pointers(l, r, matches!(op, BinaryOp::Eq | BinaryOp::Ne))
            }
            _ => self.arith_operands(l, r, ty),
        };
        self.infix(l, left, operator, r, right);
    }

    fn conditional(&mut self, c: ExprId, a: ExprId, b: ExprId, ty: QualType) {
        self.condition(c, Precedence::LogicalOr);
        self.text(" ? ");
        let (a, b) = self.arith_operands(a, b, ty);
        self.expr(a, Precedence::Comma);
        self.text(" : ");
        self.expr(b, Precedence::Conditional);
    }

    fn member(&mut self, base: ExprId, record: crate::types::RecordId, field: u32) {
        let name = self.unit.types.records[record]
            .fields
            .as_ref()
            .and_then(|fields| fields.get(field as usize))
            .and_then(|field| field.name);
        // A member of an anonymous member is named directly.
        let mut base = self.shown(base);
        while let ExprKind::Member(outer, record, field) = self.unit.exprs[base].kind {
            let anonymous = self.unit.types.records[record]
                .fields
                .as_ref()
                .and_then(|fields| fields.get(field as usize))
                .is_some_and(|field| field.name.is_none());
            if !anonymous {
                break;
            }
            base = self.shown(outer);
        }
        let arrow = match self.unit.exprs[base].kind {
            ExprKind::Deref(pointer) => Some(pointer),
            _ => None,
        };
        self.expr(arrow.unwrap_or(base), Precedence::Postfix);
        if let Some(name) = name {
            self.text(if arrow.is_some() { "->" } else { "." });
            let unit = self.unit;
            self.text(unit.names.name(name));
        }
    }

    fn call(&mut self, callee: ExprId, args: crate::pool::List<ExprId>) {
        // A function and what points to it are called alike.
        let mut function = self.shown(callee);
        while let ExprKind::Deref(x) = self.unit.exprs[function].kind
            && matches!(self.shown_kind(self.ty(function)), TypeKind::Function(_))
        {
            function = self.shown(x);
        }
        self.expr(function, Precedence::Postfix);
        self.text("(");
        let ty = match self.shown_kind(self.ty(callee)) {
            TypeKind::Pointer(to) => *to,
            _ => self.ty(callee),
        };
        let unit = self.unit;
        let n_params = match self.shown_kind(ty) {
            TypeKind::Function(function) if function.prototype => function.params.len(),
            _ => 0,
        };
        for (i, &arg) in unit.expr_lists.get(args).iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            if i < n_params {
                self.assigned(arg);
            } else {
                let arg = self.promoted_argument(arg);
                self.expr(arg, Precedence::Assign);
            }
        }
        self.text(")");
    }

    fn cast(&mut self, kind: CastKind, x: ExprId, ty: QualType) {
        let name = self.type_name(ty);
        match kind {
            CastKind::VectorConvert => {
                self.text("__builtin_convertvector(");
                self.expr(x, Precedence::Assign);
                self.text(&format!(", {name})"));
            }
            // Subtracting zeros spreads the scalar and keeps it, negative zero included.
            CastKind::VectorSplat => {
                self.expr(x, Precedence::Additive);
                self.text(&format!(" - ({name}){{}}"));
            }
            _ => {
                self.text(&format!("({name})"));
                let x = match kind {
                    CastKind::Int
                    | CastKind::IntToFloat
                    | CastKind::FloatToInt
                    | CastKind::Float
                    | CastKind::ToBool
                    | CastKind::IntToPtr => self.beneath(x),
                    _ => x,
                };
                self.expr(x, Precedence::Unary);
            }
        }
    }
}
