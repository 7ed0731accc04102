//! Bit-blasting: terms become circuits.
//!
//! A [`Blaster`] turns terms into words of graph literals, each term once, arguments first and
//! without recursion.  Integer operators are in [`arith`], [`shift`] and [`compare`]; floats are kept in
//! the unpacked form of [`float`] and packed only where their bits are asked for.  Arrays whose
//! elements all together are few bits are words too; other arrays become nodes of the
//! theory in [`crate::arrays`], and reading from them gives fresh bits that the theory constrains.
//!
//! Every sort has a canonical encoding as a word ([`Blaster::encoding`]), such that two values are
//! equal exactly if their encodings are; array elements and indices are compared by it.

pub mod arith;
mod array;
pub mod compare;
pub mod float;
pub mod float_add;
pub mod float_convert;
pub mod float_mul;
mod float_step;
mod lookup;
pub mod polynomial;
mod product;
pub mod shift;
pub mod word;

#[cfg(test)]
mod tests;

use crate::arrays::{ArrayId, ArrayNode, Arrays};
use crate::lookups::Lookups;
use crate::polynomial::Polynomial;
use crate::products::Products;
use crate::rounded::Operations;
use float::{Mode, Unpacked};
use lookup::Chain;
use rustc_hash::{FxHashMap, FxHashSet};
use vergo_sat::{Aig, Budget, Lit, StopReason};
use vergo_term::{Op, Sort, TermId, TermStore};
use word::Word;

/// Where a free bit of the graph comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A bit of the encoding of a variable, of a read from an array or of a product. The raw bits of a float or a
    /// rounding mode need not be canonical; the value that they stand for is.
    Bit(TermId, u32),
    /// The equality of two arrays: its term.
    ArrayEquality(TermId),
    /// Part of the index at which two arrays differ, or of what is there.
    Witness(TermId),
}

/// The reason why a term could not be blasted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlastError {
    /// The budget ended.
    Stopped(StopReason),
    /// Something that has no circuit here.
    Unsupported(&'static str),
}

/// The terms that become words rather than nodes of the array theory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlastOptions {
    /// Arrays of at most so many bits are words.
    pub array_bits: u64,
    /// Products of words that have at least so many unknown bits each are free bits, which [`crate::solver`] constrains.
    pub product_bits: usize,
    /// Results of operations on floats of at least so many bits are free, and [`crate::solver`] constrains them.
    pub float_bits: u32,
    /// So many choices among constants by the value of one word are a read from a table, which [`crate::solver`] constrains.
    pub chain_len: usize,
}

impl Default for BlastOptions {
    fn default() -> Self {
        BlastOptions { array_bits: 256, product_bits: 12, float_bits: 32, chain_len: 512 }
    }
}

/// The width of names of arrays: enough for one array per node that any memory can hold.
const NAME_BITS: usize = 32;

/// Gates beyond which a single operator is refused: its circuit would not fit any memory.
const MAX_GATES: u64 = 1 << 28;

/// Estimated gates of an operator above which the budget is watched while it is built.
const WATCHED_GATES: u64 = 10_000;

/// Nodes beyond which the graph stops growing; with the largest operator it stays below what its
/// literals can name.
const MAX_NODES: usize = 1 << 30;

/// Turns terms into circuits.
pub struct Blaster {
    /// The graph.
    pub aig: Aig,
    /// The arrays that are not words.
    pub arrays: Arrays,
    /// The products that are free bits.
    pub(crate) products: Products,
    /// The operations on floats whose results are free.
    pub(crate) operations: Operations,
    /// The reads from constant tables.
    pub(crate) lookups: Lookups,
    options: BlastOptions,
    /// The encoding of each blasted term, as a range of `bits`; floats get theirs on demand.
    words: FxHashMap<TermId, (u32, u32)>,
    bits: Vec<Lit>,
    floats: FxHashMap<TermId, Unpacked>,
    divisions: FxHashMap<(TermId, TermId), (Word, Word)>,
    /// The operands of all divisions in the terms asked for so far.
    wanted_divisions: FxHashSet<(TermId, TermId)>,
    /// The operands of all products, the smaller first.
    wanted_products: FxHashSet<(TermId, TermId)>,
    /// Choices that are about to be blasted as reads from tables, and the terms that are inside of such.
    chains: FxHashMap<TermId, Chain>,
    chained: FxHashSet<TermId>,
    array_nodes: FxHashMap<TermId, ArrayId>,
    /// Words that stand for arrays which are elements of others: two are equal exactly if the
    /// arrays are.
    names: FxHashMap<ArrayId, Word>,
    /// The arrays with names, by sort.
    named: FxHashMap<Sort, Vec<ArrayId>>,
    /// Variables that are the same as a term.
    definitions: FxHashMap<TermId, TermId>,
    /// Equations of words with products, by the difference of their sides.
    equations: FxHashMap<Polynomial<TermId>, Lit>,
    /// The differences of such equations that are about to be blasted.
    differences: FxHashMap<TermId, Polynomial<TermId>>,
    /// Bool terms by their (regular) literal, in the order of blasting: the first one stays.
    by_literal: FxHashMap<Lit, TermId>,
    /// By position among the graph's inputs.
    origins: Vec<Origin>,
    n_terms: u64,
}

impl Blaster {
    /// A blaster that has seen no terms.
    pub fn new(options: BlastOptions) -> Blaster {
        Blaster {
            aig: Aig::new(),
            arrays: Arrays::default(),
            products: Products::default(),
            operations: Operations::default(),
            lookups: Lookups::default(),
            options,
            words: FxHashMap::default(),
            bits: Vec::new(),
            floats: FxHashMap::default(),
            divisions: FxHashMap::default(),
            wanted_divisions: FxHashSet::default(),
            wanted_products: FxHashSet::default(),
            chains: FxHashMap::default(),
            chained: FxHashSet::default(),
            array_nodes: FxHashMap::default(),
            names: FxHashMap::default(),
            named: FxHashMap::default(),
            definitions: FxHashMap::default(),
            equations: FxHashMap::default(),
            differences: FxHashMap::default(),
            by_literal: FxHashMap::default(),
            origins: Vec::new(),
            n_terms: 0,
        }
    }

    /// The number of terms blasted.
    pub fn n_terms(&self) -> u64 {
        self.n_terms
    }

    /// Where the input at a position comes from.
    pub fn origin(&self, position: u32) -> Origin {
        self.origins[position as usize]
    }

    /// The Bool term that was first blasted to the literal without complement, if any.
    pub fn bool_term_of(&self, lit: Lit) -> Option<TermId> {
        self.by_literal.get(&lit.regular()).copied()
    }

    /// The literal of a Bool term that has been blasted.
    pub fn literal(&self, term: TermId) -> Option<Lit> {
        self.known_word(term).map(|w| w[0])
    }

    /// The encoding of a term that has been blasted, if it is a word by now.
    pub fn known_word(&self, term: TermId) -> Option<&[Lit]> {
        let &(start, len) = self.words.get(&term)?;
        Some(&self.bits[start as usize..(start + len) as usize])
    }

    /// The theory's node of an array term.
    pub fn array_node(&self, term: TermId) -> Option<ArrayId> {
        self.array_nodes.get(&term).copied()
    }

    /// Returns whether a term has been blasted.
    pub fn is_done(&self, term: TermId) -> bool {
        self.words.contains_key(&term)
            || self.floats.contains_key(&term)
            || self.array_nodes.contains_key(&term)
    }

    /// Blasts a Bool term.
    pub fn blast_bool(
        &mut self,
        store: &TermStore,
        root: TermId,
        budget: &Budget,
    ) -> Result<Lit, BlastError> {
        self.blast(store, root, budget)?;
        Ok(self.word(root)[0])
    }

    /// Blasts a term of any sort.
    pub fn blast(
        &mut self,
        store: &TermStore,
        root: TermId,
        budget: &Budget,
    ) -> Result<(), BlastError> {
        self.find_wanted(store, root);
        let mut stack = vec![root];
        let mut steps = 0u32;
        while let Some(&term) = stack.last() {
            if self.is_done(term) {
                stack.pop();
                continue;
            }
            if let Some(known) = self.known_equation(store, term) {
                self.set_word(store, term, &[known]);
                stack.pop();
                continue;
            }
            let before = stack.len();
            let needed = match self.chains.get(&term) {
                Some(chain) => chain.needed(),
                None => store.args(term),
            };
            stack.extend(needed.iter().filter(|&&arg| !self.is_done(arg)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            if let Some(chain) = self.chains.remove(&term) {
                self.chain_step(store, term, chain);
                self.n_terms += 1;
                continue;
            }
            steps += 1;
            let cost = Blaster::cost(store, term);
            if self.aig.n_nodes() > MAX_NODES {
                return Err(BlastError::Stopped(StopReason::Memory));
            }
            if cost > MAX_GATES {
                return Err(BlastError::Unsupported("an operator on words this wide"));
            }
            if (steps.is_multiple_of(64) || cost > 10_000)
                && let Some(reason) = budget.interrupted()
            {
                return Err(BlastError::Stopped(reason));
            }
            if (steps.is_multiple_of(4096) || cost > 1_000_000)
                && let Some(reason) = budget.exhausted()
            {
                return Err(BlastError::Stopped(reason));
            }
            if cost > WATCHED_GATES {
                self.aig.watch(budget);
            }
            let result = self.step(store, term);
            if let Some(reason) = self.aig.unwatch() {
                self.forget(term);
                return Err(BlastError::Stopped(reason));
            }
            result?;
            if let Some(difference) = self.differences.remove(&term) {
                let lit = self.lit(term);
                self.equations.insert(difference, lit);
            }
            self.n_terms += 1;
        }
        Ok(())
    }

    /// Drops what an operator that was stopped halfway has left; its gates stay, for the next try.
    fn forget(&mut self, term: TermId) {
        if let Some(lit) = self.literal(term)
            && self.by_literal.get(&lit.regular()) == Some(&term)
        {
            self.by_literal.remove(&lit.regular());
        }
        self.words.remove(&term);
        self.floats.remove(&term);
        self.divisions.clear();
    }

    /// Makes a variable that has not been blasted the same as a term, if the term does not depend
    /// on it; false if it cannot be.
    pub fn define(
        &mut self,
        store: &TermStore,
        var: TermId,
        term: TermId,
        budget: &Budget,
    ) -> Result<bool, BlastError> {
        self.blast(store, term, budget)?;
        if self.is_done(var) {
            return Ok(false);
        }
        if let Some(&node) = self.array_nodes.get(&term) {
            self.array_nodes.insert(var, node);
        } else {
            let Some(word) = self.encoding(store, term) else { return Ok(false) };
            if let Some(value) = self.floats.get(&term).cloned() {
                self.floats.insert(var, value);
            }
            self.set_word(store, var, &word);
        }
        self.definitions.insert(var, term);
        Ok(true)
    }

    /// Notes the operands of divisions and products in a term, and the choices that amount to tables.
    fn find_wanted(&mut self, store: &TermStore, root: TermId) {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if self.is_done(term) || !seen.insert(term) {
                continue;
            }
            if self.find_chain(store, term) {
                stack.extend_from_slice(self.chains[&term].needed());
                continue;
            }
            if matches!(store.op(term), Op::BvUdiv | Op::BvUrem) {
                self.wanted_divisions.insert((store.arg(term, 0), store.arg(term, 1)));
            }
            if store.op(term) == Op::BvMul {
                let (a, b) = (store.arg(term, 0), store.arg(term, 1));
                self.wanted_products.insert((a.min(b), a.max(b)));
            }
            stack.extend_from_slice(store.args(term));
        }
    }

    /// A rough number of gates that blasting one term takes.
    pub fn cost(store: &TermStore, term: TermId) -> u64 {
        let width = |t: TermId| match store.sort(t) {
            Sort::BitVec(w) => u64::from(w),
            Sort::Float(f) => u64::from(f.width()),
            _ => 1,
        };
        match store.op(term) {
            Op::BvMul | Op::BvUdiv | Op::BvUrem => 8 * width(term) * width(term),
            Op::BvUmulo | Op::BvSmulo => {
                let w = width(store.arg(term, 0));
                32 * w * w
            }
            Op::FpMul | Op::FpDiv | Op::FpSqrt | Op::FpFma => 32 * width(term) * width(term),
            Op::FpRem | Op::FpFmod => match store.sort(term) {
                Sort::Float(f) => {
                    let distance = (f.max_exponent() - f.quantum_exponent()) as u64;
                    distance.saturating_mul(16 * u64::from(f.significand_bits()))
                }
                _ => 0,
            },
            Op::FpToSbv | Op::FpToUbv | Op::FpFromSbv | Op::FpFromUbv | Op::FpConvert => {
                let w = store.args(term).iter().map(|&t| width(t)).max().unwrap_or(1) + width(term);
                64 * w
            }
            _ => store.args(term).iter().map(|&t| width(t)).fold(width(term), u64::max),
        }
    }

    fn set_word(&mut self, store: &TermStore, term: TermId, word: &[Lit]) {
        let start = self.bits.len() as u32;
        self.bits.extend_from_slice(word);
        self.words.insert(term, (start, word.len() as u32));
        if store.sort(term) == Sort::Bool && !store.is_value(term) {
            self.by_literal.entry(word[0].regular()).or_insert(term);
        }
    }

    /// The word of a blasted term that is no float.
    fn word(&self, term: TermId) -> Word {
        self.known_word(term).expect("arguments are blasted before their users").to_vec()
    }

    fn lit(&self, term: TermId) -> Lit {
        self.word(term)[0]
    }

    fn float(&self, term: TermId) -> &Unpacked {
        &self.floats[&term]
    }

    fn mode(&mut self, term: TermId) -> Mode {
        let bits = self.word(term);
        Mode::numbered(&mut self.aig, &bits)
    }

    /// The canonical encoding of a blasted term; none if it is an array that is no word.
    pub fn encoding(&mut self, store: &TermStore, term: TermId) -> Option<Word> {
        if let Some(word) = self.known_word(term) {
            return Some(word.to_vec());
        }
        if let Some(&array) = self.array_nodes.get(&term) {
            return Some(self.name(store, store.sort(term), array));
        }
        let value = self.floats.get(&term)?.clone();
        let word = value.to_bits(&mut self.aig);
        self.set_word(store, term, &word);
        Some(word)
    }

    /// The width of a sort's encoding; none for arrays that are no words.
    pub fn encoded_width(&self, store: &TermStore, sort: Sort) -> Option<u64> {
        // Element sorts nest; each level multiplies.
        let is_array = matches!(sort, Sort::Array(_));
        let mut factor = 1u64;
        let mut sort = sort;
        loop {
            let width = match sort {
                Sort::Bool => 1,
                Sort::BitVec(width) => width,
                Sort::Float(format) => format.width(),
                Sort::RoundingMode => 3,
                Sort::Array(id) => {
                    let (index, element) = store.array_parts(id);
                    let index_width = match index {
                        Sort::Bool => 1,
                        Sort::BitVec(width) => width,
                        // Not every word encodes an index.
                        Sort::RoundingMode | Sort::Float(_) | Sort::Array(_) => return None,
                    };
                    factor = factor.checked_shl(index_width).filter(|_| index_width < 32)?;
                    if factor > self.options.array_bits {
                        return None;
                    }
                    sort = element;
                    continue;
                }
            };
            let total = factor.checked_mul(u64::from(width))?;
            return (!is_array || total <= self.options.array_bits).then_some(total);
        }
    }

    fn is_word_array(&self, store: &TermStore, sort: Sort) -> bool {
        self.encoded_width(store, sort).is_some()
    }

    /// The width of a sort's values as elements: other arrays than words are known by their names.
    fn element_width(&self, store: &TermStore, sort: Sort) -> usize {
        self.encoded_width(store, sort).map_or(NAME_BITS, |width| width as usize)
    }

    /// New free bits that stand for a term's raw encoding.
    fn fresh(&mut self, width: usize, origin: impl Fn(u32) -> Origin) -> Word {
        (0..width)
            .map(|i| {
                self.origins.push(origin(i as u32));
                self.aig.input()
            })
            .collect()
    }

    /// Makes a variable or a read an unknown value of its sort.
    fn set_unknown(&mut self, store: &TermStore, term: TermId) -> Result<(), BlastError> {
        let sort = store.sort(term);
        let Some(width) = self.encoded_width(store, sort) else {
            return self.new_array(store, term, ArrayNode::Free);
        };
        let raw = self.fresh(width as usize, |bit| Origin::Bit(term, bit));
        self.set_decoded(store, term, sort, &raw);
        Ok(())
    }

    /// Gives a variable, a word, so many bits of its own; those above are zero.
    pub(crate) fn set_narrow(&mut self, store: &TermStore, var: TermId, width: u32) {
        let Sort::BitVec(full) = store.sort(var) else { return };
        let bits = self.fresh(width.min(full) as usize, |bit| Origin::Bit(var, bit));
        let word = word::resize(&bits, full as usize, Lit::FALSE);
        self.set_word(store, var, &word);
    }

    /// Gives a term the value that raw bits of its sort stand for.
    fn set_decoded(&mut self, store: &TermStore, term: TermId, sort: Sort, raw: &[Lit]) {
        match sort {
            Sort::Float(format) => {
                let value = Unpacked::from_bits(&mut self.aig, format, raw);
                self.floats.insert(term, value);
            }
            _ => {
                let word = self.canonical(store, sort, raw);
                self.set_word(store, term, &word);
            }
        }
    }

    /// The canonical encoding of what raw bits of a sort stand for.
    fn canonical(&mut self, store: &TermStore, sort: Sort, raw: &[Lit]) -> Word {
        match sort {
            Sort::Bool | Sort::BitVec(_) => raw.to_vec(),
            Sort::Float(format) => {
                let value = Unpacked::from_bits(&mut self.aig, format, raw);
                value.to_bits(&mut self.aig)
            }
            // Numbers from four on all mean the last mode.
            Sort::RoundingMode => {
                let last = raw[2];
                let low = [self.aig.and(raw[0], !last), self.aig.and(raw[1], !last)];
                vec![low[0], low[1], last]
            }
            Sort::Array(id) => {
                let element = store.array_parts(id).1;
                let width = self.encoded_width(store, element).unwrap_or(1) as usize;
                let mut word = Vec::with_capacity(raw.len());
                for part in raw.chunks(width) {
                    word.extend(self.canonical(store, element, part));
                }
                word
            }
        }
    }

    fn step(&mut self, store: &TermStore, term: TermId) -> Result<(), BlastError> {
        let sort = store.sort(term);
        let args = store.args(term);
        let op = store.op(term);
        match op {
            Op::Var(_) => {
                return self.set_unknown(store, term);
            }
            Op::Const(_) => {
                if let Some(value) = store.float_value(term) {
                    self.floats.insert(term, Unpacked::constant(value));
                } else {
                    let value = store.value(term).expect("a constant has a value");
                    let bits = value.index_bits();
                    let mut word = word::constant(&bits);
                    if sort == Sort::RoundingMode {
                        word = word::resize(&word, 3, Lit::FALSE);
                    }
                    self.set_word(store, term, &word);
                }
                return Ok(());
            }
            Op::Eq => {
                let lit = self.equality(store, term, args[0], args[1])?;
                self.set_word(store, term, &[lit]);
                return Ok(());
            }
            Op::Ite => return self.choice(store, term, sort),
            Op::BvMul => {
                let word = self.product(store, term, args[0], args[1]);
                self.set_word(store, term, &word);
                return Ok(());
            }
            Op::Lookup(table) => {
                self.lookup_step(store, term, table);
                return Ok(());
            }
            Op::Select | Op::Store | Op::ConstArray => {
                return self.array_step(store, term, op, sort);
            }
            _ => {}
        }
        if let Sort::Float(format) = sort {
            let value = self.float_step(term, op, format, args);
            self.floats.insert(term, value);
            return Ok(());
        }
        let word = self.word_step(store, op, sort, args);
        self.set_word(store, term, &word);
        Ok(())
    }

    /// Operators whose result is a word or a truth value.
    fn word_step(&mut self, store: &TermStore, op: Op, sort: Sort, args: &[TermId]) -> Word {
        let width = match sort {
            Sort::BitVec(width) => width as usize,
            _ => 1,
        };
        // Most operators take words; floats and modes are fetched where they are needed.
        let a = match store.sort(args[0]) {
            Sort::Float(_) => Vec::new(),
            _ => self.word(args[0]),
        };
        let b = match args.get(1) {
            Some(&second) if !matches!(store.sort(second), Sort::Float(_)) => self.word(second),
            _ => Vec::new(),
        };
        let g = &mut self.aig;
        match op {
            Op::Not | Op::BvNot => word::not(&a),
            Op::And => vec![g.and(a[0], b[0])],
            Op::BvNeg => arith::neg(g, &a),
            Op::BvAnd => a.iter().zip(&b).map(|(&x, &y)| g.and(x, y)).collect(),
            Op::BvXor => a.iter().zip(&b).map(|(&x, &y)| g.xor(x, y)).collect(),
            Op::BvAdd => arith::add(g, &a, &b),
            Op::BvUdiv => self.division(store, args[0], args[1]).0,
            Op::BvUrem => self.division(store, args[0], args[1]).1,
            Op::BvShl => shift::shl(g, &a, &b),
            Op::BvLshr => shift::lshr(g, &a, &b),
            Op::BvAshr => shift::ashr(g, &a, &b),
            Op::BvConcat => b.iter().chain(&a).copied().collect(),
            Op::BvExtract(low) => a[low as usize..low as usize + width].to_vec(),
            Op::BvSignExtend => word::sign_extend(&a, width),
            Op::BvUlt => vec![compare::ult(g, &a, &b)],
            Op::BvSlt => vec![compare::slt(g, &a, &b)],
            Op::BvUmulo => vec![arith::umul_overflow(g, &a, &b)],
            Op::BvSmulo => vec![arith::smul_overflow(g, &a, &b)],
            Op::FpToBits => self.floats[&args[0]].to_bits(g),
            Op::FpLe => {
                vec![Unpacked::less_equal(g, &self.floats[&args[0]], &self.floats[&args[1]])]
            }
            Op::FpLt => vec![Unpacked::less(g, &self.floats[&args[0]], &self.floats[&args[1]])],
            Op::FpEq => {
                vec![Unpacked::ieee_equal(g, &self.floats[&args[0]], &self.floats[&args[1]])]
            }
            Op::FpIsNormal => vec![self.floats[&args[0]].is_normal(g)],
            Op::FpIsSubnormal => vec![self.floats[&args[0]].is_subnormal(g)],
            Op::FpIsZero => vec![self.floats[&args[0]].zero],
            Op::FpIsInfinite => vec![self.floats[&args[0]].infinite],
            Op::FpIsNan => vec![self.floats[&args[0]].nan],
            Op::FpIsNegative => vec![self.floats[&args[0]].is_negative(g)],
            Op::FpToSbv | Op::FpToUbv => {
                let mode = self.mode(args[0]);
                let x = &self.floats[&args[1]];
                let signed = op == Op::FpToSbv;
                let (value, valid) =
                    float_convert::to_integer(&mut self.aig, &mode, x, width, signed);
                word::mask(&mut self.aig, &value, valid)
            }
            _ => unreachable!("{op:?} has no word"),
        }
    }

    /// Returns the term that a variable is equal to.
    pub(crate) fn definition(&self, var: TermId) -> Option<TermId> {
        self.definitions.get(&var).copied()
    }

    /// Quotient and remainder of two terms, if they have been divided.
    pub(crate) fn known_division(&self, a: TermId, b: TermId) -> Option<(Word, Word)> {
        self.divisions.get(&(a, b)).cloned()
    }

    /// Quotient and remainder, computed once per pair of operands.
    ///
    /// A division of choices whose branches are divided anyway, as in the usual definition of signed
    /// division beside its use, becomes a choice between those divisions: one divider less, and
    /// their agreement is plain.
    fn division(&mut self, store: &TermStore, a: TermId, b: TermId) -> (Word, Word) {
        if let Some(known) = self.divisions.get(&(a, b)) {
            return known.clone();
        }
        let branches = |term: TermId| match (store.op(term), store.args(term)) {
            (Op::Ite, &[condition, then, other]) => vec![(Some(condition), then), (None, other)],
            _ => vec![(None, term)],
        };
        let (dividends, divisors) = (branches(a), branches(b));
        let distributes = dividends.len() * divisors.len() > 1
            && dividends
                .iter()
                .all(|x| divisors.iter().all(|y| self.wanted_divisions.contains(&(x.1, y.1))));
        let result = if distributes {
            let mut rows = Vec::new();
            for &(_, x) in &dividends {
                let mut row = Vec::new();
                for &(_, y) in &divisors {
                    // These operands are not both choices again, or they would be larger terms.
                    row.push(self.plain_division(x, y));
                }
                rows.push(self.choose_division(&divisors, row));
            }
            self.choose_division(&dividends, rows)
        } else {
            self.plain_division(a, b)
        };
        self.divisions.insert((a, b), result.clone());
        result
    }

    /// The first or the second of two divisions by the condition of a choice; the only one if there is
    /// no choice.
    fn choose_division(
        &mut self,
        branches: &[(Option<TermId>, TermId)],
        mut results: Vec<(Word, Word)>,
    ) -> (Word, Word) {
        match (branches[0].0, results.len()) {
            (Some(condition), 2) => {
                let condition = self.lit(condition);
                let (q, r) = &results[0];
                let (s, t) = &results[1];
                (self.aig.mux_words(condition, q, s), self.aig.mux_words(condition, r, t))
            }
            _ => results.swap_remove(0),
        }
    }

    fn plain_division(&mut self, a: TermId, b: TermId) -> (Word, Word) {
        if let Some(known) = self.divisions.get(&(a, b)) {
            return known.clone();
        }
        let (x, y) = (self.word(a), self.word(b));
        let result = arith::udivrem(&mut self.aig, &x, &y);
        self.divisions.insert((a, b), result.clone());
        result
    }

    fn choice(&mut self, store: &TermStore, term: TermId, sort: Sort) -> Result<(), BlastError> {
        let args = store.args(term);
        let condition = self.lit(args[0]);
        match sort {
            Sort::Float(_) => {
                let (x, y) = (self.floats[&args[1]].clone(), self.floats[&args[2]].clone());
                let value = Unpacked::mux(&mut self.aig, condition, &x, &y);
                self.floats.insert(term, value);
            }
            Sort::Array(_) if !self.is_word_array(store, sort) => {
                let (then, other) = (self.array_nodes[&args[1]], self.array_nodes[&args[2]]);
                return self.new_array(store, term, ArrayNode::Choice { condition, then, other });
            }
            _ => {
                let (x, y) = (self.word(args[1]), self.word(args[2]));
                let word = self.aig.mux_words(condition, &x, &y);
                self.set_word(store, term, &word);
            }
        }
        Ok(())
    }

    fn equality(
        &mut self,
        store: &TermStore,
        term: TermId,
        a: TermId,
        b: TermId,
    ) -> Result<Lit, BlastError> {
        match store.sort(a) {
            Sort::Float(_) => {
                let (x, y) = (self.float(a).clone(), self.float(b).clone());
                Ok(Unpacked::same(&mut self.aig, &x, &y))
            }
            sort @ Sort::Array(id) if !self.is_word_array(store, sort) => {
                if matches!(store.array_parts(id).0, Sort::Array(_)) {
                    return Err(BlastError::Unsupported("arrays indexed by arrays"));
                }
                let sides = [self.array_nodes[&a], self.array_nodes[&b]];
                if sides[0] == sides[1] {
                    return Ok(Lit::TRUE);
                }
                let equal = self.fresh(1, |_| Origin::ArrayEquality(term))[0];
                self.relate(store, term, sort, sides, equal);
                Ok(equal)
            }
            sort => {
                if matches!(sort, Sort::BitVec(_)) {
                    self.arrays.note_comparison(a, b);
                }
                let (x, y) = (self.word(a), self.word(b));
                Ok(self.aig.equal_words(&x, &y))
            }
        }
    }
}
