//! Words of graph literals, least significant bit first.

use vergo_num::BitVec;
use vergo_sat::{Aig, Lit};

/// The bits of a value, least significant first.
pub type Word = Vec<Lit>;

/// The word of a constant.
pub fn constant(value: &BitVec) -> Word {
    (0..value.width()).map(|i| Lit::constant(value.bit(i))).collect()
}

/// The word of a small constant.
pub fn small(width: usize, value: u64) -> Word {
    (0..width).map(|i| Lit::constant(i < 64 && value >> i & 1 == 1)).collect()
}

/// The word of a signed constant that fits the width.
pub fn signed(width: usize, value: i64) -> Word {
    (0..width).map(|i| Lit::constant(value >> i.min(63) & 1 == 1)).collect()
}

/// The value of a word that consists of constants.
pub fn as_constant(word: &[Lit]) -> Option<BitVec> {
    let mut limbs = vec![0u64; word.len().div_ceil(64)];
    for (i, lit) in word.iter().enumerate() {
        if lit.as_constant()? {
            limbs[i / 64] |= 1 << (i % 64);
        }
    }
    Some(BitVec::from_limbs(word.len() as u32, limbs))
}

/// Complements every bit.
pub fn not(word: &[Lit]) -> Word {
    word.iter().map(|&l| !l).collect()
}

/// Makes a word wider with copies of `fill`, or narrower by dropping high bits.
pub fn resize(word: &[Lit], width: usize, fill: Lit) -> Word {
    let mut result = word[..word.len().min(width)].to_vec();
    result.resize(width, fill);
    result
}

/// Makes a signed word wider (or narrower).
pub fn sign_extend(word: &[Lit], width: usize) -> Word {
    resize(word, width, word.last().copied().unwrap_or(Lit::FALSE))
}

/// Every bit conjoined with one literal.
pub fn mask(aig: &mut Aig, word: &[Lit], enable: Lit) -> Word {
    word.iter().map(|&l| aig.and(l, enable)).collect()
}

/// Builds the condition that every bit is zero.
pub fn is_zero(aig: &mut Aig, word: &[Lit]) -> Lit {
    !aig.or_all(word)
}

/// Builds the condition that every bit is one.
pub fn is_ones(aig: &mut Aig, word: &[Lit]) -> Lit {
    aig.and_all(word)
}
