//! Reads from constant tables by lemmas on demand.
//!
//! **Idea.** A table of a million constants has no circuit that is worth making. What is read from it is free bits at first,
//! and when the solver proposes an index and another word than the table has there, it is told why not. The reasons are
//! as general as they are cheap to find:
//!
//! - all words of a block around the index lie between two bounds, signed or unsigned, or have a bit in common. Blocks
//!   nest, and the largest one for which that excludes the proposed word is taken: most claims about tables are about
//!   all of it;
//! - the words around the index grow by the same step, so that they are a linear function of it;
//! - the proposed word is nowhere in the table, nor are its neighbours up to the next words that are;
//! - the proposed word is elsewhere in the table, and not between these two places. The solver prefers one of them next.
//!
//! Tables come from reads of constant arrays ([`Op::Lookup`](vergo_term::Op::Lookup)) and from choices by the value of a
//! word, as a `switch` makes them ([`crate::blast`]): there not every index is a key of the table, and what is none
//! means something else.
//!
//! **Source.** Lemmas on demand are as in [`crate::arrays`]; the reasons are our own.
//!
//! **Soundness.** Every lemma is a fact about the table. **Completeness**: every lemma excludes the proposed index with the
//! proposed word, and there are finitely many.

mod table;

pub(crate) use table::{Keys, Table, Words};

use crate::arrays::Lemma;
use crate::blast::word::{self, Word};
use crate::blast::{arith, compare};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use vergo_sat::{Aig, Budget, Lit};
use vergo_term::{LookupTableId, TermId};

/// A read from a table.
pub(crate) struct Lookup {
    pub(crate) term: TermId,
    pub(crate) table: Rc<Table>,
    pub(crate) index: Word,
    /// True if the index is a key of the table.
    pub(crate) hit: Lit,
    pub(crate) element: Word,
    /// The result if the index is no key.
    pub(crate) rest: Word,
}

/// All reads from tables.
#[derive(Default)]
pub(crate) struct Lookups {
    all: Vec<Lookup>,
    tables: FxHashMap<LookupTableId, Rc<Table>>,
    n_lemmas: u64,
}

/// The lemmas against a model.
#[derive(Default)]
pub(crate) struct Refinement {
    /// Valid clauses that it violates.
    pub(crate) lemmas: Vec<Lemma>,
    /// Literals that are a good choice next.
    pub(crate) preferred: Vec<Lit>,
    /// True if the budget ended before everything was looked at.
    pub(crate) is_cut_short: bool,
}

impl Lookups {
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn n_lemmas(&self) -> u64 {
        self.n_lemmas
    }

    pub(crate) fn add(&mut self, lookup: Lookup) {
        self.all.push(lookup);
    }

    /// The table of that name, made on first use.
    pub(crate) fn table(&mut self, id: LookupTableId, make: impl FnOnce() -> Table) -> Rc<Table> {
        self.tables.entry(id).or_insert_with(|| Rc::new(make())).clone()
    }

    /// Compares what the model says about all reads with the tables; `value` gives the model's value of a literal.
    pub(crate) fn check(
        &mut self,
        aig: &mut Aig,
        value: &dyn Fn(Lit) -> bool,
        active: Option<&FxHashSet<TermId>>,
        budget: &Budget,
    ) -> Refinement {
        let mut refinement = Refinement::default();
        for lookup in &self.all {
            if active.is_some_and(|active| !active.contains(&lookup.term)) {
                continue;
            }
            if budget.interrupted().is_some() {
                refinement.is_cut_short = true;
                break;
            }
            Check { lookup, aig, value, refinement: &mut refinement }.run();
        }
        self.n_lemmas += refinement.lemmas.len() as u64;
        refinement
    }
}

struct Check<'a> {
    lookup: &'a Lookup,
    aig: &'a mut Aig,
    value: &'a dyn Fn(Lit) -> bool,
    refinement: &'a mut Refinement,
}

impl Check<'_> {
    fn number(&self, word: &[Lit]) -> u64 {
        word.iter().enumerate().fold(0, |n, (i, &lit)| n | u64::from((self.value)(lit)) << i)
    }

    fn run(&mut self) {
        let Lookup { table, hit, element, rest, index, .. } = self.lookup;
        let at = self.number(index);
        let proposed = self.number(element);
        match (table.keys.position(at), (self.value)(*hit)) {
            (Ok(position), true) => {
                if table.words.get(position) != proposed {
                    self.refute(position, proposed);
                }
            }
            (Ok(position), false) => {
                let run = table.keys.run(position);
                let inside = self.between(run);
                self.lemma(vec![*hit, !inside]);
            }
            (Err(next), true) => {
                let clause = vec![!*hit, self.at_most(next.checked_sub(1)), self.at_least(next)];
                self.lemma(clause);
            }
            (Err(_), false) => {
                if proposed != self.number(rest) {
                    let same = self.aig.equal_words(element, rest);
                    self.lemma(vec![*hit, same]);
                }
            }
        }
    }

    /// The table has another word at a position.
    fn refute(&mut self, position: usize, proposed: u64) {
        let Lookup { table, hit, element, .. } = self.lookup;
        for (block, summary) in table.blocks_around(position) {
            let facts = self.facts(&summary, proposed);
            if !facts.is_empty() {
                let inside = self.between(block);
                for fact in facts {
                    self.lemma(vec![!*hit, !inside, fact]);
                }
                return;
            }
        }
        if let Some(line) = table.line_at(position) {
            let inside = self.between(line.run);
            let width = element.len();
            let index = word::resize(&self.lookup.index, width, Lit::FALSE);
            let scaled = arith::mul(self.aig, &index, &word::small(width, line.slope));
            let sum = arith::add(self.aig, &scaled, &word::small(width, line.start));
            let same = self.aig.equal_words(element, &sum);
            self.lemma(vec![!*hit, !inside, same]);
        }
        let is_proposed = self.aig.equal_words(element, &word::small(element.len(), proposed));
        match table.places(proposed, position) {
            [None, None] => {
                let [below, above] = table.neighbours(proposed);
                let mut clause = vec![!*hit];
                if let Some(below) = below {
                    let below = word::small(element.len(), below);
                    clause.push(compare::ule(self.aig, element, &below));
                }
                if let Some(above) = above {
                    let above = word::small(element.len(), above);
                    clause.push(compare::ule(self.aig, &above, element));
                }
                self.lemma(clause);
            }
            [before, after] => {
                let mut clause = vec![!*hit, !is_proposed, self.at_most(before)];
                if let Some(after) = after {
                    clause.push(self.at_least(after));
                }
                self.lemma(clause);
                if let Some(place) = after.or(before) {
                    let key = table.keys.get(place);
                    let index = self.lookup.index.iter().enumerate();
                    let bits = index.map(|(i, &lit)| lit.complement_if(key >> i & 1 == 0));
                    self.refinement.preferred.extend(bits);
                }
            }
        }
        let there = self.between((position, position));
        let right = word::small(element.len(), table.words.get(position));
        let is_right = self.aig.equal_words(element, &right);
        self.lemma(vec![!*hit, !there, is_right]);
    }

    /// Returns facts about all words of a block that the proposed one violates.
    fn facts(&mut self, summary: &table::Summary, proposed: u64) -> Vec<Lit> {
        let element = &self.lookup.element;
        let width = element.len();
        let bound = |value: u64| word::small(width, value);
        let mut facts = Vec::new();
        if proposed < summary.least {
            facts.push(compare::ule(self.aig, &bound(summary.least), element));
        }
        if proposed > summary.greatest {
            facts.push(compare::ule(self.aig, element, &bound(summary.greatest)));
        }
        let signed = table::signed(proposed, width);
        if signed < summary.lowest {
            facts.push(compare::sle(self.aig, &bound(summary.lowest as u64), element));
        }
        if signed > summary.highest {
            facts.push(compare::sle(self.aig, element, &bound(summary.highest as u64)));
        }
        for (i, &lit) in element.iter().enumerate() {
            let (proposed, ones, zeros) =
                (proposed >> i & 1, summary.ones >> i & 1, summary.zeros >> i & 1);
            if proposed == 0 && ones == 1 || proposed == 1 && zeros == 1 {
                facts.push(lit.complement_if(zeros == 1));
            }
        }
        facts
    }

    /// Builds the condition that the index lies between the keys at two positions.
    fn between(&mut self, (first, last): (usize, usize)) -> Lit {
        let keys = &self.lookup.table.keys;
        if first == 0 && last + 1 == keys.len() {
            // The hit says the same, and more.
            return Lit::TRUE;
        }
        let (low, high) = (self.at_least(first), self.at_most(Some(last)));
        self.aig.and(low, high)
    }

    /// Builds the condition that the index is at least the key at a position; false behind the last one.
    fn at_least(&mut self, position: usize) -> Lit {
        let (keys, index) = (&self.lookup.table.keys, &self.lookup.index);
        let key = (position < keys.len()).then(|| keys.get(position));
        match key.filter(|&key| key <= greatest(index)) {
            Some(key) => compare::ule(self.aig, &word::small(index.len(), key), index),
            None => Lit::FALSE,
        }
    }

    /// Builds the condition that the index is at most the key at a position; false before the first one.
    fn at_most(&mut self, position: Option<usize>) -> Lit {
        let index = &self.lookup.index;
        let Some(position) = position else { return Lit::FALSE };
        let key = self.lookup.table.keys.get(position).min(greatest(index));
        compare::ule(self.aig, index, &word::small(index.len(), key))
    }

    fn lemma(&mut self, clause: Vec<Lit>) {
        self.refinement.lemmas.push(Lemma { clause, terms: vec![self.lookup.term] });
    }
}

/// The greatest value that an index can have.
pub(crate) fn greatest(index: &[Lit]) -> u64 {
    u64::MAX >> (64 - index.len().min(64))
}
