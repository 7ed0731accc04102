//! Reads from constant tables, and choices by the value of a word that amount to one.
//!
//! Both are free bits that [`crate::lookups`] constrains, but for what is plain at once: the bits that all words of the
//! table have in common, and whether the index is one of the keys where these are a range.

use super::word::{self, Word};
use super::{Blaster, Origin, compare};
use crate::lookups::{Keys, Lookup, Table, Words, greatest};
use std::rc::Rc;
use vergo_sat::Lit;
use vergo_term::{LookupTableId, Op, Sort, TermId, TermStore};

/// Choices among constants by the value of a word.
pub(super) struct Chain {
    /// The word, and behind it what all other values mean, if that is a term.
    needed: Vec<TermId>,
    /// The result for each value of the word; where a value occurs again, the first one counts.
    entries: Vec<(u64, u64)>,
    /// True if the truth value of the rest is to be negated; the value itself if the rest is no term.
    rest_is_negated: bool,
    /// The terms that the choices are, but for the first.
    inside: Vec<TermId>,
}

/// The word and the constant that a term compares.
fn equation(store: &TermStore, term: TermId) -> Option<(TermId, u64)> {
    if store.op(term) != Op::Eq {
        return None;
    }
    let key = store.bv_value(store.arg(term, 1))?;
    (key.width() <= 64).then(|| Some((store.arg(term, 0), key.to_u64()?))).flatten()
}

/// The equation whose negation a term is.
fn disequation(store: &TermStore, term: TermId) -> Option<(TermId, u64)> {
    (store.op(term) == Op::Not).then(|| equation(store, store.arg(term, 0))).flatten()
}

impl Chain {
    /// The terms that are needed before the choices can be blasted.
    pub(super) fn needed(&self) -> &[TermId] {
        &self.needed
    }

    /// The choices by the value of a word that a term begins with, up to one that is known.
    fn over(
        store: &TermStore,
        term: TermId,
        index: TermId,
        is_known: impl Fn(TermId) -> bool,
    ) -> Chain {
        let mut chain = Chain {
            needed: vec![index],
            entries: Vec::new(),
            rest_is_negated: false,
            inside: Vec::new(),
        };
        let is_it = |found: Option<(TermId, u64)>| found.filter(|e| e.0 == index).map(|e| e.1);
        let mut rest = term;
        loop {
            let negated = chain.rest_is_negated;
            let args = store.args(rest);
            let (entry, next) = match store.op(rest) {
                _ if rest != term && is_known(rest) => break,
                Op::Not => {
                    chain.rest_is_negated = !negated;
                    (None, args[0])
                }
                Op::Ite => {
                    let word = match store.bv_value(args[1]) {
                        Some(word) => word.to_u64(),
                        None => store.bool_value(args[1]).map(|truth| u64::from(truth ^ negated)),
                    };
                    let entry = is_it(equation(store, args[0])).zip(word);
                    if entry.is_none() {
                        break;
                    }
                    (entry, args[2])
                }
                Op::And => {
                    let found = [(args[1], args[0]), (args[0], args[1])]
                        .into_iter()
                        .find_map(|(a, b)| Some((is_it(disequation(store, a))?, b)));
                    let Some((key, other)) = found else { break };
                    (Some((key, u64::from(negated))), other)
                }
                Op::Eq => {
                    let Some(key) = is_it(equation(store, rest)) else { break };
                    chain.entries.push((key, u64::from(!negated)));
                    return chain;
                }
                _ => break,
            };
            chain.entries.extend(entry);
            chain.inside.push(next);
            rest = next;
        }
        chain.inside.pop();
        chain.needed.push(rest);
        chain
    }

    fn table(mut self, width: usize) -> Table {
        // Stable: of entries with one key the first stays.
        self.entries.sort_by_key(|entry| entry.0);
        self.entries.dedup_by_key(|entry| entry.0);
        let (keys, words) = self.entries.into_iter().unzip();
        Table::new(Keys::new(keys), Words::List(words), width)
    }
}

impl Blaster {
    /// Returns whether a term has so many choices by the value of a word that a table is better than a circuit;
    /// records them then.
    pub(super) fn find_chain(&mut self, store: &TermStore, term: TermId) -> bool {
        let is_short = match store.sort(term) {
            Sort::Bool => true,
            Sort::BitVec(width) => width <= 64,
            _ => false,
        };
        if !is_short || self.options.chain_len == usize::MAX || self.chained.contains(&term) {
            return false;
        }
        let args = store.args(term);
        let heads = match store.op(term) {
            Op::Ite => [equation(store, args[0]), None],
            Op::And => [disequation(store, args[0]), disequation(store, args[1])],
            _ => return false,
        };
        for (index, _) in heads.into_iter().flatten() {
            // Of choices that end alike only some are looked at as a whole, or this would take quadratic time.
            let chain = Chain::over(store, term, index, |other| {
                self.is_done(other)
                    || self.chains.contains_key(&other)
                    || self.chained.contains(&other)
            });
            if chain.entries.len() >= self.options.chain_len {
                self.chained.extend(&chain.inside);
                self.chains.insert(term, chain);
                return true;
            }
        }
        false
    }

    /// Makes a term what its choices say.
    pub(super) fn chain_step(&mut self, store: &TermStore, term: TermId, chain: Chain) {
        let index = self.word(chain.needed[0]);
        let negated = chain.rest_is_negated;
        let rest = match chain.needed.get(1) {
            Some(&rest) if negated => word::not(&self.word(rest)),
            Some(&rest) => self.word(rest),
            None => vec![Lit::constant(negated)],
        };
        let table = Rc::new(chain.table(rest.len()));
        self.look_up(store, term, table, index, rest);
    }

    /// Makes a term a read from a constant table.
    pub(super) fn lookup_step(&mut self, store: &TermStore, term: TermId, id: LookupTableId) {
        let index = self.word(store.arg(term, 0));
        let words = store.lookup_table(id);
        let width = words.width() as usize;
        let zero = word::small(width, 0);
        if words.is_empty() {
            self.set_word(store, term, &zero);
            return;
        }
        let table = self.lookups.table(id, || {
            Table::new(Keys::Range(0, words.len()), Words::Table(words.clone()), width)
        });
        self.look_up(store, term, table, index, zero);
    }

    fn look_up(
        &mut self,
        store: &TermStore,
        term: TermId,
        table: Rc<Table>,
        index: Word,
        rest: Word,
    ) {
        let hit = self.hit(term, &table.keys, &index);
        let summary = table.summary();
        let element = if summary.least == summary.greatest {
            let word = word::small(rest.len(), summary.least);
            self.aig.mux_words(hit, &word, &rest)
        } else {
            let bit = |i: usize| {
                let (ones, zeros) = (summary.ones >> i & 1, summary.zeros >> i & 1);
                match rest[i].as_constant() {
                    Some(true) if ones == 1 => Some(Lit::TRUE),
                    Some(false) if zeros == 1 => Some(Lit::FALSE),
                    _ => None,
                }
            };
            let origin = |i: usize| move |_| Origin::Bit(term, i as u32);
            (0..rest.len()).map(|i| bit(i).unwrap_or_else(|| self.fresh(1, origin(i))[0])).collect()
        };
        self.set_word(store, term, &element);
        self.lookups.add(Lookup { term, table, index, hit, element, rest });
    }

    /// Builds the condition that an index is a key: a comparison, or a free bit where keys have gaps.
    fn hit(&mut self, term: TermId, keys: &Keys, index: &[Lit]) -> Lit {
        let &Keys::Range(first, len) = keys else {
            return self.fresh(1, |_| Origin::Witness(term))[0];
        };
        let last = first + (len as u64 - 1);
        let low = word::small(index.len(), first);
        let above = if first == 0 { Lit::TRUE } else { compare::ule(&mut self.aig, &low, index) };
        let high = word::small(index.len(), last);
        let below = if last >= greatest(index) {
            Lit::TRUE
        } else {
            compare::ule(&mut self.aig, index, &high)
        };
        self.aig.and(above, below)
    }
}
