//! Sums that cannot overflow, written as people write them.
//!
//! A sum of words of at most 32 bits, extended by enough bits and with small factors, has its mathematical value in `long long`.
//! So it needs no detour through unsigned types: `(long long)a + b - 3LL * c + 4`.

use super::{Printer, Reading, Text};
use std::fmt::Write as _;
use std::ops::RangeInclusive;
use vergo_source::Precedence;
use vergo_term::{Op, TermId, TermStore};

/// The widths in which such sums are made; C has a type of the largest one only.
const WIDTHS: RangeInclusive<u32> = 33..=LARGEST;
const LARGEST: u32 = 64;

/// A sum of words with factors, and a constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    parts: Vec<(TermId, Reading, i128)>,
    constant: i128,
}

impl Linear {
    /// A word as a sum that has its mathematical value; `None` if it is none, or only a word extended to a type of C.
    pub(super) fn of(store: &TermStore, term: TermId) -> Option<Linear> {
        let width = store.width(term);
        let is_extended = extended(store, term).is_some();
        let is_sum = match store.op(term) {
            Op::BvAdd | Op::BvMul | Op::BvNeg | Op::BvConcat => !is_extended || width != LARGEST,
            _ => is_extended && width != LARGEST,
        };
        if !is_sum || !WIDTHS.contains(&width) {
            return None;
        }
        let limit = 1i128 << (width - 2);
        let mut sum = Linear::default();
        let mut largest = 0i128;
        let mut pending = vec![(term, 1i128)];
        while let Some((term, factor)) = pending.pop() {
            if factor.abs() > limit || sum.parts.len() > 16 {
                return None;
            }
            let arg = |i| store.arg(term, i);
            if let Some(bits) = store.bv_value(term) {
                let value = factor.checked_mul(i128::from(bits.to_i64()?))?;
                sum.constant += value;
                largest += value.abs();
            } else if let Some((word, reading, by)) = extended_and_shifted(store, term) {
                let factor = factor.checked_mul(1i128.checked_shl(by)?)?;
                match sum.parts.iter_mut().find(|(other, of, _)| *other == word && *of == reading) {
                    Some((_, _, all)) => *all += factor,
                    None => sum.parts.push((word, reading, factor)),
                }
                largest = largest.checked_add(factor.abs().checked_mul(1 << 32)?)?;
            } else if let Some((word, bits)) = shifted(store, term) {
                pending.push((word, factor.checked_mul(1i128.checked_shl(bits)?)?));
            } else {
                match store.op(term) {
                    Op::BvAdd => pending.extend([(arg(1), factor), (arg(0), factor)]),
                    Op::BvNeg => pending.push((arg(0), -factor)),
                    Op::BvMul => {
                        let (word, by) = if store.is_value(arg(0)) {
                            (arg(1), arg(0))
                        } else {
                            (arg(0), arg(1))
                        };
                        let by = i128::from(store.bv_value(by)?.to_i64()?);
                        pending.push((word, factor.checked_mul(by)?));
                    }
                    _ => return None,
                }
            }
            if largest >= limit {
                return None;
            }
        }
        sum.parts.retain(|(_, _, factor)| *factor != 0);
        // What is added stands before what is taken away.
        sum.parts.sort_by_key(|(_, _, factor)| *factor < 0);
        (!sum.parts.is_empty()).then_some(sum)
    }

    /// The sum as an expression of type `long long`.
    pub(super) fn print(&self, printer: &Printer<'_>) -> Option<Text> {
        let mut text = String::new();
        for (i, &(word, reading, factor)) in self.parts.iter().enumerate() {
            let word = printer.word_as(word, reading)?;
            match (i, factor) {
                (0, 1) => {
                    let _ = write!(text, "(long long){}", word.inside(Precedence::Multiplicative));
                }
                (0, -1) => {
                    let _ = write!(text, "-(long long){}", word.inside(Precedence::Multiplicative));
                }
                (0, _) => {
                    let _ =
                        write!(text, "{factor}LL * {}", word.inside(Precedence::Multiplicative));
                }
                (_, 1 | -1) => {
                    let sign = if factor < 0 { '-' } else { '+' };
                    let _ = write!(text, " {sign} {}", word.inside(Precedence::Additive));
                }
                _ => {
                    let sign = if factor < 0 { '-' } else { '+' };
                    let word = word.inside(Precedence::Multiplicative);
                    let _ = write!(text, " {sign} {}LL * {word}", factor.abs());
                }
            }
        }
        if self.constant != 0 {
            let sign = if self.constant < 0 { '-' } else { '+' };
            let suffix = if self.constant.abs() > i128::from(i32::MAX) { "LL" } else { "" };
            let _ = write!(text, " {sign} {}{suffix}", self.constant.abs());
        }
        let level = match (&self.parts[..], self.constant) {
            ([(_, _, 1 | -1)], 0) => Precedence::Unary,
            ([_], 0) => Precedence::Multiplicative,
            _ => Precedence::Additive,
        };
        Some(Text::new(text, level))
    }
}

/// The word of at most 32 bits that a word extends, and how.
pub(super) fn extended(store: &TermStore, term: TermId) -> Option<(TermId, Reading)> {
    let (word, reading) = match store.op(term) {
        Op::BvSignExtend => (store.arg(term, 0), Reading::Signed),
        Op::BvConcat if store.bv_value(store.arg(term, 0)).is_some_and(|bits| bits.is_zero()) => {
            (store.arg(term, 1), Reading::Unsigned)
        }
        _ => return None,
    };
    matches!(store.width(word), 8 | 16 | 32).then_some((word, reading))
}

/// The same, where the extended word may be shifted to the left, by so many bits.
fn extended_and_shifted(store: &TermStore, term: TermId) -> Option<(TermId, Reading, u32)> {
    if let Some((word, reading)) = extended(store, term) {
        return Some((word, reading, 0));
    }
    let is_shift = store.op(term) == Op::BvConcat
        && store.bv_value(store.arg(term, 1)).is_some_and(|bits| bits.is_zero());
    let (word, reading) = is_shift.then(|| extended(store, store.arg(term, 0))).flatten()?;
    Some((word, reading, store.width(store.arg(term, 1))))
}

/// The word that is shifted to the left, and by how many bits, where all but the bits shifted out are there.
pub(super) fn shifted(store: &TermStore, term: TermId) -> Option<(TermId, u32)> {
    let arg = |i| store.arg(term, i);
    match store.op(term) {
        Op::BvConcat if store.bv_value(arg(1)).is_some_and(|bits| bits.is_zero()) => {
            let (top, by) = (arg(0), store.width(arg(1)));
            let is_word = matches!(store.op(top), Op::BvExtract(0));
            let word = is_word.then(|| store.arg(top, 0))?;
            (store.width(word) == store.width(term)).then_some((word, by))
        }
        Op::BvShl => {
            let by = store.bv_value(arg(1))?.to_u64()?;
            (by < u64::from(store.width(term))).then_some((arg(0), by as u32))
        }
        _ => None,
    }
}
