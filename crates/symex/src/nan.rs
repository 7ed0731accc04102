//! The bits of floats: which NaN it is.
//!
//! Terms know one NaN, memory many. What a float was read from, moved, negated or stripped of its sign says which NaN it
//! is: its bits are found again by looking at its term. An operation on numbers that has no result gives the NaN of the
//! machine (x86: negative, quiet, without payload). What an operation makes of a NaN among its operands is left open, as
//! compilers do: any quiet NaN. A NaN of unknown origin is any.

use crate::memory::Objects;
use crate::pointer::map_leaves;
use rustc_hash::FxHashMap;
use vergo_num::{BitVec, FloatFormat, FormatKind};
use vergo_term::{Op, Sort, TermId, TermStore};

/// Bits that stand for NaNs.
#[derive(Clone, Default)]
pub(crate) struct Nans {
    /// Of floats that may be one.
    bits: FxHashMap<(TermId, u32), TermId>,
    /// The formats of which the constant was made.
    constants: Vec<FloatFormat>,
}

impl Objects {
    /// The encoding of a float.
    pub(crate) fn float_bits(
        &mut self,
        store: &mut TermStore,
        format: FloatFormat,
        float: TermId,
    ) -> TermId {
        map_leaves(store, float, &mut |store, leaf| self.leaf_bits(store, format, leaf))
    }

    fn leaf_bits(&mut self, store: &mut TermStore, format: FloatFormat, leaf: TermId) -> TermId {
        let top = format.width() - 1;
        match store.op(leaf) {
            Op::FpFromBits => spelled(store, format, store.arg(leaf, 0)),
            Op::FpNeg => {
                let bits = self.float_bits(store, format, store.arg(leaf, 0));
                let sign = store.bv_const(BitVec::min_signed(top + 1));
                store.bv_xor(bits, sign)
            }
            Op::FpAbs => {
                let bits = self.float_bits(store, format, store.arg(leaf, 0));
                let rest = store.bv_extract(top - 1, 0, bits);
                store.bv_zero_extend(top + 1, rest)
            }
            _ => {
                let bits = store.fp_to_bits(format, leaf);
                let is_nan = store.fp_is_nan(leaf);
                if is_nan == store.false_term() {
                    return bits;
                }
                let nan = self.nan_bits(store, format, leaf);
                store.ite(is_nan, nan, bits)
            }
        }
    }

    /// Checks whether the sign of a float is set.
    pub(crate) fn float_sign(&mut self, store: &mut TermStore, float: TermId) -> TermId {
        map_leaves(store, float, &mut |store, leaf| {
            let Sort::Float(format) = store.sort(leaf) else { return store.false_term() };
            let top = format.width() - 1;
            match store.op(leaf) {
                Op::FpFromBits => store.bv_bit(top, store.arg(leaf, 0)),
                Op::FpNeg => {
                    let sign = self.float_sign(store, store.arg(leaf, 0));
                    store.not(sign)
                }
                Op::FpAbs => store.false_term(),
                _ => {
                    let is_negative = store.fp_is_negative(leaf);
                    let is_nan = store.fp_is_nan(leaf);
                    if is_nan == store.false_term() {
                        return is_negative;
                    }
                    let nan = self.nan_bits(store, format, leaf);
                    let of_nan = store.bv_bit(top, nan);
                    store.ite(is_nan, of_nan, is_negative)
                }
            }
        })
    }

    /// The encoding of a float that is a NaN.
    fn nan_bits(&mut self, store: &mut TermStore, format: FloatFormat, float: TermId) -> TermId {
        if let Some(&bits) = self.nans.bits.get(&(float, format.width())) {
            return bits;
        }
        let width = fraction_width(format);
        let bits = match store.op(float) {
            Op::FpAdd | Op::FpMul | Op::FpDiv | Op::FpFma | Op::FpSqrt | Op::FpRem | Op::FpFmod => {
                let any = self.quiet_nan(store, format);
                let mut is_made = store.true_term();
                for operand in store.args(float).to_vec() {
                    if matches!(store.sort(operand), Sort::Float(_)) {
                        let is_nan = store.fp_is_nan(operand);
                        let is_number = store.not(is_nan);
                        is_made = store.and(is_made, is_number);
                    }
                }
                let quiet = store.bv_const(BitVec::min_signed(width));
                let sign = store.bv_u64(1, 1);
                let made = encoded(store, format, sign, quiet);
                store.ite(is_made, made, any)
            }
            Op::FpConvert => {
                let source = store.arg(float, store.args(float).len() - 1);
                let Sort::Float(from) = store.sort(source) else {
                    return self.any_nan(store, format);
                };
                let bits = self.float_bits(store, from, source);
                let sign = store.bv_extract(from.width() - 1, from.width() - 1, bits);
                let old = fraction_width(from);
                let fraction = store.bv_extract(old - 1, 0, bits);
                let fraction = if old < width {
                    let zeros = store.bv_u64(width - old, 0);
                    store.bv_concat(fraction, zeros)
                } else {
                    store.bv_extract(old - 1, old - width, fraction)
                };
                let rest = store.bv_extract(width - 2, 0, fraction);
                let one = store.bv_u64(1, 1);
                let quiet = store.bv_concat(one, rest);
                encoded(store, format, sign, quiet)
            }
            Op::FpRoundToIntegral | Op::FpMin | Op::FpMax => self.quiet_nan(store, format),
            // Constants of different origin are one term.
            _ if store.is_value(float) => return self.any_nan(store, format),
            _ => self.any_nan(store, format),
        };
        self.nans.bits.insert((float, format.width()), bits);
        bits
    }

    fn quiet_nan(&mut self, store: &mut TermStore, format: FloatFormat) -> TermId {
        let free = self.fresh(store, "nan", Sort::BitVec(fraction_width(format)));
        let width = store.width(free);
        let sign = store.bv_extract(width - 1, width - 1, free);
        let rest = store.bv_extract(width - 2, 0, free);
        let one = store.bv_u64(1, 1);
        let fraction = store.bv_concat(one, rest);
        encoded(store, format, sign, fraction)
    }

    fn any_nan(&mut self, store: &mut TermStore, format: FloatFormat) -> TermId {
        let width = fraction_width(format);
        let free = self.fresh(store, "nan", Sort::BitVec(width + 1));
        let sign = store.bv_extract(width, width, free);
        let fraction = store.bv_extract(width - 1, 0, free);
        let zero = store.bv_u64(width, 0);
        let is_infinity = store.eq(fraction, zero);
        let quiet = store.bv_const(BitVec::min_signed(width));
        let fraction = store.ite(is_infinity, quiet, fraction);
        encoded(store, format, sign, fraction)
    }

    /// The constant NaN, positive and quiet. It is read from bits that are no constant to the rules that make all NaNs
    /// one.
    pub(crate) fn nan_constant(&mut self, store: &mut TermStore, format: FloatFormat) -> TermId {
        let width = fraction_width(format);
        let name = format!("payload!{}", format.width());
        let payload = store.var(&name, Sort::BitVec(width - 1));
        if !self.nans.constants.contains(&format) {
            self.nans.constants.push(format);
            let zero = store.bv_u64(width - 1, 0);
            let is_empty = store.eq(payload, zero);
            self.constraints.push(is_empty);
        }
        let one = store.bv_u64(1, 1);
        let fraction = store.bv_concat(one, payload);
        let sign = store.bv_u64(1, 0);
        let bits = encoded(store, format, sign, fraction);
        store.fp_from_bits(format, bits)
    }
}

/// Returns the number of bits of a fraction: the significand without its leading bit.
fn fraction_width(format: FloatFormat) -> u32 {
    match format.kind() {
        FormatKind::Ieee => format.stored_significand_bits(),
        FormatKind::X87 => format.stored_significand_bits() - 1,
    }
}

/// A NaN or infinity of a sign and fraction.
fn encoded(store: &mut TermStore, format: FloatFormat, sign: TermId, fraction: TermId) -> TermId {
    let exponent = store.bv_const(BitVec::ones(format.exponent_bits()));
    let mut bits = store.bv_concat(sign, exponent);
    if format.kind() == FormatKind::X87 {
        let leading = store.bv_u64(1, 1);
        bits = store.bv_concat(bits, leading);
    }
    store.bv_concat(bits, fraction)
}

/// The encoding in a format of what an IEEE encoding of the same numbers spells.
fn spelled(store: &mut TermStore, format: FloatFormat, bits: TermId) -> TermId {
    if format.kind() == FormatKind::Ieee {
        return bits;
    }
    let (width, fraction_width) = (store.width(bits), fraction_width(format));
    let upper = store.bv_extract(width - 1, fraction_width, bits);
    let exponent = store.bv_extract(width - 2, fraction_width, bits);
    let fraction = store.bv_extract(fraction_width - 1, 0, bits);
    let leading = store.bv_redor(exponent);
    let upper = store.bv_concat(upper, leading);
    store.bv_concat(upper, fraction)
}
