//! Circuits read back as terms.
//!
//! A node that is the literal of a term which was blasted becomes that term, if the term's symbols
//! may be used; so comparisons and equations come back as they went in.  Other conjunctions are
//! flattened, and their operands that are bits of one word with consecutive places become an equation between a
//! slice of the word and a constant.  What remains is Boolean structure over single bits.

use crate::blast::{Blaster, Origin};
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_num::{BitVec, RoundingMode};
use vergo_sat::{Lit, Node};
use vergo_term::{Sort, TermId, TermStore, Value};

/// Reads circuits of one blaster as terms over some symbols.
pub struct Lifter<'a> {
    blaster: &'a Blaster,
    allowed: &'a FxHashSet<TermId>,
    /// For each term, whether all of its symbols are allowed.
    usable: FxHashMap<TermId, bool>,
}

impl<'a> Lifter<'a> {
    /// A lifter that may use terms whose variables are all in `allowed`.
    pub fn new(blaster: &'a Blaster, allowed: &'a FxHashSet<TermId>) -> Lifter<'a> {
        Lifter { blaster, allowed, usable: FxHashMap::default() }
    }

    /// The Bool term of a circuit whose inputs are bits of terms over allowed symbols.
    pub fn lift(&mut self, store: &mut TermStore, root: Lit) -> TermId {
        if let Some(value) = root.as_constant() {
            return store.bool_const(value);
        }
        let aig = &self.blaster.aig;
        let cone = aig.small_cone(&[root]);
        // Nodes that need a term of their own: the root, complemented and repeated operands.
        let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
        let mut own: FxHashSet<u32> = FxHashSet::default();
        own.insert(root.node());
        for &node in &cone {
            if let Some((a, b)) = aig.operands(node) {
                for operand in [a, b] {
                    *uses.entry(operand.node()).or_default() += 1;
                    if operand.is_complement() {
                        own.insert(operand.node());
                    }
                }
            }
        }
        let mut terms: FxHashMap<u32, TermId> = FxHashMap::default();
        for &node in &cone {
            let needed = own.contains(&node) || uses.get(&node).copied().unwrap_or(0) > 1;
            if !needed {
                continue;
            }
            let term = self.node_term(store, node, &terms, &own, &uses);
            terms.insert(node, term);
        }
        let term = terms[&root.node()];
        if root.is_complement() { store.not(term) } else { term }
    }

    fn node_term(
        &mut self,
        store: &mut TermStore,
        node: u32,
        terms: &FxHashMap<u32, TermId>,
        own: &FxHashSet<u32>,
        uses: &FxHashMap<u32, u32>,
    ) -> TermId {
        if let Some(term) = self.known(store, node) {
            return term;
        }
        let aig = &self.blaster.aig;
        // Collect the operands of the flattened conjunction.
        let mut pending = vec![Lit::new(node, false)];
        let mut bits: Vec<(TermId, u32, bool)> = Vec::new();
        let mut parts: Vec<TermId> = Vec::new();
        while let Some(lit) = pending.pop() {
            let inner = lit.node();
            let is_self = inner == node;
            match aig.node(inner) {
                Node::False => parts.push(store.bool_const(lit.is_complement())),
                Node::Input(position) => match self.blaster.origin(position) {
                    Origin::Bit(term, bit) if matches!(store.sort(term), Sort::BitVec(_)) => {
                        bits.push((term, bit, !lit.is_complement()));
                    }
                    Origin::Bit(term, bit) => {
                        let term = odd_bit(store, term, bit);
                        parts.push(if lit.is_complement() { store.not(term) } else { term });
                    }
                    Origin::ArrayEquality(term) | Origin::Witness(term) => {
                        parts.push(if lit.is_complement() { store.not(term) } else { term });
                    }
                },
                Node::And(a, b) => {
                    let separate = !is_self
                        && (own.contains(&inner) || uses.get(&inner).copied().unwrap_or(0) > 1);
                    if separate {
                        let term = terms[&inner];
                        parts.push(if lit.is_complement() { store.not(term) } else { term });
                    } else if !is_self && let Some(term) = self.known(store, inner) {
                        parts.push(term);
                    } else {
                        pending.push(b);
                        pending.push(a);
                    }
                }
            }
        }
        bits.sort_unstable();
        bits.dedup();
        parts.extend(slices(store, &bits));
        store.and_all(&parts)
    }

    /// The blasted Bool term of a node, if it is over allowed symbols.
    fn known(&mut self, store: &mut TermStore, node: u32) -> Option<TermId> {
        let lit = Lit::new(node, false);
        let term = self.blaster.bool_term_of(lit)?;
        let (allowed, usable) = (self.allowed, &mut self.usable);
        let may = *usable.entry(term).or_insert_with(|| {
            store.free_vars(&[term]).iter().all(|&v| allowed.contains(&store.var_info(v).term))
        });
        if !may {
            return None;
        }
        let blasted = self.blaster.literal(term)?;
        Some(if blasted == lit { term } else { store.not(term) })
    }
}

/// Equations that give the listed bits their values, one per run of consecutive bits.
fn slices(store: &mut TermStore, bits: &[(TermId, u32, bool)]) -> Vec<TermId> {
    let mut equations = Vec::new();
    let mut start = 0;
    while start < bits.len() {
        let mut end = start + 1;
        while end < bits.len() && bits[end].0 == bits[start].0 && bits[end].1 == bits[end - 1].1 + 1
        {
            end += 1;
        }
        let run = &bits[start..end];
        let mut value = BitVec::zero(run.len() as u32);
        for (i, &(_, _, bit)) in run.iter().enumerate() {
            if bit {
                value = value.or(&BitVec::one(run.len() as u32).shl_by(i as u32));
            }
        }
        let (term, low) = (run[0].0, run[0].1);
        let slice = store.bv_extract(low + run.len() as u32 - 1, low, term);
        let constant = store.bv_const(value);
        equations.push(store.eq(slice, constant));
        start = end;
    }
    equations
}

/// A bit of the encoding of a term that is no word.
fn odd_bit(store: &mut TermStore, term: TermId, bit: u32) -> TermId {
    match store.sort(term) {
        Sort::Bool => term,
        Sort::Float(format) => {
            let encoding = store.fp_to_bits(format, term);
            let slice = store.bv_extract(bit, bit, encoding);
            let one = store.bv_u64(1, 1);
            store.eq(slice, one)
        }
        Sort::RoundingMode => {
            let mut modes = Vec::new();
            for (number, mode) in RoundingMode::ALL.into_iter().enumerate() {
                if number >> bit & 1 == 1 {
                    let constant = store.rm_const(mode);
                    modes.push(store.eq(term, constant));
                }
            }
            store.or_all(&modes)
        }
        Sort::BitVec(_) => {
            let slice = store.bv_extract(bit, bit, term);
            let one = store.bv_u64(1, 1);
            store.eq(slice, one)
        }
        Sort::Array(id) => {
            // An array that is a word: the element that holds the bit, and the bit within it.
            let (index, element) = store.array_parts(id);
            let index_width = match index {
                Sort::BitVec(width) => width,
                _ => 1,
            };
            let width = word_width(store, element);
            let position = BitVec::from_u64(index_width, u64::from(bit / width));
            let value: Value = store.index_value(index, &position);
            let position = store.constant(value);
            let selected = store.select(term, position);
            // Elements nest at most as deeply as their sort, whose size bounds the bits.
            odd_bit(store, selected, bit % width)
        }
    }
}

/// The width of the encoding of a sort all of whose values are words.
fn word_width(store: &TermStore, sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        Sort::Float(format) => format.width(),
        Sort::RoundingMode => 3,
        Sort::Array(id) => {
            let (index, element) = store.array_parts(id);
            let index_width = match index {
                Sort::BitVec(width) => width,
                _ => 1,
            };
            word_width(store, element) << index_width
        }
    }
}
