//! Circuits over a single word that describe a range of its values.
//!
//! A predicate over one word is often, however it is written in gates, that the word is a constant, lies
//! between two of them, or does not.  The least and the greatest value that satisfy it are found bit by
//! bit with a solver; one more query tells whether everything between them does, too.  The
//! result reads as comparisons and is exactly the predicate.

use crate::blast::word;
use crate::blast::{Blaster, Origin, compare};
use vergo_num::BitVec;
use vergo_sat::{
    Aig, Answer, Budget, Cadical, CnfEncoder, CnfLit, CnfOptions, Label, Lit, SatSolver,
};
use vergo_term::{Sort, TermId, TermStore};

/// Wider words are not tried: each bit takes two queries.
const MAX_WIDTH: usize = 64;
/// Circuits smaller than this read well as they are.
const MIN_NODES: usize = 4;
/// Conflicts per query.
const CONFLICTS: u64 = 1000;

/// The comparisons that a circuit amounts to, if it is a range of one word or the complement of one.
pub(crate) fn recognise(
    blaster: &mut Blaster,
    store: &mut TermStore,
    root: Lit,
    budget: &Budget,
) -> Option<TermId> {
    if root.as_constant().is_some() || blaster.aig.small_cone(&[root]).len() < MIN_NODES {
        return None;
    }
    let mut term = None;
    for position in blaster.aig.support(&[root]) {
        let Origin::Bit(owner, _) = blaster.origin(position) else { return None };
        if *term.get_or_insert(owner) != owner {
            return None;
        }
    }
    let term = term?;
    if !matches!(store.sort(term), Sort::BitVec(_)) {
        return None;
    }
    let bits = blaster.known_word(term)?.to_vec();
    if bits.len() > MAX_WIDTH {
        return None;
    }
    let budget = Budget { conflicts: Some(CONFLICTS), ..budget.clone() };
    if let Some((low, high)) = range(&mut blaster.aig, root, &bits, &budget) {
        return Some(between(store, term, &low, &high));
    }
    let (low, high) = range(&mut blaster.aig, !root, &bits, &budget)?;
    // What is outside of an unsigned range may be a signed one, when the gap spans the middle.
    let one = BitVec::one(low.width());
    if !low.is_zero() && !high.is_ones() && !low.sign_bit() && high.sign_bit() {
        let (least, most) = (high.add(&one), low.sub(&one));
        let (least, most) = (store.bv_const(least), store.bv_const(most));
        let above = store.bv_sle(least, term);
        let below = store.bv_sle(term, most);
        return Some(store.and(above, below));
    }
    let inside = between(store, term, &low, &high);
    Some(store.not(inside))
}

/// `low <= term <= high`, both unsigned.
fn between(store: &mut TermStore, term: TermId, low: &BitVec, high: &BitVec) -> TermId {
    let (least, most) = (store.bv_const(low.clone()), store.bv_const(high.clone()));
    if low == high {
        return store.eq(term, least);
    }
    let above = store.bv_ule(least, term);
    let below = store.bv_ule(term, most);
    store.and(above, below)
}

/// The least and the greatest value of a word that satisfy a circuit over it, if all values between
/// them do, too.
fn range(aig: &mut Aig, root: Lit, bits: &[Lit], budget: &Budget) -> Option<(BitVec, BitVec)> {
    let low = extreme(aig, root, bits, false, budget)?;
    let high = extreme(aig, root, bits, true, budget)?;
    let (least, most) = (word::constant(&low), word::constant(&high));
    let above = compare::ule(aig, &least, bits);
    let below = compare::ule(aig, bits, &most);
    let gap = aig.and_all(&[above, below, !root]);
    let mut solver = Cadical::default();
    CnfEncoder::new(CnfOptions::default()).assert(aig, &mut solver, gap, &[], Label::Group(0));
    (solver.solve(&[], budget) == Answer::Unsat).then_some((low, high))
}

/// The least (or greatest) value of a word that satisfies a circuit.
fn extreme(aig: &Aig, root: Lit, bits: &[Lit], greatest: bool, budget: &Budget) -> Option<BitVec> {
    let mut solver = Cadical::default();
    let mut cnf = CnfEncoder::new(CnfOptions::default());
    cnf.assert(aig, &mut solver, root, &[], Label::Group(0));
    let mut fixed: Vec<CnfLit> = Vec::new();
    let mut value = BitVec::zero(bits.len() as u32);
    for (position, &bit) in bits.iter().enumerate().rev() {
        let lit = cnf.literal(aig, &mut solver, bit);
        let wanted = if greatest { lit } else { !lit };
        fixed.push(wanted);
        let set = match solver.solve(&fixed, budget) {
            Answer::Sat => greatest,
            Answer::Unsat => {
                fixed.pop();
                fixed.push(!wanted);
                !greatest
            }
            Answer::Unknown(_) => return None,
        };
        if set {
            value = value.or(&BitVec::one(value.width()).shl_by(position as u32));
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blast::BlastOptions;
    use vergo_term::smtlib::print_term;

    /// Blasts a predicate over one word that rewriting does not understand, and reads it back.
    fn recognised(build: impl Fn(&mut TermStore, TermId) -> TermId) -> Option<String> {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::BitVec(8));
        let predicate = build(&mut store, x);
        let mut blaster = Blaster::new(BlastOptions::default());
        let root = blaster.blast_bool(&store, predicate, &Budget::unlimited()).expect("blasts");
        let term = recognise(&mut blaster, &mut store, root, &Budget::unlimited())?;
        Some(print_term(&store, term))
    }

    #[test]
    fn ranges_come_back_as_comparisons() {
        let product = |s: &mut TermStore, x: TermId, limit: u64| {
            let wide = s.bv_zero_extend(16, x);
            let square = s.bv_mul(wide, wide);
            let limit = s.bv_u64(16, limit);
            s.bv_ult(square, limit)
        };
        assert_eq!(recognised(|s, x| product(s, x, 50)).as_deref(), Some("(bvule x #x07)"));
        let even = |s: &mut TermStore, x: TermId| {
            let small = product(s, x, 500);
            let one = s.bv_u64(8, 1);
            let odd = s.bv_and(x, one);
            let odd = s.eq(odd, one);
            s.and(small, odd)
        };
        assert_eq!(recognised(even), None);
    }
}
