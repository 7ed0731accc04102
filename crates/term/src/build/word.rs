//! Words: SMT-LIB's bit-vector operators.

use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use vergo_num::BitVec;

macro_rules! binary_words {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                let sort = self.expect_words(a, b);
                self.app(Op::$op, sort, &[a, b])
            }
        )*
    };
}

macro_rules! word_predicates {
    ($($(#[$doc:meta])* $name:ident => $op:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                self.expect_words(a, b);
                self.app(Op::$op, Sort::Bool, &[a, b])
            }
        )*
    };
}

/// Kernel operators.
impl TermStore {
    binary_words! {
        /// `(bvand a b)`.
        bv_and => BvAnd;
        /// `(bvxor a b)`.
        bv_xor => BvXor;
        /// `(bvadd a b)`.
        bv_add => BvAdd;
        /// `(bvmul a b)`.
        bv_mul => BvMul;
        /// `(bvudiv a b)`.
        bv_udiv => BvUdiv;
        /// `(bvurem a b)`.
        bv_urem => BvUrem;
        /// `(bvshl a b)`.
        bv_shl => BvShl;
        /// `(bvlshr a b)`.
        bv_lshr => BvLshr;
        /// `(bvashr a b)`.
        bv_ashr => BvAshr;
    }

    word_predicates! {
        /// `(bvult a b)`.
        bv_ult => BvUlt;
        /// `(bvslt a b)`.
        bv_slt => BvSlt;
        /// `(bvumulo a b)`.
        bv_umulo => BvUmulo;
        /// `(bvsmulo a b)`.
        bv_smulo => BvSmulo;
    }

    /// `(bvnot a)`.
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.app(Op::BvNot, Sort::BitVec(width), &[a])
    }

    /// `(bvneg a)`.
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.app(Op::BvNeg, Sort::BitVec(width), &[a])
    }

    /// `(concat high low)`.
    pub fn bv_concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high).checked_add(self.width(low)).expect("widths fit 32 bits");
        self.app(Op::BvConcat, Sort::BitVec(width), &[high, low])
    }

    /// `((_ extract high low) a)`: bits `high` down to `low`.
    pub fn bv_extract(&mut self, high: u32, low: u32, a: TermId) -> TermId {
        let width = self.width(a);
        assert!(low <= high && high < width, "bits {high}..{low} of {width}");
        self.app(Op::BvExtract(low), Sort::BitVec(high - low + 1), &[a])
    }

    /// The sign-extension to `width` bits in all.
    pub fn bv_sign_extend(&mut self, width: u32, a: TermId) -> TermId {
        assert!(width >= self.width(a), "extension to fewer bits");
        self.app(Op::BvSignExtend, Sort::BitVec(width), &[a])
    }
}

/// Operators made of kernel operators.
impl TermStore {
    /// `(bvor a b)`.
    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.bv_not(a), self.bv_not(b));
        let neither = self.bv_and(a, b);
        self.bv_not(neither)
    }

    /// `(bvsub a b)`.
    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_words(a, b);
        let b = self.bv_neg(b);
        self.bv_add(a, b)
    }

    /// `(bvsdiv a b)`: the quotient of the magnitudes, negated if the signs differ.
    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let (ma, mb) = (self.bv_abs(a), self.bv_abs(b));
        let quotient = self.bv_udiv(ma, mb);
        let (sa, sb) = (self.bv_sign(a), self.bv_sign(b));
        let differ = self.xor(sa, sb);
        let negated = self.bv_neg(quotient);
        self.ite(differ, negated, quotient)
    }

    /// `(bvsrem a b)`: the remainder of the magnitudes with the sign of the dividend.
    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        let (ma, mb) = (self.bv_abs(a), self.bv_abs(b));
        let remainder = self.bv_urem(ma, mb);
        let sign = self.bv_sign(a);
        let negated = self.bv_neg(remainder);
        self.ite(sign, negated, remainder)
    }

    /// `(bvsmod a b)`: the remainder moved by the divisor where its sign is not the divisor's.
    pub fn bv_smod(&mut self, a: TermId, b: TermId) -> TermId {
        let remainder = self.bv_srem(a, b);
        let width = self.width(a);
        let zero = self.bv_u64(width, 0);
        // The remainder's sign is the dividend's unless it is zero, and then nothing is to be done.
        let (sa, sb) = (self.bv_sign(a), self.bv_sign(b));
        let differ = self.xor(sa, sb);
        let nonzero = self.ne(remainder, zero);
        let move_it = self.and(differ, nonzero);
        let moved = self.bv_add(remainder, b);
        self.ite(move_it, moved, remainder)
    }

    /// `(bvule a b)`.
    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.bv_ult(b, a);
        self.not(greater)
    }

    /// `(bvsle a b)`.
    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.bv_slt(b, a);
        self.not(greater)
    }

    /// The zero-extension to `width` bits in all.
    pub fn bv_zero_extend(&mut self, width: u32, a: TermId) -> TermId {
        let old = self.width(a);
        assert!(width >= old, "extension to fewer bits");
        if width == old {
            return a;
        }
        let zeros = self.bv_u64(width - old, 0);
        self.bv_concat(zeros, a)
    }

    /// The low bits, or the zero-extension, whichever gives `width` bits.
    pub fn bv_resize_unsigned(&mut self, width: u32, a: TermId) -> TermId {
        if width <= self.width(a) {
            self.bv_extract(width - 1, 0, a)
        } else {
            self.bv_zero_extend(width, a)
        }
    }

    /// The low bits, or the sign-extension, whichever gives `width` bits.
    pub fn bv_resize_signed(&mut self, width: u32, a: TermId) -> TermId {
        if width <= self.width(a) {
            self.bv_extract(width - 1, 0, a)
        } else {
            self.bv_sign_extend(width, a)
        }
    }

    /// `((_ repeat count) a)`, for a count of at least one.
    pub fn bv_repeat(&mut self, count: u32, a: TermId) -> TermId {
        assert!(count > 0, "repetition of at least once");
        // Doubling keeps the terms logarithmic in the count.
        let mut acc = None;
        let mut power = a;
        let mut rest = count;
        loop {
            if rest & 1 == 1 {
                acc = Some(match acc {
                    None => power,
                    Some(low) => self.bv_concat(power, low),
                });
            }
            rest >>= 1;
            match (rest, acc) {
                (0, Some(term)) => return term,
                _ => power = self.bv_concat(power, power),
            }
        }
    }

    /// `((_ rotate_left amount) a)`.
    pub fn bv_rotate_left(&mut self, amount: u32, a: TermId) -> TermId {
        let width = self.width(a);
        let amount = amount % width;
        if amount == 0 {
            return a;
        }
        let high = self.bv_extract(width - amount - 1, 0, a);
        let low = self.bv_extract(width - 1, width - amount, a);
        self.bv_concat(high, low)
    }

    /// `((_ rotate_right amount) a)`.
    pub fn bv_rotate_right(&mut self, amount: u32, a: TermId) -> TermId {
        let width = self.width(a);
        self.bv_rotate_left(width - amount % width, a)
    }

    /// The bit at a position, as a truth value.
    pub fn bv_bit(&mut self, position: u32, a: TermId) -> TermId {
        let bit = self.bv_extract(position, position, a);
        let one = self.bv_u64(1, 1);
        self.eq(bit, one)
    }

    /// The sign bit, as a truth value.
    pub fn bv_sign(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.bv_bit(width - 1, a)
    }

    /// The magnitude in the signed reading, which wraps around for the least number.
    pub fn bv_abs(&mut self, a: TermId) -> TermId {
        let sign = self.bv_sign(a);
        let negated = self.bv_neg(a);
        self.ite(sign, negated, a)
    }

    /// A truth value as a word of one bit.
    pub fn bool_to_bv(&mut self, a: TermId) -> TermId {
        let (one, zero) = (self.bv_u64(1, 1), self.bv_u64(1, 0));
        self.ite(a, one, zero)
    }

    /// `(bvcomp a b)`: one bit that says whether the words are equal.
    pub fn bv_comp(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_words(a, b);
        let same = self.eq(a, b);
        self.bool_to_bv(same)
    }

    /// `(bvredor a)`: one bit that says whether any bit is set.
    pub fn bv_redor(&mut self, a: TermId) -> TermId {
        let zero = self.bv_u64(self.width(a), 0);
        let any = self.ne(a, zero);
        self.bool_to_bv(any)
    }

    /// `(bvredand a)`: one bit that says whether all bits are set.
    pub fn bv_redand(&mut self, a: TermId) -> TermId {
        let ones = self.bv_const(BitVec::ones(self.width(a)));
        let all = self.eq(a, ones);
        self.bool_to_bv(all)
    }

    /// `(bvredxor a)`: the parity of the bits.
    pub fn bv_redxor(&mut self, a: TermId) -> TermId {
        let bits: Vec<TermId> =
            (0..self.width(a)).map(|i| self.app(Op::BvExtract(i), Sort::BitVec(1), &[a])).collect();
        let zero = self.bv_u64(1, 0);
        self.balanced(&bits, zero, TermStore::bv_xor)
    }

    /// `(bvnego a)`.
    pub fn bv_nego(&mut self, a: TermId) -> TermId {
        let min = self.bv_const(BitVec::min_signed(self.width(a)));
        self.eq(a, min)
    }

    /// `(bvuaddo a b)`: the sum wrapped around to below an operand.
    pub fn bv_uaddo(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.bv_add(a, b);
        self.bv_ult(sum, a)
    }

    /// `(bvsaddo a b)`: operands of one sign, a sum of the other.
    pub fn bv_saddo(&mut self, a: TermId, b: TermId) -> TermId {
        let sum = self.bv_add(a, b);
        let (sa, sb, ss) = (self.bv_sign(a), self.bv_sign(b), self.bv_sign(sum));
        let alike = self.eq(sa, sb);
        let changed = self.xor(sa, ss);
        self.and(alike, changed)
    }

    /// `(bvusubo a b)`.
    pub fn bv_usubo(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ult(a, b)
    }

    /// `(bvssubo a b)`: operands of different signs, a difference with the second's.
    pub fn bv_ssubo(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.bv_sub(a, b);
        let (sa, sb, sd) = (self.bv_sign(a), self.bv_sign(b), self.bv_sign(difference));
        let differ = self.xor(sa, sb);
        let changed = self.xor(sa, sd);
        self.and(differ, changed)
    }

    /// `(bvsdivo a b)`: the least number divided by minus one.
    pub fn bv_sdivo(&mut self, a: TermId, b: TermId) -> TermId {
        self.expect_words(a, b);
        let ones = self.bv_const(BitVec::ones(self.width(a)));
        let least = self.bv_nego(a);
        let minus_one = self.eq(b, ones);
        self.and(least, minus_one)
    }

    pub(crate) fn expect_words(&self, a: TermId, b: TermId) -> Sort {
        self.width(a);
        self.expect_same_sort(a, b)
    }
}
