//! GNU builtins that are not ordinary functions.
//!
//! A builtin that has a library function of the same meaning (`__builtin_memcpy`, `__builtin_abs`, `__builtin_fabs`)
//! becomes a call of that function, declared when needed; one whose value is known becomes a constant
//! (`__builtin_constant_p`, `__builtin_offsetof`, `__builtin_inf`, `__builtin_nan`, `__builtin_object_size`, ...). What
//! remains is listed here, one row each.

/// A builtin operation of the typed tree; operand types tell the width.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Builtin {
    /// `va_start(list, last)`: one operand, the list (an lvalue).
    VaStart,
    /// `va_end(list)`
    VaEnd,
    /// `va_copy(to, from)`
    VaCopy,
    /// `__builtin_add_overflow(a, b, result)`: stores through the pointer, yields `_Bool`. Operands keep their types.
    AddOverflow,
    /// `__builtin_sub_overflow(a, b, result)`
    SubOverflow,
    /// `__builtin_mul_overflow(a, b, result)`
    MulOverflow,
    /// `__builtin_add_overflow_p(a, b, like)`: nothing is stored.
    AddOverflowP,
    /// `__builtin_sub_overflow_p(a, b, like)`
    SubOverflowP,
    /// `__builtin_mul_overflow_p(a, b, like)`
    MulOverflowP,
    /// `__builtin_expect(value, expected)` and its like: the value; all operands are evaluated.
    Expect,
    /// `__builtin_assume_aligned(pointer, ...)`: the pointer.
    AssumeAligned,
    /// Leading zeros; undefined for zero.
    Clz,
    /// Trailing zeros; undefined for zero.
    Ctz,
    /// Number of ones.
    Popcount,
    /// Parity of the number of ones.
    Parity,
    /// One plus the number of trailing zeros, zero for zero.
    Ffs,
    /// Redundant sign bits.
    Clrsb,
    /// Bytes reversed.
    Bswap,
    /// `__builtin_unreachable()`
    Unreachable,
    /// `__builtin_trap()`
    Trap,
    /// `alloca(size)`: memory that lives until the function returns.
    Alloca,
    /// `alloca` with an alignment in bits as second operand.
    AllocaAligned,
    /// `isnan`, quiet.
    IsNan,
    /// `isinf`: 1, -1 or 0 for `isinf_sign`, else nonzero or zero.
    IsInf,
    /// `__builtin_isinf_sign`
    IsInfSign,
    /// `isfinite`
    IsFinite,
    /// `isnormal`
    IsNormal,
    /// `signbit`
    SignBit,
    /// `fpclassify(nan, infinite, normal, subnormal, zero, x)`
    FpClassify,
    /// `isgreater`, quiet.
    IsGreater,
    /// `isgreaterequal`
    IsGreaterEqual,
    /// `isless`
    IsLess,
    /// `islessequal`
    IsLessEqual,
    /// `islessgreater`
    IsLessGreater,
    /// `isunordered`
    IsUnordered,
    /// `__builtin_frame_address(level)`
    FrameAddress,
    /// `__builtin_return_address(level)`
    ReturnAddress,
    /// `__builtin_prefetch(...)`: evaluates its operands.
    Prefetch,
    /// `__sync_fetch_and_OP` / `__atomic_fetch_OP`: `(pointer, value)`, yields the old value.
    FetchOp(AtomicOp),
    /// `__sync_OP_and_fetch` / `__atomic_OP_fetch`: yields the new value.
    OpFetch(AtomicOp),
    /// `__sync_bool_compare_and_swap(pointer, expected, desired)`
    SyncBoolCas,
    /// `__sync_val_compare_and_swap(pointer, expected, desired)`
    SyncValCas,
    /// `__sync_lock_test_and_set(pointer, value)` and `__atomic_exchange_n`
    Exchange,
    /// `__sync_lock_release(pointer)`: stores zero.
    LockRelease,
    /// `__sync_synchronize()` and the atomic fences.
    Fence,
    /// `__atomic_load_n(pointer)`
    AtomicLoad,
    /// `__atomic_load(pointer, result)`
    AtomicLoadInto,
    /// `__atomic_store_n(pointer, value)`
    AtomicStore,
    /// `__atomic_store(pointer, value pointer)`
    AtomicStoreFrom,
    /// `__atomic_exchange(pointer, value pointer, result pointer)`
    AtomicExchangeInto,
    /// `__atomic_compare_exchange_n(pointer, expected pointer, desired)`
    AtomicCas,
    /// `__atomic_compare_exchange(pointer, expected pointer, desired pointer)`
    AtomicCasFrom,
    /// `__atomic_test_and_set(pointer)`
    AtomicTestAndSet,
    /// `__atomic_clear(pointer)`
    AtomicClear,
    /// `__builtin_setjmp(buffer)` and `setjmp`
    Setjmp,
    /// `__builtin_longjmp(buffer, value)` and `longjmp`
    Longjmp,
    /// `__builtin_shuffle(v, mask)` or `(v, w, mask)`
    Shuffle,
    /// `__builtin_shufflevector(v, w, indices...)`
    ShuffleVector,
    /// `__builtin_complex(re, im)`
    Complex,
}

/// The operation of an atomic read-modify-write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "each is the operation of its name")]
pub enum AtomicOp {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}
