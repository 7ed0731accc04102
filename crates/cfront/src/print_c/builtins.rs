//! Builtin operations under their GNU names.

use super::Printer;
use crate::builtins::{AtomicOp, Builtin};
use crate::hir::ExprId;
use crate::pool::List;
use crate::types::{IntKind, QualType, TypeKind};
use vergo_source::Precedence;

/// The conversion of a builtin's operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// The operand's own type matters.
    Exact,
    /// As if by assignment to the type that the operand has.
    Assigned,
}

fn operation(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Add => "add",
        AtomicOp::Sub => "sub",
        AtomicOp::And => "and",
        AtomicOp::Or => "or",
        AtomicOp::Xor => "xor",
        AtomicOp::Nand => "nand",
    }
}

impl Printer<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin, args: List<ExprId>, ty: QualType) {
        use Operands::{Assigned, Exact};
        let unit = self.unit;
        let args = unit.expr_lists.get(args);
        // Sequential consistency, as the `__sync` operations have it.
        let ordered = ", 5";
        let (name, operands, rest) = match builtin {
            Builtin::VaStart => {
                let last = self.last_parameter();
                let rest = last.map_or_else(String::new, |last| format!(", {last}"));
                return self.builtin_call("__builtin_va_start", args, Exact, &rest);
            }
            Builtin::VaEnd => ("__builtin_va_end", Exact, ""),
            Builtin::VaCopy => ("__builtin_va_copy", Exact, ""),
            Builtin::AddOverflow => ("__builtin_add_overflow", Exact, ""),
            Builtin::SubOverflow => ("__builtin_sub_overflow", Exact, ""),
            Builtin::MulOverflow => ("__builtin_mul_overflow", Exact, ""),
            Builtin::AddOverflowP => ("__builtin_add_overflow_p", Exact, ""),
            Builtin::SubOverflowP => ("__builtin_sub_overflow_p", Exact, ""),
            Builtin::MulOverflowP => ("__builtin_mul_overflow_p", Exact, ""),
            Builtin::Expect if args.len() == 3 => {
                ("__builtin_expect_with_probability", Assigned, "")
            }
            Builtin::Expect => ("__builtin_expect", Assigned, ""),
            Builtin::AssumeAligned => {
                let mut operands = args.to_vec();
                if let Some(first) = operands.first_mut() {
                    *first = self.uncast_pointer(*first);
                }
                return self.builtin_call("__builtin_assume_aligned", &operands, Assigned, "");
            }
            Builtin::Clz => return self.counting("__builtin_clz", args),
            Builtin::Ctz => return self.counting("__builtin_ctz", args),
            Builtin::Popcount => return self.counting("__builtin_popcount", args),
            Builtin::Parity => return self.counting("__builtin_parity", args),
            Builtin::Ffs => return self.counting("__builtin_ffs", args),
            Builtin::Clrsb => return self.counting("__builtin_clrsb", args),
            Builtin::Bswap => {
                let width = unit.types.int_shape(ty, &unit.target).map_or(32, |shape| shape.width);
                return self.builtin_call(&format!("__builtin_bswap{width}"), args, Assigned, "");
            }
            Builtin::Unreachable => ("__builtin_unreachable", Exact, ""),
            Builtin::Trap => ("__builtin_trap", Exact, ""),
            Builtin::Alloca => ("__builtin_alloca", Assigned, ""),
            Builtin::AllocaAligned => ("__builtin_alloca_with_align", Assigned, ""),
            Builtin::IsNan => ("__builtin_isnan", Exact, ""),
            Builtin::IsInf => ("__builtin_isinf", Exact, ""),
            Builtin::IsInfSign => ("__builtin_isinf_sign", Exact, ""),
            Builtin::IsFinite => ("__builtin_isfinite", Exact, ""),
            Builtin::IsNormal => ("__builtin_isnormal", Exact, ""),
            Builtin::SignBit => ("__builtin_signbit", Exact, ""),
            Builtin::FpClassify => ("__builtin_fpclassify", Exact, ""),
            Builtin::IsGreater => ("__builtin_isgreater", Exact, ""),
            Builtin::IsGreaterEqual => ("__builtin_isgreaterequal", Exact, ""),
            Builtin::IsLess => ("__builtin_isless", Exact, ""),
            Builtin::IsLessEqual => ("__builtin_islessequal", Exact, ""),
            Builtin::IsLessGreater => ("__builtin_islessgreater", Exact, ""),
            Builtin::IsUnordered => ("__builtin_isunordered", Exact, ""),
            Builtin::FrameAddress => ("__builtin_frame_address", Assigned, ""),
            Builtin::ReturnAddress => ("__builtin_return_address", Assigned, ""),
            Builtin::Prefetch => ("__builtin_prefetch", Assigned, ""),
            Builtin::FetchOp(op) => {
                return self.builtin_call(
                    &format!("__atomic_fetch_{}", operation(op)),
                    args,
                    Assigned,
                    ordered,
                );
            }
            Builtin::OpFetch(op) => {
                return self.builtin_call(
                    &format!("__atomic_{}_fetch", operation(op)),
                    args,
                    Assigned,
                    ordered,
                );
            }
            Builtin::SyncBoolCas => ("__sync_bool_compare_and_swap", Assigned, ""),
            Builtin::SyncValCas => ("__sync_val_compare_and_swap", Assigned, ""),
            Builtin::Exchange => ("__atomic_exchange_n", Assigned, ordered),
            Builtin::LockRelease => ("__sync_lock_release", Exact, ""),
            Builtin::Fence => ("__sync_synchronize", Exact, ""),
            Builtin::AtomicLoad => ("__atomic_load_n", Exact, ordered),
            Builtin::AtomicLoadInto => ("__atomic_load", Exact, ordered),
            Builtin::AtomicStore => ("__atomic_store_n", Assigned, ordered),
            Builtin::AtomicStoreFrom => ("__atomic_store", Exact, ordered),
            Builtin::AtomicExchangeInto => ("__atomic_exchange", Exact, ordered),
            Builtin::AtomicCas => ("__atomic_compare_exchange_n", Assigned, ", 0, 5, 5"),
            Builtin::AtomicCasFrom => ("__atomic_compare_exchange", Exact, ", 0, 5, 5"),
            Builtin::AtomicTestAndSet => ("__atomic_test_and_set", Exact, ordered),
            Builtin::AtomicClear => ("__atomic_clear", Exact, ordered),
            Builtin::Setjmp if self.is_library_buffer(args) => ("_setjmp", Exact, ""),
            Builtin::Setjmp => ("__builtin_setjmp", Exact, ""),
            Builtin::Longjmp if self.is_library_buffer(args) => ("longjmp", Exact, ""),
            Builtin::Longjmp => ("__builtin_longjmp", Exact, ""),
            Builtin::Shuffle => ("__builtin_shuffle", Exact, ""),
            Builtin::ShuffleVector => ("__builtin_shufflevector", Exact, ""),
            // Of integers there are imaginary constants only.
            Builtin::Complex if matches!(unit.types.kind(ty), TypeKind::ComplexInt(_)) => {
                if let Some(&imaginary) = args.get(1) {
                    self.expr(imaginary, Precedence::Postfix);
                    self.text("i");
                }
                return;
            }
            Builtin::Complex => ("__builtin_complex", Exact, ""),
        };
        self.builtin_call(name, args, operands, rest);
    }

    fn builtin_call(&mut self, name: &str, args: &[ExprId], operands: Operands, rest: &str) {
        self.text(name);
        self.text("(");
        for (i, &arg) in args.iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            match operands {
                Operands::Exact => self.expr(arg, Precedence::Assign),
                Operands::Assigned => self.assigned(arg),
            }
        }
        self.text(rest);
        self.text(")");
    }

    /// The builtins that count bits say the operand's type in their name.
    fn counting(&mut self, name: &str, args: &[ExprId]) {
        let suffix = match args.first().and_then(|&arg| self.unit.types.int_kind(self.ty(arg))) {
            Some(IntKind::Long | IntKind::ULong) => "l",
            Some(IntKind::LongLong | IntKind::ULongLong) => "ll",
            _ => "",
        };
        self.builtin_call(&format!("{name}{suffix}"), args, Operands::Assigned, "");
    }

    /// The last named parameter, which `va_start` wants to hear.
    fn last_parameter(&self) -> Option<String> {
        let function = &self.unit.functions[self.current?];
        function.params.last().map(|&param| self.var_name(param))
    }

    /// Returns whether the buffer is the C library's `jmp_buf`, not the five words of the builtin.
    pub(super) fn is_library_buffer(&self, args: &[ExprId]) -> bool {
        let Some(&buffer) = args.first() else { return false };
        match self.shown_kind(self.ty(buffer)) {
            TypeKind::Pointer(to) => matches!(self.shown_kind(*to), TypeKind::Record(_)),
            _ => false,
        }
    }
}
