//! Functions that verifiers' C has without a declaration: those of CBMC (`__CPROVER_*`), and those into which the parser
//! turns contracts (`__vergo_*`). A declaration by the program goes before; lowering gives them their meaning.

use super::Sema;
use super::builtin::Call;
use crate::ast;
use crate::builtins::Builtin;
use crate::hir::{ExprId, ExprKind};
use crate::intern::Symbol;
use crate::pool::List;
use crate::types::{FloatKind, QualType, TypeKind};
use vergo_source::Span;

/// Name without its prefix, signature in the letters of the library's table; sorted by name.
static CPROVER: &[(&str, &str)] = &[
    ("DYNAMIC_OBJECT", "bP"),
    ("LIVE_OBJECT", "bP"),
    ("OBJECT_SIZE", "zP"),
    ("POINTER_OBJECT", "zP"),
    ("POINTER_OFFSET", "tP"),
    ("WRITEABLE_OBJECT", "bP"),
    ("abs", "ii"),
    ("allocate", "pzb"),
    ("allocated_memory", "vzz"),
    ("array_copy", "vPP"),
    ("array_equal", "bPP"),
    ("array_replace", "vPP"),
    ("array_set", "vP."),
    ("assert", "vbS"),
    ("assume", "vb"),
    ("atomic_begin", "v"),
    ("atomic_end", "v"),
    ("cover", "vb."),
    ("deallocate", "vP"),
    ("fabs", "dd"),
    ("fence", "vS."),
    ("freeable", "bP"),
    ("havoc_object", "vP"),
    ("havoc_slice", "vPz"),
    ("input", "vS."),
    ("is_freeable", "bP"),
    ("is_fresh", "bPz"),
    ("isfinited", "bd"),
    ("isinfd", "bd"),
    ("isnand", "bd"),
    ("isnormald", "bd"),
    ("labs", "ll"),
    ("llabs", "qq"),
    ("obeys_contract", "bPP"),
    ("output", "vS."),
    ("pointer_in_range_dfcc", "bPPP"),
    ("postcondition", "vbS"),
    ("precondition", "vbS"),
    ("printf", "vS."),
    ("same_object", "bPP"),
    ("signd", "bd"),
    ("was_freed", "bP"),
];

/// As above, for what the parser makes of contracts.
static CONTRACTS: &[(&str, &str)] = &[
    ("any", "vP"),
    ("assigns_from", "vbP"),
    ("assigns_place", "vbP"),
    ("assigns_upto", "vbPz"),
    ("assigns_whole", "vbP"),
    ("contract_begin", "v"),
    ("contract_end", "v"),
    ("ensures_assumed", "vb"),
    ("ensures_claimed", "vb"),
    ("frame_begin", "v"),
    ("frame_end", "v"),
    ("frees_from", "vbP"),
    ("frees_place", "vbP"),
    ("frees_upto", "vbPz"),
    ("frees_whole", "vbP"),
    ("havoc_targets", "v"),
    ("invariant_after_round", "vb"),
    ("invariant_assumed", "vb"),
    ("invariant_at_entry", "vb"),
    ("is_enforced", "i"),
    ("least", "vP"),
    ("measure_decreases", "vb"),
    ("requires_assumed", "vb"),
    ("requires_claimed", "vb"),
];

fn signature(name: &str) -> Option<(&'static str, FloatKind)> {
    let find = |table: &'static [(&str, &'static str)], name: &str| {
        table.binary_search_by_key(&name, |row| row.0).ok().map(|index| table[index].1)
    };
    if let Some(rest) = name.strip_prefix("__vergo_") {
        let found = if rest.starts_with("loop_") { Some("v") } else { find(CONTRACTS, rest) };
        return found.map(|signature| (signature, FloatKind::Double));
    }
    let rest = name.strip_prefix("__CPROVER_")?;
    if let Some(signature) = find(CPROVER, rest) {
        return Some((signature, FloatKind::Double));
    }
    // `isnanf`, `isnanld`, `fabsl` and their like.
    let variants = [("ld", "d", FloatKind::LongDouble), ("f", "d", FloatKind::Float)];
    let more = [("f", "", FloatKind::Float), ("l", "", FloatKind::LongDouble)];
    variants.into_iter().chain(more).find_map(|(suffix, stands_for, float)| {
        let known = find(CPROVER, &format!("{}{stands_for}", rest.strip_suffix(suffix)?))?;
        known.contains('d').then_some((known, float))
    })
}

impl Sema<'_> {
    /// A call of an undeclared function that verifiers know.
    pub(super) fn verifier_call(
        &mut self,
        symbol: Symbol,
        name_span: Span,
        args: List<ast::ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        let name = self.name(symbol).to_owned();
        if !name.starts_with("__CPROVER_") && !name.starts_with("__vergo_") {
            return None;
        }
        let ast = self.ast;
        let call = Call { name: &name, span, args: ast.expr_lists.get(args) };
        match name.strip_prefix("__CPROVER_") {
            Some("overflow_plus") => return Some(self.overflows(&call, Builtin::AddOverflowP)),
            Some("overflow_minus") => return Some(self.overflows(&call, Builtin::SubOverflowP)),
            Some("overflow_mult") => return Some(self.overflows(&call, Builtin::MulOverflowP)),
            Some("overflow_unary_minus") => {
                return Some(self.overflows(&call, Builtin::SubOverflowP));
            }
            Some("enum_is_in_range") => return Some(self.enum_is_in_range(&call)),
            Some("r_ok" | "w_ok" | "rw_ok") => {
                return Some(self.access_ok(&call, symbol, name_span));
            }
            _ => {}
        }
        let (signature, float) = signature(&name)?;
        let ty = self.signature_type(signature, float);
        let function = self.undeclared_function(symbol, name_span, ty, true);
        let callee = self.function_expr(function, name_span);
        Some(self.call_function(callee, args, span))
    }

    /// A variable that verifiers know.
    pub(super) fn verifier_constant(&mut self, symbol: Symbol, span: Span) -> Option<ExprId> {
        match self.name(symbol) {
            // With one byte of a pointer for its object, as CBMC has it unless it is told otherwise.
            "__CPROVER_max_malloc_size" => {
                let size = 1u64 << (self.unit.target.word as u32 * 8 - 9);
                Some(self.int_expr(span, self.basics.size, size))
            }
            _ => None,
        }
    }

    /// Builds the question whether an operation on integers overflows the type at which C computes it.
    fn overflows(&mut self, call: &Call<'_>, builtin: Builtin) -> ExprId {
        let unary = call.name.ends_with("unary_minus");
        if !self.count(call, if unary { 1 } else { 2 }, if unary { 1 } else { 2 }) {
            return self.error_expr(call.span);
        }
        let zero = self.int_expr(call.span, self.basics.int, 0);
        let (a, b) = match unary {
            true => (zero, self.rvalue(call.args[0])),
            false => (self.rvalue(call.args[0]), self.rvalue(call.args[1])),
        };
        for value in [a, b] {
            if !self.unit.types.is_integer(self.ty(value)) {
                return self.bad_argument(call, value, "an integer");
            }
        }
        let (a, b, ty) = self.usual_conversions(a, b);
        let like = self.convert(zero, ty);
        self.builtin_expr(call, self.basics.bool_, builtin, [a, b, like])
    }

    /// `__CPROVER_r_ok(p, n)`; without a size, that of what the pointer points to.
    fn access_ok(&mut self, call: &Call<'_>, symbol: Symbol, name_span: Span) -> ExprId {
        if !self.count(call, 1, 2) {
            return self.error_expr(call.span);
        }
        let pointer = self.rvalue(call.args[0]);
        let size = match call.args.get(1) {
            Some(&size) => self.rvalue(size),
            None => {
                let to: Option<QualType> = self.unit.types.pointee(self.ty(pointer));
                let size = to.and_then(|to| match self.kind(to) {
                    TypeKind::Void => Some(1),
                    _ => self.size_of(to),
                });
                let Some(size) = size else {
                    return self.bad_argument(call, pointer, "a pointer to a complete type");
                };
                self.int_expr(call.span, self.basics.size, size)
            }
        };
        let ty = self.signature_type("bPz", FloatKind::Double);
        let function = self.undeclared_function(symbol, name_span, ty, true);
        let callee = self.function_expr(function, name_span);
        self.call_with_values(callee, Some(function), vec![pointer, size], call.span)
    }

    /// Builds the question whether a value is one of the enumerators of its type.
    fn enum_is_in_range(&mut self, call: &Call<'_>) -> ExprId {
        if !self.count(call, 1, 1) {
            return self.error_expr(call.span);
        }
        let value = self.rvalue(call.args[0]);
        let TypeKind::Enum(id) = *self.kind(self.ty(value)) else {
            return self.bad_argument(call, value, "an enumeration");
        };
        let enumerators = self.unit.types.enums[id].enumerators.clone().unwrap_or_default();
        let mut result = self.int_expr(call.span, self.basics.int, 0);
        for (_, one) in enumerators {
            let one = self.int_expr(call.span, self.basics.llong, one as u64);
            let same = self.binary_values(ast::BinaryOp::Eq, value, one, call.span);
            let either = ExprKind::LogOr(result, same);
            result = self.push(call.span, self.basics.int, either);
        }
        self.convert(result, self.basics.bool_)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(CPROVER.is_sorted_by(|a, b| a.0 < b.0));
        assert!(CONTRACTS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn floating_variants_are_found() {
        assert_eq!(signature("__CPROVER_isnanf"), Some(("bd", FloatKind::Float)));
        assert_eq!(signature("__CPROVER_isnanld"), Some(("bd", FloatKind::LongDouble)));
        assert_eq!(signature("__CPROVER_fabsl"), Some(("dd", FloatKind::LongDouble)));
        assert_eq!(signature("__CPROVER_absf"), None);
    }
}
