//! Calls of the compiler's builtins: typed operations, constants, or functions of the library.

use super::convert::Target;
use super::{Sema, codes};
use crate::ast;
use crate::ast::Quals;
use crate::builtins::Builtin;
use crate::floating::Floating;
use crate::hir::{BinaryOp, CastKind, ExprId, ExprKind, FuncId};
use crate::intern::Symbol;
use crate::pool::List;
use crate::types::{FloatKind, IntKind, QualType, TypeKind};
use vergo_num::{BitVec, Float, Natural};
use vergo_source::{Diagnostic, Span};

/// The call, for diagnostics.
pub(super) struct Call<'c> {
    pub(super) name: &'c str,
    pub(super) span: Span,
    pub(super) args: &'c [ast::ExprId],
}

impl Sema<'_> {
    /// The library function that a builtin of the name stands for.
    pub(super) fn builtin_function(&mut self, symbol: Symbol, span: Span) -> Option<FuncId> {
        let name = self.name(symbol).strip_prefix("__builtin_")?.to_owned();
        let function = super::library::find(&name)?;
        if name == "alloca" {
            return None;
        }
        let ty = self.signature_type(function.signature, function.float);
        let symbol = self.unit.names.intern(&name);
        Some(self.undeclared_function(symbol, span, ty, true))
    }

    pub(super) fn builtin_call(
        &mut self,
        symbol: Symbol,
        name_span: Span,
        args: List<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let name = self.name(symbol).to_owned();
        let ast = self.ast;
        let call = Call { name: &name, span, args: ast.expr_lists.get(args) };
        let result = if let Some(rest) = name.strip_prefix("__builtin_") {
            self.gnu_builtin(rest, &call)
        } else if let Some(rest) = name.strip_prefix("__sync_") {
            self.sync_builtin(rest, &call)
        } else if let Some(rest) = name.strip_prefix("__atomic_") {
            self.atomic_builtin(rest, &call)
        } else {
            None
        };
        if let Some(expr) = result {
            return expr;
        }
        if let Some(function) = self.builtin_function(symbol, name_span) {
            let callee = self.function_expr(function, name_span);
            return self.call_function(callee, args, span);
        }
        if let Some(expr) = self.checked_library_call(&name, name_span, args, span) {
            return expr;
        }
        let in_header = self.sources.in_system_header(span.lo);
        match &mut self.function {
            Some(function) if in_header || name.starts_with("__builtin_ia32_") => {
                function.unknown_builtin.get_or_insert((symbol, span));
            }
            _ => self.report(
                Diagnostic::error(
                    codes::UNKNOWN_BUILTIN,
                    name_span,
                    format!("unknown builtin `{name}`"),
                )
                .note("Vergo knows the builtins of gcc that are not tied to a processor"),
            ),
        }
        for &arg in call.args {
            self.rvalue(arg);
        }
        self.error_expr(span)
    }

    /// `__builtin___memcpy_chk` and its like, which `_FORTIFY_SOURCE` makes: the function itself, without the size of
    /// the object, as the bounds are checked anyway.
    pub(super) fn checked_library_call(
        &mut self,
        name: &str,
        name_span: Span,
        args: List<ast::ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        let plain = name.strip_prefix("__builtin___")?.strip_suffix("_chk")?;
        let function = super::library::find(plain)?;
        let ast = self.ast;
        let mut given: Vec<ast::ExprId> = ast.expr_lists.get(args).to_vec();
        let dropped: &[usize] = match plain {
            "sprintf" | "vsprintf" => &[1, 2],
            "snprintf" | "vsnprintf" => &[2, 3],
            "printf" | "vprintf" => &[0],
            "fprintf" | "vfprintf" => &[1],
            _ => &[usize::MAX],
        };
        for &index in dropped.iter().rev() {
            let index = if index == usize::MAX { given.len().checked_sub(1)? } else { index };
            if index < given.len() {
                given.remove(index);
            }
        }
        let ty = self.signature_type(function.signature, function.float);
        let symbol = self.unit.names.intern(plain);
        let function = self.undeclared_function(symbol, name_span, ty, true);
        let callee = self.function_expr(function, name_span);
        let (n_params, variadic) = {
            let of = self.unit.types.function(self.ty(callee))?;
            (of.params.len(), of.variadic)
        };
        if given.len() < n_params || (given.len() > n_params && !variadic) {
            let message = format!("wrong number of arguments of `{name}`");
            self.error(codes::BAD_BUILTIN_CALL, span, message);
            return Some(self.error_expr(span));
        }
        let values: Vec<ExprId> = given.into_iter().map(|arg| self.rvalue(arg)).collect();
        Some(self.call_with_values(callee, Some(function), values, span))
    }

    /// `__builtin_tgmath(functions..., arguments...)`: calls the function for the common type of the arguments whose
    /// parameters differ between the functions.
    pub(super) fn tgmath(&mut self, call: &Call<'_>) -> ExprId {
        let Some(&first) = call.args.first() else {
            self.count(call, 1, usize::MAX);
            return self.error_expr(call.span);
        };
        let first = self.expr(first);
        let n_values = self.callable_params(first).map_or(usize::MAX, |params| params.len());
        let Some(n_functions) = call.args.len().checked_sub(n_values).filter(|&n| n > 0) else {
            return self.bad_argument(call, first, "functions and then their arguments");
        };
        let mut functions = vec![first];
        for &function in &call.args[1..n_functions] {
            functions.push(self.expr(function));
        }
        let values: Vec<ExprId> =
            call.args[n_functions..].iter().map(|&arg| self.rvalue(arg)).collect();
        let params: Vec<Vec<QualType>> =
            functions.iter().filter_map(|&function| self.callable_params(function)).collect();
        if params.len() != functions.len() || params.iter().any(|list| list.len() != n_values) {
            return self.bad_argument(call, first, "functions with the same number of parameters");
        }
        let generic: Vec<usize> = (0..n_values)
            .filter(|&index| params.iter().any(|list| list[index] != params[0][index]))
            .collect();
        let mut common: Option<FloatKind> = None;
        let mut complex = false;
        for &index in &generic {
            let kind = match *self.kind(self.ty(values[index])) {
                TypeKind::Error => return self.error_expr(call.span),
                TypeKind::Float(kind) => kind,
                TypeKind::Complex(kind) => {
                    complex = true;
                    kind
                }
                _ if self.unit.types.is_integer(self.ty(values[index])) => FloatKind::Double,
                _ => return self.bad_argument(call, values[index], "a number"),
            };
            common = Some(
                common.map_or(kind, |other| if kind.rank() > other.rank() { kind } else { other }),
            );
        }
        let (Some(common), Some(&at)) = (common, generic.first()) else {
            return self.bad_argument(call, first, "functions of different types");
        };
        let fits = |this: &Self, list: &[QualType], complex: bool| match *this.kind(list[at]) {
            TypeKind::Float(kind) => !complex && kind == common,
            TypeKind::Complex(kind) => complex && kind == common,
            _ => false,
        };
        // A real argument may go to a function of complex numbers, but not the other way round.
        let chosen = params
            .iter()
            .position(|list| fits(self, list, complex))
            .or_else(|| params.iter().position(|list| fits(self, list, true)));
        let Some(chosen) = chosen else {
            return self.bad_argument(call, values[at], "a type that one of the functions takes");
        };
        let callee = functions[chosen];
        let function = match self.unit.exprs[callee].kind {
            ExprKind::Function(function) => Some(function),
            _ => None,
        };
        let callee = if function.is_some() { callee } else { self.decay(callee) };
        self.call_with_values(callee, function, values, call.span)
    }

    /// The parameters of a function or of what a pointer points to.
    pub(super) fn callable_params(&self, callee: ExprId) -> Option<Vec<QualType>> {
        let ty = self.ty(callee);
        let ty = self.unit.types.pointee(ty).unwrap_or(ty);
        self.unit.types.function(ty).map(|of| of.params.clone())
    }

    // Arguments.

    pub(super) fn count(&mut self, call: &Call<'_>, least: usize, most: usize) -> bool {
        if (least..=most).contains(&call.args.len()) {
            return true;
        }
        let takes = if least == most { format!("{least}") } else { format!("at least {least}") };
        let message =
            format!("`{}` takes {takes} arguments, but {} were given", call.name, call.args.len());
        self.error(codes::BAD_BUILTIN_CALL, call.span, message);
        for &arg in call.args {
            self.rvalue(arg);
        }
        false
    }

    pub(super) fn bad_argument(&mut self, call: &Call<'_>, value: ExprId, wanted: &str) -> ExprId {
        let ty = self.ty(value);
        if !self.is_error(ty) {
            let (at, shown) = (self.span(value), self.show(ty));
            let message = format!("`{}` needs {wanted} here, not {shown}", call.name);
            self.error(codes::BAD_BUILTIN_CALL, at, message);
        }
        self.error_expr(call.span)
    }

    /// An argument converted as if to a parameter.
    pub(super) fn arg_as(&mut self, call: &Call<'_>, index: usize, ty: QualType) -> ExprId {
        let value = self.rvalue(call.args[index]);
        self.assign_convert(value, ty, Target::Argument(index, None))
    }

    pub(super) fn builtin_expr(
        &mut self,
        call: &Call<'_>,
        ty: QualType,
        builtin: Builtin,
        args: impl IntoIterator<Item = ExprId>,
    ) -> ExprId {
        let args: Vec<ExprId> = args.into_iter().collect();
        if args.iter().any(|&arg| self.is_error(self.ty(arg))) {
            return self.error_expr(call.span);
        }
        let list = self.unit.expr_lists.push(args);
        self.push(call.span, ty, ExprKind::Builtin(builtin, list))
    }

    // The families.

    pub(super) fn gnu_builtin(&mut self, name: &str, call: &Call<'_>) -> Option<ExprId> {
        let span = call.span;
        let b = self.basics;
        Some(match name {
            "va_start" | "stdarg_start" | "c23_va_start" => self.va_start(call),
            "va_end" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                match self.va_list_operand(call.args[0]) {
                    Some(list) => self.builtin_expr(call, b.void, Builtin::VaEnd, [list]),
                    None => self.error_expr(span),
                }
            }
            "va_copy" => {
                if !self.count(call, 2, 2) {
                    return Some(self.error_expr(span));
                }
                let to = self.va_list_operand(call.args[0]);
                let from = self.va_list_operand(call.args[1]);
                match (to, from) {
                    (Some(to), Some(from)) => {
                        let from = self.decay(from);
                        self.builtin_expr(call, b.void, Builtin::VaCopy, [to, from])
                    }
                    _ => self.error_expr(span),
                }
            }
            "add_overflow" => self.overflow(call, Builtin::AddOverflow, None),
            "sub_overflow" => self.overflow(call, Builtin::SubOverflow, None),
            "mul_overflow" => self.overflow(call, Builtin::MulOverflow, None),
            "add_overflow_p" => self.overflow_p(call, Builtin::AddOverflowP),
            "sub_overflow_p" => self.overflow_p(call, Builtin::SubOverflowP),
            "mul_overflow_p" => self.overflow_p(call, Builtin::MulOverflowP),
            _ if name.ends_with("_overflow") => {
                let stem = name.strip_suffix("_overflow")?;
                let (signed, rest) = match stem.split_at_checked(1)? {
                    ("s", rest) => (true, rest),
                    ("u", rest) => (false, rest),
                    _ => return None,
                };
                let (builtin, size) = match rest.split_at_checked(3)? {
                    ("add", size) => (Builtin::AddOverflow, size),
                    ("sub", size) => (Builtin::SubOverflow, size),
                    ("mul", size) => (Builtin::MulOverflow, size),
                    _ => return None,
                };
                let ty = match (size, signed) {
                    ("", true) => b.int,
                    ("", false) => b.uint,
                    ("l", true) => b.long,
                    ("l", false) => b.ulong,
                    ("ll", true) => b.llong,
                    ("ll", false) => b.ullong,
                    _ => return None,
                };
                self.overflow(call, builtin, Some(ty))
            }
            "expect" | "expect_with_probability" => {
                let most = if name == "expect" { 2 } else { 3 };
                if !self.count(call, most, most) {
                    return Some(self.error_expr(span));
                }
                let value = self.arg_as(call, 0, b.long);
                let expected = self.arg_as(call, 1, b.long);
                if most == 3 {
                    self.rvalue(call.args[2]);
                }
                self.builtin_expr(call, b.long, Builtin::Expect, [value, expected])
            }
            "assume_aligned" => {
                if !self.count(call, 2, 3) {
                    return Some(self.error_expr(span));
                }
                let constant = self.pointer_to(b.void.with(Quals::CONST));
                let mut args = vec![self.arg_as(call, 0, constant), self.arg_as(call, 1, b.size)];
                if call.args.len() == 3 {
                    args.push(self.arg_as(call, 2, b.size));
                }
                args[0] = self.convert(args[0], b.void_ptr);
                self.builtin_expr(call, b.void_ptr, Builtin::AssumeAligned, args)
            }
            "constant_p" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                self.unevaluated += 1;
                let value = self.rvalue(call.args[0]);
                self.unevaluated -= 1;
                if self.is_error(self.ty(value)) {
                    return Some(self.error_expr(span));
                }
                let constant = self.is_constant(value);
                self.int_expr(span, b.int, u64::from(constant))
            }
            "clz" | "clzl" | "clzll" | "ctz" | "ctzl" | "ctzll" | "popcount" | "popcountl"
            | "popcountll" | "parity" | "parityl" | "parityll" | "ffs" | "ffsl" | "ffsll"
            | "clrsb" | "clrsbl" | "clrsbll" => {
                let stem = name.trim_end_matches('l');
                let size = name.len() - stem.len();
                let builtin = match stem {
                    "clz" => Builtin::Clz,
                    "ctz" => Builtin::Ctz,
                    "popcount" => Builtin::Popcount,
                    "parity" => Builtin::Parity,
                    "ffs" => Builtin::Ffs,
                    _ => Builtin::Clrsb,
                };
                let signed = matches!(builtin, Builtin::Ffs | Builtin::Clrsb);
                let ty = match (size, signed) {
                    (0, true) => b.int,
                    (0, false) => b.uint,
                    (1, true) => b.long,
                    (1, false) => b.ulong,
                    (_, true) => b.llong,
                    (_, false) => b.ullong,
                };
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                let value = self.arg_as(call, 0, ty);
                self.builtin_expr(call, b.int, builtin, [value])
            }
            "bswap16" | "bswap32" | "bswap64" | "bswap128" => {
                let ty = match name {
                    "bswap16" => self.intern(TypeKind::Int(IntKind::UShort)),
                    "bswap32" => b.uint,
                    "bswap64" if self.unit.target.word == 8 => b.ulong,
                    "bswap64" => b.ullong,
                    _ => self.intern(TypeKind::Int(IntKind::UInt128)),
                };
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                let value = self.arg_as(call, 0, ty);
                self.builtin_expr(call, ty, Builtin::Bswap, [value])
            }
            "unreachable" => self.nullary(call, b.void, Builtin::Unreachable),
            "trap" => self.nullary(call, b.void, Builtin::Trap),
            "alloca" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                let size = self.arg_as(call, 0, b.size);
                self.builtin_expr(call, b.void_ptr, Builtin::Alloca, [size])
            }
            "alloca_with_align" | "alloca_with_align_and_max" => {
                if !self.count(call, 2, 3) {
                    return Some(self.error_expr(span));
                }
                let size = self.arg_as(call, 0, b.size);
                let align = self.arg_as(call, 1, b.size);
                self.builtin_expr(call, b.void_ptr, Builtin::AllocaAligned, [size, align])
            }
            "clzg" | "ctzg" if call.args.len() == 1 => return self.generic_count(name, call),
            "assume" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                let condition = self.rvalue(call.args[0]);
                if !self.unit.types.is_scalar(self.ty(condition)) {
                    return Some(self.bad_argument(call, condition, "a condition"));
                }
                let nothing = self.int_expr(span, b.int, 0);
                let nothing = self.convert_to_void(nothing);
                let never = self.builtin_expr(call, b.void, Builtin::Unreachable, []);
                self.push(span, b.void, ExprKind::Cond(condition, nothing, never))
            }
            "nontemporal_load" | "nontemporal_store" => {
                let is_load = name == "nontemporal_load";
                let n_args = if is_load { 1 } else { 2 };
                if !self.count(call, n_args, n_args) {
                    return Some(self.error_expr(span));
                }
                let pointer = self.rvalue(call.args[n_args - 1]);
                let Some(to) = self.unit.types.pointee(self.ty(pointer)) else {
                    return Some(self.bad_argument(call, pointer, "a pointer"));
                };
                let place = self.push(span, to, ExprKind::Deref(pointer));
                if is_load {
                    return Some(self.decay(place));
                }
                let value = self.arg_as(call, 0, to.unqualified());
                let stored = self.push(span, to.unqualified(), ExprKind::Assign(place, value));
                self.convert_to_void(stored)
            }
            "isnan" | "isnanf" | "isnanl" => self.classify(call, Builtin::IsNan),
            "isinf" | "isinff" | "isinfl" => self.classify(call, Builtin::IsInf),
            "isinf_sign" => self.classify(call, Builtin::IsInfSign),
            "isfinite" | "finite" | "finitef" | "finitel" => self.classify(call, Builtin::IsFinite),
            "isnormal" => self.classify(call, Builtin::IsNormal),
            "signbit" | "signbitf" | "signbitl" => self.classify(call, Builtin::SignBit),
            "fpclassify" => self.fpclassify(call),
            "isgreater" => self.quiet_comparison(call, Builtin::IsGreater),
            "isgreaterequal" => self.quiet_comparison(call, Builtin::IsGreaterEqual),
            "isless" => self.quiet_comparison(call, Builtin::IsLess),
            "islessequal" => self.quiet_comparison(call, Builtin::IsLessEqual),
            "islessgreater" => self.quiet_comparison(call, Builtin::IsLessGreater),
            "isunordered" => self.quiet_comparison(call, Builtin::IsUnordered),
            "inf" | "inff" | "infl" | "huge_val" | "huge_valf" | "huge_vall" | "inff16"
            | "inff32" | "inff64" | "inff128" | "infq" | "huge_valq" | "huge_valf16"
            | "huge_valf32" | "huge_valf64" | "huge_valf128" | "inff32x" | "inff64x"
            | "huge_valf32x" | "huge_valf64x" => {
                let stem = name.strip_prefix("inf").or_else(|| name.strip_prefix("huge_val"))?;
                let kind = float_suffix(stem)?;
                self.float_constant(call, kind, Float::infinity(kind.format(), false))
            }
            "nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl" | "nanf16" | "nanf32"
            | "nanf64" | "nanf128" | "nanq" | "nansf128" | "nanf32x" | "nanf64x" => {
                let signalling = name.starts_with("nans");
                let stem = name.strip_prefix(if signalling { "nans" } else { "nan" })?;
                let kind = float_suffix(stem)?;
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                let text = self.rvalue(call.args[0]);
                let Some(payload) = self.payload(text, kind.format().width()) else {
                    if let Some(function) = &mut self.function {
                        // Reaching it is unsupported; the rest of the program is not concerned.
                        let symbol = self.unit.names.intern(call.name);
                        function.unknown_builtin.get_or_insert((symbol, span));
                    } else {
                        let message = "the payload of a NaN is not constant";
                        self.error(codes::UNSUPPORTED, span, message);
                    }
                    return Some(self.error_expr(span));
                };
                let value = Floating::nan(kind.format(), &payload, signalling);
                self.float_value(span, kind, value)
            }
            "frame_address" | "return_address" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                let level = self.arg_as(call, 0, b.uint);
                let builtin = if name == "frame_address" {
                    Builtin::FrameAddress
                } else {
                    Builtin::ReturnAddress
                };
                self.builtin_expr(call, b.void_ptr, builtin, [level])
            }
            "extract_return_addr" | "frob_return_addr" | "extract_return_address" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                self.arg_as(call, 0, b.void_ptr)
            }
            "prefetch" => {
                if !self.count(call, 1, 3) {
                    return Some(self.error_expr(span));
                }
                let constant = self.pointer_to(b.void.with(Quals::CONST));
                let pointer = self.arg_as(call, 0, constant);
                for &hint in &call.args[1..] {
                    self.rvalue(hint);
                }
                self.builtin_expr(call, b.void, Builtin::Prefetch, [pointer])
            }
            "object_size" | "dynamic_object_size" => self.object_size(call),
            "classify_type" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                self.unevaluated += 1;
                let value = self.rvalue(call.args[0]);
                self.unevaluated -= 1;
                let class = match self.kind(self.ty(value)) {
                    TypeKind::Void => 0,
                    TypeKind::Pointer(_) | TypeKind::Nullptr => 5,
                    TypeKind::Float(_) => 8,
                    TypeKind::Complex(_) | TypeKind::ComplexInt(_) => 9,
                    TypeKind::Function(_) => 10,
                    TypeKind::Record(record) => match self.unit.types.records[*record].kind {
                        crate::types::RecordKind::Struct => 12,
                        crate::types::RecordKind::Union => 13,
                    },
                    TypeKind::Array(..) => 14,
                    _ => 1,
                };
                self.int_expr(span, b.int, class)
            }
            "setjmp" => {
                if !self.count(call, 1, 1) {
                    return Some(self.error_expr(span));
                }
                let buffer = self.arg_as(call, 0, b.void_ptr);
                self.builtin_expr(call, b.int, Builtin::Setjmp, [buffer])
            }
            "longjmp" => {
                if !self.count(call, 2, 2) {
                    return Some(self.error_expr(span));
                }
                let buffer = self.arg_as(call, 0, b.void_ptr);
                let value = self.arg_as(call, 1, b.int);
                self.builtin_expr(call, b.void, Builtin::Longjmp, [buffer, value])
            }
            "tgmath" => self.tgmath(call),
            "shuffle" => self.shuffle(call),
            "shufflevector" => self.shuffle_vector(call),
            "complex" => {
                if !self.count(call, 2, 2) {
                    return Some(self.error_expr(span));
                }
                let re = self.rvalue(call.args[0]);
                let im = self.rvalue(call.args[1]);
                match (self.kind(self.ty(re)), self.kind(self.ty(im))) {
                    (TypeKind::Float(x), TypeKind::Float(y)) if x == y => {
                        let kind = *x;
                        let ty = self.intern(TypeKind::Complex(kind));
                        self.builtin_expr(call, ty, Builtin::Complex, [re, im])
                    }
                    (TypeKind::Float(_), _) => {
                        self.bad_argument(call, im, "the same floating type")
                    }
                    _ => self.bad_argument(call, re, "a floating type"),
                }
            }
            "LINE" => {
                let line = self.sources.presumed(span.lo).line;
                self.int_expr(span, b.int, u64::from(line))
            }
            _ => return None,
        })
    }

    pub(super) fn nullary(&mut self, call: &Call<'_>, ty: QualType, builtin: Builtin) -> ExprId {
        if !self.count(call, 0, 0) {
            return self.error_expr(call.span);
        }
        self.builtin_expr(call, ty, builtin, [])
    }

    pub(super) fn va_start(&mut self, call: &Call<'_>) -> ExprId {
        if !self.count(call, 1, 2) {
            return self.error_expr(call.span);
        }
        let list = self.va_list_operand(call.args[0]);
        if let Some(&last) = call.args.get(1) {
            // Only named, not read.
            self.unevaluated_expr(last);
        }
        let variadic = self.function.as_ref().is_some_and(|function| {
            let ty = self.unit.functions[function.id].ty;
            self.unit.types.function(ty).is_some_and(|of| of.variadic)
        });
        if !variadic {
            self.error(codes::BAD_VARIADIC, call.span, "`va_start` in a function without `...`");
            return self.error_expr(call.span);
        }
        match list {
            Some(list) => self.builtin_expr(call, self.basics.void, Builtin::VaStart, [list]),
            None => self.error_expr(call.span),
        }
    }

    /// `__builtin_add_overflow(a, b, &r)` and the variants with fixed types.
    pub(super) fn overflow(
        &mut self,
        call: &Call<'_>,
        builtin: Builtin,
        ty: Option<QualType>,
    ) -> ExprId {
        if !self.count(call, 3, 3) {
            return self.error_expr(call.span);
        }
        let mut operands = Vec::with_capacity(3);
        for index in 0..2 {
            let value = match ty {
                Some(ty) => self.arg_as(call, index, ty),
                None => self.rvalue(call.args[index]),
            };
            if !self.unit.types.is_integer(self.ty(value)) {
                return self.bad_argument(call, value, "an integer");
            }
            operands.push(value);
        }
        let pointer = match ty {
            Some(ty) => {
                let to = self.pointer_to(ty);
                self.arg_as(call, 2, to)
            }
            None => self.rvalue(call.args[2]),
        };
        let to = self.unit.types.pointee(self.ty(pointer));
        let fits = to.is_some_and(|to| {
            self.unit.types.is_integer(to)
                && !matches!(self.kind(to), TypeKind::Bool | TypeKind::Enum(_))
        });
        if !fits {
            return self.bad_argument(call, pointer, "a pointer to an integer");
        }
        operands.push(pointer);
        self.builtin_expr(call, self.basics.bool_, builtin, operands)
    }

    pub(super) fn overflow_p(&mut self, call: &Call<'_>, builtin: Builtin) -> ExprId {
        if !self.count(call, 3, 3) {
            return self.error_expr(call.span);
        }
        let mut operands = Vec::with_capacity(3);
        for index in 0..3 {
            let value = self.rvalue(call.args[index]);
            if !self.unit.types.is_integer(self.ty(value)) {
                return self.bad_argument(call, value, "an integer");
            }
            operands.push(value);
        }
        self.builtin_expr(call, self.basics.bool_, builtin, operands)
    }

    pub(super) fn float_argument(&mut self, call: &Call<'_>, index: usize) -> Option<ExprId> {
        let value = self.rvalue(call.args[index]);
        if self.unit.types.is_float(self.ty(value)) {
            return Some(value);
        }
        if self.unit.types.is_integer(self.ty(value)) {
            return Some(self.convert(value, self.basics.double));
        }
        self.bad_argument(call, value, "a floating number");
        None
    }

    pub(super) fn classify(&mut self, call: &Call<'_>, builtin: Builtin) -> ExprId {
        if !self.count(call, 1, 1) {
            return self.error_expr(call.span);
        }
        match self.float_argument(call, 0) {
            Some(value) => self.builtin_expr(call, self.basics.int, builtin, [value]),
            None => self.error_expr(call.span),
        }
    }

    pub(super) fn fpclassify(&mut self, call: &Call<'_>) -> ExprId {
        if !self.count(call, 6, 6) {
            return self.error_expr(call.span);
        }
        let int = self.basics.int;
        let mut args: Vec<ExprId> = (0..5).map(|index| self.arg_as(call, index, int)).collect();
        match self.float_argument(call, 5) {
            Some(value) => {
                args.push(value);
                self.builtin_expr(call, int, Builtin::FpClassify, args)
            }
            None => self.error_expr(call.span),
        }
    }

    /// `__builtin_clzg(x)` and `__builtin_ctzg(x)` of any unsigned type.
    fn generic_count(&mut self, name: &str, call: &Call<'_>) -> Option<ExprId> {
        let value = self.rvalue(call.args[0]);
        let shape = self.unit.types.int_shape(self.ty(value), &self.unit.target);
        let Some(shape) = shape.filter(|shape| !shape.signed && shape.width <= 64) else {
            return Some(self.bad_argument(call, value, "an unsigned integer of at most 64 bits"));
        };
        let b = self.basics;
        let (ty, width) = if shape.width <= 32 { (b.uint, 32) } else { (b.ullong, 64) };
        let value = self.convert(value, ty);
        if name == "ctzg" {
            return Some(self.builtin_expr(call, b.int, Builtin::Ctz, [value]));
        }
        let zeros = self.builtin_expr(call, b.int, Builtin::Clz, [value]);
        let beyond = self.int_expr(call.span, b.int, u64::from(width - shape.width));
        Some(self.push(call.span, b.int, ExprKind::Binary(BinaryOp::Sub, zeros, beyond)))
    }

    pub(super) fn quiet_comparison(&mut self, call: &Call<'_>, builtin: Builtin) -> ExprId {
        if !self.count(call, 2, 2) {
            return self.error_expr(call.span);
        }
        let (a, b) = (self.rvalue(call.args[0]), self.rvalue(call.args[1]));
        for value in [a, b] {
            if !self.unit.types.is_real(self.ty(value)) {
                return self.bad_argument(call, value, "a floating number");
            }
        }
        if !self.unit.types.is_float(self.ty(a)) && !self.unit.types.is_float(self.ty(b)) {
            return self.bad_argument(call, a, "a floating number");
        }
        let (a, b, _) = self.usual_conversions(a, b);
        self.builtin_expr(call, self.basics.int, builtin, [a, b])
    }

    pub(super) fn float_constant(
        &mut self,
        call: &Call<'_>,
        kind: FloatKind,
        value: Float,
    ) -> ExprId {
        if !self.count(call, 0, 0) {
            return self.error_expr(call.span);
        }
        self.float_value(call.span, kind, value)
    }

    pub(super) fn float_value(
        &mut self,
        span: Span,
        kind: FloatKind,
        value: impl Into<Floating>,
    ) -> ExprId {
        let ty = self.intern(TypeKind::Float(kind));
        let id = self.unit.floats.push(value.into());
        self.push(span, ty, ExprKind::Float(id))
    }

    /// The number that a string literal says in C's notation; zero if it is empty.
    fn payload(&self, expr: ExprId, width: u32) -> Option<BitVec> {
        let mut expr = expr;
        while let ExprKind::Cast(_, inner) = self.unit.exprs[expr].kind {
            expr = inner;
        }
        let ExprKind::String(string) = self.unit.exprs[expr].kind else { return None };
        let crate::hir::StringUnits::Bytes(bytes) = &self.unit.strings[string].units else {
            return None;
        };
        let text = std::str::from_utf8(bytes.strip_suffix(b"\0").unwrap_or(bytes)).ok()?;
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let (digits, base) = match hex {
            Some(digits) => (digits, 16),
            None if text.starts_with('0') => (text, 8),
            None => (text, 10),
        };
        match digits {
            "" => Some(BitVec::zero(width)),
            _ => Some(BitVec::from_natural(width, &Natural::parse(digits, base)?)),
        }
    }

    /// The bytes from a pointer to the end of its object where that is plain to see, else "unknown".
    pub(super) fn object_size(&mut self, call: &Call<'_>) -> ExprId {
        if !self.count(call, 2, 2) {
            return self.error_expr(call.span);
        }
        self.unevaluated += 1;
        let pointer = self.rvalue(call.args[0]);
        self.unevaluated -= 1;
        let mode = self.rvalue(call.args[1]);
        let Some(mode) = self.constant_int(mode, "the second argument of `__builtin_object_size`")
        else {
            return self.error_expr(call.span);
        };
        let unknown = match mode.to_u64() {
            Some(0 | 1) => super::convert::mask(u64::MAX, self.unit.target.word as u32 * 8),
            _ => 0,
        };
        let whole = mode.to_u64().is_some_and(|mode| mode & 1 == 0);
        let size = self.bytes_behind(pointer, whole).unwrap_or(unknown);
        self.int_expr(call.span, self.basics.size, size)
    }

    pub(super) fn bytes_behind(&self, pointer: ExprId, whole: bool) -> Option<u64> {
        match self.unit.exprs[pointer].kind {
            ExprKind::Cast(CastKind::Ptr | CastKind::NoOp, inner) => {
                self.bytes_behind(inner, whole)
            }
            ExprKind::Cast(CastKind::ArrayDecay, place) | ExprKind::AddrOf(place) => {
                match self.unit.exprs[place].kind {
                    ExprKind::Var(_) | ExprKind::String(_) => self.size_of(self.ty(place)),
                    ExprKind::Member(..) if !whole => self.size_of(self.ty(place)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    // Vectors.

    pub(super) fn vector_argument(&mut self, call: &Call<'_>, index: usize) -> Option<ExprId> {
        let value = self.rvalue(call.args[index]);
        if matches!(self.kind(self.ty(value)), TypeKind::Vector(..)) {
            Some(value)
        } else {
            self.bad_argument(call, value, "a vector");
            None
        }
    }

    pub(super) fn shuffle(&mut self, call: &Call<'_>) -> ExprId {
        if !self.count(call, 2, 3) {
            return self.error_expr(call.span);
        }
        let mut args = Vec::new();
        for index in 0..call.args.len() {
            match self.vector_argument(call, index) {
                Some(value) => args.push(value),
                None => return self.error_expr(call.span),
            }
        }
        let ty = self.ty(args[0]);
        self.builtin_expr(call, ty, Builtin::Shuffle, args)
    }

    pub(super) fn shuffle_vector(&mut self, call: &Call<'_>) -> ExprId {
        if !self.count(call, 3, usize::MAX) {
            return self.error_expr(call.span);
        }
        let (Some(a), Some(b)) = (self.vector_argument(call, 0), self.vector_argument(call, 1))
        else {
            return self.error_expr(call.span);
        };
        let TypeKind::Vector(element, _) = *self.kind(self.ty(a)) else {
            return self.error_expr(call.span);
        };
        let mut args = vec![a, b];
        for index in 2..call.args.len() {
            let lane = self.arg_as(call, index, self.basics.int);
            if self.constant_int(lane, "the index of a lane").is_none() {
                return self.error_expr(call.span);
            }
            args.push(lane);
        }
        let lanes = (call.args.len() - 2) as u32;
        if !lanes.is_power_of_two() {
            self.error(
                codes::BAD_BUILTIN_CALL,
                call.span,
                "the number of lanes is not a power of two",
            );
            return self.error_expr(call.span);
        }
        let ty = self.intern(TypeKind::Vector(element, lanes));
        self.builtin_expr(call, ty, Builtin::ShuffleVector, args)
    }
}

fn float_suffix(suffix: &str) -> Option<FloatKind> {
    Some(match suffix {
        "" => FloatKind::Double,
        "f" => FloatKind::Float,
        "l" => FloatKind::LongDouble,
        "f16" => FloatKind::Float16,
        "f32" => FloatKind::Float32,
        "f64" => FloatKind::Float64,
        "f128" | "q" => FloatKind::Float128,
        "f32x" => FloatKind::Float32x,
        "f64x" => FloatKind::Float64x,
        _ => return None,
    })
}
