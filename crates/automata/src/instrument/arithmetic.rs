//! Arithmetic operations: `a + b` becomes a call, `a += b` and `a++` become assignments of one.

use super::Weaver;
use crate::automaton::{Annotation, ArithmeticOp, Pattern};
use crate::ctype::Arithmetic;
use crate::site::{Site, SiteKind};
use crate::syntax::operator_between;
use vergo_cfront::hir::{ExprId, ExprKind, FuncId, IncDec, VarId};
use vergo_source::Span;

/// An arithmetic operation with its types.
#[derive(Clone, Copy)]
struct Operation {
    expr: ExprId,
    op: ArithmeticOp,
    ty: Arithmetic,
    right: Arithmetic,
    used: bool,
}

impl Weaver<'_> {
    pub(super) fn arithmetic(&mut self, site: &Site) {
        let SiteKind::Arithmetic { expr, op, ty, right, used } = site.kind else { return };
        let operation = Operation { expr, op, ty, right, used };
        let target = self.unit.target;
        let matched = self.transitions(
            |annotation| *annotation == Annotation::True,
            |pattern| match pattern {
                Pattern::Arithmetic { op: wanted, class, .. } => {
                    *wanted == op && ty.is_in(*class, &target)
                }
                _ => false,
            },
        );
        if matched.is_empty() {
            return;
        }
        let span = self.span(expr);
        let Some(reads) = self.reads(&matched, site.scope, span) else { return };
        let Some(helper) = self.arithmetic_helper(&operation, &matched, &reads) else {
            let what = format!("the type of this `{}` cannot be named", op.symbol());
            return self.unsupported(span, what);
        };
        let extra: String = reads.iter().map(|(name, _)| format!(", {name}")).collect();
        let done = match self.unit.exprs[expr].kind {
            ExprKind::Unary(..) => self.negation(span, &helper, &extra),
            ExprKind::Binary(..) => self.binary(span, op, &helper, &extra),
            ExprKind::CompoundAssign { place, value, .. } => {
                self.compound(&operation, place, value, site.function, &helper, &extra)
            }
            ExprKind::IncDec(kind, place) => {
                self.increment(&operation, kind, place, site.function, &helper, &extra)
            }
            _ => None,
        };
        if done.is_none() {
            let message = format!("this `{}` cannot be instrumented where it stands", op.symbol());
            self.unsupported(span, message);
        }
    }

    /// The function that does the operation and what the automaton wants.
    fn arithmetic_helper(
        &mut self,
        operation: &Operation,
        matched: &[usize],
        reads: &[(String, VarId)],
    ) -> Option<String> {
        let Operation { op, ty, right, .. } = *operation;
        let (result, right_name) = (ty.name()?, right.name()?);
        let shift = matches!(op, ArithmeticOp::Shl | ArithmeticOp::Shr);
        let right_name = if shift { right_name } else { result.clone() };
        let key = format!("{} {result} {right_name} {matched:?} {reads:?}", op.word());
        if let Some(name) = self.helpers.get(&key) {
            return Some(name.clone());
        }
        let fresh = self.fresh_names(matched);
        let (x, y, r) = (&fresh[0], &fresh[1], &fresh[2]);
        let target = self.unit.target;
        let bind = |name: &str| {
            let hole = name.strip_prefix('$')?;
            let limits = || ty.limits(&target);
            match hole {
                "min" => limits().map(|(min, _)| min),
                "max" => limits().map(|(_, max)| max),
                "width" => ty.width(&target).map(|width| width.to_string()),
                "count" => Some("0".to_owned()),
                _ => matched.iter().find_map(|&t| {
                    let Pattern::Arithmetic { operands, .. } =
                        &self.automaton.transitions[t].pattern
                    else {
                        return None;
                    };
                    let at = operands.iter().position(|operand| operand == hole)?;
                    Some([x, y][at].clone())
                }),
            }
        };
        let (before, replaced, after) = self.around(matched, &bind);
        let value = replaced.map(|text| format!("({text})")).unwrap_or_else(|| match op {
            ArithmeticOp::Neg => format!("-{x}"),
            _ => format!("{x} {} {y}", op.symbol()),
        });
        let mut parameters = format!("{result} {x}");
        if op != ArithmeticOp::Neg {
            parameters.push_str(&format!(", {right_name} {y}"));
        }
        for (name, var) in reads {
            parameters
                .push_str(&format!(", {}", self.types.declare(self.unit.vars[*var].ty, name)?));
        }
        let linkage = self.linkage();
        let gap = if before.is_empty() { "" } else { " " };
        let body = if after.is_empty() {
            format!("{gap}{before} return {value};")
        } else {
            format!("{gap}{before} {result} {r} = {value}; {after} return {r};")
        };
        let mut word = format!("{}_{}", op.word(), ty.word());
        if shift && right != ty {
            word.push_str(&format!("_{}", right.word()));
        }
        Some(self.helper(key, &word, |name| {
            format!("{linkage}{result} {name}({parameters}) {{{body} }}")
        }))
    }

    /// Names for parameters and results that the operations do not use.
    pub(super) fn fresh_names(&self, transitions: &[usize]) -> Vec<String> {
        let mut used: Vec<String> = Vec::new();
        for &t in transitions {
            let text = &self.automaton.transitions[t].operation.text;
            vergo_cfront::words::replace_names(text, |name| {
                used.push(name.to_owned());
                None
            });
        }
        let fresh = |name: &&str| {
            let mut name = (*name).to_owned();
            while used.contains(&name) {
                name.push('_');
            }
            name
        };
        ["x", "y", "r"].iter().map(fresh).collect()
    }

    fn negation(&mut self, span: Span, helper: &str, extra: &str) -> Option<()> {
        let operand = self.syntax.operand(span)?;
        let sign = self.operator(Span::new(span.lo, operand.lo), "-")?;
        self.edits.replace(sign, format!("{helper}("));
        self.edits.wrap(span, "", format!("{extra})"));
        Some(())
    }

    fn binary(&mut self, span: Span, op: ArithmeticOp, helper: &str, extra: &str) -> Option<()> {
        let [left, right] = self.syntax.operands(span)?;
        let operator = self.operator(left.between(right), op.symbol())?;
        self.edits.replace(operator, ",");
        self.edits.wrap(span, format!("{helper}("), format!("{extra})"));
        Some(())
    }

    fn operator(&self, between: Span, symbol: &str) -> Option<Span> {
        operator_between(self.map.span_text(between), between, symbol)
    }

    /// `p += v` becomes `p = add(p, v)`.
    fn compound(
        &mut self,
        operation: &Operation,
        place: ExprId,
        value: ExprId,
        function: FuncId,
        helper: &str,
        extra: &str,
    ) -> Option<()> {
        let span = self.span(operation.expr);
        let [left, right] = self.syntax.operands(span)?;
        let symbol = format!("{}=", operation.op.symbol());
        let operator = self.operator(left.between(right), &symbol)?;
        if vergo_cfront::walk::has_effects(self.unit, place) {
            // The place comes first here; if the operand has effects as well, C leaves their order open.
            let (open, pointer) = self.through_pointer(place, function)?;
            self.edits.wrap(left, open, ")");
            self.edits.replace(operator, format!(", *{pointer} = {helper}(*{pointer},"));
            self.edits.wrap(span, "(", format!("{extra}))"));
            return Some(());
        }
        let raw = self.raw(left);
        if vergo_cfront::walk::has_effects(self.unit, value) {
            // The operand comes first; what it changes is seen when the place is read.
            let right_type = match operation.op {
                ArithmeticOp::Shl | ArithmeticOp::Shr => operation.right.name()?,
                _ => operation.ty.name()?,
            };
            let temporary = self.temporary(function, &right_type);
            self.edits.replace(operator, format!("= ({temporary} ="));
            self.edits.wrap(right, "", format!(", {helper}({raw}, {temporary}{extra}))"));
        } else {
            self.edits.replace(operator, format!("= {helper}({raw},"));
            self.edits.wrap(right, "", format!("{extra})"));
        }
        Some(())
    }

    /// `++p` becomes `(p = add(p, 1))`; if the old value of `p++` is used, it is kept in a temporary.
    fn increment(
        &mut self,
        operation: &Operation,
        kind: IncDec,
        place: ExprId,
        function: FuncId,
        helper: &str,
        extra: &str,
    ) -> Option<()> {
        let span = self.span(operation.expr);
        let operand = self.syntax.operand(span)?;
        let prefix = matches!(kind, IncDec::PreInc | IncDec::PreDec);
        let symbol = match kind {
            IncDec::PreInc | IncDec::PostInc => "++",
            IncDec::PreDec | IncDec::PostDec => "--",
        };
        let gap =
            if prefix { Span::new(span.lo, operand.lo) } else { Span::new(operand.hi, span.hi) };
        let operator = self.operator(gap, symbol)?;
        let keep_old = !prefix && operation.used;
        if vergo_cfront::walk::has_effects(self.unit, place) {
            let (open, pointer) = self.through_pointer(place, function)?;
            let mut close = format!("), *{pointer} = {helper}(*{pointer}, 1{extra}))");
            if keep_old {
                let old = self.temporary(function, &self.value_type(place)?);
                close = format!(
                    "), {old} = *{pointer}, *{pointer} = {helper}({old}, 1{extra}), {old})"
                );
            }
            self.edits.delete(operator);
            self.edits.wrap(operand, open, "");
            self.edits.wrap(span, "(", close);
            return Some(());
        }
        let raw = self.raw(operand);
        if keep_old {
            let old = self.temporary(function, &self.value_type(place)?);
            self.edits.replace(operator, format!(" = {helper}({old}, 1{extra}), {old}"));
            self.edits.wrap(span, format!("({old} = {raw}, "), ")");
        } else {
            self.edits.delete(operator);
            self.edits.wrap(span, "(", format!(" = {helper}({raw}, 1{extra}))"));
        }
        Some(())
    }

    /// The type of the value in a place, as C text.
    fn value_type(&self, place: ExprId) -> Option<String> {
        let ty = self.unit.exprs[place].ty;
        match self.unit.types.kind(ty) {
            vergo_cfront::types::TypeKind::Bool => Some("_Bool".to_owned()),
            _ => Arithmetic::of(self.unit, ty).name(),
        }
    }

    /// The start of an expression that evaluates a place once, `t = (T *)&(place`, and the pointer `t`.
    fn through_pointer(&mut self, place: ExprId, function: FuncId) -> Option<(String, String)> {
        if self.is_bit_field(place) {
            return None;
        }
        let ty = format!("{} *", self.value_type(place)?);
        let volatile = self.unit.exprs[place].ty.quals().has(vergo_cfront::ast::Quals::VOLATILE);
        let ty = if volatile { format!("volatile {ty}") } else { ty };
        let pointer = self.temporary(function, &ty);
        Some((format!("{pointer} = ({ty})&("), pointer))
    }

    fn is_bit_field(&self, place: ExprId) -> bool {
        match self.unit.exprs[place].kind {
            ExprKind::Member(_, record, field) => self.unit.types.records[record]
                .fields
                .as_ref()
                .and_then(|fields| fields.get(field as usize))
                .is_some_and(|field| field.bits.is_some()),
            _ => false,
        }
    }
}
