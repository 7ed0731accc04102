//! Shifters: one stage of choices per bit of the amount that matters, one test for the rest.

use super::word::{self, Word};
use vergo_sat::{Aig, Lit};

/// The number of amount bits that select a shift within the width.
fn stages(width: usize, amount: usize) -> usize {
    let needed = (usize::BITS - (width - 1).leading_zeros()) as usize;
    needed.min(amount)
}

/// `a << amount`.
pub fn shl(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    let reversed: Word = a.iter().rev().copied().collect();
    let mut result = shift_right(aig, &reversed, amount, Lit::FALSE);
    result.reverse();
    result
}

/// `a >> amount` with zeros moved in.
pub fn lshr(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    shift_right(aig, a, amount, Lit::FALSE)
}

/// `a >> amount` with copies of the sign moved in.
pub fn ashr(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    let sign = a.last().copied().unwrap_or(Lit::FALSE);
    shift_right(aig, a, amount, sign)
}

fn shift_right(aig: &mut Aig, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
    let width = a.len();
    if width == 0 {
        return Vec::new();
    }
    let stages = stages(width, amount.len());
    let mut value = a.to_vec();
    for (stage, &bit) in amount[..stages].iter().enumerate() {
        let shift = 1usize << stage;
        let mut moved: Word = value[shift.min(width)..].to_vec();
        moved.resize(width, fill);
        value = aig.mux_words(bit, &moved, &value);
    }
    let beyond = aig.or_all(&amount[stages..]);
    let filled = vec![fill; width];
    aig.mux_words(beyond, &filled, &value)
}

/// `a >> amount` where every bit that leaves is kept in the last place: the result's lowest bit is
/// set if any bit shifted out was.
pub fn sticky_right(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Word {
    let width = a.len();
    let stages = stages(width, amount.len());
    let mut value = a.to_vec();
    for (stage, &bit) in amount[..stages].iter().enumerate() {
        let shift = (1usize << stage).min(width);
        let lost = aig.or_all(&value[..shift]);
        let mut moved: Word = value[shift..].to_vec();
        moved.resize(width, Lit::FALSE);
        moved[0] = aig.or(moved[0], lost);
        value = aig.mux_words(bit, &moved, &value);
    }
    let beyond = aig.or_all(&amount[stages..]);
    let any = aig.or_all(a);
    let mut gone = vec![Lit::FALSE; width];
    gone[0] = any;
    aig.mux_words(beyond, &gone, &value)
}

/// For a word `d`, the literals `d > i` for `i` in `0..n`, sharing their gates.
pub fn thermometer(aig: &mut Aig, d: &[Lit], n: usize) -> Word {
    let mut code: Word = Vec::new();
    for (stage, &bit) in d.iter().enumerate() {
        // So far `code[i]` says that the low bits exceed i, for i below 2^stage - 1.
        let half = 1usize << stage;
        let mut next = Vec::with_capacity(2 * half - 1);
        for &low in &code {
            next.push(aig.or(bit, low));
        }
        next.push(bit);
        for &low in &code {
            next.push(aig.and(bit, low));
        }
        code = next;
        if code.len() >= n.max(1) {
            // Higher bits are only asked whether any is set.
            let rest = aig.or_all(&d[stage + 1..]);
            code = code.iter().map(|&l| aig.or(l, rest)).collect();
            break;
        }
    }
    code.resize(n.max(code.len()), Lit::FALSE);
    code.truncate(n);
    code
}

/// `word` with its last place or-ed with a literal.
pub fn with_sticky(aig: &mut Aig, a: &[Lit], sticky: Lit) -> Word {
    let mut result = a.to_vec();
    if let Some(last) = result.first_mut() {
        *last = aig.or(*last, sticky);
    }
    result
}

/// The top `width` bits of a word, with everything below collected in the last of them.
pub fn squeeze(aig: &mut Aig, a: &[Lit], width: usize) -> Word {
    if a.len() <= width {
        let mut padded = vec![Lit::FALSE; width - a.len()];
        padded.extend_from_slice(a);
        return padded;
    }
    let cut = a.len() - width;
    let lost = aig.or_all(&a[..cut]);
    with_sticky(aig, &a[cut..], lost)
}

/// The complement of a word's bits where a literal holds.
pub fn flip_if(aig: &mut Aig, a: &[Lit], flip: Lit) -> Word {
    if flip == Lit::TRUE { word::not(a) } else { a.iter().map(|&l| aig.xor(l, flip)).collect() }
}
