//! Comparison circuits.

use vergo_sat::{Aig, Lit};

/// Unsigned `a < b`.
pub fn ult(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    aig.less_words(a, b)
}

/// Unsigned `a <= b`.
pub fn ule(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    !aig.less_words(b, a)
}

/// Signed `a < b`: as unsigned with the sign bits exchanged.
pub fn slt(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let (mut x, mut y) = (a.to_vec(), b.to_vec());
    if let (Some(p), Some(q)) = (x.last_mut(), y.last_mut()) {
        std::mem::swap(p, q);
    }
    aig.less_words(&x, &y)
}

/// Signed `a <= b`.
pub fn sle(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    !slt(aig, b, a)
}
